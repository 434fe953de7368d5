"""The functions of the questions, and the classes of their answers.

`tests/library/python.rs` writes parts of this file from the definitions: the lines between a comment such as
``# columns solve`` and ``# end``, and in docstrings the lists of keywords and of columns. A question that has no function
here gets one. All else is by hand: the words of docstrings, and the examples. Signs in a comment are wishes:

* ``-name``: not this keyword, or not this column when an answer is unpacked
* ``name=other``: another name for a column
* ``status``: the status is the last column
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from json import loads
from math import fsum
from typing import Any, Literal

from . import _engine
from ._answers import Answers, AnswersInRows, Range, Rows, ask, columns_of, texts_of, types_of
from ._kinds import Kind, Records, kind_of, list_of, thread_count

__all__ = [
    # functions and classes
    "Augmented",
    "Backdoors",
    "CandidateCounts",
    "Checked",
    "Classes",
    "Counted",
    "Deduplicated",
    "Drills",
    "Expand",
    "Explain",
    "Features",
    "Filter",
    "Forms",
    "Minimals",
    "Near",
    "Parts",
    "Patterns",
    "Ranked",
    "Ratings",
    "Scored",
    "Solutions",
    "Solved",
    "TraceSteps",
    "Traces",
    "TrueCandidates",
    "Unavoidable",
    "augment",
    "backdoors",
    "candidate_counts",
    "canonical",
    "check",
    "classes",
    "count",
    "dedup",
    "drills",
    "expand",
    "explain",
    "features",
    "filter",
    "minimals",
    "near",
    "patterns",
    "rank",
    "rate",
    "score",
    "solutions",
    "solve",
    "split",
    "stats",
    "trace",
    "trace_steps",
    "true_candidates",
    "unavoidable",
    # end
]


class Solved(Answers):
    """What `solve` returns: a solution and a status for each record.

    A solution is null (in numbers: all 0) where there is none to give. Unpack the answer, or use its attributes:

    >>> solution, status = solve(["." * 81])
    >>> solution[0][:27], status
    ('123456789456789123789123456', ['multiple'])
    """

    # columns solve
    _fields: tuple[str, ...] = ("solution", "status")

    #: The solution of each record.
    solution: Any
    # end


def solve(
    puzzles: Records,
    *,
    # keywords solve
    unique: bool = False,
    max_guesses: int | None = None,
    # end
    threads: int | None = None,
) -> Solved:
    """Solves puzzles.

    Takes records of any kind (see the module), and returns a solution and a status for each,
    in the same kind. Of several solutions it is the lexicographically smallest one; with
    ``unique`` a puzzle with several has none. With ``max_guesses``, a puzzle is given up that takes
    the reference search more guesses; its status is ``gave-up``.

    Keywords:

    * ``unique``: Count a puzzle as solved only if it has exactly one solution.
    * ``max_guesses``: Give up on puzzles that need more guesses than N.

    The answer has:

    * ``solution``: The solution of each record.
    * ``status``: The status of the record.

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
    settings: dict[str, Any] = {
        # settings solve
        "unique": unique,
        "max_guesses": max_guesses,
        # end
    }
    return Solved(*ask("solve", puzzles, threads, **settings))


class Counted(Answers):
    """What `count` returns, for each record.

    The number of solutions is at most the limit. It is null (in numbers: 0) for malformed records.
    """

    # columns count solution_count=count solution_count_more=more
    _fields: tuple[str, ...] = ("count", "more", "status")

    #: The number of solutions.
    count: Any
    #: Whether there are more than that.
    more: Any
    # end


def count(
    puzzles: Records,
    *,
    # keywords count
    limit: int | None = 1_000_000,
    # end
    threads: int | None = None,
) -> Counted:
    """Counts the solutions of puzzles, up to a limit; a limit of 0 is none.

    Takes records of any kind (see the module). The column ``more`` is true where the
    limit cuts a number off. A sparse puzzle may have more solutions than
    anyone can count: the empty grid has 6.67 * 10^21. Ctrl-C ends a count.

    Keywords:

    * ``limit``: Count up to this many solutions of a record; 0 is all of them.

    The answer has:

    * ``count``: The number of solutions.
    * ``more``: Whether there are more than that.
    * ``status``: The status of the record.

    Errors: as `solve`.

    >>> puzzle = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
    >>> count([puzzle, "." * 81, "x"], limit=100)
    Counted(count=[2, 100, None], more=[False, True, None], status=['multiple', 'multiple', 'malformed'])
    """
    settings: dict[str, Any] = {
        # settings count
        "limit": limit,
        # end
    }
    kind, statuses, columns = ask("count", puzzles, threads, **settings)
    for name, of_engine in (("count", "solution_count"), ("more", "solution_count_more")):
        columns[name], columns["_types"][name] = columns[of_engine], columns["_types"][of_engine]
    return Counted(kind, statuses, columns)


class Checked(Answers):
    """What `check` returns, for each record.

    Redundant clues are null unless they were asked for, and for records without exactly one solution; they are 0 for a
    minimal puzzle. What is said of answers is null without any. Wrong cells and changed clues are null for records
    without exactly one solution too.
    """

    # columns check
    _fields: tuple[str, ...] = (
        "status", "clue_count", "redundant_clues", "answer_right", "wrong_cells", "changed_clues",
    )

    #: The number of clues.
    clue_count: Any
    #: How many clues can each be left out, of a record with one solution.
    redundant_clues: Any
    #: Whether the answer is the solution, or one of several.
    answer_right: Any
    #: Blank cells of the puzzle that the answer does not have right.
    wrong_cells: Any
    #: Clues that the answer does not have.
    changed_clues: Any
    # end


def check(
    puzzles: Records,
    answers: Records | None = None,
    *,
    # keywords check
    minimal: bool = False,
    # end
    threads: int | None = None,
) -> Checked:
    """Checks puzzles, and perhaps answers to them.

    Takes records of any kind (see the module); answers may be of another kind. Answer i belongs
    to puzzle i. An answer that is missing or malformed has no cell right. With ``minimal`` it
    counts the clues of each puzzle that can be left out.

    Keywords:

    * ``minimal``: Accept only minimal puzzles: each clue is needed.

    The answer has:

    * ``status``: The status of the record.
    * ``clue_count``: The number of clues.
    * ``redundant_clues``: How many clues can each be left out, of a record with one solution.
    * ``answer_right``: Whether the answer is the solution, or one of several.
    * ``wrong_cells``: Blank cells of the puzzle that the answer does not have right.
    * ``changed_clues``: Clues that the answer does not have.

    Errors: as `solve`, and ValueError where there are more puzzles than answers, or fewer.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> solution = solve(puzzle).solution
    >>> checked = check([puzzle, puzzle], [solution, solution[:80] + "."], minimal=True)
    >>> checked.answer_right, checked.wrong_cells, checked.changed_clues
    ([True, False], [0, 0], [0, 1])
    >>> checked.clue_count, checked.redundant_clues
    ([25, 25], [0, 0])
    """
    settings: dict[str, Any] = {
        # settings check
        "minimal": minimal,
        # end
    }
    return Checked(*ask("check", puzzles, threads, answers=answers, **settings))


class Scored(Answers):
    """What `score` returns, for each record.

    All but the status and ``found`` is null for malformed puzzles. Changed clues and conflicts are null without a grid.
    """

    # columns score
    _fields: tuple[str, ...] = (
        "status", "found", "solved", "blank_cells", "right_blanks", "changed_clues", "conflicts", "reward",
    )

    #: Whether the text has a grid that counts.
    found: Any
    #: Whether the grid has all clues and breaks no rule.
    solved: Any
    #: The number of blank cells of the puzzle.
    blank_cells: Any
    #: Blank cells that the grid has right; of a puzzle with several solutions only where it is solved.
    right_blanks: Any
    #: Clues that the grid does not have.
    changed_clues: Any
    #: How often the grid repeats a digit in a house.
    conflicts: Any
    #: The reward, from 0 to 1.
    reward: Any
    # end


