"""The tree of a page: parsed within limits, laid out as browsers do, without what readers do not see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from itertools import chain, takewhile

from lxml import etree, html
from lxml.html import HtmlElement

from inquest.readers.html.sheets import declared, select
from inquest.readers.plain import OVERLAID, one_line, without_overlays
from inquest.text.lexicon import pattern, word_set
from inquest.text.regex import regex

MAX_ELEMENTS = 10_000
"""Above this, article extraction takes seconds and more than linear time; the whole text is taken instead."""
MAX_TAGS = 1_000_000
"""Maximum number of tags read per page; the text is cut there, and a note says so."""
_MAX_TAGS_IN_A_TREE = 200_000
_SENTENCE = 40
_BEGINNING = 1_000_000  # Characters.
_TOO_DEEP = "ERR_RESOURCE_LIMIT"
_DATA_URI = regex(r"data:[\w/+.-]{1,100};base64,[A-Za-z0-9+/=\s]{2000,}")
DECLARATION = regex(r"^\s*<\?xml[^>]{0,500}\?>")
NOT_XML = regex("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_CLEAR = regex(r"(?:^|;)\s*opacity\s*:\s*0?(?:\.0+)?\s*(?:;|!|$)", re.IGNORECASE)
_MOVING = regex(r"(?:^|;|-)\s*(?:transform|transition|animation|will-change)\b", re.IGNORECASE)
_HIDING_STYLE = pattern(__name__, "hiding_style")
_HIDING_CLASS = regex(r"(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text|mw-editsection)(?:\s|$)", re.IGNORECASE)
_DISPLAY_CLASS = regex(
    r"(?:^|(?<=\s))(?:d-(?:(?P<b>sm|md|lg|xl)-)?|(?P<t>sm|md|lg|xl):)?(?:(?P<none>(?<=-)none|hidden)|block|flex|grid|"
    r"contents|inline(?:-\w+)?|table(?:-\w+)*)(?=\s|$)"
)
"""The display classes of Bootstrap and Tailwind, which hold from a width of the screen upwards."""
_WIDTHS = (None, "sm", "md", "lg", "xl")
_NARROW_CLASS = regex(r"\S*\bhid(?:e|den)-(?:\w+-)*(?:xs|sm|small|mobile|phone)\S*|max-\w+:hidden")
"""Classes of what is hidden on narrow screens alone (Foundation, Bootstrap 3, Tailwind)."""
_MAY_BE_HIDDEN = (
    "//template|//dialog|//*[@hidden or @aria-hidden or @style or contains(@class, 'idden') or contains(@class, 'none')"
    " or contains(@class, 'sr-only') or contains(@class, 'screen-reader') or contains(@class, 'mw-editsection')]"
)
_IN_HEADINGS = "//*[self::h2 or self::h3 or self::h4 or self::h5]//@aria-controls"
_STRUCK_CLASS = regex(r"(?:^|\s)(?:text-)?(?:decoration-)?(?:line|strike)-?through(?:\s|$)", re.IGNORECASE)
"""Classes of Tailwind (line-through), Bootstrap (text-decoration-line-through) and others, whose sheets are apart."""
_OVERLAID = regex(f"({OVERLAID})")
_ROLES = {"rowgroup": "tbody", "row": "tr", "cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}
"""The elements of a table by their roles (WAI-ARIA 1.2, 5.3.4)."""
_COLOUR = regex(r"(?:^|;)\s*color\s*:\s*([^;!]+)", re.IGNORECASE)
_BACKGROUND = regex(r"(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]+)", re.IGNORECASE)
_WHITE = {"white", "#fff", "#ffffff", "rgb(255,255,255)", "rgba(255,255,255,1)", "transparent", "rgba(0,0,0,0)"}
SILENT = word_set(__name__, "silent")
BLOCKS = word_set(__name__, "blocks")
"""The elements that browsers lay out as blocks; all others, unknown ones included, are inline."""
_TAG_NAME = regex(r"</?([a-zA-Z][a-zA-Z0-9:-]*)")
STRUCK = "data-inquest-struck"
"""The attribute of elements whose words the page strikes out."""
OTHER_ARTICLE = "data-inquest-other"
"""The attribute of elements that hold another article."""
HOME = "data-inquest-home"
"""The attribute of the element that holds the text of the page's article, and its heading if it has one."""
SHIFTED = "data-inquest-shifted"
"""The attribute of elements that a style raises ('up') or lowers ('down')."""
_STYLE = regex(
    r"(?P<struck>text-decoration(?:-line)?\s*:[^;}]*\bline-through(?!.*\btext-decoration(?:-line)?\s*:(?!.*through)))|"
    r"(?P<named>(?:vertical-align|font-variant-position)\s*:\s*(?:(?P<super>super|text-top)|sub\b|text-bottom))|"
    r"vertical-align\s*:\s*(?:(?P<up>top\b|\+?[\d.]*[1-9][\d.]*(?:em|ex|px|pt|rem|%))|-\.?\d)|"
    r"(?<![\w-])(?P<edge>(?P<above>top\s*:\s*-|bottom\s*:\s*\+?)|top\s*:\s*\+?|bottom\s*:\s*-)[\d.]*[1-9]",
    re.IGNORECASE | re.DOTALL,
)
_RELATIVE = regex(r"position\s*:\s*relative", re.IGNORECASE)
_SHOWN = regex(r"(?:^|[;\s])(display|visibility)\s*:\s*(\w+)", re.IGNORECASE)
_COUNT, _COUNT_END = regex(r"\d[\d.,]*"), regex(r"data-(?:\w+-)?(?:to|target|count|end|stop)(?:-value|-to)?")
"""The attributes of counters that a script runs up from 0 (Elementor, jQuery countTo, PureCounter, CountUp)."""
_BLOCK_STYLE = regex(r"(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table|list-item|flow-root)\b", re.IGNORECASE)
_KEPT = frozenset(
    "a b base br code del em font i img input link meta s span strike strong sub sup time title wbr".split()
)
"""Inline elements that mean something to what reads the tree later; others become spans."""
_TEXT = _KEPT - {"img", "input"} | {"div", "p", "ul", "ol", "li"}
"""Elements of a figure without a picture, a caption and a heading."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed page. `whole` is False if it was too large, or nested too deeply, for the tree to hold all of its
    text."""

    root: HtmlElement
    elements: int
    whole: bool = True
    every: Sequence[HtmlElement] = ()
    """Its elements as parsed: as long as these are referenced, lxml makes no new objects for them, which would be
    slow."""


