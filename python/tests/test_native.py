"""What feels native in Python: pickles, kinds of arrays, texts of any format, types, and errors of arguments."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import data

import sudoku_batch as sb

SPARSE = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
TEXTS = [*data("minimal.txt")[:3], SPARSE, "x", None]
DIGITS = np.array([[int(c) if c.isdigit() else 0 for c in text] for text in TEXTS[:4]], np.uint8)

KINDS = {
    "list": TEXTS,
    "str": SPARSE,
    "uint8": DIGITS,
    "int64": DIGITS.astype(np.int64).reshape(-1, 9, 9),
    "numpy text": np.array(TEXTS[:4]),
    "Array": pa.array(TEXTS),
    "ChunkedArray": pa.chunked_array([TEXTS[:2], TEXTS[2:]]),
    "polars": pl.Series(TEXTS),
    "pandas": pd.Series(TEXTS, dtype=object, index=list("uvwxyz")),
}

ASK = {
    "solve": sb.solve,
    "count": sb.count,
    "rate": lambda records: sb.rate(records, counts=True),
    "trace": sb.trace,
    "solutions": lambda records: sb.solutions(records, limit=3),
    "augment": lambda records: sb.augment(records, 3),
    "true_candidates": sb.true_candidates,
    "candidate_counts": sb.candidate_counts,
    "trace_steps": sb.trace_steps,
    "drills": sb.drills,
    "near": sb.near,
    "split": lambda records: sb.split(records, 0.5),
    "dedup": sb.dedup,
}


def values(column):
    """A column of any kind as plain values."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return getattr(column, method)()
    return column


def same(a, b):
    """Whether columns are of one kind and have the same values, NaN among them."""
    return type(a) is type(b) and str(values(a)) == str(values(b))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("question", ASK)
def test_answers_pickle_and_copy(question, kind):
    answer = ASK[question](KINDS[kind])
    others = [pickle.loads(pickle.dumps(answer)), copy.copy(answer), copy.deepcopy(answer)]
    fields = {*answer._fields} | ({"status"} if hasattr(answer, "_statuses") else set())
    for other in others:
        assert type(other) is type(answer) and other.keys() == answer.keys()
        assert all(same(getattr(answer, field), getattr(other, field)) for field in fields)
        if kind in ("list", "str"):
            assert repr(other) == repr(answer)
        if question == "trace":
            assert other.steps == answer.steps
    # The records do not go along: only what is an answer to them.
    many = pickle.dumps(sb.check(["." * 81 + f" {n:03}" * 100 for n in range(100)]))
    assert len(many) < 100 * 100


def test_answers_of_candidates_pickle():
    candidates = sb.true_candidates(DIGITS).true_candidates
    answer = sb.canonical(candidates, minlex=True)
    other = pickle.loads(pickle.dumps(answer))
    assert other.canonical.shape == (4, 729) and same(answer.canonical, other.canonical)


class Capsules:
    """Arrow data of a library that nobody knows."""

    def __init__(self, array):
        self.array = array

    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)


def test_answers_with_capsules_pickle_as_arrow():
    for candidate in (sb.solve(Capsules(pa.array(TEXTS))), sb.rate(Capsules(pa.array(TEXTS)))):
        other = pickle.loads(pickle.dumps(candidate))
        for field in candidate._fields:
            assert pa.array(getattr(other, field)).equals(pa.array(getattr(candidate, field)))


def test_other_processes_answer():
    with ProcessPoolExecutor(2) as pool:
        first, second = pool.map(sb.solve, [TEXTS[:2], TEXTS[2:]])
    together = sb.solve(TEXTS)
    assert first.solution + second.solution == together.solution
    assert first.status + second.status == together.status


TYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", "longdouble", ">i4", ">f8"]


@pytest.mark.parametrize("name", TYPES)
def test_numbers_of_any_type(records, name):
    """The engine reads and writes each type: as uint8 does, and what is no digit is malformed."""
    good = [record for record in records if len(record) == 81 and record.isascii()]
    digits = np.array([[int(c) if c.isdigit() else 0 for c in record] for record in good], np.uint8)
    expected = sb.solve(digits)
    array = digits.astype(name)
    for given in (array, array.reshape(-1, 9, 9), np.asfortranarray(array), array[::-1][::-1]):
        for threads in (1, 3):
            solved = sb.solve(given, threads=threads)
            assert solved.solution.dtype == given.dtype and solved.solution.shape == given.shape
            assert (solved.solution.reshape(-1, 81) == expected.solution).all()
            assert (solved.status == expected.status).all()
    # Bytes that are not aligned.
    room = np.zeros(array.nbytes + 1, np.uint8)
    room[1:] = np.frombuffer(array.tobytes(), np.uint8)
    assert (sb.solve(room[1:].view(array.dtype).reshape(-1, 81)).status == expected.status).all()
    candidates = sb.true_candidates(digits[:50]).true_candidates
    images = sb.canonical(candidates.astype(name), minlex=True).canonical
    assert images.dtype == array.dtype and (images == sb.canonical(candidates, minlex=True).canonical).all()
    wrong = {"u": [10, 255], "i": [-1, 100], "f": [0.5, -1.0, np.nan, np.inf, 300.0]}[array.dtype.kind]
    if array.dtype.kind != "f" and array.dtype.itemsize > 1:
        # Numbers whose lowest byte is a digit.
        wrong += [256 + 5, 2 ** (8 * array.dtype.itemsize - 2) + 5]
    for number in wrong:
        # The first and the last cell: what is read word by word, and what is left.
        for cell in (0, 80):
            array = digits[:3].astype(name)
            array[1, cell] = number
            assert sb.solve(array).status.tolist() == [*expected.status[:1], "malformed", *expected.status[2:3]]


