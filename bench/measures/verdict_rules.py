"""The benefit of every rule for verdicts: saved cases of a simulated web are judged again without it, in seconds.

    python -m bench.quality verdict_rules --data FOLDER

FOLDER holds cases as JSON (`run_all.py` of the simulated web writes them; other files are ignored), at any depth.
Findings and sources are used as saved, so that only weighing is measured: neither search nor reading. For each rule:
right verdicts, false 'verified' and 'contradicted', and claims whose number of independent sources is within the gold
range, with the changes from leaving the rule out. Claims are matched to the gold ones by their words. The web itself
(`simnet/world_b/gold.json`) must be beside the evaluation data.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from bench.figures import SHARED, Figure
from inquest.domain.claim import Claim
from inquest.domain.document import Precision, Published
from inquest.domain.finding import Assessment, Finding, Verdict
from inquest.domain.source import Rating, Source
from inquest.kit.desk import Subject
from inquest.verdicts import judging, judging_evidence, votes, weighing

__all__ = ["DATA", "RULES", "measure", "saved_cases"]

DATA = None
"""None: cases are not part of the evaluation data; without `--data` nothing is measured."""
_GOLD = SHARED / "simnet/world_b/gold.json"
_SIDES = {
    Verdict.VERIFIED: "supports",
    Verdict.PARTIALLY_TRUE: "supports",
    Verdict.CONTRADICTED: "contradicts",
}

Instead = tuple[object, str, Callable[..., object]]
"""A name in a module or class, and its replacement when the rule is left out."""

RULES: dict[str, tuple[Instead, ...]] = {
    "one wording, one witness": ((votes, "_with_one_wording", lambda heard, sources, origins: dict(origins)),),
    "the last word counts": ((votes, "_last_word", lambda found, _: list(found)),),
    "a party's own site": ((votes._Speakers, "is_party", lambda *_: False),),
    "by parts": ((judging, "by_parts", lambda _, weighed, *__: weighed),),
    "true in general": ((judging, "_true_in_general", lambda weighed, *_: weighed),),
    "of the matter in general": ((judging_evidence, "_is_general", lambda *_: False),),
    "published checks": ((judging, "qualified", lambda assessment, *_: assessment),),
    "too old": ((judging_evidence, "cannot_confirm", lambda *_: False),),
    "aged": ((judging_evidence, "age_factor", lambda *_: 1.0),),
    "a filing is an admission": ((judging_evidence, "is_filing", lambda *_: False),),
    "one study proves nothing": ((weighing, "_vouches", lambda _: True),),
}


class SavedClaim(NamedTuple):
    """A claim of a saved case with everything that it was judged on."""

    claim: Claim
    findings: tuple[Finding, ...]
    sources: Mapping[str, Source]
    subject: Subject | None
    """For a claim of a check; None: it was judged like the claims of a report."""
    topic: str
    gold: Mapping[str, Any]


def measure(data: Path | None) -> list[Figure]:
    """The share of right verdicts with all rules, then without each. Raises ValueError if there are no cases."""
    if data is None:
        print("verdict_rules needs saved cases: --data FOLDER", file=sys.stderr)
        return []
    gold = json.loads(_GOLD.read_text("utf-8"))["claims"]
    saved = [claim for case in saved_cases(data) for claim in _claims(case, gold)]
    if not saved:
        raise ValueError(f"{data} holds no case with a claim of {_GOLD.parent.name}.")
    whole = [_judged(each) for each in saved]
    found = [_figure("all", saved, whole, whole)]
    for name, rule in RULES.items():
        with ExitStack() as stack:
            for place, attribute, instead in rule:
                stack.enter_context(patch.object(place, attribute, instead))
            found.append(_figure(f"without {name}", saved, [_judged(each) for each in saved], whole))
    return found


def saved_cases(folder: Path) -> list[dict[str, Any]]:
    """The cases of a folder, in the order of their paths."""
    read = (json.loads(path.read_text("utf-8")) for path in sorted(folder.rglob("*.json")))
    return [each for each in read if isinstance(each, dict) and each.get("verdicts") and "findings" in each]


def _claims(case: Mapping[str, Any], gold: Sequence[Mapping[str, Any]]) -> list[SavedClaim]:
    by_words = {_flat(each["text"]): each for each in gold}
    sources = {each["id"]: _source(each) for each in case["sources"]}
    findings = tuple(Finding.model_validate(each) for each in case["findings"])
    checked = {each["claim_id"] for each in case["verdicts"] if each["checked"]}
    topic = (case["plan"] or {}).get("topic", "")
    found = []
    for row in case["claims"]:
        claim = Claim.model_validate({name: value for name, value in row.items() if name != "source_ids"})
        if claim.id in checked and (known := by_words.get(_flat(claim.text))):
            subject = _subject(case, claim, sources) if case["check"] else None
            found.append(SavedClaim(claim, findings, sources, subject, topic, known))
    return found


def _flat(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _subject(case: Mapping[str, Any], claim: Claim, sources: Mapping[str, Source]) -> Subject:
    report = (each.id for each in sources.values() if each.url == case["input"]["report"])
    return Subject(
        company=claim.company or case["input"]["company"],
        industry=case["input"]["industry"],
        now=datetime.fromisoformat(case["as_of"]),
        report_source=next(report, ""),
    )


def _source(row: Mapping[str, Any]) -> Source:
    rating = {name: row[name] for name in ("domain", "score", "tier", "stars", "known", "category", "owner")}
    lists = {name: tuple(row[name]) for name in ("key_claims", "notes")}
    same = (
        "id", "url", "title", "domain", "publisher", "author", "snapshot", "retrieved_at", "language", "summary",
        "relevance", "story", "origin_of_story", "excluded", "work",
    )  # fmt: skip
    return Source(
        rating=Rating(**rating, press_release=row["press_release"], reasons=tuple(row["rating_reasons"])),
        published=_published(row["published"]) if row["published"] else None,
        **{name: row[name] for name in same},
        **lists,
    )


def _published(iso: str) -> Published:
    precision = {4: Precision.YEAR, 7: Precision.MONTH, 10: Precision.DAY}.get(len(iso), Precision.TIME)
    at = datetime.fromisoformat(iso + {4: "-01-01", 7: "-01"}.get(len(iso), ""))
    return Published(at=at if at.tzinfo else at.replace(tzinfo=UTC), precision=precision, how="saved")


def _judged(saved: SavedClaim) -> Assessment:
    claim, findings, sources, subject, topic, _ = saved
    if subject is None:
        return weighing.assess_claim(claim, findings, sources, about=topic)
    looked = judging.Looked(1, ("news", "academic"))
    return judging.judge_claim(claim, findings, sources, subject=subject, looked=looked).assessment


def _figure(name: str, saved: Sequence[SavedClaim], found: Sequence[Assessment], whole: Sequence[Assessment]) -> Figure:
    right = [one.verdict.value in each.gold["verdict_ok"] for each, one in zip(saved, found, strict=True)]
    wrong = [one.verdict for one, fits in zip(found, right, strict=True) if not fits]
    ranged = [
        span[0] <= one.independent_sources <= span[1]
        for each, one in zip(saved, found, strict=True)
        if (span := each.gold["independent"].get(_SIDES.get(one.verdict, "")))
    ]
    details = {
        "claims": len(saved),
        "right": sum(right),
        "false_verified": wrong.count(Verdict.VERIFIED),
        "false_contradicted": wrong.count(Verdict.CONTRADICTED),
        "independent_within": f"{sum(ranged)} of {len(ranged)}",
        "verdicts_changed": sum(a.verdict is not b.verdict for a, b in zip(found, whole, strict=True)),
    }
    return Figure("verdict_rules", name, sum(right) / len(right), details=details)