def score(
    puzzles: Records,
    texts: Records,
    *,
    # keywords score
    extract: Literal["last", "first", "only"] = "last",
    reward: Literal["solved", "blanks"] = "solved",
    # end
    threads: int | None = None,
) -> Scored:
    """Scores the grids that free texts have for puzzles.

    Takes records of any kind (see the module), and for each a text with anything around its grid, such as a
    language model writes. ``extract`` says which of several grids counts: the ``last``, the ``first``, or the
    ``only`` one. ``reward`` is 1 for ``solved``, otherwise 0; or the share of ``blanks`` that are right, 0 where
    a clue is changed. Copying the clues earns nothing. The page `docs/training.md` says what counts as a grid.

    Keywords:

    * ``extract``: Which grid of a text counts.
    * ``reward``: The rule of the reward.

    The answer has:

    * ``status``: The status of the record.
    * ``found``: Whether the text has a grid that counts.
    * ``solved``: Whether the grid has all clues and breaks no rule.
    * ``blank_cells``: The number of blank cells of the puzzle.
    * ``right_blanks``: Blank cells that the grid has right; of a puzzle with several solutions only where it is solved.
    * ``changed_clues``: Clues that the grid does not have.
    * ``conflicts``: How often the grid repeats a digit in a house.
    * ``reward``: The reward, from 0 to 1.

    Errors: as `solve`, and ValueError where there are more puzzles than texts, or fewer.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> solution = solve(puzzle).solution
    >>> scored = score([puzzle] * 3, [f"**{solution}**", f"I have {puzzle} so far.", "I give up."])
    >>> scored.found, scored.solved, scored.reward
    ([True, True, False], [True, False, False], [1.0, 0.0, 0.0])
    """
    if texts is None:
        raise TypeError("texts are a list of str, or text of any other kind, and not None")
    settings: dict[str, Any] = {
        # settings score
        "extract": extract,
        "reward": reward,
        # end
    }
    return Scored(*ask("score", puzzles, threads, answers=texts, beside="texts", **settings))


class Forms(Answers):
    """What `canonical` returns, for each record.

    Canonical forms are null (in numbers: all 0) for records that have none: without ``minlex`` and ``maxlex`` those
    without exactly one solution. The transformation is text: ``rows=231456789`` says that row 1 of the canonical form is
    row 2 of the record. It is null unless it was asked for.
    """

    # columns canonical -transformation
    _fields: tuple[str, ...] = ("canonical", "automorphisms", "status")

    #: The canonical form.
    canonical: Any
    #: The symmetry that leads to the canonical form.
    transformation: Any
    #: The number of symmetries that map the record to itself.
    automorphisms: Any
    # end


def canonical(
    records: Records,
    *,
    # keywords canonical -automorphisms
    minlex: bool = False,
    maxlex: bool = False,
    transformation: bool = False,
    # end
    threads: int | None = None,
) -> Forms:
    """Puts puzzles with one solution, and solved grids, into canonical form.

    Two records have the same canonical form exactly if a symmetry turns one into the other: renamed
    digits, reordered rows, columns, bands and stacks, transposition. With ``minlex`` (or ``maxlex``) it is the
    smallest (or the largest) copy of a puzzle's own cells, which puzzles with several solutions or none have too. With
    ``transformation``, the answer also has the operations that lead to each canonical form.

    Keywords:

    * ``minlex``: Give the smallest symmetric copy of the record's own 81 characters, where a blank is the smallest.
    * ``maxlex``: Give the largest symmetric copy of the record's own 81 characters, where a blank is the smallest.
    * ``transformation``: Add the operations that lead to the canonical form.

    The answer has:

    * ``canonical``: The canonical form.
    * ``transformation``: The symmetry that leads to the canonical form.
    * ``automorphisms``: The number of symmetries that map the record to itself.
    * ``status``: The status of the record.

    Errors: as `solve`, and ValueError for both of ``minlex`` and ``maxlex``.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> upside_down = puzzle[::-1]
    >>> a, b = canonical([puzzle, upside_down]).canonical
    >>> a == b
    True
    >>> canonical(["7" + "." * 80], minlex=True).canonical == ["." * 80 + "1"]
    True
    """
    settings: dict[str, Any] = {
        # settings canonical -automorphisms
        "minlex": minlex,
        "maxlex": maxlex,
        "transformation": transformation,
        # end
        "automorphisms": True,
    }
    return Forms(*ask("canonical", records, threads, **settings))


class Solutions(AnswersInRows):
    """What `solutions` returns: solutions, with the number of the record of each.

    The solutions of a record come in ascending order, one record after the other. ``more`` and ``status`` have a value
    for each record; ``more`` is null (in numbers: False) for malformed records. Unpacked, it is ``record, solution``.
    """

    # columns solutions
    _fields: tuple[str, ...] = ("record", "solution")

    #: The number of the record, from 0.
    record: Any
    #: A solution of the record.
    solution: Any
    #: Whether the record has more rows than the limit: a value for each record.
    more: Any
    # end


def solutions(
    puzzles: Records,
    *,
    # keywords solutions
    limit: int | None = 1000,
    # end
    threads: int | None = None,
) -> Solutions:
    """Lists the solutions of puzzles, up to a limit for each; a limit of 0 is none.

    They come in ascending order. All of them are in memory at
    once: each takes 82 bytes while they are listed, and about 150 as text in a list. `count` counts
    them without that. Ctrl-C ends the call, even if one record has solutions without end.

    Keywords:

    * ``limit``: List up to this many solutions of a record, the first ones; 0 is all of them.

    The answer has:

    * ``record``: The number of the record, from 0.
    * ``solution``: A solution of the record.
    * ``status``: The status of the record: a value for each record, and not for each row.
    * ``more``: Whether the record has more rows than the limit: a value for each record.

    Errors: as `solve`.

    >>> puzzle = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
    >>> listed = solutions([puzzle, "x", "." * 81], limit=3)
    >>> listed.record, listed.more
    ([0, 0, 2, 2, 2], [False, None, True])
    >>> [solution[:12] for solution in listed.solution[:2]]
    ['123456789456', '213456789456']
    """
    settings: dict[str, Any] = {
        # settings solutions
        "limit": limit,
        # end
    }
    return Solutions(*ask("solutions", puzzles, threads, **settings))


class Ranked(Answers):
    """What `rank` returns: the number of each grid.

    It is null (in numbers: 0) for what is no solved grid, and for a grid that the sequence does not have.
    """

    # columns rank
    _fields: tuple[str, ...] = ("index", "status")

    #: The number of the grid in the sequence.
    index: Any
    # end


def rank(
    grids: Records,
    *,
    # keywords rank
    seed: int | None = 0,
    in_order: bool = False,
    first_digit: int | None = None,
    # end
    threads: int | None = None,
) -> Ranked:
    """Numbers solved grids: the inverse of `generate` with the same options.

    The status of a valid grid is ``valid``, with a number
    or without.

    Keywords:

    * ``seed``: Seed of random choices.
    * ``in_order``: Number the grids in plain order, in which neighbours look alike.
    * ``first_digit``: Only grids with this digit in the top left cell.

    The answer has:

    * ``index``: The number of the grid in the sequence.
    * ``status``: The status of the record.

    Errors: as `solve`, and ValueError for a digit that is none.

    >>> import sudoku_batch as sb
    >>> rank(sb.generate(3, seed=7, start=40), seed=7).index
    [40, 41, 42]
    """
    settings: dict[str, Any] = {
        # settings rank
        "seed": seed,
        "in_order": in_order,
        "first_digit": first_digit,
        # end
    }
    return Ranked(*ask("rank", grids, threads, **settings))


