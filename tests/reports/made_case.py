"""Helpers for building cases by hand: sources, findings with correct spans, verdicts, citations."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

from inquest.domain.case import Case
from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Precision, Published
from inquest.domain.finding import Assessment, ContradictionType, Finding, Stance, Verdict
from inquest.domain.reasons import Reason, in_words
from inquest.domain.report import OutageNote
from inquest.domain.source import Rating, Source
from inquest.flow.runner import citations
from inquest.flow.state import CaseState
from inquest.reports.view import Context, ReportView

NOON = datetime(2024, 6, 1, 12, tzinfo=UTC)
HOSTILE = (
    '<script>alert("x")</script><img src=x onerror=alert(1)>](javascript:alert(2)) **bold** _it_ `code` | cell '
    "# heading $x^2$ \\newline #panic() [[link]] &lt;b&gt; ~~gone~~ \u202egnorw\u202c \u200bzero\ufeff wide"
)
"""Markup of every report format, and invisible characters."""
TEXTS: dict[str, str] = {}
"""The text of every source made here, by its snapshot, for tests that put a case into an archive."""


def snapshot_of(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def outage(what: str, where: str, name: str, /, **data: str | int) -> OutageNote:
    code = Reason(code=f"outages.{name}", data=dict(data))
    return OutageNote(what=what, where=where, why=in_words(code), why_code=code, at=NOON)


class Desk:
    """Collects sources and findings; every quote is located in its source's text, so that spans are correct."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.findings: list[Finding] = []
        self.texts: dict[str, str] = {}

    def source(self, text: str, domain: str, title: str, published: str | None = "2024-03-05", **more: Any) -> str:
        number = len(self.sources) + 1
        tier = more.pop("tier", 2)
        rating: dict[str, Any] = {
            "domain": domain,
            "score": 105 - 20 * tier,
            "tier": tier,
            "stars": 6 - tier,
            "known": True,
            "category": "newspaper",
            "reasons": (f"{domain} is in the table of ratings", "it corrects its errors in public"),
        }
        rating |= {name: more.pop(name) for name in ("press_release", "owner", "category", "known") if name in more}
        values: dict[str, Any] = {
            "id": f"S{number}",
            "url": f"https://{domain}/{number}",
            "title": title,
            "domain": domain,
            "published": _published(published),
            "rating": Rating(**rating),
            "snapshot": snapshot_of(text),
            "retrieved_at": NOON + timedelta(minutes=number),
            "language": "en",
            "summary": text.replace("\n", " ")[:300],
            "key_claims": (text.split(".")[0] + ".",),
            "relevance": 0.8,
            "engines": ("collection",),
            "queries": ("river spill",),
        }
        self.sources.append(Source(**values | more))
        self.texts[f"S{number}"] = text
        TEXTS[snapshot_of(text)] = text
        return f"S{number}"

    def finding(self, source_id: str, quote: str, claim_id: str | None, stance: Stance, **more: Any) -> str:
        text = self.texts[source_id]
        start = text.index(quote)
        source = next(source for source in self.sources if source.id == source_id)
        number = len(self.findings) + 1
        values: dict[str, Any] = {
            "id": f"F{number}",
            "claim_id": claim_id,
            "source_id": source_id,
            "agent": "inquiry" if claim_id else "timeline",
            "stance": stance,
            "confidence": 0.9,
            "quote": quote,
            "snapshot": source.snapshot,
            "start": start,
            "end": start + len(quote),
            "reasons": ("the same figure for the same thing",),
        }
        self.findings.append(Finding(**values | more))
        return f"F{number}"

    def supports(self, source_id: str, quote: str, claim_id: str, **more: Any) -> str:
        return self.finding(source_id, quote, claim_id, Stance.SUPPORTS, **more)

    def contradicts(self, source_id: str, quote: str, claim_id: str, **more: Any) -> str:
        kind = {"contradiction_type": ContradictionType.DIRECT} | more
        return self.finding(source_id, quote, claim_id, Stance.CONTRADICTS, **kind)

    def view(self, case: Case) -> ReportView:
        found = {finding.id: finding for finding in case.findings}
        contexts = {}
        for citation in case.citations:
            finding = found[citation.finding_id]
            text = self.texts[finding.source_id]
            contexts[finding.id] = Context(
                text[max(0, finding.start - 300) : finding.start], finding.quote, text[finding.end : finding.end + 300]
            )
        return ReportView(case, contexts)


def _published(text: str | None) -> Published | None:
    if text is None:
        return None
    precision = {4: Precision.YEAR, 7: Precision.MONTH}.get(len(text), Precision.DAY)
    at = datetime.fromisoformat(f"{text}-01-01"[:10]).replace(tzinfo=UTC)
    return Published(at=at, precision=precision, how="metadata")


def claim(id: str, text: str, *source_ids: str, **more: Any) -> Claim:
    mentions = tuple(
        Mention(source_id=each, snapshot=snapshot_of(text), quote=text, start=0, end=len(text)) for each in source_ids
    )
    return Claim(id=id, text=text, mentions=mentions, **more)


def verdict(claim_id: str, word: Verdict, *, supporting: Any = (), contradicting: Any = (), **more: Any) -> Assessment:
    values: dict[str, Any] = {
        "claim_id": claim_id,
        "verdict": word,
        "confidence": 0.84,
        "independent_sources": 2,
        "supporting": tuple(supporting),
        "contradicting": tuple(contradicting),
        "reasons": ("Two independent sources support it: inspectorate.example (tier 1) and ledger.example (tier 2).",),
    }
    return Assessment(**values | more)


def numbered(case: Case) -> Case:
    """The case with its citations numbered as by the flow."""
    parts = ("brief", "sources", "findings", "assessments", "timeline", "summary")
    state = CaseState(**{part: getattr(case, part) for part in parts})
    return case.model_copy(update={"citations": citations(state)})
