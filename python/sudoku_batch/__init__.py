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

* a numpy array of numbers, of the shape (n, 81) or (n, 9, 9): 1 to 9, and 0 for a blank. A solution that there is not is
  all 0. An array of the shape (n, 729) or (729,) has nine numbers for each cell: 0 where a digit is no candidate of the
  cell, and the digit, or 1, where it is one. Solutions have 81 cells.
  The types uint8 to uint64, int8 to int64, float32 and float64 are read where they are. An array of bool has the
  shape (n, 729) or (729,), with True for each candidate; its solutions are uint8.
* a masked array of numpy: a masked cell is a blank (or no candidate), and a row without any other cell is a record that is
  missing. In the answers is masked what is null, and each row of cells that there is not.
* a tensor of torch, of the same shapes and types. Answers that are numbers are tensors, and texts arrays of numpy. Any
  other object with `__array__` is taken as the array of numpy that it becomes.
* an Arrow array or stream: pyarrow Array and ChunkedArray, polars Series, pandas Series, and
  any object with `__arrow_c_array__` or `__arrow_c_stream__`. The types are string,
  large_string, string_view, binary, large_binary, binary_view and fixed_size_binary, and
  dictionaries of these, whose answers are no dictionaries. An Index of pandas becomes the index of its answers, and an array
  of pandas gives arrays. A table, or a reader of batches, of one column is that column.
* a list of str, or any other Sequence, where None, NaN or the NA of pandas stands for a record that is missing;
* lists of numbers: nine lists of nine or a list of 81 for one record, or a list of such. For a blank stands 0, None or a
  character. Answers are lists of the same shape; in them a solution that there is not is all 0.
* a single str, or a numpy array of the shape (81,) or (9, 9): one record;
* bytes in the place of a str, alone, in a list, an array of numpy or a Series. Then puzzles and solutions are bytes too.

The type of a column depends on the kind of the records alone, and not on what is in it: texts of numpy are objects, and
numbers of pandas have the types Int32, Int64 and boolean, because they may be null.

A record as **text** is 81 cells in reading order: digits, and any of `. 0 * _ - ? x X` for a
blank; or 729 characters, nine for each cell: a digit in its place where it is a candidate, and `.` or
`0` where not. What follows after a space, tab or any of `, ; : #` is ignored. Solutions have 81 cells.
The puzzles that `canonical` and `augment` return have 729 characters or numbers where the record has
them; a column of Arrow text with such is a large_string. Those of `true_candidates` always have.

Answers are those of the command `sudoku-batch`, byte for byte. Records have numbers from 0, and there from 1.

**Statuses** of records:

==================  ====================================================
``unique``          it has exactly one solution
``multiple``        it has several
``no-solution``     no grid fits the clues
``malformed``       it is not 81 cells
``row-duplicate``   a digit stands twice in a row
``column-duplicate``  the same in a column
``box-duplicate``   the same in a box
``valid``           it is a valid grid (only from `rank`)
``gave-up``         a bound of the work was met before an answer
==================  ====================================================

A record that is null has a null status. A bad record never raises an exception, and never
changes the answer to another: an answer depends on its record alone, and that of `dedup` on the records before too. It
does not depend on threads, batches or the machine either.

An answer is a tuple of columns with names: ``solution, status = answer``, ``answer.solution``, ``answer["solution"]``
and ``answer[0]`` are columns, and ``len(answer)`` is their number. Rows are those of the columns.
Answers can be pickled and copied, without the records that they belong to. `Records` is the type of all of these
kinds, for programs that are checked by mypy or pyright. `parse` makes records of a text in any format.

All functions release the GIL, so that other threads go on, and stop soon after Ctrl-C. Those that answer, read or make
records take ``threads`` (None or 0: one for each core).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from . import _engine, _questions
from ._answers import STATUSES, Range, Rows, texts_of, types_of
from ._kinds import Records, make_kind, thread_count, whole
from ._prompts import Prompts, blanks_reward, solved_reward
from ._questions import *
from ._training import Images, hrm

