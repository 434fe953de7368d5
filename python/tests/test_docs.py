"""The examples in docstrings run, and so do those of the pages."""

import ast
import doctest
import importlib
import importlib.util
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import stand_in_for_torch

import sudoku_batch
import sudoku_batch._kinds
from conftest import ROOT, command_path, data

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.fixture
def torch(monkeypatch):
    """Torch, or what stands in for it."""
    if importlib.util.find_spec("torch") is None:
        for name, module in stand_in_for_torch.modules().items():
            monkeypatch.setitem(sys.modules, name, module)
        yield
        sys.modules.pop("sudoku_batch.torch", None)
    else:
        yield


def test_docstrings(torch):
    paths = list(Path(sudoku_batch.__file__).parent.glob("*.py"))
    assert len(paths) > 3
    for path in paths:
        module = importlib.import_module(f"sudoku_batch.{path.stem}".removesuffix(".__init__"))
        tried = doctest.testmod(module, optionflags=FLAGS)
        written = len(re.findall("^ *>>> ", path.read_text(), re.M))
        assert tried.failed == 0 and tried.attempted == written, path


def test_every_public_name_has_a_docstring():
    for name in sudoku_batch.__all__:
        if name != "STATUSES":
            assert getattr(sudoku_batch, name).__doc__, name


# The first words of a block that is not run, and the package that it needs, which the tests lack.
NOT_RUN = {"import ray": "ray", "import dask": "dask", "dataset.map": "datasets"}
# Numbers that are smaller here: on the page, and here.
SMALLER = {"250_000_000": "250", "range(1000)": "range(10)"}
PAGES = [
    page
    for folder in (".", "data", "docs", "docs/internals", "python", "web", "web/package")
    for page in sorted((ROOT / folder).glob("*.md"))
    if "```python\n" in page.read_text()
]


def blocks(page: Path) -> list[tuple[str, int, str]]:
    """The commands that prepare files, and the blocks of Python, of a page: which, line and text."""
    text = page.read_text()
    found = re.finditer(r"^<!-- prepare: ?(.*?) ?-->|^```python\n(.*?)^```", text, re.S | re.M)
    return [
        ("prepare" if match[1] else "python", text.count("\n", 0, match.start()) + 1, match[1] or match[2])
        for match in found
    ]


def smaller(block: str) -> str:
    for large, small in SMALLER.items():
        block = block.replace(large, small)
    return block


def run(block: str, name: str, names: dict[str, object]) -> None:
    """Runs a block. A value with a comment that is a value is that value: `…` stands for any part."""
    lines = block.split("\n")
    for statement in ast.parse(block, name).body:
        comment = lines[statement.end_lineno - 1][statement.end_col_offset :].strip()
        if isinstance(statement, ast.Expr) and re.match(r"# *[\[{('\"0-9]", comment):
            seen = repr(eval(compile(ast.Expression(statement.value), name, "eval"), names))
            shown = re.escape(comment.lstrip("# ")).replace("…", ".*")
            assert re.fullmatch(shown, seen, re.S), f"{name}: {comment}\nbut it is\n{seen}"
        else:
            exec(compile(ast.Module([statement], []), name, "exec"), names)


def read(page: Path, folder: Path, is_run, names: dict[str, object]) -> None:
    """Runs the blocks of a page in a folder, in order, with the files that the page prepares."""
    (folder / "data").symlink_to(ROOT / "data")
    (folder / "bin").mkdir()
    (folder / "bin/sudoku-batch").symlink_to(command_path())
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    for what, line, text in blocks(page):
        name = f"{page.relative_to(ROOT)}:{line}"
        if what == "prepare":
            subprocess.run(
                ["bash", "-ec", text], cwd=folder, env={**os.environ, "PATH": path}, check=True
            )
        elif is_run(text):
            run(smaller(text), name, names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_on_pages(page, tmp_path, monkeypatch, torch):
    """Every block runs, in order, in a folder with a small `puzzles.parquet`. Those of Spark have a test of their own."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    monkeypatch.chdir(tmp_path)
    records = data("easy.txt")[:100]
    pq.write_table(pa.table({"puzzle": records}), "puzzles.parquet")
    is_run = lambda text: "spark" not in text and not text.startswith(tuple(NOT_RUN))
    read(page, tmp_path, is_run, {})
    if "solved.parquet" in page.read_text():
        solved = pq.read_table("solved.parquet")
        assert solved["solution"].to_pylist() == data("easy.solved.txt")[:100]
        assert solved["status"].to_pylist() == ["unique"] * 100


def test_spark_on_pages_and_in_its_docstring(spark, tmp_path, monkeypatch):
    import pyarrow as pa
    import pyarrow.parquet as pq
    import sudoku_batch.spark as sbs

    monkeypatch.chdir(tmp_path)
    records = data("easy.txt")[:100]
    pq.write_table(pa.table({"puzzle": records}), "puzzles")
    # Spark began in another folder.
    monkeypatch.setitem(SMALLER, '"puzzles"', repr(str(tmp_path / "puzzles")))
    monkeypatch.setitem(SMALLER, '"solved"', repr(str(tmp_path / "solved")))
    names = {"spark": spark}
    read(ROOT / "python/README.md", tmp_path, lambda text: "spark" in text, names)
    assert len(set(names["grids"].take(2))) == 2
    for shown in re.findall(r"code-block:: python\n\n((?:    .*\n|\n)*)", sbs.__doc__):
        run(smaller(textwrap.dedent(shown)), "spark.py", names)
    solved = {row["puzzle"]: row["solution"] for row in names["solved"].collect()}
    assert [solved[record] for record in records] == data("easy.solved.txt")[:100]
    assert pq.read_table("solved").num_rows == 100


def test_what_is_not_run_or_smaller_is_needed():
    texts = [text for page in PAGES for what, _, text in blocks(page) if what == "python"]
    for start, package in NOT_RUN.items():
        assert any(text.startswith(start) for text in texts), start
        assert importlib.util.find_spec(package) is None, f"{package} is here: run its block"
    for large in SMALLER:
        assert any(large in text for text in texts), large
    # The blocks of Spark are on one page.
    spark = [page for page in PAGES for what, _, text in blocks(page) if "spark" in text]
    assert {page.name for page in spark} == {"README.md"} and len(set(spark)) == 1
