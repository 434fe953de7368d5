"""For training: an endless stream of symmetric copies, and the folder of the programs HRM and TRM."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from operator import index
from pathlib import Path
from typing import Any, BinaryIO

from . import _engine
from ._kinds import Records, kind_of, pairs_of, thread_count, whole


class Images:
    """An endless stream of symmetric copies of puzzles and their solutions, in batches.

    Each batch is a pair of numpy arrays of the shape (batch, 81) and the type uint8: puzzles with
    0 for a blank, and their solutions. ``torch.from_numpy`` takes them without a copy.

    Takes puzzles and solutions of any kind (see the module), and perhaps the ``pairs`` of `trace` for the puzzles: then
    each batch has a third array, of the type int8 and the shape (batch, 81, 2), with the cells and the digits in the
    order in which the copies are filled. An epoch has each puzzle once, in an
    order of its own, each time as another copy: there are 1,218,998,108,160 symmetries, and none
    comes twice for a puzzle before all came. With ``weights``, a number for each puzzle, puzzles
    are drawn with replacement instead, as often as their weights say.

    The stream depends on the puzzles, the seed and the place in the stream alone. Rank r of
    ``world`` gets the batches r, r + world, …: give each worker of each process a rank of its own.
    `state_dict` is the place in the stream, and `load_state_dict` goes on from it; with the same
    ``world`` all ranks can share one state. An object can be pickled. For a ``DataLoader`` of torch take
    `sudoku_batch.torch.Images`, which is the same stream and shares it among workers.

    Errors: ValueError where a puzzle is malformed, or where a solution is not one of its puzzle.

    >>> from sudoku_batch import puzzles
    >>> made = puzzles(100, kind="numpy")
    >>> stream = Images(made.puzzle, made.solution, batch=32)
    >>> puzzle, solution = next(stream)
    >>> puzzle.shape, puzzle.dtype, bool(((puzzle == 0) | (puzzle == solution)).all())
    ((32, 81), dtype('uint8'), True)
    >>> state = stream.state_dict()
    >>> again = Images(made.puzzle, made.solution, batch=32)
    >>> again.load_state_dict(state)
    >>> bool((next(again)[0] == next(stream)[0]).all())
    True
    """

    def __init__(
        self,
        puzzles: Records,
        solutions: Records,
        batch: int = 768,
        seed: int = 0,
        rank: int = 0,
        world: int = 1,
        weights: Any = None,
        pairs: Any = None,
    ) -> None:
        self._arguments = (puzzles, solutions, batch, seed, rank, world, weights, pairs)
        self._batch, self._world = whole("batch", batch, 1, 2**31), whole("world", world, 1, 2**31)
        self._rank = whole("rank", rank, most=self._world - 1)
        records, answers = kind_of(puzzles).records, kind_of(solutions).records
        self._stream = _engine.Stream(
            records, answers, whole("seed", seed), _weights(weights), None if pairs is None else _orders(pairs)
        )
        count, fingerprint = self._stream.about()
        self._about = {
            "seed": index(seed),
            "batch": self._batch,
            "world": self._world,
            "puzzles": count,
            "weighted": weights is not None,
            "fingerprint": f"{fingerprint:016x}",
        }
        #: How many batches this rank gave.
        self._given = 0
        #: The number of a worker of this rank, and how many of them there are.
        self._worker, self._workers = 0, 1

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self

    def __next__(self) -> tuple[Any, ...]:
        number = self._rank + (self._given + self._worker) * self._world
        arrays, orders = self._stream.pairs(number * self._batch, self._batch)
        self._given += self._workers
        return tuple(arrays) if orders is None else (*arrays, pairs_of(orders))

    def state_dict(self, given: int | None = None) -> dict[str, Any]:
        """The place in the stream, as plain values.

        It also stands for the puzzles, so that no other stream goes on from it. ``given`` is the number of batches so
        far, where this object did not give them itself: the workers of a ``DataLoader`` have copies of it.
        """
        return {**self._about, "given": self._given if given is None else whole("given", given)}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on where an equal stream was. ValueError: it was another one."""
        about = {name: value for name, value in state.items() if name != "given"}
        if about != self._about:
            known = {**dict.fromkeys(about), **self._about}
            others = [name for name, value in known.items() if about.get(name) != value]
            raise ValueError(f"the state is of another stream: {', '.join(others)} differ")
        self._given = whole("given", state.get("given"))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self._arguments, self.state_dict())

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.load_state_dict(state)


