"""The part of torch that the package uses, for machines without it: torch and what it needs take 5 GB.

It keeps to what https://docs.pytorch.org/docs/stable/data.html promises of an `IterableDataset`: each worker has a copy of
the data set in a process of its own, in which `get_worker_info` tells its number, and the loader takes a batch from one
worker after the other. A tensor is an array of numpy.
"""

import multiprocessing
import pickle
import types
from collections.abc import Iterable, Iterator
from typing import Any

WORKER: Any = None


class IterableDataset(Iterable[Any]):
    pass


def work(pickled: bytes, number: int, workers: int, pipe: Any) -> None:
    global WORKER
    WORKER = types.SimpleNamespace(id=number, num_workers=workers, seed=number, dataset=None)
    for batch in pickle.loads(pickled):
        pipe.send(batch)


class DataLoader:
    def __init__(self, dataset: Any, batch_size: int | None = 1, num_workers: int = 0) -> None:
        assert isinstance(dataset, IterableDataset) and batch_size is None
        self.dataset, self.workers = dataset, num_workers

    def __iter__(self) -> Iterator[Any]:
        if self.workers == 0:
            yield from self.dataset
        context, pipes, processes = multiprocessing.get_context("fork"), [], []
        for number in range(self.workers):
            ours, theirs = context.Pipe()
            arguments = (pickle.dumps(self.dataset), number, self.workers, theirs)
            processes.append(context.Process(target=work, args=arguments, daemon=True))
            processes[-1].start()
            pipes.append(ours)
        try:
            while True:
                for pipe in pipes:
                    yield pipe.recv()
        finally:
            for process in processes:
                process.kill()
                process.join()


def modules() -> dict[str, types.ModuleType]:
    """The modules that stand in for those of torch, by their names."""
    torch, utils, data = (types.ModuleType(name) for name in ("torch", "torch.utils", "torch.utils.data"))
    torch.from_numpy = lambda array: array
    data.IterableDataset, data.DataLoader, data.get_worker_info = IterableDataset, DataLoader, lambda: WORKER
    torch.utils, utils.data = utils, data
    return {"torch": torch, "torch.utils": utils, "torch.utils.data": data}
