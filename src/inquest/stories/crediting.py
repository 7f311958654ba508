"""Who says that they have a report from whom: the explicit evidence of how a story spread.

Credits come as values: from a model that read the page (`Source.page`), else from the local reader (`sources.credits`).
Here they are resolved: which of the articles is meant, or which publisher whose report is not among them. A page that
links to another around its article credits nobody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from inquest.domain.document import Document, Published
from inquest.domain.page_reading import CreditKind, PageCredit, PageQuote
from inquest.domain.source import Category, Source
from inquest.sources.captures import original_of
from inquest.sources.credits import credits_in
from inquest.sources.dating import date_and_capture
from inquest.sources.owners import OFFICIAL
from inquest.sources.publisher_names import folded_name, is_press_name, key_within, known_as, name_key, names_of
from inquest.stories.likeness import Neighbours, Particulars, alike, common, particulars_of
from inquest.text.urls import comparison_key, registrable_domain

UNREAD = "unread "
"""How the ids of reports begin that are named and not among the articles; what follows is the publisher's name."""

_WINDOW = timedelta(days=21)
"""A report is taken over within days; who names it later looks back on it."""
_SAME_WORDS = 0.22
"""The least that two texts of one report must share of their carrying words and figures (Dice), ..."""
_SAME_PARTICULARS, _FEWEST_PARTICULARS = 0.5, 4
"""... or of figures and names, where they are in different languages; less where a link shows what is meant."""
_LINKED_PARTICULARS = 2
_MANY = 24
"""Articles of one publisher from which on only the nearest in content are compared."""
_NO_REPORTER = OFFICIAL | {
    Category.STANDARDS, Category.COMPANY, Category.PRESS_RELEASE, Category.SCHOLARLY, Category.ENCYCLOPEDIA,
    Category.SOCIAL,
}  # fmt: skip
"""'The authority reported' is a statement: only a link, or its press release, shows that its page is meant."""


@dataclass(frozen=True, slots=True)
class Article:
    """One document as a version of a story."""

    id: str
    url: str
    domain: str
    title: str
    text: str
    published: Published | None
    author: str
    names: frozenset[str]
    """Keys of what others may call its publisher."""
    credits: tuple[PageCredit, ...]
    """Whom it says it has its report from."""
    first_hand: PageQuote | None
    """The words by which it says that it was there itself."""
    source_links: Mapping[str, str]
    """Where its line of sources leads to: addresses by comparison key."""
    linked: frozenset[str]
    """Comparison keys of all that its text and its line of sources link to."""
    score: int
    category: str
    press_release: bool
    particulars: Particulars
    """What it is about."""
    seen: datetime | None = None
    """The earliest moment at which an archive found it there."""
    readable: bool = True
    """False: a report that others name, known from them alone."""
    language: str | None = None
    """ISO 639-1, where it is known."""

    @property
    def official(self) -> bool:
        """Whether a public body published it."""
        return self.category in OFFICIAL or self.category == Category.STANDARDS

    @property
    def reports(self) -> bool:
        """Whether its publisher's trade is reporting, so that to name it is to credit it. Of one that nobody rated the
        name must sound so: 'Norvane reported a profit' credits nobody."""
        if self.category == Category.UNKNOWN:
            return any(map(is_press_name, self.names))
        return self.category not in _NO_REPORTER and not self.press_release

    @property
    def unnamed(self) -> frozenset[CreditKind]:
        """The kinds of sources without a name that it credits."""
        return frozenset(each.kind for each in self.credits if not each.name and not each.url)


@dataclass(frozen=True, slots=True)
class Credit:
    """`article` says that it has the report from `origin`."""

    article: str
    origin: str
    alike: float
    """How much of their words the two share, 0 to 1."""
    how: str = "words"
    """words, byline or link: where it is said."""
    quote: str = ""
    """The sentence that says it, as it is in the text; of a byline or a line of sources: what is named."""
    start: int = 0
    end: int = 0
    """Where the sentence appears in the text; 0 and 0 for a byline or a line of sources."""
    name: str = ""
    """The publisher's name as it was written, where the report is not among the articles."""
    url: str = ""
    """What is linked to, where the report is not among the articles."""


@dataclass(frozen=True)
class Credits:
    """All that articles say of where they have their report from."""

    inside: tuple[Credit, ...]
    """To other articles."""
    outside: Mapping[str, Credit]
    """By article: to a report that is not among them."""
    mentions: frozenset[tuple[str, str]]
    """Who names or links to whom without words of credit: ids of two articles."""


