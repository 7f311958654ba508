"""Selection of the article among the leaves of a page, by a library and the structure of the page."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice, pairwise, takewhile

from lxml import etree
from lxml.html import HtmlElement

from inquest.claims.claim_review import verdict_of
from inquest.domain.document import BlockKind
from inquest.domain.reasons import Reason
from inquest.domain.search import ClaimReview
from inquest.readers.documents import NOTE
from inquest.readers.html.leaves import Leaf, address_of, leads_away, leaves, written_cells
from inquest.readers.html.meta import alike, pieces
from inquest.readers.html.regions import COOKIES, LABEL, Regions, is_in, mass_of, regions_of, says
from inquest.readers.html.sheets import select
from inquest.readers.html.tree import HOME, MAX_ELEMENTS, STRUCK, Tree, is_in_text, shown_words
from inquest.text.languages import detect_language
from inquest.text.phrases import language_name
from inquest.text.regex import regex
from inquest.text.written_dates import written_dates

_ENOUGH = 250  # Characters; a shorter result of the library may be a failure, and the page's own sentences are used.
_LEAST = 150  # Characters of sentences below the page's heading that make them its article.
_BODY = 0.7
"""Share of an article's sentences that one element must hold to be its body (token F1 on the 60 pages of
article-extraction-benchmark: 0.9837 at 0.6 to 0.8, 0.980 at 0.9, 0.977 without a body)."""
_SAME_PLACE = 60  # Characters above which a paragraph beside the body that the library left out is included.
_LINKED = 0.8  # Share of links in a block above which it is navigation.
_SHORT = 20  # Letters; shorter blocks must match a whole block of the library's result.
_ITEM = 25  # Characters; on a page with little text, shorter items are counts and buttons.
_WORDS = 6
_LABEL = 100  # Characters of a short line above or below the text: author, date, contributors.
_SPACES = regex(r"[\W_]+")
_WORD = 4  # Letters in common with the title from which a part below the body belongs to it.
_FIGURE = regex(r"\W{0,2}\d")  # The beginning of a key figure and its label.
_PRICE = regex(r"(?=\D*\d)[\W\d]*[$£¥\u20a0-\u20cf][\W\d]*")  # With a sign of Unicode's block of currency symbols.
_NUMBERED = regex(r"[^\W\d_]+\.? \d{1,2}[.:]")
"""The beginning of the caption of a chart or table that the text refers to; captions of photographs are left out."""
_LEADING = regex(r"^\W*\w{1,3}\W+")  # The mark at the start of a note.
_NOTICE, _WALL, _FEWEST = 3_000, 600, 2
"""The longest text, in characters, that may be a notice instead of an article, or a wall with a heading of its own, and
the fewest words of a title."""
_DECK = regex(r"(?:^|[\s_-])(?:subtitle|deck|standfirst|excerpt|lead)(?:$|[\s_-])")
_BOLD = regex(r"font-weight\s*:\s*(?:bold|[6-9]00)")
_LOWER, _PROSE, _CLOCK = regex(r"(?<!\S)(?=[^\W\d_])[^A-Z\s]+"), 4, regex(r"\d[:.h]\d\d\b")
"""Words that do not begin with a capital, how many of them a summary has, and a time of day."""
_NOT_PROSE = ("a", "img", "picture", "figure", "video", "audio", "iframe", "form", "input", "button", "time", "table")
_MARK, _VERDICT = "data-inquest-beside", "verdict"
_PAIR = ("dt", "dd")
_REPLIES = (
    "//*[contains(@itemtype, '/DiscussionForumPosting')]//*[@itemprop='comment']"
    " | //*[contains(@class, 'comment') and //script[contains(., 'DiscussionForumPosting')]]"
)
_ABOUT = "//meta[@property='og:title' or @property='og:description' or @name='description']"
_LIVE = "//script[contains(., 'LiveBlogPosting')] | //*[contains(@itemtype, 'LiveBlogPosting')]"
_OWN_PARTS = (
    "//*[@itemprop='description' and contains(@class, 'teaser')]"
    " | //*[contains(@class, 'footnote') and preceding-sibling::*[1]/descendant-or-self::table]"
)
"""Summaries and the notes below tables."""
_PAPER = "//meta[starts-with(@name, 'citation_')]"
"""The declaration of a scholarly paper (Highwire Press tags, as read by Google Scholar)."""
_DATA = (BlockKind.TABLE, BlockKind.LIST, BlockKind.HEADING)


Article = tuple[list[Leaf], list[str | Reason], str]
"""Its leaves, notes on how it was found, and the beginning of the text below it."""


def article_of(tree: Tree, url: str, title: str, canonical: str | None, reviews: Sequence[ClaimReview] = ()) -> Article:
    """Find the article of a page. `canonical` is the address that the page declares, `reviews` its fact checks.

    The tree is only marked. A page without an article gives its sentences, tables and lists, and one with links only
    gives these as headings, with a note.
    """
    for lead in select(tree.root, _OWN_PARTS):
        lead.attrib.pop("class")  # of this page, not of another
    for rated in select(tree.root, "//*[contains(@class, 'rating')]"):
        if any(verdict_of(str(words)) for words in rated.itertext()):  # of a claim, not by votes of readers
            rated.set("class", (rated.get("class") or "").replace("rating", _VERDICT))
    every = leaves(tree.root)
    found = [leaf for leaf in every if leaf.kind is not BlockKind.WITHDRAWN]
    regions = regions_of(tree.root, found, title, {url, canonical or url})
    # A line that is little more than a time is not part of a text.
    left = [leaf for leaf in found if not leaf.is_time and not is_in(leaf.element, regions.beside)]
    notes: list[str | Reason] = [*_notes_on(regions, tree.root)]
    seeds = _from_library(tree, url, left, regions) if tree.elements <= MAX_ELEMENTS else []
    below = _below_heading(left, seeds or left, regions)
    seeds = _common(seeds, below)
    if sum(len(leaf.text) for leaf in seeds) < _ENOUGH:
        seeds = _own_sentences(below, seeds)
    chosen = _tidied(_in_body(tree.root, seeds, below, title)) or [leaf for leaf in below if leaf.link_share < _LINKED]
    if again := _again(chosen, left, regions, title):
        notes.append("chosen again: the first choice left out the sentences below the page's heading")
        chosen = again
    chosen = [*_deck(chosen, seeds, left, regions.heading), *chosen]
    if chosen:
        lines = left[: left.index(chosen[-1])]
        chosen = _common(left, [*chosen, *_reviewed(tree.root, lines, regions.heading, reviews)])
    chosen = _common(left, [*chosen, *_speakers(chosen, left)])
    chosen = _timed(chosen, found) if select(tree.root, _LIVE) else chosen
    about = (each.get("content") or "" for each in select(tree.root, _ABOUT))
    # The heading of a wall is not that of the page, which its <title> keeps.
    head = next(map(shown_words, tree.root.iter("title")), "") or title
    named = head if _length(chosen) <= _WALL and not alike(head, title) else title
    notes += _doubts(chosen, regions, named, pieces(" ".join((named, *about))))
    if not chosen:
        for leaf in below:
            leaf.kind = BlockKind.HEADING
        return below, ["no text of its own: a list of links to other pages"], ""
    if not any(leaf.is_sentence or leaf.kind is BlockKind.TABLE for leaf in chosen):
        notes.append("no article found: the whole text of the page is kept")
    for holder in _home(tree.root, chosen, regions.heading if says(title, regions.heading) else None):
        holder.set(HOME, "")
    chosen += _notes_below(chosen, found[found.index(chosen[-1]) + 1 :])
    corrections = [leaf for leaf in found if leaf.kind is BlockKind.UPDATE_NOTE]
    notes += [Reason(code="pages.editors", data={"quote": leaf.text[:200]}) for leaf in corrections[:2]]
    after = found[found.index(chosen[-1]) + 1 :]
    rest = "\n\n".join(leaf.text for leaf in after[:6])
    return _with_struck(chosen, every), notes, rest


def _notes_below(chosen: Sequence[Leaf], below: Iterable[Leaf]) -> list[Leaf]:
    """Return the notes to which marks in the text lead right below it; lists of references have a heading."""
    urls = (url for leaf in chosen for url, _, _ in leaf.links if url.startswith(NOTE))
    notes = "\0".join(filter(None, (_squeezed(url.rpartition("\n")[2]) for url in urls)))
    under = takewhile(lambda leaf: leaf.kind is not BlockKind.HEADING, below) if notes else ()
    return [leaf for leaf in under if leaf.is_sentence and _squeezed(_LEADING.sub("", leaf.text[:_LABEL])) in notes]


def _timed(chosen: Sequence[Leaf], found: Sequence[Leaf]) -> list[Leaf]:
    """Add the times of day in the parts of a live report that hold chosen blocks below them."""
    own, known = list[Leaf](), {*chosen}
    for leaf, after in pairwise(found):
        is_clock = leaf.element.find("time") is not None and _CLOCK.search(leaf.text) is not None
        if is_clock and not leaf.is_sentence and after in known and leaf.element in after.element.iterancestors():
            leaf.kind = BlockKind.BYLINE
            own.append(leaf)
    return _common(found, [*chosen, *own])


def _speakers(chosen: Sequence[Leaf], left: Sequence[Leaf]) -> Iterator[Leaf]:
    """Yield the names, in links, with which several parts of one class begin above their text, as in a transcript."""
    firsts, parts = dict[HtmlElement, Leaf](), dict[tuple[object, ...], dict[HtmlElement, Leaf]]()
    for leaf in left:
        for up in takewhile(lambda each: each not in firsts, (leaf.element, *leaf.element.iterancestors())):
            firsts[up] = leaf
    for leaf in chosen:
        above = next((first for up in leaf.element.iterancestors() if (first := firsts[up]) is not leaf), leaf)
        is_line = len(above.text) <= _LABEL and len(_LOWER.findall(above.text)) < _PROSE
        is_name = is_line and not _FIGURE.match(above.text)
        if leaf.is_sentence and is_name and above.link_share >= _LINKED:
            for up in leaf.element.iterancestors():
                if firsts[up] is above:
                    parts.setdefault((up.getparent(), up.tag, up.get("class")), {})[up] = above
    for named in parts.values():
        yield from named.values() if len(named) > 1 else ()


def _deck(chosen: Sequence[Leaf], seeds: Sequence[Leaf], left: Sequence[Leaf], heading: Leaf | None) -> list[Leaf]:
    """Return the lines between the heading and the text that are prose in a part without links, pictures or controls,
    those beside the heading that were found or are a summary by their class, and prices."""
    if heading is None or heading not in left or not chosen:
        return []
    below = left[left.index(heading) + 1 :]
    around = {*heading.element.iterancestors(), *chosen[0].element.iterancestors()}
    labels = {leaf.element.getparent() for leaf in below if leaf.kind is BlockKind.LIST and not _is_prose(leaf)}
    known, deck = {_squeezed(leaf.text) for leaf in chosen}, dict[str, Leaf]()
    for leaf in takewhile(lambda leaf: leaf not in chosen, below):
        if leaf.kind is BlockKind.HEADING and leaf.element.getprevious() is heading.element:
            leaf.kind = BlockKind.PARAGRAPH  # a standfirst
        holder, part = leaf.element.getparent(), _part_of(leaf, heading.element, around)
        is_found = leaf in seeds and leaf.is_sentence and leaf.kind is BlockKind.PARAGRAPH
        is_named = is_found or _DECK.search(leaf.element.get("class") or "") is not None
        is_own = is_named and holder is heading.element.getparent()
        is_line = leaf.is_sentence or leaf.element.tag in ("p", "li") or leaf is below[0]
        is_alone = holder not in labels and next(part.iter(*_NOT_PROSE), None) is None
        if is_own or _PRICE.fullmatch(leaf.text) or (is_line and is_alone and _is_prose(leaf)):
            deck.setdefault(_squeezed(leaf.text), leaf)
    return [leaf for words, leaf in deck.items() if words not in known]


def _reviewed(
    root: HtmlElement, lines: Sequence[Leaf], heading: Leaf | None, reviews: Iterable[ClaimReview]
) -> Iterator[Leaf]:
    """Yield the first line that is the very words of a claim and, below the heading, of its rating, or a verdict by
    its words and class."""
    below = lines[lines.index(heading) + 1 :] if heading in lines else lines
    for each in reviews:
        for words, among in ((each.claim, lines), (each.rating, below)):
            for leaf in among:
                if leaf.link_share >= _LINKED and words in map(str, leaf.element.itertext()):
                    leaf.text, leaf.links, leaf.linked = words, [], 0  # without what the link says of ratings
                if leaf is not heading and _squeezed(leaf.text).casefold() == _squeezed(words).casefold():
                    yield leaf
                    break
    named = {*select(root, f"//*[contains(@class, '{_VERDICT}')]")}
    yield from islice((leaf for leaf in below if is_in(leaf.element, named) and verdict_of(leaf.text)), 1)


def _is_prose(leaf: Leaf) -> bool:
    """Return True for a paragraph or item with words of a sentence, and not only a date and a time of day."""
    is_text = leaf.kind in (BlockKind.PARAGRAPH, BlockKind.LIST) and len(_LOWER.findall(leaf.text)) >= _PROSE
    return is_text and (leaf.is_sentence or not (_CLOCK.search(leaf.text) and written_dates(leaf.text)))


def _home(root: HtmlElement, chosen: Sequence[Leaf], heading: Leaf | None) -> list[HtmlElement]:
    """Return the smallest element that holds the text and the heading, or the outermost <article> that does, and the
    elements in it that hold the text."""
    mass = mass_of(chosen)
    above = set(heading.element.iterancestors()) if heading is not None else set(mass)
    every = list(_holders(root, mass))
    holders = list(takewhile(lambda each: each is root or each in above, every))
    return every[every.index(next((each for each in holders if each.tag == "article"), holders[-1])) :]


def _holders(root: HtmlElement, mass: Counter[HtmlElement]) -> Iterator[HtmlElement]:
    """Yield the elements that hold most of the text (_BODY), from the root inwards."""
    inner: HtmlElement | None = root
    while inner is not None:
        yield inner
        inner = next((child for child in inner if mass[child] >= _BODY * mass[root] > 0), None)


def _again(chosen: Sequence[Leaf], left: Sequence[Leaf], regions: Regions, title: str) -> list[Leaf]:
    """Return the sentences below the page's heading, without a notice on cookies, if most were not chosen and have
    more words of the title; those right below it with the chosen ones, an offer to subscribe, if they have far more."""
    heading = regions.heading
    if heading not in left or not says(title, heading):
        return []
    notice = {leaf.element.getparent() for leaf in chosen} if _is_on_cookies(chosen, title) else set()
    below = [leaf for leaf in left[left.index(heading) + 1 :] if leaf.element.getparent() not in notice]
    if 2 * _length(_common(chosen, below)) >= _length(below):
        lead = list(takewhile(lambda leaf: leaf not in chosen, below))
        named = _titled(title, lead)
        below = [*lead, *chosen] if named and named > 3 * _titled(title, chosen) else []
    elif _titled(title, chosen) >= _titled(title, below):
        return []
    return _tidied(_own_sentences(below, []))


def _is_on_cookies(chosen: Sequence[Leaf], title: str) -> bool:
    """Return True for a short text that names cookies and has hardly a word of the title."""
    named = _length(chosen) <= _NOTICE and any(word in leaf.text.lower() for leaf in chosen for word in COOKIES)
    return named and 3 * _titled(title, chosen) <= sum(map(len, pieces(title)))


def _titled(title: str, found: Iterable[Leaf]) -> int:
    """Count the letters of the title's words in the sentences, without the function words of their language."""
    said = " ".join(leaf.text for leaf in found if leaf.is_sentence)
    return sum(map(len, (pieces(title) & pieces(said)) - _function_words(detect_language(said) or "en")))