class Ratings(Answers):
    """What `rate` returns, for each record.

    The rating of the hardest step is that of the way that always takes the easiest step. Ratings are null (in numbers:
    NaN) where they are over the bound, and for records without exactly one solution. Guesses and depths are null unless
    they were asked for. A column for each technique is there with ``counts``, and None without.
    """

    # columns rate status
    _fields: tuple[str, ...] = ("er", "ep", "ed", "beyond", "technique", "guesses", "difficulty", "te", "gem", "status")

    #: The rating of the hardest step.
    er: Any
    #: The rating of the hardest step up to the first digit.
    ep: Any
    #: The rating of the first step.
    ed: Any
    #: The bound, where a rating is missing for it.
    beyond: Any
    #: The technique of the hardest step.
    technique: Any
    #: The guesses of the reference search, without ER.
    guesses: Any
    #: A word for the ER.
    difficulty: Any
    #: The depth of trial and error.
    te: Any
    #: Whether the first step is the hardest.
    gem: Any
    #: Last cell.
    last_cell: Any = None
    #: Hidden single in a box.
    hidden_single_in_a_box: Any = None
    #: Hidden single in a line.
    hidden_single_in_a_line: Any = None
    #: Direct pointing.
    direct_pointing: Any = None
    #: Direct claiming.
    direct_claiming: Any = None
    #: Direct hidden pair.
    direct_hidden_pair: Any = None
    #: Naked single.
    naked_single: Any = None
    #: Direct hidden triplet.
    direct_hidden_triplet: Any = None
    #: Pointing.
    pointing: Any = None
    #: Claiming.
    claiming: Any = None
    #: Naked pair.
    naked_pair: Any = None
    #: X-wing.
    x_wing: Any = None
    #: Hidden pair.
    hidden_pair: Any = None
    #: Naked triplet.
    naked_triplet: Any = None
    #: Swordfish.
    swordfish: Any = None
    #: Hidden triplet.
    hidden_triplet: Any = None
    #: XY-wing.
    xy_wing: Any = None
    #: XYZ-wing.
    xyz_wing: Any = None
    #: Unique rectangle type 1.
    unique_rectangle_type_1: Any = None
    #: Unique rectangle type 2.
    unique_rectangle_type_2: Any = None
    #: Unique rectangle type 3.
    unique_rectangle_type_3: Any = None
    #: Unique rectangle type 4.
    unique_rectangle_type_4: Any = None
    #: Unique loop type 1.
    unique_loop_type_1: Any = None
    #: Unique loop type 2.
    unique_loop_type_2: Any = None
    #: Unique loop type 3.
    unique_loop_type_3: Any = None
    #: Unique loop type 4.
    unique_loop_type_4: Any = None
    #: Naked quad.
    naked_quad: Any = None
    #: Jellyfish.
    jellyfish: Any = None
    #: Hidden quad.
    hidden_quad: Any = None
    #: BUG type 1.
    bug_type_1: Any = None
    #: BUG type 2.
    bug_type_2: Any = None
    #: BUG type 4.
    bug_type_4: Any = None
    #: BUG type 3.
    bug_type_3: Any = None
    #: Aligned pair exclusion.
    aligned_pair_exclusion: Any = None
    #: X-cycle.
    x_cycle: Any = None
    #: Y-cycle.
    y_cycle: Any = None
    #: X-chain.
    x_chain: Any = None
    #: XY-cycle.
    xy_cycle: Any = None
    #: XY-chain.
    xy_chain: Any = None
    #: Aligned triplet exclusion.
    aligned_triplet_exclusion: Any = None
    #: Nishio.
    nishio: Any = None
    #: Cell forcing chains.
    cell_forcing_chains: Any = None
    #: House forcing chains.
    house_forcing_chains: Any = None
    #: Dynamic forcing chains.
    dynamic_forcing_chains: Any = None
    #: Dynamic forcing chains +.
    dynamic_forcing_chains_plus: Any = None
    #: Nested forcing chains level 2.
    nested_forcing_chains_level_2: Any = None
    #: Nested forcing chains level 3.
    nested_forcing_chains_level_3: Any = None
    #: Nested forcing chains level 4.
    nested_forcing_chains_level_4: Any = None
    #: Nested forcing chains level 5.
    nested_forcing_chains_level_5: Any = None
    #: The number of filled cells where singles lead no further.
    clues_after_singles: Any = None
    # end

    def __init__(self, kind: Kind, statuses: _engine.Statuses, columns: Mapping[str, Any]) -> None:
        super().__init__(kind, statuses, columns)
        # The columns of counts are there if they are asked for.
        self._fields += tuple(name for name in columns if name not in self._fields and name != "_types")