def parse(markup: str) -> Tree | None:
    """Parse a page without recursion; return None if it has no elements.

    Only the beginning of a page with very many tags is parsed: it has the metadata, and the rest would exhaust the
    memory of a small machine.
    """
    markup = NOT_XML.sub("", DECLARATION.sub("", markup))
    if "base64," in markup:
        markup = _DATA_URI.sub("data:,", markup)
    if not markup.strip():
        return None
    beginning = markup if markup.count("<") <= _MAX_TAGS_IN_A_TREE else markup[:_BEGINNING]
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, collect_ids=False)
    # The default lookup of lxml.html calls a Python function for every element.
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=html.HtmlElement))
    try:
        root = html.document_fromstring(beginning.encode("utf-8"), parser=parser, ensure_head_body=True)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None
    # Of a page that scripts build, what it describes itself with may be shown without them.
    path = "//meta[@property='og:description' and string-length(@content) > 9]"
    parts = list(root.iter("noscript"))
    about = [one_line(each.get("content") or "") for each in select(root, path)] if parts and _is_bare(root) else []
    for part in parts if about else ():
        part.tag = "div" if about[0] in shown_words(part) else "noscript"
    whole = beginning is markup and not any(entry.type_name == _TOO_DEEP for entry in parser.error_log)
    every = list(root.iter())
    return Tree(root, len(every), whole, every)


