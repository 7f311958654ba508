"""Credits: the articles or publishers that an article names as the source of its report.

Credits are values from a model that read the page (`Source.page`), else from the local reader (`sources.credits`). This
module resolves each to one of the articles, or to a publisher whose report is not among them. Links outside the text of
an article are not credits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from inquest.domain.claim import Excerpt
from inquest.domain.document import Document, Published
from inquest.domain.source import Category, CreditKind, PageCredit, Source
from inquest.sources.credits import credits_in
from inquest.sources.dating import date_and_capture
from inquest.sources.originals import original_of
from inquest.sources.owners import OFFICIAL
from inquest.sources.publisher_names import folded_name, is_press_name, key_within, known_as, name_key, names_of
from inquest.stories.likeness import Particulars, alike, common, particulars_of
from inquest.text.urls import comparison_key, registrable_domain

UNREAD = "unread "
"""Prefix of the ids of reports that are credited but not among the articles; the publisher's name follows."""

_WINDOW = timedelta(days=21)
"""Reports are picked up within days; an article that credits one later refers back to it."""
_SAME_WORDS = 0.22
"""Minimum share of content words and figures that two texts of one report have in common (Dice), ..."""
_SAME_PARTICULARS, _FEWEST_PARTICULARS = 0.5, 4
"""... or minimum share and number of figures and names, for texts in different languages; ..."""
_LINKED_PARTICULARS = 2
"""... this number is enough for a linked article, and for one of a press credit in another language."""
_NO_REPORTER = OFFICIAL | {
    Category.STANDARDS, Category.COMPANY, Category.PRESS_RELEASE, Category.SCHOLARLY, Category.ENCYCLOPEDIA,
    Category.SOCIAL,
}  # fmt: skip
"""Publishers that do not report: 'the authority reported' is a statement, and only a link or a release shows that its
page is meant."""


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
    """Keys of the names that others may use for its publisher."""
    credits: tuple[PageCredit, ...]
    """The sources that it gives for its report."""
    first_hand: Excerpt | None
    """The words that show first-hand reporting."""
    source_links: Mapping[str, str]
    """Addresses in its line of sources, by comparison key."""
    linked: frozenset[str]
    """Comparison keys of all links in its text and its line of sources."""
    score: int
    category: str
    press_release: bool
    particulars: Particulars
    seen: datetime | None = None
    """Time of its earliest capture in an archive."""
    readable: bool = True
    """False for a report known only from the articles that credit it."""
    language: str | None = None
    """ISO 639-1; None if unknown."""

    @property
    def official(self) -> bool:
        """True if a public body published it."""
        return self.category in OFFICIAL or self.category == Category.STANDARDS

    @property
    def reports(self) -> bool:
        """True if its publisher reports news, so that naming it credits it. An unrated publisher must have the name of
        a news outlet: 'Norvane reported a profit' credits nobody."""
        if self.category == Category.UNKNOWN:
            return any(map(is_press_name, self.names))
        return self.category not in _NO_REPORTER and not self.press_release

    @property
    def unnamed(self) -> frozenset[CreditKind]:
        """The kinds of unnamed sources that it credits."""
        return frozenset(each.kind for each in self.credits if not each.name and not each.url)


@dataclass(frozen=True, slots=True)
class Credit:
    """A statement of `article` that it takes its report from `origin`."""

    article: str
    origin: str
    alike: float
    """Share of their content words that the two have in common, 0 to 1."""
    how: str = "words"
    """Form of the credit: words, byline or link."""
    quote: str = ""
    """The crediting sentence, verbatim; for a byline or a line of sources, the name or address in it."""
    start: int = 0
    end: int = 0
    """Place of the sentence in the text; 0 and 0 for a byline or a line of sources."""
    name: str = ""
    """The publisher's name as written, if the report is not among the articles."""
    url: str = ""
    """The linked address, if the report is not among the articles."""


@dataclass(frozen=True)
class Credits:
    """All credits of a set of articles."""

    inside: tuple[Credit, ...]
    """Credits to other articles of the set."""
    outside: Mapping[str, Credit]
    """By article: its credit to a report that is not in the set."""
    mentions: frozenset[tuple[str, str]]
    """Pairs of ids: the first article names or links to the second without crediting it."""


def article_of(source: Source, document: Document) -> Article:
    """Return the article of a source and its text."""
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
        # A fact check does not take over the report that it checks.
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
    """The comparison key of a page; for a capture, of the captured page."""
    return comparison_key(original_of(url) or url)


def credits_among(articles: Sequence[Article]) -> Credits:
    """Return the credits of the articles to one another and to other reports. If several articles of a publisher match,
    the linked one is meant, else one that is not later, else the nearest in content."""
    known = _Known(articles)
    inside: list[Credit] = []
    outside: dict[str, Credit] = {}
    mentions: set[tuple[str, str]] = set()
    for article in articles:
        credits = _credits_inside(article, known, mentions)
        inside += credits
        if not credits and (credit := next(_credits_outside(article, known), None)) is not None:
            outside[article.id] = credit
    # A byline counts if another article credits the same publisher in words.
    names = {name_key(credit.name) for credit in outside.values()}
    credited = {credit.article for credit in inside} | outside.keys()
    for article in articles:
        key = key_within(known_as(article.author) or article.author, names)
        if article.id not in credited and key and key not in article.names:
            outside[article.id] = _to_outside(article, article.author, "byline", article.author)
    return Credits(tuple(inside), outside, frozenset(mentions))


