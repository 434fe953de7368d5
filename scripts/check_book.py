"""Reads a PDF of `sudoku-batch book` back, and compares what is printed with the table of --key.

    python3 scripts/check_book.py BOOK.pdf KEY.csv puzzles|answers|both

The digits and their places are those that `pdftotext -bbox` of poppler finds. The frames of the grids are the thick
lines in the contents of the pages. A digit in a frame stands in one of its 81 cells.
"""

import csv
import re
import subprocess
import sys
import zlib


def contents(path):
    """The height of each page and the operators that draw it."""
    data = open(path, "rb").read()
    objects = {}
    place = 0
    while found := re.compile(rb"(\d+) 0 obj\s").search(data, place):
        end = data.index(b"endobj", found.end())
        body = data[found.end() : end]
        if stream := re.search(rb"/Length (\d+)", body):
            if (start := data.find(b"stream\n", found.end())) != -1 and start < end:
                start += len(b"stream\n")
                body = data[found.end() : start], data[start : start + int(stream[1])]
                end = data.index(b"endobj", start + int(stream[1]))
        objects[int(found[1])] = body
        place = end
    tree = next(b for b in objects.values() if isinstance(b, bytes) and b"/Type /Pages" in b)
    kids = re.search(rb"/Kids \[(.*?)\]", tree, re.S)[1]
    for number in re.findall(rb"(\d+) 0 R", kids):
        page = objects[int(number)]
        box = re.search(rb"/MediaBox \[([^\]]*)\]", page)[1].split()
        assert re.search(rb"/TrimBox", page), "a page has no trim box"
        stream = objects[int(re.search(rb"/Contents (\d+)", page)[1])][1]
        yield float(box[3]), zlib.decompress(stream).decode("latin1")


def frames(height, operators):
    """The left, the top and the side of each grid, in the order in which they are drawn."""
    for path in re.split(r"[\d.]+ w\n", operators)[1:]:
        lines = re.findall(r"([\d.-]+) ([\d.-]+) [ml]\n", path.split("S\n")[0])
        if len(lines) == 16:
            xs, ys = [[float(line[n]) for line in lines] for n in (0, 1)]
            yield min(xs), height - max(ys), max(xs) - min(xs)


def words(path):
    """The words of each page with their middles."""
    html = subprocess.run(["pdftotext", "-bbox", path, "-"], check=True, capture_output=True, text=True).stdout
    word = re.compile(r'<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>')
    for page in html.split("<page ")[1:]:
        found = [(float(a), float(b), float(c), float(d), text) for a, b, c, d, text in word.findall(page)]
        yield [((a + c) / 2, (b + d) / 2, text) for a, b, c, d, text in found]


def grids(path):
    """Each grid: the words above it, and its 81 cells."""
    for (height, operators), found in zip(contents(path), words(path), strict=True):
        for left, top, side in frames(height, operators):
            cells = ["."] * 81
            for x, y, text in found:
                column, row = int((x - left) // (side / 9)), int((y - top) // (side / 9))
                if 0 <= column < 9 and 0 <= row < 9:
                    assert re.fullmatch("[1-9]", text) and cells[9 * row + column] == ".", (path, text)
                    cells[9 * row + column] = text
            near = [(x, text) for x, y, text in found if -20 < y - top < 0 and 0 < x - left < side]
            yield " ".join(text for _, text in sorted(near)), "".join(cells)


def is_grid(cells):
    """True if each house has each digit once: the rules, and nothing of the program."""
    houses = [[9 * n + k for k in range(9)] for n in range(9)] + [[9 * k + n for k in range(9)] for n in range(9)]
    houses += [[27 * (n // 3) + 3 * (n % 3) + 9 * (k // 3) + k % 3 for k in range(9)] for n in range(9)]
    return all(sorted(cells[place] for place in house) == list("123456789") for house in houses)


path, key, what = sys.argv[1:]
rows = list(csv.DictReader(open(key, encoding="utf-8")))
name = path.rsplit("/", 1)[-1].removesuffix(".pdf")
# The sheet of one student is called after them.
rows = [row for row in rows if row.get("id") == name] or rows
found = list(grids(path))
puzzles = found[: len(rows)] if what != "answers" else []
answers = found[len(puzzles) :]
assert len(puzzles) + len(answers) == len(rows) * (2 if what == "both" else 1), (path, len(found), len(rows))
for (label, cells), row in zip(puzzles, rows):
    assert cells == row["puzzle"], (path, row["number"], cells, row["puzzle"])
    assert row["number"] in label.split(), (path, label, row["number"])
for (label, cells), row in zip(answers, rows):
    assert is_grid(cells) and cells == row["solution"], (path, row["number"])
    assert all(clue in (".", digit) for clue, digit in zip(row["puzzle"], cells)), (path, row["number"])
    assert row["number"] in label.split(), (path, label, row["number"])
print(f"{path}: {len(puzzles)} puzzles and {len(answers)} answers are those of {key}")
