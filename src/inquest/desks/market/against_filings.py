"""Later news compared with a company's filings (spec 003): the news judged on a statement of a filing, and the result.

A statement of a filing is judged like a claim, but only by news on the same measure that was published after the
filing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from inquest.desks.market.developments import quote_of, says_party
from inquest.desks.market.filings import measures_named
from inquest.domain.by_key import firsts
from inquest.domain.finding import ContradictionType, Finding, Stance
from inquest.domain.market import AgainstFiling, FilingStatement
from inquest.domain.reading import Mode, Reading, SpeakerKind
from inquest.domain.source import Source
from inquest.text.dates import utc
from inquest.text.phrases import listed
from inquest.text.sentences import content_words

_MOST, _MOST_NEWS = 4, 6
"""Maximum statements compared, and maximum news items for each."""
_OWN = (SpeakerKind.PARTY, SpeakerKind.DOCUMENT)
_PARTIAL = (ContradictionType.CONTEXTUAL, ContradictionType.OMISSION)
_ORDER = ("contradicts", "points the other way", "agrees")


class Comparison(NamedTuple):
    """A statement of a filing, and the later news on the same measures, most similar first."""

    statement: FilingStatement
    news: tuple[Finding, ...]


def comparisons(
    statements: Sequence[FilingStatement], findings: Sequence[Finding], sources: Mapping[str, Source]
) -> tuple[Comparison, ...]:
    """The statements that later news may support or contradict, those with the most similar news first. `sources`: by
    id, those that count."""
    found: list[tuple[int, Comparison]] = []
    for statement in statements:
        measures, words = measures_named(statement.quote), set(content_words(statement.quote))
        shared = {
            each.id: len(words & set(content_words(each.quote)))
            for each in findings
            if measures & measures_named(each.quote) and _is_later(each, statement, sources)
        }
        news = sorted((each for each in findings if each.id in shared), key=lambda each: -shared[each.id])[:_MOST_NEWS]
        if news:
            found.append((shared[news[0].id], Comparison(statement, tuple(news))))
    return tuple(each for _, each in sorted(found, key=lambda one: -one[0])[:_MOST])


def _is_later(finding: Finding, statement: FilingStatement, sources: Mapping[str, Source]) -> bool:
    source = sources.get(finding.source_id)
    if source is None or source.id == statement.source_id:
        return False
    return not (source.published and statement.filed and utc(source.published.at) < utc(statement.filed))


def against_filings(
    comparison: Comparison, readings: Sequence[Reading], sources: Mapping[str, Source], now: datetime
) -> tuple[AgainstFiling, ...]:
    """The decisive news, contradictions first, one item for each source. `readings`: one for each news item."""
    statement = comparison.statement
    found: list[AgainstFiling] = []
    for finding, reading in zip(comparison.news, readings, strict=True):
        if not reading.stance.decides or (reading.mode and reading.mode.is_open):
            continue
        source = sources[finding.source_id]
        own = says_party(finding) or (reading.speaker is not None and reading.speaker.kind in _OWN)
        by_others = reading.mode is Mode.EXPECTED and not own
        against = "points the other way" if by_others or reading.contradiction_type in _PARTIAL else "contradicts"
        found.append(
            AgainstFiling(
                relation="agrees" if reading.stance is Stance.SUPPORTS else against,
                what=listed(sorted(measures_named(statement.quote) & measures_named(finding.quote))),
                filing=statement,
                news=quote_of(finding, source, now),
                days_between=_days_between(statement, source),
                reason=" ".join(reading.reasons[:1]),
                reason_codes=reading.reason_codes[:1],
                forecast_by_others=by_others,
            )
        )
    found.sort(key=lambda each: _ORDER.index(each.relation))
    return tuple(firsts(((each.relation, each.news.source_id), each) for each in found).values())


def _days_between(statement: FilingStatement, source: Source) -> int | None:
    if source.published is None or statement.filed is None:
        return None
    return (source.published.at.date() - statement.filed.date()).days
