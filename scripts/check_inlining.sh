#!/usr/bin/env bash
# Vector intrinsics must be inlined: a call to one in the release program means
# that an `inline(always)` on the way from `Isa::run` was lost, and that the
# kernel runs at a fraction of its speed. Looks for such calls. What asks for the CPU's features
# (`__cpuid`, `_xgetbv`) may be called, and so may what the hash maps and texts of crates call that are compiled without
# optimisation. Needs objdump, of binutils.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --quiet --bin sudoku-batch
listing=$(mktemp)
trap 'rm -f "$listing"' EXIT
objdump -d --no-show-raw-insn target/release/sudoku-batch >"$listing"

# Symbols are mangled: 9core_arch, then the module, then the name with its length.
found=$(awk '
    /^[0-9a-f]+ </ { function_ = $2 }
    /core_arch/ && /call|jmp/ && !/_xgetbv|__cpuid/ && function_ !~ /core_arch|9hashbrown|4core5slice5ascii/ {
        print function_ " calls " $NF
    }' "$listing" | sort | uniq -c)
if [[ -n $found ]]; then
    echo "intrinsics that were not inlined:"
    if command -v c++filt >/dev/null; then c++filt <<<"$found"; else echo "$found"; fi
    exit 1
fi

# The check sees what it looks at: the kernels are there.
for instruction in vpternlogq vgf2p8affineqb vprolvq vpopcntq vpsllvq; do
    grep -qw "$instruction" "$listing" || [[ $(uname -m) != x86_64 ]] ||
        { echo "no $instruction in the program: the kernels are not compiled for their level"; exit 1; }
done
echo "check_inlining: no calls into core_arch"