def rate(
    puzzles: Records,
    *,
    # keywords rate -difficulty
    te: bool = False,
    gem: bool = False,
    up_to: float | None = 11.9,
    max_work: int | None = None,
    counts: bool = False,
    without: str | Sequence[str] | None = None,
    guesses: bool = False,
    # end
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

    Keywords:

    * ``te``: Add the depth of trial and error, T&E(n).
    * ``gem``: Add whether the first step is the hardest: diamond, pearl or none.
    * ``up_to``: Stop at steps harder than X: such puzzles are shown as `>X` (column beyond).
    * ``max_work``: Give up on a puzzle after N chain nodes; 100M is some seconds.
    * ``counts``: Add how often each technique is used.
    * ``without``: Take no step of these techniques.
    * ``guesses``: Add the guesses of the reference search where there is no ER.

    The answer has:

    * ``er``: The rating of the hardest step.
    * ``ep``: The rating of the hardest step up to the first digit.
    * ``ed``: The rating of the first step.
    * ``beyond``: The bound, where a rating is missing for it.
    * ``technique``: The technique of the hardest step.
    * ``guesses``: The guesses of the reference search, without ER.
    * ``difficulty``: A word for the ER.
    * ``te``: The depth of trial and error.
    * ``gem``: Whether the first step is the hardest.
    * ``status``: The status of the record.

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
    # No techniques are the usual ones.
    without = without or None
    settings: dict[str, Any] = {
        # settings rate -difficulty
        "te": te,
        "gem": gem,
        "up_to": up_to,
        "max_work": max_work,
        "counts": counts,
        "without": without,
        "guesses": guesses,
        # end
        "difficulty": True,
    }
    return Ratings(*ask("rate", puzzles, threads, **settings))


class Augmented(Rows):
    """What `augment` returns: symmetric copies, with the number of the record of each.

    Solutions are None where none are given.
    """

    # columns augment
    _fields: tuple[str, ...] = ("record", "puzzle", "solution")

    #: The number of the record, from 0.
    record: Any
    #: A symmetric copy of the record.
    puzzle: Any
    #: The copy of its solution by the same operations.
    solution: Any = None
    # end


def augment(
    puzzles: Records,
    copies: int,
    solutions: Records | None = None,
    *,
    # keywords augment -copies
    seed: int | None = 0,
    include: Sequence[str] = ("relabelling", "transposition", "bands", "lines"),
    keep: bool = False,
    # end
    threads: int | None = None,
) -> Augmented:
    """Makes different symmetric copies of each puzzle, for training sets.

    Takes records of any kind (see the module); solutions go through the same operations. The
    copies of a puzzle depend on the seed and its cells alone. A puzzle with fewer different copies gives all it has. With ``keep`` it comes
    first itself. Blanks stay as they came. A malformed or missing record has no copies, and neither
    has a record whose solution does not solve it. A solution that is null or has no digit is none.

    Keywords:

    * ``seed``: Seed of random choices.
    * ``include``: Operations that make the copies.
    * ``keep``: Keep each record before its copies.

    The answer has:

    * ``record``: The number of the record, from 0.
    * ``puzzle``: A symmetric copy of the record.
    * ``solution``: The copy of its solution by the same operations.

    Errors: as `solve`, and ValueError for an operation that is not known.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> made = augment([puzzle, "x", "." * 81], 3, solve([puzzle, "x", "x"]).solution)
    >>> made.record
    [0, 0, 0, 2]
    >>> solve(made.puzzle[:3]).solution == made.solution[:3]
    True
    """
    settings: dict[str, Any] = {
        # settings augment
        "copies": copies,
        "seed": seed,
        "include": include,
        "keep": keep,
        # end
    }
    return Augmented(ask("augment", puzzles, threads, answers=solutions, **settings)[2])


class Deduplicated(Answers):
    """What `dedup` returns, for each record.

    ``kept`` is null (in numbers: False) for a record that is null. ``first`` never is.
    """

    # columns dedup
    _fields: tuple[str, ...] = ("kept", "first", "status")

    #: Whether no record before it is the same.
    kept: Any
    #: The number, from 0, of the first record that is the same: its own for a record that is kept.
    first: Any
    # end


def dedup(
    records: Records,
    *,
    # keywords dedup
    by: Literal["equality", "symmetry", "solution", "minlex"] = "symmetry",
    # end
    threads: int | None = None,
) -> Deduplicated:
    """Finds the first of all records that are the same.

    Records are the same if their cells are equal (``by`` "equality"), if a symmetry turns one into
    the other, or if a symmetry turns the solution of one into that of the other ("solution"). The
    first of them is kept. A record without exactly one solution has no canonical
    form: it is the same as records with equal cells alone. By "minlex" copies are the same whatever number
    of solutions they have. A malformed record is kept.

    Keywords:

    * ``by``: Compare records by equality, symmetry, solution or minlex.

    The answer has:

    * ``kept``: Whether no record before it is the same.
    * ``first``: The number, from 0, of the first record that is the same: its own for a record that is kept.
    * ``status``: The status of the record.

    Errors: as `solve`, and ValueError for another ``by``.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> found = dedup([puzzle, puzzle[::-1], "." * 81, "0" * 81])
    >>> found.kept, found.first
    ([True, False, True, False], [0, 0, 2, 2])
    """
    settings: dict[str, Any] = {
        # settings dedup
        "by": by,
        # end
    }
    return Deduplicated(*ask("dedup", records, threads, **settings))


class Parts(Answers):
    """What `split` returns: the part of each record.

    A record without exactly one solution has no canonical form, so that its copies cannot be held together: its part is
    "rejected". By equality only that of a malformed one is.
    """

    # columns split
    _fields: tuple[str, ...] = ("part", "status")

    #: The part of the record; the rejects have one of their own, the last.
    part: Any
    # end


def split(
    puzzles: Records,
    parts: Mapping[str, float] | float,
    *,
    # keywords split -weights
    by: Literal["equality", "symmetry", "solution", "minlex"] = "symmetry",
    seed: int | None = 0,
    # end
    threads: int | None = None,
) -> Parts:
    """Divides puzzles into parts, such as training and test set, with nothing equivalent in two.

    ``parts`` has a weight for each name; a number is the share of "test", and the rest is
    "train". A part is chosen by a hash of the canonical form (``by`` "symmetry"), of that of the
    solution, or of the cells ("equality"), and of nothing else: the same for later additions.

    Keywords:

    * ``by``: Compare records by equality, symmetry, solution or minlex.
    * ``seed``: Seed of the split.

    The answer has:

    * ``part``: The part of the record; the rejects have one of their own, the last.
    * ``status``: The status of the record.

    Errors: as `solve`, and ValueError for weights that are none.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> images = augment([puzzle], 5).puzzle
    >>> len(set(split(images, {"train": 80, "valid": 10, "test": 10}).part))
    1
    """
    weights = parts if isinstance(parts, Mapping) else {"train": 1.0 - parts, "test": parts}
    names = [*weights, "rejected"]
    if len(names) > 255:
        raise ValueError("there are to be 1 to 254 parts")
    if "rejected" in weights:
        raise ValueError('the part "rejected" is for records that cannot be compared')
    settings: dict[str, Any] = {
        # settings split -weights
        "by": by,
        "seed": seed,
        # end
        # A text is no weight: `float` would read it.
        "weights": [repr(fsum([weight])) for weight in weights.values()],
    }
    kind, statuses, columns, of_engine = columns_of("split", puzzles, threads, **settings)
    part = of_engine["part"].named(names)
    of_names = {"part": kind.values("part", part), "_types": types_of({"part": part})}
    return Parts(kind, statuses, columns | of_names)


class Traces(Answers):
    """What `trace` returns, for each record.

    The ER is null (in numbers: NaN) where the steps do not fill every cell, with ``search``, and for records without
    exactly one solution. Guesses are null (in numbers: 0) without a search. ``json`` has the steps as JSON text; it is
    null for records without a trace, and with ``pairs``. ``pairs`` is a numpy array of the type int8 and the shape (n, 81, 2),
    with cells from 0, and -1 behind the end. It is None unless it was asked for.
    """

    # columns trace steps=json -pairs status
    _fields: tuple[str, ...] = ("rating", "guesses", "json", "status")

    #: The ER, if the steps fill every cell.
    rating: Any
    #: The guesses of the search.
    guesses: Any
    #: The steps, or the events of the search.
    json: Any
    #: The cells in the order in which they are filled, and their digits.
    pairs: Any = None
    # end
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
    # keywords trace
    search: bool = False,
    proof: bool = False,
    max_guesses: int | None = 10_000,
    boards: bool = False,
    candidates: bool = False,
    up_to: float | None = 11.9,
    max_work: int | None = None,
    pairs: bool = False,
    # end
    threads: int | None = None,
) -> Traces:
    """Records the order in which the cells of puzzles are filled, and why.

    Takes records of any kind (see the module). The steps are those of a
    person who always takes the easiest step, as far as ``up_to`` and ``max_work`` allow, or with
    ``search`` of the reference search up to the solution; with ``proof`` that goes on to its end.
    Each step has ``cell``, ``digit``, ``technique``, ``rating`` and ``struck``: the steps before it
    that strike candidates. ``boards`` and ``candidates`` add the grid and the marks after each
    step. ``pairs`` gives the cells and digits alone, as an array of numpy.

    Keywords:

    * ``search``: Record the reference search up to the solution.
    * ``proof``: Record the search to its end, which shows that there is no other solution.
    * ``max_guesses``: Give up on a puzzle that takes the search more than N guesses.
    * ``boards``: Add the grid after each step: 81 cells.
    * ``candidates``: Add the candidates after each step: 729 characters, nine for each cell.
    * ``up_to``: Take no step with a rating over X: the steps of a puzzle that needs one end before it.
    * ``max_work``: Give up on a puzzle when the searches for its chains have done this work, as rate does.
    * ``pairs``: Give the cells and digits alone, in place of the steps.

    The answer has:

    * ``rating``: The ER, if the steps fill every cell.
    * ``guesses``: The guesses of the search.
    * ``json``: The steps, or the events of the search.
    * ``pairs``: The cells in the order in which they are filled, and their digits.
    * ``status``: The status of the record.

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
    settings: dict[str, Any] = {
        # settings trace
        "search": search,
        "proof": proof,
        "max_guesses": max_guesses,
        "boards": boards,
        "candidates": candidates,
        "up_to": up_to,
        "max_work": max_work,
        "pairs": pairs,
        # end
    }
    kind, statuses, columns, of_engine = columns_of("trace", puzzles, threads, **settings)
    columns["json"], columns["_types"]["json"] = columns.pop("steps", None), "text"
    columns["_steps"] = of_engine.get("steps")
    return Traces(kind, statuses, columns)


class Classes(Answers):
    """What `classes` returns."""

    # columns classes
    _fields: tuple[str, ...] = ("band", "gangster", "automorphisms", "bands", "status")

    #: The least number of its bands and stacks, 1 to 416.
    band: Any
    #: The number of that band's columns, 1 to 44.
    gangster: Any
    #: The number of symmetries that map the grid to itself.
    automorphisms: Any
    #: The numbers of its three bands and three stacks.
    bands: Any
    # end


def classes(
    records: Records,
    *,
    # keywords classes
    # end
    threads: int | None = None,
) -> Classes:
    """Number the bands of solved grids, and count automorphisms.

    Every record is a solved grid. A band is three of its rows that share boxes, or three of its columns (a stack).
    Bands have 416 classes up to symmetry. A class has the number of its smallest band among those of all classes,
    from 1. The number band is the least of the grid's six: that of the first three rows of its canonical form. So
    it is the same for all grids that are equivalent.

    The number gangster, from 1 to 44, is the class of the columns of that band, whatever the order of the digits in
    each column of a box. The number automorphisms is that of the symmetries that map the grid to itself: 1 for
    nearly all grids.

    The answer has:

    * ``band``: The least number of its bands and stacks, 1 to 416.
    * ``gangster``: The number of that band's columns, 1 to 44.
    * ``automorphisms``: The number of symmetries that map the grid to itself.
    * ``bands``: The numbers of its three bands and three stacks.
    * ``status``: The status of the record.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings classes
        # end
    }
    return Classes(*ask("classes", records, threads, **settings))


