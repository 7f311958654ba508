"""Share of undecided claims whose shown sentences include the one that decides: saved cases of a simulated web.

    python -m bench.quality nearest --data FOLDER

FOLDER holds cases as JSON (`run_all.py` of the simulated web writes them). It counts claims that are unverified in the
case but not in truth, and for which a page was read that supports or contradicts them. `INQUEST_WORLD` names the folder
of a world other than the visible one.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.figures import SHARED, Figure
from bench.measures.verdict_rules import saved_cases

__all__ = ["DATA", "measure"]

DATA = None
"""None: cases are not part of the evaluation data; without `--data` nothing is measured."""


def measure(data: Path | None) -> list[Figure]:
    """The share of such claims with a deciding sentence among those shown, the share with one shown first, and the
    share of shown sentences that decide. Raises ValueError if the folder has no such claim."""
    if data is None:
        print("nearest needs saved cases: --data FOLDER", file=sys.stderr)
        return []
    world = Path(os.environ.get("INQUEST_WORLD") or SHARED / "simnet/world_b")
    gold = {each["text"]: each for each in json.loads((world / "gold.json").read_text("utf-8"))["claims"]}
    found = [hits for case in saved_cases(data) for hits in _undecided(case, gold)]
    if not found:
        raise ValueError(f"{data} holds no undecided claim of {world.name} that a page which was read decides.")
    shown = sum(len(hits) for hits in found)
    claims = {"claims": len(found)}
    return [
        Figure("nearest", "decided_by_one_shown", sum(any(hits) for hits in found) / len(found), details=claims),
        Figure("nearest", "decided_by_the_first", sum(any(hits[:1]) for hits in found) / len(found), details=claims),
        Figure(
            "nearest", "shown_that_decide", sum(map(sum, found)) / shown if shown else 0.0, details={"shown": shown}
        ),
    ]


def _undecided(case: Mapping[str, Any], gold: Mapping[str, Mapping[str, Any]]) -> Iterator[list[bool]]:
    """For each such claim of a case, whether each sentence shown decides it."""
    addresses = {each["id"]: each["url"].rstrip("/") for each in case["sources"] if not each["excluded"]}
    texts = {each["id"]: each["text"] for each in case["claims"]}
    for verdict in case["verdicts"]:
        known = gold.get(texts[verdict["claim_id"]])
        if known is None or verdict["verdict"] != "unverified" or "unverified" in known["verdict_ok"]:
            continue
        quotes = {
            url.rstrip("/"): _flat(each["quote"])
            for url, each in known["stances"].items()
            if each["stance"] != "neutral"
        }
        if not quotes.keys() & set(addresses.values()):
            continue
        near = [each for each in case["nearest"] if each["claim_id"] == verdict["claim_id"]]
        yield [_same(_flat(each["quote"]), quotes.get(addresses.get(each["source_id"], ""), "")) for each in near]


def _same(shown: str, deciding: str) -> bool:
    return bool(deciding) and (shown in deciding or deciding in shown)


def _flat(text: str) -> str:
    return " ".join(text.split())
