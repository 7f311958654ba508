"""Metadata that a page declares (title, author, publisher, language, address), and the addresses that it links to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from html import unescape
from typing import Any, cast
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

from inquest.claims.claim_review import claim_reviews
from inquest.domain.search import ClaimReview
from inquest.readers.documents import NOBODY, names_in, signed, target_of
from inquest.readers.html.dates import (
    ARTICLE_TYPES,
    around_home,
    before,
    is_other,
    is_other_item,
    is_teaser,
    item_of,
    lines_of,
    lines_of_the_heading,
)
from inquest.readers.html.sheets import select
from inquest.readers.html.tree import HOME, OTHER_ARTICLE, shown_words
from inquest.readers.plain import one_line
from inquest.sources.credits import SOURCE_LABELS
from inquest.sources.dating import BYLINE, IN_BRACKETS
from inquest.text.dates import parse_date
from inquest.text.lexicon import pattern, word_lists
from inquest.text.regex import regex
from inquest.text.sentences import content_words, fold
from inquest.text.urls import clean as clean_url
from inquest.text.urls import host_of, is_web_url
from inquest.text.written_dates import month_comes_first, month_first_in

_ORGANIZATION = regex(r"Organization$|^(?:Corporation|NGO)$")
_MAX_LINKS = 2_000
_ALIKE, _FEWEST = 0.6, 2
"""Share of the shorter headline's words, and the fewest words, that two headlines of one article share."""
_UNSPACED = regex("[\u3040-\u30ff\u4e00-\u9fff\u0e00-\u0e7f]")
_LONGEST_WORDS = 12  # Mean length of words above which a script has no spaces between words.
_FILING = ("dei:entityregistrantname", "dei:documenttype")  # Company and form of a filing (SEC, dei taxonomy).
PERIOD_END = "dei:documentperiodenddate"
"""In a filing, the last day of a year or quarter; in a current report (8-K), the day of the report."""
_FILE_NAME = regex(r"(?=\S*[^\W\d])\S*\d{4}\S*")  # A <title> that is one word with a long number.
_HEADLINES = (
    "(//h1|//h2|//h3)[contains(@class, 'entry-title') or (@itemprop='headline' or @itemprop='name') and "
    "ancestor::*[@itemscope][1][contains(@itemtype, 'Article') or contains(@itemtype, 'Posting')]]"
)
"""The headings of articles by their microdata or microformat (hAtom)."""
_TAGS = word_lists(__name__, "meta_tags")
_NOT_A_NAME = pattern(__name__, "not_a_name")
_MAY_BE_AUTHORS = "//*[@itemprop='author' or @itemprop='inventor' or @rel='author' or {}]".format(
    " or ".join(
        f"contains(translate(concat(@class, @data-component), '{word.upper()}', '{word}'), '{word}')"
        for word in ("author", "byline", "writer", "journalist", "reporter", "ltx_personname")
    )
)
"""Elements that may match _AUTHOR_CLASS."""
_PERSON = (
    "self::*[@itemscope]//*[@itemprop='name'] | .//*[contains(@class, 'username')"
    " or contains(concat(' ', @class, ' '), ' fn ') or contains(concat(' ', @class, ' '), ' p-name ')]"
)
"""The name in a byline by microdata, microformat (hCard) or the class of forums (phpBB, XenForo, vBulletin)."""
_LEADS = ".//span[following-sibling::node()[1][self::span]][not(preceding-sibling::node())][contains(., ' ')]"
"""The first of several elements in a row: a name before a role."""
_AUTHOR_CLASS = regex(
    r"(?:.*[-_])?(?:byline|author|writer|journalist|reporter)(?:[-_]*(?:name|line|content|wrapper|item|block))*"
    r"(?:(?<=name)__\w+)?|ltx_personname",
    re.I,
)
_SEPARATOR = regex(r"\s+[|–—·»•:-]+\s+|\s*\|\s*")  # Between a title and the name of its site.
_LANGUAGE_TAG = regex(r"[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8})*(?=[,;\s]|$)")
_PROSE = 60  # Characters of a paragraph above which it is text.
_ASIDES = frozenset("aside footer form header nav button li".split())
_WORD = regex(r"\w+")
_TWICE = regex(r"^(\S+ .*\S) \1$")  # A name that is written for two widths of a screen.
_MOST = 30  # Pages; more than that is an archive rather than an article.
_DIGIT, _NUMBER = regex(r"\d"), regex(r"\d{1,2}")
_LAST_COMMA = regex(r'(?s)(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+")|,(?=\s*[}\]])')
_NUMBERED = pattern(__name__, "numbered")


