#!/usr/bin/env bash
# Plays with the real program in a terminal of tmux: a whole game, saving and resuming,
# sizes of the screen, the mouse, Ctrl-Z, Ctrl-C, SIGTERM, a panic, no colours, a terminal
# that is closed, and no terminal. Checks what is on the screen, and that the terminal is as
# it was afterwards.
#
#     scripts/play.sh [PROGRAM]
#
# PROGRAM is target/release/sudoku-batch if not given. Only a debug build panics on F12, which
# is left out with a release build. Needs tmux.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/sudoku-batch}")
work=$(mktemp -d)
export XDG_STATE_HOME=$work/state
games=$XDG_STATE_HOME/sudoku-batch/games
unset NO_COLOR COLORFGBG

tmux=(tmux -u -f /dev/null -S "$work/socket")
trap '"${tmux[@]}" kill-server 2>/dev/null || true; rm -rf "$work"' EXIT

# Sends keys, by the names of tmux.
keys() { "${tmux[@]}" send-keys -t play "$@"; }

# Types a text.
text() { "${tmux[@]}" send-keys -t play -l "$1"; }

screen() { "${tmux[@]}" capture-pane -p -t play; }

# Waits until a text is on the screen, on one line of it; gives up after half a minute.
expect() {
    for _ in {1..300}; do
        if screen | grep -qF -- "$1"; then return; fi
        sleep 0.1
    done
    printf 'play.sh: "%s" is not on the screen:\n%s\n' "$1" "$(screen)" >&2
    exit 1
}

# Waits for a file to be there or not.
expect_games() {
    local found
    for _ in {1..100}; do
        found=$({ find "$games" -name '*.json' 2>/dev/null || true; } | wc -l)
        if [[ $found -eq $1 ]]; then return; fi
        sleep 0.1
    done
    echo "play.sh: $found games are saved, not $1" >&2
    exit 1
}

# A line of the shell, and its end.
count=0
run() { text "$1; echo end-\$((++n)) status \$?"; keys Enter; }
ended() {
    count=$((count + 1))
    # A shell forgets the rest of a line when a program in it dies of Ctrl-C.
    if [[ $1 -eq 130 ]]; then
        expect 'The game is saved.'
        text 'echo end-$((++n)) status $?'
        keys Enter
    fi
    expect "end-$count status $1"
    # The terminal is as it was: lines, echo, and the screen of the shell.
    text 'stty -a | grep -qw icanon && stty -a | grep -qw echo && echo sane-$((++m))'
    keys Enter
    expect "sane-$count"
    keys C-l
}

resize() { "${tmux[@]}" resize-window -t play -x "$1" -y "$2"; }

say() { printf 'play.sh: %s\n' "$*"; }

"${tmux[@]}" new-session -d -s play -x 80 -y 24 "env PS1='$ ' bash --norc --noprofile -i"
expect '$'
text "n=0 m=0 P=$program; cd $PWD"
keys Enter

puzzle=$(sed -n 1p data/easy.txt)
solution=$(sed -n 1p data/easy.solved.txt)

say 'a whole game'
run "\$P play $puzzle"
expect '1 solution'
for ((i = 0; i < 81; i++)); do
    if [[ ${puzzle:i:1} == [.0] ]]; then
        text "${solution:i:1}"
        keys Tab
    fi
done
expect 'solved'
expect 'Solved in 00:'
keys q
ended 0
expect_games 0

say 'the screen that docs/play.md shows, at another time'
run '$P play data/easy.txt --record 3'
expect 'data/easy.txt, record 3'
resize 40 20
expect 'q leave'
keys H
expect 'it.)'
steady() { sed -E 's/[0-9]+:[0-9]+$/00:00/; s/ +$//'; }
diff <(sed -n '/^```text$/,/^```$/{//!p}' docs/play.md | steady) - <<<"$(screen | steady)"
resize 80 24
keys q
ended 0
expect_games 0

say 'sizes, and Ctrl-C'
run '$P play data/easy.txt --record 2'
expect 'data/easy.txt, record 2'
expect '┌──────────────────┬'
keys c
expect 'exactly one'
keys f
expect 'is '
resize 40 20
expect '┌───────┬───────┬───────┐'
expect 'q leave'
resize 30 10
expect '10 lines. play needs 40'
resize 110 42
expect '┏━━━━━━━┯'
keys ']'
expect 'data/easy.txt, record 3'
keys '['
expect 'This game goes on where you left it.'
resize 80 24
keys C-c
ended 130
expect_games 1

say 'resuming, hints, undo, help, a new puzzle'
run '$P play'
expect 'Welcome back.'
expect 'data/easy.txt, record 2'
keys u
keys u
expect 'There is nothing to'
keys H
expect 'it.)'
keys H
expect ' is '
keys '?'
expect 'choose a cell'
keys Escape
expect 'blank'
keys n
expect 'New puzzle'
keys 3
expect 'hard, seed'
expect '1 solution'
# Clicks with the left button, by column and line from 1.
text $'\e[<0;6;4M'
expect 'r1c1'
text $'\e[<0;56;22M'
expect 'r9c9'
keys e
expect 'Edit'
keys e
say 'Ctrl-Z and SIGTERM'
keys C-z
expect 'Stopped'
ended 148
run fg
expect 'hard, seed'
# The only process of the shell in the terminal.
kill -TERM "$(pgrep -P "$("${tmux[@]}" display-message -p -t play '#{pane_pid}')")"
ended 143

if grep -q debug <<<"$program"; then
    say 'a panic'
    run '$P play --edit'
    expect 'Edit'
    keys F12
    expect 'F12 panics in debug builds'
    ended 2
fi

say 'a puzzle is typed in'
run '$P play --edit --ascii'
expect '+------------------+'
text "$(sed -n 3p data/easy.txt)"
expect '1 solution'
# The last clue is followed by blanks, which end its message.
text c
expect 'The puzzle has'
text e
keys Up Home
text q
ended 0

say 'no colours'
run 'NO_COLOR=1 $P play data/easy.txt'
expect 'record 1'
if "${tmux[@]}" capture-pane -p -e -t play | grep -qE $'\e\\[[0-9;]*(38|48|3[0-7]|4[0-7])[;m]'; then
    echo 'play.sh: NO_COLOR has colours' >&2
    exit 1
fi
keys t m
expect 'Mistakes are not'
keys q
ended 0

say 'a terminal that is closed'
run '$P play data/easy.txt --record 5'
expect 'data/easy.txt, record 5'
text 5
player=$(pgrep -P "$("${tmux[@]}" display-message -p -t play '#{pane_pid}')")
"${tmux[@]}" kill-session -t play
for _ in {1..100}; do
    kill -0 "$player" 2>/dev/null || break
    sleep 0.1
done
if kill -0 "$player" 2>/dev/null; then
    echo 'play.sh: the program goes on without a terminal' >&2
    kill -KILL "$player"
    exit 1
fi
if ! grep -q ',5,false,' "$games/$(sed -n 5p data/easy.txt | tr . 0).json"; then
    echo 'play.sh: the game of the closed terminal is not saved' >&2
    exit 1
fi

say 'no terminal'
status=0
"$program" play data/easy.txt >"$work/out" 2>"$work/err" </dev/null || status=$?
if [[ $status -ne 2 || -s $work/out ]] || ! grep -q 'play needs a terminal' "$work/err"; then
    echo "play.sh: without a terminal the status is $status:" >&2
    cat "$work/err" >&2
    exit 1
fi
say 'all is well'
