"""What every form of the report shows, looked up once: numbers, sources, claims with both sides, quotes in context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.case import Case
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.report import Citation, EarlierCheck, Summary
from inquest.domain.source import Source
from inquest.logic.stories import Witness, independent

__all__ = ["VERDICT_WORDS", "Context", "Entry", "ReportView", "Story", "Told", "Verified"]

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
class Told:
    """What one story says on one side of a claim: the witness that is quoted, and whoever repeats the story."""

    source: Source
    findings: tuple[Finding, ...]
    """Of that source, weightiest first; at least one."""
    copies: tuple[Finding, ...] = ()
    """Of the story's other sources."""
    origin: Source | None = None
    """Whom the story goes back to, where that is not the one quoted."""


@dataclass(frozen=True)
class Verified:
    """A claim with its verdict and the findings on both sides."""

    claim: Claim
    assessment: Assessment
    supporting: tuple[Told, ...]
    contradicting: tuple[Told, ...]
    neither: int
    """How many findings were judged and bear on it neither way."""
    reviews: tuple[EarlierCheck, ...] = ()
    """What others who checked the same claim came to."""

    @property
    def word(self) -> str:
        return VERDICT_WORDS[self.assessment.verdict]


@dataclass(frozen=True)
class Story:
    """Sources that are copies or rewrites of one another, counted once."""

    id: str
    origin: Source | None
    """None: it cannot be told who told it first."""
    others: tuple[Source, ...]


@dataclass(frozen=True)
class Entry:
    """A source in the list of sources, with those that tell its story after it."""

    source: Source
    copies: tuple[Source, ...] = ()


