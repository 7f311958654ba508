"""Who says that they have a report from whom: the explicit evidence of how a story spread.

A credit is a sentence with words of credit around a publisher's name or a link, a byline or a dateline with an agency's
name, or the line that names an article's source. A link without such words says that two pages have to do with each
other, and no more; what a page links to around its article says nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from inquest.domain.document import Document, Published
from inquest.domain.source import Category, Source
from inquest.sources.captures import original_of
from inquest.sources.dating import date_and_capture
from inquest.stories.credit_tables import credit_words
from inquest.stories.matter import NO_MATTER, Matter, Neighbours, alike, common, matter_of
from inquest.stories.publishers import Sentence, folded_name, head_of, known_as, name_key, names_of, sentence_at
from inquest.text.sentences import Span
from inquest.text.urls import comparison_key, registrable_domain

UNREAD = "unread "
"""How the ids of reports begin that are named and not among the articles; what follows is the publisher's name."""

_WINDOW = timedelta(days=21)
"""A report is taken over within days; who names it later looks back on it."""
_SAME_MATTER = 0.22
"""The least that two texts of one report must share of their carrying words and figures (Dice), ..."""
_SAME_PARTICULARS, _FEWEST_PARTICULARS = 0.5, 4
"""... or of figures and names, where they are in different languages; less where a link shows what is meant."""
_LINKED_PARTICULARS = 2
_MANY = 24
"""Articles of one publisher from which on only the nearest in matter are compared."""
_OFFICIAL = frozenset(
    (
        Category.GOVERNMENT, Category.COURT, Category.REGULATOR, Category.STATISTICS, Category.INTERGOVERNMENTAL,
        Category.STANDARDS,
    )
)  # fmt: skip
_NO_REPORTER = _OFFICIAL | {Category.COMPANY, Category.PRESS_RELEASE, Category.SCHOLARLY, Category.ENCYCLOPEDIA}
"""'The authority reported' is a statement: only a link, or its press release, shows that its page is meant."""
_MAY_REPORT = frozenset((Category.UNKNOWN, Category.BLOG, Category.NGO))
"""Who may be a publisher of reports though neither rating nor name shows it."""


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
    head: tuple[Sentence, ...]
    links: Mapping[str, Sentence | None]
    """What its running text links to, by comparison key, with the sentence; None: its line of sources does."""
    places: Mapping[str, tuple[int, int]]
    """Where the words of these links stand in the text."""
    addresses: Mapping[str, str]
    """The address itself of each of these keys."""
    score: int
    category: str
    press_release: bool
    matter: Matter = NO_MATTER
    """What it is about."""
    seen: datetime | None = None
    """The earliest moment at which an archive found it there."""
    readable: bool = True
    """False: a report that others name, known from them alone."""
    language: str | None = None
    """ISO 639-1, where it is known."""
    one_source: bool = True
    """Whether its line of sources leads to one publisher: who gives several has made something else of them."""

    @property
    def official(self) -> bool:
        """Whether a public body published it."""
        return self.category in _OFFICIAL

    @property
    def reports(self) -> bool:
        """Whether its publisher's trade is reporting, so that to name it is to credit it. Of one that nobody rated the
        name must sound so: 'Norvane reported a profit' credits nobody."""
        if self.category == Category.UNKNOWN:
            return any(name.endswith(credit_words().press) for name in self.names)
        return self.category not in _NO_REPORTER and self.category != Category.SOCIAL and not self.press_release


@dataclass(frozen=True, slots=True)
class Credit:
    """`article` says that it has the report from `origin`."""

    article: str
    origin: str
    alike: float
    """How much of their matter the two share, 0 to 1."""
    how: str = "words"
    """words, byline or link: where it is said."""
    quote: str = ""
    """The sentence that says it, as it stands in the text; of a byline or a line of sources: what is named."""
    start: int = 0
    end: int = 0
    """Where the sentence stands in the text; 0 and 0 for a byline or a line of sources."""
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
    """Who names or links to whom in the text without words of credit: ids of two articles."""
    unnamed: Mapping[str, frozenset[str]]
    """By article: the kinds of sources that it names without a name (authority, posts, media)."""


def article_of(source: Source, document: Document) -> Article:
    """What a source and its text contribute to finding out who has a report from whom."""
    published, seen = date_and_capture(source, document)
    links: dict[str, Sentence | None] = {}
    places: dict[str, tuple[int, int]] = {}
    addresses: dict[str, str] = {}
    for link in document.text_links:
        sentence = sentence_at(document.text, link.start, link.end)
        key = _page_key(link.url)
        if sentence is not None and (key not in links or not _has_credit(links[key], places[key])):
            links[key], places[key], addresses[key] = sentence, (link.start, link.end), link.url
    for url in document.source_links:
        if (key := _page_key(url)) not in links or not _has_credit(links[key], places.get(key)):
            links[key], addresses[key] = None, url
    title = source.title or document.title
    return Article(
        id=source.id,
        url=source.url,
        domain=source.domain,
        title=title,
        text=document.text,
        published=published,
        author=source.author or document.author or "",
        names=names_of(document.publisher or source.publisher, source.domain),
        head=head_of(document.text),
        links=links,
        places=places,
        addresses=addresses,
        score=source.rating.score,
        category=source.rating.category,
        press_release=source.rating.press_release,
        matter=matter_of(title, document.text),
        seen=seen,
        language=source.language or document.language,
        one_source=len({registrable_domain(url) for url in document.source_links} - {source.domain}) < 2,
    )


