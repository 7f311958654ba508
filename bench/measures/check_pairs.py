"""How the rules judge what a search found on claims of company reports: pairs written by hand, told by half and kind.

More than half of the pairs are traps: they have the claim's words and say nothing to it (another company, year, site
or Scope, a target, an intensity, a subsidiary). Errors were read in the even rows only; the odd ones tell whether that
has helped in general. `late` are pairs in free wording that were written before the rules of the second round, and read
in the same way. A company's own word for or against a claim is told as such (`party`) and counts as neutral here:
it is no evidence.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from bench.figures import ROOT, Figure
from inquest.analysts.assessing import LocalJudge
from inquest.kit.analyst import Passage

__all__ = ["DATA", "Row", "measure"]

DATA = None
"""None: the measure has pairs of its own."""
_PAIRS = ROOT / "bench" / "check_pairs.csv"
_LATE = ROOT / "bench" / "check_pairs_late.csv"
_NEUTRAL = "neutral"


class Row(NamedTuple):
    """One pair, and what was found."""

    kind: str
    wanted: str
    said: str
    right_type: bool
    """Whether a contradiction that was found is of the kind that was wanted."""
    claim: str
    passage: str
    reasons: tuple[str, ...]


def measure(data: Path | None) -> list[Figure]:
    """Right pairs, what is found of supports and contradictions, and false alarms on neutral pairs; all by half."""
    rows = judged(data or _PAIRS)
    late = [] if data else judged(_LATE)
    halves = [("seen", rows[::2]), ("unseen", rows[1::2])]
    halves += [("late_seen", late[::2]), ("late_unseen", late[1::2])] if late else []
    figures = [
        Figure("check_pairs", "right", _share(rows, lambda row: row.said == row.wanted), details={"pairs": len(rows)})
    ]
    for name, half in halves:
        traps = [row for row in half if row.wanted == _NEUTRAL]
        against = [row for row in half if row.wanted == "contradicts"]
        borne_out = [row for row in half if row.wanted == "supports"]
        figures += [
            Figure(
                "check_pairs", f"right_{name}", _share(half, lambda row: row.said == row.wanted), details=_kinds(half)
            ),
            Figure("check_pairs", f"found_supports_{name}", _share(borne_out, lambda row: row.said == "supports")),
            Figure("check_pairs", f"found_contradicts_{name}", _share(against, lambda row: row.said == "contradicts")),
            Figure("check_pairs", f"right_type_{name}", _share(against, lambda row: row.right_type)),
            Figure("check_pairs", f"false_alarms_{name}", _share(traps, lambda row: row.said != _NEUTRAL)),
            Figure(
                "check_pairs",
                f"turned_{name}",
                _share([*borne_out, *against], lambda row: row.said not in (row.wanted, _NEUTRAL)),
            ),
        ]
    return figures


def judged(path: Path) -> list[Row]:
    """Every pair as the local judge sees it, in the order of the file."""
    judge = LocalJudge()
    rows = []
    for number, each in enumerate(csv.DictReader(path.read_text("utf-8").splitlines()), 1):
        passage = Passage(
            id=f"P{number}", source_id="S1", snapshot="", text=each["passage"], title=each["title"],
            domain=each["domain"],
        )  # fmt: skip
        (found,) = judge.passages(each["claim"], [passage])
        said = _NEUTRAL if found.party and not found.admission else found.stance.value
        kind = found.contradiction_type.value if found.contradiction_type else ""
        typed = said == "contradicts" and kind == each["type"]
        rows.append(Row(each["kind"], each["stance"], said, typed, each["claim"], each["passage"], found.reasons))
    return rows


def _share(rows: list[Row], test: Callable[[Row], bool]) -> float:
    return sum(test(row) for row in rows) / max(1, len(rows))


def _kinds(rows: list[Row]) -> dict[str, str]:
    pairs, right = Counter(row.kind for row in rows), Counter(row.kind for row in rows if row.said == row.wanted)
    return {kind: f"{right[kind]} of {count}" for kind, count in sorted(pairs.items())}
