#!/usr/bin/env bash
# Makes what is shipped, from the last commit, into dist/:
#
#     scripts/release.sh [archives] [deb] [capi] [crate] [wheels] [npm]    all parts, if none is named
#
#     archives  sudoku-batch-VERSION-TARGET.tar.gz or .zip: the command, manual pages, completions,
#               licences, README; static for Linux on x86-64 and aarch64, and for Windows on x86-64
#     deb       Debian packages of the same programs (needs archives, now or before)
#     capi      libsudoku_batch-VERSION-TARGET.tar.gz, the library for C with its header, for Linux with glibc 2.17
#               or newer on x86-64 and aarch64; and the same as the Debian package libsudoku-batch-dev
#     crate     what `cargo publish` would send, the library, the command and its driver, built from the packaged files
#     wheels    for Python, with the source distribution (scripts/wheels.sh)
#     npm       the package for JavaScript (scripts/web.sh; needs Node)
#
# Then prints the size of everything in dist/, and writes SHA256SUMS. A part that fails does not keep the
# others from being made: the end names those that failed, and the exit status is 1. Zig, from PyPI, is
# the C compiler and the linker of all targets, so nothing of another system is needed. All tools, and the
# compiler, have exact versions (scripts/toolchain.sh, Cargo.toml). scripts/try_release.sh
# tries what this makes.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/toolchain.sh
root=$PWD
dist=$root/dist
# The whole checkout of the last commit, where the build finds nothing else.
source=$root/target/release-source
targets=(x86_64-unknown-linux-musl aarch64-unknown-linux-musl x86_64-pc-windows-gnu)

# The profile is `dist`: the figures of README.md are measured with it. Fat LTO takes five minutes of
# one core for each target, and one process of cargo builds all targets side by side. Names of
# functions stay, for the report of a panic; lines of the sources would double the size.
profile=dist
export CARGO_PROFILE_DIST_DEBUG=none CARGO_PROFILE_DIST_STRIP=debuginfo
export CARGO_TARGET_DIR=$root/target

choose_parts "$@"
use_release_rust