def _has_credit(sentence: Sentence | None, place: tuple[int, int] | None) -> bool:
    return sentence is None or (place is not None and _credits_linked(sentence, place))


def _page_key(url: str) -> str:
    """A capture stands for the page that was captured."""
    return comparison_key(original_of(url) or url)


def credits_among(articles: Sequence[Article]) -> Credits:
    """The credits that the articles give one another and to reports that are not among them. Of one publisher's
    articles the one that is linked to is meant, else one that is not later, else the nearest in matter."""
    known = _Known(articles)
    inside: list[Credit] = []
    mentions: set[tuple[str, str]] = set()
    unnamed: dict[str, frozenset[str]] = {}
    for article in articles:
        given, named = _credits_of(article, known)
        inside += given
        mentions |= {(article.id, each) for each in named}
        unnamed[article.id] = frozenset(kind for sentence in article.head for kind in sentence.unnamed())
    to_known = {credit.article for credit in inside}
    outside = _outside_credits([each for each in articles if each.id not in to_known], known)
    by_id = {article.id: article for article in articles}
    for id, credit in list(outside.items()):
        meant = known.nameless.get(name_key(credit.name))
        likeness = alike(by_id[id].matter, meant.matter) if meant else 0.0
        if meant and _may_be_meant(by_id[id], meant, likeness, linked=False):
            inside.append(replace(outside.pop(id), origin=meant.id, alike=likeness, name="", url=""))
    return Credits(tuple(inside), outside, frozenset(mentions), unnamed)


class _Known:
    """The articles by their publishers' names and by their addresses, so that not all are compared with all."""

    def __init__(self, articles: Sequence[Article]) -> None:
        self.by_name: dict[str, list[int]] = defaultdict(list)
        self.nameless: dict[str, Article] = {}
        """Those of publishers that nobody rated, whose names sound like nothing: meant where a text calls them one."""
        self._by_address: dict[str, Article] = {}
        self._nearby: dict[str, Neighbours] = {}
        self._articles = articles
        for place, article in enumerate(articles):
            self._by_address.setdefault(_page_key(article.url), article)
            for name in article.names if article.reports else ():
                self.by_name[name].append(place)
            if article.category in _MAY_REPORT and not article.reports:
                for name in article.names:
                    self.nameless.setdefault(name, article)
        self.domains = {article.domain for article in articles}

    def linked(self, key: str) -> Article | None:
        return self._by_address.get(key)

    def named(self, name: str, by: Article) -> Iterable[Article]:
        """The articles of a publisher that can be meant by this name."""
        places = self.by_name[name]
        if len(places) > _MANY:
            if name not in self._nearby:
                self._nearby[name] = Neighbours()
                for place in places:
                    self._nearby[name].add(place, self._articles[place].matter)
            places = self._nearby[name].nearest(by.matter)
        return (self._articles[place] for place in places if self._articles[place].domain != by.domain)


def _credits_of(article: Article, known: _Known) -> tuple[list[Credit], list[str]]:
    """The credits of one article, one for each publisher, and the ids of those that it names without words of
    credit."""
    best: dict[str, tuple[tuple[object, ...], Credit]] = {}
    named: list[str] = []
    for other, credit, linked in _spoken_of(article, known):
        likeness = alike(article.matter, other.matter)
        # Of two languages the words tell nothing; who credits what he links to has read it.
        abroad = linked and credit is not None and credit.how == "words" and _in_two_languages(article, other)
        if not (near_in_time(article, other) if abroad else _may_be_meant(article, other, likeness, linked)):
            continue
        if credit is None:
            named.append(other.id)
            continue
        order = (not linked, later(other.published, article.published), -likeness, other.id)
        if other.domain not in best or order < best[other.domain][0]:
            best[other.domain] = (order, replace(credit, alike=likeness))
    return [credit for _, credit in best.values()], named


def _spoken_of(article: Article, known: _Known) -> Iterator[tuple[Article, Credit | None, bool]]:
    """The articles that one names or links to: with the credit, and whether there is a link. A credit of None: in
    words that are none of credit."""
    to = {key: other for key in article.links if (other := known.linked(key)) and other.domain != article.domain}
    for key, other in to.items():
        sentence = article.links[key]
        if sentence is None:
            yield other, Credit(article.id, other.id, 0.0, "link", other.url) if article.one_source else None, True
        else:
            says = _credits_linked(sentence, article.places[key], other.names) and not _own_work(article)
            yield other, _by_words(article, other, sentence) if says else None, True
    linked = {other.id for other in to.values()}
    for at in _whole(article.author).names(known.by_name):
        for other in known.named(at.name, article):
            if at.name not in article.names:
                yield other, Credit(article.id, other.id, 0.0, "byline", article.author), other.id in linked
    for sentence in article.head:
        for at in sentence.inflected_names(known.by_name):
            if at.name in article.names:
                continue
            says = sentence.credits(at) and not _own_work(article)
            for other in known.named(at.name, article):
                yield other, _by_words(article, other, sentence) if says else None, other.id in linked


