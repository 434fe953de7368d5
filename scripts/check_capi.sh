#!/usr/bin/env bash
# Checks the library for C: installs it into a folder, compiles and runs what its users would, and compares the
# bytes with those of the command (`cargo build --release`). Needs a C and a C++ compiler, Go, pkg-config, Python and
# valgrind, and installs what is missing on Debian.
#
#     scripts/check_capi.sh            all of it
#     scripts/check_capi.sh quick      without pyarrow, valgrind and the address sanitizer
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
command=$PWD/${CARGO_TARGET_DIR:-target}/release/sudoku-batch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

need() {
    command -v "$1" >/dev/null && return
    local root=(); [[ $(id -u) -eq 0 ]] || root=(sudo)
    "${root[@]}" apt-get update -q && "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$2"
}
need cc gcc
need c++ g++
need go golang-go
need pkg-config pkg-config
need valgrind valgrind

say() { printf '\n-- %s\n' "$*"; }

# `unsafe` has one module.
[[ $(grep -rlw unsafe capi/src --include='*.rs' | grep -v '^capi/src/border' | grep -v '^capi/src/lib.rs$') == '' ]] ||
    { echo 'capi/src: `unsafe` outside of border'; exit 1; }

say 'the header is the one that cbindgen makes'
scripts/capi.sh header "$work/header.h"
diff "$work/header.h" capi/include/sudoku_batch.h || { echo 'run scripts/capi.sh header'; exit 1; }

say 'the tests of the border in Rust'
cargo test --release --quiet "${together[@]}" --package sudoku-batch-capi --test border

say 'installed as a user would'
WITH=${together[*]} scripts/capi.sh install "$work/there"
export PKG_CONFIG_PATH=$work/there/lib/pkgconfig LD_LIBRARY_PATH=$work/there/lib
[[ $(pkg-config --modversion sudoku_batch) == "$(sed -n '/^\[workspace.package\]/,/^version/s/^version = "\(.*\)"$/\1/p' Cargo.toml)" ]]
flags=$(pkg-config --cflags --libs sudoku_batch)
# The library shows what the header has, and nothing else.
diff <(grep -v '^\(//\| \*\)' capi/include/sudoku_batch.h | sed -nE 's/^[a-z].*[ *](sudoku_batch_[a-z_]+)\(.*/\1/p' | sort) \
    <(nm -D --defined-only "$work/there/lib/libsudoku_batch.so" | cut -d' ' -f3 | sort)

# docs/c.md tells the sizes of the profile `release`, of another compiler perhaps.
sizes=$(sed -nE "s/.*shared library has ([0-9.]+) MB, .* standard library, ([0-9.]+) MB.*/\1 \2/p" docs/c.md)
read -r shared static <<<"$sizes"
for file_and_size in "libsudoku_batch.so $shared" "libsudoku_batch.a $static"; do
    read -r file told <<<"$file_and_size"
    awk -v told="$told" -v bytes="$(stat -L -c %s "$work/there/lib/$file")" 'BEGIN { exit !(told > 0 && bytes / told / 1e6 > 0.85 && bytes / told / 1e6 < 1.15) }' ||
        { echo "docs/c.md: $file has no $told MB, but $(stat -L -c %s "$work/there/lib/$file") bytes"; exit 1; }
done

say 'the examples in C, C++ and Go'
for name in easy minimal hard; do
    "$command" solve -q --unique "data/$name.txt" -o "$work/$name.solved"
done
# shellcheck disable=SC2086 # flags are words
for standard in c99 c11 c17; do
    cc -std=$standard -Wall -Wextra -Wpedantic -Werror capi/examples/app.c $flags -o "$work/app"
done
# shellcheck disable=SC2086
c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror capi/examples/app.cpp $flags -o "$work/app++"
(cd capi/examples/go && GOFLAGS=-mod=mod GOCACHE=$work/go go vet . && GOCACHE=$work/go go build -o "$work/app-go" .)
# The static library, in a program that needs no other file.
# shellcheck disable=SC2046
cc capi/examples/app.c -I"$work/there/include" "$work/there/lib/libsudoku_batch.a" \
    $(pkg-config --static --libs-only-l sudoku_batch | sed 's/-lsudoku_batch//') -o "$work/app-static"
