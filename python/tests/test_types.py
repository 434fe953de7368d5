"""Types: stubs that are made of the definitions, and programs that mypy and pyright accept or refuse.

    SUDOKU_BATCH_PAGES=write pytest python/tests/test_types.py

writes the stubs; this run still fails.
"""

import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, data

import sudoku_batch as sb
from sudoku_batch import _answers, _questions

#: The stubs of the functions and classes that are made when the package is imported.
STUBS = ROOT / "python/sudoku_batch/_questions.pyi"

HEAD = '''\
"""What `_questions.py` makes of the definitions. `python/tests/test_types.py` writes this file."""

from typing import Any

from ._answers import Answers
from ._kinds import Records

__all__ = [
'''

#: The type of a keyword of each kind.
TYPES = {"flag": "bool", "number": "int", "digit": "int", "rating": "float", "range": "int | range", "text": "str"}


def stubs() -> str:
    """The stubs, by the definitions alone."""
    lines = [HEAD + "".join(f'    "{name}",\n' for name in _questions.__all__) + "]\n"]
    for about in _answers.QUESTIONS:
        columns = [(column["name"], column["about"], column["when"]) for column in about["columns"]]
        if about["name"] == "rate":
            lines.append('\nclass Counts:\n    """The columns of `rate` with ``counts``. Each is None without."""\n')
            lines += [f"    {name}: Any" for name, _, when in columns if when == "counts"] + [""]
        if about["name"] in _questions.WRITTEN:
            continue
        name = about["name"].replace("-", "_")
        title = name.title().replace("_", "")
        lines.append(f'\nclass {title}(Answers):\n    """What `{name}` returns."""\n')
        for column, meaning, _ in columns:
            if column != "status":
                lines += [f"    #: {meaning[0].upper()}{meaning[1:]}.", f"    {column}: Any"]
        if any(option["name"] == "limit" for option in about["options"]):
            lines += ["    #: Whether the record has more rows than the limit: a value for each record.", "    more: Any"]
        lines.append(f"\ndef {name}(\n    records: Records,\n    *,")
        for key, setting in _answers.SETTINGS[about["name"]].items():
            kind = TYPES[setting.kind] + ("" if setting.kind == "flag" else " | None")
            lines.append(f"    {key}: {kind} = {setting.usual!r},")
        lines.append(f"    threads: int | None = None,\n) -> {title}:")
        lines.append(f'    """{about["about"]}."""\n')
    return "\n".join(lines)


def test_stubs_are_those_of_the_definitions():
    if os.environ.get("SUDOKU_BATCH_PAGES") == "write" and STUBS.read_text() != stubs():
        STUBS.write_text(stubs())
        pytest.fail("the stubs are written: read the changes")
    assert STUBS.read_text() == stubs()


def test_stubs_are_what_is_made():
    """Names, keywords and usual values, as Python itself sees them."""
    names = {}
    exec(re.sub(r"^from .*$", "", STUBS.read_text(), flags=re.M), {"Any": 0, "Answers": object, "Records": 0}, names)
    assert names["__all__"] == _questions.__all__
    for name in names["__all__"]:
        made, stub = getattr(sb, name), names[name]
        if inspect.isclass(made):
            # All answers have a status.
            assert {*made._fields} - {"status"} <= {*stub.__annotations__} <= {*made._fields, "more"}, name
        else:
            parameters = lambda function: [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]
            assert parameters(made) == parameters(stub), name


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
    for needed in [{"score": ", texts=[p]", "augment": ", copies=1"}.get(about["name"], "")]
    for column in about["columns"]
    # The images of `augment` have no status, and a trace has its pairs.
    if (about["name"], column["name"]) != ("augment", "status")
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