def _weights(weights: Any) -> list[float] | None:
    """Weights as the engine takes them."""
    if weights is None:
        return None
    try:
        return [float(weight) for weight in weights]
    except (TypeError, ValueError):
        raise TypeError(f"weights are numbers, one for each puzzle, and not {weights!r:.60}") from None


def _orders(pairs: Any) -> bytes:
    """Pairs as the engine takes them."""
    import numpy

    array = numpy.asarray(pairs)
    if array.ndim != 3 or array.shape[1:] != (81, 2) or array.dtype.kind not in "iu":
        raise ValueError(f"pairs have the shape (n, 81, 2), as `trace` gives them, and not {array.shape}")
    return array.clip(-1, 99).astype(numpy.int8).tobytes()


#: How many rows are made at a time.
_ROWS = 1 << 17


def hrm(
    puzzles: Records,
    output_dir: str | os.PathLike[str],
    *,
    copies: int = 1,
    subsample: int | None = None,
    test: float | Records = 0.1,
    seed: int = 0,
    include: Sequence[str] = ("relabelling", "transposition", "bands", "lines"),
    threads: int | None = None,
) -> dict[str, int]:
    """Writes the folder that the training programs HRM and TRM read.

    Takes puzzles of any kind (see the module). The share ``test`` of the puzzles goes to ``test/``, once each,
    and the others, or ``subsample`` of them, to ``train/``: each with ``copies`` rows, first the
    puzzle itself and then different copies of it, or fewer where it has fewer. No puzzle or copy
    stands twice in the folder, and none in one set is a copy of any in the other. Puzzles
    without exactly one solution are left out.

    ``test`` may also be records: then these are the test set, once each and in their order, and puzzles that are images
    of one of them are left out of the training set. With the lists that HRM has published,
    ``hrm(train, folder, test=test, subsample=1000, copies=1001)`` makes the sets of its own
    ``build_sudoku_dataset.py --subsample-size 1000 --num-aug 1000``: HRM counts the copies alone, and ``copies`` the
    puzzle as well.

    Returns how many puzzles have each status, and how many puzzles and rows the sets have. The
    files take their places when all are written. For a test set of records it also has ``left_out_of_test``, the
    records without exactly one solution, and ``images_of_test``, the puzzles that are left out of the training set.

    Errors: as `solve`, and ValueError for numbers that cannot be.

    >>> import sudoku_batch, tempfile, numpy
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = hrm(sudoku_batch.puzzles(50).puzzle, folder + "/data", copies=20, subsample=10)
    ...     inputs = numpy.load(folder + "/data/train/all__inputs.npy")
    >>> made["train_puzzles"], made["train_rows"], inputs.shape
    (10, 200, (200, 81))
    """
    copies, seed = whole("copies", copies, 1), whole("seed", seed)
    threads = thread_count(threads)
    include = [include] if isinstance(include, str) else list(include)
    # The error is that of `augment`, and comes before all work.
    _engine.ask("augment", [], [("copies", "1"), ("include", ",".join(include))], None, 1)
    limit = None if subsample is None else whole("subsample", subsample, 1)
    share, given = (float(test), None) if isinstance(test, (int, float)) else (0.0, kind_of(test).records)
    if not 0 <= share <= 1:
        raise ValueError(f"test is a share from 0 to 1, or records, and not {share}")
    sets = _engine.training_sets(kind_of(puzzles).records, limit, share, given, seed, threads)
    counts = sets.counts()
    folder = Path(output_dir)
    files: list[tuple[_File, Path]] = []
    try:
        for number, (name, size) in enumerate(zip(("train", "test"), sets.puzzles(), strict=True)):
            path = folder / name
            path.mkdir(parents=True, exist_ok=True)
            rows_of_a_puzzle = copies if name == "train" else 1

            def new(array: str, path: Path = path) -> _File:
                target = path / f"all__{array}.npy"
                file = _File(path, has_head=True)
                files.append((file, target))
                return file

            inputs, labels, groups = new("inputs"), new("labels"), new("group_indices")
            groups.write((0).to_bytes(4, "little"))
            rows = fewer = 0
            at_once = max(1, _ROWS // rows_of_a_puzzle)
            for first in range(0, size, at_once):
                parts, of_puzzles = sets.rows(
                    number, first, at_once, rows_of_a_puzzle, seed, include, threads
                )
                for part, solutions in zip(*parts, strict=True):
                    inputs.write(part)
                    labels.write(solutions)
                for of_puzzle in of_puzzles:
                    rows += of_puzzle
                    fewer += of_puzzle < rows_of_a_puzzle
                    if rows >= 2**31:
                        raise ValueError(f"the set {name} has over 2,147,483,647 rows")
                    groups.write(rows.to_bytes(4, "little"))
            indices, identifiers = new("puzzle_indices"), new("puzzle_identifiers")
            for first in range(0, rows + 1, _ROWS):
                numbers = range(first, min(first + _ROWS, rows + 1))
                indices.write(b"".join(row.to_bytes(4, "little") for row in numbers))
            for first in range(0, rows, _ROWS):
                identifiers.write(bytes(4 * min(_ROWS, rows - first)))
            for file in (inputs, labels):
                file.end(has_cells=True)
            for file in (groups, indices, identifiers):
                file.end(has_cells=False)
            about = {
                "pad_id": 0,
                "ignore_label_id": 0,
                "blank_identifier_id": 0,
                "vocab_size": 11,
                "seq_len": 81,
                "num_puzzle_identifiers": 1,
                "total_groups": size,
                "total_puzzles": size,
                "mean_puzzle_examples": 1.0,
                "sets": ["all"],
            }
            files.append((_json(path, about), path / "dataset.json"))
            counts[f"{name}_puzzles"], counts[f"{name}_rows"] = size, rows
            if name == "train":
                counts["with_fewer_images"] = fewer
        files.append((_json(folder, ["<blank>"]), folder / "identifiers.json"))
        for file, target in files:
            os.replace(file.name, target)
    finally:
        for file, _ in files:
            file.remove()
    return counts


class _File:
    """A file with a temporary name in the folder of its target."""

    def __init__(self, folder: Path, has_head: bool) -> None:
        umask = os.umask(0)
        os.umask(umask)
        number, self.name = tempfile.mkstemp(prefix=".incomplete-", dir=folder)
        if hasattr(os, "fchmod"):
            os.fchmod(number, 0o666 & ~umask)
        self._file: BinaryIO = os.fdopen(number, "wb")
        self._length = 0
        if has_head:
            self._file.write(_engine.npy_head(False, 0))

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._length += len(data)

    def end(self, has_cells: bool | None = None) -> None:
        """Writes the head of an array, which has the number of rows, and closes the file."""
        if has_cells is not None:
            self._file.seek(0)
            self._file.write(_engine.npy_head(has_cells, self._length))
        self._file.close()

    def remove(self) -> None:
        """Closes the file, and removes it unless it took its place."""
        self._file.close()
        if os.path.exists(self.name):
            os.remove(self.name)


def _json(folder: Path, value: Any) -> _File:
    file = _File(folder, has_head=False)
    file.write(json.dumps(value, separators=(",", ":"), sort_keys=True).encode() + b"\n")
    file.end()
    return file