@dataclass(frozen=True, slots=True)
class PageMeta:
    """Metadata declared by a page."""

    title: str = ""
    author: str | None = None
    organization: str | None = None
    """An organization declared as the author, other than the publisher: the author if nobody is named."""
    publisher: str | None = None
    language: str | None = None
    month_first: bool | None = None
    """True if numeric dates begin with the month, by language and country; None if unknown."""
    canonical_url: str | None = None
    declared: list[dict[str, Any]] = field(default_factory=list)
    """The articles of its JSON-LD."""
    events: frozenset[date] = frozenset()
    """First and last days of the events of its JSON-LD, and of the year or quarter of a filing."""
    tags: dict[str, list[str]] = field(default_factory=dict)
    """Its meta tags, names in lower case."""
    reviews: tuple[ClaimReview, ...] = ()
    """Fact checks (ClaimReview) published by the page."""


def page_meta(
    root: HtmlElement, tags: dict[str, list[str]], declared: list[dict[str, Any]], url: str, retrieved_at: datetime
) -> PageMeta:
    """Return the metadata from a page's meta tags, its JSON-LD objects, its headings and its title."""
    canonical = _canonical(root, tags, url)
    checked = [node.get("itemReviewed") for node in declared]  # by others
    typed = [(node, _names(node.get("@type"))) for node in declared if not any(node is each for each in checked)]
    written = [node for node, types in typed if any(map(ARTICLE_TYPES.search, types))]
    asked = [node for node, types in typed if "Question" in types]  # An article may have questions and answers too.
    own = {url, canonical or url}
    pages = [node for node, types in typed if any(each.endswith("WebPage") for each in types)]
    # A page may be declared without its article, or beside that of another page.
    tried = (_own_articles(each, root, url, own) for each in (written, asked, pages))
    articles: list[dict[str, Any]] = next(filter(None, tried), [])
    known = {node["@id"]: node for node in declared if "name" in node and isinstance(node.get("@id"), str)}
    articles = [each | {key: _resolved(each.get(key), known) for key in ("author", "publisher")} for each in articles]
    publishers = [name for node in articles for name in _names(node.get("publisher"))]
    publishers += [tags[tag][0] for tag in _TAGS["site"] if tag in tags]
    publisher = next((name[:200] for name in publishers if not is_web_url(name)), None)
    card = tags.get("twitter:data1", []) if BYLINE.match(f"{tags.get('twitter:label1', [''])[0]} ") else []
    makers = [
        one
        for node in articles[:1]
        for each in [node.get("author")]
        for one in (each if isinstance(each, list) else [each])
    ]
    bodies = _names(
        [one for one in makers if isinstance(one, dict) and any(map(_ORGANIZATION.search, _names(one.get("@type"))))]
    )
    site = _SEPARATOR.split(next(map(shown_words, root.iter("title")), ""))[1:]
    others = {*bodies, *site[-1:], *([publisher] if publisher else [])}
    authors = [card, [name for name in _names(makers) if name not in bodies]]
    authors += [
        [part for each in tags[name] if each not in others for part in each.replace(";", ";\n").split("\n")]
        for name in _TAGS["author"]
        if name in tags
    ]
    # A post's heading in Open Graph is its author's name, with the handle that is declared as the profile's.
    handles = {f" (@{name})" for name in tags.get("profile:username", ())}
    authors += [[name[: -len(end)] for name in tags.get("og:title", ()) if name.endswith(end)] for end in handles]
    locales = _locales(root, tags)
    events = [node.get(key) for node in declared for key in ("startDate", "endDate")]
    is_report = any(form.startswith("8-K") for form in tags.get("dei:documenttype", ()))  # else of a year or quarter
    events += [] if is_report else tags.get(PERIOD_END, [])
    return PageMeta(
        _title(root, articles, tags, publisher, url),
        _first_names(authors, publisher),
        _first_names([[name for name in bodies if name not in site]], publisher),
        publisher,
        _language(locales[0]) if locales else None,
        _month_first(root, locales, host_of(url)),
        canonical,
        articles,
        frozenset(day.at.date() for each in events if (day := parse_date(each, now=retrieved_at))),
        tags,
        claim_reviews(declared, url, now=retrieved_at),
    )


