"""The citations of a text: which statement cites which source. Pure.

Marks of citation are links, numbers and notes of a list of sources, addresses, DOIs, and author with year. They are
taken out of the text, and each belongs to the sentence in or after which it is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from inquest.claims.claim_detection import check_worth
from inquest.domain.audit import CitedSource, CitedStatement, CitedText
from inquest.domain.document import Document
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import fold, sentences, words
from inquest.text.urls import clean, comparison_key, doi_in_address, doi_of, is_web_url

_HEADING = pattern(__name__, "heading")
_WORTH_CITING = 0.5
"""`check_worth` from which a sentence without a citation is listed."""
_FRAGMENT = 4
"""Words: a sentence of fewer is no statement, and what it cites belongs to the one before it."""
_HREF = r"https?://(?:[^\s()<>\[\]\"]|\([^\s()<>]*\))+"
_NUMBERS = r"\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*"
_MARK = regex(
    r"(?P<drop>!\[[^\]\n]*\]\([^)\n]*\)|```.*?```|<!--.*?-->)"
    rf"|(?P<alone>\()?\[(?P<words>(?:[^\[\]\n]|\\?\[[^\[\]\n]*\])*)\]\(\s*<?(?P<href>{_HREF})>?(?:\s+[\"'][^\n]*?[\"'])?\s*\)(?(alone)\))"
    r"|\[\^(?P<note>[^\]\s]+)\]"
    rf"|(?:\\?\[|【|<sup>\s*\\?\[?)(?P<numbers>{_NUMBERS})(?:†[^】]*)?(?:\\?\]?\s*</sup>|\\?\]|】)(?![(:])"
    r"|(?<=[\w.,;:!?)”\"’'])(?P<high>[⁰¹²³⁴-⁹]+(?:[,˒‚][⁰¹²³⁴-⁹]+)*)(?=[\s.,;)]|$)"
    r"|\[(?P<linked>[^\[\]\n]+)\]\[(?P<reference>[^\[\]\n]*)\]"
    r"|\(?(?:https?://(?:dx\.)?doi\.org/|\bdoi:\s*|\bDOI\s+)(?P<doi>10\.\d{4,9}/[^\s<>\")\]]*[^\s<>\".,;:)\]])\)?"
    rf"|[(<]?(?P<url>{_HREF}(?<![.,;:!?'”’]))[)>]?"
    r"|\((?P<authors>[^()\n]{3,200}\b(?:19|20)\d\d[a-z]?(?:,\s*pp?\.\s*[\d–-]+)?)\)"
    r"|(?P<author>[A-Z][\w'’-]+)(?:\s+(?:et\s+al\.?|(?:and|&)\s+[A-Z][\w'’-]+))?\s+\((?P<year>(?:19|20)\d\d[a-z]?)\)"
    r"|(?P<styled>\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)|`)",
    re.DOTALL,
)
_ENTRY = regex(
    r"[ \t]*(?:[-*+•]\s+)?(?:\*\*)?"
    r"(?:\\?\[\^?(?P<mark>[^\]\s]{1,40})\\?\]:?|(?P<number>\d{1,3})[.):]|(?P<up>[⁰¹²³⁴-⁹]+))"
    r"(?:\*\*)?[ \t]+(?=\S)"
)
_BULLET = regex(r"[ \t]*[-*+•]\s+")
_NEXT = regex(r"^#{1,6}\s", re.MULTILINE)
_YEAR = regex(r"\b(?:19|20)\d\d[a-z]?\b")
_ANY_DOI = regex(r"\b10\.\d{4,9}/[^\s<>\")\]]*[^\s<>\".,;:)\]]")
_ANY_URL = regex(_HREF)
_BY = regex(r"(?P<author>[A-Z][\w'’-]+)[^;]*?\b(?P<year>(?:19|20)\d\d[a-z]?)\b")
_LEAD = regex(r"^(?:#{1,6}\s+|>\s?|[-*+•]\s+|\d{1,3}[.)]\s+)+")
_BEFORE_STOP = regex(r"\s+(?=[.,;:!?)])|\(\s*\)")
_HIGH = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_BARE = regex(r"\W*(?:\d{1,3}|source|link|here|ref|citation)?\W*", re.I)
"""Words of a link that are a mark and no part of the sentence."""


@dataclass
class _Sources:
    """The sources by every mark under which the text cites them."""

    found: dict[str, CitedSource] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)

    def add(self, *, url: str = "", entry: str = "", label: str = "") -> str:
        url = url if is_web_url(url) else ""
        doi = doi_in_address(url) if url else None
        doi = doi or next((doi_of(each) for each in _ANY_DOI.findall(entry)), None) or ""
        if doi and (not url or entry):
            url = url or f"https://doi.org/{doi}"
        key = comparison_key(url) if url else fold(entry)
        for name, source in self.found.items():
            if key == (comparison_key(source.url) if source.url else fold(source.entry)):
                return name
        name = str(len(self.found) + 1)
        self.found[name] = CitedSource(id=name, label=label or url or entry[:80], url=url, doi=doi, entry=entry)
        return name

    def by_author(self, author: str, year: str) -> str | None:
        key = f"{fold(author)} {year}"
        return self.marks.get(key) or self.marks.get(key.rstrip("abcdefgh"))


def citations_of(document: Document) -> CitedText:
    """The statements of a document and the sources that they cite."""
    text = document.text
    sources = _Sources()
    lists = _lists(text, sources, document)
    own = comparison_key(document.url) if is_web_url(document.url) else ""
    plain, places, marks = _without_marks(document, lists, sources, own)
    statements = tuple(_statements(text, plain, places, marks))
    return CitedText(text=text, title=document.title, statements=statements, sources=tuple(sources.found.values()))


def _lists(text: str, sources: _Sources, document: Document) -> list[tuple[int, int]]:
    """Where the text lists its sources; the entries go to `sources`."""
    spans: list[tuple[int, int]] = []
    for heading in _HEADING.finditer(text):
        following = _NEXT.search(text, heading.end())
        spans.append((heading.start(), following.start() if following else len(text)))
    lines = [(match.start(), match.end()) for match in re.finditer(r"[^\n]+", text)]
    for start, end in lines:
        if any(a <= start < b for a, b in spans):
            continue
        begin = _ENTRY.match(text, start, end)
        if begin and begin["mark"] and (_ANY_URL.search(text, start, end) or _ANY_DOI.search(text, start, end)):
            spans.append((start, end))
    for start, end in spans:
        for order, (mark, at, to) in enumerate(_entries(text, start, end), 1):
            entry = " ".join(text[at:to].split())
            link = next((each.url for each in document.text_links if at <= each.start < to), "")
            written = _ANY_URL.search(entry)
            url = link or (written[0].rstrip(".,;:") if written else "")
            if not (url or _ANY_DOI.search(entry) or _YEAR.search(entry)):
                continue
            name = sources.add(url=url, entry=entry, label=mark)
            sources.marks.setdefault(mark or str(order), name)
            author, year = re.match(r"[\W_]*([A-Z][\w'’-]+)", entry), _YEAR.search(_ANY_URL.sub(" ", entry))
            if author and year:
                sources.marks.setdefault(f"{fold(author[1])} {year[0]}", name)
    return spans


def _entries(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The entries of a list as mark, start and end. A line without a mark goes on with the entry before it where the
    list has marks."""
    lines = [(match.start(), match.end()) for match in re.finditer(r"[^\n]+", text[start:end])]
    lines = [(start + a, start + b) for a, b in lines if not _HEADING.match(text, start + a, start + b)]
    begins = [(_ENTRY.match(text, a, b) or _BULLET.match(text, a, b)) for a, b in lines]
    marked = any(begins)
    found: list[tuple[str, int, int]] = []
    for (a, b), begin in zip(lines, begins, strict=True):
        if begin is None and marked:
            if found:
                found[-1] = (*found[-1][:2], b)
            continue
        known = begin.groupdict() if begin else {}
        mark = known.get("mark") or known.get("number") or (known.get("up") or "").translate(_HIGH)
        found.append((mark, begin.end() if begin else a, b))
    yield from found


