"""`dedup`, `solutions`, `rank` and `stats`, and what all answers have in common."""

import random
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import data

import sudoku_batch as sb


def image(puzzle, pick):
    """A symmetric image by rules of the test's own: digits, bands, rows and a transposition."""
    digits = dict(zip("123456789", pick.sample("123456789", 9), strict=True))
    rows = [3 * band + row for band in pick.sample(range(3), 3) for row in pick.sample(range(3), 3)]
    columns = [3 * stack + c for stack in pick.sample(range(3), 3) for c in pick.sample(range(3), 3)]
    cells = [puzzle[9 * row + column] for row in rows for column in columns]
    if pick.random() < 0.5:
        cells = [cells[9 * column + row] for row in range(9) for column in range(9)]
    return "".join(digits.get(cell, cell) for cell in cells)


def test_dedup_by_cells_is_what_a_dict_finds(records):
    pick = random.Random(3)
    many = [pick.choice(records[:900]) for _ in range(3000)]
    found = sb.dedup(many, by="equality")
    seen = {}
    for row, (record, status) in enumerate(zip(many, sb.solve(many).status, strict=True)):
        # The cells, without what follows them and in one spelling of blanks.
        key = record[:81].translate(str.maketrans("0*_-?xX", "......."))
        first = row if status == "malformed" else seen.setdefault(key, row)
        assert (found.first[row], found.kept[row]) == (first, first == row)


def test_dedup_by_symmetry_finds_images_and_nothing_else():
    pick = random.Random(4)
    puzzles = data("minimal.txt")[:40]
    mixed = [(n, image(puzzle, pick)) for n, puzzle in enumerate(puzzles) for _ in range(5)]
    pick.shuffle(mixed)
    found = sb.dedup([puzzle for _, puzzle in mixed])
    first = {}
    for row, (n, _) in enumerate(mixed):
        assert found.first[row] == first.setdefault(n, row)
    assert sum(found.kept) == len(puzzles)
    # Two of the puzzles may have the same solution.
    of_solution = sb.dedup([puzzle for _, puzzle in mixed], by="solution").first
    for row, (n, _) in enumerate(mixed):
        assert of_solution[row] == of_solution[first[n]]
    assert all(sb.dedup([puzzle for _, puzzle in mixed], by="equality").kept)


def test_dedup_keeps_what_cannot_be_compared():
    found = sb.dedup(pl.Series(["x", None, "." * 81, "." * 81, "x", None]))
    assert found.first.to_list() == [0, 1, 2, 2, 4, 5]
    assert found.kept.to_list() == [True, None, True, False, True, None]
    with pytest.raises(ValueError, match="likeness"):
        sb.dedup(["x"], by="likeness")


@pytest.mark.parametrize("by", ["equality", "symmetry", "solution"])
def test_equal_records_are_the_same_with_any_number_of_solutions(by):
    puzzle = data("minimal.txt")[0]
    clue = next(cell for cell in range(81) if puzzle[cell] != ".")
    several = puzzle[:clue] + "." + puzzle[clue + 1 :]
    none = "." * 73 + "5......5"
    records = [several, none, several.replace(".", "0"), image(several, random.Random(5)), none]
    assert sb.dedup(records, by=by).first == [0, 1, 0, 3, 1]


def test_dedup_is_that_of_the_command(command, records):
    text = "".join(record + "\n" for record in records * 2)
    for by in ("equality", "symmetry", "solution"):
        kept = command("dedup", "--by", by, "--input-format", "line", "-", text=text)
        found = sb.dedup(records * 2, by=by)
        assert len(kept.splitlines()) == sum(found.kept)


def test_solutions_are_all_and_in_order(records):
    puzzles = records[:400]
    counted = sb.count(puzzles, limit=20)
    listed = sb.solutions(puzzles, limit=20)
    assert listed.more == counted.more and listed.status == counted.status
    of_record = Counter(listed.record)
    assert [of_record[n] for n in range(len(puzzles))] == [count or 0 for count in counted.count]
    assert listed.record == sorted(listed.record)
    assert max(counted.count, key=lambda n: n or 0) > 3
    pairs = list(zip(listed.record, listed.solution, strict=True))
    assert pairs == sorted(set(pairs)), "each is another one, the smallest first"
    for record, solution in pairs:
        clues = zip(puzzles[record][:81], solution, strict=True)
        assert all(clue == digit for clue, digit in clues if clue in "123456789")
        rows = [solution[9 * n : 9 * n + 9] for n in range(9)]
        columns = [solution[n::9] for n in range(9)]
        assert all(set(house) == set("123456789") for house in rows + columns)


def test_solutions_of_one_puzzle_and_without_a_limit():
    two = data("minimal.txt")[0]
    blank = next(cell for cell in range(81) if two[cell] != ".")
    several = two[:blank] + "." + two[blank + 1 :]
    number = sb.count(several).count
    record, solution = sb.solutions(several, limit=0)
    assert len(solution) == number > 1 and set(record) == {0}
    digits = np.array([int(c) for c in several.replace(".", "0")], np.uint8)
    listed = sb.solutions(digits, limit=1)
    assert listed.solution.shape == (1, 81) and listed.more is True
    assert "".join(map(str, listed.solution[0])) == solution[0]


