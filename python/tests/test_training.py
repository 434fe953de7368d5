"""Arrays of the command, the folder of HRM and TRM, and the endless stream."""

import csv
import filecmp
import io
import itertools
import json
import math
import os
import pickle
import subprocess
import sys

import numpy
import pytest
import sudoku_batch as sb
from conftest import data


@pytest.fixture(scope="module")
def pairs():
    puzzles, solutions = data("minimal.txt")[:200], data("minimal.solved.txt")[:200]
    digits = lambda texts: numpy.array(  # noqa: E731
        [[int(cell) if cell != "." else 0 for cell in text] for text in texts], dtype=numpy.uint8
    )
    return digits(puzzles), digits(solutions)


def test_numpy_reads_what_the_table_has(command, tmp_path):
    table = tmp_path / "in.csv"
    rows = zip(data("minimal.txt")[:50], data("minimal.solved.txt")[:50], itertools.count())
    lines = [f"{puzzle},{solution},{n / 4}" for puzzle, solution, n in rows]
    table.write_text("\n".join(["question,answer,rating", *lines, "12,,"]) + "\n")
    for options, plain in [
        ("solve", "solution"),
        ("rate", None),
        ("check --minimal --rows", None),
        ("augment -k 4", None),
        ("convert", None),
        ("count", None),
    ]:
        words = options.split()
        text = command(words[0], table, *words[1:], "--format", "csv")
        command(words[0], table, *words[1:], "-q", "-o", tmp_path / "t.npy")
        columns = list(zip(*csv.reader(io.StringIO(text)), strict=True))
        columns = {name: values for name, *values in columns}
        files = list(tmp_path.glob("t*.npy"))
        assert files
        for file in files:
            name = plain if file.name == "t.npy" else file.name.split(".")[1]
            array, values = numpy.load(file), columns[name]
            assert array.shape[0] == len(values)
            for row, value in zip(array, values, strict=True):
                if array.ndim == 2:
                    cells = value.replace(".", "0") if len(value) == 81 else "0" * 81
                    assert "".join(map(str, row)) == cells
                elif array.dtype == numpy.float64:
                    assert float(value) == row if value else math.isnan(row)
                elif name == "status":
                    assert sb.STATUSES[row] == value
            file.unlink()


def load(folder, name):
    return numpy.load(folder / f"all__{name}.npy")


def test_the_folder_is_that_of_the_command(command, tmp_path):
    records = [*data("minimal.txt")[:300], "x", "." * 81]
    (tmp_path / "raw.txt").write_text("\n".join(records) + "\n")
    options = "--copies 20 --subsample 40 --test 30% --seed 5".split()
    command("augment", "--format", "hrm", tmp_path / "raw.txt", *options, "--output-dir", tmp_path / "a")
    made = sb.hrm(records, tmp_path / "b", copies=20, subsample=40, test=0.3, seed=5, threads=3)
    assert made["train_rows"] == 800 and made["malformed"] == 1 and made["multiple"] == 1
    files = [path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*.*")]
    assert len(files) == 13
    same, *others = filecmp.cmpfiles(tmp_path / "a", tmp_path / "b", files, shallow=False)
    assert others == [[], []] and len(same) == 13
    # No image of one set is in the other, and none comes twice, by canonical forms.
    train, test = tmp_path / "b/train", tmp_path / "b/test"
    images = numpy.concatenate([load(train, "inputs"), load(test, "inputs")]) - 1
    assert len(numpy.unique(images, axis=0)) == len(images) == 800 + made["test_rows"]
    forms = sb.canonical(images).canonical
    of_train = {bytes(form) for form in forms[:800]}
    of_test = {bytes(form) for form in forms[800:]}
    assert len(of_train) == 40 and len(of_test) == made["test_rows"] and not of_train & of_test
    labels = numpy.concatenate([load(train, "labels"), load(test, "labels")]) - 1
    assert (sb.solve(images, unique=True).solution == labels).all()
    assert load(train, "group_indices").tolist() == list(range(0, 801, 20))
    about = json.loads((train / "dataset.json").read_text())
    assert about["total_groups"] == 40 and about["mean_puzzle_examples"] == 1


def test_a_folder_that_fails_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="share|weights"):
        sb.hrm(data("minimal.txt")[:5], tmp_path / "x", test=1.5)
    (tmp_path / "y/train/all__labels.npy").mkdir(parents=True)
    with pytest.raises(OSError):
        sb.hrm(data("minimal.txt")[:5], tmp_path / "y")
    assert not list((tmp_path / "y").rglob(".incomplete*"))


def take(stream, batches):
    return [numpy.stack(pair) for pair in itertools.islice(stream, batches)]