class Unavoidable(Answers):
    """What `unavoidable` returns."""

    # columns unavoidable
    _fields: tuple[str, ...] = ("unavoidable_count", "clue_bound", "unavoidable", "status")

    #: The number of minimal unavoidable sets of up to so many cells.
    unavoidable_count: Any
    #: The largest number of them without a common cell: each puzzle of the grid has as many clues or more.
    clue_bound: Any
    #: The cells of such sets, or of all sets.
    unavoidable: Any
    # end


def unavoidable(
    records: Records,
    *,
    # keywords unavoidable
    most: int | None = 12,
    list: bool = False,
    # end
    threads: int | None = None,
) -> Unavoidable:
    """Find the minimal unavoidable sets of solved grids.

    Every record is a solved grid. A set of its cells is unavoidable if the digits of all other cells have several
    solutions. So each puzzle with this solution alone has a clue in the set. It is minimal if no part of it is
    unavoidable. All minimal ones of up to a number of cells are found.

    Sets without a common cell need a clue each. So a puzzle of the grid has at least as many clues as the largest
    number of found sets without a common cell. That number is the bound, and such sets are shown, or all found sets
    if they are asked for.

    Keywords:

    * ``most``: Look for sets of up to this many cells.
    * ``list``: Give all sets, and not those of the bound alone.

    The answer has:

    * ``unavoidable_count``: The number of minimal unavoidable sets of up to so many cells.
    * ``clue_bound``: The largest number of them without a common cell: each puzzle of the grid has as many clues or
      more.
    * ``unavoidable``: The cells of such sets, or of all sets.
    * ``status``: The status of the record.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings unavoidable
        "most": most,
        "list": list,
        # end
    }
    return Unavoidable(*ask("unavoidable", records, threads, **settings))


class Expand(Answers):
    """What `expand` returns."""

    # columns expand
    _fields: tuple[str, ...] = ("expanded", "added_clues", "status")

    #: The puzzle with the clues that singles add.
    expanded: Any
    #: The number of clues that singles add.
    added_clues: Any
    # end


def expand(
    records: Records,
    *,
    # keywords expand
    # end
    threads: int | None = None,
) -> Expand:
    """Add every clue that naked and hidden singles give.

    The expanded puzzle has the same solutions. A puzzle that singles solve becomes its solution. A record that is given
    by candidates becomes the candidates that clues and singles leave. A record whose singles contradict each other,
    and a malformed one, has no expanded puzzle.

    The answer has:

    * ``expanded``: The puzzle with the clues that singles add.
    * ``added_clues``: The number of clues that singles add.
    * ``status``: The status of the record.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings expand
        # end
    }
    return Expand(*ask("expand", records, threads, **settings))


class TrueCandidates(Answers):
    """What `true_candidates` returns."""

    # columns true-candidates
    _fields: tuple[str, ...] = ("true_candidates", "candidate_count", "status")

    #: The candidates that occur in a solution.
    true_candidates: Any
    #: The number of these candidates.
    candidate_count: Any
    # end


def true_candidates(
    records: Records,
    *,
    # keywords true-candidates
    # end
    threads: int | None = None,
) -> TrueCandidates:
    """Find the candidates that occur in a solution.

    A candidate is true if the record has a solution with it. So the true candidates are the union of all solutions: a
    puzzle that is given by 729 candidates, and has the same solutions as the record. The true candidates of a
    record with one solution are that solution. A record without a solution has none.

    No list of solutions is made. Each solution that is found marks 81 candidates, and the program asks about the
    others. A puzzle with a million solutions takes no longer than one with fifty.

    The answer has:

    * ``true_candidates``: The candidates that occur in a solution.
    * ``candidate_count``: The number of these candidates.
    * ``status``: The status of the record.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings true-candidates
        # end
    }
    return TrueCandidates(*ask("true-candidates", records, threads, **settings))


class CandidateCounts(Answers):
    """What `candidate_counts` returns."""

    # columns candidate-counts
    _fields: tuple[str, ...] = ("candidate_counts", "status")

    #: The number of solutions that have each digit in each cell.
    candidate_counts: Any
    # end


def candidate_counts(
    records: Records,
    *,
    # keywords candidate-counts
    limit: int | None = 100,
    # end
    threads: int | None = None,
) -> CandidateCounts:
    """Count the solutions that have each candidate.

    A count is the number of solutions of the record that have a digit in a cell. It is exact up to the limit. So the
    counts of a board after some moves say whether it can still be solved, and which digits are right. The digits of
    the only solution have the count 1, and all others 0. A record without a solution has 0 everywhere.

    Text has a word for each of the 81 cells: its digits in solutions, each with its count. 1:3/5:100+ is a cell that
    has 1 in three solutions and 5 in more than a hundred. Without a solution a word is -.

    An array has nine rows of nine cells with nine numbers for each record. A number above the limit, such as 101 for
    the limit 100, says that there are more. A malformed record has -1 everywhere.

    Keywords:

    * ``limit``: Count up to this many solutions of a candidate.

    The answer has:

    * ``candidate_counts``: The number of solutions that have each digit in each cell.
    * ``status``: The status of the record.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings candidate-counts
        "limit": limit,
        # end
    }
    return CandidateCounts(*ask("candidate-counts", records, threads, **settings))


class Minimals(AnswersInRows):
    """What `minimals` returns."""

    # columns minimals
    _fields: tuple[str, ...] = ("record", "minimal", "number", "limited")

    #: The number of the record, from 0.
    record: Any
    #: A minimal puzzle inside the record.
    minimal: Any
    #: Its number among those of the record, from 1.
    number: Any
    #: Whether it is the last one that the limit allows, and the record has more.
    limited: Any
    #: Whether the record has more rows than the limit: a value for each record.
    more: Any
    # end


