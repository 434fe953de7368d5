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

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias

from . import _engine
from ._kinds import Kind, kind_of, make_kind

__version__: str = _engine.__version__

__all__ = [
    "STATUSES",
    "Checked",
    "Counted",
    "Forms",
    "Images",
    "Parts",
    "Puzzles",
    "Ratings",
    "Solved",
    "augment",
    "canonical",
    "check",
    "count",
    "generate",
    "puzzles",
    "rate",
    "solve",
    "split",
]

#: All statuses, in the order of their codes.
STATUSES: tuple[str, ...] = tuple(_engine.STATUSES)

#: What a function that makes records returns.
Made: TypeAlias = Literal["list", "numpy", "arrow", "polars", "pandas"]

#: A number, or the first and the last of a range.
Range: TypeAlias = int | tuple[int, int]


class _Answers:
    """Answers to records: an attribute for each column, which is made when it is asked for.

    They can be unpacked, in the order of `_fields`.
    """

    _fields: tuple[str, ...]

    def __init__(self, kind: Kind, statuses: _engine.Statuses) -> None:
        self._kind, self._statuses = kind, statuses

    @cached_property
    def status(self) -> Any:
        """The statuses, in the kind of the records."""
        return self._kind.statuses(self._statuses)

    def __iter__(self) -> Iterator[Any]:
        return (getattr(self, field) for field in self._fields)

    def __repr__(self) -> str:
        fields = (f"{field}={getattr(self, field)!r}" for field in self._fields)
        return f"{type(self).__name__}({', '.join(fields)})"


class Solved(_Answers):
    """What `solve` returns: a solution and a status for each record.

    Unpack it, or use its attributes:

    >>> solution, status = solve(["." * 81])
    >>> solution[0][:27], status
    ('123456789456789123789123456', ['multiple'])
    """

    _fields = ("solution", "status")

    def __init__(self, kind: Kind, cells: Any, statuses: _engine.Statuses) -> None:
        super().__init__(kind, statuses)
        #: The solutions, in the kind of the records. Null (in numbers: all 0) where there is
        #: none to give.
        self.solution: Any = kind.cells(cells)


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
    return Solved(kind, cells, statuses)


class Counted(_Answers):
    """What `count` returns: a number of solutions for each record."""

    _fields = ("count", "more", "status")

    def __init__(self, kind: Kind, answers: tuple[_engine.Column, ...], statuses: _engine.Statuses) -> None:
        super().__init__(kind, statuses)
        count, more = answers
        #: The numbers of solutions, at most the limit. Null (in numbers: 0) for malformed records.
        self.count: Any = kind.values(count)
        #: Whether there are more solutions than the limit.
        self.more: Any = kind.values(more)


def count(puzzles: Any, *, limit: int = 1_000_000, threads: int | None = None) -> Counted:
    """Counts the solutions of puzzles, up to a limit; a limit of 0 is none.

    Takes records of any kind (see the module). The numbers are those of ``sudoku-batch count``,
    and ``more`` is true where that writes a ``+``. A sparse puzzle may have more solutions than
    anyone can count: the empty grid has 6.67 * 10^21. Ctrl-C ends a count.

    Errors: as `solve`.

    >>> puzzle = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
    >>> count([puzzle, "." * 81, "x"], limit=100)
    Counted(count=[2, 100, None], more=[False, True, None], status=['multiple', 'multiple', 'malformed'])
    """
    kind = kind_of(puzzles)
    *answers, statuses = _engine.count(kind.records, limit, threads)
    return Counted(kind, tuple(answers), statuses)


class Checked(_Answers):
    """What `check` returns, for each record."""

    _fields = (
        "status",
        "clue_count",
        "redundant_clues",
        "answer_right",
        "wrong_cells",
        "changed_clues",
    )

    def __init__(self, kind: Kind, answers: tuple[_engine.Column, ...], statuses: _engine.Statuses) -> None:
        super().__init__(kind, statuses)
        clues, redundant, right, wrong, changed = answers
        #: The number of clues.
        self.clue_count: Any = kind.values(clues)
        #: How many clues can each be left out; 0 for a minimal puzzle. Null unless it was asked
        #: for, and for records without exactly one solution.
        self.redundant_clues: Any = kind.values(redundant)
        #: Whether the answer is the solution, or one of several. Null without answers.
        self.answer_right: Any = kind.values(right)
        #: Blank cells of the puzzle that the answer does not have right. Null without answers,
        #: and for records without exactly one solution.
        self.wrong_cells: Any = kind.values(wrong)
        #: Clues that the answer does not have. Null in the same cases.
        self.changed_clues: Any = kind.values(changed)