__version__: str = _engine.__version__

__all__ = [
    "STATUSES",
    "Images",
    "Prompts",
    "Puzzles",
    "Records",
    "blanks_reward",
    "generate",
    "hrm",
    "parse",
    "puzzles",
    "solved_reward",
]
__all__ += _questions.__all__


def __dir__() -> list[str]:
    """What is for users, without the names that this module itself uses."""
    return sorted([*__all__, "__all__", "__doc__", "__name__", "__version__"])


#: The kind that a function that makes records returns.
Made: TypeAlias = Literal["list", "numpy", "arrow", "polars", "pandas"]

def parse(
    text: str,
    *,
    input_format: str | None = None,
    puzzle_column: str | None = None,
    threads: int | None = None,
) -> list[str]:
    """Reads the puzzles of a text in any format: lines, blocks, drawn grids, tables, JSON lines, words like addresses.

    Returns each puzzle as 81 characters, or as 729 where it has candidates, with its blanks as they stand there. The
    format and the column of a table are found, or are given by their names.

    Errors: ValueError for a record that is malformed, with its line and column, for a table without puzzles, and for a
    format or a column that there is not.

    >>> drawn = '''
    ... 4 . . | 5 2 . | 7 . 3
    ... . . . | . . 3 | . . .
    ... 1 . . | . . 7 | . . .
    ... ------+-------+------
    ... . 1 4 | . . . | . . 6
    ... 7 . . | . 5 . | . . 1
    ... 5 . . | . . . | 4 2 .
    ... ------+-------+------
    ... . . . | 4 . . | . . 5
    ... . . . | 8 . . | . . .
    ... 2 . 1 | . 7 6 | . . 8
    ... '''
    >>> solve(parse(drawn)).status
    ['unique']
    >>> parse("." * 81 + "\\n" + "." * 80)
    Traceback (most recent call last):
    ...
    ValueError: line 2, column 81: end of line where a cell should be
    """
    if not isinstance(text, str):
        raise TypeError(f"the text is a str, not {type(text).__name__}")
    return _engine.parse(text, input_format, puzzle_column, thread_count(threads))


def generate(
    n: int,
    *,
    start: int = 0,
    # keywords generate
    uniform: bool = False,
    seed: int | None = 0,
    in_order: bool = False,
    first_digit: int | None = None,
    # end
    kind: Made = "list",
    threads: int | None = None,
) -> Any:
    """Makes solved grids: those with the numbers ``start`` to ``start + n - 1`` of a seed.

    All grids of a seed are different. With
    ``uniform`` each is an independent sample instead: all grids there are are equally likely.
    ``in_order`` takes no seed, and neighbours are alike. ``first_digit`` fixes the top left
    cell. Grid i is made from the seed and i alone, so any machine makes any part.

    ``kind`` says what is returned: "list" (of str), "numpy" (uint8, shape (n, 81)), "arrow"
    (pyarrow), "polars" or "pandas".

    Keywords:

    * ``uniform``: Make uniform samples of all grids, in place of the sequence of distinct ones.
    * ``seed``: Seed of random choices.
    * ``in_order``: Number the grids in plain order, in which neighbours look alike.
    * ``first_digit``: Only grids with this digit in the top left cell.

    Errors: ValueError where there are not so many grids, and for a digit that is none.

    >>> a, b = generate(2, seed=7)
    >>> [b] == generate(1, seed=7, start=1)
    True
    >>> generate(3, kind="numpy").shape
    (3, 81)
    """
    settings: dict[str, Any] = {
        # settings generate
        "uniform": uniform,
        "seed": seed,
        "in_order": in_order,
        "first_digit": first_digit,
        # end
    }
    return _made("generate", ("grid",), n, start, kind, threads, **settings)["grid"]


