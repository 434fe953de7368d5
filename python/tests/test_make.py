"""`generate` and `puzzles`: what they make is what the command makes."""

import itertools
import subprocess

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import CASES

import sudoku_batch as sb


@pytest.mark.parametrize(
    ("named", "options"),
    [
        ({}, []),
        ({"seed": 7}, ["--seed", 7]),
        ({"seed": 2**64 - 1, "start": 123_456_789}, ["--seed", 2**64 - 1, "--start", 123_456_789]),
        ({"in_order": True, "start": 362_000}, ["--in-order", "--start", 362_000]),
        ({"first_digit": 4}, ["--first-digit", 4]),
        ({"uniform": True, "seed": 3}, ["--uniform", "--seed", 3]),
        ({"uniform": True, "first_digit": 9}, ["--uniform", "--first-digit", 9]),
    ],
    ids=str,
)
def test_grids_are_those_of_the_command(command, named, options):
    expected = command("generate", 5000, *options).split()
    for threads in (1, 2, 3):
        assert sb.generate(5000, threads=threads, **named) == expected
    digits = sb.generate(5000, kind="numpy", **named)
    assert digits.dtype == np.uint8 and digits.flags.writeable
    assert ["".join(map(str, row)) for row in digits] == expected


@pytest.mark.parametrize(
    ("named", "options"),
    [
        ({}, []),
        ({"minimal": True, "seed": 3, "start": 90}, ["--minimal", "--seed", 3, "--start", 90]),
        ({"blanks": (45, 50)}, ["--blanks", "45..50"]),
        ({"clues": 30, "symmetry": "rotate180"}, ["--clues", 30, "--symmetry", "rotate180"]),
        ({"clues": (20, 22), "minimal": True}, ["--minimal", "--clues", "20..22"]),
        ({"difficulty": "medium"}, ["--difficulty", "medium"]),
        ({"minimal": True, "guesses": (3, None)}, ["--minimal", "--guesses", "3.."]),
        (
            {"blanks": (36, 38), "solved_by": "naked-singles"},
            ["--blanks", "36..38", "--solved-by", "naked-singles"],
        ),
        (
            {"difficulty": "hard", "rating": (2.6, 3.0), "symmetry": "rotate180"},
            ["--difficulty", "hard", "--rating", "2.6..3.0", "--symmetry", "rotate180"],
        ),
        ({"rating": (2.0, 2.8)}, ["--rating", "2.0..2.8"]),
        ({"rating": 2.6}, ["--rating", "2.6"]),
        ({"hardest": "X-wing"}, ["--hardest", "X-wing"]),
        ({"contains": "X-wing"}, ["--contains", "X-wing"]),
        ({"first_hard": "pointing, claiming"}, ["--first-hard", "pointing,claiming"]),
        ({"only": "singles, pointing", "steps": (1, 2)}, ["--only", "singles,pointing", "--steps", "1..2"]),
        ({"hardest": "XY-chain", "clues": 26}, ["--hardest", "XY-chain", "--clues", 26]),
        ({"clues": 12, "unique": False}, ["--clues", 12, "--not-unique"]),
        ({"sequence": True, "first_digit": 2}, ["--sequence", "--first-digit", 2]),
        ({"sequence": True, "in_order": True}, ["--sequence", "--in-order"]),
    ],
    ids=str,
)
def test_puzzles_are_those_of_the_command(command, named, options):
    # A hundred of a kind: of some, a thousand are tried for each that is found.
    n = 100 * CASES
    lines = command("puzzles", n, *options, "--keep-place", "--format", "line").split()
    made = sb.puzzles(n, **named)
    assert [puzzle or "." * 81 for puzzle in made.puzzle] == lines
    table = [line.split(",") for line in command(
        "puzzles", n, *options, "--format", "csv").splitlines()]
    place = table[0].index("solution")
    solutions = {row[table[0].index("puzzle")]: row[place] for row in table[1:]}
    for puzzle, solution, clues in zip(made.puzzle, made.solution, made.clues, strict=True):
        if puzzle is None:
            assert solution is clues is None
        else:
            assert solution == solutions[puzzle] and clues == 81 - puzzle.count(".")
    assert list(sb.puzzles(n, threads=2, **named)) == list(made)


@pytest.mark.skipif(CASES < 10, reason="each family of hard puzzles takes a minute")
def test_families_do_not_depend_on_threads():
    # Numbers 5 to 7 are of one family, and 8 to 10 of the next.
    made = [sb.puzzles(6, rating=(9.5, None), start=5, threads=threads) for threads in (1, 2, 5)]
    assert all(made[0].puzzle)
    assert list(made[0]) == list(made[1]) == list(made[2])


