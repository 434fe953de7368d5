#!/usr/bin/env bash
# The comparison of the README: corpora on one side, solvers on the other, as
# whole processes that take turns on the same files; all solutions are checked.
#
#     scripts/compare.sh CORPUS... -- ['COMMAND {in} {out}'...]
#
# Without commands: qqwing. Settings, by the environment:
#
#     PUZZLES  how many of each corpus (all; 20,000 of a smaller one)
#     ROUNDS   how many rounds (7)
#     LIMIT    first or unique, for sudoku-batch (first, as others have it)
#     THREADS  for sudoku-batch, as in 1,2 (1: most others have one)
#
# For example, with puzzles of this repository:
#
#     PUZZLES=2000 scripts/compare.sh data/easy.txt data/hard.txt
set -euo pipefail
cd "$(dirname "$0")/.."

corpora=()
while [[ $# -gt 0 && $1 != -- ]]; do corpora+=("$1"); shift; done
[[ ${#corpora[@]} -gt 0 ]] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
[[ $# -eq 0 ]] || shift
[[ $# -gt 0 ]] || set -- 'qqwing --solve --one-line < {in} > {out}'

options=(--rounds "${ROUNDS:-7}" --stop-at "${LIMIT:-first}" --threads "${THREADS:-1}")
[[ -z ${PUZZLES:-} ]] || options+=(--puzzles "$PUZZLES")
for command; do options+=(--solver "$command"); done

cargo build --release --quiet
exec target/release/sudoku-batch bench "${corpora[@]}" "${options[@]}"
