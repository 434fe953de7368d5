"""The examples in docstrings run, and so do those of the pages."""

import doctest
import re
from pathlib import Path

import pytest

import sudoku_batch
import sudoku_batch._kinds

PYTHON = Path(__file__).resolve().parents[1]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def test_docstrings():
    tried = doctest.testmod(sudoku_batch, optionflags=FLAGS)
    assert tried.failed == 0 and tried.attempted > 15


def test_every_public_name_has_a_docstring():
    for name in sudoku_batch.__all__:
        if name != "STATUSES":
            assert getattr(sudoku_batch, name).__doc__, name


@pytest.mark.parametrize("page", ["python/README.md", "README.md"])
def test_python_on_pages(page, tmp_path, monkeypatch):
    """Each block of Python on a page runs, in order, beside a small `puzzles.parquet`."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from conftest import data

    monkeypatch.chdir(tmp_path)
    records = data("easy.txt")[:100]
    pq.write_table(pa.table({"puzzle": records}), "puzzles.parquet")
    text = (PYTHON.parent / page).read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    blocks = [block for block in blocks if "spark" not in block]
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    solved = pq.read_table("solved.parquet")
    assert solved["solution"].to_pylist() == data("easy.solved.txt")[:100]
    assert solved["status"].to_pylist() == ["unique"] * 100