def minimals(
    records: Records,
    *,
    # keywords minimals
    limit: int | None = 1000,
    # end
    threads: int | None = None,
) -> Minimals:
    """List the minimal puzzles inside puzzles.

    A puzzle inside a record has some of its clues, and its only solution. It is minimal if it has several solutions
    once any clue goes. The puzzles of a record come in the order of their texts, where a blank comes before any
    digit. A record without exactly one solution has none. A record that is given by candidates stands for its
    clues.

    Keywords:

    * ``limit``: List up to this many minimal puzzles of a record, the first ones; 0 is all of them.

    The answer has:

    * ``record``: The number of the record, from 0.
    * ``minimal``: A minimal puzzle inside the record.
    * ``number``: Its number among those of the record, from 1.
    * ``limited``: Whether it is the last one that the limit allows, and the record has more.
    * ``status``: The status of the record: a value for each record, and not for each row.
    * ``more``: Whether the record has more rows than the limit: a value for each record.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings minimals
        "limit": limit,
        # end
    }
    return Minimals(*ask("minimals", records, threads, **settings))


class Backdoors(Answers):
    """What `backdoors` returns."""

    # columns backdoors
    _fields: tuple[str, ...] = ("backdoor_size", "backdoor_count", "backdoor", "status")

    #: The number of cells of the smallest backdoors; nothing if they have more than are looked for.
    backdoor_size: Any
    #: The number of backdoors of this size.
    backdoor_count: Any
    #: The cells of the first of them, or of all; nothing where singles solve the puzzle.
    backdoor: Any
    # end


def backdoors(
    records: Records,
    *,
    # keywords backdoors
    most: int | None = 3,
    up_to: float | None = None,
    list: bool = False,
    # end
    threads: int | None = None,
) -> Backdoors:
    """Find the fewest cells whose digits leave only singles.

    A backdoor is a set of blank cells. With the digits that they have in the solution, naked and hidden singles solve
    the puzzle. The size of the smallest says how many good guesses a puzzle takes: 0 for a puzzle that singles
    solve, and 1 or 2 for nearly all others. If a rating is given, all steps up to it may solve the rest.

    Of the sets of the smallest size, the first is given, in the order of their cells. Cells stand as r1c2, with +
    between the cells of a set. A record without one solution has no backdoor.

    Keywords:

    * ``most``: Look for sets of up to this many cells.
    * ``up_to``: Take all steps with a rating up to X, and not singles alone.
    * ``list``: Give all sets of the smallest size, and not the first alone.

    The answer has:

    * ``backdoor_size``: The number of cells of the smallest backdoors; nothing if they have more than are looked for.
    * ``backdoor_count``: The number of backdoors of this size.
    * ``backdoor``: The cells of the first of them, or of all; nothing where singles solve the puzzle.
    * ``status``: The status of the record.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings backdoors
        "most": most,
        "up_to": up_to,
        "list": list,
        # end
    }
    return Backdoors(*ask("backdoors", records, threads, **settings))


class Features(Answers):
    """What `features` returns."""

    # columns features
    _fields: tuple[str, ...] = (
        "row_1", "row_2", "row_3", "row_4", "row_5", "row_6", "row_7", "row_8", "row_9", "column_1", "column_2",
        "column_3", "column_4", "column_5", "column_6", "column_7", "column_8", "column_9", "box_1", "box_2", "box_3",
        "box_4", "box_5", "box_6", "box_7", "box_8", "box_9", "digit_1", "digit_2", "digit_3", "digit_4", "digit_5",
        "digit_6", "digit_7", "digit_8", "digit_9", "rotate180", "rotate90", "horizontal", "vertical", "diagonal",
        "after_naked_singles", "after_singles", "candidates_left", "pattern_automorphisms", "status",
    )

    #: The number of clues of row 1.
    row_1: Any
    #: The number of clues of row 2.
    row_2: Any
    #: The number of clues of row 3.
    row_3: Any
    #: The number of clues of row 4.
    row_4: Any
    #: The number of clues of row 5.
    row_5: Any
    #: The number of clues of row 6.
    row_6: Any
    #: The number of clues of row 7.
    row_7: Any
    #: The number of clues of row 8.
    row_8: Any
    #: The number of clues of row 9.
    row_9: Any
    #: The number of clues of column 1.
    column_1: Any
    #: The number of clues of column 2.
    column_2: Any
    #: The number of clues of column 3.
    column_3: Any
    #: The number of clues of column 4.
    column_4: Any
    #: The number of clues of column 5.
    column_5: Any
    #: The number of clues of column 6.
    column_6: Any
    #: The number of clues of column 7.
    column_7: Any
    #: The number of clues of column 8.
    column_8: Any
    #: The number of clues of column 9.
    column_9: Any
    #: The number of clues of box 1.
    box_1: Any
    #: The number of clues of box 2.
    box_2: Any
    #: The number of clues of box 3.
    box_3: Any
    #: The number of clues of box 4.
    box_4: Any
    #: The number of clues of box 5.
    box_5: Any
    #: The number of clues of box 6.
    box_6: Any
    #: The number of clues of box 7.
    box_7: Any
    #: The number of clues of box 8.
    box_8: Any
    #: The number of clues of box 9.
    box_9: Any
    #: The number of clues of digit 1.
    digit_1: Any
    #: The number of clues of digit 2.
    digit_2: Any
    #: The number of clues of digit 3.
    digit_3: Any
    #: The number of clues of digit 4.
    digit_4: Any
    #: The number of clues of digit 5.
    digit_5: Any
    #: The number of clues of digit 6.
    digit_6: Any
    #: The number of clues of digit 7.
    digit_7: Any
    #: The number of clues of digit 8.
    digit_8: Any
    #: The number of clues of digit 9.
    digit_9: Any
    #: The pattern stays when it is turned by half a turn.
    rotate180: Any
    #: The pattern stays when it is turned by a quarter turn.
    rotate90: Any
    #: The lower half mirrors the upper half.
    horizontal: Any
    #: The right half mirrors the left half.
    vertical: Any
    #: The pattern stays when rows and columns change places.
    diagonal: Any
    #: The number of filled cells where naked singles lead no further.
    after_naked_singles: Any
    #: The number of filled cells where naked and hidden singles lead no further.
    after_singles: Any
    #: The number of candidates of the other cells then.
    candidates_left: Any
    #: The number of symmetries that map the cells of the clues to themselves.
    pattern_automorphisms: Any
    # end


