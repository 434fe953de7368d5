"""What the tests share: the command, and records of every kind of badness.

The environment variable SUDOKU_BATCH names the command; otherwise the one that Cargo has
built is taken.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: Slow tests have this many times their usual cases, as those of Rust have; scripts/nightly.sh has ten.
CASES = int(os.environ.get("SUDOKU_BATCH_CASES", "1"))

# A Java that lives for seconds: its better compiler takes more time than it saves.
os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")


def command_path() -> str:
    built = [ROOT / "target" / profile / "sudoku-batch" for profile in ("release", "debug")]
    built = sorted((path for path in built if path.exists()), key=lambda path: path.stat().st_mtime)
    named = os.environ.get("SUDOKU_BATCH")
    assert named or built, "build the command first: cargo build --release"
    return named or str(built[-1])


class Command:
    """The command `sudoku-batch`: what the package is compared with."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, command_path()

    def __call__(self, *arguments: object, text: str | None = None) -> str:
        """What it writes to standard output."""
        done = subprocess.run(
            [self.path, *map(str, arguments)], input=text, capture_output=True, text=True
        )
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    def solve(self, records: list[str], unique: bool) -> tuple[list[str | None], list[str]]:
        """Solutions and statuses of records, each of which is a line."""
        rejects = self.folder / "rejects.tsv"
        options = ["--unique"] if unique else []
        text = "".join(record + "\n" for record in records)
        lines = self("solve", "-", "--rejects", rejects, *options, text=text).splitlines()
        assert len(lines) == len(records)
        solutions = [None if line == "." * 81 else line for line in lines]
        statuses = ["unique"] * len(records)
        for line in rejects.read_text().splitlines():
            number, reason = line.split("\t")[:2]
            statuses[int(number) - 1] = reason
        if not unique:
            # Which of them have several solutions only --unique tells.
            _, proper = self.solve(records, unique=True)
            for i, status in enumerate(proper):
                if status == "multiple":
                    assert statuses[i] == "unique"
                    statuses[i] = "multiple"
        return solutions, statuses


@pytest.fixture(scope="session")
def command(tmp_path_factory: pytest.TempPathFactory) -> Command:
    return Command(tmp_path_factory.mktemp("command"))


def data(name: str) -> list[str]:
    """The lines of a file of `data/`."""
    return (ROOT / "data" / name).read_text().split()


@pytest.fixture(scope="session")
def records() -> list[str]:
    """Thousands of records: good ones, and among them all that can be wrong with one."""
    easy, minimal, hard = data("easy.txt"), data("minimal.txt"), data("hard.txt")
    good = easy + minimal + hard
    mixed = []
    for i, puzzle in enumerate(good):
        mixed.append(puzzle)
        clues = [cell for cell in range(81) if puzzle[cell] != "."]
        a, b = clues[i % len(clues)], clues[(7 * i + 1) % len(clues)]
        match i % 12:
            case 0:
                mixed.append(puzzle[: i % 80 + 1])
            case 1:
                mixed.append(puzzle[:a] + "é" + puzzle[a + 1 :])
            case 2:  # a clue twice in its row
                c = a // 9 * 9 + (a + 1) % 9
                mixed.append(_put(puzzle, c, puzzle[a]))
            case 3:  # in its column
                mixed.append(_put(puzzle, (a + 27) % 81, puzzle[a]))
            case 4:  # in its box, in another row and column
                row, column = a // 9, a % 9
                row, column = row // 3 * 3 + (row + 1) % 3, column // 3 * 3 + (column + 1) % 3
                mixed.append(_put(puzzle, 9 * row + column, puzzle[a]))
            case 5:  # a digit that does not fit, mostly without a duplicate
                mixed.append(_put(puzzle, (a + 1) % 81, str(i % 9 + 1)))
            case 6:  # several solutions
                mixed.append(_put(_put(puzzle, a, "."), b, "."))
            case 7:
                mixed.append(puzzle.replace(".", "0*_-?xX"[i // 12 % 7]))
            case 8:
                mixed.append(puzzle + " ,;:\t"[i // 12 % 5] + "a trailer, é")
            case 9:
                mixed.append(puzzle + "5")
            case 10:
                mixed.append(puzzle[:40] + " " + puzzle[40:80])
            case _:
                mixed.append("".join(puzzle[c] if c % 2 else "." for c in range(81)))
    mixed += ["." * 81, "1" * 81, "x", "123456789" * 9, *data("easy.solved.txt")[:50]]
    return mixed


def _put(puzzle: str, cell: int, digit: str) -> str:
    return puzzle[:cell] + digit + puzzle[cell + 1 :]


@pytest.fixture(scope="session")
def spark():
    """A cluster of two executors on this machine."""
    pytest.importorskip("pyspark")
    if not shutil.which("java"):
        pytest.skip("Java is missing")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("tests")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.task.maxFailures", "8")
        .config("spark.executor.memory", "1g")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