@lru_cache(maxsize=32)
def _function_words(language: str) -> frozenset[str]:
    """Return the frequent words of a language as `pieces` has them ('auf', 'dans'), if the library lists them; none of
    English, which `pieces` leaves out."""
    from justext import get_stoplist

    try:
        return frozenset() if language == "en" else pieces(" ".join(get_stoplist(language_name(language))))
    except ValueError:
        return frozenset()


def _length(found: Iterable[Leaf]) -> int:
    return sum(len(leaf.text) for leaf in found if leaf.is_sentence and leaf.link_share < 0.5)


def _common(one: Iterable[Leaf], other: Iterable[Leaf]) -> list[Leaf]:
    known = set(other)
    return [leaf for leaf in one if leaf in known]


def _doubts(chosen: Sequence[Leaf], regions: Regions, title: str, wanted: frozenset[str]) -> list[str]:
    """Return notes on a text that may be a notice: without a word `wanted`, of the title or the page's description, or
    on cookies and beside buttons."""
    notes: list[str] = []
    if regions.strange > max(_LEAST, _length(chosen)):
        why = "as it has hardly any words of the title (perhaps a consent notice)"
        notes.append(f"left out: most of the page's text, {why}")
    if not 0 < _length(chosen) <= _NOTICE:
        return notes
    is_named = len(pieces(title)) < _FEWEST or says(title, regions.heading)
    around = {leaf.element.getparent() for leaf in chosen if leaf.is_sentence}
    if not is_named and not any(leaf.kind is BlockKind.TABLE or wanted & pieces(leaf.text) for leaf in chosen):
        why = "it may be a notice (such as on consent) and not the article"
        notes.append(f"the text has no word of the page's title: {why}")
    elif _is_on_cookies(chosen, title) or (
        any(word in leaf.text.lower() for leaf in chosen for word in COOKIES)
        and any(each is not None and next(each.iter("button"), None) is not None for each in around)
    ):
        notes.append("the text may be a cookie consent notice instead of the article")
    return notes


