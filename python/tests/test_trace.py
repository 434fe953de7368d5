"""Traces, and results as columns of tables."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import data

import sudoku_batch as sb

RECORDS = [*data("easy.txt")[:20], "." * 81, *data("minimal.txt")[:20], "12", None]


def replay(puzzle: str, pairs: np.ndarray) -> str:
    """The grid after the pairs, each of which fills a blank."""
    grid = list(puzzle.replace("0", "."))
    used = pairs[pairs[:, 0] >= 0]
    assert (pairs[len(used) :] == -1).all()
    for cell, digit in used:
        assert grid[cell] == "."
        grid[cell] = str(digit)
    return "".join(grid)


@pytest.mark.parametrize("search", [False, True])
def test_pairs_are_the_placements_and_end_in_the_solution(search):
    solved = sb.solve(RECORDS, unique=True)
    pairs = sb.trace(RECORDS, search=search, pairs=True)
    assert pairs.pairs.shape == (len(RECORDS), 81, 2) and pairs.pairs.dtype == np.int8
    traces = sb.trace(RECORDS, search=search)
    assert pairs.status == traces.status == solved.status
    for record, solution, row, steps in zip(RECORDS, solved.solution, pairs.pairs, traces.steps):
        if solution is None:
            assert (row == -1).all() and steps is None
            continue
        assert replay(record, row) == solution
        if not search:
            cell = lambda step: [9 * int(step["cell"][1]) + int(step["cell"][3]) - 10, step["digit"]]
            assert [cell(step) for step in steps] == row[row[:, 0] >= 0].tolist()


def test_ratings_guesses_and_extras():
    records = data("minimal.txt")[:30]
    assert sb.trace(records).rating == sb.rate(records).er
    assert sb.trace(records, up_to=2.5).rating == sb.rate(records, up_to=2.5).er
    proofs = sb.trace(records, search=True, proof=True).guesses
    assert proofs == sb.rate(records, up_to=0, guesses=True).guesses
    steps = sb.trace(records[0], boards=True, candidates=True).steps
    assert steps[-1]["board"] == sb.solve(records[0]).solution
    assert len(steps[0]["candidates"]) == 729
    for options in [{"search": True, "up_to": 2.0}, {"proof": True}, {"pairs": True, "boards": True}]:
        with pytest.raises(ValueError):
            sb.trace(records, **options)


def test_kinds_of_records():
    records = data("easy.txt")[:5]
    texts = sb.trace(records).json
    assert sb.trace(pl.Series(records)).json.to_list() == texts
    assert sb.trace(pd.Series(records)).json.tolist() == texts
    assert sb.trace(pa.array(records)).json.to_pylist() == texts
    digits = np.array([[int(c) if c.isdigit() else 0 for c in record] for record in records])
    assert sb.trace(digits).json.tolist() == texts
    assert json.loads(sb.trace(records[0]).json) == sb.trace(records[0]).steps


def columns(records):
    """Results of every kind, with the names of their columns."""
    yield sb.solve(records, unique=True)
    yield sb.count(records, limit=5)
    yield sb.check(records, minimal=True)
    yield sb.canonical(records)
    yield sb.split(records, 0.5)
    yield sb.dedup(records)
    yield sb.rate(records, up_to=2.0)
    yield sb.trace(records, up_to=2.0)


def test_results_go_into_polars():
    frame = pl.DataFrame({"puzzle": RECORDS})
    for result in columns(frame["puzzle"]):
        assert list(result.to_dict()) == list(result.keys()) == list(result._fields)
        assert pl.DataFrame(result).equals(pl.DataFrame(result.to_dict()))
        wider = frame.with_columns(**result)
        assert wider.columns == ["puzzle", *result.keys()]
        for name in result.keys():
            assert wider[name].equals(result[name]), name


def test_results_go_into_pandas():
    frame = pd.DataFrame({"puzzle": RECORDS}, index=range(7, 7 + len(RECORDS)))
    for result in columns(frame["puzzle"]):
        made = pd.DataFrame(result.to_dict())
        assert made.columns.tolist() == list(result.keys())
        assert made.index.equals(frame.index)
        wider = frame.assign(**result)
        assert wider.drop(columns="puzzle").equals(made)
        with pytest.raises(TypeError, match="to_dict"):
            pd.DataFrame(result)


def test_results_go_into_arrow():
    for records in [RECORDS, pa.array(RECORDS), pl.Series(RECORDS), pd.Series(RECORDS)]:
        for result in columns(records):
            table = result.to_arrow()
            assert isinstance(table, pa.Table) and table.num_rows == len(RECORDS)
            assert table["status"].to_pylist() == sb.solve(RECORDS).status
            assert pa.table(result).equals(table)
    digits = sb.solve(np.zeros((3, 81), np.uint8)).to_arrow()
    assert digits["solution"].to_pylist()[0][:9] == list(range(1, 10))
    assert sb.solve("." * 81, unique=True).to_arrow().to_pylist() == [
        {"solution": None, "status": "multiple"}
    ]
    made = sb.puzzles(3).to_arrow()
    assert made.column_names == ["puzzle", "solution", "clues"] and made.num_rows == 3
    a, b = sb.solve(RECORDS)
    assert len(a) == len(b) == len(RECORDS)


@pytest.mark.parametrize(
    "wrong",
    [5, None, {"puzzle": RECORDS}, {1, 2}, pl.DataFrame({"p": ["."], "q": ["."]}), pd.DataFrame({"p": ["."], "q": ["."]}),
     pa.table({"p": ["."], "q": ["."]}), object(), [1, 2], pl.Series([1]), pd.Series([1]), pa.array([1])],
    ids=lambda wrong: type(wrong).__name__,
)
@pytest.mark.parametrize("function", [sb.solve, sb.rate, sb.trace, sb.check, sb.canonical])
def test_a_wrong_type_says_what_is_taken(function, wrong):
    with pytest.raises(TypeError, match="list of str|to be a str|records are text"):
        function(wrong)


def test_the_page_leads_to_batches(tmp_path, monkeypatch):
    """The block of docs/training.md runs, with three batches in place of all."""
    page = (Path(__file__).resolve().parents[2] / "docs/training.md").read_text()
    block = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    monkeypatch.chdir(tmp_path)
    rows = [f"x,{record},{record},0" for record in [*data("easy.txt")[:50], *data("easy.txt")[:5], "12"]]
    Path("train.csv").write_text("\n".join(["source,question,answer,rating", *rows, ""]))
    names: dict[str, object] = {}
    assert "zip(range(1000), stream)" in block
    exec(block.replace("range(1000)", "range(3)"), names)
    puzzle, solution = names["batch"]
    assert puzzle.shape == solution.shape == (768, 81) and names["pairs"].shape[1:] == (81, 2)
    assert (sb.solve(puzzle).solution == solution).all()
    assert 30 < len(names["train"]) < 50 == len(names["train"]) + len(names["test"])