@dataclass(frozen=True)
class ReportView:
    """A case and the contexts of its quotes, by finding id."""

    case: Case
    contexts: Mapping[str, Context]

    @cached_property
    def summary(self) -> Summary:
        """The summary; a case without one has no report."""
        assert self.case.summary is not None
        return self.case.summary

    @cached_property
    def sources(self) -> dict[str, Source]:
        return {source.id: source for source in self.case.sources}

    @cached_property
    def findings(self) -> dict[str, Finding]:
        return {finding.id: finding for finding in self.case.findings}

    @cached_property
    def numbers(self) -> dict[str, int]:
        return self.case.citation_numbers

    def refs(self, finding_ids: Iterable[str]) -> list[int]:
        """The citation numbers of these findings, each once, in their order."""
        return list(dict.fromkeys(self.numbers[each] for each in finding_ids if each in self.numbers))

    @cached_property
    def assessments(self) -> tuple[Assessment, ...]:
        """Of the claims that the case got to."""
        return tuple(assessment for assessment in self.case.assessments if assessment.checked)

    @cached_property
    def claims(self) -> tuple[Verified, ...]:
        """The checked claims, in the order of importance."""
        by_id = {claim.id: claim for claim in self.case.claims}
        neutral = Counter(f.claim_id for f in self.case.findings if f.stance is Stance.NEUTRAL)
        return tuple(
            Verified(
                by_id[a.claim_id],
                a,
                self._told(a.supporting),
                self._told(a.contradicting),
                neutral[a.claim_id],
                tuple(check for check in self.case.reviews if check.claim_id == a.claim_id),
            )
            for a in self.assessments
        )

    @cached_property
    def reviews_beside(self) -> tuple[EarlierCheck, ...]:
        """What others have checked of the matter, where no checked claim of the case says the same."""
        checked = {assessment.claim_id for assessment in self.assessments}
        return tuple(check for check in self.case.reviews if check.claim_id not in checked)

    @cached_property
    def unchecked(self) -> tuple[Claim, ...]:
        """Claims that no verdict was given on, because the case ended before."""
        checked = {assessment.claim_id for assessment in self.assessments}
        return tuple(claim for claim in self.case.claims if claim.id not in checked)

    @cached_property
    def verdict_counts(self) -> tuple[tuple[Verdict, int], ...]:
        """How many claims have which verdict, without those that none has."""
        counts = Counter(assessment.verdict for assessment in self.assessments)
        return tuple((verdict, counts[verdict]) for verdict in Verdict if counts[verdict])

    @cached_property
    def counted_sources(self) -> tuple[Source, ...]:
        return tuple(source for source in self.case.sources if not source.excluded)

    @cached_property
    def excluded_sources(self) -> tuple[Source, ...]:
        """Read, but no evidence (published after the as-of date): shown apart."""
        return tuple(source for source in self.case.sources if source.excluded)

    @cached_property
    def independent_sources(self) -> int:
        """Publishers behind the stories, each counted once."""
        return len(self.witnesses)

    @cached_property
    def witnesses(self) -> tuple[Witness, ...]:
        """Who is independent of whom, with the sources that go back to each."""
        return independent(self.case.sources)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The sources that count, those of one story together: its origin, and its copies under it."""
        under = {copy.id for story in self.stories for copy in _told_again(story)}
        found = []
        for source in self.counted_sources:
            if source.id not in under:
                story = self.story_of(source)
                found.append(Entry(source, _told_again(story) if story else ()))
        return tuple(found)

    @cached_property
    def stories(self) -> tuple[Story, ...]:
        """Stories that more than one source tells, in the order of their first source."""
        members: dict[str, list[Source]] = {}
        for source in self.counted_sources:
            if source.story:
                members.setdefault(source.story, []).append(source)
        return tuple(_story(name, told) for name, told in members.items() if len(told) > 1)

    def story_of(self, source: Source) -> Story | None:
        """The story that the source shares with others."""
        return next((story for story in self.stories if story.id == source.story), None)

    def cited(self, citation: Citation) -> tuple[Finding, Source]:
        """The finding and source behind a number."""
        return self.findings[citation.finding_id], self.sources[citation.source_id]

    def context(self, finding: Finding) -> Context:
        """The quote where it stands; alone, where the view was given no context."""
        return self.contexts.get(finding.id, Context("", finding.quote, ""))

    @cached_property
    def uses(self) -> dict[str, tuple[str, ...]]:
        """Where each finding is cited: 'summary', claim ids, 'timeline'."""
        found: dict[str, dict[str, None]] = {}
        for section in self.summary.sections:
            for statement in section.statements:
                _note(found, statement.finding_ids, "summary")
        for assessment in self.case.assessments:
            _note(found, (*assessment.supporting, *assessment.contradicting), assessment.claim_id)
        for event in self.case.timeline:
            _note(found, event.finding_ids, "timeline")
        return {finding_id: tuple(places) for finding_id, places in found.items()}

    def _told(self, finding_ids: Iterable[str]) -> tuple[Told, ...]:
        by_story: dict[str, list[Finding]] = {}
        for finding_id in finding_ids:
            finding = self.findings[finding_id]
            source = self.sources[finding.source_id]
            by_story.setdefault(source.story or f"source {source.id}", []).append(finding)
        return tuple(self._speaker(findings) for findings in by_story.values())

    def _speaker(self, findings: list[Finding]) -> Told:
        """The origin of the story speaks; where it is not among them, the weightiest does."""
        first = self.sources[findings[0].source_id]
        named = first.origin_of_story
        speaker = next((self.sources[f.source_id] for f in findings if f.source_id == named), first)
        return Told(
            speaker,
            tuple(f for f in findings if f.source_id == speaker.id),
            tuple(f for f in findings if f.source_id != speaker.id),
            self.sources[named] if named in self.sources and named != speaker.id else None,
        )


def _told_again(story: Story) -> tuple[Source, ...]:
    """The sources that stand under another; where it cannot be told who was first, under the first of the report."""
    return story.others if story.origin else story.others[1:]


def _note(found: dict[str, dict[str, None]], finding_ids: Iterable[str], place: str) -> None:
    for finding_id in finding_ids:
        found.setdefault(finding_id, {})[place] = None


def _story(name: str, told: list[Source]) -> Story:
    named = {source.origin_of_story for source in told}
    origin = next((source for source in told if named == {source.id}), None)
    return Story(name, origin, tuple(source for source in told if source is not origin))