def test_memory_that_is_used_again_is_written_again():
    """Rows without an answer are all 0, whatever was in their memory."""
    many = np.tile(DIGITS[:1], (20_000, 1))
    for name in ("u1", "i4", "i8"):
        for _ in range(3):
            assert (sb.solve(many.astype(name)).solution != 0).all()
            wrong = many.astype(name)
            wrong[::2, 0] = 77
            solved = sb.solve(wrong).solution
            assert not solved[::2].any() and (solved[1::2] != 0).all()


def test_bool_says_what_is_a_candidate():
    candidates = sb.true_candidates(DIGITS).true_candidates
    flags = candidates != 0
    for given, expected in ((flags, candidates), (flags[0], candidates[0])):
        solved = sb.solve(given)
        assert solved.solution.dtype == np.uint8 and (solved.solution == sb.solve(expected).solution).all()
        forms = sb.canonical(given, minlex=True).canonical
        assert forms.dtype == bool and (forms == (sb.canonical(expected, minlex=True).canonical != 0)).all()
        assert (sb.true_candidates(given).true_candidates == given).all()


@pytest.mark.parametrize("value", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_arrow_dictionaries(value):
    texts = [*TEXTS, *TEXTS[::-1]]
    array = pa.array(texts).dictionary_encode().cast(pa.dictionary(pa.int32(), value))
    expected = sb.solve(texts)
    for given, rows in ((array, slice(None)), (array[3:], slice(3, None)), (pa.chunked_array([array]), slice(None))):
        solved = sb.solve(given)
        assert solved.solution.type == value
        assert solved.solution.to_pylist() == expected.solution[rows]
        assert solved.status.to_pylist() == expected.status[rows]
    # Nulls may be among the values, and there may be no value.
    values = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, None]), pa.array([SPARSE, None]))
    assert sb.solve(values).status.to_pylist() == ["multiple", None, "multiple", None]
    assert sb.solve(pa.array([None, None], pa.string()).dictionary_encode()).status.to_pylist() == [None, None]


class Matrix:
    """An array of a library that nobody knows."""

    def __array__(self, dtype=None, copy=None):
        return DIGITS.astype(np.int16)


def test_other_arrays():
    solved = sb.solve(Matrix())
    assert isinstance(solved.solution, np.ndarray) and solved.solution.dtype == np.int16
    assert (solved.solution == sb.solve(DIGITS).solution).all()


def test_tensors():
    torch = pytest.importorskip("torch")
    for dtype in (torch.uint8, torch.int32, torch.int64, torch.float32):
        tensor = torch.from_numpy(DIGITS).to(dtype)
        solved = sb.solve(tensor)
        assert solved.solution.dtype == dtype and (solved.solution.numpy() == sb.solve(DIGITS).solution).all()
        assert sb.count(tensor).count.tolist() == [1, 1, 1, 2]
        assert solved.status.tolist() == ["unique", "unique", "unique", "multiple"]


def test_items_of_lists():
    """Lists are read piece by piece, with all that may be in them."""
    odd = [SPARSE, None, float("nan"), "\ud800", "é" * 81, SPARSE + " é", 2 * SPARSE, ""]
    statuses = ["multiple", None, None, "malformed", "malformed", "multiple", "malformed", "malformed"]
    for threads in (1, 2):
        solved = sb.solve(odd * 4000, threads=threads)
        assert solved.status == statuses * 4000
        assert [text is None for text in solved.solution[:8]] == [status != "multiple" for status in statuses]
        # The first wrong item is named, wherever it stands, and however long a row takes.
        for ask in (sb.solve, sb.rate, lambda records: sb.check([SPARSE] * len(records), records)):
            with pytest.raises(TypeError, match="item 15000 is of type bytes"):
                ask([SPARSE] * 15_000 + [b"x"] + [3] * 15_000)


