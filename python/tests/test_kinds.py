"""What records come in as: masks, missing values, bytes, lists of numbers, and objects of libraries that hold a column."""

import collections
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import data

import sudoku_batch as sb

TEXTS = data("minimal.txt")[:4]
DIGITS = np.array([[int(cell) if cell.isdigit() else 0 for cell in text] for text in TEXTS], np.uint8)
SOLUTIONS = sb.solve(TEXTS).solution
GRIDS = np.array([[int(cell) for cell in text] for text in SOLUTIONS])


def plain(column):
    """A column of any kind as plain values, with None for what is null."""
    method = next((name for name in ("to_pylist", "to_list", "tolist") if hasattr(column, name)), "copy")
    column = getattr(column, method)()
    return [None if value is pd.NA else value for value in column]


def test_masked_cells_are_blank():
    """A solved grid with some cells masked is the puzzle of the others."""
    hidden = np.ma.masked_array(GRIDS, DIGITS == 0)
    for array in (hidden, hidden.reshape(-1, 9, 9), hidden.astype(float), hidden.astype(">i4")):
        solved = sb.solve(array)
        assert solved.solution.shape == array.shape and solved.solution.dtype == array.dtype
        assert (solved.solution.reshape(-1, 81) == GRIDS).all() and not np.ma.getmaskarray(solved.solution).any()
        assert solved.status.tolist() == ["unique"] * 4
        assert sb.count(array).count.tolist() == [1] * 4
        assert sb.check(array, GRIDS).clue_count.tolist() == (DIGITS != 0).sum(axis=1).tolist()
    one = sb.solve(hidden[0])
    assert one.status == "unique" and one.solution.tolist() == GRIDS[0].tolist()
    # Without a mask, and with one of no cell, it is the array.
    assert sb.solve(np.ma.masked_array(DIGITS)).solution.tolist() == GRIDS.tolist()


def test_masked_rows_are_missing():
    mask = np.zeros(DIGITS.shape, bool)
    mask[1] = True
    masked = np.ma.masked_array(DIGITS, mask)
    texts = [TEXTS[0], None, *TEXTS[2:]]
    for threads in (1, 2):
        # Beyond a slice of the engine.
        many = np.ma.concatenate([masked] * 6000)
        solved = sb.solve(many, threads=threads)
        assert solved.status.tolist() == sb.solve(texts * 6000).status
        assert solved.solution[4:8].tolist() == [row if i != 1 else [None] * 81 for i, row in enumerate(GRIDS.tolist())]
    for ask in (sb.solve, sb.count, sb.rate, sb.dedup, sb.check, lambda records: sb.split(records, 0.5)):
        answer, expected = ask(masked), ask(texts)
        for field in answer.keys():
            column = getattr(answer, field)
            if column is not None and field not in ("solution", "technique", "difficulty"):
                assert str(column.tolist()) == str(getattr(expected, field)), (ask, field)
    assert sb.stats(masked) == sb.stats(texts)
    assert sb.augment(masked, 2).record.tolist() == [0, 0, 2, 2, 3, 3]
    assert sb.solve(masked[1]).status is None
    # Candidates as well, and texts.
    candidates = np.ma.masked_array(sb.true_candidates(DIGITS).true_candidates)
    candidates[1] = np.ma.masked
    assert sb.solve(candidates).status.tolist() == ["unique", None, "unique", "unique"]
    masked = np.ma.masked_array(TEXTS, [False, True, False, False])
    assert sb.solve(masked).status.tolist() == ["unique", None, "unique", "unique"]
    # Rows without an answer are null in a table.
    assert sb.solve(np.ma.masked_array(DIGITS, mask)).to_arrow()["solution"].null_count == 1


def test_missing_items_of_lists():
    missing = [None, float("nan"), pd.NA, pd.NaT, np.float32("nan"), np.ma.masked]
    texts = [TEXTS[0], *missing, TEXTS[1]]
    assert sb.solve(texts).status == ["unique", *[None] * len(missing), "unique"]
    assert sb.solve([*missing, TEXTS[0]]).status == [*[None] * len(missing), "unique"]
    with pytest.raises(TypeError, match="item 1 is of type"):
        sb.solve([TEXTS[0], np.zeros(3), None])
    for dtype in (object, "str", "string", pd.ArrowDtype(pa.string())):
        assert plain(sb.solve(pd.Series([TEXTS[0], pd.NA], dtype=dtype)).status)[0] == "unique"
        assert sb.solve(pd.Series([TEXTS[0], pd.NA], dtype=dtype)).status.isna().tolist() == [False, True]


class Column(collections.abc.Sequence):
    """A column as Hugging Face's data sets have it."""

    def __init__(self, values):
        self.values = values

    def __getitem__(self, place):
        return self.values[place]

    def __len__(self):
        return len(self.values)


