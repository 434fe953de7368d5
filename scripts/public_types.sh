#!/usr/bin/env bash
# Counts the public types of the library (structs, enums, traits, type aliases) in the pages that `cargo doc`
# writes, and fails if there are more than the number of CONTRIBUTING.md, or if there is a macro. It names those that share
# a name.
# A type that is `#[doc(hidden)]` has no page and is not counted: the interfaces of the project use it, and nobody else.
#
#     scripts/public_types.sh [MOST]
set -euo pipefail
cd "$(dirname "$0")/.."
# The pages of the command are here for `.ci/run`: a link that leads nowhere is an error.
RUSTDOCFLAGS='-D warnings' cargo doc --release --quiet --package sudoku-batch --package sudoku-batch-cli --package sudoku-batch-driver --all-features --no-deps
python3 - "${CARGO_TARGET_DIR:-target}/doc/sudoku_batch/all.html" "${1:-}" <<'PYTHON'
import collections, re, sys

KINDS = "structs", "enums", "traits", "types"
page = open(sys.argv[1], encoding="utf-8").read()
types = []
for kind, items in re.findall(r'<h3 id="([a-z-]+)">.*?</h3><ul class="all-items">(.*?)</ul>', page, re.S):
    if kind in KINDS:
        types += re.findall(r'<a href="[^"]*">([^<]*)</a>', items)
    elif kind == "macros":
        sys.exit(f"the pages list macros, which users have no use for: {items}")
# Each question has a struct of settings, which is no burden to who asks another.
types = [path for path in types if not re.fullmatch(r"questions::\w+Settings", path)]
if "Solver" not in {path.rsplit("::")[-1] for path in types}:
    sys.exit("all.html: no Solver is found, so rustdoc's page reads otherwise than expected")
rule = re.search(r"at most (\d+) public types", open("CONTRIBUTING.md", encoding="utf-8").read())
most = int(sys.argv[2] or rule[1])
modules = collections.Counter(path.split("::")[0] if "::" in path else "the root" for path in types)
print(f"{len(types)} public types:", ", ".join(f"{module} {count}" for module, count in sorted(modules.items())))
names = collections.Counter(path.rsplit("::")[-1] for path in types)
twice = [path for path in types if names[path.rsplit("::")[-1]] > 1]
if twice:
    print("two types of one name:", ", ".join(twice))
if len(types) > most:
    sys.exit(f"at most {most} public types")
PYTHON
