"""Developments: the findings that report one event, however many sources there are, with its independent sources and
the tone of the news.

An issuer, its releases, its filings and the reports that cite them are one witness. The sentiment has one vote for
each independent source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from math import inf

from inquest.claims.merging import ParsedStatement, contest, parse_statement, same_statement
from inquest.claims.report.company import is_filing, is_own_word
from inquest.desks.market.events import MOVE, ONCE, WEAK, critical_in, events_in, is_denied, is_unfit, moves_in, says
from inquest.domain.claim import Mention
from inquest.domain.finding import Finding, Mode, Speaker, SpeakerKind
from inquest.domain.market import Critical, Development, MarketQuestion, MarketQuote, Sentiment, SentimentLabel
from inquest.domain.reasons import Reason, in_words, worded
from inquest.domain.source import Source
from inquest.domain.value import firsts
from inquest.entailment.attribution import attributed
from inquest.entailment.changes import changes_in
from inquest.entailment.framing import Frame, mode_of
from inquest.entailment.parsed_text import statement_of
from inquest.sources.ranking import Freshness, freshness_of
from inquest.stories.stories import independent
from inquest.text.dates import utc
from inquest.text.entities import names, same_name
from inquest.text.lexicon import any_of
from inquest.text.quantities import Bound, Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.securities import forms_in
from inquest.text.sentences import Span, content_words, stem
from inquest.text.vocabulary import is_negated, negations

_OWN_DOCUMENT = regex(r"\b(?:filing|(?:press |earnings )?release|disclosure)s?\b|\bin an? (?:\w+ )?statement\b")
_OWN_SIDE = regex(r"(?:the )?(?:company|firm|group|board|management|it|they)|(?:its|the company's) \w+", re.I)


def credits_company(sentence: str, company: str) -> bool:
    """True for a sentence that attributes its content to the company or its filing."""
    names = [each.name for each in attributed(sentence)]
    attributes = any(_OWN_SIDE.fullmatch(name) or (company and same_name(name, company)) for name in names)
    return attributes or bool(_OWN_DOCUMENT.search(sentence.lower()) or forms_in(sentence))


def speaker_in(sentence: str, credited: Iterable[str], company: str) -> Speaker | None:
    """The company, if the sentence credits it, or if another sentence of the page with the same kind of event or figure
    does."""
    if credits_company(sentence, company):
        return Speaker(kind=SpeakerKind.PARTY, name=company)
    kinds, figures = set(events_in(sentence)), _figures(sentence)
    shared = any(kinds & set(events_in(each)) or figures & _figures(each) for each in credited)
    return Speaker(kind=SpeakerKind.PARTY, name=company) if shared else None


def _figures(sentence: str) -> set[tuple[str, float]]:
    return {(each.unit, each.value) for each in quantities(sentence) if each.unit}


def says_party(finding: Finding) -> bool:
    """True if the quote is a statement of the company itself."""
    speaker = finding.details.get("speaker")
    return isinstance(speaker, dict) and speaker.get("kind") == SpeakerKind.PARTY


_CLEAR = 0.34
"""Share of the votes from which one side leads; below it, the news is mixed."""
_WORDS = {1: any_of(__name__, "good"), -1: any_of(__name__, "bad")}


def tone_of(sentence: str) -> int:
    """Good (+1), bad (-1) or neither (0) by the majority of its words; a negated word counts for the other side."""
    among = negations(sentence)
    total = sum(
        -sign if is_negated(Span(*match.span()), among) else sign
        for sign, words in _WORDS.items()
        for match in words.finditer(sentence)
    )
    return (total > 0) - (total < 0)


def sentiment_of(by_witness: Mapping[str, Sequence[MarketQuote]]) -> Sentiment:
    """The sentiment of the news. `by_witness`: the quotes of each independent source."""
    votes: list[int] = []
    basis: list[MarketQuote] = []
    for quotes in filter(None, by_witness.values()):
        # A denial of something bad is not bad news.
        tones = [0 if is_denied(quote.quote) else tone_of(quote.quote) for quote in quotes]
        vote = (sum(tones) > 0) - (sum(tones) < 0)
        votes.append(vote)
        if vote:
            basis.append(quotes[tones.index(vote)])
    if len(votes) < _ENOUGH:
        return Sentiment(label=SentimentLabel.UNKNOWN, score=0, **worded([says("none_counted")]))
    good, bad = votes.count(1), votes.count(-1)
    neutral, score = votes.count(0), (good - bad) / len(votes)
    if abs(score) >= _CLEAR:
        label = SentimentLabel.POSITIVE if score > 0 else SentimentLabel.NEGATIVE
    else:
        label = SentimentLabel.MIXED if good and bad else SentimentLabel.NEUTRAL
    sides = [
        says(side, number=number) for side, number in (("good", good), ("bad", bad), ("neither", neutral)) if number
    ]
    return Sentiment(
        label=label,
        score=round(score, 4),
        positive=good,
        negative=bad,
        neutral=neutral,
        basis=tuple(basis),
        **worded([says("of_sources", number=len(votes), sides=sides)]),
    )


_AHEAD = timedelta(hours=1)
"""Tolerance for a publisher's clock ahead of 'now'."""
_MOST_QUOTES = 3
_OF_STANDING = 2
"""Lowest tier of the reputable press."""
_SAME_MOVE = 1.0
"""Difference in percentage points at which two moves are the same: papers round figures, and report at different
times."""
_ENOUGH = 2
_ASIDE = 0.5
"""Factor for the weight of a development whose kind of event is common."""
_ONCE = (Critical.BANKRUPTCY, Critical.RESTATEMENT, Critical.GUIDANCE_CUT)
_DAYS = 4
"""Maximum time between reports of one event."""
_TO = regex(r"\bto\s+(?:about\s+|around\s+|only\s+|just\s+)?$", re.I)
"""The word before the sum after a change."""
_OF_MARKETS = frozenset(
    content_words("share shares stock fell rose company report reported news percent today market trading year said")
)


