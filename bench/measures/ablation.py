"""What every feature of the entailment pays: the combination is learned again without it, and measured on public sets.

Pairs are the development pairs; of WiCE and the Fake News Challenge each row is judged by a combination that has not
seen its text. Beside the features stand the two decisions outside the combination and the conditions on what it says,
each left out. Needs scikit-learn, as training does; without it nothing is measured.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench.figures import Figure
from inquest.domain.finding import Stance
from inquest.entailment import features, stance

__all__ = ["DATA", "measure"]

DATA = "data"
_OUTSIDE = {"ruling": "_ruled", "another value": "_refuted", "conditions": "_allowed"}


def measure(data: Path) -> list[Figure]:
    """One figure for the whole, and one for each feature: the development pairs' macro-F1 without it, and in the
    details what becomes of the pages."""
    if importlib.util.find_spec("sklearn") is None:
        print("ablation needs scikit-learn: pip install scikit-learn", file=sys.stderr)
        return []
    entailment = _training()
    by_kind = entailment.materials(data)
    del by_kind["train"]
    readers = entailment.Readers(None)
    measured = {kind: entailment.numbers(rows, found, readers) for kind, (rows, found) in by_kind.items()}
    _, whole = entailment.learn(by_kind, measured, read=True)
    found = [Figure("ablation", "all", whole["pairs_macro_f1"], details=whole)]
    for name, numbers in _numbers_of_features(by_kind, readers).items():
        _, worth = entailment.learn(by_kind, measured, read=True, without=numbers, least=whole["least"])
        found.append(Figure("ablation", f"without {name}", worth["pairs_macro_f1"], details=worth))
    return [*found, *_outside(by_kind, readers)]


def _training() -> Any:
    """The script that learns, which is not typed and needs what the package does not."""
    return importlib.import_module("training.entailment")


def _numbers_of_features(by_kind: dict[str, Any], readers: Any) -> dict[str, tuple[str, ...]]:
    """The numbers that each feature gives."""
    entailment = _training()
    row = by_kind["wice"][0][0]
    evidence = entailment.read(row, True, readers)
    return {one.__name__: tuple(one(evidence)) for one in features.FEATURES}


def _outside(by_kind: dict[str, Any], readers: Any) -> list[Figure]:
    """What each decision outside the combination changes, with the weights of the package."""
    entailment = _training()
    rows = {kind: by_kind[kind][0] for kind in ("dev", "wice", "fnc1")}
    read = {kind: [entailment.read(row, kind != "dev", readers) for row in rows[kind]] for kind in rows}

    def judged(name: str) -> Figure:
        said = {kind: [stance.judge(one, one.meanings if one else ()).stance for one in read[kind]] for kind in read}
        places = [entailment.STANCES.index(each.value) for each in said["dev"]]
        return Figure("ablation", name, entailment.macro(rows["dev"], places)[0], details=_pages(rows, said))

    found = [judged("decided: all")]
    for name, function in _OUTSIDE.items():
        instead = (lambda evidence, numbers, stance: stance) if function == "_allowed" else (lambda evidence: None)
        with patch.object(stance, function, instead):
            found.append(judged(f"decided without: {name}"))
    return found


def _pages(rows: dict[str, list[dict[str, str]]], said: Mapping[str, Sequence[Stance]]) -> dict[str, float]:
    labels = {kind: [row["label"] for row in rows[kind]] for kind in ("wice", "fnc1")}
    cited = list(zip(labels["wice"], said["wice"], strict=True))
    agreed = [label for label, one in zip(labels["fnc1"], said["fnc1"], strict=True) if one is Stance.SUPPORTS]
    return {
        "wice_supported_found": cited.count(("supported", Stance.SUPPORTS)),
        "wice_unsupported_called_supported": cited.count(("not_supported", Stance.SUPPORTS)),
        "wice_supported_called_contradicted": cited.count(("supported", Stance.CONTRADICTS)),
        "fnc_supports": len(agreed),
        "fnc_supports_right": agreed.count("agree"),
    }