def features(
    records: Records,
    *,
    # keywords features
    # end
    threads: int | None = None,
) -> Features:
    """Count the clues of rows, columns, boxes and digits, and how far singles lead.

    Each number is a column: 36 numbers of clues, the symmetries of the pattern of clues, the cells that are filled once
    naked singles, and once naked and hidden singles lead no further, and the candidates of the others then. A row
    of numbers is a vector of features for statistics and for training.

    The pattern of clues has as many automorphisms as there are orders of rows and columns, perhaps with a
    transposition, that map it to itself, whatever its digits are: 1 for most.

    A record without a solution has no numbers of singles. One that is given by candidates stands for its clues, and
    singles begin with its candidates.

    The answer has:

    * ``row_1``: The number of clues of row 1.
    * ``row_2``: The number of clues of row 2.
    * ``row_3``: The number of clues of row 3.
    * ``row_4``: The number of clues of row 4.
    * ``row_5``: The number of clues of row 5.
    * ``row_6``: The number of clues of row 6.
    * ``row_7``: The number of clues of row 7.
    * ``row_8``: The number of clues of row 8.
    * ``row_9``: The number of clues of row 9.
    * ``column_1``: The number of clues of column 1.
    * ``column_2``: The number of clues of column 2.
    * ``column_3``: The number of clues of column 3.
    * ``column_4``: The number of clues of column 4.
    * ``column_5``: The number of clues of column 5.
    * ``column_6``: The number of clues of column 6.
    * ``column_7``: The number of clues of column 7.
    * ``column_8``: The number of clues of column 8.
    * ``column_9``: The number of clues of column 9.
    * ``box_1``: The number of clues of box 1.
    * ``box_2``: The number of clues of box 2.
    * ``box_3``: The number of clues of box 3.
    * ``box_4``: The number of clues of box 4.
    * ``box_5``: The number of clues of box 5.
    * ``box_6``: The number of clues of box 6.
    * ``box_7``: The number of clues of box 7.
    * ``box_8``: The number of clues of box 8.
    * ``box_9``: The number of clues of box 9.
    * ``digit_1``: The number of clues of digit 1.
    * ``digit_2``: The number of clues of digit 2.
    * ``digit_3``: The number of clues of digit 3.
    * ``digit_4``: The number of clues of digit 4.
    * ``digit_5``: The number of clues of digit 5.
    * ``digit_6``: The number of clues of digit 6.
    * ``digit_7``: The number of clues of digit 7.
    * ``digit_8``: The number of clues of digit 8.
    * ``digit_9``: The number of clues of digit 9.
    * ``rotate180``: The pattern stays when it is turned by half a turn.
    * ``rotate90``: The pattern stays when it is turned by a quarter turn.
    * ``horizontal``: The lower half mirrors the upper half.
    * ``vertical``: The right half mirrors the left half.
    * ``diagonal``: The pattern stays when rows and columns change places.
    * ``after_naked_singles``: The number of filled cells where naked singles lead no further.
    * ``after_singles``: The number of filled cells where naked and hidden singles lead no further.
    * ``candidates_left``: The number of candidates of the other cells then.
    * ``pattern_automorphisms``: The number of symmetries that map the cells of the clues to themselves.
    * ``status``: The status of the record.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings features
        # end
    }
    return Features(*ask("features", records, threads, **settings))


class TraceSteps(AnswersInRows):
    """What `trace_steps` returns."""

    # columns trace-steps
    _fields: tuple[str, ...] = (
        "record", "step", "cell", "digit", "technique", "house", "depth", "rating", "cells", "digits", "strikes",
        "board", "candidates",
    )

    #: The number of the record, from 0.
    record: Any
    #: The number of the step, from 1.
    step: Any
    #: The cell that is filled.
    cell: Any
    #: Its digit.
    digit: Any
    #: The technique, or the event of a search.
    technique: Any
    #: The house that has no place for the digit.
    house: Any
    #: The number of guesses that stand.
    depth: Any
    #: The rating of the step.
    rating: Any
    #: The cells of the pattern.
    cells: Any
    #: The digits of the pattern.
    digits: Any
    #: The candidates that go.
    strikes: Any
    #: The grid after the step.
    board: Any
    #: The candidates after the step.
    candidates: Any
    # end


def trace_steps(
    records: Records,
    *,
    # keywords trace-steps
    search: bool = False,
    proof: bool = False,
    max_guesses: int | None = 10_000,
    boards: bool = False,
    candidates: bool = False,
    up_to: float | None = 11.9,
    max_work: int | None = None,
    pairs: bool = False,
    # end
    threads: int | None = None,
) -> TraceSteps:
    """List the steps of each puzzle in the order in which its cells are filled.

    The steps are those of trace. A record without steps has no row.

    Keywords:

    * ``search``: Record the reference search up to the solution.
    * ``proof``: Record the search to its end, which shows that there is no other solution.
    * ``max_guesses``: Give up on a puzzle that takes the search more than N guesses.
    * ``boards``: Add the grid after each step: 81 cells.
    * ``candidates``: Add the candidates after each step: 729 characters, nine for each cell.
    * ``up_to``: Take no step with a rating over X: the steps of a puzzle that needs one end before it.
    * ``max_work``: Give up on a puzzle when the searches for its chains have done this work, as rate does.
    * ``pairs``: Give the cells and digits alone, in place of the steps.

    The answer has:

    * ``record``: The number of the record, from 0.
    * ``step``: The number of the step, from 1.
    * ``cell``: The cell that is filled.
    * ``digit``: Its digit.
    * ``technique``: The technique, or the event of a search.
    * ``house``: The house that has no place for the digit.
    * ``depth``: The number of guesses that stand.
    * ``rating``: The rating of the step.
    * ``cells``: The cells of the pattern.
    * ``digits``: The digits of the pattern.
    * ``strikes``: The candidates that go.
    * ``board``: The grid after the step.
    * ``candidates``: The candidates after the step.
    * ``status``: The status of the record: a value for each record, and not for each row.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings trace-steps
        "search": search,
        "proof": proof,
        "max_guesses": max_guesses,
        "boards": boards,
        "candidates": candidates,
        "up_to": up_to,
        "max_work": max_work,
        "pairs": pairs,
        # end
    }
    return TraceSteps(*ask("trace-steps", records, threads, **settings))


class Drills(AnswersInRows):
    """What `drills` returns."""

    # columns drills
    _fields: tuple[str, ...] = (
        "record", "relative", "step", "technique", "rating", "grid", "candidates", "cells", "digits", "places",
        "strikes", "words",
    )

    #: The number of the record, from 0.
    record: Any
    #: The relative of the record that the step belongs to; nothing for a step of the record itself.
    relative: Any
    #: The number of the step on the path, from 1.
    step: Any
    #: The technique of the step.
    technique: Any
    #: The rating of the step.
    rating: Any
    #: The filled cells.
    grid: Any
    #: The candidates: nine characters for each cell, a filled one has its digit alone.
    candidates: Any
    #: The cells of the pattern.
    cells: Any
    #: The digits of the pattern.
    digits: Any
    #: The cell that is filled, and its digit.
    places: Any
    #: The candidates that go.
    strikes: Any
    #: The step in words.
    words: Any
    # end


def drills(
    records: Records,
    *,
    # keywords drills
    technique: str | Sequence[str] | None = None,
    up_to: float | None = 11.9,
    relatives: int | None = 0,
    max_work: int | None = None,
    # end
    threads: int | None = None,
) -> Drills:
    """List the positions just before a step, with the step as the answer.

    The steps are those of a person who always takes the first of the easiest steps, as rate explains them. So no easier
    step is in sight in a position. Each position is a row: the number and technique of its step, the grid, the
    candidates, and the answer. A record without exactly one solution has no row.

    Keywords:

    * ``technique``: List only steps of these techniques: X-wing.
    * ``up_to``: Take no step with a rating over X: the path of a harder puzzle ends before it.
    * ``relatives``: Search relatives of each record too: up to N, each with a drill, for each technique of its path.
    * ``max_work``: Give up on a puzzle when the searches for its chains have done this work, as rate does.

    The answer has:

    * ``record``: The number of the record, from 0.
    * ``relative``: The relative of the record that the step belongs to; nothing for a step of the record itself.
    * ``step``: The number of the step on the path, from 1.
    * ``technique``: The technique of the step.
    * ``rating``: The rating of the step.
    * ``grid``: The filled cells.
    * ``candidates``: The candidates: nine characters for each cell, a filled one has its digit alone.
    * ``cells``: The cells of the pattern.
    * ``digits``: The digits of the pattern.
    * ``places``: The cell that is filled, and its digit.
    * ``strikes``: The candidates that go.
    * ``words``: The step in words.
    * ``status``: The status of the record: a value for each record, and not for each row.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings drills
        "technique": technique,
        "up_to": up_to,
        "relatives": relatives,
        "max_work": max_work,
        # end
    }
    return Drills(*ask("drills", records, threads, **settings))


class Near(AnswersInRows):
    """What `near` returns."""

    # columns near
    _fields: tuple[str, ...] = ("record", "near", "number", "limited")

    #: The number of the record, from 0.
    record: Any
    #: A puzzle near the record.
    near: Any
    #: Its number among those of the record, from 1.
    number: Any
    #: Whether it is the last one that the limit allows, and the record has more.
    limited: Any
    #: Whether the record has more rows than the limit: a value for each record.
    more: Any
    # end


def near(
    records: Records,
    *,
    # keywords near
    drop: int | None = 1,
    add: int | None = 1,
    minimal: bool = False,
    limit: int | None = 0,
    max_sets: int | None = 100_000,
    # end
    threads: int | None = None,
) -> Near:
    """List the puzzles that differ from a puzzle in a few clues.

    A neighbour has one solution, and comes from a record when exactly `drop` of its clues go and `add` others come. A
    clue that comes stands in a blank cell, or has another digit in the cell of a clue that went. Every neighbour of
    a record comes once, in the order of the clues that went, and then of those that came. A record may have any
    number of solutions. A record that is given by candidates stands for its clues.

    Keywords:

    * ``drop``: Take this number of clues out of a record.
    * ``add``: Put this number of other clues in.
    * ``minimal``: List only minimal neighbours: each clue is needed.
    * ``limit``: List up to this many neighbours of a record, the first ones; 0 is all of them.
    * ``max_sets``: Take at most this many sets of clues out of a record, the first ones.

    The answer has:

    * ``record``: The number of the record, from 0.
    * ``near``: A puzzle near the record.
    * ``number``: Its number among those of the record, from 1.
    * ``limited``: Whether it is the last one that the limit allows, and the record has more.
    * ``status``: The status of the record: a value for each record, and not for each row.
    * ``more``: Whether the record has more rows than the limit: a value for each record.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings near
        "drop": drop,
        "add": add,
        "minimal": minimal,
        "limit": limit,
        "max_sets": max_sets,
        # end
    }
    return Near(*ask("near", records, threads, **settings))