def _made(
    name: str, fields: Sequence[str], n: int, start: int, kind: str, threads: int | None, **settings: Any
) -> dict[str, Any]:
    """Makes records of a set: some columns, as objects of a kind."""
    make, numbers = make_kind(kind), (whole("start", start), whole("n", n))
    made = _engine.make(name, texts_of(name, settings), list(fields), numbers, kind == "numpy", thread_count(threads))
    types = types_of({name: column for name, _, column in made})
    return {name: make(name, column) for name, _, column in made} | {"_types": types}


class Puzzles(Rows):
    """What `puzzles` returns: puzzles, their solutions, and how many clues each has."""

    _fields: tuple[str, ...] = ("puzzle", "solution", "clues")

    #: The puzzles.
    puzzle: Any
    #: The grids that they were made from.
    solution: Any
    #: The numbers of clues.
    clues: Any
    #: The rating of the hardest step, with ``ratings``. Null (in numbers: NaN) where it is not known.
    er: Any = None
    #: The technique of the hardest step, with ``ratings``.
    technique: Any = None
    #: The number of minimal puzzles that the puzzle stands for, with ``unbiased``.
    weight: Any = None
    #: The first step of the techniques that ``contains`` asks for.
    contains: Any = None
    #: The technique of the first step above 2.3, with ``first_hard``.
    first_hard: Any = None
    #: The number of steps above 2.3, with ``steps``.
    steps: Any = None

    def __init__(self, columns: Mapping[str, Any]) -> None:
        super().__init__(columns)
        self._fields = tuple(name for name in columns if name != "_types")


