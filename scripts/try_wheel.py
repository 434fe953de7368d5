"""Calls the installed Python package, and compares its answers with the files that the command has
written in scripts/calls.py.

    python try_wheel.py FOLDER    the folder of those files
"""

import csv
import pathlib
import sys

import sudoku_batch as sb


def main() -> None:
    folder = pathlib.Path(sys.argv[1])

    def lines(name: str) -> list[str]:
        return [line for line in (folder / name).read_text().splitlines() if line and not line.startswith("#")]

    sample, easy, minimal, hard = (lines(f"data/{name}.txt") for name in ("sample", "easy", "minimal", "hard"))
    grids = lines("grids.txt")
    images = lines("images.txt")
    table = list(csv.DictReader((folder / "rated.csv").open(newline="")))
    ratings = sb.rate(sample, up_to=7.0)
    checked = sb.check(easy, lines("easy.solved.txt"), minimal=True)
    forms = sb.canonical(sample)
    pairs = {
        "solve, sample": (sb.solve(sample).solution, lines("solved.txt")),
        "solve, easy": (sb.solve(easy, threads=1).solution, lines("easy.solved.txt")),
        "solve, minimal": (sb.solve(minimal, unique=True).solution, lines("minimal.solved.txt")),
        "solve, hard": (sb.solve(hard).solution, lines("hard.solved.txt")),
        "solve, one": (sb.solve(sample[0]).solution, lines("solved.txt")[0]),
        "statuses": (set(sb.solve(minimal).status), {"unique"}),
        "a bad record": (sb.solve(["x", "55" + "." * 79]).status, ["malformed", "row-duplicate"]),
        "count": ([str(number) for number in sb.count(sample).count], lines("counts.txt")),
        "check": (set(checked.answer_right), {True}),
        "canonical": (forms.canonical, lines("canonical.txt")),
        "augment": (sb.augment(minimal, 3, seed=7).puzzle, images),
        "generate": (sb.generate(1000), grids),
        "generate, from 500": (sb.generate(500, start=500, threads=1), grids[500:]),
        "generate, uniform": (sb.generate(500, uniform=True, seed=3), lines("uniform.txt")),
        "rank": ([str(number) for number in sb.rank(grids).index], lines("ranks.txt")),
        "puzzles": (sb.puzzles(50, seed=4).puzzle, lines("puzzles.txt")),
        "rate, er": (ratings.er, [float(row["er"]) if row["er"] else None for row in table]),
        "rate, technique": (ratings.technique, [row["technique"] or None for row in table]),
        "rate, difficulty": (ratings.difficulty, [row["difficulty"] or None for row in table]),
        "empty grids": (len(sb.solve(["." * 81] * 20_000).solution), 20_000),
    }
    differing = [name for name, (given, expected) in pairs.items() if given != expected]
    for name in differing:
        given, expected = pairs[name]
        print(f"DIFFERS: {name}\n  expected {str(expected)[:500]}\n  given    {str(given)[:500]}")
    print(f"{len(pairs)} answers of Python {sys.version.split()[0]}: {differing or 'none'} differ")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()
