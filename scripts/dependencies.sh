#!/usr/bin/env bash
# How many crates the library needs, itself among them: alone, with all of its features, and with the
# command. Over 8 for the library alone is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
most=8

# The names of all crates that are built, a line each.
crates() { cargo tree --locked --edges no-dev --prefix none --format '{p}' "$@" | sed 's/ (.*//' | sort -u; }

alone=$(crates --package sudoku-batch)
features=$(crates --package sudoku-batch --all-features)
command=$(crates --package sudoku-batch-cli)
count() { wc -l <<<"$1"; }
printf 'crates: %d for the library, %d with all features, %d for the command\n' \
    "$(count "$alone")" "$(count "$features")" "$(count "$command")"
if [[ $(count "$alone") -gt $most ]]; then
    printf 'the library alone needs more than %d crates:\n%s\n' "$most" "$alone"
    exit 1
fi
