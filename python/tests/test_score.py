"""Grids in free texts: rewards, prompts, the data set of reasoning-gym, and the examples."""

import importlib.util
import os
import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import reasoning_gym
from conftest import ROOT, data

import sudoku_batch as sb

PUZZLES, SOLUTIONS = data("easy.txt")[:500], data("easy.solved.txt")[:500]


def layouts() -> dict[str, tuple[str, str]]:
    """The formats that are drawn by hand: for each name the text for a blank, and the drawing."""
    parts = (ROOT / "tests" / "texts" / "layouts.txt").read_text().split("\n=== ")[1:]
    heads = (part.split("\n", 1) for part in parts)
    return {name: (blank, text.rstrip("\n")) for head, text in heads for name, blank in [head.split(" | ")]}


def drawn(cells: str, blank: str, text: str, other: str | None = None) -> str:
    for cell in cells:
        text = text.replace("@", (blank if other is None else other) if cell == "." else cell, 1)
    return text


#: The number of items of reasoning-gym, which take 75 ms each. 10000 were scored by hand: see docs/training.md.
ITEMS = int(os.environ.get("SUDOKU_BATCH_GYM", "200"))


@pytest.fixture(scope="module")
def gym():
    dataset = reasoning_gym.create_dataset("sudoku", size=ITEMS, seed=7)
    entries = [dataset[i] for i in range(ITEMS)]
    puzzles = ["".join(str(n) for row in entry["metadata"]["puzzle"] for n in row) for entry in entries]
    return dataset, entries, puzzles


def changed(cells: str, at: int, to: str) -> str:
    return cells[:at] + to + cells[at + 1 :]


def lines(cells: str) -> str:
    return "\n".join(" ".join(cells[i : i + 9]) for i in range(0, 81, 9))


def test_full_marks_are_those_of_reasoning_gym(gym):
    dataset, entries, puzzles = gym
    assert set(sb.check(puzzles).status) == {"unique"}
    rng = random.Random(5)
    full = wrong = 0
    for variant in range(6):
        texts = []
        for entry, puzzle in zip(entries, puzzles, strict=True):
            cells = entry["answer"].replace(" ", "").replace("\n", "")
            blanks = [i for i in range(81) if puzzle[i] == "0"]
            clues = [i for i in range(81) if puzzle[i] != "0"]
            at = rng.choice(blanks if variant % 2 else clues)
            other = str(int(cells[at]) % 9 + 1)
            texts.append([
                entry["answer"],
                lines(changed(cells, at, other)),
                lines(puzzle),
                lines(changed(cells, at, other)),
                lines(cells[9:] + cells[:9]),
                "",
            ][variant])
        theirs = [dataset.score_answer(text, entry) == 1.0 for text, entry in zip(texts, entries, strict=True)]
        for extract in ("last", "first", "only"):
            ours = [reward == 1.0 for reward in sb.score(puzzles, texts, extract=extract).reward]
            assert ours == theirs, variant
        full += sum(theirs)
        wrong += len(theirs) - sum(theirs)
    assert full == ITEMS and wrong == 5 * ITEMS


def test_answers_of_reasoning_gym_are_read_in_every_layout(gym):
    _, entries, puzzles = gym
    forms = layouts()
    assert len(forms) >= 30
    for name, (blank, text) in forms.items():
        texts = [drawn(entry["answer"].replace(" ", "").replace("\n", ""), blank, text) for entry in entries]
        scored = sb.score(puzzles, texts)
        assert scored.reward == [1.0] * ITEMS and all(scored.solved), name
        # A copy of the puzzle earns nothing.
        for other in ("0", "1", "5", None):
            copies = [drawn(puzzle.replace("0", "."), blank, text, other) for puzzle in puzzles]
            for reward in ("solved", "blanks"):
                assert sb.score(puzzles, copies, reward=reward).reward == [0.0] * ITEMS, (name, other)


def test_the_score_is_that_of_the_rule():
    """Against a few lines of Python that know nothing of the library."""
    rng = random.Random(3)
    houses = [[9 * r + c for c in range(9)] for r in range(9)] + [[9 * r + c for r in range(9)] for c in range(9)]
    houses += [[27 * b + 3 * s + 9 * r + c for r in range(3) for c in range(3)] for b in range(3) for s in range(3)]
    texts, expected = [], []
    for puzzle, solution in zip(PUZZLES, SOLUTIONS, strict=True):
        cells = solution
        for _ in range(rng.randrange(5)):
            cells = changed(cells, rng.randrange(81), rng.choice("123456789."))
        blanks = [i for i in range(81) if puzzle[i] == "."]
        right = sum(cells[i] == solution[i] for i in blanks)
        clues = sum(cells[i] != puzzle[i] for i in range(81) if puzzle[i] != ".")
        conflicts = sum(
            len(digits) - len(set(digits)) for house in houses for digits in [[cells[i] for i in house if cells[i] != "."]]
        )
        texts.append(f"I think:\n\n{lines(cells)}\n")
        share = right / len(blanks) if clues == 0 else 0.0
        expected.append((True, cells == solution, len(blanks), right, clues, conflicts, share))
    scored = sb.score(PUZZLES, texts, reward="blanks")
    assert list(zip(*list(scored)[1:], strict=True)) == expected
    assert 50 < sum(scored.solved) < 450 and 20 < sum(0 < share < 1 for share in scored.reward)


def test_any_solution_of_several_will_do():
    puzzle = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
    both = sb.solutions([puzzle]).solution
    assert len(both) == 2
    scored = sb.score([puzzle] * 4, [*both, puzzle, "."], reward="blanks")
    assert scored.status == ["multiple"] * 4
    assert scored.solved == [True, True, False, False] and scored.reward == [1.0, 1.0, 0.0, 0.0]
    assert scored.right_blanks == [4, 4, None, None] and scored.found == [True, True, True, False]


