"""Questions by their definitions: keywords, fields, and functions whose words come from the definitions too."""

import inspect
import json
import operator

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import data

import sudoku_batch as sb
from sudoku_batch import _engine

DEFINITIONS, SETS = (
    {about["name"].replace("-", "_"): about for about in map(json.loads, of_kind)} for of_kind in _engine.definitions()
)
ALL = DEFINITIONS | SETS

#: Columns that a function calls in another way, or gives in two.
RENAMED = {"solution_count": "count", "steps": "json"}

#: Answers and the weights of parts are arguments of their own, and the columns of these settings are always there.
NO_KEYWORDS = {"answers", "texts", "automorphisms"}
NO_KEYWORDS_OF = {"rate": {"difficulty"}, "split": {"weights"}}


@pytest.mark.parametrize("name", ALL)
def test_settings_are_keywords(name):
    parameters = inspect.signature(getattr(sb, name)).parameters
    options = {option["name"].replace("-", "_"): option["usual"] for option in ALL[name]["options"]}
    hidden = NO_KEYWORDS | NO_KEYWORDS_OF.get(name, set())
    settings = {key: usual for key, usual in options.items() if key not in hidden}
    # The first is the records, or the number of those that are made.
    records, *others = parameters
    own = {"start", "kind"} if name in SETS else {"answers", "parts", "solutions", "texts"}
    assert {*others} - own == {*settings, "threads"}
    for key, usual in settings.items():
        default = parameters[key].default
        if usual and default not in (None, inspect.Parameter.empty):
            text = ",".join(default) if isinstance(default, tuple) else str(default)
            assert usual.replace("k", "000") in (text, text.lower()), key


# `stats` gives a dict of what the columns sum up to.
@pytest.mark.parametrize("name", DEFINITIONS.keys() - {"stats"})
def test_columns_are_fields(name):
    function = getattr(sb, name.replace("-", "_"))
    # A minimal puzzle has no other inside it.
    puzzle = data("easy.txt" if name == "minimals" else "minimal.txt")[0]
    settings = {
        "augment": {"copies": 7},
        "minimals": {"limit": 10},
        "rate": {"counts": True},
        "score": {"texts": ["x"] * 4},
        "split": {"parts": 0.5},
    }
    needed = settings.get(name, {})
    answer = function([puzzle, "." * 81, "x", None], **needed)
    columns = DEFINITIONS[name]["columns"]
    several = any(column["name"] == "record" for column in columns)
    rows = len(answer.record) if several else 4
    assert rows > 7 or not several
    for column, meaning, when in map(operator.itemgetter("name", "about", "when"), columns):
        values = getattr(answer, RENAMED.get(column, column), None)
        if values is None:
            assert when is not None, column
        else:
            assert len(values) == (4 if column == "status" else rows), column
        assert meaning
    if any(column["name"] == "status" for column in columns):
        assert answer.status[3] is None and answer.status[2] == "malformed"
    if several:
        # The rows of a record are those of it alone.
        assert set(answer.record) <= {0, 1} and answer.record == sorted(answer.record)
        alone = function([puzzle], **needed)
        for field in answer._fields:
            column = getattr(answer, field)
            own = column and [column[row] for row in range(rows) if answer.record[row] == 0]
            assert own == getattr(alone, field)
        assert repr(answer) and answer.to_arrow().num_rows == rows


def test_a_question_without_words_of_its_own_has_a_function(command):
    lines = data("minimal.txt")[:50] + ["x"]
    text = "".join(line + "\n" for line in lines)
    rows = [row.split(",") for row in command("expand", "-q", "--format", "csv", text=text).splitlines()[1:]]
    found = sb.expand(lines)
    assert found.expanded == [row[1] or None for row in rows]
    assert found.added_clues == [int(row[2]) if row[2] else None for row in rows]
    assert found.status == [row[3] for row in rows]
    assert "expand" in sb.__all__ and "expand" in dir(sb) and "singles" in sb.expand.__doc__
    arrays = sb.expand(np.array([[int(c) if c.isdigit() else 0 for c in lines[0]]], np.uint8))
    assert "".join(map(str, arrays.expanded[0])).replace("0", ".") == rows[0][1]
    assert arrays.added_clues.dtype == np.int32
    with pytest.raises(TypeError, match="unexpected keyword argument 'depth'"):
        sb.expand(lines, depth=3)


def test_true_candidates_have_729_places(command):
    cells = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
    lines = [cells, "." * 81, data("minimal.txt")[0], "11" + "." * 79, "x"]
    text = "".join(line + "\n" for line in lines)
    rows = [row.split(",") for row in command("true-candidates", "-q", "--format", "csv", text=text).splitlines()[1:]]
    found = sb.true_candidates(lines)
    assert found.true_candidates == [row[1] or None for row in rows]
    assert found.candidate_count == [int(row[2]) if row[2] else None for row in rows] == [85, 729, 81, None, None]
    assert found.true_candidates[0][:18] == "12.......12......."
    assert found.status == [row[3] for row in rows]
    numbers = np.array([[int(c) if c.isdigit() else 0 for c in line] for line in lines[:4]], np.uint8)
    for shaped in (numbers, numbers.reshape(-1, 9, 9)):
        arrays = sb.true_candidates(shaped).true_candidates
        assert arrays.shape == (4, 729) and (arrays != 0).sum(axis=1).tolist() == [85, 729, 81, 0]
    assert sb.true_candidates(numbers[0]).true_candidates.shape == (729,)


