#!/usr/bin/env bash
# Checks what the project depends on: licences, crates in two versions, sources and known
# vulnerabilities, by the rules in deny.toml. docs/internals/dependencies.md describes them.
#
# Installs cargo-deny if it is missing (minutes on two cores). If that fails, a smaller check
# takes its place. What could not be checked is told at the end.
#
#     scripts/supply_chain.sh            all of it
#     scripts/supply_chain.sh quick      the smaller check: no advisories, no texts of licences
#
# The advisories are a git repository on GitHub. ADVISORY_DB=FOLDER uses a copy of it.
set -euo pipefail
cd "$(dirname "$0")/.."
version=0.20.2
tools=$PWD/target/tools
PATH=$PATH:$tools/bin
unchecked=()

# The workspace, and the fuzzers, which are a workspace of their own. benches/peers is not
# checked: its peer has another licence, and nothing depends on it.
manifests=(Cargo.toml)
[[ ! -f fuzz/Cargo.toml ]] || manifests+=(fuzz/Cargo.toml)

# Without optimisation it is built four times as fast, and runs for a second or two.
install() {
    echo "cargo-deny is not here: installing $version"
    cargo install --quiet --locked --debug --root "$tools" --target-dir "$tools/build" \
        "cargo-deny@$version" && rm -rf "$tools/build"
}

# Fetches the advisories.
fetch() {
    if [[ -n ${ADVISORY_DB:-} ]]; then
        export GIT_CONFIG_COUNT=1 GIT_CONFIG_VALUE_0=https://github.com/RustSec/advisory-db
        export GIT_CONFIG_KEY_0="url.file://$(realpath "$ADVISORY_DB").insteadOf"
    fi
    timeout 60 cargo deny --all-features fetch db >/dev/null 2>&1
}

# Warnings are errors: an exception in deny.toml that nothing needs is one. But each
# manifest needs some of the exceptions only.
deny() {
    local manifest=$1
    shift
    local lints=(--deny warnings --allow license-exception-not-encountered)
    [[ $manifest == Cargo.toml ]] ||
        lints=(--allow unmatched-skip --allow unnecessary-skip --allow license-not-encountered)
    echo "$manifest:"
    # The crates of all systems, without which it cannot see their licences.
    cargo fetch --quiet --locked --manifest-path "$manifest"
    cargo deny --manifest-path "$manifest" --config deny.toml --workspace --frozen \
        check --hide-inclusion-graph "${lints[@]}" "$@"
}

if [[ ${1:-} == quick ]]; then
    for manifest in "${manifests[@]}"; do
        python3 scripts/supply_chain.py "$manifest"
    done
    exit
fi

if command -v cargo-deny >/dev/null || install; then
    checks=(licenses bans sources)
    if fetch; then
        checks+=(advisories)
    else
        unchecked+=('advisories (known vulnerabilities): their database on GitHub is out of reach')
    fi
    for manifest in "${manifests[@]}"; do
        deny "$manifest" "${checks[@]}"
    done
else
    for manifest in "${manifests[@]}"; do
        python3 scripts/supply_chain.py "$manifest"
    done
    unchecked+=('advisories (known vulnerabilities): cargo-deny could not be installed'
        'the texts of licences: cargo-deny could not be installed')
fi

for what in "${unchecked[@]}"; do
    printf '\n!! NOT CHECKED: %s\n' "$what"
done
