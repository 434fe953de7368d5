"""Types: programs that mypy and pyright accept or refuse."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sudoku_batch import _answers

GOOD = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"

ACCEPTED = f"""
import sudoku_batch as sb
from collections import deque
import numpy
import polars

p = "{GOOD}"
minimal = sb.minimals(p).minimal
x: sb.Minimals = sb.minimals([p], limit=3, threads=2)
x_wing = sb.rate(p, counts=True).x_wing
given: sb.Records = [p, None]
for records in (p, given):
    sb.solve(records)
sb.solve((p, p), unique=True)
sb.solve(p.encode())
sb.solve([p.encode()])
sb.solve([[0] * 9] * 9)
sb.solve([[[0] * 9] * 9])
sb.solve([0] * 81)
sb.solve(deque([p]))
sb.rate(numpy.zeros((2, 81), numpy.int64), up_to=4.4)
sb.check(polars.Series([p]), [p])
sb.puzzles(1, clues=30)
sb.puzzles(1, clues=(28, 30), rating=(1.2, 9))
sb.puzzles(1, clues=[28, 30], kind="polars")
sb.puzzles(1, clues=range(28, 31))
sb.near(p, drop=1, add=0, minimal=True, limit=None).near
sb.trace_steps(p, search=True).technique
solution, status = sb.solve(p)
first, number, name, more = sb.solve(p)[0], len(sb.solve(p)), sb.solve(p)["status"], sb.solutions(p).more
lines: list[str] = sb.parse(p, input_format="line", threads=2)
""" + "\n".join(
    # Every column of every question, by the definitions.
    f"sb.{about['name'].replace('-', '_')}(p{needed}).{ {'steps': 'json', 'solution_count': 'count'}.get(column['name'], column['name']) }"
    for about in _answers.QUESTIONS
    for needed in [{"score": ", texts=[p]", "augment": ", copies=1", "split": ", 0.5"}.get(about["name"], "")]
    for column in about["columns"]
    # The images of `augment` have no status, and a trace has its pairs. `stats` gives a dict.
    if (about["name"], column["name"]) != ("augment", "status") and about["name"] != "stats"
)

REFUSED = """
sb.nonsense()  # wrong
sb.nonsense  # wrong
sb.minimals(p, limt=3)  # wrong
sb.minimals(p, limit="3")  # wrong
sb.minimals(p).maximal  # wrong
sb.minimals()  # wrong
sb.near(p, minimal=3)  # wrong
sb.expand(p, depth=3)  # wrong
sb.trace_steps(p).steps  # wrong
sb.rate(p, counts=True).x_wings  # wrong
sb.rate(p, count=True)  # wrong
sb.solve(3)  # wrong
sb.solve(None)  # wrong
sb.solve(p, uniqe=True)  # wrong
sb.solve(p).er  # wrong
sb.score(p, 3.5)  # wrong
sb.puzzles(1, clues="28..30")  # wrong
sb.puzzles(1, difficulty="simple")  # wrong
sb.parse(b"x")  # wrong
sb.Images(0, p)  # wrong
y: sb.Minimal = sb.minimals(p)  # wrong
z: sb.Solved = sb.minimals(p)  # wrong
"""


def check(checker: str, program: Path) -> set[int]:
    """The lines of a program that a checker refuses."""
    if checker == "mypy":
        options = ["--strict", "--cache-dir", program.parent / "cache", "--follow-imports", "silent"]
        done = subprocess.run([sys.executable, "-m", "mypy", *options, program], capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return {int(line) for line in re.findall(rf"^{program}:(\d+): error: ", done.stdout, re.M)}
    options = ["--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run([sys.executable, "-m", "pyright", *options, program], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = json.loads(done.stdout)["generalDiagnostics"]
    return {about["range"]["start"]["line"] + 1 for about in found if about["severity"] == "error"}


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_checkers(checker, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(ACCEPTED + REFUSED)
    lines = program.read_text().splitlines()
    assert check(checker, program) == {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}


def test_what_is_accepted_runs():
    """Types are true: what checkers accept is there."""
    exec(compile(ACCEPTED, "accepted", "exec"), {})