def meta_tags(root: HtmlElement) -> dict[str, list[str]]:
    """Return the contents of the meta tags, and of a filing's cover page as tagged in inline XBRL (dei), by name in
    lower case, without the data of other articles."""
    tags: dict[str, list[str]] = {}
    headed = _headed_articles(root)
    for element in select(root, "//meta | //span[starts-with(@name, 'dei:')]"):
        content = "" if _is_elsewhere(element, headed) else _plain(element.get("content") or element.text_content())
        for key in ("property", "name", "itemprop", "http-equiv"):
            name = (element.get(key) or "").strip().lower()
            if name and content:
                tags.setdefault(name, []).append(content)
    return tags


def _headed_articles(root: HtmlElement) -> set[HtmlElement]:
    """Return the <article>s around the headings that the <title> contains, or else around any h1."""
    head = next(map(shown_words, root.iter("title")), "")
    around = [(shown_words(h1), set(_articles_around(h1))) for h1 in root.iter("h1")]
    titled = set[HtmlElement]().union(*(articles for words, articles in around if words and words in head))
    return titled or set[HtmlElement]().union(*(articles for _, articles in around))


def _articles_around(element: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the articles around an element, by name or by type (RDFa)."""
    return (up for up in element.iterancestors() if up.tag == "article" or ARTICLE_TYPES.search(up.get("typeof") or ""))


def _is_elsewhere(element: HtmlElement, headed: set[HtmlElement]) -> bool:
    """Return True for what is in a teaser: outside the article by name, or in an article unlike the `headed` ones."""
    inmost = next(_articles_around(element), None)
    return any(map(is_other, element.iterancestors())) or (bool(headed) and inmost is not None and inmost not in headed)


def json_ld(root: HtmlElement) -> Iterator[dict[str, Any]]:
    """Yield every object in the page's JSON-LD, outermost first. CDATA marks and comments around it and commas behind
    a last item are ignored."""
    for script in root.iter("script"):
        if "ld+json" not in (script.get("type") or "").lower() or not script.text:
            continue
        source = script.text[script.text.find("{") : script.text.rfind("}") + 1]
        waiting = _parsed(source) or _parsed(_LAST_COMMA.sub(r"\g<string>", source))
        while waiting:
            node = waiting.pop(0)
            if isinstance(node, dict):
                yield node
                waiting += [value for value in node.values() if isinstance(value, dict | list)]
            elif isinstance(node, list):
                waiting += [value for value in node if isinstance(value, dict | list)]


def _parsed(source: str) -> list[Any]:
    try:
        return list(json.loads(f"[{source}]", strict=False))
    except (ValueError, RecursionError):
        return []


def _own_articles(articles: list[dict[str, Any]], root: HtmlElement, url: str, own: set[str]) -> list[dict[str, Any]]:
    """Return the declared articles on this page: by address, by a shown headline, or the only one with neither."""
    headed = _headed_articles(root)
    shown = [shown_words(each) for each in root.iter("h1", "title") if not _is_elsewhere(each, headed)]
    pages = {_page(each) for each in own}
    by_address: list[dict[str, Any]] = []
    by_headline: list[dict[str, Any]] = []
    unnamed: list[dict[str, Any]] = []
    for node in articles:
        named = [node.get("url"), node.get("@id"), node.get("mainEntityOfPage")]
        ids = [one.get("@id") or one.get("url") if isinstance(one, dict) else one for one in named]
        # Fragments such as '#article' do not identify a page.
        addresses = {_page(one, url) for one in ids if isinstance(one, str) and one.strip()[:1] not in ("#", "")}
        headlines = [
            _plain(one) for key in ("headline", "name", "alternativeHeadline") if isinstance(one := node.get(key), str)
        ]
        if any(alike(headline, each) for headline in headlines for each in shown):
            (by_address if addresses & pages else by_headline).append(node)
        elif addresses & pages:
            by_address.append(node)
        elif not addresses and not (headlines and shown):
            unnamed.append(node)
    return by_address + by_headline or (unnamed if len(articles) == 1 else [])


def _page(address: str, base: str = "") -> tuple[str, str, str]:
    """Return host, path and query, which identify a page."""
    try:
        parts = urlsplit(clean_url(urljoin(base, address.strip())))
    except ValueError:
        return "", address, ""
    return (parts.hostname or "").removeprefix("www."), parts.path.rstrip("/"), parts.query


def alike(one: str, other: str) -> bool:
    """Return True if two headlines share most of their words (pairs of characters in scripts without spaces), or one
    contains the other, as with a site's name."""
    first, second = pieces(one), pieces(other)
    common = len(first & second)
    return common >= _ALIKE * max(1, min(len(first), len(second))) and common >= min(_FEWEST, len(first))


def pieces(text: str) -> frozenset[str]:
    """Return the comparable words of a text, or pairs of characters in scripts without spaces."""
    words = content_words(text)
    if text.isascii() or (len(words) > len(text) / _LONGEST_WORDS and not _UNSPACED.search(text)):
        return frozenset(words)
    return frozenset(word[place : place + 2] for word in words for place in range(max(1, len(word) - 1)))


def _names(value: Any) -> list[str]:
    found: list[str] = []
    for one in value if isinstance(value, list) else [value]:
        name = one.get("name") if isinstance(one, dict) else one
        found += [_plain(name)] if isinstance(name, str) and _plain(name) else []
    return found


def _resolved(value: Any, known: dict[str, dict[str, Any]]) -> Any:
    """Replace references to other objects of the page, {"@id": ...}, by these objects."""
    if isinstance(value, list):
        return [_resolved(one, known) for one in value]
    is_reference = isinstance(value, dict) and "name" not in value and isinstance(value.get("@id"), str)
    return known.get(value["@id"], value) if is_reference else value


def _plain(text: str) -> str:
    """Put a value of JSON-LD or a meta tag on one line, and resolve entities that were escaped twice."""
    return one_line(unescape(text))


def _title(
    root: HtmlElement, articles: list[dict[str, Any]], tags: dict[str, list[str]], publisher: str | None, url: str
) -> str:
    head = next(map(shown_words, root.iter("title")), "")
    named = (shown_words(each) for each in select(root, _HEADLINES))
    headings = [name for name in named if name and name in head]
    headings = headings if len(headings) == 1 else [each for h1 in root.iter("h1") if (each := shown_words(h1))]
    # Without an h1, the heading that opens the <title>, before the names of a section and the site.
    lesser = dict.fromkeys(map(shown_words, root.iter("h2", "h3") if not headings else ()))
    headings = headings or [each for each in lesser if each and _SEPARATOR.match(head.removeprefix(each))]
    # A line that begins the <title>, not the part of the site in one word that ends it.
    first, *_, last = _SEPARATOR.split(head) * 2
    if last in headings and " " not in last and " " in first and first in map(shown_words, root.iter("p", "a")):
        headings = [first]
    host = host_of(url).removeprefix("www.")
    names = [publisher, *tags.get("og:site_name", ()), *host.split(".")[-2:-1], host]
    names += [shown_words(h1) for h1 in root.iter("h1") if _is_home_link(h1, url)]
    sites = {_squeezed(name) for name in names if name}
    own = [heading for heading in headings if _squeezed(heading) not in sites]
    candidates = [_plain(node["headline"]) for node in articles[:1] if isinstance(node.get("headline"), str)]
    declared = ("og:title", "citation_title", "dc.title", "twitter:title")
    candidates += [tags[name][0] for name in declared if name in tags]
    # A description or the name of a section may be declared in place of the headline.
    agreed = [heading for heading in own if alike(heading, head)]
    candidates = [each for each in candidates if not agreed or any(alike(each, heading) for heading in agreed)]
    candidates += [", ".join(tags[name][0] for name in _FILING)] if tags.keys() >= set(_FILING) else []
    candidates += [head] if IN_BRACKETS.search(head) and not agreed else []
    candidates += headings[:1] if len(headings) == 1 else []
    candidates += [head] if head and not _FILE_NAME.fullmatch(head) else []
    candidates += headings[:1]
    for candidate in candidates:
        title = _without_site(candidate, sites, own)
        if title and _squeezed(title) not in sites:
            return (title if own or not headings else _headed(root, title))[:500]
    return candidates[0][:500] if candidates else ""


def _is_home_link(heading: HtmlElement, url: str) -> bool:
    """Return True for a heading that is only a link to another page, the front page, and so the site's name."""
    link = next(heading.iter("a"), heading)
    target = _page(link.get("href") or url, url)
    return target[1:] == ("", "") and target != _page(url) and shown_words(link) == shown_words(heading)


def _headed(root: HtmlElement, title: str) -> str:
    """Return the only second-level heading that text follows, if that has its words and none of the title's, which is
    then a section's ('News'), and no text precedes it; else the title."""
    found = select(root, "//h2[following-sibling::*[1][self::p]]")
    if len(found) != 1 or select(found[0], f"preceding::p[string-length(normalize-space()) > {_PROSE}]"):
        return title
    heading, (below, *_) = shown_words(found[0]), map(shown_words, found[0].itersiblings())
    return heading if pieces(heading) & pieces(below) and not pieces(title) & pieces(below) else title


def _without_site(title: str, sites: set[str], headings: list[str]) -> str:
    """Strip the site's name from either end of a title, and everything the page's heading lacks."""
    for heading in headings:
        is_first = title.startswith(heading) and _SEPARATOR.match(title, len(heading))
        if is_first or (15 <= len(heading) < len(title) and heading in title):
            return heading
    while (ends := list(_SEPARATOR.finditer(title))) and _squeezed(title[ends[-1].end() :]) in sites:
        title = title[: ends[-1].start()]
    return title.strip()


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold()).removeprefix("the")


