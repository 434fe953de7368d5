#!/usr/bin/env bash
# Reads books of `sudoku-batch book` with poppler: pages, sizes, fonts, and every digit that is printed, which must be that
# of the table of --key. Needs poppler-utils and a font with Chinese characters, which it installs on Debian.
#
#     scripts/check_book.sh [PROGRAM [FOLDER]]
#
# PROGRAM is target/release/sudoku-batch if not given. FOLDER gets the books and pictures of pages, to look at oneself.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/sudoku-batch}")
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
books=${2:-$work/books}
mkdir -p "$books"

font=/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc
if ! command -v pdftotext >/dev/null || [[ ! -e $font ]]; then
    root=(); [[ $(id -u) -eq 0 ]] || root=(sudo)
    "${root[@]}" apt-get update -q
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends poppler-utils fonts-wqy-zenhei
fi

fail() { echo "$*"; exit 1; }

# `expect BOOK PAGES SIZE`: this number of pages, of this size in points, and all fonts embedded as subsets.
expect() {
    local about
    about=$(pdfinfo "$1")
    [[ $(sed -n 's/^Pages: *//p' <<<"$about") == "$2" ]] || fail "$1 has not $2 pages: $about"
    [[ $about == *"Page size:       $3 pts"* ]] || fail "$1 has not the size $3: $about"
    [[ $about != *Date* ]] || fail "$1 has a date: $about"
    pdffonts "$1" | tail -n +3 | awk '$(NF-4) != "yes" || $(NF-3) != "yes" || $(NF-2) != "yes" { bad = 1; print } END { exit bad || NR == 0 }' ||
        fail "$1: a font is not embedded as a subset with its characters"
}

book() { "$program" book --quiet "$@"; }
cd "$books"
levels=(--difficulty easy:80,medium:80,hard:40 --seed 7 --title 'Sudoku & more' --title-page)

book "${levels[@]}" -o a4.pdf --key a4.csv --label '{number} ({difficulty})'
# A title, 14 + 14 + 7 pages of puzzles, 10 of twenty answers.
expect a4.pdf 46 '595.28 x 841.89'
python3 "$here/scripts/check_book.py" a4.pdf a4.csv both

book "${levels[@]}" -o six-by-nine.pdf --key six.csv --paper 6x9in --gutter 10mm --per-page 1 --answers-per-page 12
# The back of the title is empty, and the first puzzle on the right.
expect six-by-nine.pdf $((2 + 200 + 17)) '432 x 648'
python3 "$here/scripts/check_book.py" six-by-nine.pdf six.csv both
cmp a4.csv six.csv

book "${levels[@]}" -o large.pdf --large --key large.csv --answers answers.pdf --answers-per-page 30
expect large.pdf 201 '595.28 x 841.89'
expect answers.pdf 7 '595.28 x 841.89'
python3 "$here/scripts/check_book.py" large.pdf large.csv puzzles
python3 "$here/scripts/check_book.py" answers.pdf large.csv answers
book "${levels[@]}" -o again.pdf --large --answers none --threads 1
cmp again.pdf large.pdf

# A class of thirty.
{ echo id,name; for n in {101..130}; do echo "$n,Student $n"; done; } >class.csv
book --difficulty easy:2,medium:2 --per-student class.csv --name-line -o 'class/{id}.pdf' --answers key.pdf --key class-key.csv
for sheet in class/*.pdf; do
    python3 "$here/scripts/check_book.py" "$sheet" class-key.csv puzzles >/dev/null
done
[[ $(ls class | wc -l) -eq 30 && $(tail -n +2 class-key.csv | cut -d, -f5 | sort -u | wc -l) -eq 120 ]] || fail 'thirty sheets of four puzzles'
expect class/130.pdf 1 '595.28 x 841.89'
pdftotext class/130.pdf - | grep -q 'Student 130' || fail 'no name on the sheet'
"$program" check --quiet class-key.csv --answer-column solution

# Chinese: one font more, and its characters can be found and copied.
book --difficulty medium:6 --language zh --title 数独 --font "$font" -o zh.pdf --title-page
expect zh.pdf 3 '595.28 x 841.89'
pdffonts zh.pdf | grep -q WenQuanYi || fail 'zh.pdf lacks its font'
for word in 数独 答案; do
    pdftotext zh.pdf - | grep -q "$word" || fail "zh.pdf has no $word"
done

for name in a4 six-by-nine large zh; do
    pdftoppm -r 60 -f 1 -l 4 -png "$name.pdf" "$name"
done
pdftoppm -r 60 -png class/101.pdf class-101

for count in 100 1000 10000; do
    "$program" puzzles "$count" --clues 28 -q -o some.txt
    started=$(date +%s%N)
    book some.txt -o some.pdf
    printf '%d puzzles: %d ms, %d bytes\n' "$count" $((($(date +%s%N) - started) / 1000000)) "$(stat -c %s some.pdf)"
done
echo 'The books are as they should be.'