def test_parse(command):
    puzzle = data("minimal.txt")[0]
    shared = ("box", "link", "sudokuexchange", "hodoku", "s9b")
    for form in ("line", "csv", "jsonl", "block", "grid", "pretty", "sdk", *shared):
        text = command("convert", "-q", "--format", form, text=f"{puzzle}\n{SPARSE}\n")
        for given in (None, form):
            assert [cells.replace("0", ".") for cells in sb.parse(text, input_format=given)] == [puzzle, SPARSE], form
    assert sb.parse(f"https://example.org/#look?p={puzzle}") == [puzzle]
    assert sb.parse(f"a,b\n{SPARSE},{puzzle}\n", puzzle_column="b") == [puzzle]
    marks = command("true-candidates", "-q", "--format", "candidates", text=SPARSE + "\n").strip()
    assert sb.parse(marks)[0].replace("0", ".") == marks
    assert sb.parse("") == []
    for text, message in [
        (f"{puzzle}\n{puzzle[:80]}\n", "line 2, column 81: end of line"),
        (f"{puzzle}\n\n{puzzle[:40]}x{puzzle[41:70]}:\n", "line 3, column 7"),
        (f"puzzle\n{puzzle}\n{puzzle[:9]}\n", "line 3, column 10"),
        ("hello", "line 1, column 1"),
        ("a,b\n1,2\n", "line 1"),
    ]:
        with pytest.raises(ValueError, match=message):
            sb.parse(text)
    with pytest.raises(ValueError, match="no format is called"):
        sb.parse(puzzle, input_format="lines")
    with pytest.raises(ValueError, match="column"):
        sb.parse(f"a,b\n{SPARSE},{puzzle}\n", puzzle_column="c")
    with pytest.raises(TypeError, match="not bytes"):
        sb.parse(b"x")


def test_parse_in_pieces(command):
    """A text of several megabytes is cut, and read with threads. Lines are counted through all of it."""
    puzzles = data("easy.txt")
    puzzles = puzzles * (20_000 // len(puzzles))
    text = "".join(f"{puzzle}\n" for puzzle in puzzles)
    for form in ("line", "csv", "jsonl", "block", "grid", "pretty", "sdk", "box", "link", "hodoku", "s9b"):
        converted = command("convert", "-q", "--format", form, text=text)
        for threads in (1, 3):
            assert [cells.replace("0", ".") for cells in sb.parse(converted, threads=threads)] == puzzles, form
    for header in ("", "puzzle\n"):
        with pytest.raises(ValueError, match=f"line {len(puzzles) + 1 + len(header) // 7}, column 81: end of line"):
            sb.parse(header + text + puzzles[0][:80] + "\n" + text, threads=2)
    words = "See below.\n" + "".join(f"and\n<{puzzle}>\n" for puzzle in puzzles)
    assert sb.parse(words) == puzzles
    with pytest.raises(ValueError, match="threads is a whole number"):
        sb.parse(words, threads=-1)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"batch": 0}, ValueError, "batch is a whole number from 1"),
        ({"batch": 2.5}, TypeError, "batch is a whole number"),
        ({"seed": -1}, ValueError, "seed is a whole number"),
        ({"seed": "7"}, TypeError, "seed is a whole number"),
        ({"rank": 1}, ValueError, "rank is a whole number"),
        ({"world": 0}, ValueError, "world is a whole number"),
        ({"weights": ["x"]}, TypeError, "weights are numbers"),
        ({"weights": 3}, TypeError, "weights are numbers"),
        ({"weights": [1.0]}, ValueError, "weights"),
        ({"pairs": np.zeros((4, 81))}, ValueError, r"\(n, 81, 2\)"),
        ({"pairs": np.zeros((1, 81, 2), int)}, ValueError, "81 for each puzzle"),
        ({"pairs": np.full((3, 81, 2), 81)}, ValueError, "81 for each puzzle"),
        ({"puzzles": 3}, TypeError, "records are"),
        ({"puzzles": [3]}, TypeError, "item 0"),
    ],
)
def test_images_refuse(arguments, error, message):
    given = {"puzzles": DIGITS[:3], "solutions": sb.solve(DIGITS[:3]).solution, **arguments}
    with pytest.raises(error, match=message):
        sb.Images(**given)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"copies": 0}, ValueError, "copies is a whole number"),
        ({"copies": 1.5}, TypeError, "copies is a whole number"),
        ({"subsample": 0}, ValueError, "subsample is a whole number"),
        ({"subsample": "x"}, TypeError, "subsample is a whole number"),
        ({"test": 1.5}, ValueError, "test is a share"),
        ({"test": None}, TypeError, "records are"),
        ({"seed": 2**64}, ValueError, "seed is a whole number"),
        ({"threads": -1}, ValueError, "threads is a whole number"),
        ({"include": ["bands", "mirrors"]}, ValueError, "include: one of: relabelling"),
        ({"include": "mirrors"}, ValueError, "include: one of: relabelling"),
    ],
)
def test_hrm_refuses(tmp_path, arguments, error, message):
    with pytest.raises(error, match=message):
        sb.hrm(TEXTS, tmp_path / "sets", **arguments)
    assert not (tmp_path / "sets").exists()