@pytest.mark.parametrize(
    "make",
    [
        Column,
        collections.deque,
        collections.UserList,
        pd.Index,
        lambda texts: pd.array(texts, dtype="string"),
        lambda texts: pd.array(texts, dtype="str"),
        lambda texts: pd.Categorical(texts),
        lambda texts: pd.DataFrame({"q": texts}),
        lambda texts: pl.DataFrame({"q": texts}),
        lambda texts: pa.table({"q": texts}),
        lambda texts: pa.record_batch({"q": texts}),
        lambda texts: pa.table({"q": texts}).to_reader(),
    ],
)
def test_columns_of_any_library(make):
    solved = sb.solve(make(TEXTS))
    assert plain(solved.solution) == SOLUTIONS and plain(solved.status) == ["unique"] * 4
    if isinstance(make(TEXTS), pd.api.extensions.ExtensionArray):
        assert isinstance(solved.status, pd.api.extensions.ExtensionArray)


def test_answers_to_an_index_have_it():
    frame = pd.DataFrame({"id": range(4)}, index=TEXTS)
    frame["solution"] = sb.solve(frame.index).solution
    assert frame["solution"].tolist() == SOLUTIONS


@pytest.mark.parametrize(
    ("one", "many"),
    [
        (TEXTS[0].encode(), [text.encode() for text in TEXTS]),
        (bytearray(TEXTS[0].encode()), tuple(text.encode() for text in TEXTS)),
        (np.bytes_(TEXTS[0]), np.array(TEXTS, "S81")),
        (TEXTS[0].encode(), np.array([text.encode() for text in TEXTS], object)),
        (TEXTS[0].encode(), pd.Series([text.encode() for text in TEXTS])),
    ],
)
def test_bytes(one, many):
    solution, status = sb.solve(one)
    assert (solution, status) == (SOLUTIONS[0].encode(), "unique")
    solved = sb.solve(many)
    assert plain(solved.solution) == [text.encode() for text in SOLUTIONS] and plain(solved.status) == ["unique"] * 4
    assert plain(sb.augment(many, 1).puzzle) == [text.encode() for text in sb.augment(TEXTS, 1).puzzle]
    assert sb.solve([one, None, b"\xff" * 81]).solution == [SOLUTIONS[0].encode(), None, None]


def test_lists_of_numbers():
    grid = DIGITS[0].reshape(9, 9).tolist()
    solution = GRIDS[0].reshape(9, 9).tolist()
    assert list(sb.solve(grid)) == [solution, "unique"]
    assert list(sb.solve(DIGITS[0].tolist())) == [GRIDS[0].tolist(), "unique"]
    assert list(sb.solve(tuple(map(tuple, grid)))) == [solution, "unique"]
    # Rows of arrays, None or characters for blanks.
    assert list(sb.solve(list(DIGITS[0].reshape(9, 9)))) == [solution, "unique"]
    for blank in (None, "", ".", "0", " "):
        assert list(sb.solve([[cell or blank for cell in row] for row in grid])) == [solution, "unique"], blank
    characters = [[str(cell) if cell else "." for cell in row] for row in grid]
    assert list(sb.solve(characters)) == [solution, "unique"]
    # Several grids.
    for many, expected in ((DIGITS, GRIDS), (DIGITS.reshape(-1, 9, 9), GRIDS.reshape(-1, 9, 9))):
        assert list(sb.solve(many.tolist())) == [expected.tolist(), ["unique"] * 4]
        assert list(sb.solve(list(many))) == [expected.tolist(), ["unique"] * 4]
    assert sb.rate(grid).er == sb.rate(TEXTS[0]).er
    assert sb.count(DIGITS.tolist()).count == [1] * 4
    assert len(sb.true_candidates(grid).true_candidates) == 729
    wrong = [row[:] for row in grid]
    wrong[0][0] = 12
    assert sb.solve(wrong).status == "malformed"
    assert sb.solve([["?" if cell else "a" for cell in row] for row in grid]).status == "malformed"
    with pytest.raises(ValueError, match="different lengths"):
        sb.solve([row[: 9 - i] for i, row in enumerate(grid)])
    with pytest.raises(ValueError, match="shape"):
        sb.solve(grid[:8])


def test_a_series_of_nothing():
    for series in (pl.Series([None, None]), pl.Series([], dtype=pl.Null)):
        solved = sb.solve(series)
        assert solved.solution.dtype == pl.String and solved.status.to_list() == [None] * len(series)
    assert sb.solve(pd.Series([None, None])).status.isna().all()


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (iter(TEXTS), "pass a list"),
        (set(TEXTS), "pass a list"),
        (pa.table({"a": TEXTS, "b": TEXTS}), "take the column: it has a, b"),
        (pa.table({"a": TEXTS, "b": TEXTS}).to_reader(), "take the column: it has a, b"),
        (pd.DataFrame({"a": TEXTS, "b": TEXTS}), "take the column: it has a, b"),
        (pd.Series(range(81)), "an array of numpy"),
        (pl.Series(range(81)), "an array of numpy"),
    ],
)
def test_what_is_refused_has_a_hint(wrong, hint):
    with pytest.raises(TypeError, match=re.escape(hint)):
        sb.solve(wrong)


