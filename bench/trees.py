"""Generated propagation trees: one report and everything derived from it, with things that obscure its origin.

A document is a reprint, a shortened reprint or a rewrite of an earlier one. It may name or link to that one, or
neither; its date may be missing or wrong, even in the future; names of people may be spelled differently; a longer
piece that calls itself exclusive may follow later. The origin may itself credit one of its copies, or be deleted; other
reports were never found, though copies name them. For some trees a web archive has captures of a part, made some time
after publication. There are also reports on other topics. All publishers, people and places are invented.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bench.tree_truth import Survived, rivals_of
from inquest.domain.document import Document, Precision, Published, TextLink
from inquest.domain.source import Source
from inquest.sources.dating import date_and_capture
from inquest.sources.publisher_names import folded_name
from inquest.sources.source_worth import with_age_and_capture
from inquest.sources.tiers import rating_of

__all__ = ["Tree", "grow"]

_START = datetime(2024, 5, 6, 8, tzinfo=UTC)
_NAMED, _LINKED, _UNDATED, _MISDATED, _RESPELT = 0.7, 0.5, 0.15, 0.1, 0.2
_READ = _START + timedelta(days=90)
_LOOP, _DELETED, _NOT_FOUND, _CAPTURING, _CAPTURED = 0.15, 0.12, 0.04, 0.5, 0.4
"""Shares of trees whose origin credits a copy; of trees whose origin is deleted, among those in which several name it;
of documents that nobody found; of trees whose documents were looked up in an archive; of documents of these that it
has."""
_ADDED = 0.35
"""Share of rewrites that add two facts of their own, which their copies repeat, so that the origin is not the
richest."""
_BESIDE = 0.2
"""Share of other reports on the topic to which a page links around its article: 'related', 'most read'."""
_TO_CAPTURE, _SPREAD = 2.3, 1.5
"""Logarithm of the hours until a capture: a median of ten hours, a month for some."""
_KINDS = ("reprint", "shortened", "rewrite", "rewrite")
_PAPERS = "Courier Herald Gazette Post Tribune Observer Chronicle Echo Argus Mercury Standard Zeitung Telegraph".split()
_FORMS = (
    (
        "{company} let {amount} litres of {stuff} run into the {river} in {month}, a log of its pumps shows.",
        "According to a pump log, {amount} litres of {stuff} went from {company} into the {river} in {month}.",
        "Into the {river} ran {amount} litres of {stuff} in {month}: so says the log of the pumps at {company}.",
    ),
    (
        "The log was handed over by {man}, who led a shift at the works until {year}.",
        "{man}, a shift leader there until {year}, passed the log on.",
        "It comes from {man}; until {year} the man led one of the shifts.",
    ),
    (
        "It lists {count} pumpings, most of them after midnight.",
        "There were {count} pumpings in all, and most came after midnight.",
        "Mostly after midnight, the pumps were run {count} times.",
    ),
    (
        "The county of {county} allows {limit} litres a month.",
        "No more than {limit} litres a month may be let out in {county} county.",
        "{limit} litres a month is the limit in {county}.",
    ),
    (
        "Fishermen at {town} had complained of foam since {day}.",
        "Foam had been seen by fishermen at {town} since {day}.",
        "Since {day}, those who fish at {town} had reported foam on the water.",
    ),
    (
        "Engineer {woman} of the water board will inspect the works with {staff} of her staff.",
        "The works will be inspected by {woman}, an engineer of the water board, and {staff} colleagues.",
        "{staff} people of the water board, led by engineer {woman}, are to inspect the plant.",
    ),
    (
        "A spokesman for {company} said that the firm was looking into the matter.",
        "{company} is looking into it, said a spokesman.",
        "The firm's spokesman said {company} would look into what had happened.",
    ),
    (
        "Shares of the firm fell by {percent} per cent to {price} crowns.",
        "The stock lost {percent} per cent and closed at {price} crowns.",
        "At {price} crowns, its shares stood {percent} per cent lower.",
    ),
    (
        "In {before} the same works had paid a fine of {fine} crowns.",
        "The works were fined {fine} crowns in {before}.",
        "A fine of {fine} crowns was paid for the plant in {before}.",
    ),
    (
        "{other}, who sits on the council for the Greens, wants the permit withdrawn.",
        "The permit should be withdrawn, demands {other} of the Greens on the council.",
        "Councillor {other} (Greens) calls for the permit to be taken away.",
    ),
)
_CREDITS = tuple(
    ("en", form)
    for form in (
        "The {name} first reported the matter.",
        "This was first reported by the {name}.",
        "According to the {name}, documents prove it.",
        "As the {name} wrote, nobody had been told.",
        "The news comes from a report in the {name}.",
        "The former shift leader told the {name} about it.",
    )
)
_FOREIGN_CREDITS = (
    ("de", "Wie die {name} berichtet, liegen Unterlagen vor."),
    ("fr", "Selon le {name}, des documents le prouvent."),
    ("es", "Según informó {name}, hay documentos."),
    ("it", "Lo riporta il {name}."),
    ("nl", "Dat meldt de {name}."),
)
"""A page with such a credit is in that language, although the rest is in English as if translated."""
_BACKGROUND = (
    "We have spent months on this and spoken to people who asked not to be named.",
    "The river has long been a matter of dispute between those who live from it and those who built beside it.",
    "What follows is the full account of how it came about and of who looked away.",
    "Older residents remember a time when children swam below the weir every summer.",
)


@dataclass(frozen=True)
class Tree:
    """Sources with their documents, in an order that gives nothing away; `members` and `origin` are ids.

    If the origin is deleted, `origin` is empty and `outside` is its publisher's name, folded.

    `rivals`: the reports that nothing that survived distinguishes from the origin (bench/tree_truth.py), as ids, or as
    the folded names of publishers whose report was not found.
    """

    sources: list[Source]
    documents: dict[str, Document]
    origin: str
    members: frozenset[str]
    rivals: frozenset[str] = frozenset()
    outside: str | None = None
    damage: frozenset[str] = frozenset()
    """The changes made to it: late (a late 'original'), loop, deleted, gaps (some never found), captures (an
    archive's)."""

    @property
    def decidable(self) -> bool:
        """True if something that survived distinguishes the origin from every other report."""
        return not self.rivals


@dataclass
class _Telling:
    name: str
    domain: str
    title: str
    sentences: list[tuple[int, str]]
    at: datetime
    credit: str = ""
    language: str = "en"
    by_line: str | None = None
    links: tuple[str, ...] = ()
    parent: _Telling | None = None
    updated_from: _Telling | None = None
    """The copy that the origin credits since an update."""
    more: str = ""
    lost: bool = False
    """True if it is not among the documents."""

    @property
    def url(self) -> str:
        return f"https://{self.domain}/news/report"

    @property
    def says(self) -> _Telling | None:
        """The report that it credits or links to as its source."""
        told = self.parent if self.credit or self.by_line or self.links else None
        return self.updated_from or told

    @property
    def text(self) -> str:
        said = [text for _, text in self.sentences]
        if self.credit:
            said.insert(min(1, len(said)), self.credit)
        return " ".join([*([self.more] if self.more else []), *said])


def grow(size: int, seed: int, *, foreign: bool = False) -> Tree:
    """A tree with the given number of documents; the same for the same seed. `foreign`: some credits are in other
    languages."""
    draw = random.Random(seed)
    forms = (*_CREDITS, *_FOREIGN_CREDITS) if foreign else _CREDITS
    taken: set[str] = set()
    facts = _facts(draw)
    told = [_report(draw, taken, facts, _START)]
    damage = {"late"} if size >= 5 and draw.random() < 0.5 else set()
    late = len(damage)
    while sum(not telling.lost for telling in told) < size - late:
        told.append(_taken_over(draw, taken, facts, draw.choice(told), forms))
        told[-1].lost = draw.random() < _NOT_FOUND
    if late:
        told.append(_late_original(draw, taken, facts, told[0]))
    if draw.random() < _LOOP and _closed_into_a_loop(draw, told, forms):
        damage.add("loop")
    if draw.random() < _DELETED and sum(each.parent is told[0] and bool(each.credit) for each in _found(told)) > 1:
        told[0].lost = True
        damage.add("deleted")
    elif any(telling.lost for telling in told):
        damage.add("gaps")
    if captured := draw.random() < _CAPTURING:
        damage.add("captures")
    strangers = [_report(draw, taken, _facts(draw), _START + _hours(draw, 40)) for _ in range(2 + size // 20)]
    shown = [(telling, telling is not told[0]) for telling in _found(told)]
    shown += [(telling, False) for telling in strangers]
    draw.shuffle(shown)
    around = random.Random(seed + 1)
    sources, documents, members, origin = [], {}, set(), ""
    for number, (telling, may_err) in enumerate(shown, 1):
        source_id = f"S{number}"
        beside = tuple(each.url for each in told if each is not telling and around.random() < _BESIDE)
        documents[source_id] = _document(source_id, telling, beside)
        source = _source(source_id, telling, _date(draw, telling.at, may_err))
        sources.append(_captured(draw, source, documents[source_id], telling.at) if captured else source)
        if telling in told:
            members.add(source_id)
        if telling is told[0]:
            origin = source_id
    ids = {source.url: source.id for source in sources}
    keys = {telling.url: ids.get(telling.url, folded_name(telling.name)) for telling in told}
    times = {source.url: date_and_capture(source, documents[source.id]) for source in sources}
    survived = {keys[telling.url]: _survived(telling, keys, times.get(telling.url, (None, None))) for telling in told}
    rivals = rivals_of(keys[told[0].url], survived)
    outside = None if origin else keys[told[0].url]
    return Tree(sources, documents, origin, frozenset(members), rivals, outside, frozenset(damage))


def _found(told: list[_Telling]) -> list[_Telling]:
    return [telling for telling in told if not telling.lost]


def _closed_into_a_loop(draw: random.Random, told: list[_Telling], forms: Sequence[tuple[str, str]]) -> bool:
    """Update the origin, so that it credits a copy that credits it."""
    copies = [telling for telling in _found(told) if telling.parent is told[0] and telling.credit]
    if copies:
        told[0].updated_from = draw.choice(copies)
        told[0].language, form = draw.choice(forms)
        told[0].credit = form.format(name=told[0].updated_from.name)
    return bool(copies)


def _survived(telling: _Telling, keys: Mapping[str, str], times: tuple[Published | None, datetime | None]) -> Survived:
    """The part of a telling that survived: neither text nor date, if it was not found."""
    silent = telling.lost or telling.says is None
    return Survived(
        at=telling.at,
        says=None if silent or telling.says is None else keys[telling.says.url],
        statements=frozenset(number for number, _ in telling.sentences),
        published=times[0],
        captured=times[1],
        found=not telling.lost,
    )


def _report(draw: random.Random, taken: set[str], facts: dict[str, str], at: datetime) -> _Telling:
    name, domain = _publisher(draw, taken)
    said = [(number, forms[0].format(**facts)) for number, forms in enumerate(_FORMS)]
    return _Telling(name, domain, _title(draw, facts), said, at)


def _taken_over(
    draw: random.Random,
    taken: set[str],
    facts: dict[str, str],
    parent: _Telling,
    forms: Sequence[tuple[str, str]],
) -> _Telling:
    name, domain = _publisher(draw, taken)
    said = list(parent.sentences)
    kind = draw.choice(_KINDS)
    if kind == "shortened":
        said = said[: max(3, int(len(said) * draw.uniform(0.3, 0.7)))]
    elif kind == "rewrite":
        spelt = _respelt(facts) if draw.random() < _RESPELT else facts
        kept = [number for number, _ in said if draw.random() < 0.8 or number == 0] or [said[0][0]]
        known = dict(said)
        said = [(n, draw.choice(_FORMS[n]).format(**spelt) if n < len(_FORMS) else known[n]) for n in kept]
        if len(said) > 4 and draw.random() < 0.5:
            said[2], said[3] = said[3], said[2]
        if draw.random() < _ADDED:
            said += [(len(_FORMS) + len(taken) * 10 + number, _own_fact(draw, spelt)) for number in range(2)]
    telling = _Telling(name, domain, _title(draw, facts), said, parent.at + _hours(draw, 6), parent=parent)
    if draw.random() < _NAMED:
        if kind == "reprint" and draw.random() < 0.5:
            telling.by_line = parent.name
        else:
            called = parent.name.replace("ü", "ue") if draw.random() < _RESPELT else parent.name
            telling.language, form = draw.choice(forms)
            telling.credit = form.format(name=called)
    if draw.random() < _LINKED:
        telling.links = (parent.url,)
    return telling


def _own_fact(draw: random.Random, facts: dict[str, str]) -> str:
    who, where = f"{_name(draw)} {_name(draw)}", _name(draw)
    form = draw.choice(
        (
            "{who} of {where}, who fishes the {river}, counted {n} dead trout on one morning.",
            "In {where}, {who} has not let {n} children swim since spring.",
            "A petition that {who} began in {where} has {n} names under it.",
        )
    )
    return form.format(who=who, where=where, river=facts["river"], n=draw.randint(12, 900))


def _late_original(draw: random.Random, taken: set[str], facts: dict[str, str], root: _Telling) -> _Telling:
    name, domain = _publisher(draw, taken)
    said = [(number, draw.choice(forms).format(**facts)) for number, forms in enumerate(_FORMS)]
    at = root.at + timedelta(hours=draw.uniform(30, 200))
    return _Telling(name, domain, _title(draw, facts), said, at, more="EXCLUSIVE. " + " ".join(_BACKGROUND))


def _source(source_id: str, telling: _Telling, published: Published | None) -> Source:
    return Source(
        id=source_id,
        url=telling.url,
        title=telling.title,
        domain=telling.domain,
        author=telling.by_line,
        published=published,
        rating=rating_of(telling.domain, 60, [], category="newspaper"),
        snapshot=source_id,
        retrieved_at=_READ,
    )


def _captured(draw: random.Random, source: Source, document: Document, at: datetime) -> Source:
    """The source as in an investigation that asked an archive for the first capture of the page."""
    hours = draw.lognormvariate(_TO_CAPTURE, _SPREAD)
    capture = Published(
        at=(at + timedelta(hours=hours)).replace(microsecond=0), precision=Precision.TIME, how="archive"
    )
    if draw.random() >= _CAPTURED or capture.at > _READ:
        return source
    dated = document.model_copy(update={"published": source.published})
    return with_age_and_capture(source, dated, age=None, captured=capture, archive="an archive", now=_READ)


def _document(source_id: str, telling: _Telling, beside: tuple[str, ...]) -> Document:
    """The document. Its link is on the publisher's name in the words of the credit, else in a line of sources.
    `beside`: links of the page around its article."""
    place = telling.text.find(telling.credit) if telling.credit else -1
    named = telling.says.name if telling.says else ""
    start = telling.text.find(named, place) if place >= 0 and named else -1
    inside = start >= 0 and bool(telling.links)
    return Document(
        snapshot=source_id,
        url=telling.url,
        title=telling.title,
        text=telling.text,
        language=telling.language,
        publisher=telling.name,
        links=(*telling.links, *beside),
        text_links=tuple(
            TextLink(url=url, start=start, end=start + len(named), block=0) for url in telling.links if inside
        ),
        source_links=() if inside else telling.links,
    )


def _date(draw: random.Random, at: datetime, may_err: bool) -> Published | None:
    """The date, if any. The origin may be undated, like others; only copies have wrong dates, because a wrong date of
    the origin could be recognised only by what others say about it."""
    if draw.random() < _UNDATED:
        return None
    if may_err and draw.random() < _MISDATED:
        away = draw.choice((-365, -40, -9, -3, -1, 2, 30, None))
        at = _READ + timedelta(days=1) if away is None else at + timedelta(days=away, hours=draw.uniform(-5, 5))
    if draw.random() < 0.3:
        return Published(at=at.replace(hour=0, minute=0, second=0, microsecond=0), precision=Precision.DAY)
    return Published(at=at.replace(microsecond=0), precision=Precision.TIME)


def _hours(draw: random.Random, mean: float) -> timedelta:
    return timedelta(hours=0.2 + draw.expovariate(1 / mean))


def _publisher(draw: random.Random, taken: set[str]) -> tuple[str, str]:
    while True:
        place, paper = _name(draw), draw.choice(_PAPERS)
        domain = f"{place.lower().replace('ü', 'ue')}-{paper.lower()}.example"
        if domain not in taken:
            taken.add(domain)
            return f"{place} {paper}", domain


def _facts(draw: random.Random) -> dict[str, str]:
    names = "company river man county town woman other".split()
    facts = {key: _name(draw) for key in names}
    for key in ("man", "woman", "other"):
        facts[key] = f"{_name(draw)} {facts[key]}"
    figures = {"amount": 9_000, "count": 90, "limit": 400, "staff": 9, "percent": 19, "price": 300, "fine": 80_000}
    facts |= {key: str(draw.randint(2, most)) for key, most in figures.items()}
    facts |= {"year": str(draw.randint(2015, 2022)), "before": str(draw.randint(1995, 2014))}
    facts["stuff"] = draw.choice("dye solvent brine lye slurry coolant".split())
    facts["month"] = draw.choice("January February March April".split())
    facts["day"] = draw.choice("Easter Christmas Lent Candlemas".split())
    return facts


def _respelt(facts: dict[str, str]) -> dict[str, str]:
    """Spell the names as in another language."""
    swaps = (("ü", "ue"), ("k", "c"), ("v", "w"), ("i", "y"))
    spelt = dict(facts)
    for key in ("man", "woman", "other", "town", "river"):
        for one, other in swaps:
            spelt[key] = spelt[key].replace(one, other)
    return spelt


def _title(draw: random.Random, facts: dict[str, str]) -> str:
    return (
        draw.choice(("{stuff} in the {river}", "{company} let {stuff} run into the {river}", "Questions for {company}"))
        .format(**facts)
        .capitalize()
    )


def _name(draw: random.Random) -> str:
    begin = draw.choice("Gar Len Mül Tor Ves Hald Brin Ost Kor Wick Fen Dal Pel Rüm Sand Lor Quar Nym".split())
    middle = draw.choice("a e o i an er ol ik um".split())
    return begin + middle + draw.choice("row ford stedt vik mar ton dale berg nau sund kov lin".split())
