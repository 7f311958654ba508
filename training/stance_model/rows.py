"""Collect the pairs of all kinds: `python training/stance_model/rows.py --data DATA --out FOLDER`.

DATA holds stance/{nli,train,dev}.jsonl with lines of claim, passage, stance and source. Writes train.jsonl and
dev.jsonl, whose lines also have a kind. Deterministic.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from training.mismatched import mismatched
from training.stance_model.contrast import contrast_pairs
from training.stance_model.made_up import made_up
from training.stance_model.pages import single_sentences, windows_of_pages
from training.stance_model.restated import framed, restated
from training.stance_model.written import NEAR, PLAIN, written

__all__ = ["STANCES", "development_rows", "held_out", "macro_f1", "read_rows", "training_rows"]

STANCES = ("contradicts", "neutral", "supports")
LONGEST = 2500
"""Maximum characters of a passage: more than the 256 tokens that are read."""
CONTRAST_SETS = ("mnli", "snli", "anli")
"""Sets of general inference from which contrast pairs are made."""

Row = dict[str, str]


def read_rows(path: Path) -> list[Row]:
    """The rows of a JSON Lines file."""
    return [json.loads(line) for line in path.open(encoding="utf-8") if line.strip()]


def held_out(row: Row) -> bool:
    """True for the pairs of every tenth claim, which are kept to learn the combination (`training/entailment.py`)."""
    return int(hashlib.sha256(row["claim"].encode()).hexdigest(), 16) % 10 == 0


def training_rows(data: Path) -> dict[str, list[Row]]:
    """The pairs for training, by kind."""
    general = read_rows(data / "stance/nli.jsonl")
    judged = [row for row in read_rows(data / "stance/train.jsonl") if not held_out(row)]
    own = written()
    sentences = [row for row in general if row["source"] != "fnc1"]
    again = restated(judged + own + sentences, 5_000)
    single = single_sentences()
    return {
        "general": general,
        "general_contrast": contrast_pairs([r for r in general if r["source"] in CONTRAST_SETS], per_pair=1, seed=3),
        "judged": judged,
        "judged_contrast": contrast_pairs(judged, per_pair=2),
        "written_contrast": contrast_pairs(own, per_pair=1),
        "mismatched": mismatched(judged, 900),
        "made_up": made_up(12_000),
        "written": own,
        "restated": again,
        "framed": framed(again, 1_400),
        "near": written(NEAR),
        "plain": written(PLAIN),
        "page": windows_of_pages() + [row for row in single if row["stance"] != "neutral"] * 2,
        "page_neutral": [row for row in single if row["stance"] == "neutral"],
    }


def development_rows(data: Path) -> dict[str, list[Row]]:
    """The pairs for evaluation, by kind; none of them is used for training."""
    judged = read_rows(data / "stance/dev.jsonl")
    return {
        "judged": judged,
        "held_out": [row for row in read_rows(data / "stance/train.jsonl") if held_out(row)],
        "written": written(apart=True),
        "near": written(NEAR, apart=True),
        "plain": written(PLAIN, apart=True),
        "page": single_sentences(apart=True),
        "page_windows": windows_of_pages(apart=True),
        "judged_contrast": contrast_pairs(judged, per_pair=2),
        "restated": restated(judged, 0, seed=5),
    }


def macro_f1(rows: Iterable[Row], given: Sequence[int]) -> tuple[float, dict[str, float]]:
    """Mean of the sources' macro-F1 values, and these values, each over the stances that occur in the source's labels.

    `given`: indices in STANCES.
    """
    by_source = {}
    for row, place in zip(rows, given, strict=True):
        by_source.setdefault(row["source"], []).append((STANCES.index(row["stance"]), place))
    found = {}
    for source, pairs in sorted(by_source.items()):
        gold = Counter(stance for stance, _ in pairs)
        predicted = Counter(place for _, place in pairs)
        right = Counter(stance for stance, place in pairs if stance == place)
        found[source] = round(sum(2 * right[one] / (gold[one] + predicted[one]) for one in gold) / len(gold), 3)
    return round(sum(found.values()) / len(found), 4), found


def write_rows(path: Path, by_kind: dict[str, list[Row]]) -> None:
    """Write the rows of all kinds to a JSON Lines file."""
    with path.open("w", encoding="utf-8") as file:
        for kind, rows in by_kind.items():
            for row in rows:
                kept = {name: row[name] for name in ("claim", "passage", "stance", "source")}
                kept["passage"] = kept["passage"][:LONGEST]
                file.write(json.dumps({"kind": kind, **kept}, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for name, by_kind in (("train", training_rows(given.data)), ("dev", development_rows(given.data))):
        write_rows(given.out / f"{name}.jsonl", by_kind)
        print(name, {kind: len(rows) for kind, rows in by_kind.items()})  # noqa: T201


if __name__ == "__main__":
    main()