def why_not_counted(source: Source, now: datetime) -> str:
    """The reason why a source is not evidence, as a sentence; '' if it is."""
    if source.excluded:
        return source.excluded
    if source.published is not None and utc(source.published.at) > utc(now) + _AHEAD:
        return "It is dated after the time in question, so it is not evidence."
    if is_unfit(source.title):
        return "It urges readers to trade or addresses a machine, so it is not evidence; its title is left out."
    return ""


def grave(kinds: Iterable[Critical]) -> list[Reason]:
    """The kinds of grave statement in words."""
    return [says(f"grave_{kind.name.lower()}") for kind in kinds]


def quote_of(finding: Finding, source: Source, now: datetime) -> MarketQuote:
    """The quote of a finding with the data on its source that a reader needs."""
    return MarketQuote(
        finding_id=finding.id,
        **finding.model_dump(include=set(Mention.model_fields)),
        publisher=publisher_of(source),
        url=source.url,
        tier=source.rating.tier,
        published=source.published.iso if source.published else None,
        age=(age := freshness_of(source.published, now, Freshness.MARKET)).words,
        age_code=age.code,
    )


def publisher_of(source: Source) -> str:
    """The publisher under the name that readers know; the domain if there is no name."""
    named = (source.publisher or source.domain).removeprefix("www.")
    return named or ("The user's document" if source.user_provided else "Unknown publisher")


