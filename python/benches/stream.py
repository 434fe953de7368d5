"""The speed of symmetric copies for a training loop, compared with plain numpy, on one thread.

    python python/benches/stream.py PUZZLES SOLUTIONS [HRM]

PUZZLES and SOLUTIONS are files with a record in each line. HRM is a checkout of sapientinc/HRM:
its function `shuffle_sudoku`, which people use today, is timed as it is. All take turns in five
rounds; the figures are medians, in pairs of a puzzle and its solution a second, by the time of
the thread.
"""

import ast
import statistics
import sys
import time
from pathlib import Path

import numpy as np

import sudoku_batch as sb

BATCH = 768


def digits(path):
    text = "".join(Path(path).read_text().split()).replace(".", "0").encode()
    return (np.frombuffer(text, np.uint8) - ord("0")).reshape(-1, 81)


def of_numpy(puzzles, solutions):
    """Batches by numpy alone, without a loop over puzzles: what a careful user writes."""
    rng = np.random.default_rng(0)
    n = len(puzzles)

    def lines():
        bands = rng.random((BATCH, 3)).argsort(1)
        within = rng.random((BATCH, 3, 3)).argsort(2)
        return (3 * bands[:, :, None] + within[np.arange(BATCH)[:, None], bands]).reshape(BATCH, 9)

    while True:
        chosen = rng.integers(n, size=BATCH)
        names = np.zeros((BATCH, 10), np.uint8)
        names[:, 1:] = rng.random((BATCH, 9)).argsort(1) + 1
        cells = 9 * lines()[:, :, None] + lines()[:, None, :]
        flip = rng.random(BATCH) < 0.5
        cells[flip] = cells[flip].transpose(0, 2, 1)
        cells = cells.reshape(BATCH, 81)
        pair = (np.take_along_axis(of[chosen], cells, 1) for of in (puzzles, solutions))
        yield tuple(np.take_along_axis(names, cells_of.astype(np.intp), 1) for cells_of in pair)


def of_hrm(checkout, puzzles, solutions):
    """Batches by the function of HRM, one puzzle at a time."""
    source = (Path(checkout) / "dataset/build_sudoku_dataset.py").read_text()
    function = next(
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name == "shuffle_sudoku"
    )
    names = {"np": np}
    exec(compile(ast.Module([function], []), "HRM", "exec"), names)
    shuffle, at = names["shuffle_sudoku"], 0
    while True:
        pairs = []
        for _ in range(BATCH):
            at = (at + 1) % len(puzzles)
            pairs.append(shuffle(puzzles[at].reshape(9, 9), solutions[at].reshape(9, 9)))
        yield tuple(np.stack(part).reshape(BATCH, 81) for part in zip(*pairs, strict=True))


def main() -> None:
    puzzles, solutions = digits(sys.argv[1]), digits(sys.argv[2])
    ways = {
        "sb.Images": (sb.Images(puzzles, solutions, BATCH), 2000),
        "numpy, batch by batch": (of_numpy(puzzles, solutions), 40),
    }
    weights = np.arange(len(puzzles)) + 1.0
    ways["sb.Images, weights"] = (sb.Images(puzzles, solutions, BATCH, weights=weights), 2000)
    if len(sys.argv) > 3:
        ways["shuffle_sudoku of HRM"] = (of_hrm(sys.argv[3], puzzles, solutions), 4)
    rates = {way: [] for way in ways}
    for _ in range(5):
        for way, (batches, count) in ways.items():
            start = time.thread_time()
            for _ in range(count):
                puzzle, solution = next(batches)
            rates[way].append(count * BATCH / (time.thread_time() - start))
            assert ((puzzle == 0) | (puzzle == solution)).all()
    best = statistics.median(rates["sb.Images"])
    print(f"| {len(puzzles):,} puzzles | pairs a second | sb.Images is |\n|---|---:|---:|")
    for way, found in rates.items():
        rate = statistics.median(found)
        print(f"| {way} | {rate:,.0f} | {best / rate:,.1f} times |")


if __name__ == "__main__":
    main()
