"""Make both small models: `python training/stance_model/make.py --data DATA --teacher BASE --base BASE --work FOLDER`.

DATA holds the sets named in `training/README.md`; the two BASE folders hold the weights of all-mpnet-base-v2 and
all-MiniLM-L6-v2. Writes src/inquest/local_models/{stance,sentences} and src/inquest/entailment/weights.json.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MODELS = ROOT / "src/inquest/local_models"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, required=True, help="weights that the teacher starts from")
    parser.add_argument("--base", type=Path, required=True, help="weights that the small model starts from")
    parser.add_argument("--work", type=Path, required=True, help="where pairs and trained weights go")
    given = parser.parse_args()
    teacher, student, again = (given.work / name for name in ("teacher", "student", "again"))
    steps = (
        ["rows.py", "--data", given.data, "--out", given.work],
        ["train.py", "--rows", given.work, "--base", given.teacher, "--out", teacher],
        ["train.py", "--rows", given.work, "--base", given.base, "--out", student, "--teacher", teacher],
        ["train.py", "--rows", given.work, "--base", student, "--out", again, "--again"],
        ["export.py", again, MODELS / "stance"],
        ["export.py", given.base, MODELS / "sentences", "--sentences"],
        ["evaluate.py", MODELS / "stance", "--rows", given.work],
        ["../entailment.py", "--data", given.data],
    )
    paths = os.pathsep.join(map(str, (ROOT / "src", ROOT)))
    for name, *arguments in steps:
        command = [sys.executable, str(HERE / name), *map(str, arguments)]
        subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": paths})


if __name__ == "__main__":
    main()
