"""For language models: prompts with their answers, and rewards for what a model writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import index
from typing import Any, Literal, TypeAlias

from . import _engine

#: Which grid of a text counts.
Extract: TypeAlias = Literal["last", "first", "only"]

#: The ways to earn a reward.
Reward: TypeAlias = Literal["solved", "blanks"]

#: The usual question.
_TEMPLATE = """\
Solve this Sudoku puzzle. A {blank} stands for a blank cell.

{grid}

End your answer with the solved grid: nine lines of nine digits with spaces between."""

#: The values that a placeholder can stand for, and whether each has 81 cells.
_COLUMNS = [("index", False), ("puzzle", True), ("solution", True), ("clues", False), ("blank", False)]


class Prompts:
    """Prompts by their numbers, with their answers: a data set without a file.

    It has a length and items, and scores answers, as the data sets of reasoning-gym do. Item i is a dict:

    * ``question``: the text of the ``template``, with its placeholders filled in: `{puzzle}`, `{grid}`, `{table}`
      and the like, which the page `docs/training.md` lists, and `{blank}`;
    * ``answer``: the solution, nine lines with spaces;
    * ``metadata``: ``puzzle`` and ``solution`` (81 cells each), ``clues``, ``source_dataset``, ``source_index``.

    The puzzles are those of `puzzles` with the same seed and ``wanted``, which are its keywords. Item i depends
    on the seed, i and what is wanted alone. A puzzle that cannot be made raises LookupError.

    Errors: ValueError for a placeholder that stands for nothing, and those of `puzzles`.

    >>> prompts = Prompts(1000, seed=7, clues=(30, 34), template="Solve: {puzzle}")
    >>> entry = prompts[5]
    >>> entry["question"] == "Solve: " + entry["metadata"]["puzzle"]
    True
    >>> prompts.score_answer("It is\\n" + entry["answer"] + "\\nas you can check.", entry)
    1.0
    >>> prompts.score_answer(entry["metadata"]["puzzle"], entry), prompts.score_answer(None, entry)
    (0.0, 0.0)
    """

    def __init__(
        self,
        n: int,
        *,
        seed: int = 0,
        template: str = _TEMPLATE,
        blank: Literal[".", "0"] = ".",
        extract: Extract = "last",
        reward: Reward = "solved",
        **wanted: Any,
    ) -> None:
        if index(n) < 0:
            raise ValueError(f"n is a whole number of at least 0, not {n}")
        if blank not in (".", "0"):
            raise ValueError(f"blank is '.' or '0', not {blank!r}")
        for name in {"n", "start", "kind", "threads"} & wanted.keys():
            raise TypeError(f"Prompts() has no keyword {name}")
        self._n, self._seed, self._blank, self._wanted = index(n), seed, blank, wanted
        self._template = _engine.Template(template, _COLUMNS)
        self._answer = _engine.Template("{grid}", _COLUMNS[2:3])
        self._how = {"extract": extract, "reward": reward}
        self._make(0, 0)
        self._score("", "." * 81)

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, i: int) -> dict[str, Any]:
        """Item i; negative numbers count from the end. IndexError: there is none."""
        number = index(i) + (self._n if i < 0 else 0)
        if not 0 <= number < self._n:
            raise IndexError(f"there is no item {i} of {self._n}")
        return self._make(number, 1)[0]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        # Many at once take less time each.
        for first in range(0, self._n, _AT_ONCE):
            yield from self._make(first, min(_AT_ONCE, self._n - first))

    def _make(self, first: int, count: int) -> list[dict[str, Any]]:
        from . import puzzles

        made = puzzles(count, seed=self._seed, start=first, threads=1 if count < 64 else None, **self._wanted)
        rows = zip(range(first, first + count), made.puzzle, made.solution, made.clues, strict=True)
        return [self._item(*row) for row in rows]

    def _item(self, number: int, puzzle: str | None, solution: str, clues: int) -> dict[str, Any]:
        if puzzle is None:
            raise LookupError(f"puzzle {number} could not be made: 200 grids do not lead to what is wanted")
        puzzle = puzzle.replace(".", self._blank)
        return {
            "question": self._template.fill([str(number), puzzle, solution, str(clues), self._blank]),
            "answer": self._answer.fill([solution]),
            "metadata": {
                "source_dataset": "sudoku-batch",
                "source_index": number,
                "puzzle": puzzle,
                "solution": solution,
                "clues": clues,
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """The reward, from 0 to 1, of a text that answers an item."""
        return self._score(answer, entry["metadata"]["puzzle"])

    def _score(self, answer: str | None, puzzle: str) -> float:
        return rewards([puzzle], [answer], threads=1, **self._how)[0]


#: How many items are made at a time where all are wanted.
_AT_ONCE = 1024


def rewards(puzzles: Sequence[Any], texts: Sequence[Any], **settings: Any) -> list[float]:
    """The rewards of texts for puzzles. ValueError: a puzzle is malformed."""
    from . import score

    scored = score(list(puzzles), list(texts), **settings)
    for number, reward in enumerate(scored.reward):
        if reward is None:
            raise ValueError(f"item {number} has no puzzle: {puzzles[number]!r} is malformed")
    found: list[float] = scored.reward
    return found


def text_of(completion: Any) -> str | None:
    """The text of a completion: a str, or the last of some chat messages, whose content may have parts."""
    if isinstance(completion, (list, tuple)):
        if not completion:
            return None
        content = completion[-1]["content"]
        if isinstance(content, (list, tuple)):
            return "\n".join(part["text"] for part in content if "text" in part)
        completion = content
    if completion is None or isinstance(completion, str):
        return completion
    raise TypeError(f"a completion is a str or a list of chat messages, not {type(completion).__name__}")


def solved_reward(prompts: Any, completions: Sequence[Any], *, puzzle: Sequence[str], **columns: Any) -> list[float]:
    """A reward function for the GRPO of TRL: 1 for each completion that solves its puzzle, otherwise 0.

    The data set has a column ``puzzle``, which the trainer hands over. Completions are str or chat messages. The
    last grid of each counts.

    Errors: ValueError where a puzzle is malformed.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> solution = "496528713875143692132967854314289576729654381568731429687492135943815267251376948"
    >>> answers = [f"So it is {solution}.", [{"role": "assistant", "content": puzzle}]]
    >>> solved_reward(["…", "…"], answers, puzzle=[puzzle, puzzle])
    [1.0, 0.0]
    """
    return rewards(puzzle, [text_of(completion) for completion in completions])


def blanks_reward(prompts: Any, completions: Sequence[Any], *, puzzle: Sequence[str], **columns: Any) -> list[float]:
    """The same with the share of blank cells that are right.

    It is 0 where a clue is changed. Copying the clues earns nothing, whatever stands for a blank.

    >>> puzzle = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
    >>> half = "496528713875143692132967854314289576729654381568731429...4....5...8.....2.1.76..8"
    >>> blanks_reward(None, [half, puzzle.replace(".", "1")], puzzle=[puzzle, puzzle])
    [0.6607142857142857, 0.0]
    """
    return rewards(puzzle, [text_of(completion) for completion in completions], reward="blanks")
