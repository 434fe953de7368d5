"""For training: an endless stream of images, and the folder of the programs HRM and TRM."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from . import _engine
from ._kinds import kind_of


class Images:
    """An endless stream of symmetric images of puzzles and their solutions, in batches.

    Each batch is a pair of numpy arrays of the shape (batch, 81) and the type uint8: puzzles with
    0 for a blank, and their solutions. ``torch.from_numpy`` takes them without a copy.

    Takes puzzles and solutions of any kind (see the module). An epoch has each puzzle once, in an
    order of its own, each time as another image: there are 1,218,998,108,160 symmetries, and none
    comes twice for a puzzle before all came. With ``weights``, a number for each puzzle, puzzles
    are drawn with replacement instead, as often as their weights say.

    The stream depends on the puzzles, the seed and the place in the stream alone. Rank r of
    ``world`` gets the batches r, r + world, …: give each worker of each process a rank of its own.
    `state_dict` is the place in the stream, and `load_state_dict` goes on from it; with the same
    ``world`` all ranks can share one state. An object can be pickled.

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
        puzzles: Any,
        solutions: Any,
        batch: int = 768,
        seed: int = 0,
        rank: int = 0,
        world: int = 1,
        weights: Any = None,
    ) -> None:
        if batch < 1 or not 0 <= rank < world:
            raise ValueError("batch is at least 1, and rank is from 0 to world - 1")
        self._arguments = (puzzles, solutions, batch, seed, rank, world, weights)
        self._stream = _engine.Stream(
            kind_of(puzzles).records, kind_of(solutions).records, seed, weights
        )
        self._batch, self._rank, self._world = batch, rank, world
        self._about = {
            "seed": seed,
            "batch": batch,
            "world": world,
            "puzzles": len(self._stream),
            "weighted": weights is not None,
        }
        #: How many batches this object gave.
        self._given = 0

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return self

    def __next__(self) -> tuple[Any, Any]:
        number = self._rank + self._given * self._world
        pairs = self._stream.pairs(number * self._batch, self._batch)
        self._given += 1
        return pairs

    def state_dict(self) -> dict[str, Any]:
        """The place in the stream, as plain values."""
        return {**self._about, "given": self._given}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Goes on where an equal stream was. ValueError: it was another one."""
        about = {name: value for name, value in state.items() if name != "given"}
        if about != self._about:
            raise ValueError(f"the state is of another stream: {about}, not {self._about}")
        self._given = int(state["given"])

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), self._arguments, self.state_dict())

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.load_state_dict(state)


#: How many rows are made at a time.
_ROWS = 1 << 17


def hrm(
    puzzles: Any,
    output_dir: str | os.PathLike[str],
    *,
    copies: int = 1,
    subsample: int | None = None,
    test: float = 0.1,
    seed: int = 0,
    include: Sequence[str] = ("relabelling", "transposition", "bands", "lines"),
    threads: int | None = None,
) -> dict[str, int]:
    """Writes the folder that the training programs HRM and TRM read.

    Takes puzzles of any kind (see the module). The files are those of ``sudoku-batch augment
    --format hrm``, byte by byte. The share ``test`` of the puzzles goes to ``test/``, once each,
    and the others, or ``subsample`` of them, to ``train/``: each with ``copies`` rows, first the
    puzzle itself and then different images of it, or fewer where it has fewer. No puzzle or image
    stands twice in the folder, and none in one set is an image of any in the other. Puzzles
    without exactly one solution are left out.

    Returns how many puzzles have each status, and how many puzzles and rows the sets have. The
    files take their places when all are written.

    >>> import sudoku_batch, tempfile, numpy
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = hrm(sudoku_batch.puzzles(50).puzzle, folder + "/data", copies=20, subsample=10)
    ...     inputs = numpy.load(folder + "/data/train/all__inputs.npy")
    >>> made["train_puzzles"], made["train_rows"], inputs.shape
    (10, 200, (200, 81))
    """
    if copies < 1:
        raise ValueError(f"copies is a whole number of at least 1, not {copies}")
    if subsample is not None and subsample < 1:
        raise ValueError(f"subsample is a whole number of at least 1, not {subsample}")
    sets = _engine.training_sets(kind_of(puzzles).records, subsample, test, seed, threads)
    counts = sets.statuses()
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
                made = sets.rows(
                    number, first, at_once, rows_of_a_puzzle, seed, list(include), threads
                )
                for part, solutions in zip(*made[:2], strict=True):
                    inputs.write(part)
                    labels.write(solutions)
                for of_puzzle in made[2]:
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
