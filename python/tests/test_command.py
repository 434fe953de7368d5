"""The functions on sets give what the command gives, byte for byte.

The command writes CSV, a row for each record. Each value of the package, written as the command
writes it, is to be the text of its field.
"""

import csv
import json
import subprocess

import pytest
from conftest import CASES, data

import sudoku_batch as sb


def fields(command, name, *options, records):
    """The columns that the command adds to the records, by their names: texts."""
    text = "".join(record + "\n" for record in records)
    forms = ("--input-format", "line", "--format", "csv")
    header, *rows = csv.reader(command(name, *forms, *options, "-", text=text).splitlines())
    assert header[0] == "puzzle" and len(rows) == len(records)
    return {column: [row[i] for row in rows] for i, column in enumerate(header) if i > 0}


def as_field(value):
    """A value as the command writes it."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.1f}"
        case _:
            return str(value)


def as_fields(values):
    return list(map(as_field, values))


def test_counts(command, records):
    for limit in (1, 2, 1000, 5000 * CASES):
        expected = fields(command, "count", "--limit", limit, records=records)
        counted = sb.count(records, limit=limit)
        plus = {True: "+", False: "", None: ""}
        counts = [as_field(n) + plus[m] for n, m in zip(counted.count, counted.more, strict=True)]
        assert counts == expected["solution_count"]
        assert counted.status == expected["status"]
    # Only the ratings give up.
    assert {*counted.status, "gave-up", "valid"} == set(sb.STATUSES)
    sparse = [record for record, more in zip(records, counted.more, strict=True) if not more]
    expected = fields(command, "count", "--limit", 0, records=sparse)
    assert as_fields(sb.count(sparse, limit=0).count) == expected["solution_count"]


def test_checks(command, records):
    expected = fields(command, "check", "--rows", "--minimal", records=records)
    checked = sb.check(records, minimal=True)
    assert list(expected) == ["status", "clue_count", "redundant_clues"]
    for name, texts in expected.items():
        assert as_fields(getattr(checked, name)) == texts, name


def test_answers(command, records, tmp_path):
    """Right answers, some with wrong cells or changed clues, some of several, some that are none."""
    solutions = sb.solve(records).solution
    answers = []
    for i, (record, solution) in enumerate(zip(records, solutions, strict=True)):
        answer = solution or "5" * 81
        if i % 3 == 1:
            cell = 17 * i % 81
            answer = answer[:cell] + str(i % 9 + 1) + answer[cell + 1 :]
        if i % 7 == 6:
            answer = ["x", answer[:80], record, "." * 81][i % 4]
        answers.append(answer)
    file = tmp_path / "answers.txt"
    file.write_text("".join(answer + "\n" for answer in answers))
    expected = fields(command, "check", "--rows", "--answers", file, records=records)
    checked = sb.check(records, answers)
    assert set(expected) == {
        "status", "clue_count", "answer_right", "wrong_cells", "changed_clues",
    }  # fmt: skip
    for name, texts in expected.items():
        assert as_fields(getattr(checked, name)) == texts, name
    assert {"true", "false"} <= set(expected["answer_right"])
    assert len(set(expected["changed_clues"])) > 3


def test_forms(command, records):
    expected = fields(command, "canonical", "--automorphisms", records=records)
    forms = sb.canonical(records)
    assert list(expected) == list(forms._fields)
    for name, texts in expected.items():
        assert as_fields(getattr(forms, name)) == texts, name
    # Only some solved grids and puzzles of few kinds of symmetry have more than one.
    assert len(set(expected["automorphisms"])) > 1


def test_ratings(command, records):
    expected = fields(command, "rate", "--difficulty", "--te", "--gem", "--up-to", "4.4", records=records)
    ratings = sb.rate(records, up_to=4.4, guesses=True, te=True, gem=True)
    assert set(expected) == set(ratings._fields)
    for name, texts in expected.items():
        assert as_fields(getattr(ratings, name)) == texts, name
    assert len(set(expected["er"])) > 12 and "4.4" in expected["beyond"]
    assert len(set(expected["guesses"])) > 20
    assert {"0", "1"} <= set(expected["te"])
    without = sb.rate(records, up_to=4.4)
    assert without.guesses == without.te == without.gem == [None] * len(records) and without.er == ratings.er
    # The whole scale, and what a bound of the work leaves out.
    some = records[:200]
    for options, named in [((), {}), (("--max-work", "20000"), {"max_work": 20_000})]:
        expected = fields(command, "rate", "--difficulty", *options, records=some)
        ratings = sb.rate(some, **named)
        for name, texts in expected.items():
            assert as_fields(getattr(ratings, name)) == texts, name


@pytest.mark.parametrize("by", ["equality", "symmetry", "solution"])
def test_parts(command, records, tmp_path, by):
    text = "".join(record + "\n" for record in records)
    weights = {"train": 70, "valid": 20, "test": 10}
    named = ",".join(f"{name}={weight}" for name, weight in weights.items())
    options = ["--input-format", "line", "--seed", 11, "--by", by, "--output-dir", tmp_path]
    command("split", "--parts", named, *options, "-", text=text)
    split = sb.split(records, weights, seed=11, by=by)
    assert sorted(set(split.part)) == ["rejected", "test", "train", "valid"]
    for part in set(split.part):
        # A line keeps the text behind its puzzle.
        lines = [r for r, p in zip(records, split.part, strict=True) if p == part]
        (file,) = tmp_path.glob(f"{part}.*")
        assert file.read_bytes() == "".join(line + "\n" for line in lines).encode()


@pytest.mark.parametrize("up_to", [11.9, 2.5])
def test_statistics(command, records, up_to):
    text = "".join(record + "\n" for record in records)
    options = ["-q", "--up-to", str(up_to), "--summary", "json", "--input-format", "line", "-"]
    done = subprocess.run([command.path, "stats", *options], input=text, capture_output=True, text=True)
    summary = json.loads(done.stderr)
    found = sb.stats(records, up_to=up_to)
    assert up_to > 3 or found["ratings"][None] > 0
    expected = {name.replace("-", "_"): count for name, count in found["statuses"].items()}
    expected |= {f"clues_{clues}": count for clues, count in found["clues"].items()}
    for (first, last), count in found["guesses"].items():
        expected[f"guesses_{first}" if first == last else f"guesses_{first}_to_{last}"] = count
    for rating, count in found["ratings"].items():
        expected[f"rating_{f'over_{up_to}' if rating is None else rating}".replace(".", "_")] = count
    expected["guesses"] = found["all_guesses"]
    expected |= {name: found[name] for name in ("records", "naked_singles_solve", "singles_solve", "most_guesses")}
    of_run = {"seconds", "records_per_second", "threads"}
    assert expected == {name: count for name, count in summary.items() if count and name not in of_run}


@pytest.mark.parametrize(
    ("named", "options"),
    [
        ({}, []),
        ({"seed": 5, "keep": True}, ["--seed", 5, "--keep"]),
        ({"include": ["relabelling", "lines"]}, ["--include", "relabelling,lines"]),
    ],
    ids=str,
)
def test_images(command, tmp_path, named, options):
    """Of puzzles, of a solved grid, and of one that has few images, with their solutions."""
    puzzles = [*data("minimal.txt")[:500], data("easy.solved.txt")[0], "." * 81]
    solutions = [*data("minimal.solved.txt")[:500], data("easy.solved.txt")[0], None]
    pairs = zip(puzzles, solutions, strict=True)
    text = "puzzle,solution\n" + "".join(f"{p},{s or ''}\n" for p, s in pairs)
    made = sb.augment(puzzles, 7, solutions, **named)
    images = zip(made.puzzle, made.solution, strict=True)
    written = "puzzle,solution\n" + "".join(f"{p},{s or ''}\n" for p, s in images)
    assert command("augment", "--copies", 7, *options, "--format", "csv", "-", text=text) == written


def test_puzzles(command):
    for named, options in (
        ({"seed": 4, "start": 70}, ["--seed", 4, "--start", 70]),
        ({"blanks": 50}, ["--blanks", 50]),
    ):
        made = sb.puzzles(200, **named)
        numbers = range(named.get("start", 0), named.get("start", 0) + 200)
        rows = zip(numbers, *made, strict=True)
        written = "index,puzzle,solution,clues\n" + "".join(
            ",".join(as_fields(row)) + "\n" for row in rows
        )
        assert command("puzzles", 200, *options, "--format", "csv") == written


def test_grids(command):
    for kind in ("list", "arrow", "numpy"):
        made = sb.generate(3000, seed=9, kind=kind)
        if kind == "numpy":
            made = ("".join(map(str, row)) for row in made)
        written = "".join(f"{grid}\n" for grid in made)
        assert command("generate", 3000, "--seed", 9) == written
