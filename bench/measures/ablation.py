"""The benefit of every feature, decision and veto of the entailment: each is left out in turn, and the rest measured on
data written by others.

For a feature, the combination is trained again without it. For a decision outside the combination or a veto, the rest
stays unchanged. Each is measured on

- the development pairs (macro-F1), WiCE and the Fake News Challenge: for features by a combination that has not seen
  the text, for the others by the weights of the package;
- AVeriTeC (macro-F1 of its verdicts, with the given evidence);
- the gold sentences of the simulated web, if it is beside the evaluation data: how many passages get the right stance
  on their claim, how many the opposite one, and how many of those that say nothing about it get any stance.

The models' readings are stored in `build/`, so that a second run takes a few minutes; Ctrl-C ends it with the results
so far. Needs scikit-learn, like training; without it nothing is measured.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from bench.figures import ROOT, Figure, data_hash
from bench.gold_sentences import GoldPair, gold_pairs
from bench.measures.verdicts import MEANS, macro_f1, passages_of, verdict_of
from bench.rows import rows_of
from inquest.domain.finding import Reading, Stance
from inquest.entailment import combination, features, stance, vetoes
from inquest.entailment.features import Evidence

__all__ = ["DATA", "measure"]

DATA = "data"
_LEFT_OUT = frozenset(("train",))
"""Materials that take long to read and improve the combination with a model little."""
_BETTER_LOW = frozenset(("wice_wrong", "gold_turned", "gold_invented"))

Worth = dict[str, float]


class _Left(NamedTuple):
    """One part that is left out, and the figures of the rest without it."""

    name: str
    worth: Callable[[], Worth]


def measure(data: Path) -> list[Figure]:
    """One figure for the whole and one for each part left out: the macro-F1 of the development pairs, with the others
    among the details, and `cost` for each: the loss from leaving it out (below 0: a gain)."""
    if importlib.util.find_spec("sklearn") is None:
        print("ablation needs scikit-learn: pip install scikit-learn", file=sys.stderr)
        return []
    found: list[Figure] = []
    try:
        for figure in _figures(data):
            found.append(figure)
            _say(_line(figure))
    except KeyboardInterrupt:
        _say(f"ended after {len(found)} figures")
    return found


def _figures(data: Path) -> Iterator[Figure]:
    bench = _Bench(data)
    for group, lefts in (("learned", bench.without_features()), ("decided", bench.without_decisions())):
        whole: Worth = {}
        for number, (name, worth) in enumerate(lefts):
            _say(f"{group} {number + 1} of {len(lefts)}: {name}")
            found = worth()
            whole = whole or found
            yield Figure("ablation", f"{group}: {name}", found["pairs"], details=found | _costs(whole, found))


def _costs(whole: Worth, without: Worth) -> dict[str, Any]:
    if whole is without:
        return {}
    signs = {name: -1 if name in _BETTER_LOW else 1 for name in whole}
    costs = {name: round(sign * (whole[name] - without[name]), 4) for name, sign in signs.items()}
    return {"cost": {name: cost for name, cost in costs.items() if cost}}


def _line(figure: Figure) -> str:
    costs = figure.details.get("cost")
    said = figure.details if costs is None else costs
    return f"  {figure.name}: " + (", ".join(f"{name} {value}" for name, value in said.items()) or "costs nothing")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class _Bench:
    """All pairs that are judged, read by the models once."""

    def __init__(self, data: Path) -> None:
        self.training = importlib.import_module("training.entailment")
        self.readers = self.training.Readers(_cache())
        found = self.training.materials(data)
        self.by_kind = {kind: each for kind, each in found.items() if kind not in _LEFT_OUT}
        self.evidence: dict[str, list[Evidence | None]] = {}
        for number, (kind, (rows, searched)) in enumerate(self.by_kind.items(), 1):
            _say(f"reading {kind}: {len(rows)} rows ({number} of {len(self.by_kind) + 2})")
            self.evidence[kind] = self._read([self.training.prepared(row, searched, self.readers) for row in rows])
        self.verdict_rows = rows_of(data / "claims/averitec_300.jsonl", "claim", "label", "questions")
        _say(f"reading averitec: {len(self.verdict_rows)} rows")
        pairs = [(row["claim"], text) for row in self.verdict_rows for text in passages_of(row)]
        self.of_verdicts = self._read([self._prepared(claim, text, searched=False) for claim, text in pairs])
        self.gold = gold_pairs(data.parent / "simnet/world_b")
        _say(f"reading gold sentences: {len(self.gold)}")
        self.of_gold = self._read([self._of_page(pair) for pair in self.gold])

    def _prepared(self, claim: str, passage: str, *, searched: bool) -> Evidence | None:
        prepared: Evidence | None = self.training.prepared({"claim": claim, "passage": passage}, searched, self.readers)
        return prepared

    def _of_page(self, pair: GoldPair) -> Evidence | None:
        return stance.prepare(pair.claim, pair.passage, page=pair.page, likeness=self.readers.likeness)

    def _read(self, prepared: Sequence[Evidence | None]) -> list[Evidence | None]:
        """The pairs with the model's reading of each; all at once, in parallel."""
        self.readers.meanings([(one.claim.text, window.text) for one in prepared if one for window in one.windows])
        self.readers.save()
        return [self._with_meanings(one) if one else None for one in prepared]

    def _with_meanings(self, one: Evidence) -> Evidence:
        pairs = [(one.claim.text, window.text) for window in one.windows]
        return replace(one, meanings=tuple(self.readers.meanings(pairs)))

    def without_features(self) -> list[_Left]:
        """The combination trained with all features, and without each."""
        measured = {
            kind: [dict(features.measure(one)) if one else {} for one in found] for kind, found in self.evidence.items()
        }
        first = next(one for one in self.evidence["wice"] if one)
        least: dict[str, Any] = {}

        def learned(names: tuple[str, ...]) -> Worth:
            table, worth = self.training.learn(
                self.by_kind, measured, read=True, without=names, least=least.get("least")
            )
            least.setdefault("least", worth["least"])
            using = combination.Table.model_validate(table)
            with (
                patch.object(combination, "table", lambda *, read: using),
                patch.object(stance, "table", lambda *, read: using),
            ):
                return _of_learned(worth) | self._of_verdicts() | self._of_gold()

        each = [(f"without {one.__name__}", tuple(one(first))) for one in features.FEATURES]
        return [_Left(name, partial(learned, names)) for name, names in [("all", ()), *each]]

    def without_decisions(self) -> list[_Left]:
        """The weights of the package with all decisions and vetoes, and without each."""

        def judged(place: object, name: str, left: tuple[object, ...]) -> Worth:
            with patch.object(place, name, left):
                return self._of_pages() | self._of_verdicts() | self._of_gold()

        found = [_Left("all", partial(judged, stance, "DECISIONS", stance.DECISIONS))]
        for place, name in ((stance, "DECISIONS"), (vetoes, "AGAINST_SUPPORT"), (vetoes, "AGAINST_CONTRADICTION")):
            every = getattr(place, name)
            for one in every:
                rest = tuple(other for other in every if other is not one)
                found.append(_Left(f"without {one.__name__.strip('_')}", partial(judged, place, name, rest)))
        return found

    def _stances(self, kind: str) -> list[Stance]:
        return [stance.judge(one, one.meanings if one else ()).stance for one in self.evidence[kind]]

    def _of_pages(self) -> Worth:
        rows = {kind: self.by_kind[kind][0] for kind in ("dev", "wice", "fnc1")}
        said = {kind: self._stances(kind) for kind in rows}
        places = [self.training.STANCES.index(each.value) for each in said["dev"]]
        cited = list(zip((row["label"] for row in rows["wice"]), said["wice"], strict=True))
        read = list(zip((row["label"] for row in rows["fnc1"]), said["fnc1"], strict=True))
        agreed = [label for label, one in read if one is Stance.SUPPORTS]
        return {
            "pairs": self.training.macro_f1(rows["dev"], places)[0],
            "wice_found": _share(one is Stance.SUPPORTS for label, one in cited if label == "supported"),
            "wice_wrong": cited.count(("not_supported", Stance.SUPPORTS)),
            "fnc_precision": _share(label == "agree" for label in agreed),
            "fnc_recall": _share(one is Stance.SUPPORTS for label, one in read if label == "agree"),
        }

    def _of_verdicts(self) -> Worth:
        """Macro-F1 on AVeriTeC, by the path from judgements to verdicts that `bench.quality verdicts` measures."""
        judged, pairs = iter(self.of_verdicts), []
        for row in self.verdict_rows:
            passages = passages_of(row)
            found = [_judgement(next(judged), text) for text in passages]
            pairs.append((row["label"], MEANS[verdict_of(row["claim"], passages, found)]))
        return {"averitec": round(macro_f1(pairs), 4)}

    def _of_gold(self) -> Worth:
        if not self.gold:
            return {}
        said = [stance.judge(one, one.meanings if one else ()).stance for one in self.of_gold]
        both = list(zip((pair.stance for pair in self.gold), said, strict=True))
        decided = [(gold, one) for gold, one in both if gold is not Stance.NEUTRAL]
        return {
            "gold_right": sum(gold is one for gold, one in decided),
            "gold_turned": sum(one not in (gold, Stance.NEUTRAL) for gold, one in decided),
            "gold_invented": sum(gold is Stance.NEUTRAL is not one for gold, one in both),
        }


def _judgement(evidence: Evidence | None, passage: str) -> Reading:
    found = stance.judge(evidence, evidence.meanings if evidence else ())
    return Reading(
        passage_id="1", stance=found.stance, contradiction_type=found.contradiction_type, confidence=found.confidence,
        quote=found.span.of(passage), start=found.span.start, end=found.span.end,
    )  # fmt: skip


def _of_learned(worth: Mapping[str, Any]) -> Worth:
    return {
        "pairs": worth["pairs_macro_f1"],
        "wice_found": worth["wice_supported_found"],
        "wice_wrong": worth["wice_unsupported_called_supported"],
        "wice_ap": worth["wice_average_precision"],
        "fnc_precision": worth["fnc_precision"],
        "fnc_recall": worth["fnc_recall"],
        "fnc_ap": worth["fnc_average_precision"],
    }


def _share(those: Iterator[bool]) -> float:
    every = list(those)
    return round(sum(every) / max(1, len(every)), 3)


def _cache() -> Path:
    """The file with the bundled models' readings; another model has its own file."""
    models = data_hash(ROOT / "src/inquest/local_models/stance") + data_hash(
        ROOT / "src/inquest/local_models/sentences"
    )
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    return folder / f"ablation-{models}.pickle"
