"""Questions by their definitions: keywords, fields, and functions that nobody wrote."""

import inspect

import numpy as np
import pytest
from conftest import data

import sudoku_batch as sb
from sudoku_batch import _engine

DEFINITIONS = {about["name"]: about for about in _engine.definitions()}

#: What a function calls a column in another way, or gives in two.
RENAMED = {"solution_count": "count"}

#: Answers are an argument of their own, and the columns of these settings are always there.
NO_KEYWORDS = {"answers", "automorphisms", "grade"}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_settings_are_keywords(name):
    parameters = inspect.signature(getattr(sb, name)).parameters
    settings = {key for key, *_ in DEFINITIONS[name]["settings"]} - NO_KEYWORDS
    keywords = {key for key, one in parameters.items() if one.kind is one.KEYWORD_ONLY}
    assert keywords == {key.replace("-", "_") for key in settings} | {"threads"}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_columns_are_fields(name):
    answer = getattr(sb, name)(["." * 81, "x", None])
    for column, meaning, _ in DEFINITIONS[name]["columns"]:
        assert len(getattr(answer, RENAMED.get(column, column))) == 3, column
        assert meaning
    assert answer.status[2] is None and answer.status[1] == "malformed"


def test_a_question_without_a_function_has_one(command):
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
    with pytest.raises(TypeError, match="no keyword depth"):
        sb.expand(lines, depth=3)


def test_wrong_settings():
    with pytest.raises(ValueError, match="up_to"):
        sb.rate(["." * 81], up_to=44.0)
    with pytest.raises(TypeError, match="max_guesses"):
        sb.solve(["." * 81], max_guesses="many")
    assert sb.solve(["." * 81], max_guesses=0).status == ["gave-up"]
    assert sb.canonical(["." * 81], transformation=True).transformation == [None]
    with pytest.raises(ValueError, match="maxlex: it excludes minlex"):
        sb.canonical(["." * 81], minlex=True, maxlex=True)
