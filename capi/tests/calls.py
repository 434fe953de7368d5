"""Compares what the library for C gives with what the command gives: every question that the library lists, with
each of its options, for records of all kinds; the fast calls; grids and puzzles by number; tables by Arrow.

    python3 capi/tests/calls.py LIBRARY COMMAND FOLDER [FILE...]

Each FILE has records, a line each. It knows no question by name where the list of the library says enough. With
pyarrow, tables go through Arrow's C data interface too. Prints a line with the number of comparisons.
"""

import csv
import ctypes as c
import json
import pathlib
import struct
import subprocess
import sys

library, command, folder, *files = sys.argv[1:]
folder = pathlib.Path(folder)
CELLS, CANDIDATES = 81, 729


class Error(c.Structure):
    _fields_ = [("code", c.c_int), ("message", c.c_char * 508)]


class Column(c.Structure):
    _fields_ = [
        ("name", c.c_char_p),
        ("format", c.c_char_p),
        ("rows", c.c_uint64),
        ("nulls", c.c_uint64),
        ("valid", c.POINTER(c.c_uint8)),
        ("offsets", c.POINTER(c.c_int64)),
        ("values", c.c_void_p),
        ("names", c.POINTER(c.c_char_p)),
        ("names_count", c.c_uint64),
    ]


lib = c.CDLL(library)
lib.sudoku_batch_questions.restype = c.c_char_p
lib.sudoku_batch_status.restype = c.c_char_p
lib.sudoku_batch_table_rows.restype = c.c_uint64
lib.sudoku_batch_table_columns.restype = c.c_size_t
lib.sudoku_batch_close.restype = lib.sudoku_batch_table_close.restype = None
P, SIZE = c.c_void_p, c.c_size_t
lib.sudoku_batch_open.argtypes = [c.c_char_p, SIZE, P, P]
lib.sudoku_batch_close.argtypes = lib.sudoku_batch_table_close.argtypes = [P]
lib.sudoku_batch_table_rows.argtypes = lib.sudoku_batch_table_columns.argtypes = [P]
lib.sudoku_batch_table_column.argtypes = [P, SIZE, P, P]
lib.sudoku_batch_table_export.argtypes = [P, P, P, P]
RECORDS = [P, c.c_char_p, c.c_char_p, SIZE, SIZE]
lib.sudoku_batch_solve.argtypes = lib.sudoku_batch_canonical.argtypes = [*RECORDS, P, SIZE, P, P]
lib.sudoku_batch_rate.argtypes = lib.sudoku_batch_solve.argtypes
lib.sudoku_batch_count.argtypes = lib.sudoku_batch_check.argtypes = [*RECORDS, P, P, P, P]
lib.sudoku_batch_generate.argtypes = [P, c.c_char_p, c.c_uint64, SIZE, P, SIZE, P]
lib.sudoku_batch_puzzles.argtypes = [P, c.c_char_p, c.c_uint64, SIZE, P, P]
lib.sudoku_batch_ask.argtypes = [P, c.c_char_p, c.c_char_p, c.c_char_p, SIZE, SIZE, SIZE, c.c_char_p, SIZE, P, P, P]


def called(function, *arguments):
    """Calls a function with room for an error."""
    error = Error()
    code = function(*arguments, c.byref(error))
    assert code == error.code
    if code:
        raise ValueError(f"{code}: {error.message.decode()}")


def engine(level, threads):
    opened = P()
    called(lib.sudoku_batch_open, level, threads, c.byref(opened))
    return opened