def test_ranks_are_the_inverse_of_generate(records):
    for options in ({"seed": 5}, {"in_order": True}, {"seed": 2, "first_digit": 4}):
        grids = sb.generate(500, start=70_000, **options)
        assert sb.rank(grids, **options).index == list(range(70_000, 70_500))
    ranked = sb.rank(records)
    solved = [status == "valid" for status in ranked.status]
    full = [record[:81].isdigit() and "0" not in record[:81] for record in records]
    valid = [s == "unique" and f for s, f in zip(sb.solve(records).status, full, strict=True)]
    assert solved == valid and any(solved)
    assert all(number is None for number, is_grid in zip(ranked.index, solved, strict=True) if not is_grid)


def test_statistics_add_up(records):
    found = sb.stats(records)
    solved, rated = sb.solve(records, unique=True), sb.rate(records)
    assert found["records"] == len(records)
    assert found["statuses"] == Counter(solved.status)
    unique = [n for n, status in enumerate(solved.status) if status == "unique"]
    clues = Counter(sum(cell in "123456789" for cell in records[n][:81]) for n in unique)
    assert found["clues"] == clues
    known = Counter(rated.er[n] for n in unique)
    for rating, count in found["ratings"].items():
        if rating is not None:
            assert known[rating] == count
    assert sum(found["ratings"].values()) == len(unique)
    assert 0 < found["naked_singles_solve"] < found["singles_solve"] < len(unique)
    assert sum(found["guesses"].values()) == len(unique)
    least = sum(first * count for (first, _), count in found["guesses"].items())
    most = sum(last * count for (_, last), count in found["guesses"].items())
    assert least <= found["all_guesses"] <= most


def test_answers_stand_beside_the_records():
    """The puzzle stays, and each answer is a column with its own name."""
    puzzles = data("easy.txt")[:20]
    solutions = data("easy.solved.txt")[:20]
    frame = pl.DataFrame({"q": puzzles})
    solved, rated = sb.solve(frame["q"]), sb.rate(frame["q"])
    frame = frame.with_columns(solved.solution, solved.status, rated.er, rated.difficulty)
    assert frame.columns == ["q", "solution", "status", "er", "difficulty"]
    assert frame["q"].to_list() == puzzles and frame["solution"].to_list() == solutions
    series = pd.Series(puzzles, name="q", index=range(5, 25))
    solved = sb.solve(series)
    table = pd.concat([series, *solved], axis=1)
    assert list(table.columns) == ["q", "solution", "status"]
    assert table.index.tolist() == list(range(5, 25)) and table["q"].tolist() == puzzles
    images = sb.augment(frame["q"], 2, frame["solution"])
    assert pl.DataFrame(list(images)).columns == ["record", "puzzle", "solution"]
    made = sb.puzzles(3, blanks=40, kind="polars")
    assert pl.DataFrame(list(made)).columns == ["puzzle", "solution", "clues"]
    assert sb.generate(3, kind="pandas").name == "grid"


def test_a_repr_is_short():
    puzzles = data("minimal.txt")[:1000]
    for answers in (
        sb.solve(puzzles),
        sb.count(pa.array([*puzzles, None])),
        sb.check(np.zeros((1000, 81), np.uint8)),
        sb.rate(pl.Series(puzzles)),
        sb.solutions(["." * 81]),
        sb.augment(puzzles, 1),
        sb.puzzles(20, blanks=30),
    ):
        text = repr(answers)
        assert len(text) < 160 and "\n" not in text, text
    assert repr(sb.solve([*puzzles, "x"])) == (
        "<Solved of 1,001 records: 1,000 unique, 1 malformed; solution, status>"
    )
    assert repr(sb.count(["x"])) == "Counted(count=[None], more=[None], status=['malformed'])"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sb.solve(["x"], threads=-1), "threads is a whole number"),
        (lambda: sb.count(["x"], limit=-1), "limit is a whole number of at least 0, not -1"),
        (lambda: sb.generate(-1), "n is a whole number of at least 0, not -1"),
        (lambda: sb.generate(1, seed=-1), "seed is a whole number"),
        (lambda: sb.generate(1, seed=2**64), "of at most 18446744073709551615"),
        (lambda: sb.generate(1, first_digit=10), "first_digit is a whole number"),
        (lambda: sb.generate(1, first_digit=300), "first_digit is a whole number"),
        (lambda: sb.augment(["x"], -3), "copies is a whole number"),
        (lambda: sb.puzzles(1, blanks=-1), "blanks: a number from 0 to 81 is wanted"),
        (lambda: sb.puzzles(1, clues=(30, 99)), "clues: a number from 0 to 81 is wanted"),
        (lambda: sb.puzzles(1, clues=(30, 31, 32)), "clues is a number, or the first and the last of a range"),
        (lambda: sb.rank(["x"], first_digit=0), "first_digit is a whole number from 1 to 9, not 0"),
    ],
)
def test_wrong_numbers_are_value_errors_with_words(call, words):
    with pytest.raises(ValueError) as error:
        call()
    assert words in str(error.value)


def test_wrong_types_are_type_errors_with_words():
    with pytest.raises(TypeError, match="seed is a whole number, not '5' of type str"):
        sb.generate(1, seed="5")
    with pytest.raises(TypeError, match="n is a whole number, not 2.0 of type float"):
        sb.generate(2.0)
    assert sb.generate(np.int64(2)) == sb.generate(2)


def test_the_module_shows_what_is_for_users():
    names = [name for name in dir(sb) if not name.startswith("__")]
    assert names == sorted(sb.__all__)
    assert {"dedup", "stats", "solutions", "rank"} <= set(names)
