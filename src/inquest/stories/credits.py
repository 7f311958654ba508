"""Who says that they have it from whom: credits to another publisher at the head of a text, in its by-line, by a link.

A credit is evidence of where a story comes from, and stronger than dates, which a copy can set as it likes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from inquest.domain.document import Document, Published
from inquest.domain.source import Category, Source
from inquest.sources.dating import date_and_capture
from inquest.stories.credit_words import ON_THEIR_OWN, PRESS
from inquest.stories.matter import NO_MATTER, Matter, Neighbours, alike, common, matter_of
from inquest.stories.origin_names import Said, folded_name, head_of, names_in_domain, said
from inquest.text.urls import comparison_key

__all__ = [
    "Credit",
    "Telling",
    "credits_among",
    "is_report",
    "later",
    "moment",
    "near",
    "same_matter",
    "telling_of",
]

_WINDOW = timedelta(days=21)
"""A report is taken over within days; who names it later looks back on it."""

_SAME_MATTER = 0.22
"""The least that a text and the one it credits must share of their carrying words and figures (Dice) ..."""

_SAME_PARTICULARS, _FEWEST_PARTICULARS = 0.5, 4
"""... or of figures and names, where they are in different languages."""

_LINKED_MATTER = 0.3
"""What a link alone needs: pages link to much that is merely related."""

_OUT_OF_TIME = 0.4
"""What a credit needs that the dates speak against."""

_TAKEN_WHOLE = 0.8
"""Which part of its figures and names must stand in the other for a link to count against the dates, or for a credit
to count after weeks."""

_SAME_REPORT = 0.3
"""The least that two texts must share to go back to one report that neither of them is."""

# Only those who report can be the origin of a report: 'the authority reported' is a statement and not a story.
_OFFICIAL = frozenset(
    (
        Category.GOVERNMENT, Category.COURT, Category.REGULATOR, Category.STATISTICS, Category.INTERGOVERNMENTAL,
        Category.STANDARDS, Category.SCHOLARLY, Category.COMPANY, Category.PRESS_RELEASE, Category.ENCYCLOPEDIA,
        Category.SOCIAL,
    )
)  # fmt: skip
_MANY = 24
"""Documents of one publisher from which on only the nearest in matter are looked at."""


@dataclass(frozen=True, slots=True)
class Telling:
    """One document as a telling of a story."""

    id: str
    url: str
    domain: str
    title: str
    text: str
    published: Published | None
    author: str
    names: tuple[str, ...]
    """What others may call its publisher, folded, longest first."""
    links: frozenset[str]
    """Comparison keys of what it links to."""
    score: int
    category: str
    press_release: bool
    matter: Matter = NO_MATTER
    """What it is about."""
    seen: datetime | None = None
    """The earliest moment at which an archive found it there: it was published by then, whatever date it bears."""
    readable: bool = True
    """False: a report that tellings name, known from them alone (stories.unread_origins)."""


@dataclass(frozen=True, slots=True)
class Credit:
    """`teller` says that it has the story from `origin`: by its words, its by-line or a link."""

    teller: str
    origin: str
    reason: str
    alike: float
    """How much of their matter the two share, 0 to 1."""
    how: str = "words"
    """words, by-line or link: where it is said."""
    quote: str = ""
    """The sentence that says it, as it stands in the teller's text; of a by-line or a link: that, which is not in the
    text."""
    start: int = 0
    end: int = 0
    """Where the sentence stands in the teller's text; 0 and 0 for a by-line or a link."""


def telling_of(source: Source, document: Document) -> Telling:
    """What a source and its text contribute to finding out who has it from whom."""
    names = {folded_name(name) for name in (document.publisher or "", *names_in_domain(source.domain)) if name}
    published, seen = date_and_capture(source, document)
    return Telling(
        id=source.id,
        url=source.url,
        domain=source.domain,
        title=source.title or document.title,
        text=document.text,
        published=published,
        author=source.author or document.author or "",
        names=tuple(sorted((name for name in names if len(name) > 2), key=lambda name: (-len(name), name))),
        links=frozenset(comparison_key(link) for link in document.links),
        score=source.rating.score,
        category=source.rating.category,
        press_release=source.rating.press_release,
        matter=matter_of(source.title or document.title, document.text),
        seen=seen,
    )