def article_of(source: Source, document: Document) -> Article:
    """What a source and its text contribute to finding out who has a report from whom."""
    published, seen = date_and_capture(source, document)
    title = source.title or document.title
    read = source.page if source.page and source.page.credits is not None else credits_in(document)
    source_links = {_page_key(url): url for url in document.source_links}
    return Article(
        id=source.id,
        url=source.url,
        domain=source.domain,
        title=title,
        text=document.text,
        published=published,
        author=source.author or document.author or "",
        names=names_of(document.publisher or source.publisher, source.domain),
        # Who checks a report has it from nobody.
        credits=() if source.rating.category == Category.FACT_CHECK else read.credits or (),
        first_hand=read.first_hand,
        source_links=source_links,
        linked=frozenset((*source_links, *(_page_key(link.url) for link in document.text_links))),
        score=source.rating.score,
        category=source.rating.category,
        press_release=source.rating.press_release,
        particulars=particulars_of(title, document.text),
        seen=seen,
        language=source.language or document.language,
    )


def _page_key(url: str) -> str:
    """A capture stands for the page that was captured."""
    return comparison_key(original_of(url) or url)


def credits_among(articles: Sequence[Article]) -> Credits:
    """The credits that the articles give one another and to reports that are not among them. Of one publisher's
    articles the one that is linked to is meant, else one that is not later, else the nearest in content."""
    known = _Known(articles)
    inside: list[Credit] = []
    outside: dict[str, Credit] = {}
    mentions: set[tuple[str, str]] = set()
    for article in articles:
        found = _credits_inside(article, known, mentions)
        inside += found
        credit = None if found else next(_credits_outside(article, known), None)
        if credit is not None:
            outside[article.id] = credit
    # A byline counts where another article credits the same publisher in words.
    names = {name_key(credit.name) for credit in outside.values()}
    credited = {credit.article for credit in inside} | outside.keys()
    for article in articles:
        key = key_within(known_as(article.author) or article.author, names)
        if article.id not in credited and key and key not in article.names:
            outside[article.id] = _to_outside(article, article.author, "byline", article.author)
    return Credits(tuple(inside), outside, frozenset(mentions))


class _Known:
    """The articles by their publishers' names and by their addresses, so that not all are compared with all."""

    def __init__(self, articles: Sequence[Article]) -> None:
        self._articles = articles
        self._nearby: dict[str, Neighbours] = {}
        self.by_name: dict[str, list[int]] = defaultdict(list)
        self.by_address: dict[str, Article] = {}
        self.reporters: set[str] = set()
        """Names of those whose trade is reporting."""
        for place, article in enumerate(articles):
            self.by_address.setdefault(_page_key(article.url), article)
            for name in article.names:
                self.by_name[name].append(place)
            self.reporters |= article.names if article.reports else frozenset()

    def named(self, name: str, by: Article, *, called_press: bool) -> Iterator[Article]:
        """The articles of a publisher that can be meant by this name. Of publishers whose trade is not known to be
        reporting only where whoever credits them calls them press."""
        key = key_within(name, self.by_name)
        places = self.by_name[key] if key else []
        if len(places) > _MANY:
            if key not in self._nearby:
                self._nearby[key] = Neighbours()
                for place in places:
                    self._nearby[key].add(place, self._articles[place].particulars)
            places = self._nearby[key].nearest(by.particulars)
        for place in places:
            each = self._articles[place]
            may_report = called_press and each.category not in _NO_REPORTER and not each.press_release
            if each.domain != by.domain and key not in by.names and (each.reports or may_report):
                yield each


def _credits_inside(article: Article, known: _Known, mentions: set[tuple[str, str]]) -> list[Credit]:
    """The credits of one article to others, one for each publisher. Whom it only names is added to `mentions`."""
    best: dict[str, tuple[tuple[object, ...], Credit]] = {}
    for other, credit, kind in _candidates(article, known):
        likeness = alike(article.particulars, other.particulars)
        linked = _page_key(other.url) in article.linked
        if not _may_be_meant(article, other, likeness, linked=linked, possible=kind is CreditKind.POSSIBLE):
            continue
        if kind is CreditKind.MENTION:
            mentions.add((article.id, other.id))
            continue
        order = (not linked, later(other.published, article.published), -likeness, other.id)
        if other.domain not in best or order < best[other.domain][0]:
            best[other.domain] = (order, replace(credit, alike=likeness))
    return [credit for _, credit in best.values()]


