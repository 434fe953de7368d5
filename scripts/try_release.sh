#!/usr/bin/env bash
# Tries what scripts/release.sh has put into dist/, each as its user would: installs it, and runs the calls
# of scripts/calls.txt with it. Their bytes must be those of the command that `cargo build` makes, which
# the tests have tested.
#
#     scripts/try_release.sh [archives] [deb] [capi] [crate] [wheels] [npm]    all parts, if none is named
#
# Programs for ARM run under qemu, those for Windows under wine: that is not a Windows. Needs to be root
# (for chroot), on Debian on x86-64, and installs what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/toolchain.sh
dist=$PWD/dist
reference=$PWD/${CARGO_TARGET_DIR:-target}/debug/sudoku-batch
debian=bookworm

choose_parts "$@"

work=$(mktemp -d)
trap '[[ ! -d $work/wine ]] || wineserver --kill; rm -rf "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 WINEDEBUG=-all WINEPREFIX=$work/wine

say() { printf '\n-- %s\n' "$*"; }

# Unpacks one archive of dist, and prints its only folder.
unpack() {
    local file=$1 folder
    folder=$(mktemp -d -p "$work")
    case $file in
    *.zip) python3 -m zipfile -e "$file" "$folder" ;;
    *) tar --extract --file "$file" --directory "$folder" ;;
    esac
    echo "$folder"/*
}

# Each has what its users look for.
complete() {
    local folder=$1 name
    for name in README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE man/sudoku-batch.1 man/sudoku-batch-solve.1 \
        completions/sudoku-batch.bash completions/_sudoku-batch completions/sudoku-batch.fish completions/_sudoku-batch.ps1; do
        [[ -s $folder/$name ]] || { echo "$folder lacks $name"; exit 1; }
    done
    ! grep -nE '\]\((docs|python|web|data)/' "$folder/README.md" || { echo "README.md has links that lead nowhere"; exit 1; }
}

archives() {
    local folder
    say 'x86_64-unknown-linux-musl, in a folder with nothing else'
    folder=$(unpack "$dist"/*-x86_64-unknown-linux-musl.tar.gz)
    complete "$folder"
    mkdir "$work/alone"
    cp "$folder/sudoku-batch" "$work/alone/"
    # The answers stay for the wheels and for npm.
    rm -rf "$work/answers"
    python3 scripts/calls.py --folder "$work/alone" --keep "$work/answers" \
        "$reference" env -i /usr/sbin/chroot "$work/alone" /sudoku-batch

    say 'aarch64-unknown-linux-musl, under qemu'
    emulate_arm
    folder=$(unpack "$dist"/*-aarch64-unknown-linux-musl.tar.gz)
    complete "$folder"
    python3 scripts/calls.py "$reference" "$folder/sudoku-batch"
    levels "$folder/sudoku-batch"

    say 'x86_64-pc-windows-gnu, under wine'
    folder=$(unpack "$dist"/*-x86_64-pc-windows-gnu.zip)
    complete "$folder"
    stand_in "$folder"
    python3 scripts/calls.py "$reference" wine "$folder/sudoku-batch.exe"
    python3 scripts/try_windows.py "$folder/sudoku-batch.exe"
}

# A batch of 200,000 puzzles at every level of ARM, on two threads.
levels() {
    local level many=$work/many.txt
    "$reference" augment -q data/minimal.txt -k 100 -o "$many"
    "$reference" solve -q "$many" -o "$work/expected.txt"
    for level in neon portable; do
        "$1" solve -q "$many" --engine sliced --simd "$level" -j 2 -o "$work/given.txt"
        cmp "$work/expected.txt" "$work/given.txt"
        echo "200,000 puzzles at the level $level: the same bytes"
    done
}

# Debian's wine lacks a library that Rust's standard library wants for random numbers.
stand_in() {
    cat >"$work/stand_in.c" <<'C'
#include <stddef.h>
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, size_t length) {
    return SystemFunction036(buffer, (unsigned long)length);
}
C
    "$(python_tools)/python" -m ziglang cc -target x86_64-windows-gnu -shared -O1 -s \
        -o "$1/bcryptprimitives.dll" "$work/stand_in.c" -ladvapi32
    # Its services must not be started by a call: they would keep the pipe of its output open.
    mkdir "$WINEPREFIX"
    wineserver --persistent
    wineboot --init >/dev/null 2>&1
    wine cmd /c exit >/dev/null 2>&1
}

# A fresh Debian of an architecture in a folder. The packed system is kept, as it takes minutes.
fresh_debian() {
    local architecture=$1 folder=$2 kept=$tools/debian-$debian-$1.tar
    if [[ ! -e $kept ]]; then
        debootstrap --arch="$architecture" --variant=minbase --include=python3-venv "$debian" "$work/bootstrap" \
            >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log"; return 1; }
        tar --create --one-file-system --directory "$work/bootstrap" --file "$kept.new" .
        mv "$kept.new" "$kept"
        rm -rf "$work/bootstrap"
    fi
    mkdir "$folder"
    tar --extract --file "$kept" --directory "$folder"
}

deb() {
    local architecture root before after
    emulate_arm
    for architecture in amd64 arm64; do
        say "$architecture.deb, in a fresh Debian"
        root=$work/debian-$architecture
        fresh_debian $architecture "$root"
        before=$(cd "$root" && find usr | sort)
        cp "$dist"/sudoku-batch_*_$architecture.deb "$root/"
        chroot "$root" sh -c 'dpkg --install /sudoku-batch_*.deb'
        # The first command of README.md, in the folder of a user.
        cp -r data "$root/root/"
        chroot "$root" sh -c 'cd && sudoku-batch solve data/sample.txt -o solved.txt && cmp solved.txt data/sample.solved.txt'
        python3 scripts/calls.py --folder "$root/try" "$reference" chroot "$root" env -C /try sudoku-batch
        chroot "$root" dpkg --purge sudoku-batch
        after=$(cd "$root" && find usr | sort)
        [[ $before == "$after" ]] || { diff <(echo "$before") <(echo "$after"); exit 1; }
    done
}

# The example in C, compiled against each package as its user would.
capi() {
    local folder target architecture compiler root
    emulate_arm
    "$reference" solve -q --unique data/minimal.txt -o "$work/minimal.txt"
    for target in x86_64 aarch64; do
        case $target in x86_64) architecture=amd64 compiler=cc ;; *) architecture=arm64 compiler=aarch64-linux-gnu-gcc ;; esac
        say "the library for C on $target, from its archive"
        folder=$(unpack "$dist"/libsudoku_batch-*-"$target"-unknown-linux-gnu.tar.gz)
        # shellcheck disable=SC2046 # flags are words
        $compiler "$folder/examples/app.c" $(PKG_CONFIG_PATH=$folder/lib/pkgconfig pkg-config --cflags --libs sudoku_batch) \
            -o "$work/app-$target"
        LD_LIBRARY_PATH=$folder/lib QEMU_LD_PREFIX=/usr/aarch64-linux-gnu QEMU_SET_ENV=LD_LIBRARY_PATH=$folder/lib \
            "$work/app-$target" data/minimal.txt 2>/dev/null | cmp - "$work/minimal.txt"

        say "libsudoku-batch-dev for $architecture, in a fresh Debian"
        folder=$work/dev-$architecture root=$work/debian-capi-$architecture
        dpkg-deb --extract "$dist"/libsudoku-batch-dev_*_$architecture.deb "$folder"
        # shellcheck disable=SC2046
        $compiler capi/examples/app.c $(PKG_CONFIG_SYSROOT_DIR=$folder \
            PKG_CONFIG_PATH=$folder/usr/lib/$target-linux-gnu/pkgconfig pkg-config --cflags --libs sudoku_batch) -o "$work/app"
        fresh_debian $architecture "$root"
        cp "$dist"/libsudoku-batch-dev_*_$architecture.deb "$work/app" data/minimal.txt "$root/"
        chroot "$root" sh -c 'dpkg --install /libsudoku-batch-dev_*.deb >&2 && ldconfig && /app /minimal.txt 2>/told' |
            cmp - "$work/minimal.txt"
        echo 'the bytes of the command'
    done
}

crate() {
    say 'the crate, by cargo install'
    local library driver folder
    library=$(unpack "$dist"/sudoku-batch-[0-9]*.crate)
    driver=$(unpack "$dist"/sudoku-batch-driver-*.crate)
    folder=$(unpack "$dist"/sudoku-batch-cli-*.crate)
    # The library and the driver are not in the registry yet.
    CARGO_TARGET_DIR=$PWD/${CARGO_TARGET_DIR:-target} cargo install --quiet --path "$folder" \
        --config "patch.crates-io.sudoku-batch.path='$library'" \
        --config "patch.crates-io.sudoku-batch-driver.path='$driver'" --root "$work/cargo"
    python3 scripts/calls.py "$reference" "$work/cargo/bin/sudoku-batch"
}

# The files that the command writes, for those that are no command, unless its archive has been tried.
answers() {
    [[ -d $work/answers ]] || python3 scripts/calls.py --keep "$work/answers" "$reference" "$reference"
}

wheels() {
    local wheel
    answers

    say 'the wheel for manylinux on x86-64, by pip'
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet "$dist"/sudoku_batch-*manylinux*_x86_64.whl
    "$work/venv/bin/python" scripts/try_wheel.py "$work/answers"

    say 'the source distribution, by pip'
    python3 -m venv "$work/built"
    "$work/built/bin/pip" install --quiet "$dist"/sudoku_batch-*.tar.gz
    "$work/built/bin/python" scripts/try_wheel.py "$work/answers"

    say "the wheel for manylinux on aarch64, by pip in Debian's Python under qemu"
    emulate_arm
    fresh_debian arm64 "$work/arm64"
    cp -r "$dist"/sudoku_batch-*manylinux*_aarch64.whl scripts/try_wheel.py "$work/answers" "$work/arm64/root/"
    chroot "$work/arm64" sh -c 'cd && python3 -m venv fresh && fresh/bin/pip install --no-index --quiet ./*.whl &&
        fresh/bin/python try_wheel.py answers'

    # No interpreter for these is to be had here.
    for wheel in "$dist"/sudoku_batch-*musllinux*.whl "$dist"/sudoku_batch-*-win_amd64.whl; do
        say "$(basename "$wheel"), unpacked"
        python3 scripts/inspect_wheel.py "$wheel"
        echo "$(basename "$wheel"): there is no interpreter for it here" >>"$work/not_run"
    done
}

npm() {
    say 'the npm package'
    answers
    mkdir "$work/npm"
    cp scripts/try_npm.mjs "$work/npm/"
    (cd "$work/npm" && command npm install --silent --no-audit --no-fund "$dist"/sudoku-batch-*.tgz && node try_npm.mjs "$work/answers")
}

missing=()
for pair in debootstrap:debootstrap wine:wine qemu-aarch64-static:qemu-user-static objdump:binutils \
    cc:gcc aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu pkg-config:pkg-config node:nodejs npm:npm; do
    command -v "${pair%:*}" >/dev/null || missing+=("${pair#*:}")
done
if [[ ${#missing[@]} -gt 0 ]]; then
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}"
fi
mkdir -p "$tools"
(cd "$dist" && sha256sum --quiet --check SHA256SUMS)
cargo build --quiet
run_parts
[[ ! -e $work/not_run ]] || sed 's/^/NOT RUN: /' "$work/not_run"
tell_failed
printf '\nAll that ran gives the same bytes.\n'
