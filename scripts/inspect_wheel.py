"""Looks at a wheel that cannot run here: its tags, its files, and the libraries that its module imports.
Prints them, and fails if a file is missing or a library is not part of the system that the tag names.

    python3 scripts/inspect_wheel.py WHEEL
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

# Libraries that each system brings, and Python with it.
SYSTEM = {
    "musllinux": re.compile(r"libc\.so|libc\.musl-\w+\.so\.1|libgcc_s\.so\.1"),
    "win": re.compile(
        r"python3\.dll|kernel32\.dll|ntdll\.dll|bcryptprimitives\.dll|advapi32\.dll|ws2_32\.dll|userenv\.dll"
        r"|msvcrt\.dll|api-ms-win-(core|crt)-[\w-]+\.dll",
        re.IGNORECASE,
    ),
}


def main() -> None:
    wheel = pathlib.Path(sys.argv[1])
    python, abi, platform = wheel.stem.split("-")[2:]
    system = next(name for name in SYSTEM if platform.startswith(name))
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        names = archive.namelist()
        about = next(name for name in names if name.endswith(".dist-info/WHEEL"))
        tags = re.findall(r"^Tag: (.*)$", archive.read(about).decode(), re.MULTILINE)
        assert f"{python}-{abi}-{platform}" in tags, tags
        for name in ("__init__.py", "py.typed", "_engine.pyi", "_questions.py", "spark.py"):
            assert f"sudoku_batch/{name}" in names, f"no {name}"
        assert any("LICENSE-MIT" in name for name in names), "no licence"
        (module,) = (name for name in names if re.search(r"_engine.*\.(so|pyd)$", name))
        archive.extract(module, folder)
        listing = subprocess.run(
            ["objdump", "-p", pathlib.Path(folder, module)], capture_output=True, text=True, check=True
        ).stdout
    imports = re.findall(r"(?:NEEDED|DLL Name:)\s+(\S+)", listing)
    print(f"tags {tags}, module {module}, imports {imports}")
    assert imports, "no imports found"
    foreign = [name for name in imports if not SYSTEM[system].fullmatch(name)]
    assert not foreign, f"not of the system: {foreign}"
    assert "PyInit__engine" in listing or system == "musllinux", "no module of Python"


if __name__ == "__main__":
    main()
