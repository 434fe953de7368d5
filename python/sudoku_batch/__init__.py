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
changes the answer to another: an answer depends on its record alone. It does not depend on
threads, batches or the machine either.

An answer is a tuple of columns with names: ``solution, status = answer``, ``answer.solution``, ``answer["solution"]``
and ``answer[0]`` are columns, and ``len(answer)`` is their number. Rows are those of the columns.
Answers can be pickled and copied, without the records that they belong to. `Records` is the type of all of these
kinds, for programs that are checked by mypy or pyright. `parse` makes records of a text in any format.

All functions release the GIL, so that other threads go on, and stop soon after Ctrl-C. Those that answer, read or make
records take ``threads`` (None or 0: one for each core).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from json import loads
from typing import Any, Literal, TypeAlias

from . import _engine, _questions
from ._answers import STATUSES, Answers, Rows, ask, columns_of, texts_of, types_of
from ._kinds import Kind, Records, kind_of, list_of, make_kind, thread_count, whole
from ._prompts import Extract, Prompts, Reward, blanks_reward, solved_reward
from ._questions import *
from ._training import Images, hrm

__version__: str = _engine.__version__

__all__ = [
    "STATUSES",
    "Augmented",
    "Checked",
    "Counted",
    "Deduplicated",
    "Forms",
    "Images",
    "Parts",
    "Prompts",
    "Puzzles",
    "Ranked",
    "Ratings",
    "Records",
    "Scored",
    "Solutions",
    "Solved",
    "Traces",
    "augment",
    "blanks_reward",
    "canonical",
    "check",
    "count",
    "dedup",
    "generate",
    "hrm",
    "parse",
    "puzzles",
    "rank",
    "rate",
    "score",
    "solutions",
    "solve",
    "solved_reward",
    "split",
    "stats",
    "trace",
]
__all__ += _questions.__all__


def __dir__() -> list[str]:
    """What is for users, without the names that this module itself uses."""
    return sorted([*__all__, "__all__", "__doc__", "__name__", "__version__"])


#: The kind that a function that makes records returns.
Made: TypeAlias = Literal["list", "numpy", "arrow", "polars", "pandas"]

#: A number, or the first and the last of a range: two numbers, or `range(28, 31)` for whole ones.
Range: TypeAlias = int | range | Sequence[int | None]


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


class Solved(Answers):
    """What `solve` returns: a solution and a status for each record.

    Unpack it, or use its attributes:

    >>> solution, status = solve(["." * 81])
    >>> solution[0][:27], status
    ('123456789456789123789123456', ['multiple'])
    """

    _fields = ("solution", "status")

    #: The solutions, in the kind of the records. Null (in numbers: all 0) where there is none to give.
    solution: Any


