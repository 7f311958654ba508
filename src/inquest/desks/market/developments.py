"""Findings of the market desk put together: one development for one thing that happened, however many tell of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache

from inquest.claims.sameness import Told, contest, same_statement, told
from inquest.desks.market.advice import instructs, urges
from inquest.desks.market.critical import critical_in, moves_in
from inquest.desks.market.kinds import direction_in
from inquest.domain.finding import Finding
from inquest.domain.market import Critical, Development, MarketQuote
from inquest.domain.source import Source
from inquest.sources.freshness import Freshness, freshness_of
from inquest.stories.stories import Witness, independent
from inquest.text.dates import utc
from inquest.text.entities import names, same_name
from inquest.text.phrases import listed
from inquest.text.quantities import Bound, Dimension
from inquest.text.sentences import content_words, stem

__all__ = ["counts", "developments_of", "publisher_of", "quote_of", "weight_of", "why_not_counted"]

_AHEAD = timedelta(hours=1)
"""How far ahead of 'now' a publisher's clock may run."""
_MOST_QUOTES = 3
_SAME_MOVE = 1.0
"""Percentage points: papers round, and write at different minutes."""
_ENOUGH = 2
_OF_MARKETS = frozenset(
    content_words("share shares stock fell rose company report reported news percent today market trading")
)


def counts(source: Source, now: datetime) -> bool:
    """Whether a source may bear anything: not excluded, and not dated ahead of 'now'."""
    return not why_not_counted(source, now)


def why_not_counted(source: Source, now: datetime) -> str:
    """Why a source bears nothing, in a sentence; '' where it counts."""
    if source.excluded:
        return source.excluded
    if source.published is not None and utc(source.published.at) > utc(now) + _AHEAD:
        return "It is dated ahead of the time that was asked about, so it is no evidence."
    if urges(source.title) or instructs(source.title):
        return "It urges to trade, or speaks to a machine, so it is no evidence; its title is left out."
    return ""


def quote_of(finding: Finding, source: Source, now: datetime) -> MarketQuote:
    """The words of a finding with what a reader must know of their source."""
    return MarketQuote(
        finding_id=finding.id,
        source_id=source.id,
        quote=finding.quote,
        snapshot=finding.snapshot,
        start=finding.start,
        end=finding.end,
        publisher=publisher_of(source),
        url=source.url,
        tier=source.rating.tier,
        published=source.published.iso if source.published else None,
        age=freshness_of(source.published, now, Freshness.MARKET).words,
    )


def publisher_of(source: Source) -> str:
    """Who published it, as a reader calls it: a page that gives but its own host's name is of that domain."""
    named = (source.publisher or source.domain).removeprefix("www.")
    return named or ("The user's document" if source.user_provided else "Unknown publisher")


def weight_of(finding: Finding, source: Source, now: datetime) -> float:
    """What a finding is worth beside others: confidence x credibility x freshness, 0 to 1."""
    freshness = freshness_of(source.published, now, Freshness.MARKET).factor
    return finding.confidence * (0.35 + 0.65 * source.rating.score / 100) * freshness


def developments_of(
    findings: Sequence[Finding], sources: Mapping[str, Source], now: datetime, *, prefer: str = ""
) -> tuple[Development, ...]:
    """The developments that the findings tell of, weightiest first; before all others those of the kind that was asked
    for (`prefer`, of `details.kinds`).

    Findings are of one development where they say the same, or where they are of one story and the source tells nothing
    else; a development's witnesses are its independent sources. `findings` are of sources that count.
    """
    witness_of = _witnesses(independent(sources.values()))
    ordered = sorted(
        findings,
        key=lambda one: (
            # A heading is read alone: 'The service costs $20' says of nobody what it is.
            (prefer != "analyst" and _only_of_analysts(one)) or one.details.get("goes_on") is True,
            -weight_of(one, sources[one.source_id], now),
            one.id,
        ),
    )
    groups: list[list[Finding]] = []
    taken: dict[str, Told] = {}
    for finding in ordered:
        taken[finding.id] = _told(finding, sources[finding.source_id])
        home = next((group for group in groups if _belongs(finding, group, taken, sources)), None)
        if home is None:
            groups.append([finding])
        else:
            home.append(finding)
    made = [(_development(group, sources, witness_of, taken, groups, now), group) for group in groups]
    made.sort(key=lambda pair: (not _is_of(pair[1], prefer), -_worth(pair[0], pair[1], sources, now)))
    return tuple(development for development, _ in made)


def _only_of_analysts(finding: Finding) -> bool:
    """Whether it tells what analysts made of a matter, and not the matter: that heads nothing, unless it was asked
    for."""
    kinds = finding.details.get("kinds")
    return isinstance(kinds, list) and "analyst" in kinds and not {"move", "critical"} & set(kinds)


def _is_of(group: Sequence[Finding], kind: str) -> bool:
    """Whether the development is itself of a kind: its heading, and not what stands beside it on the page."""
    kinds = group[0].details.get("kinds")
    return not kind or (isinstance(kinds, list) and kind in kinds)


def _told(finding: Finding, source: Source) -> Told:
    return told(finding.quote, source.published.at.date() if source.published else None)


