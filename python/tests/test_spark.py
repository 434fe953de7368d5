"""Spark: the rows are the command's, for any partitioning, and whatever is killed.

A cluster of two executors on this machine (`local-cluster`) runs the jobs. Each executor and
each Python worker is a process that can be killed, as it can on a real cluster.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sudoku_batch as sb

pytest.importorskip("pyspark")
if not shutil.which("java"):
    pytest.skip("Java is missing", allow_module_level=True)

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "spark_solve.py"


def numbered(records):
    return pa.table({"n": range(len(records)), "puzzle": records})


def written(df, folder):
    """The rows that a job writes as Parquet, in the order of their numbers."""
    df.write.mode("overwrite").parquet(str(folder))
    return pq.read_table(folder).sort_by("n")


@pytest.mark.parametrize("unique", [False, True])
def test_rows_are_those_of_the_command(spark, command, records, tmp_path, unique):
    import sudoku_batch.spark as sbs

    solutions, statuses = command.solve(records, unique)
    pq.write_table(numbered([*records, None]), tmp_path / "in.parquet")
    df = spark.read.parquet(str(tmp_path / "in.parquet"))
    for partitions, batch in ((1, 10_000), (7, 100)):
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", batch)
        solved = sbs.solve(df.repartition(partitions), "puzzle", unique=unique)
        assert solved.columns == ["n", "puzzle", "solution", "status"]
        table = written(solved, tmp_path / "out")
        assert table["puzzle"].to_pylist() == [*records, None]
        assert table["solution"].to_pylist() == [*solutions, None]
        assert table["status"].to_pylist() == [*statuses, None]


def test_binary_columns_and_names(spark, records):
    import sudoku_batch.spark as sbs

    some = [record.encode() for record in records[:50]]
    df = spark.createDataFrame(pa.table({"status": some}))
    solved = sbs.solve(df, "status", solution="s", status="t").toArrow()
    expected = sb.solve(pa.array(some))
    assert solved["s"].to_pylist() == expected.solution.to_pylist()
    assert solved["t"].to_pylist() == expected.status.to_pylist()
    with pytest.raises(ValueError, match="already"):
        sbs.solve(df, "status")
    with pytest.raises(ValueError, match="no column is called 'puzzle'; one of: status"):
        sbs.solve(df, "puzzle")
    with pytest.raises(ValueError, match="bigint"):
        sbs.solve(spark.range(3), "id")


def test_checks_forms_and_ratings_are_those_of_one_machine(spark, records):
    import sudoku_batch.spark as sbs

    answers = [solution or "" for solution in sb.solve(records).solution]
    answers[::3] = answers[1::3] + answers[: len(answers[::3]) - len(answers[1::3])]
    table = numbered(records).append_column("answer", pa.array(answers))
    df = spark.createDataFrame(table).repartition(3)
    checked = sbs.check(df, "puzzle", "answer", minimal=True).toArrow().sort_by("n")
    expected = sb.check(records, answers, minimal=True)
    assert checked.column_names[3:] == list(expected._fields)
    for name in expected._fields:
        assert checked[name].to_pylist() == getattr(expected, name), name
    assert sbs.check(df, "puzzle").columns[3:] == ["status", "clue_count"]
    forms = sbs.canonical(df, "puzzle").toArrow().sort_by("n")
    expected = sb.canonical(records)
    assert forms["canonical"].to_pylist() == expected.canonical
    assert forms["status"].to_pylist() == expected.status
    rated = sbs.rate(df, "puzzle", guesses=True, te=True, gem=True).toArrow().sort_by("n")
    expected = sb.rate(records, guesses=True, te=True, gem=True)
    assert rated.column_names[3:] == list(expected._fields)
    for name in expected._fields:
        assert rated[name].to_pylist() == getattr(expected, name), name
    assert not {"guesses", "te", "gem"} & {*sbs.rate(df, "puzzle").columns}


def test_ratings_keep_to_their_bounds(spark):
    """The ratings are those that Sudoku Explainer 1.2.1 gave, as far as a bound lets them be seen."""
    import sudoku_batch.spark as sbs

    known = Path(__file__).resolve().parents[2] / "tests/support/rated.txt"
    lines = [line.split() for line in known.read_text().splitlines()[:200]]
    numbers = [[float(number) for number in ratings.split("/")] for _, ratings in lines]
    assert sum(er > 4.5 for er, _, _ in numbers) > 20
    df = spark.createDataFrame(numbered([puzzle for puzzle, _ in lines])).repartition(3)

    whole = sbs.rate(df, "puzzle").toArrow().sort_by("n").to_pylist()
    assert [[row["er"], row["ep"], row["ed"]] for row in whole] == numbers
    # Each technique has ratings of its own.
    ranges = {
        "hidden single in a line": (1.5, 1.5),
        "direct hidden pair": (2.0, 2.0),
        "naked single": (2.3, 2.3),
        "pointing": (2.6, 2.6),
        "XYZ-wing": (4.4, 4.4),
        "XY-chain": (7.0, 7.9),
        "cell forcing chains": (8.0, 9.4),
    }
    assert set(ranges) <= {row["technique"] for row in whole}
    for row in whole:
        least, most = ranges.get(row["technique"], (row["er"], row["er"]))
        assert least <= row["er"] <= most, row

    bounded = sbs.rate(df, "puzzle", up_to=4.5).toArrow().sort_by("n").to_pylist()
    for row, (er, ep, ed) in zip(bounded, numbers, strict=True):
        expected = [number if number <= 4.5 else None for number in (er, ep, ed)]
        assert [row["er"], row["ep"], row["ed"]] == expected
        assert row["beyond"] == (None if er <= 4.5 else 4.5)
        assert row["status"] == "unique" and (row["technique"] is None) == (er > 4.5)

    # Up to 6.2 nothing is a chain, so no work is done. Every chain over 7.5 takes more than this.
    given_up = sbs.rate(df, "puzzle", max_work=1).toArrow().sort_by("n").to_pylist()
    for row, (er, _, _) in zip(given_up, numbers, strict=True):
        if er <= 6.2:
            assert (row["er"], row["status"]) == (er, "unique")
        elif er >= 7.6:
            assert (row["er"], row["status"]) == (None, "gave-up")
    assert {row["status"] for row in given_up} == {"unique", "gave-up"}


def test_grids_are_those_of_the_command(spark, command):
    import sudoku_batch.spark as sbs

    expected = command("generate", 25_000, "--seed", 5).split()
    for partitions in (1, 3):
        df = sbs.generate(spark, 20_000, seed=5, start=5_000, partitions=partitions)
        table = df.toArrow().sort_by("number")
        assert table["number"].to_pylist() == list(range(5_000, 25_000))
        assert table["grid"].to_pylist() == expected[5_000:]
    assert sbs.generate(spark, 0).count() == 0


def processes(pattern):
    """The processes under this one whose command line has a text."""
    parents, commands = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # After the name, which is in brackets: the state and the parent.
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            commands[int(folder.name)] = (folder / "cmdline").read_bytes().decode()
        except OSError:
            continue
        parents[int(folder.name)] = int(parent)

    def is_under_this(pid):
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return [pid for pid, command in commands.items() if pattern in command and is_under_this(pid)]


@pytest.mark.parametrize(
    ("victim", "pattern"),
    [("executor", "CoarseGrainedExecutorBackend"), ("python", "pyspark.daemon")],
)
def test_a_killed_process_changes_nothing(spark, command, tmp_path, victim, pattern):
    """A job of many tasks goes on when a process of it is killed, and writes the same bytes."""
    import sudoku_batch.spark as sbs
    from conftest import CASES, data

    hard = data("hard.txt") * (200 * CASES)
    pq.write_table(numbered(hard), tmp_path / "in.parquet", row_group_size=5_000)
    df = spark.read.parquet(str(tmp_path / "in.parquet")).repartition(24)
    killed = []

    def kill():
        tracker = spark.sparkContext.statusTracker()
        deadline = time.monotonic() + 600
        while time.monotonic() < deadline:
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                # Some tasks of the stage that solves are done, and some are not.
                if info and info.numTasks == 24 and 2 <= info.numCompletedTasks < 20:
                    for pid in processes(pattern)[:1]:
                        os.kill(pid, signal.SIGKILL)
                        killed.append((pid, info.numCompletedTasks))
                        return
            time.sleep(0.01)

    killer = threading.Thread(target=kill)
    killer.start()
    start = time.monotonic()
    table = written(sbs.solve(df, "puzzle", unique=True), tmp_path / "out")
    took = time.monotonic() - start
    killer.join()
    assert killed, "the job was over before anything was killed"
    (pid, done), = killed
    print(f"\nkilled {victim} {pid} after {done} of 24 tasks; the job took {took:.1f} s")
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)

    def as_lines(column):
        return "".join(f"{solution or '.' * 81}\n" for solution in column.to_pylist())

    (tmp_path / "puzzles.txt").write_text("".join(puzzle + "\n" for puzzle in hard))
    expected = command("solve", "--unique", tmp_path / "puzzles.txt")
    assert table["n"].to_pylist() == list(range(len(hard)))
    assert as_lines(table["solution"]) == expected


def test_the_example_job(records, command, tmp_path):
    """In a process of its own, with a master of its own, as a user starts it."""
    solutions, statuses = command.solve(records, unique=False)
    pq.write_table(numbered(records), tmp_path / "in.parquet")
    for options in ([], ["--identity"]):
        out = tmp_path / "".join(["out", *options])
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
        submit = [sys.executable, str(EXAMPLE), str(tmp_path / "in.parquet"), str(out), *options]
        done = subprocess.run(submit, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        table = pq.read_table(out).sort_by("n")
        assert table["puzzle"].to_pylist() == records
        if options:
            assert table.column_names == ["n", "puzzle"]
        else:
            assert table["solution"].to_pylist() == solutions
            assert table["status"].to_pylist() == statuses
