#!/usr/bin/env bash
# How many crates the library needs, itself among them: alone, with the feature
# `pipeline`, and with the command. Over 12 for the library alone is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
most=12

# The names of all crates that are built, a line each.
crates() { cargo tree --locked --edges no-dev --prefix none --format '{p}' "$@" | sed 's/ (.*//' | sort -u; }

alone=$(crates --no-default-features)
pipeline=$(crates --no-default-features --features pipeline)
command=$(crates)
count() { wc -l <<<"$1"; }
printf 'crates: %d for the library, %d with `pipeline`, %d with `cli`\n' \
    "$(count "$alone")" "$(count "$pipeline")" "$(count "$command")"
if [[ $(count "$alone") -gt $most ]]; then
    printf 'the library alone needs more than %d crates:\n%s\n' "$most" "$alone"
    exit 1
fi
