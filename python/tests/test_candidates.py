"""Records that are given by 729 candidates, as text and as numbers."""

import random

import numpy as np
import pytest

import sudoku_batch as sb

PUZZLE = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
SOLUTION = "496528713875143692132967854314289576729654381568731429687492135943815267251376948"


def candidates(puzzle):
    """A blank has all nine, a clue its own."""
    cell = lambda c: "123456789" if c == "." else "".join(d if d == c else "." for d in "123456789")
    return "".join(map(cell, puzzle))


def struck(seed):
    """The solution, and each wrong candidate by chance."""
    chance = random.Random(seed)
    keep = lambda place: str(place % 9 + 1) == SOLUTION[place // 9] or chance.random() < 0.2
    return "".join(str(place % 9 + 1) if keep(place) else "." for place in range(729))


def numbers(texts):
    return np.array([[0 if c == "." else int(c) for c in text] for text in texts], dtype=np.uint8)


def test_texts_and_cells_are_one_puzzle():
    records = [candidates(PUZZLE), PUZZLE, candidates(PUZZLE)[:728]]
    assert list(sb.solve(records)) == [[SOLUTION, SOLUTION, None], ["unique", "unique", "malformed"]]
    assert sb.count(records).count[:2] == [1, 1]
    ratings = sb.rate(records).er
    assert ratings[0] == ratings[1]


def test_numbers_are_texts():
    texts = [struck(seed) for seed in range(300)]
    of_texts, rows = sb.solve(texts), numbers(texts)
    for array in (rows, (rows > 0).astype(np.uint8), rows.astype(np.int64)):
        solved = sb.solve(array)
        assert solved.solution.shape == (300, 81)
        assert list(solved.status) == of_texts.status
        for row, solution in zip(solved.solution, of_texts.solution):
            assert "".join(map(str, row)) == solution
    assert {"unique", "multiple"} <= set(of_texts.status)
    one = sb.solve(rows[0])
    assert one.status == of_texts.status[0] and one.solution.shape == (81,)


def test_numbers_that_are_no_candidates_are_malformed():
    rows = numbers([candidates(PUZZLE)] * 3)
    rows[1, 10] = 7
    rows[2, :9] = 0
    assert list(sb.solve(rows).status) == ["unique", "malformed", "malformed"]
    with pytest.raises(ValueError, match="729"):
        sb.solve(rows[:, :728])


def mapped(text, rows, columns, digits, transposed):
    """The image of a text of candidates by a symmetry: cell (r, c) comes from (rows[r], columns[c])."""
    image = []
    for at in range(81):
        row, column = rows[at // 9], columns[at % 9]
        row, column = (column, row) if transposed else (row, column)
        cell = text[9 * (9 * row + column) :][:9]
        moved = {digits[int(c) - 1] for c in cell if c != "."}
        image.append("".join(str(d) if d in moved else "." for d in range(1, 10)))
    return "".join(image)


def lines(chance):
    """Three rows of each of three bands, in any order."""
    bands = chance.sample(range(3), 3)
    return [3 * band + line for band in bands for line in chance.sample(range(3), 3)]


def images(text, count):
    chance = random.Random(5)
    for _ in range(count):
        digits = chance.sample(range(1, 10), 9)
        yield mapped(text, lines(chance), lines(chance), digits, chance.random() < 0.5)


def unique_texts(count):
    texts = [struck(seed) for seed in range(3 * count)]
    found = [text for text, status in zip(texts, sb.solve(texts).status) if status == "unique"]
    assert len(found) >= count
    return found[:count]


def test_canonical_forms_of_candidates_are_candidates():
    for text in unique_texts(10):
        records = [text, *images(text, 5), PUZZLE, struck(1)[:9] + "x"]
        of_texts = sb.canonical(records)
        forms = of_texts.canonical
        assert len(set(forms[:6])) == 1 and len(forms[0]) == 729
        assert len(forms[6]) == 81 and forms[7] is None
        # The form is an image of the record: as many candidates, and one solution.
        assert forms[0].count(".") == text.count(".")
        assert sb.solve(forms[:1]).status == ["unique"]
        assert sb.canonical(forms[:1]).canonical == forms[:1]
        of_numbers = sb.canonical(numbers(records[:6]))
        assert of_numbers.canonical.shape == (6, 729)
        assert (of_numbers.canonical == numbers(forms[:6])).all()
        assert list(of_numbers.automorphisms) == of_texts.automorphisms[:6]
    one = sb.canonical(numbers([text])[0])
    assert one.canonical.shape == (729,)


def test_rows_without_a_form_are_zeros():
    rows = numbers([candidates("." * 81), unique_texts(1)[0]])
    forms = sb.canonical(rows)
    assert list(forms.status) == ["multiple", "unique"]
    assert not forms.canonical[0].any() and forms.canonical[1].any()
    assert sb.canonical(rows[:1]).canonical.shape == (1, 729)


def test_images_of_candidates_are_candidates():
    texts = [*unique_texts(5), PUZZLE]
    solutions = sb.solve(texts).solution
    made = sb.augment(texts, 4, solutions, seed=3, keep=True)
    assert list(made.record) == [row for row in range(6) for _ in range(5)]
    assert [len(text) for text in made.puzzle] == [729] * 25 + [81] * 5
    assert sb.solve(made.puzzle).solution == made.solution
    assert made.puzzle[::5] == texts
    forms = sb.canonical(made.puzzle).canonical
    assert all(form == forms[5 * row] for row, form in zip(made.record, forms))
    rows = sb.augment(numbers(texts[:5]), 4, seed=3, keep=True)
    assert rows.puzzle.shape == (25, 729)
    assert (rows.puzzle == numbers(made.puzzle[:25])).all()


def test_traces_of_candidates_are_those_of_the_cells():
    records = [candidates(PUZZLE), PUZZLE, *unique_texts(5)]
    traced, rated = sb.trace(records), sb.rate(records)
    assert traced.status == ["unique"] * 7
    assert traced.rating == rated.er and traced.rating[0] == 4.5
    assert traced.steps[0] == traced.steps[1] and len(traced.steps[0]) == 56
    of_numbers = sb.trace(numbers([records[0], *records[2:]]))
    assert list(of_numbers.rating) == [rated.er[0], *rated.er[2:]]
    searched = sb.trace(records[:2], search=True, proof=True, boards=True, candidates=True)
    assert searched.steps[0] == searched.steps[1]
    assert searched.steps[0][-1]["technique"] in ("contradiction", "return", "solution")
    for record, steps in zip(records, traced.steps):
        solution = sb.solve([record]).solution[0]
        placed = [step for step in steps if step["cell"]]
        cell = lambda step: 9 * int(step["cell"][1]) + int(step["cell"][3]) - 10
        assert all(solution[cell(step)] == str(step["digit"]) for step in placed)


def test_candidates_that_are_no_grid_have_no_number():
    grid = sb.generate(8)[7]
    records = [candidates(PUZZLE), grid, candidates(grid), candidates("." * 81), unique_texts(1)[0]]
    for order in (records, records[::-1]):
        ranked = sb.rank(order)
        expected = {records[1]: (7, "valid"), records[2]: (7, "valid")}
        found = list(zip(ranked.index, ranked.status))
        assert found == [expected.get(record, (None, "malformed")) for record in order]


def test_both_kinds_have_one_canonical_form():
    # Many symmetries lead from this grid to its form.
    grid = "".join(str((start + column) % 9 + 1) for start in (0, 3, 6, 1, 4, 7, 2, 5, 8) for column in range(9))
    chance = random.Random(4)
    for _ in range(5):
        puzzle = list(grid)
        for cell in chance.sample(range(81), 81):
            clue, puzzle[cell] = puzzle[cell], "."
            if sb.solve(["".join(puzzle)]).status != ["unique"]:
                puzzle[cell] = clue
        puzzle = "".join(puzzle)
        forms = sb.canonical([puzzle, candidates(puzzle)])
        assert forms.canonical[1] == candidates(forms.canonical[0])
        assert forms.automorphisms[0] == forms.automorphisms[1]


def test_every_question_answers_every_kind_among_the_others():
    twice, empty = "1........" * 2 + "123456789" * 79, "." * 9 + candidates(PUZZLE)[9:]
    records = [
        PUZZLE, candidates(PUZZLE), SOLUTION, candidates(SOLUTION), struck(1), struck(2), "." * 81,
        candidates("." * 81), twice, empty, struck(3)[:700], "12", None,
    ]  # fmt: skip
    questions = [
        sb.solve, lambda r: sb.solve(r, unique=True), lambda r: sb.count(r, limit=50), sb.check,
        lambda r: sb.check(r, minimal=True), sb.rate, sb.trace, lambda r: sb.trace(r, search=True),
        sb.canonical, sb.rank,
    ]  # fmt: skip
    for ask in questions:
        rows = lambda some: list(zip(*(column for column in ask(some) if column is not None)))
        alone = [rows([record])[0] for record in records]
        for order in (1, -1):
            assert rows(records[::order]) == alone[::order]
    for ask in (sb.dedup, lambda r: sb.split(r, {"train": 1, "test": 1}), lambda r: sb.augment(r, 2)):
        ask(records), ask(records[::-1])