def _belongs(
    finding: Finding, group: Sequence[Finding], taken: Mapping[str, Told], sources: Mapping[str, Source]
) -> bool:
    head = group[0]
    mine = taken[finding.id]
    if any(same_statement(mine, taken[other.id]) for other in group):
        return True
    if any(_same_grave(finding.quote, other.quote) for other in group):
        return True
    if any(_same_sum(mine, taken[other.id]) for other in group):
        return True
    # What one page says beside its main matter belongs to it, unless it is grave and so a matter of its own.
    own, others = critical_in(finding.quote), critical_in(head.quote)
    same_page = finding.source_id == head.source_id
    story = sources[finding.source_id].story
    same_story = story is not None and story == sources[head.source_id].story
    return (same_page or same_story) and (not own or set(own) <= {*others, Critical.BIG_MOVE})


def _same_grave(one: str, other: str) -> bool:
    """Whether two sentences tell of the same grave thing: a movement by the same percentage, or one kind of grave thing
    with two further words in common, so that an inquiry into accounts is not borne out by one into prices."""
    shared = set(critical_in(one)) & set(critical_in(other))
    if Critical.BIG_MOVE in shared:
        pairs = [(mine, theirs) for mine in moves_in(one) for theirs in moves_in(other)]
        same_way = direction_in(one) is None or direction_in(other) in (None, direction_in(one))
        if same_way and any(abs(mine - theirs) <= _SAME_MOVE for mine, theirs in pairs):
            return True
    grave = shared - {Critical.BIG_MOVE}
    if not grave or contest(_read(one), _read(other)):
        return False
    named = _named(one) | _named(other)
    common = (set(content_words(one)) & set(content_words(other))) - named
    return len({word for word in common if not critical_in(word)} - _OF_MARKETS) >= _ENOUGH


@lru_cache(maxsize=512)
def _read(text: str) -> Told:
    """A sentence as it is compared with each other one of an answer."""
    return told(text)


@lru_cache(maxsize=512)
def _named(text: str) -> frozenset[str]:
    return frozenset(stem(word) for name in names(text) for word in name.text.split())


def _same_sum(one: Told, other: Told) -> bool:
    """Whether two sentences tell of one sum of money between the same names, in the same words: a deal, a fine, an
    order."""
    sums = [
        each for each in one.figures if each.dimension is Dimension.MONEY and each.bound in (Bound.EXACT, Bound.ABOUT)
    ]
    theirs = [
        each for each in other.figures if each.dimension is Dimension.MONEY and each.bound in (Bound.EXACT, Bound.ABOUT)
    ]
    if not any((a.unit, a.value) == (b.unit, b.value) for a in sums for b in theirs):
        return False
    mine, its = ([name.text for name in names(each.text)] for each in (one, other))
    named = {name for name in mine if any(same_name(name, other_name) for other_name in its)}
    # One sells what the other buys: the verbs of one deal point opposite ways.
    if len(named) < _ENOUGH:
        return False
    spoken = {stem(word) for name in (*mine, *its) for word in name.split()}
    return len((one.bag & other.bag) - spoken - {stem(word) for word in _OF_MARKETS}) >= _ENOUGH


def _development(
    group: Sequence[Finding],
    sources: Mapping[str, Source],
    witness_of: Mapping[str, str],
    taken: Mapping[str, Told],
    groups: Sequence[Sequence[Finding]],
    now: datetime,
) -> Development:
    quotes = [quote_of(finding, sources[finding.source_id], now) for finding in group]
    head = quotes[0]
    seen = {head.quote}
    impact: list[MarketQuote] = []
    details: list[MarketQuote] = []
    for quote in quotes[1:]:
        if quote.quote not in seen:
            (impact if moves_in(quote.quote) else details).append(quote)
            seen.add(quote.quote)
    critical = tuple(dict.fromkeys(kind for finding in group for kind in critical_in(finding.quote)))
    # Who tells the grave thing itself bears it out; a page of the same group may tell only of what came with it.
    bearing = {
        kind: {witness_of[finding.source_id] for finding in group if kind in critical_in(finding.quote)}
        for kind in critical
    }
    against = [
        quote_of(finding, sources[finding.source_id], now)
        for other in groups
        if other is not group
        for finding in other
        if contest(taken[group[0].id], taken[finding.id])
    ]
    said = [f"{each.publisher}: “{each.quote}”" for each in against[:2]]
    return Development(
        heading=head,
        details=tuple(details[:_MOST_QUOTES]),
        impact=tuple(impact[:_MOST_QUOTES]),
        source_ids=tuple(dict.fromkeys(finding.source_id for finding in group)),
        witnesses=len({witness_of[finding.source_id] for finding in group}),
        critical=critical,
        unconfirmed=tuple(kind for kind, names in bearing.items() if len(names) < 2),
        disputed=f"Told otherwise by {listed(said)}" if said else "",
    )


def _worth(development: Development, group: Sequence[Finding], sources: Mapping[str, Source], now: datetime) -> float:
    best = max(weight_of(finding, sources[finding.source_id], now) for finding in group)
    return best * (1 + 0.25 * min(3, development.witnesses - 1))


def _witnesses(found: Sequence[Witness]) -> dict[str, str]:
    return {source_id: witness.name for witness in found for source_id in witness.source_ids}