def _candidates(article: Article, known: _Known) -> Iterator[tuple[Article, Credit, CreditKind]]:
    """The articles that one may credit, with the credit and its kind."""
    if len({registrable_domain(url) for url in article.source_links.values()} - {article.domain}) < 2:
        # Who gives several sources has made something else of them.
        for key, url in article.source_links.items():
            other = known.by_address.get(key)
            if other is not None and other.domain != article.domain:
                yield other, Credit(article.id, other.id, 0.0, "link", url), CreditKind.PRESS
    if article.author:
        for other in known.named(article.author, article, called_press=False):
            yield other, Credit(article.id, other.id, 0.0, "byline", article.author), CreditKind.PRESS
    for each in article.credits:
        other = known.by_address.get(_page_key(each.url)) if each.url else None
        meant = [other] if other is not None and other.domain != article.domain else []
        meant += known.named(each.name, article, called_press=each.kind is CreditKind.PRESS) if each.name else ()
        for other in meant:
            yield other, Credit(article.id, other.id, 0.0, "words", each.quote, each.start, each.end), each.kind


def _may_be_meant(article: Article, other: Article, likeness: float, *, linked: bool, possible: bool) -> bool:
    """Whether two articles can be of one report: enough of what they tell is the same, and neither is long after the
    other, unless the one that credits bears a date that cannot be true, which a possible credit does not show."""
    near = near_in_time(article, other)
    if possible and not near:
        return False
    in_two_languages = bool(article.language and other.language) and article.language != other.language
    if linked and in_two_languages and not possible:
        # Of two languages the words show nothing; who credits what he links to has read it.
        return near
    shared, part = common(article.particulars, other.particulars)
    same = likeness >= _SAME_WORDS or (shared >= _FEWEST_PARTICULARS and part >= _SAME_PARTICULARS)
    if not (same or (linked and shared >= _LINKED_PARTICULARS)):
        return False
    if article.published is None or other.published is None or near:
        return True
    return article.published.at < other.published.at and same


def near_in_time(article: Article, other: Article) -> bool:
    """Whether two articles were published within the days in which a report is taken over, as far as is known."""
    if article.published is None or other.published is None:
        return True
    return abs(article.published.at - other.published.at) <= _WINDOW


def _credits_outside(article: Article, known: _Known) -> Iterator[Credit]:
    """The credits of an article to reports of publishers that none of the articles is from, linked ones first."""
    for each in sorted(article.credits, key=lambda each: not each.url):
        if each.kind is not CreditKind.PRESS:
            continue
        if each.url and (
            _page_key(each.url) in known.by_address or registrable_domain(each.url) in ("", article.domain)
        ):
            continue
        key = key_within(each.name, known.by_name)
        if not each.url and (not name_key(each.name) or key in article.names or key in known.reporters):
            continue
        yield replace(
            _to_outside(article, each.name or registrable_domain(each.url), "words", each.quote),
            start=each.start,
            end=each.end,
            url=each.url,
        )


def _to_outside(article: Article, name: str, how: str, quote: str) -> Credit:
    called = known_as(name) or folded_name(name)
    return Credit(article.id, f"{UNREAD}{called}", 1.0, how, quote, name=called)


def lines_of_sources(articles: Sequence[Article]) -> list[Credit]:
    """Where the articles' lines of sources lead to, as far as that is not among them. It may be the report that an
    article is made from, or a table that it used: only reading it shows which."""
    known = {_page_key(article.url) for article in articles}
    found: dict[str, Credit] = {}
    for article in articles:
        for key, url in article.source_links.items():
            if key not in known and registrable_domain(url) != article.domain:
                name = registrable_domain(url)
                found.setdefault(key, Credit(article.id, f"{UNREAD}{name}", 1.0, "link", url, name=name, url=url))
    return list(found.values())


def is_unread(id: str) -> bool:
    """Whether it is the id of a report that is not among the articles."""
    return id.startswith(UNREAD)


def publisher_named(id: str) -> str:
    """The publisher of such a report, by its id, as a name."""
    return id.removeprefix(UNREAD).title()


def later(first: Published | None, second: Published | None) -> bool:
    """Whether the first is certainly later than the second, as exactly as both are known."""
    if first is None or second is None:
        return False
    return first.at > second.latest