def credits_among(tellings: Sequence[Telling]) -> list[Credit]:
    """The credits that these tellings give one another, in their order; of one publisher's documents, to the one that
    is meant: linked to, else not later, else nearest in matter. Never to one's own domain."""
    known = _Known(tellings)
    found = {teller.id: _credits_of(teller, known) for teller in tellings}
    for teller in _dated_too_late(tellings, [credit for each in found.values() for credit in each]):
        found[teller.id] = _credits_of(replace(teller, published=None), known)
    return [credit for each in found.values() for credit in each]


def _dated_too_late(tellings: Sequence[Telling], credits: Sequence[Credit]) -> list[Telling]:
    """Those that more are dated before who have it from there than after: their own date tells nothing."""
    by_id = {telling.id: telling for telling in tellings}
    for_it: dict[str, int] = defaultdict(int)
    for credit in credits:
        dates = by_id[credit.origin].published, by_id[credit.teller].published
        if all(dates):
            for_it[credit.origin] += -1 if later(*dates) else 1
    return [telling for telling in tellings if for_it[telling.id] < 0]


def _credits_of(teller: Telling, known: _Known) -> list[Credit]:
    head = head_of(teller.text)
    meant: dict[str, tuple[tuple[object, ...], Credit]] = {}
    for other, linked in known.mentioned_by(teller, head):
        credit = _credit(teller, other, head, linked)
        if credit is None:
            continue
        order = (not linked, later(other.published, teller.published), -credit.alike, other.id)
        if other.domain not in meant or order < meant[other.domain][0]:
            meant[other.domain] = (order, credit)
    return [credit for _, credit in meant.values()]


class _Known:
    """The tellings by their publishers' names and by their addresses, so that not all are compared with all."""

    def __init__(self, tellings: Sequence[Telling]) -> None:
        self._by_name: dict[str, list[Telling]] = defaultdict(list)
        self._by_address: dict[str, Telling] = {}
        self._nearby: dict[str, Neighbours] = {}
        self._place = {telling.id: place for place, telling in enumerate(tellings)}
        self._tellings = tellings
        for telling in tellings:
            if is_report(telling):
                self._by_address.setdefault(comparison_key(telling.url), telling)
                for name in telling.names:
                    self._by_name[name].append(telling)
        self._longest = max((len(name.split()) for name in self._by_name), default=0)

    def mentioned_by(self, teller: Telling, head: Sequence[Said]) -> list[tuple[Telling, bool]]:
        """The tellings of others whose publisher stands at the head or in the by-line, or that are linked to."""
        linked = {link: self._by_address[link] for link in teller.links if link in self._by_address}
        found = {telling.id: telling for telling in linked.values()}
        for words in (*(sentence.words for sentence in head), said(teller.author).words):
            for start in range(len(words)):
                for end in range(start + 1, min(len(words), start + self._longest) + 1):
                    name = " ".join(words[start:end])
                    if name in self._by_name:
                        found |= {each.id: each for each in self._meant(name, teller)}
        reached = {telling.id for telling in linked.values()}
        ordered = sorted(found.values(), key=lambda each: self._place[each.id])
        return [(each, each.id in reached) for each in ordered if each.domain != teller.domain]

    def _meant(self, name: str, teller: Telling) -> list[Telling]:
        named = self._by_name[name]
        if len(named) <= _MANY:
            return named
        if name not in self._nearby:
            self._nearby[name] = Neighbours()
            for telling in named:
                self._nearby[name].add(self._place[telling.id], telling.matter)
        return [self._tellings[place] for place in self._nearby[name].nearest(teller.matter)]