@dataclass(frozen=True, eq=False)
class ReadFinding:
    """A finding with its source, parsed for comparison."""

    finding: Finding
    source: Source
    witness: str
    now: datetime

    @cached_property
    def quote(self) -> MarketQuote:
        """Its quote, for a reader."""
        return quote_of(self.finding, self.source, self.now)

    @cached_property
    def events(self) -> tuple[str, ...]:
        """Its kinds of event, as recorded when it was made."""
        kinds = self.finding.details.get("kinds")
        return tuple(map(str, kinds)) if isinstance(kinds, list) else ()

    @cached_property
    def fit(self) -> float:
        """Its fit to the question, 0 to 1, as recorded when it was made."""
        fit = self.finding.details.get("fit")
        return float(fit) if isinstance(fit, int | float) else 0.0

    @property
    def answers(self) -> bool:
        """True if a model gives it as the answer to the question."""
        return self.finding.details.get("answers") is True

    @cached_property
    def clarity(self) -> int:
        """Its fitness as a heading: it names its subject, has a figure, and is from the reputable press."""
        return 2 * self.names_subject + bool(self.parsed.figures) + (self.source.rating.tier <= _OF_STANDING)

    @property
    def names_subject(self) -> bool:
        """True unless it goes on about the subject of the sentence before."""
        return self.finding.details.get("goes_on") is not True

    @cached_property
    def parsed(self) -> ParsedStatement:
        published = self.source.published
        return parse_statement(self.finding.quote, published.at.date() if published else None)

    @cached_property
    def critical(self) -> frozenset[Critical]:
        return frozenset(critical_in(self.finding.quote))

    @cached_property
    def named(self) -> frozenset[str]:
        """Stems of the names in it."""
        return frozenset(stem(word) for name in names(self.finding.quote) for word in name.text.split())

    @cached_property
    def says(self) -> frozenset[str]:
        """Its content stems, without names and common words of market news."""
        return frozenset(content_words(self.finding.quote)) - self.named - _OF_MARKETS

    @cached_property
    def weight(self) -> float:
        """Confidence x credibility x freshness, 0 to 1."""
        fresh = freshness_of(self.source.published, self.now, Freshness.MARKET).factor
        return self.finding.confidence * (0.35 + 0.65 * self.source.rating.score / 100) * fresh

    @cached_property
    def weight_here(self) -> float:
        """Its weight for the question, 0 to 3."""
        return self.weight * (1 + 2 * self.fit)

    @cached_property
    def mode(self) -> Mode:
        """Its mode; a measured fact is a fact."""
        mode = self.finding.details.get("mode")
        found = Mode(mode) if isinstance(mode, str) else mode_of(self.finding.quote, Frame.STATED)
        return found if found in (Mode.DENIED, Mode.PLANNED, Mode.WITHDRAWN) else Mode.FACT

    @cached_property
    def sums(self) -> set[tuple[str, float]]:
        return {(each.unit, each.value) for each in self.parsed.figures if each.dimension is Dimension.MONEY}

    @cached_property
    def changed_sums(self) -> list[tuple[tuple[str, float], tuple[str, float]]]:
        """The sums before and after each change 'from A to B'."""
        text = self.finding.quote
        differences = {each.value for each in changes_in(statement_of(text)) if each.dimension is Dimension.MONEY}
        sums = [each for each in self.parsed.figures if each.dimension is Dimension.MONEY]
        return [
            ((before.unit, before.value), (after.unit, after.value))
            for after in sums
            if _TO.search(text[: after.span.start])
            for before in sums
            if abs(before.value - after.value) in differences
        ]


def read(
    question: MarketQuestion, findings: Sequence[Finding], sources: Mapping[str, Source]
) -> tuple[ReadFinding, ...]:
    """The findings with their sources and witnesses; all statements of the company have one. `sources`: by id, those
    that count."""
    company = question.company
    by_source = {id: name for name, ids in independent(sources.values()).items() for id in ids}

    def witness(finding: Finding) -> str:
        source = sources[finding.source_id]
        own = company and (is_own_word(source, company, ()) or is_filing(source, company))
        return f"the company {company}" if own or says_party(finding) else by_source[source.id]

    return tuple(ReadFinding(each, sources[each.source_id], witness(each), question.now) for each in findings)


def developments_of(found: Sequence[ReadFinding], *, on_one_thing: bool = False) -> tuple[Development, ...]:
    """The developments that the findings report: first those that answer the question, then the weightiest.

    Findings belong to one development if they state the same thing, or are about one event of a kind that a company has
    at most once in a week. If the question is `on_one_thing`, the others have only their heading.
    """
    ordered = sorted(found, key=lambda one: (-one.clarity, -one.weight_here, one.finding.id))
    groups: list[list[ReadFinding]] = []
    for each in ordered:
        same = next((group for group in groups if any(_same_event(each, other) for other in group)), None)
        if same is None:
            groups.append([each])
        else:
            same.append(each)
    groups.sort(key=lambda group: (group[0].fit <= 0, -_group_weight(group)))
    once = {kind: {each.witness for each in found if kind in each.critical} for kind in _ONCE}
    made = ((group[0].fit, _development(group, groups, once, _impact(group, ordered))) for group in groups)
    short = {"details": (), "impact": ()}
    return tuple(each.model_copy(update=short) if on_one_thing and fit <= 0 else each for fit, each in made)


def _impact(group: Sequence[ReadFinding], found: Sequence[ReadFinding]) -> list[ReadFinding]:
    """Sentences that report a move of the share with the event of the group, one from each witness."""
    head = group[0]
    if not head.events or MOVE in head.events:
        return []
    both = [each for each in found if {MOVE, head.events[0]} <= {*each.events} and _near(each.source, head.source)]
    return list(firsts((each.witness, each) for each in both).values())[:_MOST_QUOTES]


