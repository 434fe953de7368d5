"""`solve`: the answers are the command's, in every kind."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from conftest import data

import sudoku_batch as sb


#: The message of a search without a limit.
SOLVING = set(sb.STATUSES) - {"gave-up", "valid"}


@pytest.fixture(scope="module", params=[False, True], ids=["any", "unique"])
def answers(request, command, records):
    """Whether one solution is asked for, and the command's solutions and statuses."""
    return request.param, *command.solve(records, request.param)


def test_the_records_have_every_status(answers):
    assert set(answers[2]) == SOLVING


def test_lists(records, answers):
    unique, solutions, statuses = answers
    for threads in (1, 2, 5, None):
        solved = sb.solve(records, unique=unique, threads=threads)
        assert solved.solution == solutions
        assert solved.status == statuses
    # One by one: other engines, and no neighbours.
    for i in range(0, len(records), 37):
        assert list(sb.solve(records[i], unique=unique)) == [solutions[i], statuses[i]]
    assert list(sb.solve(tuple(records[:5]), unique=unique)) == [solutions[:5], statuses[:5]]


def test_batches_of_any_size_give_the_same(records, answers):
    unique, solutions, statuses = answers
    start, size = 0, 1
    while start < len(records):
        solved = sb.solve(records[start : start + size], unique=unique)
        assert solved.solution == solutions[start : start + size]
        assert solved.status == statuses[start : start + size]
        start, size = start + size, size * 2 + 1


TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
]


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_arrow(records, answers, type_):
    unique, solutions, statuses = answers
    # Nulls between, as records that are missing, and a start that is not that of a byte.
    texts = [None, None, None] + [t for record in records for t in (record, None)]
    expected = [s for solution in solutions for s in (solution, None)]
    expected_statuses = [s for status in statuses for s in (status, None)]
    array = pa.array(texts, pa.string()).cast(pa.binary()) if "binary" in str(type_) else None
    array = pa.array(texts, type_) if array is None else pa.array(array.to_pylist(), type_)
    solved = sb.solve(array[3:], unique=unique)
    assert isinstance(solved.solution, pa.Array) and solved.solution.type == type_
    assert isinstance(solved.status, pa.Array) and solved.status.type == pa.string()
    solved.solution.validate(full=True)
    solved.status.validate(full=True)
    as_text = [None if s is None else s.decode() if isinstance(s, bytes) else s
               for s in solved.solution.to_pylist()]
    assert as_text == expected
    assert solved.status.to_pylist() == expected_statuses

    chunks = pa.chunked_array([array[3:3], array[3:10], array[10:10], array[10:]])
    solved = sb.solve(chunks, unique=unique, threads=2)
    assert isinstance(solved.solution, pa.ChunkedArray)
    solved.solution.validate(full=True)
    assert solved.solution.type == type_ and solved.solution.num_chunks == 4
    assert solved.solution == pa.chunked_array([sb.solve(array[3:], unique=unique).solution])
    assert solved.status.to_pylist() == expected_statuses


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_plain_records(records, answers, type_):
    """Digits and dots only: such records are solved where they stand."""
    unique, solutions, statuses = answers
    plain = [i for i, r in enumerate(records) if len(r) == 81 and set(r) <= set("0123456789.")]
    assert {statuses[i] for i in plain} == SOLVING - {"malformed"}
    texts = ["x", None, "123", *(records[i] for i in plain), "y"]
    values = [t and t.encode() for t in texts] if "binary" in str(type_) else texts
    array = pa.array(values, type_)[3:-1]
    expected = pa.array([solutions[i] for i in plain])
    for threads in (1, 2):
        solved = sb.solve(array, unique=unique, threads=threads)
        assert solved.solution.cast(pa.string()) == expected
        assert solved.status.to_pylist() == [statuses[i] for i in plain]
    # One character that is none, or a null, and its neighbours do not notice.
    for other, status in (("x" * 80 + "!", "malformed"), (None, None)):
        values[40] = other and (other.encode() if "binary" in str(type_) else other)
        solved = sb.solve(pa.array(values, type_)[3:-1], unique=unique)
        assert solved.status[37].as_py() == status and solved.solution[37].as_py() is None
        assert solved.solution[:37].cast(pa.string()) == expected[:37]
        assert solved.solution[38:].cast(pa.string()) == expected[38:]


