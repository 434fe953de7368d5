"""The cost of the way through Python, compared with the library's own time, on one thread.

    cargo build --profile wheel --package sudoku-batch-tools --bin time_in_memory
    python python/benches/speed.py PUZZLES [ROUNDS]

PUZZLES is a file with a puzzle in each line. The library and all kinds of objects take turns in
every round, so that the clock of the CPU and other work on the machine do the same to all. The
table has medians of rounds, after one round to warm up. Before that all kinds are compared with
each other.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import sudoku_batch as sb

LIBRARY = Path(__file__).resolve().parents[2] / "target" / "wheel" / "time_in_memory"
BATCH = 10_000


def solve(records):
    return sb.solve(records, unique=True, threads=1)


def in_batches(records):
    """Records in batches, which are cut before the clock starts."""
    return [records[start : start + BATCH] for start in range(0, len(records), BATCH)]


def run(batches):
    """Solves batch after batch. Answers are let go of, as by a program that writes them."""
    for batch in batches:
        solve(batch)


def texts_of(solutions):
    """Solutions of any kind as a list of str."""
    if isinstance(solutions, list):
        return solutions
    if isinstance(solutions, np.ndarray):
        width = solutions.reshape(-1, 81)
        return (width + ord("0")).view("S81").ravel().astype(str).tolist()
    return solutions.to_list() if hasattr(solutions, "to_list") else solutions.to_pylist()


def check(ways, puzzles):
    """All kinds have the same solutions, one for each puzzle."""
    expected = sb.solve(puzzles, unique=True).solution
    assert None not in expected, "a puzzle has no solution, or several"
    for way, batches in ways.items():
        texts = (text for batch in batches for text in texts_of(solve(batch).solution))
        assert all(a == b for a, b in zip(texts, expected, strict=True)), way


def main() -> None:
    puzzles = Path(sys.argv[1]).read_text().split()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    array = pa.array(puzzles)
    chunks = pa.chunked_array(
        [array[start : start + 65_536] for start in range(0, len(array), 65_536)]
    )
    digits = np.frombuffer("".join(puzzles).replace(".", "0").encode(), np.uint8) - ord("0")
    digits = digits.reshape(-1, 81)
    all_at_once = f"{len(puzzles):,} in one call"
    ways = {
        ("pyarrow string", "batches of 10,000"): in_batches(array),
        ("list of str", "batches of 10,000"): in_batches(puzzles),
        ("pyarrow string", all_at_once): [array],
        ("pyarrow string, chunked", all_at_once): [chunks],
        ("numpy uint8", "batches of 10,000"): in_batches(digits),
        ("numpy uint8", all_at_once): [digits],
        ("polars", all_at_once): [pl.Series(array)],
        ("pandas", all_at_once): [pd.Series(puzzles, dtype="str")],
    }
    library = subprocess.Popen(
        [LIBRARY, sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    own, times = [], {way: [] for way in ways}
    check(ways, puzzles)
    for number in range(rounds + 1):
        print("round", number, file=library.stdin, flush=True)
        own.append(float(library.stdout.readline()))
        for way, batches in ways.items():
            start = time.perf_counter()
            run(batches)
            times[way].append((time.perf_counter() - start) * 1e9 / len(puzzles))
    library.stdin.close()
    library.wait()
    base = statistics.median(own[1:])
    print("| records | how | ns a puzzle | library = 1 |\n|---|---|---:|---:|")
    print(f"| the library itself | batches of 10,000 | {base:.1f} | 1 |")
    for (kind, how), taken in times.items():
        # Each round has a ratio of its own.
        ratios = [a / b for a, b in zip(taken[1:], own[1:], strict=True)]
        print(f"| {kind} | {how} | {statistics.median(taken[1:]):.1f} | {statistics.median(ratios):.2f} |")


if __name__ == "__main__":
    main()
