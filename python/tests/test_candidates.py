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