def _with_struck(chosen: list[Leaf], every: Sequence[Leaf]) -> list[Leaf]:
    """Add the struck-out passages between or beside the blocks of the article, and the captions and last lines of its
    tables."""
    parents, tables = {leaf.element.getparent() for leaf in chosen}, {leaf.element for leaf in chosen if leaf.table}
    figures = {up for table in tables for up in table.iterancestors("figure")}
    titled = {leaf for leaf in every if leaf.kind is BlockKind.CAPTION and leaf.element.getparent() in figures}
    own = {*chosen, *titled, *(leaf for leaf in every if leaf.element in tables)}
    within = every[every.index(chosen[0]) : every.index(chosen[-1])]
    beside = (leaf for leaf in every if leaf.element in parents or leaf.element.getparent() in parents)
    own |= {leaf for leaf in (*within, *beside) if leaf.kind is BlockKind.WITHDRAWN}
    return [leaf for leaf in every if leaf in own]


def _notes_on(regions: Regions, root: HtmlElement) -> list[str]:
    if regions.is_list:
        return ["a list of articles on other pages, with the beginning of each"]
    if any(is_in(each, regions.beside) for each in select(root, _REPLIES)):
        return ["replies of the discussion left out"]
    if not regions.others:
        return []
    count = "another article" if regions.others == 1 else f"{regions.others} other articles"
    return [f"{count} on the page left out"]