def text(value):
    """The text of a value, as tables of the command have it."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.1f}"
        case bytes():
            return value.decode()
        case _:
            return str(value)


def column(found):
    """The values of a column, by plain pointers."""
    rows = range(found.rows)

    def bit(bits, row):
        return bits[row // 8] >> row % 8 & 1 == 1

    def of(kind):
        return c.cast(found.values, c.POINTER(kind))

    match found.format:
        case b"L":
            values = [of(c.c_uint64)[row] for row in rows]
        case b"g":
            values = [of(c.c_double)[row] for row in rows]
        case b"b":
            values = [bit(of(c.c_uint8), row) for row in rows]
        case b"C":
            assert found.names_count > 0
            values = [found.names[of(c.c_uint8)[row]] for row in rows]
        case b"U":
            ends = found.offsets
            values = [c.string_at(found.values + ends[row], ends[row + 1] - ends[row]) for row in rows]
        case other:
            width = int(other.removeprefix(b"w:"))
            values = [c.string_at(found.values + width * row, width) for row in rows]
    valid = [not found.valid or bit(found.valid, row) for row in rows]
    assert valid.count(False) == found.nulls, found.name
    return [value if is_there else None for value, is_there in zip(values, valid)]


def table(opened):
    """The columns of a table by their names, as texts, and closes the table."""
    found = Column()
    columns = {}
    for number in range(lib.sudoku_batch_table_columns(opened)):
        called(lib.sudoku_batch_table_column, opened, number, c.byref(found))
        assert found.rows == lib.sudoku_batch_table_rows(opened)
        columns[found.name.decode()] = [text(value) for value in column(found)]
    try:
        import pyarrow
    except ImportError:
        pyarrow = None
    if pyarrow:
        array, schema = (c.c_int64 * 10)(), (c.c_int64 * 9)()
        called(lib.sudoku_batch_table_export, opened, c.addressof(schema), c.addressof(array))
        lib.sudoku_batch_table_close(opened)
        batch = pyarrow.RecordBatch._import_from_c(c.addressof(array), c.addressof(schema))
        batch.validate(full=True)
        assert batch.schema.names == list(columns)
        for name, values in columns.items():
            assert [text(value) for value in batch.column(name).to_pylist()] == values, name
    else:
        lib.sudoku_batch_table_close(opened)
    return columns


def ask(opened, question, options, lines, length=CELLS, answers=None):
    """A table, and the names of the statuses."""
    made, statuses = P(), c.create_string_buffer(len(lines))
    of_answers = None if answers is None else "".join(answers).encode()
    called(
        lib.sudoku_batch_ask, opened, question.encode(), json.dumps(options).encode(), "\n".join(lines).encode(),
        length, len(lines), length + 1, of_answers, CELLS, statuses, c.byref(made),
    )  # fmt: skip
    return table(made), [lib.sudoku_batch_status(code).decode() for code in statuses.raw]


def run(*arguments):
    done = subprocess.run([command, *arguments], capture_output=True, check=False)
    assert done.returncode in (0, 1), (arguments, done.stderr)
    return done.stdout.decode()


def rows_of(*arguments):
    """The columns of the table that a call of the command writes."""
    path = folder / "out.csv"
    run(*arguments, "-q", "--format", "csv", "-o", str(path))
    reader = csv.DictReader(path.read_text().splitlines())
    rows = list(reader)
    return {name: [row[name] for row in rows] for name in reader.fieldnames}


compared = 0


def packed_counts(words):
    """The counts by candidate that the command writes as words, as the library has them: 729 numbers of two bytes."""
    if not words:
        return ""
    counts = [[0] * 9 for _ in range(81)]
    for cell, word in zip(counts, words.split(" "), strict=True):
        for digit, count in (entry.split(":") for entry in word.split("/") if word != "-"):
            # More than the limit is one more.
            cell[int(digit) - 1] = int(count.removesuffix("+")) + count.endswith("+")
    return struct.pack("=729h", *(count for cell in counts for count in cell)).decode()


def same(columns, expected, about):
    """Compares a table of the library with one of the command, which has columns of its own too."""
    global compared
    columns = dict(columns)
    for name in [name for name in columns if name.endswith("_more")]:
        number = name.removesuffix("_more")
        columns[number] = [n + "+" * (more == "true") for n, more in zip(columns[number], columns.pop(name))]
    if "candidate_counts" in expected:
        expected = expected | {"candidate_counts": [packed_counts(words) for words in expected["candidate_counts"]]}
    record = columns.pop("record")
    if "record" in expected:
        # In a table of the command, a record without rows keeps its place.
        own = [name for name in columns if name != "status"]
        there = [any(values) for values in zip(*(expected[name] for name in own))]
        expected = {name: [v for v, is_there in zip(values, there) if is_there] for name, values in expected.items()}
        columns["record"] = [str(int(number) + 1) for number in record]
    for name, values in columns.items():
        if values != expected[name]:
            row = next((i for i, pair in enumerate(zip(values, expected[name])) if pair[0] != pair[1]), None)
            raise AssertionError(f"{about}: {name}, row {row}: {values[row]!r}, and the command has {expected[name][row]!r}")
        compared += len(values)


listed = json.loads(lib.sudoku_batch_questions())
engines = [engine(b"portable", 1), engine(None, 3)]
VALUES = {"flag": True, "number": 3, "rating": 3.4, "digit": 7}
# The smallest unavoidable sets have four cells.
OTHER_VALUES = {("unavoidable", "most"): 4}


# The commands of these have rows of another shape; python/tests compares the columns, and `kept`, `chosen` and `summed` those
# of the last four.
OF_OTHER_SHAPE = {"augment", "drills", "explain", "near", "trace", "trace-steps", "filter", "dedup", "split", "stats"}


def question_by_question(name, every_line, length):
    path = folder / f"{name}-{length}.txt"
    for question in listed["questions"]:
        if question["name"] in OF_OTHER_SHAPE:
            continue
        # An easy puzzle has very many minimal ones inside it.
        lines = every_line[-12:] if question["name"] == "minimals" else every_line
        path.write_text("".join(f"{line}\n" for line in lines))
        # A setting that the command always asks for is no option of it.
        offered = run(question["name"], "--help")
        options = [option for option in question["options"] if option["kind"] in VALUES]
        always = {option["name"]: True for option in options if f"--{option['name']}" not in offered}
        for option in [None, *options]:
            given = {}
            if option is not None:
                name_and_option = (question["name"], option["name"])
                given[option["name"]] = OTHER_VALUES.get(name_and_option, VALUES[option["kind"]])
            arguments = [
                word
                for key, value in given.items()
                if key not in always
                for word in ([f"--{key}"] if value is True else [f"--{key}", str(value)])
            ]
            if option is not None and not arguments:
                continue
            expected = rows_of(question["name"], *arguments, str(path))
            for opened in engines:
                columns, statuses = ask(opened, question["name"], given | always, lines, length)
                about = f"{question['name']} {given} {name}"
                assert set(columns) - {"record"} <= {entry["name"] for entry in question["columns"]}, about
                same(columns, expected, about)
                of_rows = columns.get("status", [])
                assert all(statuses[int(record)] == status for record, status in zip(columns["record"], of_rows)), about


def fast_calls(name, lines):
    """The fast calls against the general one, at several strides."""
    count = len(lines)
    packed, spread = "".join(lines).encode(), "".join(f"{line}\n**" for line in lines).encode()
    for opened, (records, stride) in zip(engines, [(packed, CELLS), (spread, CELLS + 3)]):
        statuses = c.create_string_buffer(count)
        for function, question, of_cells in [
            (lib.sudoku_batch_solve, "solve", "solution"),
            (lib.sudoku_batch_canonical, "canonical", "canonical"),
        ]:
            expected, names = ask(opened, question, {}, lines)
            for width in (CELLS, CELLS + 1, 100):
                cells = c.create_string_buffer(b"~" * (width * count), width * count)
                called(function, opened, None, records, count, stride, cells, width, statuses)
                rows = [cells.raw[width * row :][:width] for row in range(count)]
                assert [row[:CELLS].decode() for row in rows] == [cell or "." * CELLS for cell in expected[of_cells]]
                between = b"\n" if width == CELLS + 1 else b"~" * (width - CELLS)
                assert all(row[CELLS:] == between for row in rows)
                assert [lib.sudoku_batch_status(code).decode() for code in statuses.raw] == names
        expected, names = ask(opened, "count", {"limit": 7}, lines)
        counts, more = (c.c_uint64 * count)(), (c.c_uint8 * count)()
        called(lib.sudoku_batch_count, opened, b'{"limit": 7}', records, count, stride, counts, more, statuses)
        assert [str(number) for number in counts] == [number or "0" for number in expected["solution_count"]]
        assert ["true" if flag else "false" for flag in more] == [flag or "false" for flag in expected["solution_count_more"]]
        expected, names = ask(opened, "check", {"minimal": True}, lines)
        clues, redundant = (c.c_int32 * count)(), (c.c_int32 * count)()
        called(lib.sudoku_batch_check, opened, None, records, count, stride, clues, redundant, statuses)
        assert [str(number) for number in clues] == [number or "-1" for number in expected["clue_count"]]
        assert [str(number) for number in redundant] == [number or "-1" for number in expected["redundant_clues"]]
        expected, names = ask(opened, "rate", {"up-to": 3.4}, lines)
        ratings = (c.c_uint8 * (4 * count))()
        called(lib.sudoku_batch_rate, opened, b'{"up-to": 3.4}', records, count, stride, ratings, 4, statuses)
        for at, of in enumerate(["er", "ep", "ed"]):
            assert [f"{tenths / 10:.1f}" if tenths else "" for tenths in ratings[at::4]] == expected[of], name


def dotted(line):
    """A line with a dot for each cell that is no digit."""
    return "".join(cell if cell in "123456789" else "." for cell in line)


def kept(lines):
    """The records that the command keeps."""
    global compared
    path = folder / "filtered.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    for options, arguments in [
        ({"status": "unique,multiple"}, ["--status", "unique,multiple"]),
        ({"status": "malformed", "invert": True}, ["--status", "malformed", "--invert"]),
        ({"clues": [22, 26], "symmetry": "rotate180,vertical"}, ["--clues", "22..26", "--symmetry", "rotate180,vertical"]),
        ({"rating": [1.5, 4.4], "minimal": True}, ["--rating", "1.5..4.4", "--minimal"]),
        ({"difficulty": "easy,extreme", "te": "..1"}, ["--difficulty", "easy,extreme", "--te", "..1"]),
        ({"contains": "pointing", "steps": [None, 9]}, ["--contains", "pointing", "--steps", "..9"]),
        ({"guesses": [1, None]}, ["--guesses", "1.."]),
    ]:
        expected = run("filter", "-q", *arguments, str(path)).splitlines()
        for opened in engines:
            columns, statuses = ask(opened, "filter", options, lines)
            found = [line for line, is_kept in zip(lines, columns["kept"], strict=True) if is_kept == "true"]
            # The command writes one sign for all blanks of a line.
            assert [*map(dotted, found)] == [*map(dotted, expected)], options
            assert columns["status"] == statuses
            compared += len(lines)


def chosen(lines):
    """The records that the commands keep or write to a part. There are several slices for each thread."""
    global compared
    lines = lines * (5000 // len(lines))
    path, list_of_repeats = folder / "chosen.txt", folder / "repeats.tsv"
    path.write_text("".join(f"{line}\n" for line in lines))
    for by in ("equality", "symmetry", "solution", "minlex"):
        run("dedup", "-q", "--by", by, "--duplicates", str(list_of_repeats), str(path))
        repeats = [line.split("\t") for line in list_of_repeats.read_text().splitlines()]
        repeats = {int(record) - 1: int(first) - 1 for record, first in repeats}
        assert len(repeats) > len(lines) / 2
        parts = {"train": 70, "valid": 20, "test": 10}
        named = ",".join(f"{part}={weight}" for part, weight in parts.items())
        run("split", "-q", "--by", by, "--seed", "3", "--parts", named, "--output-dir", str(folder / by), str(path))
        of_parts = [(folder / by / f"{part}.txt").read_text().splitlines() for part in [*parts, "rejected"]]
        for opened in engines:
            columns, statuses = ask(opened, "dedup", {"by": by}, lines)
            for record, (kept, first) in enumerate(zip(columns["kept"], columns["first"], strict=True)):
                assert (kept, first) == (text(record not in repeats), str(repeats.get(record, record))), (by, record)
            assert columns["status"] == statuses
            options = {"by": by, "seed": 3, "weights": ",".join(map(str, parts.values()))}
            columns, statuses = ask(opened, "split", options, lines)
            for part, expected in enumerate(of_parts):
                found = [line for line, number in zip(lines, columns["part"], strict=True) if number == str(part)]
                # The command writes one sign for all blanks of a line.
                assert [*map(dotted, found)] == [*map(dotted, expected)], (by, part)
            assert columns["status"] == statuses
            compared += 3 * len(lines)


def summed(lines):
    """The command sums up the columns of `stats`."""
    global compared
    path = folder / "summed.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    done = subprocess.run([command, "stats", "-q", "--summary", "json", str(path)], capture_output=True, check=False)
    expected = json.loads(done.stderr)
    for opened in engines:
        columns, statuses = ask(opened, "stats", {}, lines)
        assert columns["status"] == statuses and len(statuses) == expected["records"]
        numbers = {name: [int(number) for number in columns[name] if number] for name in ("clues", "guesses")}
        found = {f"clues_{n}": numbers["clues"].count(n) for n in numbers["clues"]}
        found |= {f"rating_{er.replace('.', '_')}": columns["er"].count(er) for er in columns["er"] if er}
        found |= {status.replace("-", "_"): statuses.count(status) for status in statuses}
        for name, column in (("naked_singles_solve", "naked_singles"), ("singles_solve", "singles")):
            found[name] = columns[column].count("true")
        found |= {"guesses": sum(numbers["guesses"]), "most_guesses": max(numbers["guesses"], default=0)}
        assert found == {name: expected[name] for name in found}
        # No class is left out.
        of_classes = [name for name in expected if name.startswith(("clues_", "rating_")) and expected[name]]
        assert set(of_classes) <= set(found), of_classes
        compared += len(found)


def made_by_number():
    for given, arguments in [
        ({}, []),
        ({"seed": 7}, ["--seed", "7"]),
        ({"uniform": True, "seed": 3}, ["--uniform", "--seed", "3"]),
        ({"in_order": True, "first_digit": 4}, ["--in-order", "--first-digit", "4"]),
    ]:
        expected = run("generate", "3000", "-q", "--start", "100", *arguments)
        for opened in engines:
            for width in (CELLS, CELLS + 1):
                cells = c.create_string_buffer(3000 * width)
                called(lib.sudoku_batch_generate, opened, json.dumps(given).encode(), 100, 3000, cells, width)
                end = "" if width > CELLS else "\n"
                assert "".join(cells.raw[width * row :][:width].decode() + end for row in range(3000)) == expected, given
    for given, arguments in [
        ({}, []),
        ({"blanks": [45, 50], "seed": 5}, ["--blanks", "45..50", "--seed", "5"]),
        ({"difficulty": "medium", "symmetry": "rotate180"}, ["--difficulty", "medium", "--symmetry", "rotate180"]),
        ({"rating": [2.6, 3.4]}, ["--rating", "2.6..3.4"]),
        ({"guesses": [2, None], "minimal": True}, ["--guesses", "2..", "--minimal"]),
        ({"clues": 26, "unique": False}, ["--clues", "26", "--not-unique"]),
    ]:
        expected = rows_of("puzzles", "30", "--start", "11", *arguments)
        for opened in engines:
            made = P()
            called(lib.sudoku_batch_puzzles, opened, json.dumps(given).encode(), 11, 30, c.byref(made))
            columns = table(made)
            columns["record"] = columns["index"]
            same(columns, expected, f"puzzles {given}")


def answers_beside(lines, answers):
    path = folder / "answers.txt"
    path.write_text("".join(f"{line}\n" for line in lines))
    (folder / "given.txt").write_text("".join(f"{line}\n" for line in answers))
    expected = rows_of("check", "--answers", str(folder / "given.txt"), str(path))
    for opened in engines:
        columns, _ = ask(opened, "check", {}, lines, answers=answers)
        same(columns, expected, "check with answers")


EXTRA = [
    "." * CELLS,
    "0" * CELLS,
    "11" + "." * 79,
    "1" + "*" * 8 + "1" + "_" * 71,
    "x" * 40 + "1" + "x" * 40,
    "?" * 80 + "5",
    "1234!" + "." * 76,
    "." * 80 + "a",
]
for file in files:
    path = pathlib.Path(file)
    lines = [line for line in path.read_text().split("\n") if len(line) == CELLS and not line.startswith("#")]
    question_by_question(path.stem, lines + EXTRA, CELLS)
    fast_calls(path.stem, lines + EXTRA)
    (folder / "few.txt").write_text("".join(f"{line}\n" for line in lines[:40]))
    candidates = run("convert", "-q", "--format", "candidates", str(folder / "few.txt")).split()
    wrong = ["." * CANDIDATES, candidates[0].replace(".", "x", 1)]
    question_by_question(f"{path.stem} by candidates", candidates + wrong, CANDIDATES)
    solved = run("solve", "-q", str(folder / "few.txt")).split()
    kept(lines + EXTRA)
    chosen(lines + EXTRA)
    summed(lines + EXTRA)
    answers_beside(lines[:40], [solved[0].replace("1", "2"), "." * CELLS, "z" * CELLS, *solved[3:]])
made_by_number()
for opened in engines:
    lib.sudoku_batch_close(opened)
print(f"{len(listed['questions'])} questions, {compared:,} values: as the command gives them" + (", and by pyarrow" if "pyarrow" in sys.modules else ""))