def check(
    puzzles: Any, answers: Any = None, *, minimal: bool = False, threads: int | None = None
) -> Checked:
    """Checks puzzles, and perhaps answers to them.

    Takes records of any kind (see the module); answers may be of another kind. Answer i belongs
    to puzzle i. An answer that is missing or malformed has no cell right. With ``minimal`` it
    counts the clues of each puzzle that can be left out. The columns are those of ``sudoku-batch
    check``, and have its names.

    Errors: as `solve`, and ValueError where there are more puzzles than answers, or fewer.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> solution = solve(puzzle).solution
    >>> checked = check([puzzle, puzzle], [solution, solution[:80] + "."], minimal=True)
    >>> checked.answer_right, checked.wrong_cells, checked.changed_clues
    ([True, False], [0, 0], [0, 1])
    >>> checked.clue_count, checked.redundant_clues
    ([25, 25], [0, 0])
    """
    kind = kind_of(puzzles)
    given = None if answers is None else kind_of(answers).records
    statuses, *columns = _engine.check(kind.records, given, minimal, threads)
    return Checked(kind, tuple(columns), statuses)


class Forms(_Answers):
    """What `canonical` returns, for each record."""

    _fields = ("canonical", "automorphisms", "status")

    def __init__(
        self,
        kind: Kind,
        cells: Any,
        automorphisms: _engine.Column,
        statuses: _engine.Statuses,
    ) -> None:
        super().__init__(kind, statuses)
        #: The canonical forms. Null (in numbers: all 0) for records without exactly one solution.
        self.canonical: Any = kind.cells(cells)
        #: How many symmetries map the record to itself, the identity among them.
        self.automorphisms: Any = kind.values(automorphisms)


def canonical(records: Any, *, threads: int | None = None) -> Forms:
    """Puts puzzles with one solution, and solved grids, into canonical form.

    Two records have the same form exactly if a symmetry turns one into the other: renamed
    digits, reordered rows, columns, bands and stacks, transposition. The forms are those of
    ``sudoku-batch canonical``. They are not `minlex`, the smallest image of a puzzle's own cells.

    Errors: as `solve`.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> upside_down = puzzle[::-1]
    >>> a, b = canonical([puzzle, upside_down]).canonical
    >>> a == b
    True
    """
    kind = kind_of(records)
    return Forms(kind, *_engine.canonical(kind.records, threads))


class Parts(_Answers):
    """What `split` returns: the part of each record."""

    _fields = ("part", "status")

    def __init__(self, kind: Kind, part: _engine.Column, statuses: _engine.Statuses) -> None:
        super().__init__(kind, statuses)
        #: The names of the parts. A record that cannot be compared is "rejected": one without exactly
        #: one solution, and by equality a malformed one only.
        self.part: Any = kind.values(part)


def split(
    puzzles: Any,
    parts: Mapping[str, float] | float,
    *,
    seed: int = 0,
    by: Literal["equality", "symmetry", "solution"] = "symmetry",
    threads: int | None = None,
) -> Parts:
    """Divides puzzles into parts, such as training and test set, with nothing equivalent in two.

    ``parts`` has a weight for each name; a number is the share of "test", and the rest is
    "train". A part is chosen by a hash of the canonical form (``by`` "symmetry"), of that of the
    solution, or of the cells ("equality"), and of nothing else: the same for later additions.
    The parts are those of ``sudoku-batch split``.

    Errors: as `solve`, and ValueError for weights that are none.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> images = augment([puzzle], 5).puzzle
    >>> len(set(split(images, {"train": 80, "valid": 10, "test": 10}).part))
    1
    """
    weights = parts if isinstance(parts, Mapping) else {"train": 1.0 - parts, "test": parts}
    kind = kind_of(puzzles)
    names, shares = list(weights), list(weights.values())
    return Parts(kind, *_engine.split(kind.records, names, shares, seed, by, threads))


class Ratings(_Answers):
    """What `rate` returns, for each record."""

    _fields = ("er", "ep", "ed", "beyond", "technique", "guesses", "grade", "status")

    def __init__(self, kind: Kind, answers: tuple[_engine.Column, ...], statuses: _engine.Statuses) -> None:
        super().__init__(kind, statuses)
        er, ep, ed, beyond, technique, guesses, grade = answers
        #: The rating of the hardest step, when the easiest step is always taken first. Null (in
        #: numbers: NaN) where it is over the bound, and for records without exactly one solution.
        self.er: Any = kind.values(er)
        #: The rating of the hardest step up to the first that places a digit.
        self.ep: Any = kind.values(ep)
        #: The rating of the first step.
        self.ed: Any = kind.values(ed)
        #: The bound (``up_to``) where er, ep or ed is null for it.
        self.beyond: Any = kind.values(beyond)
        #: The technique of the hardest step.
        self.technique: Any = kind.values(technique)
        #: How many guesses the reference search needs. Null (in numbers: 0) unless they were asked
        #: for, and for records with an ER.
        self.guesses: Any = kind.values(guesses)
        #: A word for the ER: gentle, moderate, tricky, tough, fierce or diabolical.
        self.grade: Any = kind.values(grade)


