"""What `_questions.py` makes of the definitions. `python/tests/test_types.py` writes this file."""

from typing import Any

from ._answers import Answers
from ._kinds import Records

__all__ = [
    "Classes",
    "classes",
    "Unavoidable",
    "unavoidable",
    "Expand",
    "expand",
    "TrueCandidates",
    "true_candidates",
    "CandidateCounts",
    "candidate_counts",
    "Minimals",
    "minimals",
    "Backdoors",
    "backdoors",
    "Features",
    "features",
    "TraceSteps",
    "trace_steps",
    "Drills",
    "drills",
    "Near",
    "near",
]


class Classes(Answers):
    """What `classes` returns."""

    #: The least number of its bands and stacks, 1 to 416.
    band: Any
    #: The number of that band's columns, 1 to 44.
    gangster: Any
    #: The number of symmetries that map the grid to itself.
    automorphisms: Any
    #: The numbers of its three bands and three stacks.
    bands: Any

def classes(
    records: Records,
    *,
    threads: int | None = None,
) -> Classes:
    """Number the bands of solved grids, and count automorphisms."""


class Unavoidable(Answers):
    """What `unavoidable` returns."""

    #: The number of minimal unavoidable sets of up to so many cells.
    unavoidable_count: Any
    #: The largest number of them without a common cell: each puzzle of the grid has as many clues or more.
    clue_bound: Any
    #: The cells of such sets, or of all sets.
    unavoidable: Any

def unavoidable(
    records: Records,
    *,
    most: int | None = 12,
    list: bool = False,
    threads: int | None = None,
) -> Unavoidable:
    """Find the minimal unavoidable sets of solved grids."""


class Expand(Answers):
    """What `expand` returns."""

    #: The puzzle with the clues that singles add.
    expanded: Any
    #: The number of clues that singles add.
    added_clues: Any

def expand(
    records: Records,
    *,
    threads: int | None = None,
) -> Expand:
    """Add every clue that naked and hidden singles give."""


class TrueCandidates(Answers):
    """What `true_candidates` returns."""

    #: The candidates that occur in a solution.
    true_candidates: Any
    #: The number of these candidates.
    candidate_count: Any

def true_candidates(
    records: Records,
    *,
    threads: int | None = None,
) -> TrueCandidates:
    """Find the candidates that occur in a solution."""


class CandidateCounts(Answers):
    """What `candidate_counts` returns."""

    #: The number of solutions that have each digit in each cell.
    candidate_counts: Any
    #: Whether the record has more rows than the limit: a value for each record.
    more: Any

def candidate_counts(
    records: Records,
    *,
    limit: int | None = 100,
    threads: int | None = None,
) -> CandidateCounts:
    """Count the solutions that have each candidate."""


class Minimals(Answers):
    """What `minimals` returns."""

    #: The number of the record.
    record: Any
    #: A minimal puzzle inside the record.
    minimal: Any
    #: Its number among those of the record, from 1.
    number: Any
    #: Whether it is the last one that the limit allows, and the record has more.
    limited: Any
    #: Whether the record has more rows than the limit: a value for each record.
    more: Any

def minimals(
    records: Records,
    *,
    limit: int | None = 1000,
    threads: int | None = None,
) -> Minimals:
    """List the minimal puzzles inside puzzles."""


class Counts:
    """The columns of `rate` with ``counts``. Each is None without."""

    last_cell: Any
    hidden_single_in_a_box: Any
    hidden_single_in_a_line: Any
    direct_pointing: Any
    direct_claiming: Any
    direct_hidden_pair: Any
    naked_single: Any
    direct_hidden_triplet: Any
    pointing: Any
    claiming: Any
    naked_pair: Any
    x_wing: Any
    hidden_pair: Any
    naked_triplet: Any
    swordfish: Any
    hidden_triplet: Any
    xy_wing: Any
    xyz_wing: Any
    unique_rectangle_type_1: Any
    unique_rectangle_type_2: Any
    unique_rectangle_type_3: Any
    unique_rectangle_type_4: Any
    unique_loop_type_1: Any
    unique_loop_type_2: Any
    unique_loop_type_3: Any
    unique_loop_type_4: Any
    naked_quad: Any
    jellyfish: Any
    hidden_quad: Any
    bug_type_1: Any
    bug_type_2: Any
    bug_type_4: Any
    bug_type_3: Any
    aligned_pair_exclusion: Any
    x_cycle: Any
    y_cycle: Any
    x_chain: Any
    xy_cycle: Any
    xy_chain: Any
    aligned_triplet_exclusion: Any
    nishio: Any
    cell_forcing_chains: Any
    house_forcing_chains: Any
    dynamic_forcing_chains: Any
    dynamic_forcing_chains_plus: Any
    nested_forcing_chains_level_2: Any
    nested_forcing_chains_level_3: Any
    nested_forcing_chains_level_4: Any
    nested_forcing_chains_level_5: Any
    clues_after_singles: Any


class Backdoors(Answers):
    """What `backdoors` returns."""

    #: The number of cells of the smallest backdoors; nothing if they have more than are looked for.
    backdoor_size: Any
    #: The number of backdoors of this size.
    backdoor_count: Any
    #: The cells of the first of them, or of all; nothing where singles solve the puzzle.
    backdoor: Any

def backdoors(
    records: Records,
    *,
    most: int | None = 3,
    up_to: float | None = None,
    list: bool = False,
    threads: int | None = None,
) -> Backdoors:
    """Find the fewest cells whose digits leave only singles."""


class Features(Answers):
    """What `features` returns."""

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

def features(
    records: Records,
    *,
    threads: int | None = None,
) -> Features:
    """Count the clues of rows, columns, boxes and digits, and how far singles lead."""


class TraceSteps(Answers):
    """What `trace_steps` returns."""

    #: The number of the record.
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

def trace_steps(
    records: Records,
    *,
    search: bool = False,
    proof: bool = False,
    max_guesses: int | None = 10000,
    boards: bool = False,
    candidates: bool = False,
    up_to: float | None = 11.9,
    max_work: int | None = None,
    pairs: bool = False,
    threads: int | None = None,
) -> TraceSteps:
    """List the steps of each puzzle in the order in which its cells are filled."""


class Drills(Answers):
    """What `drills` returns."""

    #: The number of the record.
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

def drills(
    records: Records,
    *,
    technique: str | None = None,
    up_to: float | None = 11.9,
    relatives: int | None = 0,
    max_work: int | None = None,
    threads: int | None = None,
) -> Drills:
    """List the positions just before a step, with the step as the answer."""


class Near(Answers):
    """What `near` returns."""

    #: The number of the record.
    record: Any
    #: A puzzle near the record.
    near: Any
    #: Its number among those of the record, from 1.
    number: Any
    #: Whether it is the last one that the limit allows, and the record has more.
    limited: Any
    #: Whether the record has more rows than the limit: a value for each record.
    more: Any

def near(
    records: Records,
    *,
    drop: int | None = 1,
    add: int | None = 1,
    minimal: bool = False,
    limit: int | None = 0,
    max_sets: int | None = 100000,
    threads: int | None = None,
) -> Near:
    """List the puzzles that differ from a puzzle in a few clues."""
