"""Note marks in a page's tree, which are removed; other raised or lowered text is spelled out."""

from __future__ import annotations

from itertools import islice
from urllib.parse import urldefrag

from lxml.html import HtmlElement

from inquest.readers.documents import NOTE
from inquest.readers.html.sheets import select
from inquest.readers.html.tree import BLOCKS, SHIFTED
from inquest.readers.raised import MARK, MARKS, cents, exponent, lowered, raised
from inquest.text.languages import detect_language
from inquest.text.regex import regex
from inquest.text.urls import is_web_url

_ONE = regex(r"\d+|[a-zA-Z]+|[*†‡§¶#]+")
_STYLED = ("span", "b", "strong")
_CENTS = regex(r"\d\d")
_PARTED = regex(r"(?s:.*)(?:[\d%][^\W_]|\d[+−]|[^\W\d_]\d|[a-zß-öø-ÿ][A-ZÀ-ÖØ-Þ])|\W{0,2}\d.{0,20}[^\W_]{2}")
_SLASH = regex(r"\s?[/⁄]\s?")
_HEAD = regex(r"\s*(?:[\[(](\w{1,3})[\])]|(\d{1,3}|[a-z])(?:[.):]\s|\s+(?=[^\W\d_a-z]))|([*†‡§¶#]{1,3}))\s*(?=\w)")
"""The start of a note."""
_BACK = regex(r"^(?:[\^↑↩]|\[\w{1,3}\])[\s\^↑↩]*|[\s↑↩\ufe0e]+$")
"""The link back to a mark, at the start or end of a note."""
_ID = regex(r"_?(?:fn|ftn|foot|end|sdfoot|cite|ref|note|nota)[a-z_]*[-_:.]?(\d{1,3}|[a-z])(?:[-_:.]\w*)?")
_LISTS = (
    "//ol[ancestor-or-self::*[contains(@class, 'note') or contains(@id, 'note') or contains(@class, 'reference')"
    " or contains(@role, 'notes')]]"
)
_OPENERS = "//a[starts-with(@href, '#')]|//*[@role='doc-noteref' or @role='button']"
"""Links to a part of the page, and buttons, which may be marks."""
_ASIDE_ROLES = ("tooltip", "note")
_ASIDES = (
    "//*[@popover or @role='tooltip' or @role='note' or (not(self::a or self::sup)"
    " and (contains(@class, 'note') or contains(@class, 'tooltip') or contains(@class, 'popover')))]"
)
"""Notes that the page may show over or beside their sentence."""
_SHORT = 8  # Characters of a mark; longer text is merely shifted by a style.
_BEFORE = 24  # Characters examined before a mark.
_LONGEST_NOTE = 500
_LONGEST_HEAD = 60  # Characters at the start of a block that are searched for the mark of a note.


def settle_marks(root: HtmlElement, url: str) -> None:
    """Spell out all raised and lowered text of a tree, and replace the marks that lead to a note by empty links.

    A mark leads to a note if it links to a part of the page, or if a note further down begins with it. A possible mark
    without a note is put in brackets: 320 [1]. Requires a tree after tree.lay_out.
    """
    _move_asides(root)
    links = [each for each in select(root, _OPENERS) if _is_set_off(each)]
    shifted = select(root, f"//sup|//sub|//*[@{SHIFTED}]")
    _settle_figures(root)
    if not shifted and not links:
        return
    notes = _notes(root, shifted)
    declared = (root.get("lang") or "")[:2].lower()
    language = declared or detect_language(" ".join(map(_words, islice(root.iter("p"), 20)))) or ""
    marks = dict.fromkeys((*shifted, *links))
    for element in marks:
        text = _words(element)
        if not text or element.getparent() is None or element.tag in BLOCKS:
            continue
        before, after = _before(element), _after(element)
        shift = _shift(element)
        if element.tag == "span" and shift and (len(text) > _SHORT or not before[-1:].strip()):
            continue
        if shift == "down":
            written = lowered(text, before, after)
        elif before.strip() and MARKS.fullmatch(text) and _has_note(element, text, notes, url, before):
            _note(element, text, _note_of(root, element, text, notes))
            continue
        elif not shift and not before.strip():
            continue
        else:
            written = raised(text, before, after, language)
        _replace(element, written)


def _shift(element: HtmlElement) -> str:
    return element.get(SHIFTED) or {"sup": "up", "sub": "down"}.get(str(element.tag), "")


def _settle_figures(root: HtmlElement) -> None:
    """Join the cents of a price to it, and part other figures in elements that only the layout of the page parts."""
    for element in list(root.iter(*_STYLED)):
        text, previous = _words(element), element.getprevious()
        if _CENTS.fullmatch(text) and (written := cents(text, _before(element), _after(element))):
            _replace(element, written)
        elif previous is None or previous.tail or previous.tag not in _STYLED or element.get(SHIFTED):
            continue
        elif _PARTED.fullmatch(_words(previous) + text[:1]):
            names = previous.get("class"), element.get("class")
            # The digits of a counter are alike.
            if all(names) and (names[0] != names[1] or len(text) > 1):
                previous.tail = " "