@dataclass(frozen=True)
class _Cited:
    """A mark of citation at a place of the plain text."""

    at: int
    sources: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()


def _without_marks(
    document: Document, lists: Sequence[tuple[int, int]], sources: _Sources, own: str
) -> tuple[str, list[tuple[int, int]], list[_Cited]]:
    """The text without marks and lists, where its parts come from (plain offset, offset), and the marks."""
    text, markdown = document.text, document.kind in ("markdown", "text", "plain")
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    marks: list[_Cited] = []
    size = at = 0

    def keep(start: int, end: int) -> None:
        nonlocal size
        if start < end:
            places.append((size, start))
            parts.append(text[start:end])
            size += end - start

    links = {each.end: each.url for each in document.text_links}
    stops = sorted(
        [(m.start(), m.end(), m) for m in _MARK.finditer(text)] + [(end, end, url) for end, url in links.items()],
        key=lambda each: each[:2],
    )
    for start, end, what in [*stops, (len(text), len(text), None)]:
        inside = next((b for a, b in lists if a <= start < b), None)
        if inside is not None:
            first = next(a for a, b in lists if a <= start < b)
            keep(at, max(at, first))
            at = max(at, inside)
            continue
        if start < at:
            continue
        cited: _Cited | None
        if isinstance(what, str):
            cited, kept = _linked(what, size + start - at, sources, own), None
        elif what is None:
            cited, kept = None, None
        else:
            cited, kept = _read_mark(what, sources, own, markdown=markdown)
            if cited is None and kept is None:
                continue
        keep(at, start)
        at = end
        if kept is not None:
            keep(*kept)
        if cited:
            marks.append(_Cited(size, cited.sources, cited.unlisted))
    return "".join(parts), places, marks


