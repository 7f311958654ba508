"""The data that every format of a report shows, computed once: numbers, sources, claims with both sides, quotes in
context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest

from inquest.desks.verification.investigation_result import LEVEL_HEADING
from inquest.domain.case import Case, CaseKind
from inquest.domain.check import CheckRecord, CheckRequest, InfoResponse
from inquest.domain.claim import Claim
from inquest.domain.event import ClaimDecision, standing_decision
from inquest.domain.finding import WITNESSES, Assessment, Finding, Stance, Verdict
from inquest.domain.investigation import Review
from inquest.domain.report import Citation, EarlierCheck, Summary
from inquest.domain.source import Source
from inquest.domain.value import firsts, grouped
from inquest.reports.words import Words, say
from inquest.stories.stories import independent
from inquest.text.regex import regex
from inquest.verdicts.judging_evidence import CHECKS, standing_checks
from inquest.verdicts.weighing_reasons import SINGLE

VERDICT_WORDS = Words("verdict_words")
VERDICT_ORDER = (Verdict.CONTRADICTED, Verdict.DISPUTED, Verdict.PARTIALLY_TRUE, Verdict.UNVERIFIED, Verdict.VERIFIED)
"""Order of verdicts in the report: those that need attention come first."""
_ERROR = "error"  # evidence type of a finding that records a failed request
_SUMMARY = "_investigation_summary"
_OUR_ID = regex(r"C\d{1,6}")


@dataclass(frozen=True)
class Context:
    """A quote with the surrounding text of the snapshot."""

    before: str
    quote: str
    after: str


@dataclass(frozen=True)
class Evidence:
    """A story on one side of a claim: the quoted witness, and the sources that repeat the story."""

    source: Source
    findings: tuple[Finding, ...]  # findings of that source, weightiest first; at least one
    copies: tuple[Finding, ...] = ()  # findings of the story's other sources
    origin: Source | None = None  # the origin of the story if it speaks on the claim, too


@dataclass(frozen=True)
class Checked:
    """A claim with its verdict and the findings on both sides."""

    claim: Claim
    assessment: Assessment
    supporting: tuple[Evidence, ...]
    contradicting: tuple[Evidence, ...]
    neither: int  # number of judged findings that neither support nor contradict it
    reviews: tuple[EarlierCheck, ...] = ()  # earlier checks of the same claim by others

    @property
    def word(self) -> str:
        return VERDICT_WORDS[self.assessment.verdict]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return the run's reasons for its verdict, except the single-source note, which is shown beside it."""
        codes = [each.code for each in self.assessment.reason_codes]
        pairs = [*zip_longest(self.assessment.reasons, codes, fillvalue="")]
        return tuple(said for said, code in pairs[self.assessment.overruled :] if code != SINGLE)

    @property
    def silent(self) -> bool:
        """Return True if no source supports or contradicts the claim."""
        return not self.supporting and not self.contradicting


@dataclass(frozen=True)
class Story:
    """Sources that are copies or rewrites of one another, counted once."""

    id: str
    origin: Source | None  # the source that published it first; None: unknown
    others: tuple[Source, ...]