class _Known:
    """The articles by their publishers' names and by address, to avoid comparing all with all."""

    def __init__(self, articles: Sequence[Article]) -> None:
        self._articles = articles
        self.by_name: dict[str, list[int]] = defaultdict(list)
        self.by_address: dict[str, Article] = {}
        self.reporters: set[str] = set()
        """Names of publishers that report news."""
        for place, article in enumerate(articles):
            self.by_address.setdefault(_page_key(article.url), article)
            for name in article.names:
                self.by_name[name].append(place)
            self.reporters |= article.names if article.reports else frozenset()

    def named(self, name: str, by: Article, *, called_press: bool) -> Iterator[Article]:
        """The articles of the publisher of this name. `called_press`: the credit shows that it is press."""
        key = key_within(name, self.by_name)
        for place in self.by_name[key] if key else ():
            article = self._articles[place]
            may_report = called_press and article.category not in _NO_REPORTER and not article.press_release
            if article.domain != by.domain and key not in by.names and (article.reports or may_report):
                yield article


def _credits_inside(article: Article, known: _Known, mentions: set[tuple[str, str]]) -> list[Credit]:
    """The credits of one article to others, one for each publisher; mere mentions are added to `mentions`."""
    best: dict[str, tuple[tuple[object, ...], Credit]] = {}
    for other, credit, kind in _candidates(article, known):
        likeness = alike(article.particulars, other.particulars)
        linked = _page_key(other.url) in article.linked
        if not _may_be_meant(article, other, likeness, kind, linked=linked):
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
    # With several sources in its line, an article is a work of its own.
    if len({registrable_domain(url) for url in article.source_links.values()} - {article.domain}) < 2:
        for key, url in article.source_links.items():
            other = known.by_address.get(key)
            if other is not None and other.domain != article.domain:
                yield other, Credit(article.id, other.id, 0.0, "link", url), CreditKind.PRESS
    if article.author:
        for other in known.named(article.author, article, called_press=False):
            yield other, Credit(article.id, other.id, 0.0, "byline", article.author), CreditKind.PRESS
    for credit in article.credits:
        other = known.by_address.get(_page_key(credit.url)) if credit.url else None
        meant = [other] if other is not None and other.domain != article.domain else []
        if credit.name:
            meant += known.named(credit.name, article, called_press=credit.kind is CreditKind.PRESS)
        for other in meant:
            yield other, Credit(article.id, other.id, 0.0, "words", credit.quote, credit.start, credit.end), credit.kind


def _may_be_meant(article: Article, other: Article, likeness: float, kind: CreditKind, *, linked: bool) -> bool:
    """True if a credit can refer to the other article: they share enough content and were published within days.

    The crediting article may be much earlier if its date must be wrong, which a merely possible credit does not show.
    """
    near, certain = near_in_time(article, other), kind is not CreditKind.POSSIBLE
    if not near and not certain:
        return False
    in_two_languages = bool(article.language and other.language) and article.language != other.language
    if linked and in_two_languages and certain:
        # Words cannot be compared across languages, and the author has read the linked page.
        return near
    shared, part = common(article.particulars, other.particulars)
    same = likeness >= _SAME_WORDS or (shared >= _FEWEST_PARTICULARS and part >= _SAME_PARTICULARS)
    translated = in_two_languages and near and kind is CreditKind.PRESS
    # A linked post may have only one figure or name.
    few = shared >= _LINKED_PARTICULARS or (linked and part == 1.0)
    if not (same or ((linked or translated) and few)):
        return False
    if article.published is None or other.published is None or near:
        return True
    return article.published.at < other.published.at and same


def near_in_time(article: Article, other: Article) -> bool:
    """True if two articles were published within the time in which a report is picked up, or a date is unknown."""
    if article.published is None or other.published is None:
        return True
    return abs(article.published.at - other.published.at) <= _WINDOW


def _credits_outside(article: Article, known: _Known) -> Iterator[Credit]:
    """The credits of an article to reports that are not among the articles, linked ones first."""
    for credit in sorted(article.credits, key=lambda each: not each.url):
        if credit.kind is not CreditKind.PRESS:
            continue
        if credit.url:
            if _page_key(credit.url) in known.by_address or registrable_domain(credit.url) in ("", article.domain):
                continue
        else:
            key = key_within(credit.name, known.by_name)
            if not name_key(credit.name) or key in article.names or key in known.reporters:
                continue
        outside = _to_outside(article, credit.name or registrable_domain(credit.url), "words", credit.quote)
        yield replace(outside, start=credit.start, end=credit.end, url=credit.url)


def _to_outside(article: Article, name: str, how: str, quote: str) -> Credit:
    called = known_as(name) or folded_name(name)
    return Credit(article.id, f"{UNREAD}{called}", 1.0, how, quote, name=called)


def lines_of_sources(articles: Sequence[Article]) -> list[Credit]:
    """Return the credits of the articles' lines of sources to other pages. Such a page may be the original report or
    only a table that was used: only reading it shows which."""
    known = {_page_key(article.url) for article in articles}
    found: dict[str, Credit] = {}
    for article in articles:
        for key, url in article.source_links.items():
            name = registrable_domain(url)
            if key not in known and name != article.domain:
                found.setdefault(key, Credit(article.id, f"{UNREAD}{name}", 1.0, "link", url, name=name, url=url))
    return list(found.values())


def publisher_named(id: str) -> str:
    """Return the name of the publisher in the id of a report that is not among the articles."""
    return id.removeprefix(UNREAD).title()


def later(first: Published | None, second: Published | None) -> bool:
    """True if the first is certainly later than the second, given the precision of both."""
    return first is not None and second is not None and first.at > second.latest
