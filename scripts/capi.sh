#!/usr/bin/env bash
# Builds the library for C (capi/), and installs it with its header and a pkg-config file:
#
#     scripts/capi.sh install PREFIX [TARGET]    $DESTDIR$PREFIX/lib, include, lib/pkgconfig
#     scripts/capi.sh header [FILE]              capi/include/sudoku_batch.h, made from the sources by cbindgen
#     scripts/capi.sh tools                      builds cbindgen, which is kept
#
# An empty PREFIX makes a folder that may be moved: its pkg-config file looks in its own folder. PROFILE=dist takes the
# profile of what is shipped, which takes minutes. LIBDIR is the folder of libraries below PREFIX, `lib` by default.
# BUILD=zigbuild builds with zig, and GLIBC=2.17 names the oldest glibc that the library is to run with. For
# Linux; elsewhere `cargo build --package sudoku-batch-capi` makes the library.
#
# cargo-c would do the same: it installs libraries of Rust in the way of C. It is built of cargo itself, which
# is hundreds of crates and many minutes, it fits one version of cargo, and every packager would need it. What it
# does for one library without dependencies in C are the thirty lines here and the soname of capi/build.rs.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/toolchain.sh
cbindgen=0.29.4

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }

# It reads a few files: without optimisation it is built in half of the time.
find_cbindgen() { CARGO_PROFILE_DEV_DEBUG=0 cargo_tool cbindgen "$cbindgen" --debug; }

header() {
    local file=${1:-capi/include/sudoku_batch.h}
    PATH=$(find_cbindgen):$PATH
    cbindgen --quiet --config capi/cbindgen.toml --output "$file" capi
}

# Prints the file of a library that cargo has built.
built() {
    local folder=${CARGO_TARGET_DIR:-target} profile=${PROFILE:-release}
    [[ $profile != dev ]] || profile=debug
    echo "$folder${target:+/$target}/$profile/$1"
}

install_library() {
    local prefix=$1 target=${2:-} to libdir=${LIBDIR:-lib} version soname options=()
    to=${DESTDIR:-}$prefix
    [[ $to ]] || usage
    version=$(sed -n '/^\[workspace.package\]/,/^version/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
    [[ ! $target ]] || options+=(--target "$target${GLIBC:+.$GLIBC}")
    # WITH names packages whose features are chosen together with those of the library: scripts/packages.sh.
    # shellcheck disable=SC2086 # options are words
    cargo "${BUILD:-build}" --quiet --locked --profile "${PROFILE:-release}" ${WITH:-} --package sudoku-batch-capi --lib "${options[@]}"
    # The name by which programs look for the library is in it: see capi/build.rs.
    soname=$(readelf -d "$(built libsudoku_batch.so)" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
    mkdir -p "$to/$libdir/pkgconfig" "$to/include"
    install -m 644 capi/include/sudoku_batch.h "$to/include/"
    install -m 755 "$(built libsudoku_batch.so)" "$to/$libdir/libsudoku_batch.so.$version"
    ln -sf "libsudoku_batch.so.$version" "$to/$libdir/$soname"
    ln -sf "$soname" "$to/$libdir/libsudoku_batch.so"
    install -m 644 "$(built libsudoku_batch.a)" "$to/$libdir/"
    sed -e "s|@PREFIX@|${prefix:-\${pcfiledir\}/../..}|" -e "s|@LIBDIR@|$libdir|" -e "s|@VERSION@|$version|" \
        capi/sudoku_batch.pc.in >"$to/$libdir/pkgconfig/sudoku_batch.pc"
}

case ${1:-} in
install) [[ $# -ge 2 ]] || usage; shift; install_library "$@" ;;
header) shift; header "$@" ;;
tools) find_cbindgen ;;
*) usage ;;
esac
