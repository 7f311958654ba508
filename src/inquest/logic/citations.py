"""Numbers for the findings that a report rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inquest.domain.assessment import Assessment
from inquest.domain.finding import Finding
from inquest.domain.report import Citation, Summary, TimelineEvent
from inquest.domain.source import Source

__all__ = ["citations"]


def citations(
    summary: Summary | None,
    assessments: Iterable[Assessment],
    timeline: Iterable[TimelineEvent],
    findings: Mapping[str, Finding],
    sources: Mapping[str, Source],
) -> tuple[Citation, ...]:
    """One number per finding used anywhere in the report, from 1, in the order in which a reader meets them: the
    summary first, then the verdicts, then the timeline."""
    order: dict[str, None] = {}
    for section in summary.sections if summary else ():
        for statement in section.statements:
            order.update(dict.fromkeys(statement.finding_ids))
    for assessment in assessments:
        order.update(dict.fromkeys((*assessment.supporting, *assessment.contradicting)))
    for event in timeline:
        order.update(dict.fromkeys(event.finding_ids))
    used = [findings[finding_id] for finding_id in order if finding_id in findings]
    return tuple(
        Citation(n=n, finding_id=f.id, source_id=f.source_id, url=sources[f.source_id].url, quote=f.quote)
        for n, f in enumerate(used, 1)
    )