def _linked(url: str, at: int, sources: _Sources, own: str) -> _Cited | None:
    if not is_web_url(url) or comparison_key(url) == own:
        return None
    return _Cited(at, (sources.add(url=clean(url)),))


def _read_mark(
    mark: re.Match[str], sources: _Sources, own: str, *, markdown: bool
) -> tuple[_Cited | None, tuple[int, int] | None]:
    """What a mark cites, and which part of it is kept in the text; (None, None): it is no mark."""
    nothing = (mark.start(), mark.start())
    if mark["drop"] or mark["styled"]:
        return None, (nothing if markdown else None)
    if mark["href"]:
        words_ = mark.span("words")
        kept = (
            nothing if mark["alone"] or _BARE.fullmatch(mark["words"]) or _ANY_URL.fullmatch(mark["words"]) else words_
        )
        return _linked(mark["href"], 0, sources, own), kept
    if mark["doi"] or mark["url"]:
        url = f"https://doi.org/{mark['doi']}" if mark["doi"] else mark["url"]
        return _linked(url, 0, sources, own), nothing
    if mark["reference"] is not None:
        name = sources.marks.get(mark["reference"] or mark["linked"])
        return (_Cited(0, (name,)), mark.span("linked")) if name else (None, None)
    return _author_or_number(mark, sources)


def _author_or_number(mark: re.Match[str], sources: _Sources) -> tuple[_Cited | None, tuple[int, int] | None]:
    nothing = (mark.start(), mark.start())
    if mark["authors"] or mark["author"]:
        named = _BY.finditer(mark["authors"]) if mark["authors"] else (mark,)
        found = [name for each in named if (name := sources.by_author(each["author"], each["year"]))]
        kept = nothing if mark["authors"] else (mark.start(), mark.end("author"))
        return (_Cited(0, tuple(found)), kept) if found else (None, None)
    asked = [mark["note"]] if mark["note"] else list(_numbers(mark["numbers"] or mark["high"].translate(_HIGH)))
    names = [sources.marks.get(each) for each in asked]
    if mark["high"] and not all(names):
        return None, None
    listed = tuple(dict.fromkeys(name for name in names if name))
    return _Cited(0, listed, tuple(a for a, name in zip(asked, names, strict=True) if not name)), nothing


def _numbers(written: str) -> Iterator[str]:
    """'1, 3-5': 1, 3, 4, 5."""
    for each in re.split(r"\s*[,;˒‚]\s*", written):
        first, *last = re.split(r"\s*[–-]\s*", each)
        reach = range(int(first), int(last[0]) + 1) if last else ()
        yield from (map(str, reach) if 0 < len(reach) <= 20 else [first])


def _statements(
    text: str, plain: str, places: Sequence[tuple[int, int]], marks: Sequence[_Cited]
) -> Iterator[CitedStatement]:
    spans = sentences(plain)
    starts = [span.start for span in spans]
    cited: dict[int, list[_Cited]] = {}
    for mark in marks:
        index = bisect_right(starts, mark.at - 1) - 1
        following = index + 1 < len(spans) and spans[index + 1].start == mark.at
        if index < 0 or (following and "\n" in plain[spans[index].end : mark.at]):
            index += 1
        elif index and len(words(spans[index].of(plain))) < _FRAGMENT:
            index -= "\n" not in plain[spans[index - 1].end : spans[index].start]  # 'It fell. (Gazette)'
        if index < len(spans):
            cited.setdefault(index, []).append(mark)
    later: tuple[str, ...] = ()
    found: list[CitedStatement] = []
    for index in reversed(range(len(spans))):
        span, own = spans[index], cited.get(index, [])
        if index + 1 < len(spans) and "\n" in plain[span.end : spans[index + 1].start]:
            later = ()
        raw = span.of(plain)
        said = _BEFORE_STOP.sub("", " ".join(_LEAD.sub("", raw).split())).strip()
        names = tuple(dict.fromkeys(name for mark in own for name in mark.sources))
        unlisted = tuple(each for mark in own for each in mark.unlisted)
        worth = check_worth(said).score
        least = 0.0 if unlisted or (names and len(words(said)) >= _FRAGMENT) else _WORTH_CITING
        if worth > least and not raw.startswith("#"):
            start, end = _original(places, span.start), _original(places, span.end - 1) + 1
            found.append(
                CitedStatement(
                    text=said, start=start, end=end, sources=names, unlisted=unlisted, later=() if names else later
                )
            )
        later = names or later
    yield from reversed(found)


def _original(places: Sequence[tuple[int, int]], offset: int) -> int:
    at, original = places[bisect_right(places, offset, key=lambda each: each[0]) - 1]
    return original + offset - at