def _from_library(tree: Tree, url: str, left: Sequence[Leaf], regions: Regions) -> list[Leaf]:
    """Return the leaves that the library takes for the article."""
    from trafilatura import bare_extraction

    # The library logs discarded pages as errors.
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    for element in regions.beside:
        element.set(_MARK, "")
    # The library drops <time> elements, even within sentences, and short blocks with an empty link or of links.
    times = [each for each in tree.root.iter("time") if is_in_text(each)]
    anchors = [each for each in tree.root.iter("a") if not leads_away(address_of(each))]
    # Of several articles below the page's heading, which are its sections, the library reads the first.
    side_by_side = select(tree.root, "//article[preceding-sibling::article or following-sibling::article]")
    around = [*regions.heading.element.iterancestors("article")] if regions.heading else side_by_side
    sections = [each for each in side_by_side if not (around or is_in(each, regions.beside))]
    renamed = [(each, each.tag) for each in (*times, *anchors, *sections)]
    for each, tag in renamed:
        each.tag = "div" if tag == "article" else "span"
    extracted = bare_extraction(
        tree.root, url=url or None, fast=True, include_comments=False, prune_xpath=f"//*[@{_MARK} or @{STRUCK}]"
    )
    for each, tag in renamed:
        each.tag = tag
    body = getattr(extracted, "body", None)
    if body is None:
        return []
    etree.strip_tags(body, "hi", "ref", "graphic", "del", "code")
    for table in body.iter("table"):
        table[:], table.text = [], "".join(map(str, table.itertext()))  # a table is one block
    blocks = [block for words in body.itertext() if (block := _squeezed(str(words)))]
    apart, joined = "\0".join(["", *blocks, ""]), "".join(blocks)
    tables = [_squeezed(table.text or "") for table in body.iter("table")]
    texts = (_squeezed(leaf.text) for leaf in left)
    found = (f"\0{words}\0" in apart if len(words) < _SHORT else words in joined for words in texts)
    return [
        leaf for leaf, is_found in zip(left, found, strict=True) if is_found or (leaf.table and _is_of(tables, leaf))
    ]