def drop_hidden(root: HtmlElement) -> str | None:
    """Remove what the page hides from readers; return a note if this concerns most of its text.

    Hidden are elements with `hidden` or aria-hidden (except beside words for screen readers), templates, inline styles
    that hide, also by the page's own sheets, and text in the colour of its background (white if none is set). The main
    part of a page (its heading and most of its text; with aria-hidden either) is kept: it is behind a dialog.
    """
    found = root.xpath(_MAY_BE_HIDDEN)
    doomed = [element for element in found if _is_hidden(element)] if isinstance(found, list) else []
    whole: int | None = None
    dropped, kept = 0, False
    for element in doomed:
        # Many readable pages hide <body> until a script has run.
        if element.tag in ("html", "body") or element.getparent() is None:
            continue
        length = _long_texts(element)
        covered = element.get("aria-hidden") is not None and not _is_hidden(element, covered=True)
        if length and whole is None:  # counted only for pages that hide whole sentences
            whole = _long_texts(root) + dropped
        is_most, has_heading = 2 * length > (whole or 0), next(element.iter("h1"), None) is not None
        if length and element.tag != "dialog" and ((is_most or has_heading) if covered else (is_most and has_heading)):
            kept = True
            continue
        dropped += length
        element.drop_tree()
    for element in select(root, "//*[@aria-hidden or contains(@class, 'hid')]"):  # which the library would drop
        element.attrib.pop("aria-hidden", None)
        element.set("class", _NARROW_CLASS.sub("", _DISPLAY_CLASS.sub("", element.get("class") or "")))
    if kept:
        return "the page's main part is marked as hidden (as behind a dialog or notice) and was read anyway"
    if 2 * dropped > (whole or 0) > 0:
        return "most of the page's text is hidden by the page and was not read"
    fading = (each for each in select(root, "//*[@style]") if _CLEAR.search(each.get("style") or ""))
    is_read = any(len("".join(map(str, each.itertext()))) > _SENTENCE for each in fading)
    return "text that the page hides until a script fades it in was read" if is_read else None


def _long_texts(element: HtmlElement) -> int:
    """Number of characters in those pieces of an element's text that are as long as a sentence."""
    seen = (each for each in element.iterdescendants() if each.tag not in SILENT)
    lengths = (len(text or "") for each in seen for text in (each.text, each.tail))
    return sum(length for length in lengths if length > _SENTENCE)


def _is_hidden(element: HtmlElement, *, covered: bool = False) -> bool:
    """True for what readers do not see. `covered`: ignore whether it is hidden from screen readers."""
    if element.tag in ("template", "dialog"):
        return element.tag == "template" or element.get("open") is None
    if element.get("hidden", "until-found") != "until-found":
        return True
    if not covered and element.get("aria-hidden", "").lower() == "true" and not _is_spoken_otherwise(element):
        return True
    style = element.get("style")
    if style and (_HIDING_STYLE.search(style) or _is_its_ground(element, style)):
        return True
    if style and _CLEAR.search(style) and not _MOVING.search(style):
        return True
    return _is_hidden_by_class(element.get("class") or "")


def _is_hidden_by_class(names: str) -> bool:
    widest: dict[int, bool] = {}
    for found in _DISPLAY_CLASS.finditer(names):
        width = _WIDTHS.index(found["b"] or found["t"])
        widest[width] = widest.get(width, False) or found["none"] is not None
    return bool(_HIDING_CLASS.search(names)) or (bool(widest) and widest[max(widest)])


def _is_spoken_otherwise(element: HtmlElement) -> bool:
    """True for visible words beside words for screen readers alone, such as a price and what is read out for it."""
    beside = [each for each in (element.getprevious(), element.getnext()) if each is not None]
    return any(_is_hidden_by_class(each.get("class") or "") for each in beside)


