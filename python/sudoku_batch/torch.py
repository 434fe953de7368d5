"""A stream of symmetric copies as a data set of torch.

The data sets of torch are classes of torch, so this module is apart: nothing else here imports torch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.utils.data import IterableDataset, get_worker_info

from . import _training


class Images(_training.Images, IterableDataset):  # type: ignore[misc]
    """`sudoku_batch.Images` as an ``IterableDataset``, whose batches are tensors.

    Give it to a ``DataLoader`` with ``batch_size=None``, because it makes batches itself. The workers share the stream:
    the loader gives the same batches in the same order, whatever ``num_workers`` is. ``rank`` and ``world`` are those of
    processes that train together, and know nothing of workers.

    Each iterator of a loader with workers begins at the place of this object, which the workers do not move. To go on
    later, keep the number of batches that were taken: ``load_state_dict(images.state_dict(given=number))``.

    >>> from torch.utils.data import DataLoader
    >>> import numpy, sudoku_batch
    >>> made = sudoku_batch.puzzles(100, kind="numpy")
    >>> images = Images(made.puzzle, made.solution, batch=32, seed=7)
    >>> loader = iter(DataLoader(images, batch_size=None, num_workers=2))
    >>> batches = [next(loader) for _ in range(4)]
    >>> alone = sudoku_batch.Images(made.puzzle, made.solution, batch=32, seed=7)
    >>> all(numpy.array_equal(puzzle, next(alone)[0]) for puzzle, _ in batches)
    True
    """

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        info = get_worker_info()
        if info is not None:
            self._worker, self._workers = info.id, info.num_workers
        return self

    def __next__(self) -> tuple[Any, ...]:
        return tuple(torch.from_numpy(array) for array in super().__next__())