WISHES = [
    ({"blanks": 51}, ["--blanks", 51]),
    ({"clues": 30}, ["--clues", 30]),
    ({"minimal": True}, ["--minimal"]),
    ({"difficulty": "hard"}, ["--difficulty", "hard"]),
    ({"rating": (2.0, 2.8)}, ["--rating", "2.0..2.8"]),
    ({"hardest": "claiming"}, ["--hardest", "claiming"]),
    ({"guesses": (1, None)}, ["--guesses", "1.."]),
    ({"solved_by": "naked-singles"}, ["--solved-by", "naked-singles"]),
    ({"symmetry": "rotate180"}, ["--symmetry", "rotate180"]),
    ({"clues_per_box": (1, 5)}, ["--clues-per-box", "1..5"]),
    ({"missing_digit": 5}, ["--missing-digit", 5]),
    ({"unique": False}, ["--not-unique"]),
]


@pytest.mark.parametrize(("first", "second"), itertools.combinations(WISHES, 2), ids=str)
def test_two_wishes_are_those_of_the_command(command, first, second):
    """The tests of the command check that its puzzles obey both, or that it refuses both."""
    options = [*first[1], *second[1], "--keep-place", "--format", "line"]
    line = [command.path, "puzzles", "-q", "6", "--seed", "3", *map(str, options)]
    done = subprocess.run(line, capture_output=True, text=True)
    named = first[0] | second[0]
    if done.returncode == 2:
        with pytest.raises(ValueError):
            sb.puzzles(6, seed=3, **named)
    else:
        made = sb.puzzles(6, seed=3, **named).puzzle
        assert [puzzle or "." * 81 for puzzle in made] == done.stdout.split()


def test_what_cannot_be_made_is_null():
    made = sb.puzzles(3, minimal=True, clues=17, threads=1)
    assert list(made) == [[None] * 3] * 3
    made = sb.puzzles(2, minimal=True, clues=17, kind="numpy")
    assert (made.puzzle == 0).all() and (made.solution == 0).all() and (made.clues == 0).all()


def test_ratings_are_those_of_rate():
    made = sb.puzzles(40, clues=30, ratings=True)
    rated = sb.rate(made.puzzle, up_to=4.4)
    assert made.keys() == ("puzzle", "solution", "clues", "er", "technique")
    assert (made.er, made.technique) == (rated.er, rated.technique)
    assert sb.puzzles(1).er is None and sb.puzzles(1).keys() == ("puzzle", "solution", "clues")


def test_kinds():
    texts, numbers = sb.generate(10), sb.generate(10, kind="numpy")
    arrow, series = sb.generate(10, kind="arrow"), sb.generate(10, kind="polars")
    frame = sb.generate(10, kind="pandas")
    assert isinstance(arrow, pa.Array) and isinstance(series, pl.Series)
    assert isinstance(frame, pd.Series) and frame.dtype == "str"
    assert texts == arrow.to_pylist() == series.to_list() == frame.tolist()
    assert texts == ["".join(map(str, row)) for row in numbers]
    made = sb.puzzles(10, kind="polars")
    assert made.clues.dtype == pl.Int32 and made.puzzle.dtype == pl.String
    assert sb.puzzles(10, kind="numpy").clues.tolist() == made.clues.to_list()
    assert sb.puzzles(10, kind="pandas").clues.tolist() == made.clues.to_list()
    assert sb.generate(0) == [] and sb.generate(0, kind="numpy").shape == (0, 81)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sb.generate(1, first_digit=0), "1 to 9"),
        (lambda: sb.generate(1, kind="tuple"), "no kind is called 'tuple'"),
        (lambda: sb.generate(2, start=2**64 - 2, uniform=True), "there are 18446744073709551615, and 2 from"),
        (lambda: sb.generate(1, start=312_063_515_688_960), "there are 312063515688960"),
        (lambda: sb.generate(1, uniform=True, in_order=True), "uniform: it cannot be used with in-order"),
        (lambda: sb.puzzles(1, blanks=40, clues=30), "blanks cannot be used with clues"),
        (lambda: sb.puzzles(1, blanks=82), "blanks: a number from 0 to 81 is wanted"),
        (lambda: sb.puzzles(1, blanks=(50, 40)), "50 is over 40"),
        (lambda: sb.puzzles(1, clues=16), "17"),
        (lambda: sb.puzzles(1, rating=12.5), "rating: a rating is wanted, like 2.6"),
        (lambda: sb.puzzles(1, rating=2.65), "a rating is wanted"),
        (lambda: sb.puzzles(1, solved_by="naked-singles"), "clues or blanks only"),
        (lambda: sb.puzzles(1, difficulty="nasty"), "one of: easy"),
        (lambda: sb.puzzles(1, symmetry="round"), "one of: none"),
        (lambda: sb.puzzles(1, in_order=True), "in_order: it has no effect without sequence"),
        (lambda: sb.puzzles(1, unique=False), "several solutions"),
        (lambda: sb.puzzles(1, difficulty="easy", rating=2.0), "no ER in common"),
    ],
)
def test_wrong_wishes_are_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()