def marked_author(root: HtmlElement, meta: PageMeta) -> str | None:
    """Return the author marked in the body, within the article (HOME) or else outside of it and of others, first a
    name that a line below the heading introduces ('By'). A name after a label of sources is not the author's.

    Slow, so used only if the data declare none.
    """
    marked = [each for each in select(root, _MAY_BE_AUTHORS) if next(each.iterancestors("figure"), None) is None]
    above = around_home(root)
    within: dict[object, list[str]] = {}
    outside: dict[object, list[str]] = {}
    for element in marked:
        named = f"{element.get('class') or ''} {element.get('data-component') or ''}".split()
        mark = next(filter(_AUTHOR_CLASS.fullmatch, named), None)
        if not mark and not {"author", "inventor"} & {element.get("itemprop"), element.get("rel")}:
            continue
        around = (element, *element.iterancestors())
        is_claimant = any(up.get("itemprop") == "itemReviewed" for up in around) or _is_source_label(before(element))
        outer = tuple(item_of(element))
        if is_teaser(outer, above) or is_claimant:
            continue
        is_within = any(up.get(HOME) is not None and up.tag != "body" for up in around)
        is_beside = any(up.get(OTHER_ARTICLE) is not None or is_other_item(up) for up in around)
        if not is_beside and (is_within or not any(map(is_other, outer))):
            # The names in one list bear the same mark.
            found = (within if is_within else outside).setdefault((mark, around[1:3][-1]), [])
            # The person's name, without a role.
            person = next(iter(select(element, _PERSON)), element)
            links = [shown_words(link) for link in person.iter("a")]
            rows = [
                (shown_words(each), next(map(shown_words, each.itersiblings()), "")) for each in select(person, _LEADS)
            ]
            leads = [name for name, role in rows if role[:1].isupper() and not any(map(str.islower, name.split()))]
            alone = [name for name in leads if names_in(name) == [name]]
            byline = "\n".join(alone) or person.get("content") or "".join(lines_of(person)) or shown_words(person, " ")
            found += names_in(byline) or links[:1] * (len(links) == 1)
    posted = {name for up in above if (name := up.get("author") or up.get("data-author"))}
    groups = list((within or outside).values()) or ([[*posted]] if len(posted) == 1 else [])
    if len(groups) > 1:
        led = signed("\n" + lines_of_the_heading(root, meta.title)[0]) or ""
        groups.sort(key=lambda names: not any(name in led for name in names))
    return _first_names(groups[:3], meta.publisher)