def test_arrow_of_one_width(answers, records):
    unique, solutions, statuses = answers
    wide = [i for i, record in enumerate(records) if len(record.encode()) == 81]
    array = pa.array([records[i].encode() for i in wide] + [None], pa.binary(81))
    solved = sb.solve(array, unique=unique)
    assert solved.solution.type == pa.binary(81)
    expected = [solutions[i] and solutions[i].encode() for i in wide]
    assert solved.solution.to_pylist() == expected + [None]
    assert solved.status.to_pylist() == [statuses[i] for i in wide] + [None]
    # Another width: with a trailer it is a record, shorter it is none.
    easy = data("easy.txt")[0]
    solved = sb.solve(pa.array([(easy + ",x").encode()], pa.binary(83)))
    assert solved.solution.type == pa.binary(81) and solved.status.to_pylist() == ["unique"]
    solved = sb.solve(pa.array([easy[:80].encode()], pa.binary(80)))
    assert solved.solution.to_pylist() == [None] and solved.status.to_pylist() == ["malformed"]


def test_empty_and_all_null():
    for array in (pa.array([], pa.string()), pa.chunked_array([], pa.string_view())):
        solved = sb.solve(array)
        assert len(solved.solution) == len(solved.status) == 0
        assert solved.solution.type == array.type
    solved = sb.solve(pa.nulls(3))
    assert solved.solution.to_pylist() == solved.status.to_pylist() == [None] * 3
    assert list(sb.solve([])) == [[], []]
    assert sb.solve([None, float("nan")]).status == [None, None]
    assert sb.solve(np.zeros((0, 81), np.uint8)).solution.shape == (0, 81)


def test_bytes_that_are_no_text():
    solved = sb.solve(pa.array([b"\xff" * 81, b"\xc3", b"", "é".encode("latin1") * 3]))
    assert solved.status.to_pylist() == ["malformed"] * 4


def test_numpy(records, answers):
    unique, solutions, statuses = answers
    plain = [i for i, r in enumerate(records) if len(r) == 81 and set(r) <= set("123456789.")]
    digits = np.array([[int(c) for c in records[i].replace(".", "0")] for i in plain], np.uint8)
    expected = [[int(c) for c in solutions[i] or "0" * 81] for i in plain]
    expected = np.array(expected, np.uint8)
    statuses = [statuses[i] for i in plain]
    before = digits.copy()
    for shape in ((-1, 81), (-1, 9, 9)):
        solved = sb.solve(digits.reshape(shape), unique=unique, threads=2)
        assert solved.solution.dtype == np.uint8
        assert (solved.solution == expected.reshape(shape)).all()
        assert solved.status.tolist() == statuses
    assert (digits == before).all()
    # Not contiguous, Fortran order, read only, other types.
    strided = np.zeros((len(digits), 2, 9, 18), np.uint8)[:, 0, :, ::2]
    strided[:] = digits.reshape(-1, 9, 9)
    frozen = digits.copy()
    frozen.flags.writeable = False
    others = [digits.astype(t) for t in (np.int8, np.int64, np.uint16, np.float32, ">i4")]
    for other in (strided, np.asfortranarray(digits), frozen, *others):
        solved = sb.solve(other, unique=unique)
        assert solved.solution.dtype == other.dtype and solved.solution.shape == other.shape
        assert (solved.solution.reshape(-1, 81) == expected).all()
        assert solved.status.tolist() == statuses
    one = sb.solve(digits[0].reshape(9, 9), unique=unique)
    assert (one.solution == expected[0].reshape(9, 9)).all() and one.status == statuses[0]


def test_numbers_that_are_no_digits_are_malformed():
    for dtype, bad in [(np.uint8, 10), (np.uint8, 255), (np.int64, -1), (np.int64, 256 + 5),
                       (np.float64, 1.5), (np.float64, np.nan), (np.float64, np.inf)]:
        array = np.zeros((3, 81), dtype)
        array[1, 80] = bad
        solved = sb.solve(array)
        assert solved.status.tolist() == ["multiple", "malformed", "multiple"], (dtype, bad)
        assert (solved.solution[1] == 0).all() and (solved.solution[2] != 0).all()


def test_numpy_of_texts(records, answers):
    unique, solutions, statuses = answers
    for dtype in (object, str):
        solved = sb.solve(np.array(records[:300], dtype), unique=unique)
        assert solved.solution.tolist() == solutions[:300]
        assert solved.status.tolist() == statuses[:300]


def test_polars(records, answers):
    unique, solutions, statuses = answers
    series = pl.Series("puzzle", [*records, None])
    for source in (series, pl.concat([series[:10], series[10:]], rechunk=False)):
        solved = sb.solve(source, unique=unique)
        assert isinstance(solved.solution, pl.Series) and solved.solution.dtype == pl.String
        assert solved.solution.name == "solution"
        assert solved.solution.to_list() == [*solutions, None]
        assert solved.status.to_list() == [*statuses, None]
    category = pl.Series([records[0]] * 3, dtype=pl.Categorical)
    assert sb.solve(category, unique=unique).status.to_list() == statuses[:1] * 3


