"""Tries what only Windows has, with the program under wine: its paths, line ends, NUL, names, files that are
open, and a console with its progress bar and Ctrl-C.

    python3 scripts/try_windows.py PROGRAM.exe
"""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

DATA = pathlib.Path(__file__).parent.parent / "data"
PROGRAM = ["wine", str(pathlib.Path(sys.argv[1]).resolve())]


def run(folder: pathlib.Path, *arguments: str, status: int = 0) -> tuple[bytes, str]:
    done = subprocess.run(
        [*PROGRAM, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=300
    )
    errors = done.stderr.decode()
    assert done.returncode == status, f"{arguments}: status {done.returncode}: {errors}"
    return done.stdout, errors


def windows(path: pathlib.Path) -> str:
    """The path as Windows has it; wine's drive Z is the whole file system."""
    return "Z:" + str(path).replace("/", "\\")


def leftovers(folder: pathlib.Path) -> list[str]:
    return [path.name for path in folder.rglob(".incomplete-*")]


def paths(folder: pathlib.Path, solved: bytes) -> None:
    (folder / "out").mkdir()
    run(folder, "solve", r"data\sample.txt", "-o", r".\out\one.txt")
    assert (folder / "out/one.txt").read_bytes() == solved
    run(folder, "solve", windows(folder / "data/sample.txt"), "-o", windows(folder / "out/two.txt"))
    assert (folder / "out/two.txt").read_bytes() == solved
    run(folder, "solve", r"data/sample.txt", "-o", r"out\..\three.txt")
    assert (folder / "three.txt").read_bytes() == solved
    run(folder, "solve", r"data\sample.txt", r"data\easy.txt", "--output-dir", r"out\both")
    assert (folder / "out/both/sample.txt").read_bytes() == solved
    _, errors = run(folder, "solve", r"data\worst.txt", "-o", "worst.txt", status=1)
    assert r"data\worst.txt:3: no-solution" in errors, errors
    _, errors = run(folder, "solve", r"data", "-o", "x.txt", status=2)
    assert "data" in errors and not (folder / "x.txt").exists(), errors


def line_ends(folder: pathlib.Path, solved: bytes) -> None:
    text = (DATA / "sample.txt").read_bytes().replace(b"\n", b"\r\n")
    (folder / "crlf.txt").write_bytes(text)
    assert run(folder, "solve", "-q", "crlf.txt")[0] == solved
    table = b"id,puzzle\r\n1," + solved[:40] + b"." * 41 + b"\r\n"
    (folder / "crlf.csv").write_bytes(table)
    # A row keeps the line end that it had.
    output, _ = run(folder, "solve", "-q", "crlf.csv")
    assert output.count(b"\r\n") == 2 and output.startswith(b"id,puzzle,solution,status\r\n"), output


def devices(folder: pathlib.Path, solved: bytes) -> None:
    run(folder, "solve", r"data\easy.txt", "-o", "NUL")
    run(folder, "solve", r"data\easy.txt", "-o", "nul")
    assert not [path for path in folder.iterdir() if path.name.lower() == "nul"]


def names(folder: pathlib.Path, solved: bytes) -> None:
    for name in ("数独.txt", "Ünï cödé.txt", "пазл.csv.gz", "🧩.txt"):
        run(folder, "solve", r"data\sample.txt", "--format", "line", "-o", name)
        assert run(folder, "solve", "-q", name)[0] == solved, name
    _, errors = run(folder, "solve", "数.txt", status=2)
    assert "数.txt" in errors, errors
    # Windows takes 260 characters without more ado.
    deep = folder
    for letter in "abcd":
        deep = deep / (letter * 90)
    deep.mkdir(parents=True)
    path = windows(deep / "long.txt")
    assert len(path) > 360
    run(folder, "solve", r"data\sample.txt", "-o", path)
    assert run(folder, "solve", "-q", path)[0] == solved
    run(folder, "solve", path, "-o", path)
    assert (deep / "long.txt").read_bytes() == solved and not leftovers(deep)


def open_files(folder: pathlib.Path, solved: bytes) -> None:
    """A file that another process reads is replaced, or the error names it and it stays as it was."""
    target = folder / "open.txt"
    run(folder, "generate", "300k", "-o", "open.txt")
    before = target.read_bytes()
    reader = subprocess.Popen([*PROGRAM, "convert", "-q", "open.txt"], cwd=folder, stdout=subprocess.PIPE)
    assert reader.stdout and reader.stdout.read(1000) == before[:1000]
    done = subprocess.run(
        [*PROGRAM, "solve", "-q", "data/sample.txt", "-o", "open.txt"], cwd=folder, capture_output=True, timeout=60
    )
    if done.returncode == 0:
        assert target.read_bytes() == solved
        outcome = "is replaced"
    else:
        assert done.returncode == 2 and b"open.txt" in done.stderr, done
        assert target.read_bytes() == before
        outcome = "stays, with an error"
    assert reader.stdout.read() == before[1000:], "the reader sees the file that it opened"
    assert reader.wait() == (0 if done.returncode else reader.returncode)
    assert not leftovers(folder)
    # The command's own input is no hindrance.
    run(folder, "solve", "data/sample.txt", "-o", "own.txt")
    run(folder, "convert", "own.txt", "--format", "grid", "-o", "own.txt")
    run(folder, "convert", "own.txt", "--format", "line", "-o", "own.txt")
    assert (folder / "own.txt").read_bytes() == solved
    print(f"a file that another process reads {outcome}")


def console(folder: pathlib.Path, solved: bytes) -> None:
    """The progress bar of a long call, and Ctrl-C."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvp("wine", [*PROGRAM, "generate", "2G", "--uniform", "-o", "never.txt"])
    screen, begun, stopped = b"", time.monotonic(), None
    try:
        while time.monotonic() < begun + 120:
            if select.select([terminal], [], [], 0.2)[0]:
                try:
                    screen += os.read(terminal, 1 << 16)
                except OSError:
                    break
            if not stopped and b"%" in screen and time.monotonic() > begun + 6:
                stopped = time.monotonic()
                os.write(terminal, b"\x03")
        ended = time.monotonic()
        _, status = os.waitpid(child, 0)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    text = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07", b"", screen).decode(errors="replace")
    assert stopped, f"no progress bar on the console: {text[-500:]!r}"
    assert os.waitstatus_to_exitcode(status) == 130, (status, text[-500:])
    assert ended - stopped < 10, "Ctrl-C took too long"
    assert not (folder / "never.txt").exists() and not leftovers(folder), "Ctrl-C left a file"
    bar = next(line for line in re.split(r"[\r\n]", text) if "%" in line)
    print(f"console: the bar '{bar.strip()}', ended by Ctrl-C in {ended - stopped:.1f} s with status 130")


def main() -> None:
    solved = (DATA / "sample.solved.txt").read_bytes()
    failed = 0
    for part in (paths, line_ends, devices, names, open_files, console):
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            shutil.copytree(DATA, folder / "data")
            try:
                part(folder, solved)
                print(f"{part.__name__}: as it should be")
            except (AssertionError, subprocess.SubprocessError) as error:
                failed += 1
                print(f"{part.__name__}: FAILED: {error}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