@pytest.mark.parametrize("value", [(28, 30), [28, 30], range(28, 31), np.array([28, 30]), (np.int64(28), np.int32(30))])
def test_ranges(value):
    assert sb.puzzles(20, clues=value).puzzle == sb.puzzles(20, clues=(28, 30)).puzzle
    assert {28 <= clues <= 30 for clues in sb.puzzles(20, clues=value).clues} == {True}
    assert set(sb.puzzles(5, clues=np.int64(30)).clues) == {30}
    assert sb.puzzles(3, rating=[2.0, np.float64(2.6)]).puzzle == sb.puzzles(3, rating=(2.0, 2.6)).puzzle


@pytest.mark.parametrize("value", [(), (28, 29, 30), range(28, 31, 2), range(0), {"a": 1}, "few", "28..30", object()])
def test_ranges_that_are_none(value):
    with pytest.raises((TypeError, ValueError), match="clues is a number, or the first and the last of a range"):
        sb.puzzles(1, clues=value)
    with pytest.raises(ValueError, match="clues: a number from 0 to 81 is wanted$"):
        sb.puzzles(1, clues=(28, 100))


def test_flags():
    several = "." * 81
    for yes in (True, np.bool_(True)):
        assert sb.solve(several, unique=yes).solution is None
        assert sb.near(TEXTS[0], minimal=yes).near == sb.near(TEXTS[0], minimal=True).near
    for no in (False, np.bool_(False), None):
        assert sb.solve(several, unique=no).solution is not None
    assert sb.puzzles(3, unique=np.bool_(False), clues=20).puzzle == sb.puzzles(3, unique=False, clues=20).puzzle
    for wrong in ("yes", 2, 0.5, [True], np.array([True, False])):
        with pytest.raises(TypeError, match="unique is True or False"):
            sb.solve(several, unique=wrong)


@pytest.mark.parametrize("kind", ["list", "numpy", "numpy text", "pandas", "polars", "arrow"])
def test_types_do_not_depend_on_the_data(kind):
    """Each column has one type, whatever is null in it."""
    make = {
        "list": list,
        "numpy": lambda texts: np.array([[int(cell) if cell.isdigit() else 0 for cell in text] for text in texts]),
        "numpy text": np.array,
        "pandas": pd.Series,
        "polars": pl.Series,
        "arrow": pa.array,
    }[kind]
    type_of = lambda column: str(column.type if kind == "arrow" else getattr(column, "dtype", "list"))
    asked = {
        "rate": {"up_to": 4.4, "guesses": True, "te": True},
        "check": {"minimal": True},
        "count": {"limit": 100},
        "dedup": {},
        "canonical": {"transformation": True},
        "rank": {},
        "trace": {"up_to": 4.4},
        "minimals": {"limit": 2},
        "true_candidates": {},
        "solutions": {"limit": 2},
    }
    empty, grid = "." * 81, SOLUTIONS[0]
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    sets = [[TEXTS[0]], [empty], [hard], [grid], ["11" + "." * 79], [TEXTS[0], empty, hard, grid]]
    for name, settings in asked.items():
        answers = [getattr(sb, name)(make(texts), **settings) for texts in sets]
        for field in [*answers[0].keys(), "status"]:
            columns = [getattr(answer, field) for answer in answers]
            if columns[0] is not None:
                assert len({type_of(column) for column in columns}) == 1, (name, field)
        assert len({str(answer.to_arrow().schema) for answer in answers}) == 1, name


def test_answers_are_tuples_of_columns():
    answer = sb.solve(TEXTS)
    assert len(answer) == 2 and answer[0] == answer[-2] == answer.solution == answer["solution"]
    assert answer[1] == answer[-1] == answer.status and answer[:1] == (answer.solution,)
    assert [*answer] == [answer[place] for place in range(len(answer))] and bool(sb.solve([]))
    assert len(sb.puzzles(2)) == 3 and sb.puzzles(2)[2] == sb.puzzles(2).clues
    with pytest.raises(IndexError):
        answer[2]
    with pytest.raises(KeyError, match="there is no column 'difficulty'; one of: solution, status"):
        answer["difficulty"]
    assert dict(answer) == answer.to_dict() and pl.DataFrame(answer).columns == ["solution", "status"]


def test_docstrings_are_about_python():
    """They do not speak of the command: of its options, its lines and its numbers of records."""
    for name in sb.__all__:
        about = getattr(sb, name).__doc__ if name not in ("STATUSES", "Records") else ""
        # A program of others has options too.
        about = re.sub("``build_sudoku_dataset.py.*?``", "", about, flags=re.S)
        words = re.search(r"sudoku-batch|--\w|the command|gives? (one|no) line|standard output", about)
        assert words is None, (name, words)
    for name in ("minimals", "near", "trace_steps"):
        assert "``record``: The number of the record, from 0." in getattr(sb, name).__doc__