def test_pandas(records, answers):
    unique, solutions, statuses = answers
    index = range(5, 5 + len(records) + 1)
    for dtype in ("str", object, "string", pd.ArrowDtype(pa.string()), "category"):
        series = pd.Series([*records, None], index=index, name="puzzle", dtype=dtype)
        solved = sb.solve(series, unique=unique)
        assert isinstance(solved.solution, pd.Series), dtype
        if dtype != "category":
            assert solved.solution.dtype == series.dtype
        assert solved.solution.name == "solution" and list(solved.solution.index) == list(index)
        missing = solved.solution.isna()
        assert missing.tolist() == [s is None for s in [*solutions, None]]
        assert solved.solution[~missing].tolist() == [s for s in solutions if s]
        assert solved.status.isna().sum() == 1
        assert solved.status.tolist()[:-1] == statuses


class Unknown:
    """An Arrow object of a library that nobody knows."""

    def __init__(self, array, name):
        setattr(self, name, getattr(array, name))


def test_any_arrow_object(records, answers):
    unique, solutions, statuses = answers
    solved = sb.solve(Unknown(pa.array(records), "__arrow_c_array__"), unique=unique)
    assert not hasattr(solved.solution, "__arrow_c_stream__")
    assert pa.array(solved.solution).to_pylist() == solutions
    assert pa.array(solved.status).to_pylist() == statuses
    chunks = pa.chunked_array([records[:9], records[9:]])
    solved = sb.solve(Unknown(chunks, "__arrow_c_stream__"), unique=unique)
    assert pa.chunked_array(solved.solution).to_pylist() == solutions
    assert pl.Series(solved.status).to_list() == statuses
    # Memory that is given away may be taken many times, and outlives its owner.
    twice = [pa.chunked_array(solved.solution) for _ in range(2)]
    del solved
    assert twice[0] == twice[1]
    assert len(sb.solve(twice[0]).status) == len(records)


def test_a_stream_that_fails_tells_why():
    def batches():
        yield pa.record_batch([pa.array(["x"])], ["a"])
        raise OSError("the disk is gone")

    schema = pa.schema([("a", pa.string())])
    reader = pa.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(ValueError, match="the disk is gone"):
        sb.solve(Unknown(reader, "__arrow_c_stream__"))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (3, TypeError, "not int"),
        (None, TypeError, "not NoneType"),
        ([1, 2], TypeError, "item 0 is of type int"),
        (["." * 81, ["."]], TypeError, "item 1 is of type list"),
        (pa.array([1, 2]), TypeError, "Int64"),
        (pa.array([1, 1]).dictionary_encode(), TypeError, "Int64"),
        (["." * 81] * 20_000 + [5, 6.0], TypeError, "item 20000 is of type int"),
        (np.zeros((3, 81), bool), ValueError, r"bool .* \(n, 729\)"),
        (pa.table({"a": ["x"], "b": ["y"]}), TypeError, "take the column"),
        (pd.DataFrame({"a": ["x"], "b": ["y"]}), TypeError, "take the column"),
        (pl.DataFrame({"a": ["x"], "b": ["y"]}), TypeError, "take the column"),
        (np.zeros((3, 80), np.uint8), ValueError, "shape"),
        (np.zeros((2, 2, 81), np.uint8), ValueError, "shape"),
        (np.zeros(5, np.uint8), ValueError, "shape"),
        (np.zeros((), np.uint8), ValueError, "shape"),
        (np.array([["a"]]), ValueError, "shape"),
    ],
)  # fmt: skip
def test_what_holds_no_records_is_an_error(wrong, error, message):
    with pytest.raises(error, match=message):
        sb.solve(wrong)


def test_other_threads_run_meanwhile():
    """The GIL is released: another thread counts on while one call solves."""
    puzzles = pa.array(data("hard.txt") * 200)
    sb.solve(puzzles, threads=1)
    done, counts = threading.Event(), []

    def count():
        n = 0
        while not done.is_set():
            n += 1
        counts.append(n)

    thread = threading.Thread(target=count)
    thread.start()
    sb.solve(puzzles, threads=1)
    done.set()
    thread.join()
    assert counts[0] > 1000