def _group_weight(group: Sequence[ReadFinding]) -> float:
    """The weights of its witnesses; less for common kinds of event."""
    by_witness: dict[str, float] = {}
    for each in group:
        by_witness[each.witness] = max(by_witness.get(each.witness, 0.0), each.weight_here)
    main = next(iter(group[0].events), MOVE)
    return sum(by_witness.values()) * (_ASIDE if main == MOVE or main in WEAK else 1.0)


def _same_event(one: ReadFinding, other: ReadFinding) -> bool:
    moves = MOVE in one.events, MOVE in other.events
    if any(moves):
        # The cause of a move is a different event from the move, even in one sentence.
        mine, theirs = moves_in(one.finding.quote), moves_in(other.finding.quote)
        near = any(a.low - _SAME_MOVE <= _most(b) and b.low - _SAME_MOVE <= _most(a) for a in mine for b in theirs)
        return all(moves) and (near or not mine or not theirs)
    if _conflict(one, other):
        return False
    if same_statement(one.parsed, other.parsed):
        return True
    shared, named, same_sum = one.says & other.says, one.named & other.named, bool(one.sums & other.sums)
    if one.events[:1] != other.events[:1] or not one.events or not _near(one.source, other.source):
        return False
    # One sells what the other buys: the verbs of one deal are opposites.
    return bool(same_sum and named) or (
        not contest(one.parsed, other.parsed)
        and (one.events[0] in ONCE or len(shared) >= _ENOUGH or bool(shared and named) or same_sum)
    )


def _conflict(one: ReadFinding, other: ReadFinding) -> bool:
    """True if only one is a denial or a plan, or one reports a change of a sum and the other has the earlier sum."""
    if is_denied(one.finding.quote) != is_denied(other.finding.quote) or one.mode is not other.mode:
        return True
    return any(
        before in whole and after not in whole
        for of, whole in ((one, other.sums), (other, one.sums))
        for before, after in of.changed_sums
    )


def _reports_other_outcome(one: ReadFinding, other: ReadFinding) -> bool:
    """True for a conflict about one event: of one kind, with the same names and about the same sum."""
    same = bool(one.events) and one.events[:1] == other.events[:1] and bool(one.named & other.named)
    return same and bool(one.sums & other.sums) and _conflict(one, other)


def _near(one: Source, other: Source) -> bool:
    if one.published is None or other.published is None:
        return True
    return abs(utc(one.published.at) - utc(other.published.at)) <= timedelta(days=_DAYS)


def _most(share: Quantity) -> float:
    """The upper limit of a share: 'more than a quarter' has none."""
    return inf if share.bound is Bound.AT_LEAST else share.high


def _development(
    group: Sequence[ReadFinding],
    groups: Sequence[Sequence[ReadFinding]],
    once: Mapping[Critical, set[str]],
    impact: Sequence[ReadFinding],
) -> Development:
    """The development of a group. `once`: the witnesses of grave events that happen once, from all groups."""
    head = group[0]
    quotes = {each.finding.quote: each.quote for each in reversed(group)}
    # Other sources come before other sentences of the same one.
    rest = {each.finding.quote: each for each in sorted(group[1:], key=lambda each: each.witness == head.witness)}
    rest.pop(head.finding.quote, None)
    critical = tuple(kind for kind in Critical if any(kind in each.critical for each in group))
    # A grave event is confirmed only by witnesses that report it itself, not by all of its group.
    reporting = {
        kind: {each.witness for each in group if kind in each.critical} | once.get(kind, set()) for kind in critical
    }
    against = [
        each.quote
        for other in groups
        if other is not group
        for each in other
        if contest(head.parsed, each.parsed) or _reports_other_outcome(head, each)
    ]
    otherwise = says("otherwise", names=[f"{each.publisher}: “{each.quote}”" for each in against[:2]])
    return Development(
        heading=quotes[head.finding.quote],
        details=tuple(quotes[quote] for quote in rest)[:_MOST_QUOTES],
        impact=tuple(each.quote for each in impact),
        impact_note="" if impact or MOVE in head.events else in_words(says("no_impact")),
        source_ids=tuple(dict.fromkeys(each.source.id for each in group)),
        events=tuple(dict.fromkeys(each.events[0] for each in group if each.events)),
        witnesses=len({each.witness for each in group}),
        critical=critical,
        unconfirmed=tuple(kind for kind, witnesses in reporting.items() if len(witnesses) < _ENOUGH),
        disputed=in_words(otherwise) if against else "",
        disputed_code=otherwise if against else None,
    )