def _first_names(sources: list[list[str]], publisher: str | None) -> str | None:
    """Return the names of the first source that has any; semicolons separate those that it separates by them, and names
    with commas ('Holm, Ida')."""
    for source in sources:
        spelled = [_TWICE.sub(r"\1", BYLINE.sub("", name).strip(" ,;|·»›")) for name in source]
        named = (name for name in spelled if not _NOT_A_NAME.search(name) and not NOBODY.fullmatch(name))
        names = [name for name in named if name != publisher and 2 < len(name) <= 80]
        if names:
            is_parted = any("," in name for name in names) or any(name.endswith(";") for name in source)
            return ("; " if is_parted else ", ").join(dict.fromkeys(names))[:300]
    return None


def _month_first(root: HtmlElement, locales: list[str], host: str) -> bool | None:
    """Return the order of day and month on which the page's language tags, host and other dates agree."""
    texts = cast("list[str]", root.xpath("//body//text()[contains(., '/')][not(parent::script or parent::style)]"))
    orders = {*month_first_in("\n".join(texts)), *(month_comes_first(each, host) for each in locales or [""])}
    return next(iter(orders - {None})) if len(orders - {None}) == 1 else None


def _locales(root: HtmlElement, tags: dict[str, list[str]]) -> list[str]:
    """Return the tags of the page's language, with regions if given: 'en-GB'."""
    declared = [root.get("lang"), root.get("{http://www.w3.org/XML/1998/namespace}lang"), root.get("xml:lang")]
    declared += [tags[name][0] for name in ("content-language", "og:locale", "dc.language") if name in tags]
    matches = (_LANGUAGE_TAG.match((value or "").strip()) for value in declared)
    return [match[0] for match in matches if match and _language(match[0])]