def test_calls_at_the_same_time(records, answers):
    unique, solutions, statuses = answers
    got = [None] * 6

    def solve(i):
        got[i] = sb.solve(records, unique=unique, threads=i % 3 + 1)

    threads = [threading.Thread(target=solve, args=(i,)) for i in range(len(got))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(g.solution == solutions and g.status == statuses for g in got)


def test_a_fork_solves_on(records, answers):
    unique, solutions, _ = answers
    sb.solve(records, unique=unique)
    child = os.fork()
    if child == 0:
        same = sb.solve(records, unique=unique, threads=2).solution == solutions
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0


def processor_time(process):
    """What a process has used so far, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "call",
    [
        "solve(np.zeros((400_000, 81), np.uint8)",
        "rate([hard] * 100_000",
        "trace([hard] * 100_000",
        "trace([hard] * 1_000_000, search=True",
        "puzzles(10_000, rating=(9.5, 11.9)",
        "puzzles(1_000_000, guesses=(300, None)",
        "solutions(['.' * 81], limit=10**8",
        "count(['.' * 81], limit=0",
    ],
)
def test_ctrl_c_ends_a_call(call, threads):
    """The work takes minutes to hours, and no more than a second of each thread after the signal.

    Processor time is counted: other processes cannot make it longer.
    """
    program = f"""
import sudoku_batch as sb, numpy as np
hard = "........1.....2.34.35...6...72......65...78..8.3.257.6.8653....3.72.6...52..78.6."
print("begin", flush=True)
try:
    sb.{call}, threads={threads})
    print("done")
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    hangs = threading.Timer(600, child.kill)
    hangs.start()
    assert child.stdout.readline() == "begin\n"
    time.sleep(0.5)
    before = processor_time(child.pid)
    child.send_signal(signal.SIGINT)
    told = child.stdout.read()
    _, _, used = os.wait4(child.pid, 0)
    hangs.cancel()
    assert told == "interrupted\n"
    assert used.ru_utime + used.ru_stime - before < threads


def test_statuses_compute_in_arrow(records):
    status = sb.solve(pa.array(records)).status
    counts = {row["values"]: row["counts"] for row in pc.value_counts(status).to_pylist()}
    assert sum(counts.values()) == len(records) and set(counts) == SOLVING


@pytest.mark.parametrize("kind", ["numpy", "arrow"])
def test_memory_that_is_used_again(kind):
    """Answers of 100 kB to 4 MB share memory with later ones, but only after their end."""
    easy = data("easy.txt")[:50] * 100
    unsolvable = ["11" + "." * 79] * len(easy)

    def solve(texts):
        records = pa.array(texts)
        if kind == "numpy":
            digits = "".join(texts).replace(".", "0").encode()
            records = np.frombuffer(digits, np.uint8).reshape(-1, 81) - ord("0")
        return sb.solve(records, unique=True, threads=1).solution

    first, held = solve(easy), solve(easy)
    expected = first.tolist() if kind == "numpy" else first.to_pylist()
    for _ in range(10):
        # The memory of solutions goes to records that have none.
        del first
        nothing = solve(unsolvable)
        if kind == "numpy":
            assert (nothing == 0).all() and nothing.flags.writeable
            nothing[:] = 9
        else:
            assert nothing.null_count == len(nothing)
            assert set(nothing.buffers()[2].to_pybytes()) == {0}
        del nothing
        first = solve(easy)
        assert (first.tolist() if kind == "numpy" else first.to_pylist()) == expected
    assert (held.tolist() if kind == "numpy" else held.to_pylist()) == expected


def test_views_in_any_order():
    """The texts of a series of polars need not stand one after the other, nor in one buffer."""
    easy = data("easy.txt")[:200]
    solutions = sb.solve(easy, unique=True).solution
    order = [*range(0, 200, 2), *range(1, 200, 2), 7, 7, 8]
    series = pl.Series(easy)
    both = pl.concat([series, pl.Series(easy[::-1])], rechunk=True)
    for mixed, expected in (
        (series[order], [solutions[i] for i in order]),
        (series[3:50], solutions[3:50]),
        (both, solutions + solutions[::-1]),
    ):
        assert sb.solve(mixed, unique=True).solution.to_list() == expected


def test_texts_of_a_list_are_taken_one_by_one():
    """Whatever is in them: line feeds, surrogates, nothing. A list of lines takes another way than others."""
    good, other = data("easy.txt")[:2]
    texts = [good, good, "", good + "\n", "\n" + other, "a\nb", "é" * 81, "\ud800" + good[1:], other + " é", "\n", other]
    one_by_one = [sb.solve(text) for text in texts]
    for chosen in (range(len(texts)), [0, 1, 10], [2, 2, 2], [6, 8], [3, 5, 9]):
        solved = sb.solve([texts[i] for i in chosen])
        assert solved.solution == [one_by_one[i].solution for i in chosen]
        assert solved.status == [one_by_one[i].status for i in chosen]
        with_none = sb.solve([None, *(texts[i] for i in chosen)])
        assert with_none.solution == [None, *solved.solution]
        assert with_none.status == [None, *solved.status]
    assert sb.solve([]).solution == [] and sb.solve([""]).status == ["malformed"]
