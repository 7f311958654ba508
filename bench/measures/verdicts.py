"""Agreement of verdicts on real claims with those that people gave, with the given evidence (AVeriTeC).

Each claim has the answers that people found to its questions. They are used as passages, each from its own source, are
judged by rules and the small model, and are weighed like a case's findings. The sources count as established press
(tier 2), because the measure is for judgement and not for the publishers of a few words.

The small model was trained on pairs of the same set, including most of the visible claims: this measures the path from
judgement to verdict, and the figures for unseen claims will be lower. Errors were read only in the even rows; the
figures of both halves show whether that has helped one more than the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.figures import Figure
from bench.rows import rows_of
from inquest.analysts.assessing import LocalJudge
from inquest.app.settings import load_settings
from inquest.app.wiring.small_models import pair_reader, sentence_encoder
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Reading, Stance, Verdict
from inquest.domain.source import Source
from inquest.sources.tiers import rating_of
from inquest.verdicts.weighing import assess_claim

__all__ = ["DATA", "MEANS", "macro_f1", "measure", "passages_of", "verdict_of"]

DATA = "data/claims/averitec_300.jsonl"
LABELS = ("Supported", "Refuted", "Not Enough Evidence", "Conflicting Evidence/Cherrypicking")
MEANS = {
    Verdict.VERIFIED: "Supported",
    Verdict.CONTRADICTED: "Refuted",
    Verdict.UNVERIFIED: "Not Enough Evidence",
    Verdict.DISPUTED: "Conflicting Evidence/Cherrypicking",
    Verdict.PARTIALLY_TRUE: "Conflicting Evidence/Cherrypicking",
}
_NOW = datetime(2024, 1, 1, tzinfo=UTC)


def measure(data: Path) -> list[Figure]:
    """Macro-F1 over the four labels, accuracy, and for each label what was found."""
    rows = rows_of(data, "claim", "label", "questions")
    judge = LocalJudge(pair_reader(load_settings()), sentence_encoder(load_settings()))
    pairs = [(row["label"], MEANS[_verdict(row, judge)]) for row in rows]
    table = Counter(pairs)
    by_label = {label: _f1(label, table) for label in LABELS}
    return [
        Figure("verdicts", "macro_f1", macro_f1(pairs), details={"claims": len(rows)}),
        *(
            Figure("verdicts", f"macro_f1_{name}", macro_f1(half), details={"claims": len(half)})
            for name, half in (("even", pairs[::2]), ("odd", pairs[1::2]))
        ),
        Figure("verdicts", "accuracy", sum(gold == said for gold, said in pairs) / len(pairs)),
        *(
            Figure(
                "verdicts", f"f1_{_short(label)}", value, details={_short(said): table[label, said] for said in LABELS}
            )
            for label, value in by_label.items()
        ),
    ]


def _short(label: str) -> str:
    return label.split("/")[0].replace(" ", "_").lower()


def macro_f1(pairs: Sequence[tuple[str, str]]) -> float:
    """Macro-F1 over all four labels; pairs are the label that people gave and the one found."""
    table = Counter(pairs)
    return sum(_f1(label, table) for label in LABELS) / len(LABELS)


def _f1(label: str, table: Counter[tuple[str, str]]) -> float:
    wanted = sum(count for (gold, _), count in table.items() if gold == label)
    found = sum(count for (_, said), count in table.items() if said == label)
    return 2 * table[label, label] / (wanted + found) if wanted + found else 0.0


def _verdict(row: dict[str, Any], judge: LocalJudge) -> Verdict:
    passages = passages_of(row)
    judged = judge.pairs([(row["claim"], text) for text in passages]) if passages else ()
    return verdict_of(row["claim"], passages, judged)


def verdict_of(text_of_claim: str, passages: Sequence[str], judged: Sequence[Reading]) -> Verdict:
    """The verdict from the judgements of a claim's passages, each from its own source."""
    claim = Claim(id="C1", text=text_of_claim)
    sources, findings = {}, []
    for number, (text, judgement) in enumerate(zip(passages, judged, strict=True), 1):
        source_id, domain = f"S{number}", f"press{number}.example"
        sources[source_id] = Source(
            id=source_id, url=f"https://{domain}/", title="", domain=domain,
            rating=rating_of(domain, 80, ()),
            snapshot=f"sha256:{number:064d}", retrieved_at=_NOW,
        )  # fmt: skip
        if judgement.stance in (Stance.SUPPORTS, Stance.CONTRADICTS):
            findings.append(
                Finding(
                    id=f"F{number}", claim_id="C1", source_id=source_id, agent="measure", stance=judgement.stance,
                    contradiction_type=judgement.contradiction_type, confidence=judgement.confidence,
                    quote=text[judgement.start : judgement.end], snapshot=f"sha256:{number:064d}",
                    start=judgement.start, end=judgement.end, details=judgement.details, reasons=judgement.reasons,
                )
            )  # fmt: skip
    return assess_claim(claim, findings, sources).verdict


def passages_of(row: dict[str, Any]) -> list[str]:
    """Question and answer as one text, as on a page of questions and answers."""
    return list(_passages(row))


def _passages(row: dict[str, Any]) -> Iterator[str]:
    for question in row["questions"]:
        for answer in question.get("answers", ()):
            said = str(answer.get("answer") or "").strip()
            why = str(answer.get("boolean_explanation") or "").strip()
            text = " ".join(part for part in (str(question["question"]).strip(), said, why) if part)
            if said:
                yield text