def rate(
    puzzles: Any,
    *,
    up_to: float | None = None,
    max_work: int | None = None,
    guesses: bool = False,
    threads: int | None = None,
) -> Ratings:
    """Rates puzzles by the techniques that a person needs.

    Takes records of any kind (see the module). The ratings are the numbers ER, EP and ED of
    Sudoku Explainer 1.2.1, and those of ``sudoku-batch rate``. They are exact over the whole scale.
    With ``up_to``, no harder step is taken: 4.4 saves the time that chains take. With ``max_work``,
    a puzzle is given up when the searches for its chains have noted that number of nodes; its
    status is ``gave-up``.

    With ``guesses``, each puzzle without an ER also has the number of guesses of the reference
    search. A puzzle takes that search up to a second, mostly far less. Above 1,000,000 guesses
    the number is null.

    Errors: as `solve`.

    >>> easy = "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1."
    >>> hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    >>> rate([easy]).technique
    ['pointing']
    >>> ratings = rate([easy, hard, "." * 81], up_to=4.4, guesses=True)
    >>> ratings.er, ratings.beyond, ratings.grade
    ([2.6, None, None], [None, 4.4, None], ['tricky', 'diabolical', None])
    >>> ratings.guesses, ratings.status
    ([None, 320, None], ['unique', 'unique', 'multiple'])
    """
    kind = kind_of(puzzles)
    answers, statuses = _engine.rate(kind.records, guesses, up_to, max_work, threads)
    return Ratings(kind, answers, statuses)


class Images:
    """What `augment` returns: images, with the number of the record of each."""

    #: The number of the record, from 0.
    record: Any
    #: The images.
    puzzle: Any
    #: The images of the solutions by the same operations; None without solutions.
    solution: Any

    def __init__(self, record: Any, puzzle: Any, solution: Any) -> None:
        self.record, self.puzzle, self.solution = record, puzzle, solution

    def __iter__(self) -> Iterator[Any]:
        yield from (self.record, self.puzzle, self.solution)

    def __repr__(self) -> str:
        return (
            f"Images(record={self.record!r}, puzzle={self.puzzle!r}, solution={self.solution!r})"
        )


def augment(
    puzzles: Any,
    copies: int,
    solutions: Any = None,
    *,
    seed: int = 0,
    include: Sequence[str] = ("relabelling", "transposition", "bands", "lines"),
    keep: bool = False,
    threads: int | None = None,
) -> Images:
    """Makes different symmetric images of each puzzle, for training sets.

    Takes records of any kind (see the module); solutions go through the same operations. The
    images of a puzzle depend on the seed and its cells alone, and are those of ``sudoku-batch
    augment``. A puzzle with fewer different images gives all it has. With ``keep`` it comes
    first itself. A malformed or missing record has no images.

    Errors: as `solve`, and ValueError for an operation that is not known.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> made = augment([puzzle, "x", "." * 81], 3, solve([puzzle, "x", "x"]).solution)
    >>> made.record
    [0, 0, 0, 2]
    >>> solve(made.puzzle[:3]).solution == made.solution[:3]
    True
    """
    kind = kind_of(puzzles)
    given = None if solutions is None else kind_of(solutions)
    numbers, images, images_of_solutions = _engine.augment(
        kind.records,
        given and given.records,
        copies,
        seed,
        list(include),
        keep,
        threads,
    )
    return Images(
        kind.other_values(numbers),
        kind.other_cells(images),
        given and given.other_cells(images_of_solutions),
    )


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
    rating: float | tuple[float, float] | None = None,
    needs: str | None = None,
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
    the reference search needs at least ``guesses`` guesses), a ``rating`` (the ER of `rate`, or
    the first and the last of a range), the technique that the hardest step
    ``needs`` (alone or with a rating), or ``minimal`` puzzles, which is the default. ``symmetry`` is one of the pattern of clues. Without ``unique`` a puzzle may
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
        "rating": (rating, rating) if isinstance(rating, (int, float)) else rating,
        "needs": needs,
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
