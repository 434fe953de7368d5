#!/usr/bin/env bash
# A guard against slow-downs that noise cannot trip: the instructions of fixed
# workloads (tools/src/bin/workload.rs), counted by valgrind and compared with
# scripts/guard.txt. Over 2 % more is an error. Needs valgrind.
#
#     scripts/guard.sh            compare
#     scripts/guard.sh --update   write the counts anew, after a change that was
#                                 meant or another compiler
#
# Counts belong to a compiler: with another one they are shown, and not judged.
# The sliced engine runs at the levels that valgrind knows: AVX-512 is not one.
# A count is not a time, and misses what memory and branches cost.
set -euo pipefail
cd "$(dirname "$0")/.."
tolerance=2
file=scripts/guard.txt
workloads=(read scalar-easy scalar-minimal scalar-hard
    'sliced-easy avx2' 'sliced-minimal avx2' 'sliced-hard avx2' 'sliced-minimal portable'
    generate-in-order generate-shuffled)

. scripts/packages.sh
cargo build --release --quiet "${together[@]}" --package sudoku-batch-tools --bin workload
compiler=$(rustc --version | cut -d' ' -f1,2)
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# The instructions that valgrind counts from start to end.
count() {
    # shellcheck disable=SC2086 # a workload is a name and perhaps a level
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$log" \
        target/release/workload $1 || { echo "workload $1 failed"; cat "$log"; exit 1; } >&2
    sed -n 's/.*Collected : *//p' "$log"
}

if [[ ${1:-} == --update ]]; then
    new=$(for workload in "${workloads[@]}"; do printf '%s\t%s\n' "$workload" "$(count "$workload")"; done)
    printf '# Instructions by workload, from scripts/guard.sh --update. %s\n%s\n' "$compiler" "$new" >"$file"
    cat "$file"
    exit
fi

recorded=$(sed -n '1s/.*--update\. //p' "$file")
judged=true
if [[ $recorded != "$compiler" ]]; then
    judged=false
    echo "guard: NOT JUDGED: the counts are of $recorded, and this is $compiler"
fi
failed=false
seen=()
while IFS=$'\t' read -r workload before; do
    [[ $workload != \#* ]] || continue
    seen+=("$workload")
    now=$(count "$workload")
    more=$(awk -v a="$before" -v b="$now" 'BEGIN { printf "%+.2f", (b - a) * 100 / a }')
    printf '%-24s %14d %14d %8s %%\n' "$workload" "$before" "$now" "$more"
    if awk -v m="$more" -v t="$tolerance" 'BEGIN { exit !(m > t) }'; then failed=true; fi
done <"$file"
[[ "${seen[*]}" == "${workloads[*]}" ]] || { echo "guard: $file has other workloads: --update it"; exit 1; }
if $failed && $judged; then
    echo "guard: over $tolerance % more instructions; if that is meant: scripts/guard.sh --update"
    exit 1
fi
