"""What the report of a check of claims shows beside what every report has, looked up once for all its forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from inquest.domain.assessment import Verdict
from inquest.domain.check import CheckRecord, CheckRequest, InfoResponse
from inquest.domain.finding import Finding, Stance
from inquest.reports.view import Checked, ReportView
from inquest.verdicts.judging_checks import IN_WORDS, standing_checks

VERDICT_ORDER = (
    Verdict.CONTRADICTED,
    Verdict.DISPUTED,
    Verdict.PARTIALLY_TRUE,
    Verdict.UNVERIFIED,
    Verdict.VERIFIED,
)
"""The order in which the claims of a check are shown: what needs a reader's eye first."""
ERROR = "error"
"""The evidence type of a finding that says what could not be asked."""
_SUMMARY = "_investigation_summary"


def is_summary(finding: Finding) -> bool:
    """Whether it sums up what a desk has found on a claim."""
    return finding.evidence_type.endswith(_SUMMARY)


def desk_name(name: str) -> str:
    """A desk as it is spoken of: 'news desk', for its name as an agent (news_media) too."""
    return f"{name.removesuffix('_media').replace('_', ' ')} desk"


@dataclass(frozen=True)
class CheckView:
    """A view of a case that checks claims, and what is particular to it."""

    view: ReportView

    @cached_property
    def request(self) -> CheckRequest:
        """What the user wanted checked."""
        return self.view.case.brief.check or CheckRequest(company="")

    @cached_property
    def record(self) -> CheckRecord:
        """What the check left behind; empty, where it ended before that."""
        return self.view.case.check or CheckRecord()

    @cached_property
    def groups(self) -> tuple[tuple[Verdict, tuple[Checked, ...]], ...]:
        """The checked claims by verdict, those that need a reader's eye first; without the verdicts that none has."""
        found = (
            (verdict, tuple(c for c in self.view.claims if c.assessment.verdict is verdict))
            for verdict in VERDICT_ORDER
        )
        return tuple((verdict, claims) for verdict, claims in found if claims)

    def checks(self, claim_id: str) -> tuple[Finding, ...]:
        """What desks have held a claim against, in their order: no summary, no error, no source's word. Of a check that
        was made in several rounds the one that stands; what a later round says in the same words again is left out."""
        made = [
            finding
            for finding in self._of(claim_id)
            if not self.view.is_witness(finding) and not is_summary(finding) and finding.evidence_type != ERROR
        ]
        standing = {(finding.evidence_type, finding.summary) for finding in standing_checks(made)}
        found: dict[tuple[str, str, str], Finding] = {}
        for finding in made:
            if finding.evidence_type not in IN_WORDS or (finding.evidence_type, finding.summary) in standing:
                found.setdefault((finding.agent, finding.evidence_type, finding.summary), finding)
        return tuple(found.values())

    def neutral(self, claim_id: str) -> tuple[Finding, ...]:
        """What sources say of the matter that bears on the claim neither way."""
        return tuple(f for f in self._of(claim_id) if f.stance is Stance.NEUTRAL and self.view.is_witness(f))

    def unassessed(self, claim_id: str) -> tuple[str, ...]:
        """Ids of the sources with a passage that should have been judged and could not be, as far as they are known."""
        found = (f for f in self._of(claim_id) if f.stance is Stance.UNASSESSED and self.view.is_witness(f))
        return tuple(dict.fromkeys(f.source_id for f in found))

    def summaries(self, claim_id: str) -> tuple[Finding, ...]:
        """What each desk has summed up of a claim, round by round, since a later one tells of what it has read
        itself. What it says in the same words again is left out."""
        found: dict[tuple[str, str], Finding] = {}
        for finding in self._of(claim_id):
            if is_summary(finding):
                found.setdefault((finding.agent, finding.summary), finding)
        return tuple(sorted(found.values(), key=lambda finding: (finding.agent, finding.iteration)))

    @cached_property
    def errors(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """What desks could not ask, but for what the case lists as an outage: (desk, sentence) -> ids of the claims
        that lack it."""
        found: dict[tuple[str, str], dict[str, None]] = {}
        listed = {note.where for note in self.view.case.outages}
        for finding in self.view.case.findings:
            if finding.evidence_type == ERROR and finding.claim_id and finding.details.get("where") not in listed:
                found.setdefault((finding.agent, finding.summary), {})[finding.claim_id] = None
        return {said: tuple(claims) for said, claims in found.items()}

    @cached_property
    def missing_desks(self) -> dict[str, tuple[str, ...]]:
        """Desks that should have looked at claims and are not installed, with the ids of these claims."""
        found: dict[str, list[str]] = {}
        for assignment in self.record.routing:
            for desk in assignment.missing:
                found.setdefault(desk, []).append(assignment.claim_id)
        return {desk: tuple(claims) for desk, claims in found.items()}

    @cached_property
    def responses(self) -> dict[str, InfoResponse]:
        """The answer to each InfoRequest that has one."""
        return {response.request_id: response for response in self.record.responses}

    @cached_property
    def rounds_run(self) -> int:
        """Rounds of investigation that were run, the first included; 0 where no desk came to look."""
        found = self.view.case.findings
        numbers = [f.iteration for f in found if f.claim_id] + [change.iteration for change in self.record.changes]
        return max(numbers, default=0)

    def _of(self, claim_id: str) -> Iterator[Finding]:
        return (finding for finding in self.view.case.findings if finding.claim_id == claim_id)