def _is_of(tables: Sequence[str], leaf: Leaf) -> bool:
    """Return True if one of the library's tables has most of a table: it loses lists in cells, and has cells once,
    whatever they span."""
    cells = [_squeezed(cell) for cell in written_cells(leaf.element)]
    return any(2 * sum(len(cell) for cell in cells if cell in words) > sum(map(len, cells)) for words in tables)


def _squeezed(text: str) -> str:
    return _SPACES.sub("", text)


def _below_heading(left: list[Leaf], seeds: Sequence[Leaf], regions: Regions) -> list[Leaf]:
    """Return the leaves below the article's heading, where labels and tickers are above it, if most seeds are there."""
    below = left[left.index(regions.heading) + 1 :] if regions.heading in left else []
    length = sum(len(leaf.text) for leaf in seeds)
    return below if 2 * sum(len(leaf.text) for leaf in _common(seeds, below)) > length else left


def _own_sentences(left: Iterable[Leaf], seeds: Sequence[Leaf]) -> list[Leaf]:
    """Return the seeds and everything else that reads as text, or nothing if only headings and labels remain."""
    found = set(seeds)
    left = list(left)
    items = [leaf for leaf in left if leaf.kind is BlockKind.LIST]
    lists = {leaf.element.getparent() for leaf in items if len(leaf.text) > _ITEM}
    lists |= {leaf.element.getnext() for leaf in left if leaf.is_sentence and leaf.element.tag == "p"}
    kept = [
        leaf
        for leaf in left
        if leaf in found or (leaf.link_share < 0.5 and (_states(leaf) or leaf.kind in _DATA))
        if leaf.kind is not BlockKind.LIST or leaf.element.getparent() in lists
    ]
    return kept if any(_states(leaf) or leaf.kind is BlockKind.TABLE for leaf in kept) else []


