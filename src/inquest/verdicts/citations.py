"""Numbers for the findings that a report rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inquest.domain.assessment import Assessment
from inquest.domain.finding import Finding
from inquest.domain.report import Citation, Summary, TimelineEvent
from inquest.domain.source import Source


def citations(
    summary: Summary | None,
    assessments: Iterable[Assessment],
    timeline: Iterable[TimelineEvent],
    findings: Mapping[str, Finding],
    sources: Mapping[str, Source],
) -> tuple[Citation, ...]:
    """One number per quoted span of a snapshot, from 1, in the order in which a reader meets them: the summary
    first, then the verdicts, then the timeline. Findings that rest on the same words share a number."""
    order: dict[str, None] = {}
    for section in summary.sections if summary else ():
        for statement in section.statements:
            order.update(dict.fromkeys(statement.finding_ids))
    for assessment in assessments:
        order.update(dict.fromkeys((*assessment.supporting, *assessment.contradicting)))
    for event in timeline:
        order.update(dict.fromkeys(event.finding_ids))
    resting: dict[tuple[str, int, int], list[Finding]] = {}
    for finding in (findings[finding_id] for finding_id in order if finding_id in findings):
        resting.setdefault((finding.snapshot, finding.start, finding.end), []).append(finding)
    return tuple(
        Citation(
            n=n,
            finding_id=first.id,
            source_id=first.source_id,
            url=sources[first.source_id].url,
            quote=first.quote,
            also=tuple(other.id for other in others),
        )
        for n, (first, *others) in enumerate(resting.values(), 1)
    )
