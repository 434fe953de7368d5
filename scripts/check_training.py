"""Reads a folder of `augment --format hrm` with the loader of HRM or of TRM, as it is.

    check_training.py CHECKOUT FOLDER

CHECKOUT is the program, with its `puzzle_dataset.py`. The loader runs unchanged. What it imports
only for its command line (`argdantic`) may be missing, and is replaced by a name.
"""

import importlib.util
import json
import sys
import types
from pathlib import Path

import numpy
import torch

checkout, folder = Path(sys.argv[1]), Path(sys.argv[2])
sys.path.insert(0, str(checkout))
if importlib.util.find_spec("argdantic") is None:
    sys.modules["argdantic"] = types.SimpleNamespace(ArgParser=object)

import puzzle_dataset  # noqa: E402

BATCH = 96


def loader(split, rank, ranks, **options):
    fields = puzzle_dataset.PuzzleDatasetConfig.__fields__
    paths = {"dataset_path": str(folder), "dataset_paths": [str(folder)]}
    config = {name: value for name, value in paths.items() if name in fields}
    config = puzzle_dataset.PuzzleDatasetConfig(
        seed=0, global_batch_size=BATCH, rank=rank, num_replicas=ranks, **config, **options
    )
    return puzzle_dataset.PuzzleDataset(config, split=split)


def rows(name):
    inputs, labels = (numpy.load(folder / name / f"all__{part}.npy") for part in ("inputs", "labels"))
    return inputs, {bytes(a): bytes(b) for a, b in zip(inputs, labels, strict=True)}


def check(batch, answers):
    """The rows of a batch that are not padding: each with the label that its file has."""
    inputs, labels = (batch[part].numpy().astype("uint8") for part in ("inputs", "labels"))
    real = inputs.any(axis=1)
    assert batch["inputs"].dtype == torch.int32 and not batch["puzzle_identifiers"].any()
    assert ((inputs[real] == 1) | (inputs[real] == labels[real])).all()
    for puzzle, solution in zip(inputs[real], labels[real], strict=True):
        assert answers[bytes(puzzle)] == bytes(solution)
    return [bytes(puzzle) for puzzle in inputs[real]]


inputs, answers = rows("train")
groups = numpy.load(folder / "train/all__group_indices.npy")
epochs = 3
for ranks in (1, 2):
    for rank in range(ranks):
        batches = loader("train", rank, ranks, test_set_mode=False, epochs_per_iter=epochs)
        seen = []
        for name, batch, size in batches:
            assert (name, size) == ("all", BATCH)
            seen += check(batch, answers)
        assert len(seen) == (len(groups) - 1) * epochs // BATCH * BATCH // ranks, len(seen)
# An epoch takes one row of each group.
assert len(groups) - 1 == batches.metadata.total_groups
inputs, answers = rows("test")
seen = []
for _, batch, _ in loader("test", 0, 1, test_set_mode=True, epochs_per_iter=1):
    seen += check(batch, answers)
assert seen == [bytes(puzzle) for puzzle in inputs]
about = json.loads((folder / "train/dataset.json").read_text())
assert batches.metadata.vocab_size == 11 and about["seq_len"] == 81
print(f"{checkout.name}: {len(groups) - 1:,} groups for training, {len(seen):,} puzzles for testing: read")
