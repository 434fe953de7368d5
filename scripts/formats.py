#!/usr/bin/env python3
"""Measures `sudoku-batch solve --unique` from file to file in every format (lines, CSV, JSON
lines, from .gz and .zst and to .zst), in turn with gzip and zstd on the same files.

    scripts/formats.py [--puzzles N] [--rounds N] [--threads N] [--json] [--check] [FILE]

FILE has the puzzles, a line each: data/easy.txt if not given. They are repeated to 2 million,
each time with their digits exchanged, because compressed text would be too easy if it
repeated itself. The files go to the temporary folder (TMPDIR): 6 GB for 10 million puzzles.
All cases take turns in each round, after one to warm up. Every output is checked. Ratios are
of medians. With --check the exit status is 1 if a ratio is over its limit.

SUDOKU_BATCH names the program: target/release/sudoku-batch if not set.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# The name of a case, input and output of solve, what it is compared with, and the greatest
# ratio. The command of a tool writes `peer`; the last word names what it must hold.
LINES = "line to line"
CASES = [
    (LINES, "in.txt", "out.txt", None, None),
    ("CSV to CSV", "in.csv", "out.csv", LINES, 4.0),
    ("JSON lines to JSON lines", "in.jsonl", "out.jsonl", LINES, 6.0),
    ("from .gz", "in.txt.gz", "out.txt", "gzip -dc in.txt.gz > peer", 1.1),
    ("from .gz, to nothing", "in.txt.gz", "/dev/null", "gzip -dc in.txt.gz > /dev/null", 1.1),
    ("from .zst", "in.txt.zst", "out.txt", "zstd -q -dc in.txt.zst > peer", 1.3),
    ("from .zst, to nothing", "in.txt.zst", "/dev/null", "zstd -q -dc in.txt.zst > /dev/null", 1.3),
    ("to .zst", "in.txt", "out.txt.zst", "zstd -q -1 -T2 -c solved.txt > peer", 1.5),
]
HOUSES = (
    [[9 * row + column for column in range(9)] for row in range(9)]
    + [[9 * row + column for row in range(9)] for column in range(9)]
    + [[27 * band + 3 * stack + 9 * r + c for r in range(3) for c in range(3)]
       for band in range(3) for stack in range(3)]
)


ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PROGRAM = os.path.abspath(os.environ.get("SUDOKU_BATCH", os.path.join(ROOT, "target/release/sudoku-batch")))


def fail(message):
    sys.exit(f"formats.py: {message}")


def permutation(number):
    """One of the orders of the nine digits. After 9! of them they begin anew."""
    left, order = list(b"123456789"), []
    for size in range(9, 0, -1):
        number, at = divmod(number, size)
        order.append(left.pop(at))
    return bytes(order)


def check_solution(puzzle, solution):
    """The rules of Sudoku, written down apart from the program."""
    fits = all(clue in (digit, ord(".")) for clue, digit in zip(puzzle, solution))
    if not fits or any(len({solution[cell] for cell in house}) < 9 for house in HOUSES):
        fail(f"the solution of {puzzle.decode()} is wrong: {solution.decode()}")


def texts(path, count, program):
    """The puzzles and their solutions, `count` lines each."""
    with open(path, "rb") as file:
        puzzles = [line[:81].replace(b"0", b".") for line in file if line.strip() and line[:1] != b"#"]
    if not puzzles or set(b"".join(puzzles)) - set(b".123456789") or min(map(len, puzzles)) < 81:
        fail(f"{path} does not have a puzzle of 81 characters on each line")
    text = b"\n".join(puzzles) + b"\n"
    solve = [program, "solve", "--unique", "--quiet", "--engine", "scalar", "-"]
    solved = subprocess.run(solve, input=text, capture_output=True, check=True).stdout
    for puzzle, solution in zip(puzzles, solved.split(), strict=True):
        check_solution(puzzle, solution)

    def exchanged(lines):
        copies = range(-(-count // len(puzzles)))
        tables = (bytes.maketrans(b"123456789", permutation(copy)) for copy in copies)
        return b"".join(lines.translate(table) for table in tables)[: 82 * count]

    return exchanged(text), exchanged(solved), min(len(puzzles), count)


def write_inputs(puzzles, solved, tools):
    files = {"in.txt": puzzles, "solved.txt": solved, "in.csv": b"puzzle\n" + puzzles}
    files["in.jsonl"] = b'{"puzzle":"' + puzzles[:-1].replace(b"\n", b'"}\n{"puzzle":"') + b'"}\n'
    for name, text in files.items():
        with open(name, "wb") as file:
            file.write(text)
    for tool, line in (("gzip", "gzip -1 -c in.txt > in.txt.gz"), ("zstd", "zstd -q -c in.txt > in.txt.zst")):
        if tool in tools:
            subprocess.run(line, shell=True, check=True)
        else:
            subprocess.run([PROGRAM, "convert", "--quiet", "in.txt", "--output", line.split()[-1]], check=True)


def run(command, name):
    """The seconds that a command takes. Exit status 1 of solve means unsolved puzzles."""
    start = time.monotonic()
    status = subprocess.run(command, shell=isinstance(command, str), stdin=subprocess.DEVNULL).returncode
    seconds = time.monotonic() - start
    if status > (0 if isinstance(command, str) else 1) or status < 0:
        fail(f"`{name}` failed with {status}")
    return seconds


def read(path, tools, packed=False):
    """The text of a file."""
    if packed:
        unpack = ["zstd", "-q", "-dc"] if "zstd" in tools else [PROGRAM, "convert", "--quiet"]
        return subprocess.run([*unpack, path], capture_output=True, check=True).stdout
    with open(path, "rb") as file:
        return file.read()


def is_right(output, puzzles, solved, tools):
    """Whether an output of solve holds the puzzles and solutions in its format."""
    text = read(output, tools, output.endswith(".zst"))
    if ".txt" in output:
        return text == solved
    lines = text.splitlines()
    pairs = list(zip(puzzles.split(), solved.split(), strict=True))
    if output.endswith(".csv"):
        pairs.insert(0, (b"puzzle", b"solution"))
        right = (line.split(b",")[:2] == list(pair) for line, pair in zip(lines, pairs))
    else:
        objects = ((json.loads(line), pair) for line, pair in zip(lines, pairs))
        right = ((o["puzzle"].encode(), o["solution"].encode()) == pair for o, pair in objects)
    return len(lines) == len(pairs) and all(right)


def measure(options, puzzles, solved, tools):
    """The times of each case and of its tool, of each round."""
    times = [([], []) for _ in CASES]
    threads = [f"--threads={options.threads}"] if options.threads else []
    for number in range(options.rounds + 1):
        for (name, source, output, peer_command, _), (ours, theirs) in zip(CASES, times):
            command = [PROGRAM, "solve", "--unique", "--quiet", *threads, source, "--output", output]
            seconds = [(run(command, f"solve {source}"), ours)]
            if output != "/dev/null":
                if not is_right(output, puzzles, solved, tools):
                    fail(f"{name}: the output is wrong")
                os.remove(output)
            if peer_command and peer_command.split()[0] in tools:
                seconds.append((run(peer_command, peer_command), theirs))
                if os.path.exists("peer"):
                    packed = output.endswith(".zst")
                    if read("peer", tools, packed) != (solved if packed else puzzles):
                        fail(f"`{peer_command}` wrote something wrong")
                    os.remove("peer")
            for second, kept in seconds if number else []:
                kept.append(second)
    return times


def rows(times, count):
    """What each case came to, as JSON has it."""
    lines = statistics.median_high(times[0][0])
    for (name, _, _, peer_command, most), (ours, theirs) in zip(CASES, times):
        row = {"case": name, "puzzles": count, "rounds": len(ours)}
        row["seconds"] = statistics.median_high(ours)
        peer = lines if peer_command == LINES else statistics.median_high(theirs) if theirs else None
        if peer is not None:
            row |= {"peer_command": peer_command, "peer_seconds": peer, "ratio": row["seconds"] / peer}
        if most is not None:
            row["at_most"] = most
        yield row


def table(rows):
    def number(row, key, digits):
        return f"{row[key]:.{digits}f}" if key in row else "-"

    cells = [("solve", "seconds", "compared with", "seconds", "ratio", "at most")]
    for row in rows:
        cells.append((row["case"], number(row, "seconds", 3), row.get("peer_command", "-"),
                      number(row, "peer_seconds", 3), number(row, "ratio", 2), number(row, "at_most", 1)))
    widths = [max(map(len, column)) for column in zip(*cells)]
    for row in cells:
        aligned = (f"{cell:{'<' if i in (0, 2) else '>'}{width}}" for i, (cell, width) in enumerate(zip(row, widths)))
        print("  ".join(aligned).rstrip())


def count(text):
    number = int(text[:-1]) * {"k": 10**3, "M": 10**6}[text[-1]] if text[-1:] in "kM" else int(text)
    if number < 1:
        raise ValueError(text)
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE", nargs="?", default=os.path.join(ROOT, "data/easy.txt"))
    parser.add_argument("--puzzles", type=count, default=2_000_000)
    parser.add_argument("--rounds", type=count, default=7)
    parser.add_argument("--threads", type=count)
    parser.add_argument("--json", action="store_true", help="an object on each line")
    parser.add_argument("--check", action="store_true", help="fail if a ratio is over its limit")
    options = parser.parse_args()
    tools = [tool for tool in ("gzip", "zstd") if shutil.which(tool)]
    puzzles, solved, distinct = texts(options.file, options.puzzles, PROGRAM)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_inputs(puzzles, solved, tools)
        measured = list(rows(measure(options, puzzles, solved, tools), options.puzzles))
        os.chdir("/")
    if options.json:
        for row in measured:
            print(json.dumps(row))
    else:
        print(f"{options.puzzles} puzzles, {distinct} of them by themselves and the others with their "
              f"digits exchanged; medians of {options.rounds} rounds after one to warm up\n")
        table(measured)
        for tool in ("gzip", "zstd"):
            if tool not in tools:
                print(f"{tool} is not installed: nothing is compared with it")
    over = [row["case"] for row in measured if row.get("ratio", 0) > row.get("at_most", 1e9)]
    if options.check and over:
        fail("over the limit: " + ", ".join(over))


if __name__ == "__main__":
    main()