def _language(locale: str | None) -> str | None:
    """Return the code of a language tag's language, such as 'en' for 'en-GB'; None for one of three letters."""
    code = re.split("[-_]", locale or "")[0].lower()
    return code if len(code) == 2 else None


def _canonical(root: HtmlElement, tags: dict[str, list[str]], url: str) -> str | None:
    named = [link.get("href") for link in root.iter("link") if (link.get("rel") or "").lower() == "canonical"]
    for value in [*named, *tags.get("og:url", [])]:
        try:
            absolute = urljoin(url, (value or "").strip())
        except ValueError:
            continue
        if value and is_web_url(absolute):
            return absolute
    return None


def links_in(root: HtmlElement, url: str) -> tuple[str, ...]:
    """Return up to 2,000 distinct absolute http(s) addresses that the page links to, in order, without its own."""
    base = base_of(root, url)
    found: dict[str, None] = {}
    for anchor in root.iter("a"):
        address = target_of(anchor.get("href") or "", base)
        if address is not None and address != url:
            found[address] = None
        if len(found) >= _MAX_LINKS:
            break
    return tuple(found)


def base_of(root: HtmlElement, url: str) -> str:
    """Return the base address of the page's relative links."""
    base = next((element.get("href") for element in root.iter("base") if element.get("href")), None)
    try:
        return urljoin(url, base) if base else url
    except ValueError:
        return url


def _is_source_label(text: str) -> bool:
    return " ".join(_WORD.findall(fold(text))) in SOURCE_LABELS


def source_links(root: HtmlElement, url: str) -> tuple[str, ...]:
    """Return the targets of source lines within the article (HOME) that consist only of links."""
    base = base_of(root, url)
    found: dict[str, None] = {}
    for anchor in root.iter("a"):
        around = list(anchor.iterancestors()) if _is_source_label(anchor.text_content()) else []
        if any(each.tag in _ASIDES for each in around) or all(each.get(HOME) is None for each in around):
            continue
        address, block = target_of(anchor.get("href") or "", base), around[0]
        own = [block.text or "", *(child.tail or "" for child in block)]
        is_of_links = all(child.tag == "a" for child in block) and not any(map(_WORD.search, own))
        if address and address != url and is_of_links:
            found[address] = None
    return tuple(found)


def further_pages(root: HtmlElement, url: str) -> tuple[str, ...]:
    """Return the addresses of the further pages of an article, in order. They differ from this page's address by a
    number and are linked by that number or as the next page; empty if a number is missing."""
    own, number = _numbered(url)
    found: dict[int, str] = {}
    for link in root.iter("a", "link"):
        target, is_next = (link.get("href") or "").strip(), "next" in (link.get("rel") or "").split()
        if not _DIGIT.search(target):
            continue
        label = "".join(map(str, link.itertext())).strip()
        if not is_next and not _NUMBER.fullmatch(label):
            continue
        address = target_of(target, url) or ""
        base, other = _numbered(address)
        if base == own and (is_next or label == str(other)):
            found.setdefault(other, address)
    following = sorted(page for page in found if number < page <= _MOST)
    if following != list(range(number + 1, number + 1 + len(following))):
        return ()
    return tuple(found[page] for page in following)


def _numbered(url: str) -> tuple[str, int]:
    """Return an address without its page number, and the number or 1."""
    match = _NUMBERED.fullmatch(url)
    if match is None:
        return url.rstrip("/"), 1
    return f"{match['before']}{match['after']}".rstrip("/"), int(match["number"])