def puzzles(
    n: int,
    *,
    start: int = 0,
    # keywords puzzles
    blanks: Range | None = None,
    clues: Range | None = None,
    difficulty: Literal["easy", "medium", "hard", "expert", "extreme"] | None = None,
    rating: float | Sequence[float | None] | None = None,
    solved_by: Literal["naked-singles"] | None = None,
    te: Range | None = None,
    hardest: str | Sequence[str] | None = None,
    contains: str | Sequence[str] | None = None,
    first_hard: str | Sequence[str] | None = None,
    only: str | Sequence[str] | None = None,
    steps: Range | None = None,
    relatives: int | None = 0,
    guesses: Range | None = None,
    minimal: bool = False,
    symmetry: Literal["none", "rotate180", "rotate90", "horizontal", "vertical", "diagonal"] = "none",
    clues_per_row: Range | None = None,
    clues_per_column: Range | None = None,
    clues_per_box: Range | None = None,
    clues_per_digit: Range | None = None,
    missing_digit: int | None = None,
    pattern: str | None = None,
    unbiased: bool = False,
    unique: bool = True,
    sequence: bool = False,
    ratings: bool = False,
    seed: int | None = 0,
    in_order: bool = False,
    first_digit: int | None = None,
    # end
    kind: Made = "list",
    threads: int | None = None,
) -> Puzzles:
    """Makes puzzles with exactly one solution, and their solutions.

    Without options they are ``minimal``. These go
    together freely: ``blanks`` or ``clues`` (a number, the first and the last of a range with None for
    an open end, or ``range(28, 31)``), a ``difficulty`` (that of `rate`), a ``rating`` (the ER of `rate`, or the first and the
    last of a range), a depth of trial and error (``te``), the technique of the ``hardest`` step, ``guesses`` (the number that the
    reference search needs: ``(100, None)`` is at least 100), and a ``symmetry`` of the pattern of clues. ``clues_per_row``, ``clues_per_column``, ``clues_per_box`` and
    ``clues_per_digit`` keep clues even, and no clue has a ``missing_digit``. With a ``pattern`` (81
    characters, ``X`` for a clue and ``.`` for a blank) clues stand there and nowhere else. ``unbiased`` gives
    minimal puzzles with a column ``weight``: weighted means are those of all minimal puzzles.
    ``solved_by="naked-singles"`` asks for puzzles that naked singles solve. Without ``unique`` a
    puzzle may have several solutions (for blanks and clues only). Four wishes are about the steps of `rate`, the first
    of the easiest each time: some step is one that the puzzle ``contains``, the ``first_hard`` step (above 2.3, the
    rating of a naked single) is one of these, ``only`` these techniques are used, and the number of hard ``steps``.
    Techniques are names with commas between. Each of the four but ``only`` adds a column with what a puzzle has. With ``ratings`` there are the columns
    ``er`` and ``technique``: up to 4.4, or of any rating if a difficulty or a rating is wanted.

    Puzzle i is made from the seed, the options and i alone. Each level of a seed (``difficulty``, ``rating``, ``hardest``,
    and the wishes about steps)
    draws grids of its own, so two levels share no solution. Where 200 grids do not lead to what is wanted,
    the puzzle is null (in numbers: all 0), and its ``clues`` are (0).

    Keywords:

    * ``blanks``: The number of blanks.
    * ``clues``: The number of clues.
    * ``difficulty``: The difficulty, by the ER.
    * ``rating``: The ER.
    * ``solved_by``: The technique that solves them alone; with ``blanks`` or ``clues``.
    * ``te``: The depth of trial and error, from 0 to 3.
    * ``hardest``: The hardest step is one of these: X-wing.
    * ``contains``: Some step is one of these techniques.
    * ``first_hard``: The first hard step is one of these techniques.
    * ``only``: No other technique is used: singles,pointing.
    * ``steps``: The number of hard steps.
    * ``relatives``: Follow each puzzle with up to N relatives that have all that is asked for too.
    * ``guesses``: The guesses of the reference search.
    * ``minimal``: Make only minimal puzzles: each clue is needed.
    * ``symmetry``: A symmetry of the pattern of clues.
    * ``clues_per_row``: The number of clues in each row.
    * ``clues_per_column``: The number of clues in each column.
    * ``clues_per_box``: The number of clues in each box.
    * ``clues_per_digit``: The number of clues of each digit.
    * ``missing_digit``: No clue has this digit.
    * ``pattern``: Clues exactly where this mask has an X.
    * ``unbiased``: Minimal puzzles with weights for unbiased means.
    * ``unique``: Each puzzle has one solution. Without that, a puzzle with a number of blanks or clues may have
      several.
    * ``sequence``: Take the distinct grids of `generate`, in place of uniform samples of all grids.
    * ``ratings``: Add the columns er and technique. Up to an ER of 4.4 they are known, or any if a difficulty or a
      rating is wanted.
    * ``seed``: Seed of random choices.
    * ``in_order``: Number the grids in plain order, in which neighbours look alike.
    * ``first_digit``: Only grids with this digit in the top left cell.

    Errors: ValueError for what contradicts itself or cannot be.

    >>> made = puzzles(100, blanks=(45, 50), seed=3)
    >>> all(31 <= clues <= 36 for clues in made.clues)
    True
    >>> solve(made.puzzle, unique=True).solution == made.solution
    True
    """
    fields = Puzzles._fields
    if ratings:
        fields = (*fields, "er", "technique")
    if unbiased:
        fields = (*fields, "weight")
    asked = {"contains": contains, "first_hard": first_hard, "steps": steps}
    fields = (*fields, *(name for name, wish in asked.items() if wish is not None))
    settings: dict[str, Any] = {
        # settings puzzles
        "blanks": blanks,
        "clues": clues,
        "difficulty": difficulty,
        "rating": rating,
        "solved_by": solved_by,
        "te": te,
        "hardest": hardest,
        "contains": contains,
        "first_hard": first_hard,
        "only": only,
        "steps": steps,
        "relatives": relatives,
        "guesses": guesses,
        "minimal": minimal,
        "symmetry": symmetry,
        "clues_per_row": clues_per_row,
        "clues_per_column": clues_per_column,
        "clues_per_box": clues_per_box,
        "clues_per_digit": clues_per_digit,
        "missing_digit": missing_digit,
        "pattern": pattern,
        "unbiased": unbiased,
        "unique": unique,
        "sequence": sequence,
        "ratings": ratings,
        "seed": seed,
        "in_order": in_order,
        "first_digit": first_digit,
        # end
    }
    return Puzzles(_made("puzzles", fields, n, start, kind, threads, **settings))
