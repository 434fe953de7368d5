"""Solve, check and make Sudoku in bulk.

>>> import sudoku_batch as sb
>>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
>>> answer = sb.solve([puzzle, puzzle[:80]])
>>> answer.solution
['496528713875143692132967854314289576729654381568731429687492135943815267251376948', None]
>>> answer.status
['unique', 'malformed']

**Records** are puzzles or solved grids. A function takes records of any of these kinds, and
gives its answers in the same kind:

* a numpy array of numbers, of the shape (n, 81) or (n, 9, 9): 1 to 9, and 0 for a blank. The
  type uint8 is not converted. A solution that there is not is all 0.
* an Arrow array or stream: pyarrow Array and ChunkedArray, polars Series, pandas Series, and
  any object with `__arrow_c_array__` or `__arrow_c_stream__`. The types are string,
  large_string, string_view, binary, large_binary, binary_view and fixed_size_binary.
* a list (or tuple) of str, where None stands for a record that is missing;
* a single str, or a numpy array of the shape (81,) or (9, 9): one record.

A record as **text** is 81 cells in reading order: digits, and any of `. 0 * _ - ? x X` for a
blank. What follows after a space, tab or any of `, ; : #` is ignored.

**Statuses** are the same as those of the command `sudoku-batch`:

==================  ====================================================
``unique``          it has exactly one solution
``multiple``        it has several
``no-solution``     no grid fits the clues
``malformed``       it is not 81 cells
``row-duplicate``   a digit stands twice in a row
``column-duplicate``  the same in a column
``box-duplicate``   the same in a box
==================  ====================================================

A record that is null has a null status. A bad record never raises an exception, and never
changes the answer to another: an answer depends on its record alone. It does not depend on
threads, batches or the machine either.

All functions release the GIL, take ``threads`` (None or 0: one for each core), and stop soon
after Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Literal, TypeAlias

from . import _engine
from ._kinds import Kind, kind_of, make_kind

__version__: str = _engine.__version__

__all__ = [
    "STATUSES",
    "Puzzles",
    "Solved",
    "generate",
    "puzzles",
    "solve",
]

#: All statuses, in the order of their codes.
STATUSES: tuple[str, ...] = tuple(_engine.STATUSES)

#: What a function that makes records returns.
Made: TypeAlias = Literal["list", "numpy", "arrow", "polars", "pandas"]

#: A number, or the first and the last of a range.
Range: TypeAlias = int | tuple[int, int]


class Solved:
    """What `solve` returns: a solution and a status for each record.

    Unpack it, or use its attributes:

    >>> solution, status = solve(["." * 81])
    >>> solution[0][:27], status
    ('123456789456789123789123456', ['multiple'])
    """

    #: The solutions, in the kind of the records. Null (in numbers: all 0) where there is none
    #: to give.
    solution: Any

    def __init__(self, kind: Kind, solution: Any, statuses: _engine.Statuses) -> None:
        self._kind, self._statuses = kind, statuses
        self.solution = solution

    @cached_property
    def status(self) -> Any:
        """The statuses, in the kind of the records."""
        return self._kind.statuses(self._statuses)

    def __iter__(self) -> Iterator[Any]:
        yield from (self.solution, self.status)

    def __repr__(self) -> str:
        return f"Solved(solution={self.solution!r}, status={self.status!r})"


def solve(puzzles: Any, *, unique: bool = False, threads: int | None = None) -> Solved:
    """Solves puzzles.

    Takes records of any kind (see the module), and returns a solution and a status for each,
    in the same kind. Of several solutions it is the lexicographically smallest one; with
    ``unique`` a puzzle with several has none. Solutions and statuses are those of
    ``sudoku-batch solve``, byte for byte.

    Errors: TypeError for an object or an Arrow type that holds no records, ValueError for an
    array of another shape. Bad records are no errors: their status tells.

    >>> import numpy as np
    >>> blank = np.zeros((2, 9, 9), np.uint8)
    >>> blank[1, 0, :2] = 7
    >>> r = solve(blank)
    >>> r.solution[0, 0], r.status
    (array([1, 2, 3, 4, 5, 6, 7, 8, 9], dtype=uint8), array(['multiple', 'row-duplicate'], dtype='<U16'))
    >>> solve("." * 81, unique=True).solution is None
    True
    """
    kind = kind_of(puzzles)
    cells, statuses = _engine.solve(kind.records, unique, threads)
    return Solved(kind, kind.cells(cells), statuses)


def generate(
    n: int,
    *,
    seed: int = 0,
    start: int = 0,
    uniform: bool = False,
    in_order: bool = False,
    first_digit: int | None = None,
    kind: Made = "list",
    threads: int | None = None,
) -> Any:
    """Makes solved grids: those with the numbers ``start`` to ``start + n - 1`` of a seed.

    They are those of ``sudoku-batch generate``. All grids of a seed are different. With
    ``uniform`` each is an independent sample instead: all grids there are are equally likely.
    ``in_order`` takes no seed, and neighbours are alike. ``first_digit`` fixes the top left
    cell. Grid i is made from the seed and i alone, so any machine makes any part.

    ``kind`` says what is returned: "list" (of str), "numpy" (uint8, shape (n, 81)), "arrow"
    (pyarrow), "polars" or "pandas".

    Errors: ValueError where there are not so many grids, and for a digit that is none.

    >>> a, b = generate(2, seed=7)
    >>> [b] == generate(1, seed=7, start=1)
    True
    >>> generate(3, kind="numpy").shape
    (3, 81)
    """
    if uniform and in_order:
        raise ValueError("uniform and in_order exclude each other")
    make = make_kind(kind)
    digits = kind == "numpy"
    return make(
        _engine.generate(n, seed, start, uniform, in_order, first_digit, digits, threads)
    )


class Puzzles:
    """What `puzzles` returns: puzzles, their solutions, and how many clues each has."""

    #: The puzzles.
    puzzle: Any
    #: The grids that they were made from.
    solution: Any
    #: The numbers of clues.
    clues: Any

    def __init__(self, puzzle: Any, solution: Any, clues: Any) -> None:
        self.puzzle, self.solution, self.clues = puzzle, solution, clues

    def __iter__(self) -> Iterator[Any]:
        yield from (self.puzzle, self.solution, self.clues)

    def __repr__(self) -> str:
        return f"Puzzles(puzzle={self.puzzle!r}, solution={self.solution!r}, clues={self.clues!r})"


def puzzles(
    n: int,
    *,
    blanks: Range | None = None,
    clues: Range | None = None,
    difficulty: Literal["easy", "medium", "hard", "expert", "extreme"] | None = None,
    guesses: int = 25,
    minimal: bool = False,
    symmetry: Literal[
        "none", "rotate180", "rotate90", "horizontal", "vertical", "diagonal"
    ] = "none",
    unique: bool = True,
    seed: int = 0,
    start: int = 0,
    grids: Literal["uniform", "sequence"] = "uniform",
    first_digit: int | None = None,
    kind: Made = "list",
    threads: int | None = None,
) -> Puzzles:
    """Makes puzzles with exactly one solution, and their solutions.

    They are those of ``sudoku-batch puzzles``. What is wanted is one of ``blanks`` or
    ``clues`` (a number, or the first and the last of a range), a ``difficulty`` ("extreme":
    the reference search needs at least ``guesses`` guesses), or ``minimal`` puzzles, which is
    the default. ``symmetry`` is one of the pattern of clues. Without ``unique`` a puzzle may
    have several solutions (for blanks and clues only).

    Puzzle i is made from the seed and i alone. Where 200 grids do not lead to what is wanted,
    the puzzle is null (in numbers: all 0), and its ``clues`` are (0).

    Errors: ValueError for what contradicts itself or cannot be.

    >>> made = puzzles(100, blanks=(45, 50), seed=3)
    >>> all(31 <= clues <= 36 for clues in made.clues)
    True
    >>> solve(made.puzzle, unique=True).solution == made.solution
    True
    """
    if grids not in ("uniform", "sequence"):
        raise ValueError(f"grids are 'uniform' or 'sequence', not {grids!r}")
    make = make_kind(kind)
    wanted = {
        "blanks": _range(blanks),
        "clues": _range(clues),
        "difficulty": difficulty,
        "guesses": guesses,
        "minimal": minimal,
        "symmetry": symmetry,
        "unique": unique,
    }
    digits = kind == "numpy"
    made = _engine.puzzles(
        n, wanted, seed, start, grids == "uniform", first_digit, digits, threads
    )
    return Puzzles(*map(make, made))


def _range(numbers: Range | None) -> tuple[int, int] | None:
    return (numbers, numbers) if isinstance(numbers, int) else numbers