def test_candidate_counts_are_arrays(command):
    swapped = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
    lines = [swapped, "." * 81, data("minimal.txt")[0], "11" + "." * 79, "x", None]
    text = "".join(line + "\n" for line in lines[:5])
    rows = command("candidate-counts", "-q", "--limit", "7", "--format", "csv", text=text).splitlines()[1:]
    expected = np.zeros((6, 9, 9, 9), np.int16)
    expected[4:] = -1
    for record, row in enumerate(rows):
        for cell, word in enumerate(row.split(",")[1].split()):
            for part in word.split("/") if word != "-" else []:
                digit, count = part.split(":")
                expected[record, cell // 9, cell % 9, int(digit) - 1] = 8 if count == "7+" else int(count)
    found = sb.candidate_counts(lines, limit=7)
    assert found.candidate_counts.dtype == np.int16 and (found.candidate_counts == expected).all()
    assert expected[0, 0, 0].tolist() == [1, 1, 0, 0, 0, 0, 0, 0, 0] and (expected[1] == 8).all()
    assert (expected[2].sum(axis=2) == 1).all() and not expected[3].any()
    assert found.status[:5] == [row.split(",")[2] for row in rows] and found.status[5] is None
    # Each kind has them in its way, and a record alone has an array of its own.
    numbers = np.array([[int(c) if c.isdigit() else 0 for c in line] for line in lines[:4]], np.uint8)
    of_numbers = sb.candidate_counts(numbers.reshape(-1, 9, 9), limit=7).candidate_counts
    assert of_numbers.dtype == np.int16 and (of_numbers == expected[:4]).all()
    for single in (swapped, numbers[0], numbers[0].reshape(9, 9), swapped.encode()):
        assert (sb.candidate_counts(single, limit=7).candidate_counts == expected[0]).all()
    assert sb.candidate_counts(numbers.tolist(), limit=7).candidate_counts == expected[:4].tolist()
    masked = sb.candidate_counts(np.ma.masked_equal(numbers, 0), limit=7).candidate_counts
    assert np.ma.isMaskedArray(masked) and (masked == expected[:4]).all()
    series = sb.candidate_counts(pd.Series(lines, index=list("uvwxyz")), limit=7).candidate_counts
    assert series.index.tolist() == list("uvwxyz") and (np.stack(series) == expected).all()
    of_polars = pl.DataFrame({"puzzle": lines}).with_columns(**sb.candidate_counts(pl.Series(lines), limit=7))
    assert of_polars["candidate_counts"].dtype == pl.Array(pl.Int16, (9, 9, 9))
    assert (of_polars["candidate_counts"].to_numpy() == expected).all()
    of_arrow = sb.candidate_counts(pa.array(lines), limit=7).candidate_counts
    assert of_arrow.type == pa.list_(pa.int16(), 729)
    assert of_arrow.to_pylist() == expected.reshape(-1, 729).tolist()
    for records in (lines, swapped):
        table = sb.candidate_counts(records, limit=7).to_arrow()
        rows = expected if records is lines else expected[:1]
        assert table["candidate_counts"].to_pylist() == rows.reshape(-1, 729).tolist()


def test_counts_of_techniques(command):
    lines = data("minimal.txt")[:40] + ["x"]
    text = "".join(line + "\n" for line in lines)
    for options, settings in (([], {}), (["--without", "uniqueness,X-wing"], {"without": ["uniqueness", "X-wing"]})):
        table = command("rate", "-q", "--counts", "--format", "csv", *options, text=text).splitlines()
        names, *rows = (row.split(",") for row in table)
        found = sb.rate(lines, counts=True, **settings)
        for name in ("er", *names[names.index("last_cell") :]):
            values = [row[names.index(name)] for row in rows]
            assert [str(value) for value in found[name]] == [value or "None" for value in values], name
    assert "x_wing" not in sb.rate(lines).keys()
    with pytest.raises(ValueError, match="no technique"):
        sb.rate(lines, without="X-wings")


def test_wrong_settings():
    with pytest.raises(ValueError, match="up_to"):
        sb.rate(["." * 81], up_to=44.0)
    with pytest.raises(TypeError, match="max_guesses"):
        sb.solve(["." * 81], max_guesses="many")
    assert sb.solve(["." * 81], max_guesses=0).status == ["gave-up"]
    assert sb.canonical(["." * 81], transformation=True).transformation == [None]
    with pytest.raises(ValueError, match="maxlex: it cannot be used with minlex"):
        sb.canonical(["." * 81], minlex=True, maxlex=True)
