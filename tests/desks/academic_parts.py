"""Parts for tests of the academic desk: three invented companies, and passages as judged by an analyst."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, TypedDict, Unpack

from inquest.desks.academic.desk import AcademicDesk
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.document import Precision, Published
from inquest.domain.finding import Finding, Reading, Stance
from inquest.domain.report import OutageNote
from inquest.domain.search import Hit, Work
from inquest.kit.analyst import Passage
from inquest.kit.desk import FindingDraft, JudgedPassage, Results, Subject
from tests.case_parts import source

NOW = datetime(2025, 6, 1, tzinfo=UTC)
DESK = AcademicDesk()
FOODS = Subject(
    company="Tarnholt Foods plc",
    industry="Food and beverages",
    now=NOW,
    own_domains=("tarnholt.example",),
    report_source="S1",
    report_year=2024,
)
STEEL = Subject(company="Brackvall Steel AB", industry="Steel", now=NOW, report_source="S1", report_year=2024)
AIR = Subject(company="Oriel Airways Ltd", industry="Airlines", now=NOW, report_source="S1", report_year=2024)
REVIEWED = Work(
    type="journal-article",
    venue="Journal of Kiln Studies",
    doi="10.5555/kiln.1",
    peer_reviewed=True,
    peer_review_reason="an article in a journal",
)
PREPRINT = Work(type="preprint", peer_reviewed=False, doi="10.48550/arxiv.2401.00001")


def claim(text: str, type: ClaimType = ClaimType.STATEMENT, id: str = "C1", **more: Any) -> Claim:
    return Claim(id=id, text=text, type=type, quote=text, end=len(text), **more)


class AboutPage(TypedDict, total=False):
    """The properties of a page, if it is not the usual one."""

    quote: str
    tier: int
    category: str
    domain: str
    work: Work | None
    hit: Hit | None
    title: str
    excluded: str | None
    press_release: bool


def page(
    id: str,
    text: str,
    stance: Stance = Stance.NEUTRAL,
    *,
    confidence: float = 0.8,
    angles: tuple[str, ...] = ("papers",),
    **about: Unpack[AboutPage],
) -> JudgedPassage:
    """One passage of one page. If it has a stance, that is based on `quote`, or on all its words."""
    quote, hit, tier = about.get("quote", ""), about.get("hit"), about.get("tier", 2)
    domain = about.get("domain") or f"{id.lower()}.example"
    words = quote or (text if stance in (Stance.SUPPORTS, Stance.CONTRADICTS) else "")
    start = text.find(words) if words else 0
    made = source(
        id,
        tier,
        domain=domain,
        url=f"https://{domain}/{id.lower()}",
        title=about.get("title") or f"Paper {id}",
        retrieved_at=NOW,
        published=Published(at=datetime(2023, 4, 1, tzinfo=UTC), precision=Precision.MONTH),
        category=about.get("category", "trade"),
        press_release=about.get("press_release", False),
        work=about.get("work"),
        excluded=about.get("excluded"),
    )
    return JudgedPassage(
        source=made,
        passage=Passage(id=f"P-{id}", source_id=id, snapshot=made.snapshot, text=text),
        judgement=Reading(
            passage_id=f"P-{id}", stance=stance, confidence=confidence, quote=words, start=start, end=start + len(words)
        ),
        angles=angles,
        hits=(hit,) if hit else (),
    )


def found(made: Claim, subject: Subject, *pages: JudgedPassage, **more: Any) -> tuple[FindingDraft, ...]:
    return DESK.findings(made, subject, Results(evidence=pages, hits=more.pop("hits", len(pages)), **more))


def only(drafts: tuple[FindingDraft, ...], kind: str) -> FindingDraft:
    (draft,) = [each for each in drafts if each.evidence_type == kind]
    return draft


def outage(where: str = "openalex") -> OutageNote:
    return OutageNote(what="engine", where=where, why=f"{where} did not answer within 30 seconds.", at=NOW)


def numbered(draft: FindingDraft, id: str = "F1", claim_id: str = "C1") -> Finding:
    """Make a finding from a draft like the flow, with arbitrary text."""
    return Finding(
        id=id,
        claim_id=claim_id,
        source_id="S1",
        agent="academic",
        evidence_type=draft.evidence_type,
        stance=draft.stance,
        contradiction_type=draft.contradiction_type,
        confidence=draft.confidence,
        quote="words",
        snapshot="sha256:S1",
        start=0,
        end=5,
        summary=draft.summary,
        details=draft.details,
        references=draft.references,
    )