@dataclass(frozen=True)
class ReportView:
    """A case and the contexts of its quotes, by finding id."""

    case: Case
    contexts: Mapping[str, Context]
    decisions: tuple[Review, ...] = ()  # decisions on the level of a topic, oldest first
    claim_decisions: Mapping[str, tuple[ClaimDecision, ...]] = field(default_factory=dict)
    """Decisions on each claim, oldest first (domain.event.by_claim)."""

    def decided(self, claim_id: str) -> ClaimDecision | None:
        """Return the current decision on a claim's verdict, or None."""
        return standing_decision(self.claim_decisions.get(claim_id, ()))

    @cached_property
    def summary(self) -> Summary:
        """Return the summary, without its section on a topic's level, which has a part of its own. Cases without a
        summary have no report."""
        assert self.case.summary is not None
        if self.case.investigation is None:
            return self.case.summary
        sections = tuple(each for each in self.case.summary.sections if each.heading != LEVEL_HEADING)
        return self.case.summary.model_copy(update={"sections": sections})

    @cached_property
    def translations(self) -> dict[str, str]:
        """Return model translations of quotes by finding id."""
        return {each.finding_id: each.text for each in self.case.summary.translations} if self.case.summary else {}

    @cached_property
    def sources(self) -> dict[str, Source]:
        return {source.id: source for source in self.case.sources}

    @cached_property
    def findings(self) -> dict[str, Finding]:
        return {finding.id: finding for finding in self.case.findings}

    @cached_property
    def numbers(self) -> dict[str, int]:
        return self.case.citation_numbers

    @cached_property
    def title(self) -> str:
        check = self.case.brief.check
        return say("title_of", company=check.company) if check and check.company else self.summary.title

    @cached_property
    def is_check(self) -> bool:
        """Return True for a check of a company's claims."""
        return self.case.kind is CaseKind.CLAIMS

    @cached_property
    def report(self) -> Source | None:
        """Return the report whose claims are checked; None if the user gave only claims."""
        check = self.case.brief.check
        if not self.is_check or check is None:
            return None
        mentioned = {source_id for claim in self.case.claims for source_id in claim.source_ids}
        reports = (s for s in self.case.sources if s.excluded and (s.id in mentioned or s.url == check.report))
        return next(reports, None)

    def is_passage(self, finding: Finding) -> bool:
        """Return True if a finding quotes evidence; a check of a claim against a rule quotes the claim itself."""
        return not self.is_check or not self.sources[finding.source_id].excluded

    def is_witness(self, finding: Finding) -> bool:
        """Return True for the statement of one source, False for checks and summaries of desks."""
        return not self.is_check or (finding.evidence_type in WITNESSES and self.is_passage(finding))

    @cached_property
    def anchors(self) -> dict[str, str]:
        """Return the link target of each claim: its id if we assigned it, since a user's may contain anything."""
        ids = enumerate((claim.id for claim in self.case.claims), 1)
        return {each: each if _OUR_ID.fullmatch(each) else f"claim-{n}" for n, each in ids}

    def refs(self, finding_ids: Iterable[str]) -> list[int]:
        """Return the citation numbers of these findings in order, without repetition."""
        return list(dict.fromkeys(self.numbers[each] for each in finding_ids if each in self.numbers))

    @cached_property
    def assessments(self) -> tuple[Assessment, ...]:
        """Return the assessments of the claims that the case reached."""
        return tuple(assessment for assessment in self.case.assessments if assessment.checked)

    @cached_property
    def claims(self) -> tuple[Checked, ...]:
        """Return the checked claims, most important first."""
        by_id = {claim.id: claim for claim in self.case.claims}
        neutral = Counter(f.claim_id for f in self.case.findings if f.stance is Stance.NEUTRAL and self.is_witness(f))
        found = []
        for a in self.assessments:
            reviews = tuple(check for check in self.case.reviews if check.claim_id == a.claim_id)
            sides = self._evidence(a.supporting), self._evidence(a.contradicting)
            found.append(Checked(by_id[a.claim_id], a, *sides, neutral[a.claim_id], reviews))
        return tuple(found)

    @cached_property
    def shown_claims(self) -> frozenset[str]:
        """Return the ids of claims with an entry of their own."""
        return frozenset(assessment.claim_id for assessment in self.assessments)

    @cached_property
    def unchecked(self) -> tuple[Claim, ...]:
        """Return claims without a verdict, because no service could be queried or the case ended first."""
        return tuple(claim for claim in self.case.claims if claim.id not in self.shown_claims)

    def why_unchecked(self, claim_id: str) -> tuple[str, ...]:
        found = next((each for each in self.case.assessments if each.claim_id == claim_id), None)
        return (found.reasons if found else ()) or (say("not_reached"),)

    @cached_property
    def verdict_counts(self) -> tuple[tuple[Verdict, str, int], ...]:
        """Return each used verdict with its label and number of claims; last, the claims that could not be checked."""
        counts = Counter(assessment.verdict for assessment in self.assessments)
        found = [(verdict, VERDICT_WORDS[verdict], counts[verdict]) for verdict in Verdict if counts[verdict]]
        if self.unchecked:
            found.append((Verdict.UNVERIFIED, say("could_not_check"), len(self.unchecked)))
        return tuple(found)

    @cached_property
    def counted_sources(self) -> tuple[Source, ...]:
        return tuple(source for source in self.case.sources if not source.excluded)

    @cached_property
    def excluded_sources(self) -> tuple[Source, ...]:
        """Return sources that were read but are not evidence (published after the as-of date)."""
        return tuple(source for source in self.case.sources if source.excluded)

    @cached_property
    def witnesses(self) -> dict[str, list[str]]:
        """Return the names of the independent witnesses, each with the ids of the sources that go back to it."""
        return independent(self.case.sources)

    @cached_property
    def entries(self) -> tuple[tuple[Source, tuple[Source, ...]], ...]:
        """Return the sources that count, each with the others of its story that are listed below it."""
        under = {copy.id for story in self.stories for copy in _repeated(story)}
        listed = (source for source in self.counted_sources if source.id not in under)
        return tuple((each, _repeated(story) if (story := self.story_of(each)) else ()) for each in listed)

    @cached_property
    def stories(self) -> tuple[Story, ...]:
        """Return stories with more than one source, ordered by their first source."""
        members = grouped((source.story, source) for source in self.counted_sources if source.story)
        return tuple(_story(name, found) for name, found in members.items() if len(found) > 1)

    def story_of(self, source: Source) -> Story | None:
        """Return the story that the source shares with others."""
        return next((story for story in self.stories if story.id == source.story), None)

    def cited(self, citation: Citation) -> tuple[Finding, Source]:
        """Return the finding and source of a citation."""
        return self.findings[citation.finding_id], self.sources[citation.source_id]

    def context(self, finding: Finding) -> Context:
        """Return the quote with its context, or the quote alone if the view has none."""
        return self.contexts.get(finding.id, Context("", finding.quote, ""))

    @cached_property
    def uses(self) -> dict[str, tuple[str, ...]]:
        """Return the places where each finding is cited: 'summary', claim ids, 'timeline'."""
        cited = (
            *((each.finding_ids, "summary") for section in self.summary.sections for each in section.statements),
            *(((*each.supporting, *each.contradicting), each.claim_id) for each in self.case.assessments),
            *((each.finding_ids, "timeline") for each in self.case.timeline),
        )
        found = grouped((finding_id, place) for finding_ids, place in cited for finding_id in finding_ids)
        return {finding_id: tuple(dict.fromkeys(places)) for finding_id, places in found.items()}

    @cached_property
    def request(self) -> CheckRequest:
        return self.case.brief.check or CheckRequest(company="")

    @cached_property
    def record(self) -> CheckRecord:
        """Return the record of the check; empty if the check ended early."""
        return self.case.check or CheckRecord()

    @cached_property
    def groups(self) -> tuple[tuple[Verdict, tuple[Checked, ...]], ...]:
        """Return the checked claims by verdict, those that need attention first; unused verdicts are left out."""
        found = grouped((each.assessment.verdict, each) for each in self.claims)
        return tuple((verdict, tuple(found[verdict])) for verdict in VERDICT_ORDER if verdict in found)

    def checks(self, claim_id: str) -> tuple[Finding, ...]:
        """Return the desks' checks of a claim in order, without summaries, errors and quotes of sources. If a check was
        attempted in several rounds, the successful one is returned, without verbatim repetitions."""
        made = [
            finding
            for finding in self._of(claim_id)
            if not self.is_witness(finding) and not _is_summary(finding) and finding.evidence_type != _ERROR
        ]
        standing = {(finding.evidence_type, finding.summary) for finding in standing_checks(made)}
        kept = [f for f in made if f.evidence_type not in CHECKS or (f.evidence_type, f.summary) in standing]
        return tuple(firsts(((f.agent, f.evidence_type, f.summary), f) for f in kept).values())

    def sources_with(self, claim_id: str, stance: Stance) -> tuple[str, ...]:
        """Return ids of the sources with a passage of this stance on the claim, as far as known."""
        found = (f for f in self._of(claim_id) if f.stance is stance and self.is_witness(f))
        return tuple(dict.fromkeys(f.source_id for f in found))

    def summaries(self, claim_id: str) -> tuple[Finding, ...]:
        """Return each desk's summaries of a claim by round, without verbatim repetitions. Earlier ones stay, because
        each round summarises only what it read."""
        found = firsts(((each.agent, each.summary), each) for each in self._of(claim_id) if _is_summary(each))
        return tuple(sorted(found.values(), key=lambda finding: (finding.agent, finding.iteration)))

    @cached_property
    def errors(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Failed requests of desks that are not listed as outages: (desk, sentence) -> ids of the claims affected."""
        listed = {note.where for note in self.case.outages}
        found = grouped(
            ((each.agent, each.summary), each.claim_id)
            for each in self.case.findings
            if each.evidence_type == _ERROR and each.claim_id and each.details.get("where") not in listed
        )
        return {said: tuple(dict.fromkeys(claims)) for said, claims in found.items()}

    @cached_property
    def responses(self) -> dict[str, InfoResponse]:
        return {response.request_id: response for response in self.record.responses}

    @cached_property
    def rounds_run(self) -> int:
        """Return the number of rounds run, including the first; 0 if no desk ran."""
        found = self.case.findings
        numbers = [f.iteration for f in found if f.claim_id] + [change.iteration for change in self.record.changes]
        return max(numbers, default=0)

    def _of(self, claim_id: str | None) -> Iterator[Finding]:
        return (finding for finding in self.case.findings if finding.claim_id == claim_id)

    def _evidence(self, finding_ids: Iterable[str]) -> tuple[Evidence, ...]:
        """Return the findings of one side that are shown as quotes, by story: a check that quotes a source only if no
        plain finding of that source exists, and none that quotes the claim itself."""
        findings = [self.findings[each] for each in finding_ids]
        plain = {finding.source_id for finding in findings if self.is_witness(finding)}
        by_story = grouped(
            (self.sources[each.source_id].story or f"source {each.source_id}", each)
            for each in findings
            if self.is_witness(each) or (self.is_passage(each) and each.source_id not in plain)
        )
        return tuple(map(self._speaker, by_story.values()))

    def _speaker(self, findings: list[Finding]) -> Evidence:
        """Choose the origin of the story as witness, or the weightiest source if the origin is not among them."""
        first = self.sources[findings[0].source_id]
        sided = {f.source_id for f in self._of(findings[0].claim_id) if f.stance is not Stance.NEUTRAL}
        named = first.origin_of_story if first.origin_of_story in sided else None
        speaker = next((self.sources[f.source_id] for f in findings if f.source_id == named), first)
        return Evidence(
            speaker,
            tuple(f for f in findings if f.source_id == speaker.id),
            tuple(f for f in findings if f.source_id != speaker.id),
            self.sources[named] if named and named != speaker.id else None,
        )


def _is_summary(finding: Finding) -> bool:
    """Return True for a desk's summary of a claim."""
    return finding.evidence_type.endswith(_SUMMARY)


def _repeated(story: Story) -> tuple[Source, ...]:
    """Return the sources listed below another: the copies, or all but the first if the origin is not known."""
    return story.others if story.origin else story.others[1:]


def _story(name: str, members: list[Source]) -> Story:
    named = {source.origin_of_story for source in members}
    origin = next((source for source in members if named == {source.id}), None)
    return Story(name, origin, tuple(source for source in members if source is not origin))
