#!/usr/bin/env bash
# Builds the npm package in web/package/ and the page in web/dist/, and tests both.
#
#     scripts/web.sh build          the WebAssembly, the package, the page
#     scripts/web.sh check          builds, and runs all tests (needs `cargo build --release`, Node, chromium)
#     scripts/web.sh tools          what both need, which is kept
#     scripts/web.sh check quick    the same tests, with modules that are optimised less and larger than what is shipped
#
# The first build takes about 13 minutes of processor time, 3 for each of the four modules. Its builds are kept, in
# target/ and as scripts/toolchain.sh says, and the next build takes 2 minutes, to link the modules. A quick one takes
# 3 minutes: the modules of a level share one library, which is not linked with all else as one.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/toolchain.sh
target=wasm32-unknown-unknown
target_dir=${CARGO_TARGET_DIR:-target}
quick=false

# Sets `bindgen` to the program of web/bindgen.
find_bindgen() {
    local kept
    kept=$tools/bindgen-$(cat web/bindgen/Cargo.{toml,lock} web/bindgen/src/main.rs | sha256sum | cut -c1-16)
    bindgen=$kept/bin/sudoku-batch-bindgen
    [[ -x $bindgen ]] || told "building what writes the JavaScript around the WebAssembly, which is kept" \
        cargo_install "$kept" --path web/bindgen --locked --debug
}

# Both parts of the engine with flags, into a folder of the package.
engine() {
    local name=$1 flags=$2 part features folder options
    for part in solving rating; do
        features=$part
        if $quick; then
            # One library for both parts, with the features of both and without the macros of the release build. One test
            # alone asks the plain engine.
            features+=,sudoku-batch/gzip
            folder=$target_dir
            options=(--profile release --config 'profile.release.opt-level="s"')
            [[ $name != plain ]] || options+=(--config 'profile.release.opt-level=0')
        else
            folder=$target_dir/web/$name
            options=(--profile web)
            # Optimised for speed the raters exceed 400 kB by 80, and with "s" by 7.
            [[ $part != rating ]] || options+=(--config 'profile.web.package.sudoku-batch.opt-level="z"')
        fi
        RUSTFLAGS=$flags told "compiling the WebAssembly engine/$name/$part" \
            cargo build --locked --quiet "${options[@]}" --package sudoku-batch-web \
            --no-default-features --features "$features" --target $target --target-dir "$folder"
        "$bindgen" "$folder/$target/${options[1]}/engine.wasm" $part "web/package/engine/$name"
        # The bridge without its comments and its indentation.
        sed -i -e '/^ *\/\*\*/,/\*\/ *$/d' -e 's/^ *//' -e '/^\/\//d' "web/package/engine/$name/$part.js"
    done
}

build() {
    have_target $target || { echo "the standard library for $target cannot be had"; exit 1; }
    find_bindgen
    rm -rf web/package/engine
    if $quick; then
        engine simd '-C target-feature=+simd128'
        engine plain ''
    else
        # Each uses one core most of the time.
        engine simd '-C target-feature=+simd128' & local first=$!
        engine plain ''
        wait $first
    fi
    page
    sizes
}

page() {
    local dist=web/dist files version
    rm -rf $dist
    mkdir -p $dist/sudoku-batch
    cp web/page/* $dist/
    cp -r web/package/*.js web/package/engine $dist/sudoku-batch/
    rm $dist/sudoku-batch/*node.js
    files=$(cd $dist && find . -type f ! -name sw.js | sort | sed "s/.*/'&'/" | paste -sd,)
    version=$(cd $dist && find . -type f | sort | xargs sha256sum | sha256sum | cut -c1-16)
    sed -i "s|'@FILES@'|'./', $files|; s|@VERSION@|$version|" $dist/sw.js
}

# A program loads under 640 kB, packed, to solve, and at its first rating, puzzle or
# hint under 758 kB, which is 4 % more than both took on 2026-11-30: the depth of trial and error and the counts of techniques took 35 kB, and free texts, patterns
# and unbiased puzzles 24 kB of each. Cells apart, arrays, 81 and nine columns took 16 kB of each, and chains in lines 5 kB
# of the second. Names that are told of the nearest took 4 kB of each, and
# the columns of answers 11 kB of the first and 6 of the second. The readings of any writing took about 70 kB of each, the columns for titles 1 kB,
# and backdoors 3 kB of the second. Sets of assumptions for hard ratings took 20 kB of the second. Classes of bands and unavoidable sets took 20 kB of the first.
# Features, conditions on steps and climbs took 58 kB of the second. Patterns, and sets with a step in order, took 6 kB of
# each in a quick build. `split`, and the sums of `stats`, took 10 kB of the first quick build,
# and `filter` 20 kB of the second.
sizes() {
    local level modules
    mapfile -t modules < <(ls web/package/*.js | grep -v node.js)
    if $quick; then
        # These grow with what is shipped, and have 4 % left.
        packed 567000 web/package/engine/simd/solving* "${modules[@]}"
        packed 867000 web/package/engine/simd/rating*
        return
    fi
    for level in simd plain; do
        packed 640000 "web/package/engine/$level/solving"* "${modules[@]}"
        packed 758000 "web/package/engine/$level/rating"*
    done
}

packed() {
    local file size=0 most=$1
    shift
    for file; do size=$((size + $(gzip -9 <"$file" | wc -c))); done
    echo "${1%.js}: $# files, $size bytes packed by gzip"
    [[ $size -lt $most ]] || { echo "that is too large"; exit 1; }
}

# The tools of the tests, outside of the checkout. They are tried, because an installation may leave some of them out:
# it was stopped, or a setting of npm (omit=dev, NODE_ENV=production) says so.
install_tools() {
    local kept
    kept=$tools/web-$(sha256sum web/tests/package-lock.json | cut -c1-16)
    if ! tools_work "$kept"; then
        mkdir -p "$kept"
        cp web/tests/package.json web/tests/package-lock.json "$kept/"
        told "installing the tools of the tests from npm" \
            npm ci --include=dev --include=optional --prefix "$kept" --no-audit --no-fund --loglevel=error
        tools_work "$kept" || { echo "$kept: npm has installed tools that do not run:"; try_tools "$kept"; exit 1; }
    fi
    ln -sfn "$kept/node_modules" web/tests/node_modules
    chromium=${CHROMIUM:-/usr/bin/chromium}
    "$chromium" --version || { echo "$chromium does not run: CHROMIUM names the browser for the tests"; exit 1; }
}

tools_work() { try_tools "$1" >/dev/null 2>&1; }

try_tools() {
    (cd "$1" && node_modules/.bin/tsc --version && node --input-type=module \
        --eval "for (const name of ['axe-core', 'puppeteer-core', 'vite']) await import(name)")
}

case ${1:-} in
build) build ;;
page) page ;;
tools)
    find_bindgen
    install_tools
    ;;
check)
    [[ ${2:-} != quick ]] || quick=true
    told 'clippy of the engine' cargo clippy --release --quiet --package sudoku-batch-web --target $target -- -D warnings
    build
    install_tools
    told 'the types' web/tests/node_modules/.bin/tsc --project web/tests/tsconfig.json
    # The browser waits while the package works, and the other way round.
    told 'the tests' node --test --test-concurrency=2 web/tests/
    ;;
*) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