def test_the_stream_is_images(pairs):
    puzzles, solutions = pairs
    forms = {bytes(form): i for i, form in enumerate(sb.canonical(puzzles).canonical)}
    made = take(sb.Images(puzzles, solutions, batch=100, seed=3), 8)
    images, grids = numpy.concatenate(made, axis=1)
    assert images.dtype == numpy.uint8 and images.flags.writeable
    assert (sb.solve(images, unique=True).solution == grids).all()
    numbers = [forms[bytes(form)] for form in sb.canonical(images).canonical]
    for epoch in range(4):
        assert sorted(numbers[200 * epoch : 200 * epoch + 200]) == list(range(200))
    assert len(numpy.unique(images, axis=0)) == len(images)
    # Text gives the same stream as numbers.
    texts = data("minimal.txt")[:200], data("minimal.solved.txt")[:200]
    assert (take(sb.Images(*texts, batch=100, seed=3), 1)[0] == made[0]).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_ranks_share_one_stream(pairs, weighted):
    weights = numpy.linspace(0, 2, 200) if weighted else None
    whole = take(sb.Images(*pairs, batch=64, seed=1, weights=weights), 12)
    for world in (2, 3):
        for rank in range(world):
            part = sb.Images(*pairs, 64, 1, rank, world, weights)
            for mine, expected in zip(take(part, 12 // world), whole[rank::world], strict=True):
                assert (mine == expected).all()
    # Goes on after a state that went through JSON, or as a copy.
    stream = sb.Images(*pairs, batch=64, seed=1, weights=weights)
    take(stream, 5)
    again = sb.Images(*pairs, batch=64, seed=1, weights=weights)
    again.load_state_dict(json.loads(json.dumps(stream.state_dict())))
    copy = pickle.loads(pickle.dumps(stream))
    for other in (stream, again, copy):
        assert all((a == b).all() for a, b in zip(take(other, 7), whole[5:], strict=True))


def test_weights_are_shares(pairs):
    puzzles, solutions = pairs
    weights = numpy.zeros(200)
    weights[[3, 70]] = 1, 3
    images = take(sb.Images(puzzles, solutions, batch=4000, weights=weights), 1)[0][0]
    forms = sb.canonical(puzzles[[3, 70]]).canonical
    found = sb.canonical(images).canonical
    shares = [(found == form).all(axis=1).sum() for form in forms]
    assert sum(shares) == 4000 and abs(shares[0] - 1000) < 150
    assert len(numpy.unique(images, axis=0)) == 4000


def test_pairs_go_with_the_images(pairs):
    puzzles, solutions = pairs
    orders = sb.trace(puzzles, up_to=4.4, pairs=True).pairs
    stream = sb.Images(puzzles, solutions, batch=300, seed=5, pairs=orders)
    plain = sb.Images(puzzles, solutions, batch=300, seed=5)
    forms = {bytes(form): i for i, form in enumerate(sb.canonical(puzzles).canonical)}
    for _ in range(2):
        images, grids, made = next(stream)
        assert made.shape == (300, 81, 2) and made.dtype == numpy.int8
        assert all((a == b).all() for a, b in zip((images, grids), next(plain), strict=True))
        numbers = [forms[bytes(form)] for form in sb.canonical(images).canonical]
        for image, grid, order, number in zip(images, grids, made, numbers, strict=True):
            # The steps are as many as the puzzle has, each in a blank cell with the digit of the solution.
            cells, digits = order[: (order[:, 0] >= 0).sum()].T
            assert len(cells) == (orders[number][:, 0] >= 0).sum() and (order[len(cells) :] == -1).all()
            assert len(set(cells)) == len(cells) and not image[cells].any() and (grid[cells] == digits).all()


def test_a_state_is_of_its_puzzles(pairs):
    puzzles, solutions = pairs
    stream = sb.Images(puzzles, solutions, seed=1)
    state = stream.state_dict(given=12)
    expected = take(stream, 13)[12]
    again = sb.Images([bytes(row + 48).decode() for row in puzzles], solutions, seed=1)
    again.load_state_dict(json.loads(json.dumps(state)))
    assert (numpy.stack(next(again)) == expected).all()
    orders = sb.trace(puzzles, pairs=True).pairs
    others = [
        sb.Images(puzzles[::-1], solutions[::-1], seed=1),
        sb.Images(puzzles[:199], solutions[:199], seed=1),
        sb.Images(numpy.where(numpy.arange(81) == puzzles[0].argmax(), solutions, puzzles), solutions, seed=1),
        sb.Images(puzzles, solutions, seed=1, weights=numpy.ones(200)),
        sb.Images(puzzles, solutions, seed=1, pairs=orders),
        sb.Images(puzzles, solutions, seed=2),
    ]
    for other in others:
        with pytest.raises(ValueError, match="another stream"):
            other.load_state_dict(state)
    weighted = sb.Images(puzzles, solutions, weights=numpy.ones(200)).state_dict()
    with pytest.raises(ValueError, match="another stream: fingerprint differ"):
        sb.Images(puzzles, solutions, weights=numpy.arange(200)).load_state_dict(weighted)


LOADER = """
import itertools, sys
import numpy
if len(sys.argv) > 1:
    sys.path.insert(0, sys.argv[1])
    import stand_in_for_torch
    sys.modules.update(stand_in_for_torch.modules())
from torch.utils.data import DataLoader
import sudoku_batch as sb
from sudoku_batch.torch import Images

made = sb.puzzles(50, kind="numpy")
pairs = sb.trace(made.puzzle, pairs=True).pairs
arguments = dict(batch=16, seed=3, pairs=pairs)

def take(iterator, number):
    return [[numpy.asarray(array) for array in batch] for batch in itertools.islice(iterator, number)]

def same(some, others):
    return len(some) == len(others) and all(
        (a == b).all() for one, other in zip(some, others) for a, b in zip(one, other, strict=True))

for rank in range(2):
    alone = take(sb.Images(made.puzzle, made.solution, rank=rank, world=2, **arguments), 20)
    for workers in (0, 1, 2, 3):
        images = Images(made.puzzle, made.solution, rank=rank, world=2, **arguments)
        loader = DataLoader(images, batch_size=None, num_workers=workers)
        assert same(take(iter(loader), 11), alone[:11]), workers
        state = images.state_dict(given=11)
        again = Images(made.puzzle, made.solution, rank=rank, world=2, **arguments)
        again.load_state_dict(state)
        loader = DataLoader(again, batch_size=None, num_workers=2)
        assert same(take(iter(loader), 9), alone[11:]), workers
print("same")
"""


@pytest.mark.parametrize("real", [True, False])
def test_workers_of_a_loader_share_the_stream(tmp_path, real):
    if real:
        pytest.importorskip("torch")
    program = tmp_path / "loader.py"
    program.write_text(LOADER)
    where = [] if real else [os.path.dirname(__file__)]
    done = subprocess.run([sys.executable, program, *where], capture_output=True, text=True)
    assert done.stdout == "same\n", done.stderr


def test_a_test_set_that_is_given(tmp_path):
    """As the lists of sudoku-extreme: the test set is a list of its own, in its order."""
    minimal = data("minimal.txt")
    test = [*minimal[50:80], minimal[60], "." * 81, "x"]
    # Two training puzzles are images of test puzzles.
    leaks = sb.augment([minimal[55], minimal[70]], 1, seed=4).puzzle
    train = [*minimal[:40], *leaks]
    made = sb.hrm(train, tmp_path, test=test, subsample=30, copies=4, seed=2)
    counts = {key: made[key] for key in ("train_puzzles", "train_rows", "test_puzzles", "test_rows")}
    assert counts == {"train_puzzles": 30, "train_rows": 120, "test_puzzles": 31, "test_rows": 31}
    assert made["images_of_test"] == 2 and made["left_out_of_test"] == 2 and made["unique"] == 42
    rows = load(tmp_path / "test", "inputs").astype(int) - 1
    assert ["".join(map(str, row)).replace("0", ".") for row in rows] == test[:31]
    forms = [{bytes(form) for form in sb.canonical(load(tmp_path / name, "inputs") - 1).canonical} for name in ("train", "test")]
    assert len(forms[0]) == 30 and not forms[0] & forms[1]


def test_a_stream_refuses(pairs):
    puzzles, solutions = pairs
    with pytest.raises(ValueError, match="solution 1, counted from 0"):
        sb.Images(puzzles[:2], solutions[[0, 2]])
    with pytest.raises(ValueError, match="row 1, counted from 0"):
        sb.Images([data("minimal.txt")[0], "x"], data("minimal.solved.txt")[:2])
    with pytest.raises(ValueError, match="2 puzzles and 3 solutions"):
        sb.Images(puzzles[:2], solutions[:3])
    with pytest.raises(ValueError, match="1 to"):
        sb.Images(puzzles[:0], solutions[:0])
    with pytest.raises(ValueError, match="weights"):
        sb.Images(puzzles, solutions, weights=[1.0])
    with pytest.raises(ValueError, match="rank"):
        sb.Images(puzzles, solutions, rank=2, world=2)
    state = sb.Images(puzzles, solutions, seed=1).state_dict()
    with pytest.raises(ValueError, match="another stream"):
        sb.Images(puzzles, solutions, seed=2).load_state_dict(state)


def test_torch_takes_a_batch_without_a_copy(pairs):
    torch = pytest.importorskip("torch")
    puzzle, _ = next(sb.Images(*pairs))
    tensor = torch.from_numpy(puzzle)
    puzzle[0, 0] = 77
    assert tensor.shape == (768, 81) and tensor[0, 0] == 77