class Explain(AnswersInRows):
    """What `explain` returns."""

    # columns explain
    _fields: tuple[str, ...] = (
        "record", "step", "rating", "technique", "cells", "digits", "places", "strikes", "chains", "words",
    )

    #: The number of the record, from 0.
    record: Any
    #: The number of the step, from 1.
    step: Any
    #: The rating of the step.
    rating: Any
    #: The technique of the step.
    technique: Any
    #: The cells of the pattern.
    cells: Any
    #: The digits of the pattern.
    digits: Any
    #: The cell that is filled, and its digit.
    places: Any
    #: The candidates that go.
    strikes: Any
    #: The chains.
    chains: Any
    #: The step in words, or why there is no further one.
    words: Any
    # end


def explain(
    records: Records,
    *,
    # keywords explain
    up_to: float | None = 11.9,
    max_work: int | None = None,
    without: str | Sequence[str] | None = None,
    # end
    threads: int | None = None,
) -> Explain:
    """List the steps of each puzzle, and why each holds.

    The steps are those of a person who always takes the first of the easiest steps. Together they give the ratings of
    rate. A record without exactly one solution has no row, and neither has a solved grid.

    Keywords:

    * ``up_to``: Take no step with a rating over X: the steps of a harder puzzle end before it.
    * ``max_work``: Give up on a puzzle when the searches for its chains have done this work, as rate does.
    * ``without``: Take no step of these techniques.

    The answer has:

    * ``record``: The number of the record, from 0.
    * ``step``: The number of the step, from 1.
    * ``rating``: The rating of the step.
    * ``technique``: The technique of the step.
    * ``cells``: The cells of the pattern.
    * ``digits``: The digits of the pattern.
    * ``places``: The cell that is filled, and its digit.
    * ``strikes``: The candidates that go.
    * ``chains``: The chains.
    * ``words``: The step in words, or why there is no further one.
    * ``status``: The status of the record: a value for each record, and not for each row.

    Errors: as `solve`.

    >>> explained = explain(["....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.", "x"])
    >>> len(explained.step), explained.technique[0], explained.words[0]
    (60, 'hidden single in a box', 'In box 1, 7 fits only in r1c1.')
    """
    settings: dict[str, Any] = {
        # settings explain
        "up_to": up_to,
        "max_work": max_work,
        "without": without,
        # end
    }
    return Explain(*ask("explain", records, threads, **settings))


class Patterns(Answers):
    """What `patterns` returns."""

    # columns patterns
    _fields: tuple[str, ...] = ("pattern", "status")

    #: The canonical form of the pattern: x for a clue, and a dot for another cell.
    pattern: Any
    # end


def patterns(
    records: Records,
    *,
    # keywords patterns
    # end
    threads: int | None = None,
) -> Patterns:
    """Put the patterns of clues into canonical form.

    Two patterns are equivalent if an order of the rows and columns that keeps bands and stacks, perhaps with a
    transposition, makes one of the other. The canonical form is the equivalent pattern whose text comes last: its
    first row has as many clues as any, as far to the left as can be. Digits do not matter, nor does the number of
    solutions. A record that is given by candidates stands for its clues.

    The answer has:

    * ``pattern``: The canonical form of the pattern: x for a clue, and a dot for another cell.
    * ``status``: The status of the record.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings patterns
        # end
    }
    return Patterns(*ask("patterns", records, threads, **settings))


class Filter(Answers):
    """What `filter` returns, for each record."""

    # columns filter
    _fields: tuple[str, ...] = ("kept", "er", "technique", "te", "status")

    #: Whether the record meets all conditions.
    kept: Any
    #: The rating of the hardest step, where it was asked for.
    er: Any
    #: The technique of the hardest step.
    technique: Any
    #: The depth of trial and error, where it was asked for.
    te: Any
    # end


def filter(
    records: Records,
    *,
    # keywords filter
    status: str | Sequence[str] | None = None,
    clues: Range | None = None,
    difficulty: str | Sequence[str] | None = None,
    rating: float | Sequence[float | None] | None = None,
    te: Range | None = None,
    hardest: str | Sequence[str] | None = None,
    contains: str | Sequence[str] | None = None,
    first_hard: str | Sequence[str] | None = None,
    only: str | Sequence[str] | None = None,
    steps: Range | None = None,
    guesses: Range | None = None,
    minimal: bool = False,
    symmetry: str | Sequence[str] | None = None,
    invert: bool = False,
    ratings: bool = False,
    # end
    threads: int | None = None,
) -> Filter:
    """Says which records meet all conditions.

    A range is a pair: ``(22, 26)``, ``(None, 26)`` or ``(22, None)``. A condition that is not given is none. A malformed
    record meets no condition but the status malformed.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> filter([puzzle, "." * 81, "11"], status="unique", clues=(None, 26)).kept
    [True, False, False]
    >>> found = filter([puzzle], rating=(4.0, None), ratings=True)
    >>> found.kept, found.er
    ([True], [4.5])

    Keywords:

    * ``status``: Keep records with these statuses, such as unique.
    * ``clues``: Keep records with this many clues.
    * ``difficulty``: Keep puzzles of these difficulties.
    * ``rating``: Keep puzzles with this ER, as `rate` gives it.
    * ``te``: Keep puzzles of this depth of trial and error.
    * ``hardest``: Keep puzzles whose hardest step is this: X-wing.
    * ``contains``: Keep puzzles with a step of one of these techniques.
    * ``first_hard``: Keep puzzles whose first hard step is this.
    * ``only``: Keep puzzles that these techniques solve.
    * ``steps``: Keep puzzles with this many hard steps.
    * ``guesses``: Keep puzzles by guesses of the reference search.
    * ``minimal``: Keep only minimal puzzles: each clue is needed.
    * ``symmetry``: Keep symmetric puzzles.
    * ``invert``: Keep the records that would be left out instead.
    * ``ratings``: Add the columns er and technique. Records that fail a quicker condition have nothing there.

    The answer has:

    * ``kept``: Whether the record meets all conditions.
    * ``er``: The rating of the hardest step, where it was asked for.
    * ``technique``: The technique of the hardest step.
    * ``te``: The depth of trial and error, where it was asked for.
    * ``status``: The status of the record.

    Errors: as `solve`.
    """
    settings: dict[str, Any] = {
        # settings filter
        "status": status,
        "clues": clues,
        "difficulty": difficulty,
        "rating": rating,
        "te": te,
        "hardest": hardest,
        "contains": contains,
        "first_hard": first_hard,
        "only": only,
        "steps": steps,
        "guesses": guesses,
        "minimal": minimal,
        "symmetry": symmetry,
        "invert": invert,
        "ratings": ratings,
        # end
    }
    return Filter(*ask("filter", records, threads, **settings))


def stats(
    records: Records,
    *,
    # keywords stats
    up_to: float | None = 11.9,
    # end
    threads: int | None = None,
) -> dict[str, Any]:
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

    Keywords:

    * ``up_to``: Take no step with a rating over X: harder puzzles have no rating.

    Errors: as `solve`.

    >>> found = stats(["....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.", "x"])
    >>> found["statuses"], found["clues"], found["ratings"]
    ({'unique': 1, 'malformed': 1}, {24: 1}, {2.6: 1})
    """
    settings: dict[str, Any] = {
        # settings stats
        "up_to": up_to,
        # end
    }
    return _engine.stats(kind_of(records).records, texts_of("stats", settings), thread_count(threads))
