#!/usr/bin/env bash
# Looks at the pictures and sheets of `sudoku-batch show` in a headless browser: a sheet
# prints on as many pages as it should, nothing is cut off or overlaps, and a picture is one.
# Needs chromium.
#
#     scripts/check_sheet.sh [PROGRAM [FOLDER]]
#
# PROGRAM is target/release/sudoku-batch if not given. FOLDER gets the sheets as PDF and PNG,
# to look at oneself.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/sudoku-batch}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shots=${2:-$work}
mkdir -p "$shots"

browse() {
    timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$(mktemp -d -p "$work")" "$@" 2>"$work/browser.log" ||
        { cat "$work/browser.log"; exit 1; }
}

# This copy of the page looks at itself: every grid lies in its page, and none on another.
cat >"$work/probe.js" <<'JS'
const problems = [];
for (const page of document.querySelectorAll('section')) {
    const frame = page.getBoundingClientRect();
    const boxes = [...page.querySelectorAll('figure')].map(f => f.getBoundingClientRect());
    boxes.forEach((box, i) => {
        if (box.left < frame.left || box.right > frame.right || box.top < frame.top ||
            box.bottom > frame.bottom) problems.push(`figure ${i} is cut off`);
        for (const other of boxes.slice(0, i))
            if (box.left < other.right && other.left < box.right &&
                box.top < other.bottom && other.top < box.bottom) problems.push(`figure ${i} overlaps`);
    });
}
const found = document.createElement('pre');
found.id = 'found';
found.textContent = JSON.stringify({figures: document.querySelectorAll('figure').length, problems});
document.body.append(found);
JS

# Puzzles, and how many pages of puzzles and of answers they take.
for case in '4 5 2 1' '6 13 3 2' '9 27 3 3'; do
    read -r per_page puzzles pages answers <<<"$case"
    sheet=$shots/sheet$per_page
    "$program" show data/easy.txt --record "1..$puzzles" --html "$sheet.html" \
        --per-page "$per_page" --ratings --title 'Sudoku & more'
    browse --no-pdf-header-footer --print-to-pdf="$sheet.pdf" "file://$(realpath "$sheet.html")"
    found=$(grep -acE '/Type */Page($|[^s])' "$sheet.pdf" || true)
    [[ $found -eq $((pages + answers)) ]] ||
        { echo "$puzzles puzzles, $per_page a page: $found printed pages, not $((pages + answers))"; exit 1; }
    { sed '/<\/body>/,$d' "$sheet.html"; echo '<script>'; cat "$work/probe.js"; echo '</script></body></html>'; } \
        >"$work/probe.html"
    found=$(browse --window-size=900,1300 --dump-dom "file://$work/probe.html" |
        sed -n 's/.*<pre id="found">\(.*\)<\/pre>.*/\1/p')
    echo "$per_page a page: $found"
    [[ $found == "{\"figures\":$((2 * puzzles)),\"problems\":[]}" ]] || exit 1
    browse --window-size=900,2200 --screenshot="$sheet.png" "file://$(realpath "$sheet.html")"
done

"$program" show data/easy.txt --record 3 --candidates --svg "$shots/puzzle.svg"
browse --dump-dom "file://$(realpath "$shots/puzzle.svg")" | grep -q 'class="mark"' ||
    { echo 'the picture is no SVG with marks'; exit 1; }
browse --window-size=400,400 --screenshot="$shots/puzzle.png" "file://$(realpath "$shots/puzzle.svg")"
echo 'The sheets and the picture are as they should be.'
