#!/usr/bin/env bash
# Reads what `augment --format hrm` writes with the loaders of the training programs HRM and TRM,
# and a batch of `sudoku_batch.Images` with torch. Not a part of CI, because torch is large. Needs a
# Python with torch and pydantic (on Debian: python3-torch, python3-pydantic), checkouts of
# sapientinc/HRM and SamsungSAILMontreal/TinyRecursiveModels, and the Python package built.
#
#     PYTHON=/usr/bin/python3 scripts/check_training.sh COMMAND HRM TRM
set -euo pipefail
command=$(realpath "$1"); hrm=$(realpath "$2"); trm=$(realpath "$3")
here=$(realpath "$(dirname "$0")")
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

"$command" puzzles 3000 --seed 11 --format csv -q -o "$folder/raw.csv"
"$command" augment --format hrm "$folder/raw.csv" --copies 20 --subsample 500 --test 10% -q \
    --output-dir "$folder/data"
for checkout in "$hrm" "$trm"; do
    "${PYTHON:-python3}" "$here/check_training.py" "$checkout" "$folder/data"
done
PYTHONPATH="$here/../python" "${PYTHON:-python3}" - <<'PY'
import numpy, torch, sudoku_batch as sb
made = sb.puzzles(100, kind="numpy")
for puzzle, solution in (next(sb.Images(made.puzzle, made.solution)) for _ in range(2)):
    for array in (puzzle, solution):
        tensor = torch.from_numpy(array)
        assert tensor.shape == (768, 81) and tensor.data_ptr() == array.ctypes.data
print("torch: batches without a copy")
PY