def _is_its_ground(element: HtmlElement, style: str) -> bool:
    """True for text in the colour of its background, which is white if none is declared."""
    colour, background = _COLOUR.search(style), _BACKGROUND.search(style)
    if colour is None:
        return False
    shade = "".join(colour[1].lower().split())
    if background:
        return shade == "".join(background[1].lower().split())
    around = ((up.get("style") or "").lower() for up in element.iterancestors())
    return shade in _WHITE and not any("background" in each for each in around)


def visible_text(markup: str) -> str:
    """Return all text of a page outside scripts, styles and navigation, with blocks separated, not yet cleaned.

    Scans up to MAX_TAGS tags in linear time, without a tree or recursion.
    """
    parts: list[str] = []
    place, end, tags = 0, len(markup), 0
    while place < end and tags < MAX_TAGS:
        tags += 1
        tag = markup.find("<", place)
        if tag < 0:
            tag = end
        if tag > place:
            parts.append(unescape(markup[place:tag]).replace("\n", " "))
        if tag == end:
            break
        place = _after_tag(markup, tag, parts)
    return "\n".join(" ".join(line.split()).strip("| ") for line in "".join(parts).split("\n"))


def _after_tag(markup: str, tag: int, parts: list[str]) -> int:
    """Return the offset at which reading continues after `tag`; its effect on the layout is added to `parts`."""
    if markup.startswith("<!--", tag):
        closed = markup.find("-->", tag)
        return closed + 3 if closed >= 0 else len(markup)
    name = _TAG_NAME.match(markup, tag)
    if not name and markup[tag + 1 : tag + 2] not in ("!", "?", "/"):
        parts.append("<")  # a less-than sign
        return tag + 1
    closed = markup.find(">", tag)
    if closed < 0:
        return len(markup)
    word = name[1].lower() if name else ""
    if (word in SILENT or word == "dialog") and markup[tag + 1] != "/":
        if markup[closed - 1] == "/":
            return closed + 1
        ended = re.compile(rf"</{word}\b[^>]{{0,200}}>", re.IGNORECASE).search(markup, closed)
        # Unclosed: only scripts and styles swallow the rest of the page, as in browsers.
        return ended.end() if ended else (len(markup) if word in ("script", "style") else closed + 1)
    if word in ("td", "th"):
        parts.append(" | " if markup[tag + 1] != "/" else " ")
    elif word in ("br", "tr", "li", "option", "dt", "dd"):
        parts.append("\n")
    elif word in BLOCKS:
        parts.append("\n\n")
    return closed + 1


def lay_out(root: HtmlElement) -> None:
    """Change a tree into what a browser shows of it (HTML Standard, 15.3: which elements are blocks).

    Declarative shadow roots replace the content of their hosts, which fills their slots. Ruby readings are removed.
    Elements with the roles of tables become tables. Elements that are neither blocks nor known inline elements become
    spans, or divs if they hold blocks, and so do buttons in running text. Counters show their end. Struck-out, raised
    and lowered text is marked (STRUCK, SHIFTED).
    """
    for template in list(root.iter("template")):
        if (host := template.getparent()) is None:
            continue
        if (template.get("shadowrootmode") or template.get("shadowroot")) in ("open", "closed"):
            _show_shadow(template, host)
        else:
            template.drop_tree()
    for reading in list(root.iter("rt", "rp", "rtc")):
        # Words of the ruby itself that an unclosed reading swallowed stay.
        for piece in reversed([each for each in reading if each.tag in ("rb", "rt", "rp")]):
            reading.addnext(piece)
        if reading.getparent() is not None:
            reading.drop_tree()
    _wrap_overlaid(root)
    _run_counters(root)
    _set_tags(root)
    present = {str(element.tag) for element in root.iter()}
    styled = select(root, "//*[@style]")
    _mark(root, styled)
    _open_panels(root)
    if "math" in present:
        _mark_maths(root)
    unknown = present - BLOCKS - SILENT - _KEPT | (present & {"button", "math"})
    inline = list(root.iter(*unknown)) if unknown else []
    _close_paragraphs(inline)
    items = {child for up in {next(element.iterancestors()) for element in inline} if _lists(up) for child in up}
    headed = {*root.iter("h1", "h2", "h3", "h4", "h5", "h6")}
    for element in inline:
        if element.tag != "button" or is_in_text(element) or headed.intersection(element.iterancestors()):
            element.tag = "div" if element in items or _holds_blocks(element) else "span"
    for element in styled:
        if element.tag == "span" and _BLOCK_STYLE.search(element.get("style") or ""):
            element.tag = "div"