def solve(
    puzzles: Records,
    *,
    unique: bool = False,
    max_guesses: int | None = None,
    threads: int | None = None,
) -> Solved:
    """Solves puzzles.

    Takes records of any kind (see the module), and returns a solution and a status for each,
    in the same kind. Of several solutions it is the lexicographically smallest one; with
    ``unique`` a puzzle with several has none. With ``max_guesses``, a puzzle is given up that takes
    the reference search more guesses; its status is ``gave-up``.

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
    return Solved(*ask("solve", puzzles, threads, unique=unique, max_guesses=max_guesses))


class Counted(Answers):
    """What `count` returns: a number of solutions for each record."""

    _fields = ("count", "more", "status")

    #: The numbers of solutions, at most the limit. Null (in numbers: 0) for malformed records.
    count: Any
    #: Whether there are more solutions than the limit.
    more: Any


def count(puzzles: Records, *, limit: int = 1_000_000, threads: int | None = None) -> Counted:
    """Counts the solutions of puzzles, up to a limit; a limit of 0 is none.

    Takes records of any kind (see the module). The column ``more`` is true where the
    limit cuts a number off. A sparse puzzle may have more solutions than
    anyone can count: the empty grid has 6.67 * 10^21. Ctrl-C ends a count.

    Errors: as `solve`.

    >>> puzzle = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
    >>> count([puzzle, "." * 81, "x"], limit=100)
    Counted(count=[2, 100, None], more=[False, True, None], status=['multiple', 'multiple', 'malformed'])
    """
    kind, statuses, columns = ask("count", puzzles, threads, limit=limit)
    for name, of_engine in (("count", "solution_count"), ("more", "solution_count_more")):
        columns[name], columns["_types"][name] = columns[of_engine], columns["_types"][of_engine]
    return Counted(kind, statuses, columns)


class Checked(Answers):
    """What `check` returns, for each record."""

    _fields = (
        "status",
        "clue_count",
        "redundant_clues",
        "answer_right",
        "wrong_cells",
        "changed_clues",
    )

    #: The number of clues.
    clue_count: Any
    #: How many clues can each be left out; 0 for a minimal puzzle. Null unless it was asked for, and for
    #: records without exactly one solution.
    redundant_clues: Any
    #: Whether the answer is the solution, or one of several. Null without answers.
    answer_right: Any
    #: Blank cells of the puzzle that the answer does not have right. Null without answers, and for records
    #: without exactly one solution.
    wrong_cells: Any
    #: Clues that the answer does not have. Null in the same cases.
    changed_clues: Any


def check(
    puzzles: Records, answers: Records | None = None, *, minimal: bool = False, threads: int | None = None
) -> Checked:
    """Checks puzzles, and perhaps answers to them.

    Takes records of any kind (see the module); answers may be of another kind. Answer i belongs
    to puzzle i. An answer that is missing or malformed has no cell right. With ``minimal`` it
    counts the clues of each puzzle that can be left out.

    Errors: as `solve`, and ValueError where there are more puzzles than answers, or fewer.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> solution = solve(puzzle).solution
    >>> checked = check([puzzle, puzzle], [solution, solution[:80] + "."], minimal=True)
    >>> checked.answer_right, checked.wrong_cells, checked.changed_clues
    ([True, False], [0, 0], [0, 1])
    >>> checked.clue_count, checked.redundant_clues
    ([25, 25], [0, 0])
    """
    return Checked(*ask("check", puzzles, threads, answers=answers, minimal=minimal))


class Scored(Answers):
    """What `score` returns, for each record."""

    _fields = (
        "status",
        "found",
        "solved",
        "blank_cells",
        "right_blanks",
        "changed_clues",
        "conflicts",
        "reward",
    )

    #: Whether the text has a grid that counts.
    found: Any
    #: Whether the grid has all clues of the puzzle and breaks no rule. Null for malformed puzzles, as all that
    #: follows.
    solved: Any
    #: The number of blank cells of the puzzle.
    blank_cells: Any
    #: Blank cells that the grid has right. Null for a puzzle with several solutions that is not solved.
    right_blanks: Any
    #: Clues that the grid does not have. Null without a grid.
    changed_clues: Any
    #: How often the grid repeats a digit in a house. Null without a grid.
    conflicts: Any
    #: The reward, from 0 to 1.
    reward: Any


def score(
    puzzles: Records,
    texts: Records,
    *,
    extract: Extract = "last",
    reward: Reward = "solved",
    threads: int | None = None,
) -> Scored:
    """Scores the grids that free texts have for puzzles.

    Takes records of any kind (see the module), and for each a text with anything around its grid, such as a
    language model writes. ``extract`` says which of several grids counts: the ``last``, the ``first``, or the
    ``only`` one. ``reward`` is 1 for ``solved``, otherwise 0; or the share of ``blanks`` that are right, 0 where
    a clue is changed. Copying the clues earns nothing. The page `docs/training.md` says what counts as a grid.

    Errors: as `solve`, and ValueError where there are more puzzles than texts, or fewer.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> solution = solve(puzzle).solution
    >>> scored = score([puzzle] * 3, [f"**{solution}**", f"I have {puzzle} so far.", "I give up."])
    >>> scored.found, scored.solved, scored.reward
    ([True, True, False], [True, False, False], [1.0, 0.0, 0.0])
    """
    if texts is None:
        raise TypeError("texts are a list of str, or text of any other kind, and not None")
    given = {"beside": "texts", "extract": extract, "reward": reward}
    return Scored(*ask("score", puzzles, threads, answers=texts, **given))


class Forms(Answers):
    """What `canonical` returns, for each record."""

    _fields = ("canonical", "automorphisms", "status")

    #: The canonical forms. Null (in numbers: all 0) for records that have none: without ``minlex`` and
    #: ``maxlex`` those without exactly one solution.
    canonical: Any
    #: How many symmetries map the record to itself, the identity among them.
    automorphisms: Any
    #: The symmetry that leads to the canonical form, as text: ``rows=231456789`` says that its row 1 is row 2
    #: of the record. Null unless it was asked for.
    transformation: Any


def canonical(
    records: Records,
    *,
    minlex: bool = False,
    maxlex: bool = False,
    transformation: bool = False,
    threads: int | None = None,
) -> Forms:
    """Puts puzzles with one solution, and solved grids, into canonical form.

    Two records have the same canonical form exactly if a symmetry turns one into the other: renamed
    digits, reordered rows, columns, bands and stacks, transposition. With ``minlex`` (or ``maxlex``) it is the
    smallest (or the largest) copy of a puzzle's own cells, which puzzles with several solutions or none have too. With
    ``transformation``, the answer also has the operations that lead to each canonical form.

    Errors: as `solve`, and ValueError for both of ``minlex`` and ``maxlex``.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> upside_down = puzzle[::-1]
    >>> a, b = canonical([puzzle, upside_down]).canonical
    >>> a == b
    True
    >>> canonical(["7" + "." * 80], minlex=True).canonical == ["." * 80 + "1"]
    True
    """
    return Forms(
        *ask(
            "canonical",
            records,
            threads,
            minlex=minlex,
            maxlex=maxlex,
            automorphisms=True,
            transformation=transformation,
        )
    )


class Parts(Answers):
    """What `split` returns: the part of each record."""

    _fields = ("part", "status")

    def __init__(self, kind: Kind, part: _engine.Column, statuses: _engine.Statuses) -> None:
        super().__init__(kind, statuses, {"_types": types_of({"part": part})})
        #: The names of the parts. A record without exactly one solution has no canonical form, so that its
        #: copies cannot be held together: it is "rejected". By equality only a malformed one is.
        self.part: Any = kind.values("part", part)


def split(
    puzzles: Records,
    parts: Mapping[str, float] | float,
    *,
    seed: int = 0,
    by: Literal["equality", "symmetry", "solution", "minlex"] = "symmetry",
    threads: int | None = None,
) -> Parts:
    """Divides puzzles into parts, such as training and test set, with nothing equivalent in two.

    ``parts`` has a weight for each name; a number is the share of "test", and the rest is
    "train". A part is chosen by a hash of the canonical form (``by`` "symmetry"), of that of the
    solution, or of the cells ("equality"), and of nothing else: the same for later additions.

    Errors: as `solve`, and ValueError for weights that are none.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> images = augment([puzzle], 5).puzzle
    >>> len(set(split(images, {"train": 80, "valid": 10, "test": 10}).part))
    1
    """
    weights = parts if isinstance(parts, Mapping) else {"train": 1.0 - parts, "test": parts}
    kind = kind_of(puzzles)
    names, shares = list(weights), list(weights.values())
    return Parts(kind, *_engine.split(kind.records, names, shares, whole("seed", seed), by, thread_count(threads)))


class Deduplicated(Answers):
    """What `dedup` returns, for each record."""

    _fields = ("kept", "first", "status")

    def __init__(
        self, kind: Kind, kept: _engine.Column, first: _engine.Column, statuses: _engine.Statuses
    ) -> None:
        super().__init__(kind, statuses, {"_types": types_of({"kept": kept, "first": first})})
        #: Whether no record before it is the same. Null (in numbers: False) for a record that is null.
        self.kept: Any = kind.values("kept", kept)
        #: The number, from 0, of the first record that is the same: its own for a record that is kept.
        self.first: Any = kind.values("first", first)


def dedup(
    records: Records,
    *,
    by: Literal["equality", "symmetry", "solution", "minlex"] = "symmetry",
    threads: int | None = None,
) -> Deduplicated:
    """Finds the first of all records that are the same.

    Records are the same if their cells are equal (``by`` "equality"), if a symmetry turns one into
    the other, or if a symmetry turns the solution of one into that of the other ("solution"). The
    first of them is kept. A record without exactly one solution has no canonical
    form: it is the same as records with equal cells alone. By "minlex" copies are the same whatever number
    of solutions they have. A malformed record is kept.

    Errors: as `solve`, and ValueError for another ``by``.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> found = dedup([puzzle, puzzle[::-1], "." * 81, "0" * 81])
    >>> found.kept, found.first
    ([True, False, True, False], [0, 0, 2, 2])
    """
    kind = kind_of(records)
    return Deduplicated(kind, *_engine.dedup(kind.records, by, thread_count(threads)))


class Solutions(Answers):
    """What `solutions` returns: solutions, with the number of the record of each.

    ``more`` and ``status`` have a value for each record. Unpacked, it is ``record, solution``.
    """

    _fields = ("record", "solution")

    __repr__ = Rows.__repr__

    #: The number of the record, from 0, of each solution.
    record: Any
    #: The solutions of each record in ascending order, one record after the other.
    solution: Any
    #: Whether a record has more solutions than the limit. Null (in numbers: False) for malformed records.
    more: Any


def solutions(puzzles: Records, *, limit: int = 1000, threads: int | None = None) -> Solutions:
    """Lists the solutions of puzzles, up to a limit for each; a limit of 0 is none.

    They come in ascending order. All of them are in memory at
    once: each takes 82 bytes while they are listed, and about 150 as text in a list. `count` counts
    them without that. Ctrl-C ends the call, even if one record has solutions without end.

    Errors: as `solve`.

    >>> puzzle = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
    >>> listed = solutions([puzzle, "x", "." * 81], limit=3)
    >>> listed.record, listed.more
    ([0, 0, 2, 2, 2], [False, None, True])
    >>> [solution[:12] for solution in listed.solution[:2]]
    ['123456789456', '213456789456']
    """
    return Solutions(*ask("solutions", puzzles, threads, limit=limit))


class Ranked(Answers):
    """What `rank` returns: the number of each grid."""

    _fields = ("index", "status")

    #: The number of the grid in the sequence. Null (in numbers: 0) for what is no solved grid, and for a
    #: grid that the sequence does not have.
    index: Any


def rank(
    grids: Records,
    *,
    seed: int = 0,
    in_order: bool = False,
    first_digit: int | None = None,
    threads: int | None = None,
) -> Ranked:
    """Numbers solved grids: the inverse of `generate` with the same options.

    The status of a valid grid is ``valid``, with a number
    or without.

    Errors: as `solve`, and ValueError for a digit that is none.

    >>> rank(generate(3, seed=7, start=40), seed=7).index
    [40, 41, 42]
    """
    settings = {"seed": seed, "in_order": in_order, "first_digit": first_digit}
    return Ranked(*ask("rank", grids, threads, **settings))


def stats(records: Records, *, threads: int | None = None) -> dict[str, Any]:
    """Describes a set of puzzles by numbers.

    Returns a dict. All but ``records`` and ``statuses`` is about the records with exactly one
    solution, and the keys of the inner dicts are there where the number is not 0:

    =======================  ====================================================
    ``records``              the number of records
    ``statuses``             the number of records of each status
    ``clues``                the number of puzzles by number of clues
    ``naked_singles_solve``  the number of puzzles that naked singles solve
    ``singles_solve``        the number that naked and hidden singles solve
    ``guesses``              the number of puzzles by guesses of the reference
                             search: the first and the last number of a range
    ``all_guesses``          the guesses of all puzzles together
    ``most_guesses``         the most guesses of one puzzle
    ``ratings``              the number of puzzles by ER; None is what is not rated
    =======================  ====================================================

    Errors: as `solve`.

    >>> found = stats(["....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.", "x"])
    >>> found["statuses"], found["clues"], found["ratings"]
    ({'unique': 1, 'malformed': 1}, {24: 1}, {2.6: 1})
    """
    return _engine.stats(kind_of(records).records, thread_count(threads))


class Ratings(_questions.Counts, Answers):
    """What `rate` returns, for each record."""

    _fields: tuple[str, ...] = ("er", "ep", "ed", "beyond", "technique", "guesses", "difficulty", "te", "status")

    #: The rating of the hardest step, when the easiest step is always taken first. Null (in numbers: NaN)
    #: where it is over the bound, and for records without exactly one solution.
    er: Any
    #: The rating of the hardest step up to the first that places a digit.
    ep: Any
    #: The rating of the first step.
    ed: Any
    #: The bound (``up_to``) where er, ep or ed is null for it.
    beyond: Any
    #: The technique of the hardest step.
    technique: Any
    #: How many guesses the reference search needs. Null (in numbers: 0) unless they were asked for, and
    #: for records with an ER.
    guesses: Any
    #: A word for the ER: easy, medium, hard, expert or extreme.
    difficulty: Any
    #: The depth of trial and error: 0, 1, 2, 3 or beyond. Null unless it was asked for, and for records without
    #: exactly one solution.
    te: Any

    def __init__(self, kind: Kind, statuses: _engine.Statuses, columns: Mapping[str, Any]) -> None:
        super().__init__(kind, statuses, columns)
        # The columns of counts are there if they are asked for.
        self._fields += tuple(name for name in columns if name not in self._fields and name != "_types")


def rate(
    puzzles: Records,
    *,
    up_to: float | None = None,
    max_work: int | None = None,
    guesses: bool = False,
    counts: bool = False,
    without: str | Sequence[str] | None = None,
    te: bool = False,
    threads: int | None = None,
) -> Ratings:
    """Rates puzzles by the techniques that a person needs.

    Takes records of any kind (see the module). The ratings are the numbers ER, EP and ED of
    Sudoku Explainer 1.2.1. They are exact over the whole scale.
    With ``up_to``, no harder step is taken: 4.4 saves the time that chains take. With ``max_work``,
    a puzzle is given up when the searches for its chains have noted that number of nodes; its
    status is ``gave-up``.

    With ``guesses``, each puzzle without an ER also has the number of guesses of the reference
    search. A puzzle takes that search up to a second, mostly far less. Above 1,000,000 guesses
    the number is null.

    With ``counts``, there is a column for each technique with the number of its steps, such as ``x_wing``,
    and ``clues_after_singles``. No step of the techniques ``without`` is taken: names as in the column
    technique, or ``uniqueness`` for all that rest on one solution.

    With ``te``, each puzzle also has the depth of trial and error, which is a name.

    Errors: as `solve`.

    >>> easy = "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1."
    >>> hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    >>> rate([easy]).technique
    ['pointing']
    >>> ratings = rate([easy, hard, "." * 81], up_to=4.4, guesses=True)
    >>> ratings.er, ratings.beyond, ratings.difficulty
    ([2.6, None, None], [None, 4.4, None], ['hard', 'extreme', None])
    >>> ratings.guesses, ratings.status
    ([None, 320, None], ['unique', 'unique', 'multiple'])
    >>> counts = rate([easy], counts=True)
    >>> counts.pointing, counts.clues_after_singles, rate([easy], without=["pointing"]).er
    ([3], [35], [3.6])
    >>> rate([easy, hard], up_to=1.0, te=True).te
    ['1', '2']
    """
    settings: dict[str, Any] = {"up_to": up_to, "max_work": max_work, "guesses": guesses, "difficulty": True}
    settings |= {"te": te, "counts": counts, "without": without or None}
    return Ratings(*ask("rate", puzzles, threads, **settings))


class Augmented(Rows):
    """What `augment` returns: symmetric copies, with the number of the record of each."""

    _fields = ("record", "puzzle", "solution")

    #: The number of the record, from 0.
    record: Any
    #: The copies.
    puzzle: Any
    #: The copies of the solutions by the same operations; None without solutions.
    solution: Any = None


def augment(
    puzzles: Records,
    copies: int,
    solutions: Records | None = None,
    *,
    seed: int = 0,
    include: Sequence[str] = ("relabelling", "transposition", "bands", "lines"),
    keep: bool = False,
    threads: int | None = None,
) -> Augmented:
    """Makes different symmetric copies of each puzzle, for training sets.

    Takes records of any kind (see the module); solutions go through the same operations. The
    copies of a puzzle depend on the seed and its cells alone. A puzzle with fewer different copies gives all it has. With ``keep`` it comes
    first itself. Blanks stay as they came. A malformed or missing record has no copies, and neither
    has a record whose solution does not solve it. A solution that is null or has no digit is none.

    Errors: as `solve`, and ValueError for an operation that is not known.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> made = augment([puzzle, "x", "." * 81], 3, solve([puzzle, "x", "x"]).solution)
    >>> made.record
    [0, 0, 0, 2]
    >>> solve(made.puzzle[:3]).solution == made.solution[:3]
    True
    """
    settings = {"copies": copies, "seed": seed, "include": include, "keep": keep}
    return Augmented(ask("augment", puzzles, threads, answers=solutions, **settings)[2])


class Traces(Answers):
    """What `trace` returns, for each record."""

    _fields = ("rating", "guesses", "json", "status")

    #: The ER, as `rate` gives it. Null (in numbers: NaN) where the steps do not fill every cell, with
    #: ``search``, and for records without exactly one solution.
    rating: Any
    #: The guesses of a search. Null (in numbers: 0) otherwise.
    guesses: Any
    #: The steps as JSON text; null for records without a trace. None with ``pairs``.
    json: Any = None
    #: The cells, from 0, in the order in which they are filled, and their digits: a numpy array of the
    #: type int8 and the shape (n, 81, 2), with -1 behind the end. None without ``pairs``.
    pairs: Any = None
    _steps: _engine.Column | list[str | None] | None

    @cached_property
    def steps(self) -> Any:
        """The steps of each record as a list of dicts; None for records without a trace."""
        if self._steps is None:
            raise ValueError("with pairs there are no steps")
        steps = [text and loads(text) for text in list_of(self._steps)]
        return steps[0] if isinstance(self.json, (str, type(None))) else steps


def trace(
    puzzles: Records,
    *,
    search: bool = False,
    proof: bool = False,
    max_guesses: int = 10_000,
    boards: bool = False,
    candidates: bool = False,
    up_to: float | None = None,
    max_work: int | None = None,
    pairs: bool = False,
    threads: int | None = None,
) -> Traces:
    """Records the order in which the cells of puzzles are filled, and why.

    Takes records of any kind (see the module). The steps are those of a
    person who always takes the easiest step, as far as ``up_to`` and ``max_work`` allow, or with
    ``search`` of the reference search up to the solution; with ``proof`` that goes on to its end.
    Each step has ``cell``, ``digit``, ``technique``, ``rating`` and ``struck``: the steps before it
    that strike candidates. ``boards`` and ``candidates`` add the grid and the marks after each
    step. ``pairs`` gives the cells and digits alone, as an array of numpy.

    Errors: as `solve`, and ValueError for options that exclude each other.

    >>> puzzle = "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1."
    >>> traces = trace([puzzle, "." * 81])
    >>> traces.rating, traces.status
    ([2.6, None], ['unique', 'multiple'])
    >>> traces.steps[0][0]
    {'cell': 'r1c1', 'digit': 7, 'technique': 'hidden single in a box', 'rating': 1.2, 'struck': []}
    >>> trace(puzzle, search=True, pairs=True).pairs[0, :3].tolist()
    [[0, 7], [13, 4], [14, 7]]
    """
    kind, statuses, columns, of_engine = columns_of(
        "trace",
        puzzles,
        threads,
        search=search,
        proof=proof,
        max_guesses=max_guesses,
        boards=boards,
        candidates=candidates,
        up_to=up_to,
        max_work=max_work,
        pairs=pairs,
    )
    columns["json"], columns["_types"]["json"] = columns.pop("steps", None), "text"
    columns["_steps"] = of_engine.get("steps")
    return Traces(kind, statuses, columns)


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

    All grids of a seed are different. With
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
    settings = {"seed": seed, "uniform": uniform, "in_order": in_order, "first_digit": first_digit}
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
    blanks: Range | None = None,
    clues: Range | None = None,
    difficulty: Literal["easy", "medium", "hard", "expert", "extreme"] | None = None,
    guesses: Range | None = None,
    solved_by: Literal["naked-singles"] | None = None,
    rating: float | Sequence[float | None] | None = None,
    te: Range | None = None,
    hardest: str | None = None,
    contains: str | None = None,
    first_hard: str | None = None,
    only: str | None = None,
    steps: Range | None = None,
    minimal: bool = False,
    symmetry: Literal[
        "none", "rotate180", "rotate90", "horizontal", "vertical", "diagonal"
    ] = "none",
    clues_per_row: Range | None = None,
    clues_per_column: Range | None = None,
    clues_per_box: Range | None = None,
    clues_per_digit: Range | None = None,
    missing_digit: int | None = None,
    pattern: str | None = None,
    unbiased: bool = False,
    unique: bool = True,
    seed: int = 0,
    start: int = 0,
    sequence: bool = False,
    in_order: bool = False,
    first_digit: int | None = None,
    ratings: bool = False,
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
    made = _made(
        "puzzles",
        fields,
        n,
        start,
        kind,
        threads,
        blanks=blanks,
        clues=clues,
        difficulty=difficulty,
        guesses=guesses,
        solved_by=solved_by,
        rating=rating,
        te=te,
        hardest=hardest,
        contains=contains,
        first_hard=first_hard,
        only=only,
        steps=steps,
        minimal=minimal,
        symmetry=symmetry,
        clues_per_row=clues_per_row,
        clues_per_column=clues_per_column,
        clues_per_box=clues_per_box,
        clues_per_digit=clues_per_digit,
        missing_digit=missing_digit,
        pattern=pattern,
        unbiased=unbiased,
        unique=unique,
        seed=seed,
        sequence=sequence,
        in_order=in_order,
        first_digit=first_digit,
        ratings=ratings,
    )
    return Puzzles(made)
