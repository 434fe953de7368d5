#!/usr/bin/env bash
# Looks at the page of `sudoku-batch bench --report` in a headless browser, in
# light and in dark, as wide as a desktop and as a phone: nothing is cut off or
# overlaps, all text is large enough to be read and stands out from its ground, and
# no two lines of a plot have one colour. Needs chromium.
#
#     scripts/check_report.sh [PROGRAM [FOLDER]]
#
# PROGRAM is target/release/sudoku-batch if not given. FOLDER gets light-1280.png,
# light-390.png, dark-1280.png and dark-390.png, to look at oneself.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/sudoku-batch}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shots=${2:-$work}
mkdir -p "$shots"

"$program" bench --puzzles 300 --rounds 1 --threads 1,2 --simd all --generate 5k \
    --solver "$program solve --quiet {in} -o {out}" \
    --report "$work/report.html" --svg "$work/plot.svg" >"$work/table.txt"

# The page loads nothing and runs nothing; this copy looks at itself.
cat >"$work/probe.js" <<'JS'
const problems = [];
const luminance = colour => {
    const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map(c => {
        c /= 255;
        return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
};
const ground = getComputedStyle(document.body).backgroundColor;
const stand_out = (name, colour, least) => {
    if (contrast(colour, ground) < least) problems.push(`${name}: ${colour} on ${ground}`);
};
for (const element of document.querySelectorAll('h1, h2, p, th, td'))
    stand_out(element.textContent, getComputedStyle(element).color, 4.5);
// No cell is so narrow that its words are broken into letters.
for (const cell of document.querySelectorAll('td, th'))
    if (cell.getBoundingClientRect().height > 90) problems.push(`broken: ${cell.textContent}`);
// One of the two widths of each plot is shown.
const shown = [...document.querySelectorAll('svg')].filter(svg => svg.getBoundingClientRect().width > 0);
for (const svg of shown) {
    const lines = [...svg.querySelectorAll('polyline')].filter(line => line.getAttribute('stroke-width') === '3');
    const colours = new Set(lines.map(line => line.getAttribute('stroke')));
    if (colours.size < lines.length) problems.push(`${lines.length} lines share ${colours.size} colours`);
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')];
    const boxes = texts.map(text => text.getBoundingClientRect());
    texts.forEach((text, i) => {
        const name = text.textContent.trim(), box = boxes[i];
        stand_out(name, getComputedStyle(text).fill, 4.5);
        const turned = text.hasAttribute('transform');
        if ((turned ? box.width : box.height) < 10) problems.push(`too small: ${name}`);
        if (box.left < frame.left || box.right > frame.right ||
            box.top < frame.top || box.bottom > frame.bottom) problems.push(`cut off: ${name}`);
        for (let j = 0; j < i; j++) {
            const other = boxes[j];
            if (box.left < other.right && other.left < box.right &&
                box.top + 2 < other.bottom && other.top + 2 < box.bottom)
                problems.push(`overlap: ${name} and ${texts[j].textContent.trim()}`);
        }
    });
    const shapes = [...svg.querySelectorAll('rect')];
    shapes.forEach(bar => stand_out('bar', getComputedStyle(bar).fill, 3));
    if (texts.length < 4) problems.push('a plot without text');
}
if (document.documentElement.scrollWidth > innerWidth) problems.push('wider than the window');
const found = document.createElement('pre');
found.id = 'found';
found.textContent = JSON.stringify({
    ground,
    width: innerWidth,
    plots: shown.length,
    rows: document.querySelectorAll('tr').length,
    bars: shown.flatMap(svg => [...svg.querySelectorAll('rect')]).length,
    problems,
});
// In a frame the report goes to the page round it, which the browser prints.
(parent === window ? document : parent.document).body.append(found);
JS
{ sed '/<\/body>/,$d' "$work/report.html"; echo "<script>"; cat "$work/probe.js"; echo "</script></body></html>"; } >"$work/probe.html"

browse() {
    local scheme=$1 width=$2 page=$3
    shift 3
    timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$(mktemp -d -p "$work")" --window-size="$width",6000 \
        --blink-settings="preferredColorScheme=$scheme" "$@" "file://$page" 2>"$work/browser.log" ||
        { cat "$work/browser.log"; exit 1; }
}

# The tables have a row of titles each; the terminal's have as many rows.
rows=$(grep -cE '  [0-9a-f]{16}$|checksum$' "$work/table.txt")
# No window is narrower than 500 pixels, so the phone is a frame in one.
for width in 1280 390; do
    for page in report probe; do
        echo "<body style='margin: 0'><iframe src='$page.html' style='border: 0; width: ${width}px; height: 5900px'></iframe>" >"$work/$page-$width.html"
    done
    for scheme in 1:light:'rgb(255, 255, 255)' 0:dark:'rgb(13, 17, 23)'; do
        IFS=: read -r number name ground <<<"$scheme"
        found=$(browse "$number" 1280 "$work/probe-$width.html" --allow-file-access-from-files --dump-dom | sed -n 's/.*<pre id="found">\(.*\)<\/pre>.*/\1/p')
        echo "$name: $found"
        [[ $found == *"\"ground\":\"$ground\""* ]] || { echo "the page is not $name"; exit 1; }
        [[ $found == *"\"width\":$width,"* && $found == *'"plots":6,'* &&
            $found == *"\"rows\":$rows,"* && $found == *'"problems":[]'* ]] ||
            { echo "the $name page is not as it should be ($width pixels, $rows rows, 6 plots)"; exit 1; }
        browse "$number" "$((width < 500 ? 500 : width))" "$work/report-$width.html" --screenshot="$shots/$name-$width.png" >/dev/null
        [[ -s $shots/$name-$width.png ]]
    done
done

# The picture by itself.
browse 1 1280 "$work/plot.svg" --dump-dom | grep -q '<text' || { echo "the picture is no SVG"; exit 1; }
echo "The report is readable in light and dark, on a desktop and on a phone."
