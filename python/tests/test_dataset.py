"""`count`, `check`, `canonical`, `split` and `augment`, against oracles of the tests' own."""

import random
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import ROOT, data

import sudoku_batch as sb


def count_slowly(puzzle, limit):
    """The number of solutions up to a limit, by trying: the oracle."""
    used = [[0] * 9 for _ in range(3)]
    blanks = []

    def places(cell):
        row, column = divmod(cell, 9)
        return (used[0], row), (used[1], column), (used[2], row // 3 * 3 + column // 3)

    for cell, clue in enumerate(puzzle):
        if clue not in "123456789":
            blanks.append(cell)
            continue
        for house, number in places(cell):
            if house[number] >> int(clue) & 1:
                return 0
            house[number] |= 1 << int(clue)

    def left(cell):
        (rows, row), (columns, column), (boxes, box) = places(cell)
        return ~(rows[row] | columns[column] | boxes[box]) & 0b11_1111_1110

    def search():
        if not blanks:
            return 1
        cell = min(blanks, key=lambda cell: left(cell).bit_count())
        blanks.remove(cell)
        found = 0
        for digit in range(1, 10):
            if left(cell) >> digit & 1 and found < limit:
                for house, number in places(cell):
                    house[number] |= 1 << digit
                found += search()
                for house, number in places(cell):
                    house[number] &= ~(1 << digit)
        blanks.append(cell)
        return min(found, limit)

    return search()


@pytest.fixture(scope="module")
def several():
    """Puzzles with one and with several solutions, easy to count slowly."""
    pick = random.Random(1)
    puzzles = []
    for puzzle in data("easy.txt")[:60]:
        clues = [cell for cell in range(81) if puzzle[cell] != "."]
        gone = set(pick.sample(clues, pick.randrange(5)))
        puzzles.append("".join("." if cell in gone else puzzle[cell] for cell in range(81)))
    return puzzles


def test_counts_are_those_of_the_oracle(several):
    true = [count_slowly(puzzle, 10_000) for puzzle in several]
    assert max(true) > 3 and min(true) == 1
    for limit in (1, 2, 3, 1000, 0, 2**63):
        counted = sb.count(several, limit=limit)
        most = limit or 2**63
        assert counted.count == [min(n, most) for n in true]
        assert counted.more == [n > most for n in true]
        assert counted.status == ["unique" if n == 1 else "multiple" for n in true]


def test_counts_of_known_puzzles():
    """Those of `data/counts.txt`, which another program has counted up to 1000."""
    lines = (ROOT / "data" / "counts.txt").read_text().splitlines()
    known = [line.split(":") for line in lines if not line.startswith("#")]
    puzzles, numbers = [puzzle for puzzle, _ in known], [int(number) for _, number in known]
    assert numbers.count(1000) > 3 and len({number for number in numbers}) > 50
    assert sb.count(puzzles, limit=1000).count == numbers
    for limit in (998, 999):
        counted = sb.count(puzzles, limit=limit)
        assert counted.count == [min(number, limit) for number in numbers]
        assert counted.more == [number > limit for number in numbers]
    # Above what the first step counts.
    many = [puzzle for puzzle, number in zip(puzzles, numbers, strict=True) if number == 1000][:2]
    for limit in (1001, 1500):
        true = [count_slowly(puzzle, limit + 1) for puzzle in many]
        counted = sb.count(many, limit=limit)
        assert counted.count == [min(number, limit) for number in true]
        assert counted.more == [number > limit for number in true]


def test_counts_in_every_kind(several, records):
    expected = sb.count(records, limit=5)
    assert {*expected.status, "gave-up", "valid"} == set(sb.STATUSES)
    assert all((n is None) == (s == "malformed")
               for n, s in zip(expected.count, expected.status, strict=True))
    arrow = sb.count(pa.array(records), limit=5)
    assert arrow.count.type == pa.int64() and arrow.more.type == pa.bool_()
    assert arrow.count.to_pylist() == expected.count and arrow.more.to_pylist() == expected.more
    series = sb.count(pl.Series(records), limit=5)
    assert series.count.to_list() == expected.count and series.count.dtype == pl.Int64
    frame = sb.count(pd.Series(several), limit=5)
    assert frame.count.tolist() == sb.count(several, limit=5).count
    digits = np.array([[int(c) for c in p.replace(".", "0")] for p in several], np.uint8)
    counted = sb.count(digits, limit=5)
    assert counted.count.dtype == np.int64 and counted.more.dtype == bool
    assert counted.count.tolist() == frame.count.tolist()
    one = sb.count("." * 81, limit=7)
    assert (one.count, one.more, one.status) == (7, True, "multiple")


@pytest.mark.parametrize("call", ["count", "solutions"])
def test_ctrl_c_ends_a_count_of_one_record(call):
    program = f"""
import sudoku_batch as sb
print("begin", flush=True)
try:
    sb.{call}("." * 81, limit=0)
except KeyboardInterrupt:
    print("interrupted")
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begin\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    assert child.communicate()[0] == "interrupted\n"


def test_checks(records):
    solved = sb.solve(records, unique=True)
    any_solution = sb.solve(records).solution
    pick = random.Random(2)
    answers, expected = [], []
    for record, status, solution, other in zip(
        records, solved.status, solved.solution, any_solution, strict=True
    ):
        answer = solution or other or "5" * 81
        blanks = [c for c in range(81) if len(record) > c and record[c] not in "123456789"]
        clues = [c for c in range(81) if c not in blanks]
        wrong = changed = 0
        if solution and pick.random() < 0.5:
            for cells, many in ((blanks, 3), (clues, 2)):
                for cell in pick.sample(cells, min(len(cells), pick.randrange(many + 1))):
                    was, digit = answer[cell], pick.choice("123456789.")
                    answer = answer[:cell] + digit + answer[cell + 1 :]
                    if digit != was:
                        wrong, changed = wrong + (cell in blanks), changed + (cell in clues)
        answers.append(answer)
        if status == "unique":
            expected.append((wrong == changed == 0, wrong, changed))
        else:
            expected.append((status == "multiple", None, None))
    checked = sb.check(records, answers)
    assert checked.status == solved.status
    right, wrong, changed = zip(*expected, strict=True)
    assert checked.answer_right == list(right)
    assert checked.wrong_cells == list(wrong) and checked.changed_clues == list(changed)
    assert checked.redundant_clues == [None] * len(records)
    clues = [sum(c in "123456789" for c in r[:81]) for r in records]
    assert checked.clue_count == [
        None if status == "malformed" else n for n, status in zip(clues, checked.status, strict=True)
    ]
    # Answers of another kind, and in other chunks.
    chunks = pa.chunked_array([answers[:7], answers[7:]])
    again = sb.check(pa.array(records), chunks)
    assert again.answer_right.to_pylist() == checked.answer_right
    assert again.wrong_cells.to_pylist() == checked.wrong_cells


def test_answers_that_are_missing_have_no_cell_right():
    puzzle = data("easy.txt")[0]
    blanks = puzzle.count(".")
    for answer in (None, "", "x" * 81, "1" * 80, "é"):
        checked = sb.check([puzzle, None], [answer, None])
        assert checked.answer_right == [False, None]
        assert checked.wrong_cells == [blanks, None]
        assert checked.changed_clues == [81 - blanks, None]
    with pytest.raises(ValueError, match="2 puzzles and 1 answer:"):
        sb.check([puzzle] * 2, [None])


def test_redundant_clues_are_those_that_can_go(several):
    puzzles = several[:12] + data("minimal.txt")[:12]
    checked = sb.check(puzzles, minimal=True)
    for puzzle, status, redundant in zip(puzzles, checked.status, checked.redundant_clues, strict=True):
        if status != "unique":
            assert redundant is None
            continue
        without = [puzzle[:c] + "." + puzzle[c + 1 :] for c in range(81) if puzzle[c] != "."]
        assert redundant == sum(count_slowly(other, 2) == 1 for other in without)
    assert checked.redundant_clues[12:] == [0] * 12


def image(puzzle, pick):
    """A random symmetric image, by the definition of each operation."""
    grid = [list(puzzle[9 * row : 9 * row + 9]) for row in range(9)]
    if pick.random() < 0.5:
        grid = [list(row) for row in zip(*grid, strict=True)]

    def order():
        lines = [[3 * band + line for line in pick.sample(range(3), 3)] for band in range(3)]
        return sum(pick.sample(lines, 3), [])

    rows, columns = order(), order()
    digits = dict(zip("123456789", pick.sample("123456789", 9), strict=True))
    return "".join(digits.get(grid[r][c], ".") for r in rows for c in columns)


@pytest.fixture(scope="module")
def families():
    """Lists of five equivalent puzzles."""
    pick = random.Random(3)
    puzzles = data("minimal.txt")[:300] + data("easy.solved.txt")[:100]
    return [[puzzle, *(image(puzzle, pick) for _ in range(4))] for puzzle in puzzles]


def test_equivalent_puzzles_have_one_form(families):
    forms = sb.canonical([puzzle for family in families for puzzle in family])
    assert set(forms.status) == {"unique"} and min(forms.automorphisms) >= 1
    grouped = [set(forms.canonical[5 * i : 5 * i + 5]) for i in range(len(families))]
    assert all(len(group) == 1 for group in grouped)
    # The solved grids are images of few base grids; no two of the puzzles are equivalent.
    assert len(set.union(*grouped[:300])) == 300
    # A form is an image: as many clues, and its own form.
    for family, (form,) in zip(families, grouped, strict=True):
        assert form.count(".") == family[0].count(".")
    own = [form for group in grouped for form in group]
    assert sb.canonical(own).canonical == own
    digits = np.array([[int(c) for c in f[0].replace(".", "0")] for f in families], np.uint8)
    same = sb.canonical(digits.reshape(-1, 9, 9)).canonical.reshape(-1, 81)
    assert ["".join(map(str, row)).replace("0", ".") for row in same] == own


def test_what_has_no_form_is_null(records):
    forms = sb.canonical(pa.array(records))
    for form, number, status in zip(*(column.to_pylist() for column in forms), strict=True):
        assert (form is None) == (number is None) == (status != "unique")


def test_no_family_is_split(families):
    everyone = [puzzle for family in families for puzzle in family]
    parts = {"train": 60, "valid": 20, "test": 20}
    split = sb.split(everyone, parts, seed=4)
    for i in range(len(families)):
        assert len(set(split.part[5 * i : 5 * i + 5])) == 1
    shares = {name: split.part.count(name) / len(everyone) for name in parts}
    # 400 families: six standard deviations are 15 percent.
    assert all(abs(shares[name] - weight / 100) < 0.15 for name, weight in parts.items())
    # Alone, in other company, in another kind: the same.
    assert [sb.split(puzzle, parts, seed=4).part for puzzle in everyone[:20]] == split.part[:20]
    assert sb.split(pl.Series(everyone[::-1]), parts, seed=4).part.to_list() == split.part[::-1]
    assert sb.split(everyone, parts, seed=5).part != split.part
    by_cells = sb.split(everyone, 0.5, by="equality").part
    assert any(len(set(by_cells[5 * i : 5 * i + 5])) == 2 for i in range(len(families)))
    odd = sb.split(["." * 81, "x", None], 0.1)
    assert odd.part == ["rejected", "rejected", None]
    by_cells = sb.split(["." * 81, "x", None], {"a": 1}, by="equality")
    assert by_cells.part == ["a", "rejected", None]
    with pytest.raises(ValueError, match="rejected"):
        sb.split(everyone[:1], {"a": 1, "rejected": 1})
    for wrong in ({}, {"a": -1}, {"a": 0}, {"a": float("nan")}):
        with pytest.raises(ValueError, match="weight|parts"):
            sb.split(everyone[:1], wrong)
    with pytest.raises(ValueError, match="equality, symmetry, solution"):
        sb.split(everyone[:1], 0.5, by="size")


def test_images_are_different_and_equivalent():
    puzzles = data("minimal.txt")[:40]
    solutions = data("minimal.solved.txt")[:40]
    made = sb.augment(puzzles, 20, solutions, seed=9)
    assert made.record == [i for i in range(40) for _ in range(20)]
    forms = sb.canonical(puzzles).canonical
    assert sb.canonical(made.puzzle).canonical == [forms[i] for i in made.record]
    # Without a clue there are several solutions, and still images.
    fewer = [puzzle[:40].replace(puzzle[:40].strip(".")[0], ".", 1) + puzzle[40:] for puzzle in puzzles]
    made_of_fewer = sb.augment(fewer, 3, seed=9)
    for keyword in ({"minlex": True}, {"maxlex": True}):
        forms = sb.canonical(fewer, **keyword).canonical
        images = sb.canonical(made_of_fewer.puzzle, **keyword).canonical
        assert images == [forms[i] for i in made_of_fewer.record]
    assert sum(sb.dedup(made_of_fewer.puzzle, by="minlex").kept) == len(set(forms))
    assert sb.solve(made.puzzle, unique=True).solution == made.solution
    for i in range(40):
        assert len(set(made.puzzle[20 * i : 20 * i + 20])) == 20
    # Image j of a record depends on it alone.
    assert sb.augment(puzzles[7:8], 5, seed=9).puzzle == made.puzzle[140:145]
    assert sb.augment(puzzles[7:8], 5, seed=8).puzzle != made.puzzle[140:145]
    kept = sb.augment(puzzles, 2, seed=9, keep=True)
    assert kept.puzzle[::3] == puzzles and len(set(kept.puzzle)) == 120


def test_images_keep_their_blanks():
    puzzles, solutions = data("minimal.txt")[:4], data("minimal.solved.txt")[:4]
    all_digits = "123456789"
    marks = "".join(
        all_digits if clue == "." else "".join(d if d == clue else "." for d in all_digits)
        for clue in puzzles[0]
    )
    for texts, answers in ([puzzles, solutions], [[marks], None]):
        for keep in (False, True):
            points = sb.augment(texts, 3, answers, keep=keep)
            made = sb.augment([text.replace(".", "0") for text in texts], 3, answers, keep=keep)
            assert made.puzzle == [text.replace(".", "0") for text in points.puzzle]
            assert made.solution == points.solution


def test_a_wrong_answer_gives_no_images():
    puzzles, solutions = data("minimal.txt")[:3], data("minimal.solved.txt")[:3]
    right = sb.augment(puzzles, 4, solutions, seed=2)
    blank = puzzles[1].index(".")
    digit = solutions[1][blank]
    exchanged = solutions[1].translate(str.maketrans("12", "21"))
    for wrong in (
        solutions[2],
        solutions[1][:blank] + "." + solutions[1][blank + 1 :],
        solutions[1][:blank] + ("1" if digit != "1" else "2") + solutions[1][blank + 1 :],
        exchanged,
        solutions[1][1:],
        solutions[1] + "1",
        "unknown",
    ):
        for keep in (False, True):
            made = sb.augment(puzzles, 4, [solutions[0], wrong, solutions[2]], seed=2, keep=keep)
            rows = 5 if keep else 4
            assert made.record == [0] * rows + [2] * rows
            for puzzle, solution in zip(made.puzzle, made.solution, strict=True):
                assert sb.solve([puzzle], unique=True).solution == [solution]
        assert sb.augment([puzzles[0], puzzles[2]], 4, [solutions[0], solutions[2]], seed=2).puzzle \
            == right.puzzle[:4] + right.puzzle[8:]
        with pytest.raises(ValueError):
            sb.Images(puzzles, [solutions[0], wrong, solutions[2]], 4)
    # Without an answer there are images, and no solutions of them.
    made = sb.augment(puzzles, 2, [None, "." * 81, ""])
    assert made.record == [0, 0, 1, 1, 2, 2] and made.solution == [None] * 6
    # Numbers that are no cells are an answer that is malformed, and no missing one.
    numbers = np.array([[int(digit) for digit in solution] for solution in solutions], dtype=np.int8)
    numbers[1, 0] = 10
    assert sb.augment(puzzles, 2, numbers).record == [0, 0, 2, 2]


def test_images_of_every_kind():
    puzzles = data("minimal.txt")[:5]
    expected = sb.augment(puzzles, 3)
    assert expected.solution is None
    arrow = sb.augment(pa.array(puzzles, pa.string_view()), 3)
    assert arrow.puzzle.type == pa.string_view() and arrow.record.to_pylist() == expected.record
    assert arrow.puzzle.to_pylist() == expected.puzzle
    frame = sb.augment(pd.Series(puzzles, name="p", index=[9, 8, 7, 6, 5]), 3)
    assert frame.puzzle.tolist() == expected.puzzle and frame.puzzle.name == "puzzle"
    digits = np.array([[int(c) for c in p.replace(".", "0")] for p in puzzles], np.uint8)
    for shape in ((-1, 81), (-1, 9, 9)):
        made = sb.augment(digits.reshape(shape), 3)
        assert made.puzzle.shape == (15, *digits.reshape(shape).shape[1:])
        texts = ["".join(map(str, row)).replace("0", ".") for row in made.puzzle.reshape(-1, 81)]
        assert texts == expected.puzzle and made.record.tolist() == expected.record
    one = sb.augment(puzzles[0], 3)
    assert one.puzzle == expected.puzzle[:3] and one.record == [0, 0, 0]


def test_few_images():
    made = sb.augment(["." * 81, "x", None, "1" + "." * 80], 1000, include=["relabelling"])
    assert made.record == [0] + [3] * 9
    assert sorted(made.puzzle[1:]) == [f"{digit}{'.' * 80}" for digit in range(1, 10)]
    with pytest.raises(ValueError, match="one of: relabelling"):
        sb.augment(["." * 81], 1, include=["mirror"])