def _states(leaf: Leaf) -> bool:
    return leaf.is_sentence or (leaf.element.tag == "p" and leaf.text.count(" ") >= _WORDS)


def _in_body(root: HtmlElement, seeds: Sequence[Leaf], left: Sequence[Leaf], title: str) -> list[Leaf]:
    """Return the seeds in the one element that holds most of them, and the paragraphs and pairs of <dl> beside them."""
    if len(seeds) > 1 and not any(leaf.is_sentence and leaf.table is None for leaf in seeds):
        around = set[HtmlElement].intersection(*({*leaf.element.iterancestors()} for leaf in seeds))
        return [leaf for leaf in left if around <= {*leaf.element.iterancestors()}]  # tables and labels alone
    single = {leaf.element for leaf in seeds} - {root}  # a single paragraph is never the body
    holders = list(takewhile(lambda each: each not in single and each.tag != "dl", _holders(root, mass_of(seeds))))
    blocks = (leaf.element for leaf in seeds if leaf.kind is not BlockKind.HEADING)
    count = Counter(up for element in blocks for up in element.iterancestors())
    *_, body = holders
    whole = next(each for each in holders if count[each] == count[body])
    data = (leaf.element for leaf in seeds if count[body] == 1 or leaf.table or leaf.element.tag == "dd")
    if any(_is_alike(up, whole) for element in data for up in element.iterancestors()):
        body = holders[holders.index(whole) - 1]  # of several parts
    within = [leaf for leaf in left if body in (leaf.element, *leaf.element.iterancestors())]
    chosen = set(seeds)
    for leaf in within:
        direct = leaf.is_sentence and leaf.link_share < 0.5 and body in (leaf.element, leaf.element.getparent())
        if leaf.kind is BlockKind.UPDATE_NOTE or _is_exhibit(leaf) or (direct and len(leaf.text) > _SAME_PLACE):
            chosen.add(leaf)
    entries = {_entry(leaf) for leaf in chosen if leaf.element.tag != "dt"} - {None}  # whole, as a table is
    parts = (leaf for leaf in within if leaf.element.tag in _PAIR or leaf.link_share < 0.5)
    chosen |= {leaf for leaf in parts if _entry(leaf) in entries}
    text = [leaf for leaf in chosen if leaf.is_sentence or leaf.element.tag == "dd"]
    held = {_holder(leaf) for leaf in text}
    filled = {up for leaf in text for up in (leaf.element, *leaf.element.iterancestors())}
    chosen |= {leaf for leaf in within if leaf.kind is BlockKind.HEADING and leaf.element.getnext() in filled}
    # Headings, bold lines and short items directly above a chosen block, with others of it around, belong to the text.
    for leaf, below in reversed(list(pairwise(within))):
        bold = (each for each in leaf.element if each.tag in ("b", "strong") or _BOLD.search(each.get("style") or ""))
        is_own = leaf.kind in (BlockKind.HEADING, BlockKind.LIST) or leaf.text in map(shown_words, bold)
        is_label = below.table is not None and leaf.element is below.element.getparent()
        is_beside = is_label or (is_own and _holder(leaf) in held and _holder(leaf) is _holder(below))
        if is_beside and below in chosen and leaf.link_share < 0.5:
            chosen.add(leaf)
    own = {*(leaf for leaf in within if leaf in chosen), *_parts_beside(body, seeds, title)}
    return [leaf for leaf in left if leaf in own]


