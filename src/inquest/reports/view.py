"""What every form of the report shows, looked up once: numbers, sources, claims with both sides, quotes in context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.case import Case
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding
from inquest.domain.report import Citation
from inquest.domain.source import Source

__all__ = ["VERDICT_WORDS", "Context", "ReportView", "Verified"]

VERDICT_WORDS = {
    Verdict.VERIFIED: "Verified",
    Verdict.PARTIALLY_TRUE: "Partly true",
    Verdict.CONTRADICTED: "Contradicted",
    Verdict.DISPUTED: "Disputed",
    Verdict.UNVERIFIED: "Unverified",
}


@dataclass(frozen=True)
class Context:
    """A quote where it stands: the text around it in the snapshot."""

    before: str
    quote: str
    after: str


@dataclass(frozen=True)
class Verified:
    """A claim with its verdict and the findings on both sides."""

    claim: Claim
    assessment: Assessment
    supporting: tuple[Finding, ...]
    contradicting: tuple[Finding, ...]

    @property
    def word(self) -> str:
        return VERDICT_WORDS[self.assessment.verdict]


@dataclass(frozen=True)
class ReportView:
    """A case and the contexts of its quotes, by finding id."""

    case: Case
    contexts: Mapping[str, Context]

    @cached_property
    def sources(self) -> dict[str, Source]:
        return {source.id: source for source in self.case.sources}

    @cached_property
    def findings(self) -> dict[str, Finding]:
        return {finding.id: finding for finding in self.case.findings}

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {citation.finding_id: citation.n for citation in self.case.citations}

    @cached_property
    def claims(self) -> tuple[Verified, ...]:
        """In the order of importance."""
        by_id = {claim.id: claim for claim in self.case.claims}
        return tuple(
            Verified(
                by_id[a.claim_id],
                a,
                tuple(self.findings[f] for f in a.supporting),
                tuple(self.findings[f] for f in a.contradicting),
            )
            for a in self.case.assessments
        )

    @cached_property
    def counted_sources(self) -> tuple[Source, ...]:
        return tuple(source for source in self.case.sources if not source.excluded)

    @cached_property
    def later_sources(self) -> tuple[Source, ...]:
        """Published after the as-of date: shown apart, never evidence."""
        return tuple(source for source in self.case.sources if source.excluded)

    @cached_property
    def independent_sources(self) -> int:
        """Stories, and sources that are no story's copy, each counted once."""
        return len({source.story or source.id for source in self.counted_sources})

    def cited(self, citation: Citation) -> tuple[Finding, Source]:
        """The finding and source behind a number."""
        return self.findings[citation.finding_id], self.sources[citation.source_id]

    def copies(self, source: Source) -> tuple[Source, ...]:
        """The other sources of the same story."""
        if source.story is None:
            return ()
        return tuple(s for s in self.counted_sources if s.story == source.story and s.id != source.id)