def _credit(teller: Telling, other: Telling, head: Sequence[Said], linked: bool) -> Credit | None:
    likeness = alike(teller.matter, other.matter)
    shared, part = common(teller.matter, other.matter)
    same = likeness >= _SAME_MATTER or (shared >= _FEWEST_PARTICULARS and part >= _SAME_PARTICULARS)
    found = _saying(teller, other, head, linked)
    on_its_own = any(ON_THEIR_OWN.search(sentence.folded) for sentence in head)
    if found is None and linked and likeness >= _LINKED_MATTER and not on_its_own:
        # Nobody links to what is not yet there: against the dates, a link counts where all is taken from the page.
        in_time = not later(other.published, teller.published)
        if in_time or (likeness >= _OUT_OF_TIME and _takes_all_from(teller, other)):
            found = _Saying("link", "it links to it", other.url)
    if found is None or not (same or linked):
        return None
    if not near(teller, other):
        taken_over = _before(teller, other) or (found.how != "link" and linked and _takes_all_from(teller, other))
        if likeness < _OUT_OF_TIME or not taken_over:
            return None
    return Credit(teller.id, other.id, found.reason, likeness, found.how, found.quote, found.start, found.end)


def _takes_all_from(teller: Telling, other: Telling) -> bool:
    told = teller.matter.particulars
    return bool(told) and len(told & other.matter.particulars) >= _TAKEN_WHOLE * len(told)


@dataclass(frozen=True, slots=True)
class _Saying:
    how: str
    reason: str
    quote: str = ""
    start: int = 0
    end: int = 0


def same_matter(first: Telling, second: Telling) -> bool:
    """Whether two tellings that name the same outside report can be of one report: near in time, and much alike."""
    return near(first, second) and alike(first.matter, second.matter) >= _SAME_REPORT


def _saying(teller: Telling, other: Telling, head: Sequence[Said], linked: bool) -> _Saying | None:
    by_line = said(teller.author)
    named: Said | None = None
    for name in other.names:
        if name in teller.names:
            continue
        # 'Courier' and 'Lenn' of the Lenn Courier stand in other papers' names as well.
        short = any(f" {name} " in f" {longer} " for longer in other.names if longer != name)
        if by_line.names(name, short):
            return _Saying("by-line", f"its by-line names {name!r}", teller.author)
        for sentence in head:
            if ON_THEIR_OWN.search(sentence.folded):
                continue
            if sentence.credits(name, short):
                words = sentence.span.of(teller.text)
                return _Saying("words", f"it says that it has it from {name!r}", words, *sentence.span)
            if named is None and sentence.names(name, short):
                named = sentence
    if named is None or not linked:
        return None
    return _Saying("words", "it names the other at its head and links to it", named.span.of(teller.text), *named.span)


def is_report(telling: Telling) -> bool:
    """Whether it is a publisher of reports. A name that nobody rated is taken for a newspaper's only if it sounds so:
    'Norvane reported a profit' credits nobody."""
    if telling.category == Category.UNKNOWN:
        return any(PRESS.search(name) for name in telling.names)
    return telling.category not in _OFFICIAL and not telling.press_release


def near(teller: Telling, other: Telling) -> bool:
    if teller.published is None or other.published is None:
        return True
    return abs(teller.published.at - other.published.at) <= _WINDOW


def _before(teller: Telling, other: Telling) -> bool:
    """Whether its date, long before what it names, cannot be true: nobody names a report that is not yet there."""
    return teller.published is not None and other.published is not None and teller.published.at < other.published.at


def later(first: Published | None, second: Published | None) -> bool:
    """Whether the first is certainly later than the second, as exactly as both are known."""
    if first is None or second is None:
        return False
    return first.at > second.latest


def moment(telling: Telling) -> datetime:
    """When it was published at the latest that is known for certain, for ordering; what nothing dates comes last."""
    known = [at for at in (telling.published.at if telling.published else None, telling.seen) if at]
    return min(known, default=datetime.max.replace(tzinfo=UTC))
