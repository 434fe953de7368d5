# shellcheck shell=bash
# The tools that the other scripts build and run with: targets of Rust, tools of Cargo and of Python, an emulator, and
# the parts of a release. To be sourced.
#
# The tools that it fetches are kept in $SUDOKU_BATCH_TOOLS, by default ~/.cache/sudoku-batch, so that it is quick
# the second time.
tools=${SUDOKU_BATCH_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/sudoku-batch}

# The compiler of a release. .github/workflows/release.yml names it too.
release_rust=1.95.0

# Lets cargo use the compiler of a release, which rustup fetches if need be.
use_release_rust() {
    [[ $(rustc --version) != "rustc $release_rust "* ]] || return 0
    export RUSTUP_TOOLCHAIN=$release_rust
    rustup toolchain install "$release_rust" --profile minimal >/dev/null 2>&1 || true
    [[ $(rustc --version) == "rustc $release_rust "* ]] ||
        { echo "a release is made with Rust $release_rust, which rustup cannot fetch here"; exit 1; }
}

# Whether the standard library of a target is here, or can be fetched.
have_target() {
    local libraries
    libraries=$(rustc --print target-libdir --target "$1" 2>/dev/null) || return 1
    compgen -G "$libraries/libstd-*" >/dev/null && return
    command -v rustup >/dev/null && rustup target add "$1" >/dev/null 2>&1 &&
        compgen -G "$libraries/libstd-*" >/dev/null
}

# Runs a command that takes long: says before what that does, and behind how long it took. In a function `set -e` would
# end nothing then.
told() {
    local what=$1 start=$SECONDS
    shift
    echo "-- $what ..." >&2
    "$@" || return
    echo "-- $what: $((SECONDS - start)) s" >&2
}

# Prints the folder of the programs of a crate and a version, which it builds if need be. More
# arguments go to `cargo install`. The crate's own lock file says what it is built of. A registry that
# lacks a version of the lock (some mirrors have no new ones) gives the newest that it has in its place. Which of
# both it is shows before anything is compiled: cargo fetches all of the lock first.
cargo_tool() {
    local crate=$1 version=$2 root=$tools/$1-$2
    shift 2
    local install=(cargo_install "$root" "$crate" --version "$version" "$@")
    # An installation that fails leaves its lists behind, and no program.
    if ! compgen -G "$root/bin/*" >/dev/null; then
        told "building $crate $version, which takes minutes and is kept" "${install[@]}" --locked ||
            told "building $crate $version without its lock file, which names what cannot be had" "${install[@]}" ||
            return 1
    fi
    echo "$root/bin"
}

# Installs a program into a folder; more arguments go to `cargo install`.
cargo_install() {
    local root=$1 status=0
    shift
    CARGO_TARGET_DIR=$tools/build cargo install --quiet --root "$root" "$@" >&2 || status=$?
    rm -rf "$tools/build"
    return $status
}

# Prints the folder of the programs from PyPI: zig, with what has cargo and Python packages use it. The
# versions are exact, those of what they need too: nothing that is released later changes a release.
python_tools() {
    local packages=(cargo-zigbuild==0.24.0 ziglang==0.17.1 maturin==1.16.0 auditwheel==6.8.2
        pyelftools==0.33 packaging==26.3) root
    root=$tools/python-$(sha256sum <<<"${packages[*]}" | cut -c1-16)
    if [[ ! -e $root/done ]]; then
        # In a substitution `set -e` ends nothing.
        python3 -m venv "$root" >&2 &&
            "$root/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" >&2 &&
            touch "$root/done" || return 1
    fi
    echo "$root/bin"
}

# Lets this kernel run programs for ARM by qemu, in folders that have no qemu too. Needs to be root.
emulate_arm() {
    local kernel=/proc/sys/fs/binfmt_misc magic mask
    [[ -e $kernel/register ]] || mount -t binfmt_misc none $kernel
    [[ ! -e $kernel/qemu-aarch64 ]] || return 0
    magic='\x7f\x45\x4c\x46\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    printf '%s' ":qemu-aarch64:M::$magic:$mask:/usr/bin/qemu-aarch64-static:F" >$kernel/register
}

# Sets `parts` to the parts of a release that are named, or to all. Another name prints the head of the
# script that calls this, and ends it.
choose_parts() {
    local part
    parts=("$@")
    [[ $# -gt 0 ]] || parts=(archives deb capi crate wheels npm)
    for part in "${parts[@]}"; do
        [[ $part =~ ^(archives|deb|capi|crate|wheels|npm)$ ]] ||
            { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
    done
}

# Calls the function of each part in a shell of its own, and prints its name and its time. A part that fails
# ends no other: `failed` gets its name.
run_parts() {
    local part start status
    failed=()
    for part in "${parts[@]}"; do
        start=$SECONDS
        printf '\n== %s\n' "$part"
        # In the condition of an `if`, no error would end the part.
        set +e
        (set -e; "$part")
        status=$?
        set -e
        [[ $status -eq 0 ]] || failed+=("$part")
        printf -- '-- %s: %s s\n' "$part" "$((SECONDS - start))"
    done
}

# Prints the parts that failed, and ends the script with status 1 if there are any.
tell_failed() {
    [[ ${#failed[@]} -gt 0 ]] || return 0
    printf 'FAILED: %s\n' "${failed[@]}" >&2
    exit 1
}