for name in easy minimal hard; do
    "$work/app" "data/$name.txt" 2>"$work/told" | cmp - "$work/$name.solved"
    [[ $(wc -l <"$work/told") -eq 3 ]]
    env -u LD_LIBRARY_PATH "$work/app-static" "data/$name.txt" 2>/dev/null | cmp - "$work/$name.solved"
    "$work/app++" <"data/$name.txt" | cmp - "$work/$name.solved"
    "$work/app-go" <"data/$name.txt" | cmp - "$work/$name.solved"
done
echo 'four programs: the bytes of the command'

say 'what the header promises, from C'
few() {
    head -n "$2" "data/$1.txt" >"$work/few.txt"
    head -n "$2" "$work/$1.solved" >"$work/few.solved"
}
border() {
    # shellcheck disable=SC2086
    cc -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror "$@" capi/tests/border.c $flags -lpthread -o "$work/border"
}
border -O1
# Of the hardest a few: their chains take long.
for name in 'easy 2000' 'minimal 500' 'hard 5'; do
    # shellcheck disable=SC2086 # a name and a number
    few $name
    # Nothing is printed.
    told=$("$work/border" "$work/few.txt" "$work/few.solved" 2>&1) || { echo "$told"; exit 1; }
    [[ -z $told ]] || { echo "printed: $told"; exit 1; }
done
echo 'errors, sizes, strides, Arrow, ten threads at once, a call that is stopped, signals: as it says'

python=python3
if [[ ${1:-} != quick ]]; then
    say 'under valgrind, and with the address sanitizer'
    few minimal 40
    # Memory that Rust keeps for each thread until the end is reached by a pointer that valgrind calls possible. It has no
    # AVX-512, so the library takes AVX2 there. One thread runs at a time: without a fair schedule, one that
    # waits for another took the turn of that other for half an hour.
    valgrind --fair-sched=yes --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite \
        "$work/border" "$work/few.txt" "$work/few.solved"
    border -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
    "$work/border" "$work/few.txt" "$work/few.solved"
    echo 'nothing wrong, nothing lost'
    # Tables are taken by another reader of Arrow's interface, too.
    python3 -c 'import ensurepip' 2>/dev/null || need python3-venv python3-venv
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check "$(grep '^pyarrow==' python/tests/requirements.txt)"
    python=$work/venv/bin/python
fi

say 'every question and every call, compared with the command'
mkdir "$work/calls"
files=()
for file in data/easy.txt data/minimal.txt data/hard.txt ../shared/corpora/*.txt; do
    [[ -f $file ]] || continue
    name=$(basename "$file")
    # Chains of the hardest take seconds each.
    most=60
    [[ $name != *hard* && $name != magictour* ]] || most=3
    grep -E '^[1-9.0]{81}$' "$file" | head -n "$most" >"$work/$name" || true
    [[ $(wc -l <"$work/$name") -lt 3 ]] || files+=("$work/$name")
done
"$python" capi/tests/calls.py "$work/there/lib/libsudoku_batch.so" "$command" "$work/calls" "${files[@]}"

# All of the corpora, by the call that has to be fast.
for file in "${files[@]##*/}"; do
    for folder in data ../shared/corpora; do
        [[ -f $folder/$file ]] || continue
        grep -E '^[1-9.0]{81}$' "$folder/$file" >"$work/whole.txt"
        "$command" solve -q "$work/whole.txt" -o "$work/whole.solved"
        "$work/app++" <"$work/whole.txt" | cmp - "$work/whole.solved"
    done
done

say 'sizes'
(cd "$work/there/lib" && stat -c '%9s  %n' libsudoku_batch.so.*.*.* libsudoku_batch.a)
strip -o "$work/stripped" "$work/there/lib/libsudoku_batch.so"
stat -c '%9s  libsudoku_batch.so, stripped' "$work/stripped"
