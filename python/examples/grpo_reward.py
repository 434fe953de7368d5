"""A data set and a reward for the GRPO of TRL.

    from datasets import Dataset
    from trl import GRPOTrainer
    from grpo_reward import rows
    import sudoku_batch as sb

    trainer = GRPOTrainer(
        model="Qwen/Qwen3-0.6B", reward_funcs=sb.blanks_reward, train_dataset=Dataset.from_list(rows(10_000))
    )
    trainer.train()

The trainer hands all columns of the data set to the reward function, which needs `puzzle`.
"""

from collections.abc import Callable
from typing import Any

import sudoku_batch as sb


def rows(n: int) -> list[dict[str, Any]]:
    """Rows with a prompt, as chat messages, and the puzzle."""
    prompts = sb.Prompts(n, seed=7, clues=(30, 36))
    return [
        {"prompt": [{"role": "user", "content": entry["question"]}], "puzzle": entry["metadata"]["puzzle"]}
        for entry in prompts
    ]


def main(model: Callable[[str], str], n: int = 100) -> list[float]:
    """One step of a trainer, without the training: completions of a model, and their rewards."""
    batch = rows(n)
    texts = [model(row["prompt"][0]["content"]) for row in batch]
    completions = [[{"role": "assistant", "content": text}] for text in texts]
    columns = {"puzzle": [row["puzzle"] for row in batch]}
    rewards = sb.solved_reward(prompts=[row["prompt"] for row in batch], completions=completions, **columns)
    print(f"mean reward {sum(rewards) / len(rewards):.3f}")
    return rewards