def _is_alike(part: HtmlElement, body: HtmlElement) -> bool:
    """Return True for another part of the same parent with the same class or other attributes."""
    is_beside = part is not body and part.getparent() is body.getparent() and part.tag == body.tag
    return is_beside and (part.get("class", "") == body.get("class") or part.items() == body.items() != [])


def _is_exhibit(leaf: Leaf) -> bool:
    """Return True for a quote in a <figure>, the caption of a quote or a numbered figure, and a callout."""
    figure = next(leaf.element.iterancestors("figure"), None)
    is_numbered = leaf.kind is BlockKind.CAPTION and _NUMBERED.match(leaf.text) is not None
    is_quoted = figure is not None and next(figure.iter("blockquote"), None) is not None
    return is_numbered or is_quoted or next(leaf.element.iterancestors("aside"), None) is not None


def _parts_beside(body: HtmlElement, seeds: Sequence[Leaf], title: str) -> Iterator[Leaf]:
    """Yield the seeds in other parts of the <main>, <article> or layout table around the body: rows and parts with
    sentences that are not in the body too (parts below it, with a word of the title), tables, or several key figures; a
    heading belongs to the part below it."""
    around = list(body.iterancestors())
    every = (body, *around)
    home = [up for up in every if up.tag in ("article", "main")][-1:] or [up for up in every if up.tag == "table"][-1:]
    parts = [(part, list(group)) for part, group in groupby(seeds, lambda leaf: _part_of(leaf, body, set(around)))]
    text = _squeezed(" ".join(leaf.text for part, group in parts if part is body for leaf in group))
    sections = (leaf.element.tag for leaf in seeds if leaf.kind is BlockKind.HEADING and leaf.element.tag != "h1")
    level = next(sections, "") if select(body.getroottree().getroot(), _PAPER) else ""
    taken, is_below = False, True
    for part, group in reversed(parts):
        is_below = is_below and part is not body
        if any(leaf.kind is not BlockKind.HEADING or leaf.element is not part for leaf in group):
            own = [leaf for leaf in group if leaf.link_share < 0.5 and leaf.kind is not BlockKind.HEADING]
            states = any(leaf.is_sentence and _squeezed(leaf.text) not in text for leaf in own)
            is_section = group[0].element.tag == level or part.tag == "tr"
            states = states and (not is_below or is_section or _titled(title, own) >= _WORD)
            figures = sum(_FIGURE.match(leaf.text) is not None for leaf in own) > 1
            taken = part is body or states or figures or any(leaf.table for leaf in own)
        if taken and part is not body and set(home) & set(part.iterancestors()):
            yield from group


