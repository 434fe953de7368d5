"""The parts of scripts/floods.sh that are no shell."""

import os
import random
import subprocess
import sys
import time


def peak(figures: str, *command: str) -> int:
    """Runs a command, writes its peak of memory (kB) and its times to a file, and returns
    its exit status."""
    start = time.monotonic()
    child = subprocess.Popen(command)
    _, status, usage = os.wait4(child.pid, 0)
    clock = time.monotonic() - start
    busy = usage.ru_utime + usage.ru_stime
    share = 100 * busy / (clock * len(os.sched_getaffinity(0)))
    with open(figures, "w") as file:
        print(usage.ru_maxrss, f"{clock:.1f} s, cores {share:.0f} % busy", file=file)
    return os.waitstatus_to_exitcode(status)


def read(name: str) -> list[bytes]:
    """The lines of a file of data/."""
    with open(f"data/{name}.txt", "rb") as file:
        return [line[:81] + b"\n" for line in file if line[:1] != b"#"]


def again(count: str) -> int:
    """Writes so many easy puzzles."""
    lines = read("easy") * 25
    left = int(count)
    with os.fdopen(1, "wb") as out:
        text = b"".join(lines)
        while left >= len(lines):
            out.write(text)
            left -= len(lines)
        out.write(b"".join(lines[:left]))
    return 0


def slow(pipe: str, stop: str) -> int:
    """Reads a pipe and stops for a second after each so many bytes."""
    taken = 0
    with open(pipe, "rb", buffering=0) as rejects:
        while part := rejects.read(1 << 16):
            taken += len(part)
            if taken >= int(stop):
                taken = 0
                time.sleep(1)
    return 0


def mixed(count: str) -> int:
    """Writes so many hard puzzles: a hundred at a time, with up to 1000 easy ones between."""
    easy, hard = read("easy"), read("hard")
    random.seed(1)
    with os.fdopen(1, "wb") as out:
        for _ in range(int(count) // 100):
            out.write(b"".join(random.choices(hard, k=100)))
            out.write(b"".join(random.choices(easy, k=random.randrange(1000))))
    return 0


if __name__ == "__main__":
    PARTS = {part.__name__: part for part in (peak, again, slow, mixed)}
    sys.exit(PARTS[sys.argv[1]](*sys.argv[2:]))