def _run_counters(root: HtmlElement) -> None:
    for counter in select(root, "//*[not(*) and normalize-space()='0' and @*[starts-with(name(), 'data-')]]"):
        ends = (str(value) for name, value in counter.attrib.items() if _COUNT_END.fullmatch(str(name)))
        counter.text = next((end for end in ends if _COUNT.fullmatch(end)), counter.text)


def _wrap_overlaid(root: HtmlElement) -> None:
    """Put characters with a combining stroke overlay each in elements that strike them out."""
    found = root.xpath("//body//text()[not(parent::script)][contains(., '\u0335') or contains(., '\u0336')]")
    for words in found if isinstance(found, list) else ():
        holder, (before, *rest) = words.getparent(), _OVERLAID.split(words)
        place = "tail" if words.is_tail else "text"
        setattr(holder, place, None)
        for struck, after in reversed(list(zip(rest[::2], rest[1::2], strict=True))):
            element = holder.makeelement("s")
            element.text, element.tail = without_overlays(struck), after
            holder.addnext(element) if words.is_tail else holder.insert(0, element)
        setattr(holder, place, before)


def _set_tags(root: HtmlElement) -> None:
    """Give elements with the roles of tables the tags of these, the dates of microformats that of a time, and <center>
    and a <figure> of sentences alone, which the library ignores, that of a division."""
    for element in select(root, "//abbr[@title and contains(@class, 'published')]"):
        element.tag = "time"
        element.set("datetime", element.get("title") or "")
    for element in list(root.iter("center", "figure")):
        is_text = _TEXT.issuperset(each.tag for each in element.iterdescendants()) and _long_texts(element)
        if element.tag == "center" or is_text:
            element.tag = "div"
    for table in select(root, "//*[@role='table' or @role='grid']"):
        table.tag = "table"
        for part in select(table, ".//*[@role and not(self::thead or self::th)]"):
            part.tag = _ROLES.get(part.get("role") or "", part.tag)


def _close_paragraphs(inline: Sequence[HtmlElement]) -> None:
    """End a paragraph before the first block in an element at its end that was never closed, as browsers do."""
    for element in inline:
        first = next((child for child in element if child.tag in BLOCKS), None)
        chain = list(takewhile(lambda up: up.tag != "p", (element, *element.iterancestors())))
        paragraph = chain[-1].getparent()
        is_last = not any(up.getnext() is not None or (up.tail or "").strip() for up in chain)
        if first is not None and paragraph is not None and is_last and element.tag != "button":
            for block in reversed([first, *first.itersiblings()]):
                paragraph.addnext(block)


def is_in_text(element: HtmlElement) -> bool:
    """True if there are words right before or after an element in its block."""
    before, up = element.getprevious(), element.getparent()
    near = (before.tail if before is not None else up.text if up is not None else "") or ""
    return any(char.isalnum() for char in near + (element.tail or ""))


def shown_words(element: HtmlElement, between: str = "") -> str:
    """Return the words of an element on one line, without those struck out; `between` separates its pieces, and a
    space its lines."""
    found = element.xpath(f".//text()[not(ancestor::*[@{STRUCK}])]|.//br")
    pieces = (each if isinstance(each, str) else " " for each in found) if isinstance(found, list) else ()
    return one_line(between.join(pieces))


def _holds_blocks(element: HtmlElement) -> bool:
    return any(True for _ in element.iterdescendants(*BLOCKS))