def _part_of(leaf: Leaf, body: HtmlElement, around: set[HtmlElement]) -> HtmlElement:
    """Return the outermost element around a leaf that does not hold the body."""
    every = (leaf.element, *leaf.element.iterancestors())
    return next((up for up in every if up is body or up.getparent() in around), leaf.element)


def _holder(leaf: Leaf) -> HtmlElement | None:
    """Return the element that holds a block, or the whole list of an item."""
    return next((up for up in leaf.element.iterancestors() if up.tag not in ("ul", "ol", "li", "dl")), None)


def _entry(leaf: Leaf) -> HtmlElement | None:
    """Return the element of the list item that a block belongs to, or the <dl> of a pair."""
    is_part = leaf.kind is BlockKind.LIST or leaf.element.tag in _PAIR
    around = (leaf.element, *leaf.element.iterancestors()) if is_part else ()
    return next((up for up in around if up.tag in ("li", "dl")), None)


def _tidied(chosen: list[Leaf]) -> list[Leaf]:
    """Drop navigation, repetitions and labels; short lines above and below the text become bylines."""
    kept: list[Leaf] = []
    seen: set[str] = set()
    for leaf in chosen:
        words = _squeezed(leaf.text)
        # A label in an element of its own counts for nothing: 'See also:' and a link, 'Most read' and a link.
        apart = map(shown_words, leaf.element.iterchildren("b", "strong", "span") if leaf.links else ())
        begun = (each for each in apart if leaf.text.startswith(each) and (each[-1:] == ":" or LABEL.fullmatch(each)))
        label = len(next(begun, ""))
        leads_away = leaf.linked >= _LINKED * max(1, len(leaf.text.strip("[]")) - label) and not (
            leaf.is_sentence and len(leaf.text) > _SAME_PLACE
        )
        is_spare = (len(words) > _SHORT and words in seen) or LABEL.fullmatch(leaf.text.strip("-–— "))
        if leads_away or (is_spare and leaf.element.tag not in _PAIR):
            continue
        seen.add(words)
        kept.append(leaf)
    while kept and kept[-1].kind is BlockKind.HEADING:
        kept.pop()
    if any(leaf.is_sentence for leaf in kept):
        for order in (kept, kept[::-1]):
            for leaf in order:
                is_label = len(leaf.text) <= _LABEL and leaf.element.tag not in _PAIR and not leaf.is_sentence
                if leaf.kind is not BlockKind.PARAGRAPH or not is_label:
                    break
                leaf.kind = BlockKind.BYLINE
    return kept
