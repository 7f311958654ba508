"""Measure an exported stance model by itself: `python training/stance_model/evaluate.py --rows ROWS MODEL`.

MODEL is a folder with model.onnx and its manifest; ROWS holds the dev.jsonl of `rows.py`. Prints the macro-F1 by kind
and source, on at most 900 pairs of each kind.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from inquest.local_models.encoders import CrossEncoder
from inquest.local_models.files import model_files
from training.stance_model.rows import STANCES, macro_f1, read_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--most", type=int, default=900)
    given = parser.parse_args()
    reader = CrossEncoder(model_files(given.model))
    dev = read_rows(given.rows / "dev.jsonl")
    for kind in dict.fromkeys(row["kind"] for row in dev):
        rows = [row for row in dev if row["kind"] == kind]
        rows = random.Random(1).sample(rows, min(len(rows), given.most))
        meanings = reader.read([(row["claim"], row["passage"]) for row in rows])
        places = [max(range(3), key=lambda i: getattr(one, STANCES[i])) for one in meanings]
        print(kind, json.dumps(macro_f1(rows, places)))  # noqa: T201


if __name__ == "__main__":
    main()
