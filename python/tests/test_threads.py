"""Every function lets other threads of Python run, and hears an interrupt before most of its work is done.

Both are measured as shares of the work of a call, because seconds say more of the machine than of the package.
"""

import inspect
import signal
import threading
import time

import numpy as np
import pyarrow as pa
import pytest
from conftest import data

import sudoku_batch as sb
from sudoku_batch._answers import Columns

EASY, HARD = data("easy.txt"), data("hard.txt")
SOLVED = sb.solve(EASY).solution
DIGITS = np.array([[int(cell) if cell.isdigit() else 0 for cell in text] for text in EASY], np.uint8)
GRIDS = np.array([[int(cell) for cell in text] for text in SOLVED], np.uint8)


def many(texts, number):
    """A list of this many texts."""
    return (texts * (number // len(texts) + 1))[:number]


class Call:
    """A call that takes about a second of processor time, and what it takes."""

    def __init__(self, function, make, **settings):
        self.function, self.make, self.settings = function, make, settings
        parameters = inspect.signature(function).parameters
        if "threads" in parameters:
            self.settings["threads"] = 1

    def prepare(self):
        records = self.make()
        records = records if isinstance(records, tuple) else (records,)
        return lambda: self.function(*records, **self.settings)


def next_of_images(batch):
    return next(sb.Images(DIGITS[:100], GRIDS[:100], batch=batch))


def dictionary(number):
    return pa.array(many(EASY, number)).dictionary_encode()


def texts_of(number):
    return [f"So it is {text}." for text in many(SOLVED, number)]


CALLS = {
    "augment": Call(sb.augment, lambda: many(EASY, 2000), copies=500),
    "backdoors": Call(sb.backdoors, lambda: many(HARD, 20_000)),
    "candidate_counts": Call(sb.candidate_counts, lambda: many(EASY, 500_000)),
    "canonical": Call(sb.canonical, lambda: many(EASY, 300_000)),
    "check": Call(sb.check, lambda: (many(EASY, 1_000_000), many(SOLVED, 1_000_000))),
    "classes": Call(sb.classes, lambda: many(SOLVED, 300_000)),
    "count": Call(sb.count, lambda: many(HARD, 60_000)),
    "dedup": Call(sb.dedup, lambda: many(EASY, 2_000_000), by="equality"),
    "dedup by symmetry": Call(sb.dedup, lambda: many(EASY, 400_000)),
    "explain": Call(sb.explain, lambda: many(EASY, 3000)),
    "expand": Call(sb.expand, lambda: many(EASY, 70_000)),
    "features": Call(sb.features, lambda: many(EASY, 300_000)),
    "filter": Call(sb.filter, lambda: many(EASY, 500_000), rating=(1.0, 4.4)),
    "generate": Call(sb.generate, lambda: 2_000_000),
    "hrm": Call(sb.hrm, lambda: many(EASY, 200_000), output_dir=None, copies=10),
    "Images": Call(sb.Images, lambda: (many(EASY, 800_000), many(SOLVED, 800_000))),
    "Images of arrays": Call(sb.Images, lambda: (np.tile(DIGITS, (500, 1)), np.tile(GRIDS, (500, 1)))),
    "a batch of Images": Call(next_of_images, lambda: 2_500_000),
    "patterns": Call(sb.patterns, lambda: many(EASY, 300_000)),
    "minimals": Call(sb.minimals, lambda: many(SOLVED, 100), limit=300),
    "drills": Call(sb.drills, lambda: many(EASY, 3000), up_to=4.4),
    "near": Call(sb.near, lambda: many(EASY, 300)),
    "parse lines": Call(sb.parse, lambda: "\n".join(many(EASY, 1_500_000))),
    "parse a table": Call(sb.parse, lambda: "a,puzzle\n" + "\n".join(f"1,{text}" for text in many(EASY, 600_000))),
    "parse words": Call(sb.parse, lambda: "See below.\n" + "\n\nand\n".join(f"<{text}>" for text in many(EASY, 400_000))),
    "puzzles": Call(sb.puzzles, lambda: 30_000),
    "rank": Call(sb.rank, lambda: many(SOLVED, 600_000)),
    "rate": Call(sb.rate, lambda: many(EASY, 500_000), up_to=4.4),
    "score": Call(sb.score, lambda: (many(EASY, 300_000), texts_of(300_000))),
    "solutions": Call(sb.solutions, lambda: ["." * 81], limit=700_000),
    "solve": Call(sb.solve, lambda: many(EASY, 2_000_000)),
    "solve hard": Call(sb.solve, lambda: many(HARD, 60_000)),
    "solve a dictionary": Call(sb.solve, lambda: dictionary(6_000_000)),
    "solved_reward": Call(sb.solved_reward, lambda: (None, texts_of(300_000)), puzzle=many(EASY, 300_000)),
    "blanks_reward": Call(sb.blanks_reward, lambda: (None, texts_of(300_000)), puzzle=many(EASY, 300_000)),
    "split": Call(sb.split, lambda: (many(EASY, 1_500_000), 0.5), by="equality"),
    "stats": Call(sb.stats, lambda: many(EASY, 300_000)),
    "trace": Call(sb.trace, lambda: many(EASY, 40_000)),
    "trace_steps": Call(sb.trace_steps, lambda: many(EASY, 10_000)),
    "true_candidates": Call(sb.true_candidates, lambda: many(EASY, 300_000)),
    "unavoidable": Call(sb.unavoidable, lambda: many(SOLVED, 200)),
    "Prompts": Call(lambda n: list(sb.Prompts(n)), lambda: 30_000),
}


def test_every_function_is_called():
    called = {word for name in CALLS for word in name.split()}
    public = {name for name in sb.__all__ if callable(getattr(sb, name)) and name != "Records"}
    answers = {name for name in public if inspect.isclass(getattr(sb, name)) and issubclass(getattr(sb, name), Columns)}
    assert public - answers <= called


class Waiting(threading.Thread):
    """A thread that wants the GIL every millisecond, and notes how long it waited most."""

    def __init__(self):
        super().__init__()
        self.longest, self.ticks, self.over = 0.0, 0, False

    def run(self):
        before = time.perf_counter()
        while not self.over:
            time.sleep(0.001)
            now = time.perf_counter()
            self.longest, before = max(self.longest, now - before), now
            self.ticks += 1


class Interrupted(Exception):
    pass


def interrupt(*_):
    raise Interrupted


@pytest.mark.parametrize("name", CALLS)
def test_threads_run_and_interrupts_are_heard(name, tmp_path):
    call = CALLS[name]
    if "output_dir" in call.settings:
        call.settings["output_dir"] = tmp_path / "sets"
    work = call.prepare()
    for _ in range(TRIES):
        processor, waited, ticks = waits(work)
        print(f"{name}: {processor:.2f} s, longest wait {waited:.3f} of all")
        if waited < 0.5:
            break
    # A fast machine takes 0.15 s for the smallest.
    assert processor > 0.05, "there is too little work to measure"
    assert waited < 0.5 and ticks > 10

    for _ in range(TRIES):
        heard = until_heard(work, processor / 10) / processor
        print(f"{name}: heard after {heard:.2f}")
        if heard < 0.5:
            break
    assert heard < 0.5


# A machine may stop a thread for a while, but not each time. A call that holds the GIL has a share of 0.9998.
TRIES = 3


def waits(work):
    """The seconds of the processor, the longest wait of another thread as a share of the call, and how often it ran."""
    other = Waiting()
    other.start()
    start, processor = time.perf_counter(), time.process_time()
    # The answer is kept until the other thread is at its end: Python frees it at a stretch.
    answer = work()
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    other.over = True
    other.join()
    del answer
    return processor, other.longest / seconds, other.ticks


def until_heard(work, after):
    """The seconds of the processor until a call ends that gets a signal after some: others do not lengthen these."""
    before = signal.signal(signal.SIGPROF, interrupt)
    try:
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, after)
        with pytest.raises(Interrupted):
            work()
        return time.process_time() - start
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
