"""Raised and lowered text: marks of notes go or are kept apart, exponents and indices are written out.

Nothing that is raised from its line may join a digit: 320 with a note is not 3201, and 10 with an exponent not 104.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from inquest.readers.html_styles import Styles, select, styled
from inquest.readers.html_tree import BLOCKS
from inquest.text.lexicon import pattern, word_set
from inquest.text.regex import regex
from inquest.text.units import UNITS

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_RAISED_STYLE = pattern(__name__, "raised_style")
_LOWERED_STYLE = pattern(__name__, "lowered_style")
_ORDINALS = word_set(__name__, "ordinals")
_ONE_LETTER_ORDINALS = word_set(__name__, "one_letter_ordinals")
"""Languages (ISO 639-1) and their ordinals of one letter: 'fr:e' is 2e."""
_MARK = regex(r"[\[(]?\s*(\d{1,3}|[a-zA-Z]|[ivx]{2,4}|[*†‡§¶#]{1,3})\s*[\])]?")
_MARKS = regex(rf"{_MARK.pattern}(?:\s*[,;–-]?\s*{_MARK.pattern})*")
_ONE = regex(r"\d+|[a-zA-Z]+|[*†‡§¶#]+")
_HEAD = regex(r"\s*(?:[\[(](\w{1,3})[\])]|(\d{1,3}|[a-z])(?:[.):]\s|\s+(?=[^\W\d_a-z]))|([*†‡§¶#]{1,3}))\s*(?=\w)")
"""What a note begins with."""
_ID = regex(r"_?(?:fn|ftn|foot|end|sdfoot|cite|ref|note|nota)[a-z_]*[-_:.]?(\d{1,3}|[a-z])(?:[-_:.]\w*)?")
_POWER = regex(r"(?<![\d.,])(?:10|2)$|[×·]\s?(?:10|2)$")
_SEVERAL = regex(r"[\[(]?\d{1,3}[\])](?:[\s,;–-]*[\[(]?\d{1,3}[\])]?)*|\d{1,3}(?:[\s,;–-]+\d{1,3})+")
_SIGNED = regex(r"[-−–+]?\d{1,3}[-−–+]?|[-−–+]")
_UNIT = regex(r"(?<![^\W_])(?:[kcdmµμn]?m|ft|in|mi|yd|[^\W\d_])$")
_CENTS = regex(r"[$€£¥]\s?\d[\d,. ]*$")
_DEGREES = regex(r"\s?[CF]\b")
_ELEMENT = regex(r"[A-Z][a-z]?(?![a-z])")
_SIGNS = {"tm": "™", "sm": "℠", "(r)": "®", "r": "®", "(c)": "©", "c": "©"}
_HIGH = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_LOW = str.maketrans("0123456789+-−–", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋")
_MATHS = ("msup", "msub", "msubsup")
_OPENING = "([{$€£¥/-–"
_SHORT = 8
"""Characters of a mark; what is longer is words that a style moves."""
_BEFORE = 24
"""Characters before a mark that are looked at."""


def settle_marks(root: HtmlElement, url: str, styles: Styles) -> None:
    """Write out all raised and lowered text of a tree, and take out the marks that lead to a note.

    A mark leads to a note where it links to a part of the page, or where a note further down begins with it. What may
    be a mark, but has no note, is set apart in brackets: 320 [1].
    """
    lowered = [*root.iter("sub"), *styled(styles, _LOWERED_STYLE)]
    raised = [*root.iter("sup"), *styled(styles, _RAISED_STYLE)]
    lowered += [each[1] for each in root.iter("msub", "msubsup") if len(each) > 1]
    raised += [each[-1] for each in root.iter("msup", "msubsup") if len(each) > 1]
    for fraction in root.iter("mfrac"):
        fraction.text = f" {fraction.text or ''}"
        if len(fraction) > 1:
            fraction[0].tail = "/"
    links = [each for each in select(root, "//a[starts-with(@href, '#') or @role='doc-noteref']") if _is_set_off(each)]
    low, own = (
        set(lowered),
        {*root.iter("sup", "sub"), *links, *(each for formula in root.iter(*_MATHS) for each in formula)},
    )
    every = dict.fromkeys((*lowered, *raised, *links))
    if not every:
        return
    notes = _notes(root)
    language = (root.get("lang") or "")[:2].lower()
    for element in every:
        text = "".join(map(str, element.itertext())).strip()
        if not text or element.getparent() is None or element.tag in BLOCKS:
            continue
        before = _before(element)
        if element not in own and not _is_short(text, before):
            continue
        if element in low:
            written = _index(text, before, element)
        elif before.strip() and _MARKS.fullmatch(text) and _has_note(element, text, notes, url, before):
            written = ""
        elif element in links:
            continue
        else:
            written = _exponent(text, before, element.tail or "", language)
        _replace(element, written, before)


def _is_short(text: str, before: str) -> bool:
    """True for what is no more than a mark, and not a word or figure that a style moves by a little."""
    last = before[-1:]
    return len(text) <= _SHORT and bool(last) and not last.isspace() and last not in _OPENING


def _has_note(element: HtmlElement, text: str, notes: set[str], url: str, before: str) -> bool:
    if element.get("role") == "doc-noteref" or any("footnote" in str(name) for name in element.attrib):
        return True
    own = urldefrag(url)[0]
    around = (up for up in element.iterancestors("a") if "".join(map(str, up.itertext())).strip() == text)
    for link in (*element.iter("a"), *around):
        target = link.get("href") or ""
        if target.startswith("#") or "noteref" in (link.get("role") or "") or (own and target.startswith(f"{own}#")):
            return True
    is_power = bool(_POWER.search(before) or (_UNIT.search(before) and text in "23"))
    return not is_power and any(mark in notes for mark in _ONE.findall(text))


def _notes(root: HtmlElement) -> set[str]:
    """The marks with which notes of the page begin, or that their ids name."""
    found = {
        match[1]
        for element in select(root, "//li[@id]|//p[@id]|//div[@id]|//aside[@id]|//dd[@id]|//td[@id]")
        if (match := _ID.fullmatch(element.get("id") or ""))
    }
    for listed in select(root, _LISTS_OF_NOTES):
        found |= {str(number) for number, _ in enumerate(listed.iter("li"), 1)}
    for element in root.iter("p", "li", "dd", "dt", "td", "div", "small", "aside"):
        words = ""
        for text in element.itertext():
            words += str(text)
            if len(words.strip()) > _BEFORE:
                break
        if (match := _HEAD.match(words)) or (match := _raised_head(element, words)):
            found.add(next(mark for mark in match.groups() if mark))
    return found


_LISTS_OF_NOTES = (
    "//ol[ancestor-or-self::*[contains(@class, 'note') or contains(@id, 'note') or contains(@class, 'reference')"
    " or contains(@role, 'notes')]]"
)
_JOINED_HEAD = regex(r"\s*(\d{1,3}|[a-z])\s*(?=[^\W\d_])")


def _raised_head(element: HtmlElement, words: str) -> re.Match[str] | None:
    """The mark of a note that begins with raised text."""
    first = element[0] if len(element) and not (element.text or "").strip() else None
    if first is None or first.tag not in ("sup", "a", "span"):
        return None
    return _JOINED_HEAD.match(words) if any(True for _ in first.iter("sup")) else None


def _is_set_off(link: HtmlElement) -> bool:
    """True for a link of the running text that is a mark: in brackets, or joined to the word or figure before it."""
    text = "".join(map(str, link.itertext())).strip()
    if not _MARKS.fullmatch(text):
        return False
    before = _before(link)
    return (
        text[0] in "[("
        or link.get("role") == "doc-noteref"
        or bool(before and not before[-1].isspace() and before[-1] not in "([")
    )


def _before(element: HtmlElement) -> str:
    """The words of its block right before an element."""
    said = ""
    at: HtmlElement | None = element
    while at is not None and len(said) < _BEFORE:
        previous = at.getprevious()
        if previous is not None:
            if previous.tag == "br" or previous.tag in BLOCKS:
                return (previous.tail or "") + said
            said = "".join(map(str, previous.itertext())) + (previous.tail or "") + said
            at = previous
            continue
        at = at.getparent()
        if at is None:
            break
        said = (at.text or "") + said
        if at.tag in BLOCKS:
            break
    return said[-_BEFORE:]


def _index(text: str, before: str, element: HtmlElement) -> str:
    """Lowered text: of a formula (CO2), below a fraction's line (1/2), of a number's base."""
    last = before[-1:]
    if not last.isalnum() or (last.isalpha() and len(text) <= 4):
        is_isotope = text.isdigit() and not last.strip() and (element.tail or "")[:1].isalpha()
        return text.translate(_LOW) if is_isotope else text
    return text.translate(_LOW) if _SIGNED.fullmatch(text) else f" {_apart(text)}"


def _exponent(text: str, before: str, tail: str, language: str) -> str:
    """Raised text that leads to no note, as it is written on its line."""
    last = before[-1:]
    if not any(char.isalnum() for char in text) or (last and last in _OPENING):
        return text.translate(_HIGH) if last.isalpha() and _SIGNED.fullmatch(text) else text
    if _SEVERAL.fullmatch(text):
        return f" {_apart(text)}"
    if tail[:1] in ("/", "⁄"):
        return f" {text}" if last.isdigit() else text
    if (sign := _SIGNS.get(text.lower())) and last.isalpha() and len(text) > 1:
        return sign
    if text in ("o", "0", "º") and last.isdigit() and _DEGREES.match(tail):
        return "°"
    return _number(text, before, tail) if _SIGNED.fullmatch(text) else _letters(text, before, language)


def _number(text: str, before: str, tail: str) -> str:
    last = before[-1:]
    if not before.strip() or last.isspace():
        is_isotope = bool(_ELEMENT.match(tail)) and text.isdigit()
        return text.translate(_HIGH) if is_isotope else _apart(text)
    if last.isdigit():
        if _CENTS.search(before) and len(text) == 2:
            return f".{text}"
        return "^" + text.replace("−", "-").replace("–", "-") if _POWER.search(before) else f" {_apart(text)}"
    if not text.isdigit() or _UNIT.search(before) or last == ")":
        return text.translate(_HIGH)
    return f" {_apart(text)}"


def _letters(text: str, before: str, language: str) -> str:
    last, said = before[-1:], text.lower().strip(".")
    if last.isdigit():
        ordinal = said in _ORDINALS or f"{language}:{said}" in _ONE_LETTER_ORDINALS
        if text in UNITS and len(text) == 1 and said != "a":
            return f" {text}"
        return text if ordinal else f" {_apart(text)}" if _MARK.fullmatch(text) else f" {text}"
    if not last.isalpha():
        return _apart(text) if _MARK.fullmatch(text) and last.strip() else text
    word = before.split()[-1]
    if len(text) <= 3 and len(word) <= 2:  # Mme, Dr, no
        return text
    return f" {_apart(text)}" if _MARK.fullmatch(text) else f" {text}"


def _apart(text: str) -> str:
    """A mark in brackets of its own."""
    return f"[{text.strip('[]() ')}]"


def _replace(element: HtmlElement, written: str, before: str) -> None:
    """Put plain words where an element was; what stood around it is not joined by its going."""
    tail = element.tail or ""
    ends = (written or before)[-1:]
    parted = not written or written[0] in " [" or written[-1] == "]"
    if tail[:1].isalnum() and (ends.isalnum() or ends == "]") and parted:
        written += " "
    element.tail = None
    for child in list(element):
        element.remove(child)
    element.text = written
    element.tail = tail
    element.drop_tag()