def _credits_linked(sentence: Sentence, place: tuple[int, int], names: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence credits what is linked in it: at the linked words, in them, or at the publisher's name."""
    at = sentence.place_of(*place)
    if at is None:
        return False
    words = credit_words()
    if sentence.credits(at) or any(sentence.credits(each) for each in sentence.inflected_names(names)):
        return True
    inside = frozenset(sentence.tokens[at.first : at.last])
    return bool(inside & words.after) and not inside & words.same


def _by_words(article: Article, other: Article, sentence: Sentence) -> Credit:
    return Credit(article.id, other.id, 0.0, "words", sentence.text, *sentence.span)


def _own_work(article: Article) -> bool:
    """Whether it takes its report from nobody: it says so, or it checks the report of others."""
    return article.category == Category.FACT_CHECK or any(
        sentence.has(credit_words().own_work) for sentence in article.head
    )


def _whole(text: str) -> Sentence:
    return Sentence(text, Span(0, len(text)))


def _may_be_meant(article: Article, other: Article, likeness: float, linked: bool) -> bool:
    """Whether two articles can be of one report: enough of their matter is the same, and neither is long after the
    other, unless the one that credits bears a date that cannot be true."""
    shared, part = common(article.matter, other.matter)
    same = likeness >= _SAME_MATTER or (shared >= _FEWEST_PARTICULARS and part >= _SAME_PARTICULARS)
    if not (same or (linked and shared >= _LINKED_PARTICULARS)):
        return False
    if article.published is None or other.published is None or near_in_time(article, other):
        return True
    return article.published.at < other.published.at and same


def _in_two_languages(article: Article, other: Article) -> bool:
    return bool(article.language and other.language) and article.language != other.language


def near_in_time(article: Article, other: Article) -> bool:
    """Whether two articles were published within the days in which a report is taken over, as far as is known."""
    if article.published is None or other.published is None:
        return True
    return abs(article.published.at - other.published.at) <= _WINDOW


# Reports that are named and are not among the articles


def _outside_credits(articles: Sequence[Article], known: _Known) -> dict[str, Credit]:
    """By article: its credit to a report of a publisher that none of the articles is from. A byline counts where
    another article credits the same publisher in words."""
    found: dict[str, Credit] = {}
    for article in articles:
        credit = next(_credited_outside(article, known), None)
        if credit is not None and not _own_work(article):
            found[article.id] = credit
    names = {name_key(credit.name) for credit in found.values()}
    for article in articles:
        if article.id not in found:
            named = {at.name for at in _whole(article.author).names(names)} | (
                {name_key(known_as(article.author))} & names
            )
            if named and named.isdisjoint(article.names):
                found[article.id] = _to_outside(article, article.author, "byline", article.author)
    return found


def _credited_outside(article: Article, known: _Known) -> Iterator[Credit]:
    for key, sentence in article.links.items():
        if known.linked(key) is not None or registrable_domain(article.addresses[key]) == article.domain:
            continue
        if sentence is not None and _credits_linked(sentence, article.places[key]):
            start, end = article.places[key]
            credit = _to_outside(article, article.text[start:end], "words", sentence.text, sentence)
            yield replace(credit, url=article.addresses[key])
    spoken_of = any(sentence.speaks_of_a_publication() for sentence in article.head)
    for sentence in article.head:
        for at in sentence.press(spoken_of=spoken_of):
            key = name_key(at.name)
            if key in known.by_name or key in article.names or not sentence.credits(at):
                continue
            yield _to_outside(article, " ".join(sentence.tokens[at.first : at.last]), "words", sentence.text, sentence)


def _to_outside(article: Article, name: str, how: str, quote: str, sentence: Sentence | None = None) -> Credit:
    start, end = sentence.span if sentence else (0, 0)
    called = known_as(name) or folded_name(name)
    return Credit(article.id, f"{UNREAD}{called}", 1.0, how, quote, start, end, name=called)


def lines_of_sources(articles: Sequence[Article]) -> list[Credit]:
    """Where the articles' lines of sources lead to, as far as that is not among them. It may be the report that an
    article is made from, or a table that it used: only reading it shows which."""
    known = {_page_key(article.url) for article in articles}
    found: dict[str, Credit] = {}
    for article in articles:
        for key, sentence in article.links.items():
            url = article.addresses[key]
            if sentence is None and key not in known and registrable_domain(url) != article.domain:
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
