"""Quality of the local judgement of a passage's stance on a claim: macro-F1, calibration, contrast pairs, speed.

The judgement is that of `inquest assess`: rules and the small model of the package.
"""

from __future__ import annotations

import csv
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.figures import Figure
from bench.rows import rows_of
from inquest.analysts.assessing import LocalJudge
from inquest.app.settings import load_settings
from inquest.app.wiring.small_models import pair_reader, sentence_encoder
from inquest.domain.finding import Stance
from inquest.kit.analyst import Passage
from training.mismatched import mismatched
from training.stance_model.contrast import KINDS, contrast_pairs

__all__ = ["DATA", "measure"]

DATA = "data/stance/dev.jsonl"
_CLASSES = ("supports", "contradicts", "neutral")
_SURE = 0.8
_PLAIN_CONTRAST = Path(__file__).resolve().parents[1] / "contrast.csv"
"""Pairs written by hand: a claim, and a passage in other words in which at most one thing differs."""

Judged = tuple[str, str, str, float]
"""Source, stance given by people, stance found, its confidence."""


def measure(data: Path, every: int = 1, name: str = "stance") -> list[Figure]:
    """The figures for lines of `claim`, `passage`, `stance`, `source`.

    The macro-F1 of a source is over the classes in its gold labels (COVID-Fact and Fool Me Twice have no neutral), so
    that a neutral found there is a miss of the other classes and not a class of its own. `every`: only every Nth row is
    judged, for a quick look; these figures are not those of the set and have another `name`.
    """
    rows = rows_of(data, "claim", "passage", "stance")[::every]
    judge = LocalJudge(pair_reader(load_settings()), sentence_encoder(load_settings()))
    judge.pairs([("A first call loads the tables.", "It is not counted.")])
    begun, used = time.perf_counter(), time.process_time()
    found = judge.pairs([(row["claim"], row["passage"]) for row in rows])
    seconds, used = time.perf_counter() - begun, time.process_time() - used
    judged: list[Judged] = [
        (row.get("source", "all"), row["stance"], one.stance.value, one.confidence)
        for row, one in zip(rows, found, strict=True)
    ]
    by_source: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        by_source[one[0]].append(one)
    macro = {source: _macro_f1(part) for source, part in sorted(by_source.items())}
    # Claims with other claims' passages, as a search would return them: none is relevant to the claim.
    mismatches = [_searched(judge, row["claim"], row["passage"]) for row in mismatched(rows, 150 // every)]
    details = {"pairs": len(mismatches)}
    plain = list(csv.DictReader(_PLAIN_CONTRAST.read_text("utf-8").splitlines()))
    plain_told = judge.pairs([(row["claim"], row["passage"]) for row in plain])
    plain_right = [(row["kind"], row["stance"] == one.stance.value) for row, one in zip(plain, plain_told, strict=True)]
    contrast = [row for row in contrast_pairs(rows) if row["source"] != "contrast_same"]
    told = judge.pairs([(row["claim"], row["passage"]) for row in contrast])
    right = {
        kind: [
            row["stance"] == one.stance.value
            for row, one in zip(contrast, told, strict=True)
            if row["source"] == f"contrast_{kind}"
        ]
        for kind in KINDS
    }
    return [
        Figure(name, "macro_f1_mean", sum(macro.values()) / len(macro), details={"pairs": len(rows)}),
        Figure(name, "macro_f1_all", _macro_f1(judged)),
        *(
            Figure(name, f"macro_f1_{source}", value, details={"pairs": len(by_source[source])})
            for source, value in macro.items()
        ),
        *(Figure(name, f"f1_{stance}", _f1(judged, stance), details=_found_as(judged, stance)) for stance in _CLASSES),
        Figure(name, "ece", calibration_error([(sure, gold == said) for _, gold, said, sure in judged])),
        Figure(name, "false_contradicts", _false_alarms(judged)),
        *(
            Figure(name, f"searched_{stance}", mismatches.count(stance) / max(1, len(mismatches)), details=details)
            for stance in (Stance.CONTRADICTS, Stance.SUPPORTS)
        ),
        Figure(
            name,
            "contrast",
            sum(right for _, right in plain_right) / len(plain),
            details={
                kind: f"{sum(r for k, r in plain_right if k == kind)} of {n}" for kind, n in _counted(plain_right)
            },
        ),
        Figure(
            name,
            "contrast_of_judged",
            sum(map(sum, right.values())) / max(1, len(contrast)),
            details={f"of_{kind}": f"{sum(each)} of {len(each)}" for kind, each in right.items() if each},
        ),
        Figure(name, "pairs_per_second", len(rows) / seconds, "1/s", details={"per_cpu_second": len(rows) / used}),
    ]


def _counted(right: Iterable[tuple[str, bool]]) -> list[tuple[str, int]]:
    return sorted(Counter(kind for kind, _ in right).items())


def _searched(judge: LocalJudge, claim: str, passage: str) -> Stance:
    """The stance of a passage as if a search had returned it."""
    (found,) = judge.passages(claim, [Passage(id="1", source_id="S1", snapshot="", text=passage)])
    return found.stance


def calibration_error(judged: Iterable[tuple[float, bool]], bins: int = 10) -> float:
    """Expected calibration error: the mean distance of confidence from accuracy over ten equal bins, by their size."""
    boxes: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for confidence, right in judged:
        boxes[min(int(confidence * bins), bins - 1)].append((confidence, right))
    total = sum(map(len, boxes.values()))
    return sum(abs(sum(c for c, _ in box) - sum(right for _, right in box)) for box in boxes.values()) / max(1, total)


def _macro_f1(judged: Sequence[Judged]) -> float:
    present = [stance for stance in _CLASSES if any(gold == stance for _, gold, _, _ in judged)]
    return sum(_f1(judged, stance) for stance in present) / len(present)


def _f1(judged: Sequence[Judged], stance: str) -> float:
    hits = sum(gold == said == stance for _, gold, said, _ in judged)
    wanted = sum(gold == stance for _, gold, _, _ in judged)
    found = sum(said == stance for _, _, said, _ in judged)
    return 2 * hits / (wanted + found) if wanted + found else 0.0


def _found_as(judged: Sequence[Judged], stance: str) -> dict[str, dict[str, int]]:
    """The stances found, for the pairs to which people gave this stance."""
    found = {said: sum(1 for _, gold, other, _ in judged if gold == stance and other == said) for said in _CLASSES}
    return {"found_as": found}


def _false_alarms(judged: Sequence[Judged]) -> float:
    """Share of the pairs without a contradiction that are confidently judged to contradict."""
    others = [(said, sure) for _, gold, said, sure in judged if gold != "contradicts"]
    return sum(said == "contradicts" and sure >= _SURE for said, sure in others) / max(1, len(others))