def test_kinds_of_records_and_texts():
    texts = [f"**{solution}**" for solution in SOLUTIONS[:5]] + [None, "none"]
    numbers = np.array([[int(c) if c != "." else 0 for c in puzzle] for puzzle in PUZZLES[:7]], np.uint8)
    scored = sb.score(numbers, pa.array(texts))
    assert scored.reward.tolist() == [1.0] * 5 + [0.0] * 2 and scored.reward.dtype == np.float64
    assert scored.found.tolist() == [True] * 5 + [False] * 2
    table = sb.score(pa.array([*PUZZLES[:5], None, "x"]), texts).to_arrow()
    assert table["reward"].to_pylist() == [1.0] * 5 + [None] * 2
    with pytest.raises(TypeError, match="texts are str"):
        sb.score(numbers, numbers)
    with pytest.raises(ValueError, match="7 puzzles and 1 text:"):
        sb.score(numbers, ["x"])
    with pytest.raises(ValueError, match="last, first, only"):
        sb.score(numbers, texts, extract="middle")


def test_prompts_are_items_by_their_numbers():
    prompts = sb.Prompts(3000, seed=11, clues=30, blank="0", template="{index} {clues}\n{grid}\n\n{solution_rows}")
    items = list(prompts)
    assert len(prompts) == len(items) == 3000
    made = sb.puzzles(3000, seed=11, clues=30)
    for i in (0, 1, 1023, 1024, 2999):
        item = items[i]
        assert prompts[i] == item == sb.Prompts(i + 1, seed=11, clues=30, blank="0", template=prompts_template)[i]
        puzzle = made.puzzle[i].replace(".", "0")
        rows = "\n".join(made.solution[i][row : row + 9] for row in range(0, 81, 9))
        assert item["question"] == f"{i} 30\n{lines(puzzle)}\n\n{rows}"
        assert item["answer"] == lines(made.solution[i])
        assert prompts.score_answer(item["answer"], item) == 1.0
        assert prompts.score_answer(item["question"], item) == 1.0
        assert prompts.score_answer(lines(puzzle), item) == prompts.score_answer(None, item) == 0.0
    assert prompts[-1] == items[-1]
    for wrong in (3000, -3001):
        with pytest.raises(IndexError):
            prompts[wrong]
    with pytest.raises(ValueError, match=r"\{date\} stands for nothing here; one of: \{index\}, \{puzzle\}"):
        sb.Prompts(1, template="{date}")
    for wrong in ({"extract": "middle"}, {"reward": "many"}, {"blanks": 99}, {"n": 1}):
        with pytest.raises((TypeError, ValueError)):
            sb.Prompts(*([] if "n" in wrong else [1]), **wrong, **({"start": 1} if "n" in wrong else {}))


prompts_template = "{index} {clues}\n{grid}\n\n{solution_rows}"


def test_prompts_are_those_of_the_command(command, tmp_path):
    template = tmp_path / "prompt.txt"
    template.write_text("Solve {index}:\n{table}\n{{grid}} {solution}\n")
    text = command("puzzles", 200, "--clues", "30", "--seed", 11, "--template", template, "-q")
    items = sb.Prompts(200, seed=11, clues=30, template=template.read_text()[:-1])
    assert text == "".join(item["question"] + "\n" for item in items)


def test_reward_functions_take_texts_and_messages():
    puzzle, solution = PUZZLES[0], SOLUTIONS[0]
    half = "".join(s if i < 40 else p for i, (p, s) in enumerate(zip(puzzle, solution, strict=True)))
    texts = [solution, half, "no", lines(solution)]
    share = (half.count("1") and sum(half[i] != "." for i in range(81) if puzzle[i] == ".")) / puzzle.count(".")
    chats = [[{"role": "user", "content": puzzle}, {"role": "assistant", "content": text}] for text in texts]
    parts = [[{"role": "assistant", "content": [{"type": "text", "text": text}]}] for text in texts]
    for completions in (texts, chats, parts):
        columns = {"puzzle": [puzzle] * 4, "index": [1, 2, 3, 4], "completion_ids": None, "trainer_state": None}
        assert sb.solved_reward(prompts=["…"] * 4, completions=completions, **columns) == [1.0, 0.0, 0.0, 1.0]
        assert sb.blanks_reward(prompts=["…"] * 4, completions=completions, **columns) == [1.0, share, 0.0, 1.0]
    assert sb.solved_reward.__name__ == "solved_reward" and sb.solved_reward(None, [[]], puzzle=[puzzle]) == [0.0]
    with pytest.raises(ValueError, match="item 1 has no puzzle: 'x' is malformed"):
        sb.solved_reward(None, texts[:2], puzzle=[puzzle, "x"])
    with pytest.raises(TypeError, match="not int"):
        sb.solved_reward(None, [7], puzzle=[puzzle])


@pytest.mark.parametrize("name", ["gym_dataset", "grpo_reward"])
def test_examples(name, capsys):
    path = Path(__file__).resolve().parents[1] / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def model(question: str) -> str:
        """Stands for a model: it solves the puzzle in the question, and every third time it gives up."""
        model.calls += 1
        found = [line.split() for line in question.splitlines() if len(line.split()) == 9]
        puzzle = "".join("".join(row) for row in found if all(len(cell) == 1 for cell in row))
        assert len(puzzle) == 81
        solution = sb.solve(puzzle).solution
        return "I give up." if model.calls % 3 == 0 else f"Row by row:\n{lines(solution)}\nDone."

    model.calls = 0
    module.main(model, n=9)
    assert "0.667" in capsys.readouterr().out