check_out() {
    [[ -z $(git status --porcelain --untracked-files=no) ]] || echo 'Uncommitted changes are LEFT OUT.'
    rm -rf "$source"
    mkdir -p "$source" "$dist"
    git archive HEAD | tar --extract --directory "$source"
    cd "$source"
    local about
    about=$(cargo metadata --locked --no-deps --format-version 1 --manifest-path Cargo.toml)
    read -r version address < <(python3 -c '
import json, sys
package = next(p for p in json.load(sys.stdin)["packages"] if p["name"] == "sudoku-batch")
print(package["version"], package["repository"] or "")' <<<"$about")
    heading=$(grep -m 1 '^## [0-9]' CHANGELOG.md)
    [[ $heading =~ ^"## $version ("[0-9]{4}-[0-9]{2}-[0-9]{2}")"$ ]] ||
        { echo "CHANGELOG.md: the newest version is '$heading', that of Cargo.toml $version"; exit 1; }
    [[ $(grep -m 1 '^## ' CHANGELOG.md) == "$heading" ]] || echo "CHANGELOG.md has changes that are not in $version."
    [[ $address ]] || echo 'No address of the project is set in Cargo.toml: links of the README files are left out.'
    python3 scripts/readme_links.py "$address" "v$version" README.md python/README.md web/package/README.md
    cp LICENSE-* web/package/
    # Archives of the same commit are the same bytes.
    SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
    export SOURCE_DATE_EPOCH TZ=UTC
}

# Files that are not made, a line each: a file, as each part has a shell of its own.
not_made=$(mktemp)
trap 'rm -f "$not_made"' EXIT
echo 'macOS: what cannot be run here is not linked here; .github/workflows/release.yml builds it there' >"$not_made"

archives() {
    local made=() options=() target
    rm -f "$dist/sudoku-batch-$version"-*
    for target in "${targets[@]}"; do
        if have_target "$target"; then
            made+=("$target")
            options+=(--target "$target")
        else
            echo "archive for $target: its standard library cannot be had" >>"$not_made"
        fi
    done
    PATH=$(python_tools):$PATH \
        cargo zigbuild --quiet --locked --profile "$profile" --package sudoku-batch-cli --bin sudoku-batch "${options[@]}"
    papers
    for target in "${made[@]}"; do archive "$target"; done
}

# Manual pages and completions into the folder `shipped`, by the program for this machine.
papers() {
    local program command
    program=$CARGO_TARGET_DIR/$(uname -m)-unknown-linux-musl/$profile/sudoku-batch
    rm -rf shipped
    mkdir -p shipped/man shipped/completions
    "$program" man >shipped/man/sudoku-batch.1
    for command in $("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        [[ $command == help ]] || "$program" man "$command" >"shipped/man/sudoku-batch-$command.1"
    done
    gzip --keep --no-name -9 shipped/man/*.1
    "$program" completions bash >shipped/completions/sudoku-batch.bash
    "$program" completions fish >shipped/completions/sudoku-batch.fish
    "$program" completions zsh >shipped/completions/_sudoku-batch
    "$program" completions powershell >shipped/completions/_sudoku-batch.ps1
}

# The licence of the font that the command has inside, from its crate.
font_licence() {
    local manifest
    manifest=$(cargo metadata --locked --format-version 1 |
        python3 -c 'import json, sys; print(*[p["manifest_path"] for p in json.load(sys.stdin)["packages"] if p["name"] == "notosans"])')
    cp "$(dirname "$manifest")/fonts/LICENSE_OFL.txt" "$1/LICENSE-NotoSans"
}

archive() {
    local name=sudoku-batch-$version-$1 folder=shipped/sudoku-batch-$version-$1 suffix=
    [[ $1 != *-windows-* ]] || suffix=.exe
    mkdir -p "$folder/man"
    cp "$CARGO_TARGET_DIR/$1/$profile/sudoku-batch$suffix" LICENSE-* README.md CHANGELOG.md "$folder"
    font_licence "$folder"
    cp -r shipped/completions "$folder"
    cp shipped/man/*.1 "$folder/man"
    find "$folder" -exec touch --date "@$SOURCE_DATE_EPOCH" {} +
    if [[ $suffix ]]; then
        (cd shipped && python3 -m zipfile -c "$dist/$name.zip" "$name")
    else
        tar --create --directory shipped --sort=name --owner=0 --group=0 --numeric-owner "$name" |
            gzip --no-name -9 >"$dist/$name.tar.gz"
    fi
}

deb() {
    local tool target
    rm -f "$dist"/sudoku-batch_*.deb
    [[ " ${failed[*]} " != *' archives '* ]] || { echo 'the archives failed: there are no programs to pack'; exit 1; }
    tool=$(cargo_tool cargo-deb 3.8.0)
    [[ -d shipped/man ]] || papers
    font_licence shipped
    for target in "${targets[@]}"; do
        [[ $target != *-linux-* ]] || PATH=$tool:$PATH cargo deb --quiet --no-build --no-strip \
            --package sudoku-batch-cli --profile "$profile" --target "$target" --output "$dist/"
    done
}

# The library is built with zig for the glibc of 2012, as the wheels are. The file of pkg-config tells a folder
# in /usr from one that may be moved, so each is installed for itself, from one build.
capi() {
    local target name tree architecture
    rm -f "$dist"/libsudoku_batch-*.tar.gz "$dist"/libsudoku-batch-dev_*.deb
    command -v dpkg-deb >/dev/null || { echo 'dpkg-deb is missing: Debian has it'; exit 1; }
    for target in x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu; do
        have_target "$target" || { echo "library for $target: its standard library cannot be had" >>"$not_made"; continue; }
        name=libsudoku_batch-$version-$target tree=$source/shipped/libsudoku-batch-dev-$target
        rm -rf "shipped/$name" "$tree"
        built() { PATH=$(python_tools):$PATH PROFILE=$profile BUILD=zigbuild GLIBC=2.17 scripts/capi.sh install "$1" "$target"; }
        DESTDIR=$source/shipped/$name built ''
        cp LICENSE-* CHANGELOG.md docs/c.md "shipped/$name/"
        mkdir -p "shipped/$name/examples"
        cp -r capi/examples/* "shipped/$name/examples/"
        find "shipped/$name" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
        tar --create --directory shipped --sort=name --owner=0 --group=0 --numeric-owner "$name" |
            gzip --no-name -9 >"$dist/$name.tar.gz"
        case $target in x86_64-*) architecture=amd64 ;; *) architecture=arm64 ;; esac
        DESTDIR=$tree LIBDIR=lib/${target/-unknown/} built /usr
        mkdir -p "$tree/DEBIAN" "$tree/usr/share/doc/libsudoku-batch-dev"
        cat LICENSE-MIT LICENSE-APACHE >"$tree/usr/share/doc/libsudoku-batch-dev/copyright"
        cp -r capi/examples "$tree/usr/share/doc/libsudoku-batch-dev/"
        cat >"$tree/DEBIAN/control" <<CONTROL
Package: libsudoku-batch-dev
Version: $version-1
Architecture: $architecture
Maintainer: The sudoku-batch authors
Section: libdevel
Priority: optional
Depends: libc6 (>= 2.17), libgcc-s1
Description: Solve, check, rate and make Sudoku in bulk: the library for C
 The shared and the static library libsudoku_batch, its header, and the file of pkg-config. It is called from C
 and from each language that calls C.
CONTROL
        find "$tree" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
        dpkg-deb --root-owner-group --build "$tree" "$dist" >/dev/null
    done
}

crate() {
    rm -f "$dist"/*.crate
    cargo package --quiet --locked --package sudoku-batch --package sudoku-batch-driver --package sudoku-batch-cli
    cp "$CARGO_TARGET_DIR/package/sudoku-batch-$version.crate" \
        "$CARGO_TARGET_DIR/package/sudoku-batch-driver-$version.crate" \
        "$CARGO_TARGET_DIR/package/sudoku-batch-cli-$version.crate" "$dist/"
}

wheels() {
    rm -f "$dist"/sudoku_batch-*
    scripts/wheels.sh "$dist"
}

npm() {
    rm -f "$dist/sudoku-batch-$version.tgz"
    scripts/web.sh build
    command npm pack --silent --pack-destination "$dist" ./web/package
}

check_out
run_parts

cd "$dist"
printf '\n'
find . -type f ! -name SHA256SUMS -printf '%f\n' | sort | xargs --no-run-if-empty sha256sum >SHA256SUMS
while read -r _ file; do printf '%12s  %s\n' "$(stat -c %s "$file")" "$file"; done <SHA256SUMS
sed 's/^/NOT MADE: /' "$not_made"
tell_failed
