#!/usr/bin/env bash
# Floods: far more input than fits anywhere, and input that is made to hurt. Prints a line for
# each: the peak of memory, the times and the exit status. docs/internals/evidence.md has the figures.
#
#     scripts/floods.sh PROGRAM           small sizes, a minute or two
#     scripts/floods.sh PROGRAM full      200 million puzzles, 10 GB bombs: half an hour
#
# An error if a run needs more than MOST_MEMORY kB (default 262144), or ends with another status
# than it should.
set -euo pipefail
program=$(realpath "${1:?usage: scripts/floods.sh PROGRAM [full]}")
cd "$(dirname "$0")/.."
case ${2:-small} in
small) puzzles=2000000 rubbish=500000 hard=20000 bomb=1G ;;
full) puzzles=200000000 rubbish=50000000 hard=1000000 bomb=10G ;;
*) echo "usage: scripts/floods.sh PROGRAM [full]" && exit 2 ;;
esac
most_memory=${MOST_MEMORY:-262144}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=false

# run NAME STATUSES COMMAND…, statuses such as 1,2: standard input is the caller's; /dev/null takes the output.
run() {
    local name=$1 expected=$2 status=0
    shift 2
    python3 scripts/floods.py peak "$folder/figures" "$@" >/dev/null 2>"$folder/errors" || status=$?
    local memory figures
    read -r memory figures <"$folder/figures"
    printf '%-44s %8d kB  %s  exit %d\n' "$name" "$memory" "$figures" "$status"
    tail -n 2 "$folder/errors" | sed 's/^/    /'
    if [[ ",$expected," != *",$status,"* || $memory -gt $most_memory ]]; then
        echo "    FAILED: exit $expected and at most $most_memory kB were expected"
        failed=true
    fi
}

# A line again and again, until nobody reads on.
lines() { yes "$1" 2>/dev/null || true; }

echo "puzzles through a pipe"
python3 scripts/floods.py again "$puzzles" | run "solve, $puzzles easy puzzles" 0 "$program" solve - -o /dev/null

echo "rubbish, with rejects to a slow reader"
mkfifo "$folder/rejects"
# It stops for a second eight times.
python3 scripts/floods.py slow "$folder/rejects" $((rubbish * 66 / 8)) &
reader=$!
lines 'this is no puzzle, row 7' | head -n "$rubbish" |
    run "solve, $rubbish lines of rubbish" 1 \
        "$program" solve - --input-format line -q -o /dev/null --rejects "$folder/rejects"
wait "$reader"

echo "hard puzzles among easy ones, all threads busy to the end"
python3 scripts/floods.py mixed "$hard" >"$folder/mixed"
run "solve, $hard hard ones" 0 "$program" solve "$folder/mixed" -o /dev/null

echo "compressed bombs"
zeros() { head -c "$bomb" /dev/zero; }
zeros | gzip -1 >"$folder/zeros.gz"
zeros | zstd -q -1 -o "$folder/zeros.zst"
gzip -1 <"$folder/zeros.gz" >"$folder/nested.gz"
lines '' | head -c "$bomb" | zstd -q -1 -o "$folder/blank.zst"
lines "$(head -c 81 /dev/zero | tr '\0' z)" | head -c "$bomb" | zstd -q -1 -o "$folder/bad.zst"
ls -l "$folder"/*.gz "$folder"/*.zst | awk '{ print "    " $5 " bytes", $9 }' | sed "s|$folder/||"
run "gzip of $bomb zeros (one endless line)" 2 "$program" solve "$folder/zeros.gz" -o /dev/null
run "zstd of $bomb zeros (one endless line)" 2 "$program" solve "$folder/zeros.zst" -o /dev/null
# The nested file has bytes at random: bad lines, or a line that is too long.
run "gzip of a gzip of $bomb zeros" 1,2 "$program" solve --input-format line "$folder/nested.gz" -o /dev/null
run "zstd of $bomb of blank lines" 0 "$program" solve --input-format line "$folder/blank.zst" -o /dev/null
run "zstd of $bomb of bad lines" 1 "$program" solve --input-format line -q "$folder/bad.zst" -o /dev/null

! $failed
