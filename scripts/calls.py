"""Runs the calls of scripts/calls.txt with a program, and compares what it gives with what another
build of the command gives: standard output, exit status and all files byte for byte, and standard
error without times, speeds, engines, numbers of threads and the system's words.

    python3 scripts/calls.py [--folder DIR] [--keep DIR] REFERENCE PROGRAM [ARGUMENT...]

PROGRAM is a command and the arguments before those of a call, such as `qemu-aarch64 sudoku-batch`. Its
calls run in the folder DIR, which gets a copy of data/, by default a temporary folder; those of
REFERENCE in another one, which is kept with --keep. Prints a line with the number of calls, and ends
with status 1 if a call differs.
"""

import argparse
import hashlib
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

CALLS = pathlib.Path(__file__).with_name("calls.txt")
DATA = pathlib.Path(__file__).parent.parent / "data"

# Words that belong to the machine and the moment.
VARYING = [
    (re.compile(rb"^[0-9.]+ s(?:, [0-9,.]+ (\w+?)s? a second)?, \d+ threads?", re.M), rb"T s, N \1 a second"),
    (re.compile(rb", engine \w+(, level \w+)?"), rb""),
    (re.compile(rb", level \w+"), rb""),
    (re.compile(rb'"(seconds|\w+_per_second|per_second|threads|engine|level)":[^,}]+,?'), rb""),
    # The words of the system for an error.
    (re.compile(rb": [^:\n]* \(os error \d+\)"), rb": error of the system"),
]

# Debian's wine 8 sometimes dies itself when a program with threads ends. A program that it runs cannot end
# by a signal of Unix: its own faults are exit statuses. Such a call is printed and runs again.
WINE_TRIES = 3


def read_calls() -> list[list[str]]:
    lines = CALLS.read_text(encoding="utf-8").splitlines()
    return [shlex.split(line) for line in lines if line and not line.startswith("#")]


def files(folder: pathlib.Path) -> dict[str, str]:
    """The hash of each file, by its path."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def run(program: list[str], folder: pathlib.Path) -> list[tuple[str, object]]:
    """What each call gives, and at the end the files."""
    shutil.copytree(DATA, folder / "data")
    before = files(folder)
    answers: list[tuple[str, object]] = []
    for call in read_calls():
        name = shlex.join(call)
        if call[0] == "=":
            one, other = (folder / path for path in call[1:])
            answers.append((name, one.is_file() and other.is_file() and one.read_bytes() == other.read_bytes()))
            continue
        source = None
        if call[-1].startswith("<"):
            source = (folder / call.pop()[1:]).open("rb")
        for _ in range(WINE_TRIES if program[0] == "wine" else 1):
            if source:
                source.seek(0)
            done = subprocess.run(
                program + call, cwd=folder, stdin=source or subprocess.DEVNULL, capture_output=True, timeout=600
            )
            if done.returncode >= 0 and b"wine client error" not in done.stderr:
                break
            print(f"wine {'ended by signal' if done.returncode < 0 else 'failed, status'} {abs(done.returncode)}: {name}")
        if source:
            source.close()
        errors = done.stderr
        for pattern, text in VARYING:
            errors = pattern.sub(text, errors)
        # Help calls the program as the system does.
        output = done.stdout.replace(b"sudoku-batch.exe", b"sudoku-batch")
        answers.append((name, (done.returncode, output, errors.replace(b"sudoku-batch.exe", b"sudoku-batch"))))
    after = files(folder)
    answers += [(f"file {path}", after[path]) for path in sorted(after) if path not in before]
    return answers


def compare(expected: list[tuple[str, object]], given: list[tuple[str, object]]) -> int:
    """Prints what differs: how many calls and files."""
    wanted, got = dict(expected), dict(given)
    differing = [name for name in wanted | got if wanted.get(name) != got.get(name)]
    # Files are the same only if they are the right ones.
    differing += [name for name, right in given if name.startswith("= ") and not right and name not in differing]
    for name in differing:
        print(f"DIFFERS: {name}\n  expected {str(wanted.get(name))[:1500]}\n  given    {str(got.get(name))[:1500]}")
    return len(differing)


def main() -> None:
    parser = argparse.ArgumentParser(usage="%(prog)s [--folder DIR] [--keep DIR] REFERENCE PROGRAM [ARGUMENT...]")
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("reference", type=pathlib.Path)
    parser.add_argument("program", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        tried = arguments.folder or pathlib.Path(temporary, "tried")
        kept = arguments.keep or pathlib.Path(temporary, "reference")
        expected = run([str(arguments.reference.resolve())], kept)
        given = run(arguments.program, tried)
    differing = compare(expected, given)
    calls = sum(not name.startswith(("= ", "file ")) for name, _ in expected)
    made = sum(name.startswith("file ") for name, _ in expected)
    print(f"{calls} calls and {made} files: {differing or 'none'} of them differ")
    sys.exit(differing > 0)


if __name__ == "__main__":
    main()