def _move_asides(root: HtmlElement) -> None:
    """Move the notes that pages show over or beside a sentence, in the middle of its markup, to after its block."""
    for note in reversed(select(root, _ASIDES)):
        block, before = next(note.iterancestors(*BLOCKS), None), _before(note)
        by_class = note.get("popover") is None and note.get("role") not in _ASIDE_ROLES
        is_within = note.tag not in BLOCKS or (not by_class and (note.tail or "").strip())
        if block is None or not is_within or not before.strip() or len(_words(note)) <= _SHORT:
            continue
        if not by_class or before[-1].isalnum():
            note.drop_tree()
            note.tag, note.tail = note.tag if note.tag in BLOCKS else "div", None
            (block.append if block.tag in ("td", "th", "li", "body") else block.addnext)(note)


def _words(element: HtmlElement) -> str:
    return "".join(map(str, element.itertext())).strip()


def _has_note(element: HtmlElement, text: str, notes: dict[str, HtmlElement], url: str, before: str) -> bool:
    if any("footnote" in str(name) for name in element.attrib):
        return True
    below = element.getnext()
    if below is not None and _SLASH.fullmatch(element.tail or "") and _shift(below) == "down":
        return False  # of a fraction
    own = urldefrag(url)[0]
    around = (up for up in element.iterancestors("a") if _words(up) == text)
    for link in (*element.iter("a"), *around):
        target = link.get("href") or ""
        if target.startswith("#") or "noteref" in (link.get("role") or "") or (own and target.startswith(f"{own}#")):
            return True
    return not exponent(text, before, noted=True) and any(mark in notes for mark in _ONE.findall(text))


def _notes(root: HtmlElement, shifted: list[HtmlElement]) -> dict[str, HtmlElement]:
    """Return the notes on the page by the marks at their start, or in their ids."""
    heads = (each for each in shifted if not _before(each).strip() and (each.tail or "").strip())
    found = {_words(each): up for each in heads if (up := each.getparent()) is not None}
    for listed in select(root, _LISTS):
        found |= {str(number): item for number, item in enumerate(listed.iter("li"), 1)}
    for element in root.iter("p", "li", "dd", "dt", "td", "div", "small", "aside"):
        if match := _ID.fullmatch(element.get("id") or ""):
            found[match[1]] = element
        words = "".join(map(str, islice(element.itertext(), 4)))[:_LONGEST_HEAD]
        if match := _HEAD.match(words):
            found[next(mark for mark in match.groups() if mark)] = element
    return found


def _is_set_off(link: HtmlElement) -> bool:
    """Return True for a link or button that is a mark: in brackets, or joined to the word or number before it."""
    text, before = _words(link), _before(link)
    if not (MARKS if link.tag == "a" else MARK).fullmatch(text):
        return False
    joined = bool(before[-1:].strip()) and before[-1] not in "(["
    return text[0] in "[(" or link.get("role") == "doc-noteref" or joined


def _before(element: HtmlElement) -> str:
    """Return the text of the block right before an element."""
    text, at = "", element
    while len(text) < _BEFORE:
        before, up = at.getprevious(), at.getparent()
        if before is not None:
            is_within = before.tag != "br" and before.tag not in BLOCKS
            text = "".join(map(str, before.itertext() if is_within else ())) + (before.tail or "") + text
        elif up is not None:
            is_within, text = up.tag not in BLOCKS, (up.text or "") + text
        nearest = before if before is not None else up
        if nearest is None or not is_within:
            break
        at = nearest
    return text[-_BEFORE:]


def _after(element: HtmlElement) -> str:
    """Return the text right after an element, or that of the next."""
    following = element.getnext() if not element.tail else None
    return element.tail or ("" if following is None or following.tag in BLOCKS else _words(following))


def _note_of(root: HtmlElement, mark: HtmlElement, text: str, notes: dict[str, HtmlElement]) -> HtmlElement | None:
    """Return the element that holds the note of a mark."""
    for link in (*mark.iter("a"), *mark.iterancestors("a")):
        name = urldefrag(link.get("href") or "")[1]
        found = root.get_element_by_id(name, None) if name else None
        while found is not None and found.tag not in BLOCKS:
            found = found.getparent()
        if found is not None:
            return found
    return next((notes[each] for each in _ONE.findall(text) if each in notes), None)


def _note(mark: HtmlElement, text: str, note: HtmlElement | None) -> None:
    """Replace a mark by an empty link to its note, without joining the words around it."""
    around = [up for up in mark.iterancestors("a") if _words(up) == text]
    link = around[-1] if around else mark
    if (link.tail or "")[:1].isalnum() and _before(link)[-1:].isalnum():
        link.tail = f" {link.tail}"
    mark[:], mark.text = [], ""
    link.tag = "a"
    urls = (each.get("href") or "" for each in note.iter("a")) if note is not None else ()
    url = next((each for each in urls if is_web_url(each)), "")
    written = _BACK.sub("", " ".join(_words(note).split()))[:_LONGEST_NOTE] if note is not None else ""
    link.set("href", "\n".join((NOTE + text.strip("[]()"), url, written)))


def _replace(element: HtmlElement, written: str) -> None:
    """Replace an element with plain text, without joining the words around it."""
    tail = element.tail or ""
    parted = written[:1] in (" ", "[") or written.endswith("]")
    if tail[:1].isalnum() and (written[-1:].isalnum() or written.endswith("]")) and parted:
        written += " "
    element[:], element.text, element.tail = [], written, tail
    element.drop_tag()
