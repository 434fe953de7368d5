"""Asks a model about Sudoku, as one asks the data sets of reasoning-gym.

`sb.Prompts` has a length and items, and scores answers. A model is any function that takes a question and
returns a text:

    from gym_dataset import main
    main(lambda question: client.responses.create(model="…", input=question).output_text)
"""

from collections.abc import Callable

import sudoku_batch as sb


def main(model: Callable[[str], str], n: int = 100) -> float:
    """The share of puzzles that a model solves."""
    prompts = sb.Prompts(n, seed=7, clues=(30, 36))
    rewards = [prompts.score_answer(model(entry["question"]), entry) for entry in prompts]
    share = sum(rewards) / len(rewards)
    print(f"{len(rewards)} puzzles, {share:.3f} of them solved")
    return share
