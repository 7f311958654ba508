"""Findings of the market desk put together: one development for one thing that happened, however many report it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from math import inf
from typing import NamedTuple

from inquest.claims.sameness import ParsedStatement, contest, parse_statement, same_statement
from inquest.desks.market.advice import instructs, urges
from inquest.desks.market.events import MOVE, ONCE, WEAK, critical_in, is_denied, moves_in
from inquest.desks.market.speakers import witnesses_of
from inquest.domain.finding import Finding
from inquest.domain.market import Critical, Development, MarketQuote
from inquest.domain.reading import Mode
from inquest.domain.source import Source
from inquest.entailment.changes import changes_in
from inquest.entailment.framing import Frame, mode_of
from inquest.entailment.parsed_text import statement_of
from inquest.sources.freshness import Freshness, freshness_of
from inquest.text.dates import utc
from inquest.text.entities import names
from inquest.text.phrases import listed
from inquest.text.quantities import Bound, Dimension, Quantity
from inquest.text.regex import regex
from inquest.text.sentences import content_words, stem

_AHEAD = timedelta(hours=1)
"""How far ahead of 'now' a publisher's clock may run."""
_MOST_QUOTES = 3
NO_IMPACT = "No source that was read reports a move of the share together with it."
_OF_STANDING = 2
"""The last tier of the press of standing."""
_SAME_MOVE = 1.0
"""Percentage points: papers round, and write at different minutes."""
_ENOUGH = 2
_ASIDE = 0.5
"""What is left of the worth of what is beside the subject."""
_ONCE = (Critical.BANKRUPTCY, Critical.RESTATEMENT, Critical.GUIDANCE_CUT)
_COUNTED = 4
"""Witnesses beyond these add nothing to a development's worth."""
_DAYS = 4
"""Reports of one event lie no further apart."""
_TO = regex(r"\bto\s+(?:about\s+|around\s+|only\s+|just\s+)?$", 2)
"""Before the sum after a change."""
_OF_MARKETS = frozenset(
    content_words("share shares stock fell rose company report reported news percent today market trading year said")
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


def events_of(finding: Finding) -> tuple[str, ...]:
    """The kinds of event a finding is of, as they were read when it was made."""
    kinds = finding.details.get("kinds")
    return tuple(str(each) for each in kinds) if isinstance(kinds, list) else ()


def fit_of(finding: Finding) -> float:
    """How well a finding answers the question, 0 to 1, as it was read when it was made."""
    fit = finding.details.get("fit")
    return float(fit) if isinstance(fit, int | float) else 0.0


class ReadFinding(NamedTuple):
    """A finding, taken apart for comparing."""

    finding: Finding
    source: Source
    witness: str
    """The independent source it goes back to."""
    events: tuple[str, ...]
    parsed: ParsedStatement
    critical: frozenset[Critical]
    named: frozenset[str]
    """Stems of the names in it."""
    weight: float

    @property
    def says(self) -> frozenset[str]:
        """Its content stems, without names and the words of all market news."""
        return frozenset(content_words(self.finding.quote)) - self.named - _OF_MARKETS


def read(
    findings: Sequence[Finding], sources: Mapping[str, Source], now: datetime, company: str = ""
) -> tuple[ReadFinding, ...]:
    """The findings, each taken apart. `sources` by id, all of them such as count; `company`: whom they are about."""
    witness_of = witnesses_of(findings, sources, company)
    return tuple(
        ReadFinding(
            finding=each,
            source=(source := sources[each.source_id]),
            witness=witness_of[each.id],
            events=events_of(each),
            parsed=parse_statement(each.quote, source.published.at.date() if source.published else None),
            critical=frozenset(critical_in(each.quote)),
            named=frozenset(stem(word) for name in names(each.quote) for word in name.text.split()),
            weight=weight_of(each, source, now),
        )
        for each in findings
    )


def developments_of(found: Sequence[ReadFinding], now: datetime) -> tuple[Development, ...]:
    """The developments that the findings report: those first that answer the question, then the weightiest.

    Findings are of one development where they say the same, or where both are of one event of which a company has only
    one in a week; a development's witnesses are its independent sources.
    """
    ordered = sorted(found, key=lambda one: (-_tells(one), -_worth_of(one), one.finding.id))
    groups: list[list[ReadFinding]] = []
    for each in ordered:
        home = next((group for group in groups if any(_same_event(each, other) for other in group)), None)
        if home is None:
            groups.append([each])
        else:
            home.append(each)
    made = sorted(groups, key=_worth, reverse=True)
    bearing = {kind: {each.witness for each in found if kind in each.critical} for kind in _ONCE}
    return tuple(_development(group, made, bearing, _impact(group, ordered), now) for group in made)


def _impact(group: Sequence[ReadFinding], found: Sequence[ReadFinding]) -> list[ReadFinding]:
    """The sentences that report a move of the share together with the event of the group, one of each witness; of a
    group on the move itself none."""
    head = group[0]
    if not head.events or MOVE in head.events:
        return []
    best: dict[str, ReadFinding] = {}
    for each in found:
        if MOVE in each.events and head.events[0] in each.events and _near(each.source, head.source):
            best.setdefault(each.witness, each)
    return list(best.values())[:_MOST_QUOTES]


def _tells(one: ReadFinding) -> int:
    """How well a sentence heads a development, read alone: it names whom it is about, has a figure, and is of a paper
    of standing."""
    alone = one.finding.details.get("goes_on") is not True
    return 2 * alone + bool(one.parsed.figures) + (one.source.rating.tier <= _OF_STANDING)


def _worth_of(one: ReadFinding) -> float:
    return one.weight * (1 + 2 * fit_of(one.finding))


def _worth(group: Sequence[ReadFinding]) -> float:
    """What a development is worth: how well it answers, how many independently report it and what they are worth, and
    how fresh they are. What is common in kind comes later."""
    by_witness: dict[str, float] = {}
    for each in group:
        by_witness[each.witness] = max(by_witness.get(each.witness, 0.0), _worth_of(each))
    main = next(iter(group[0].events), MOVE)
    worth = sum(sorted(by_witness.values(), reverse=True)[:_COUNTED])
    return worth * (_ASIDE if main == MOVE or main in WEAK else 1.0)


def _same_event(one: ReadFinding, other: ReadFinding) -> bool:
    moves = MOVE in one.events, MOVE in other.events
    if any(moves):
        # What moved a share is something else than its move, though one sentence reports both.
        return all(moves) and _same_move(one.finding.quote, other.finding.quote)
    if _conflict(one, other):
        return False
    if same_statement(one.parsed, other.parsed):
        return True
    alike = bool(one.events and other.events) and one.events[0] == other.events[0] and _near(one.source, other.source)
    return alike and _one_matter(one, other)


def _one_matter(one: ReadFinding, other: ReadFinding) -> bool:
    """Whether two reports of one kind of event are of the same: a company has only one at a time, or they share names
    or what they are about; of two cases in court, each is one."""
    shared, named = one.says & other.says, one.named & other.named
    if _same_figure(one, other) and named:
        return True  # one sells what the other buys: the verbs of one deal point opposite ways
    if contest(one.parsed, other.parsed):
        return False
    return one.events[0] in ONCE or len(shared) >= _ENOUGH or bool(shared and named) or _same_figure(one, other)


def _conflict(one: ReadFinding, other: ReadFinding) -> bool:
    """True for two statements that cannot both be confirmed by the other: one is a denial or a plan and the other is
    not, or one says that a sum was changed to another and the other knows the sum before the change only."""
    if is_denied(one.finding.quote) != is_denied(other.finding.quote) or _mode(one) is not _mode(other):
        return True
    mine, theirs = _sums(one), _sums(other)
    return any(
        before in whole and after not in whole
        for of, whole in ((one, theirs), (other, mine))
        for before, after in _changed_sums(of)
    )


def _reports_other_outcome(one: ReadFinding, other: ReadFinding) -> bool:
    """True for a conflict about one event: of one kind, of the same names and about the same sum."""
    same = bool(one.events) and one.events[:1] == other.events[:1] and bool(one.named & other.named)
    return same and bool(_sums(one) & _sums(other)) and _conflict(one, other)


def _mode(one: ReadFinding) -> Mode:
    """In what sense it is said; a measured fact is a fact."""
    mode = one.finding.details.get("mode")
    found = Mode(mode) if isinstance(mode, str) else mode_of(one.finding.quote, Frame.STATED)
    return found if found in (Mode.DENIED, Mode.PLANNED, Mode.WITHDRAWN) else Mode.FACT


def _sums(one: ReadFinding) -> set[tuple[str, float]]:
    return {(each.unit, each.value) for each in one.parsed.figures if each.dimension is Dimension.MONEY}


def _changed_sums(one: ReadFinding) -> list[tuple[tuple[str, float], tuple[str, float]]]:
    """The sums before and after each change 'from A to B'."""
    text = one.finding.quote
    differences = {each.value for each in changes_in(statement_of(text)) if each.dimension is Dimension.MONEY}
    sums = [each for each in one.parsed.figures if each.dimension is Dimension.MONEY]
    return [
        ((before.unit, before.value), (after.unit, after.value))
        for after in sums
        if _TO.search(text[: after.span.start])
        for before in sums
        if abs(before.value - after.value) in differences
    ]


def _same_figure(one: ReadFinding, other: ReadFinding) -> bool:
    """Whether both give one sum: '$140 million' of the same kind of event."""
    return bool(_sums(one) & _sums(other))


def _near(one: Source, other: Source) -> bool:
    if one.published is None or other.published is None:
        return True
    return abs(utc(one.published.at) - utc(other.published.at)) <= timedelta(days=_DAYS)


def _same_move(one: str, other: str) -> bool:
    mine, theirs = moves_in(one), moves_in(other)
    if not mine or not theirs:
        return True
    return any(a.low - _SAME_MOVE <= _most(b) and b.low - _SAME_MOVE <= _most(a) for a in mine for b in theirs)


def _most(share: Quantity) -> float:
    """The most that a share can be: 'more than a quarter' has no end."""
    return inf if share.bound is Bound.AT_LEAST else share.high


def _development(
    group: Sequence[ReadFinding],
    groups: Sequence[Sequence[ReadFinding]],
    once: Mapping[Critical, set[str]],
    impact: Sequence[ReadFinding],
    now: datetime,
) -> Development:
    """The development of a group. `once`: who reports the grave things that happen once, in whichever group."""
    head = group[0]
    quotes = {each.finding.quote: quote_of(each.finding, each.source, now) for each in reversed(group)}
    # One further source says more than three sentences of the same one.
    rest = {each.finding.quote: each for each in sorted(group[1:], key=lambda each: each.witness == head.witness)}
    rest.pop(head.finding.quote, None)
    critical = tuple(kind for kind in Critical if any(kind in each.critical for each in group))
    # Who says the grave thing itself confirms it; a page of the same group may speak only of what came with it.
    bearing = {
        kind: {each.witness for each in group if kind in each.critical} | once.get(kind, set()) for kind in critical
    }
    against = [
        quote_of(each.finding, each.source, now)
        for other in groups
        if other is not group
        for each in other
        if contest(head.parsed, each.parsed) or _reports_other_outcome(head, each)
    ]
    said = [f"{each.publisher}: “{each.quote}”" for each in against[:2]]
    return Development(
        heading=quotes[head.finding.quote],
        details=tuple(quotes[said] for said in rest)[:_MOST_QUOTES],
        impact=tuple(quote_of(each.finding, each.source, now) for each in impact),
        impact_note="" if impact or MOVE in head.events else NO_IMPACT,
        source_ids=tuple(dict.fromkeys(each.source.id for each in group)),
        events=tuple(dict.fromkeys(each.events[0] for each in group if each.events)),
        witnesses=len({each.witness for each in group}),
        critical=critical,
        unconfirmed=tuple(kind for kind, witnesses in bearing.items() if len(witnesses) < _ENOUGH),
        disputed=f"Otherwise reported by {listed(said)}" if said else "",
    )