def _lists(element: HtmlElement) -> bool:
    """Return True for what holds only custom elements of one name, of several words each, as the items of a list."""
    is_bare = element.tag != "p" and len(element) > 1 and "-" in str(element[0].tag)
    pieces = (element.text, *(child.tail for child in element)) if is_bare else ("text",)
    is_loose = any(piece and piece.strip() for piece in pieces)
    return not is_loose and all(each.tag == element[0].tag and " " in shown_words(each) for each in element)


def _show_shadow(template: HtmlElement, host: HtmlElement) -> None:
    light: dict[str, list[HtmlElement]] = {}
    for child in [each for each in host if each is not template]:
        light.setdefault(child.get("slot") or "", []).append(child)
        host.remove(child)
    for slot in list(template.iter("slot")):
        if filled := light.pop(slot.get("name") or "", []):
            slot[:], slot.text = filled, None
    template.tag = "div" if _holds_blocks(template) else "span"


def _mark(root: HtmlElement, with_style: Sequence[HtmlElement]) -> None:
    """Mark what the markup, inline styles and the page's own sheets strike out, raise or lower, and buttons."""
    for element in (*root.iter("del", "s", "strike"), *select(root, "//*[@role='deletion']")):
        element.set(STRUCK, "")
    for element in select(root, "//*[contains(@class, 'through')]"):
        if _STRUCK_CLASS.search(element.get("class") or ""):
            element.set(STRUCK, "")
    for element in root.iter("button"):
        element.set("role", "button")
    shown: dict[tuple[HtmlElement, str], str] = {}
    for element, style in chain(declared(root), ((each, each.get("style") or "") for each in with_style)):
        for shift in _STYLE.finditer(style):
            if shift["struck"] and element.tag not in ("html", "body"):
                element.set(STRUCK, "")
            elif shift["named"] or (not shift["struck"] and _is_moved(element, style, shift["edge"])):
                element.set(SHIFTED, "up" if shift["super"] or shift["up"] or shift["above"] else "down")
        shown |= {(element, name.lower()): value.lower() for name, value in _SHOWN.findall(style)}
    for (element, _), value in shown.items():
        if value in ("none", "hidden", "collapse"):  # the values of both properties that hide
            element.set("hidden", "")


def _is_moved(element: HtmlElement, style: str, edge: str | None) -> bool:
    """Return True if a length in a style makes an index: those of a sheet align words and labels too."""
    is_own = style == element.get("style") or "".join(map(str, element.itertext())).strip().isdigit()
    return is_own and (edge is None or _RELATIVE.search(style) is not None)


def _is_bare(root: HtmlElement) -> bool:
    """Return True for a page that shows no text without its scripts."""
    unseen = {"script", "style", "noscript"}
    return not any(
        text and text.strip() and unseen.isdisjoint(up.tag for up in (holder, *holder.iterancestors()))
        for body in root.iter("body")
        for element in body.iter("*")
        for text, holder in ((element.text, element), (element.tail, element.getparent()))
        if holder is not None
    )


def _open_panels(root: HtmlElement) -> None:
    """Show the closed parts of tabs and of accordions with buttons in headings (ARIA Authoring Practices)."""
    if hidden := select(root, "//*[@hidden]"):
        opened = root.xpath(_IN_HEADINGS)
        controlled = {str(each) for each in opened} if isinstance(opened, list) else set[str]()
        for panel in hidden:
            if panel.get("role") == "tabpanel" or panel.get("id") in controlled:
                panel.set("hidden", "until-found")


def _mark_maths(root: HtmlElement) -> None:
    for source in list(root.iter("annotation", "annotation-xml")):  # which the library would read
        source.drop_tree()
    for element in select(root, "//msup[*[2]]|//msub[*[2]]|//msubsup[*[2]]"):
        if element.tag != "msup":
            element[1].set(SHIFTED, "down")
        if element.tag != "msub":
            element[-1].set(SHIFTED, "up")
    for fraction in select(root, "//mfrac[*[2]]"):
        fraction.text, fraction[0].tail = " ", "/"
