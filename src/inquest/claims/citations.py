"""The citations of a text: its statements with the sources that they cite.

Citation marks are links, numbers and notes of a list of sources, URLs, DOIs, and author with year. They are removed
from the text, and each belongs to the sentence in or after which it appears."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace

from inquest.claims.bibliography import NOTES, Entry, entries, untex
from inquest.claims.claim_detection import check_worth, is_stated
from inquest.domain.audit import CitedSource, CitedStatement, CitedText
from inquest.domain.document import Document, NoteMark
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import fold, sentences, words
from inquest.text.urls import clean, comparison_key, doi_in_address, doi_of, is_web_url

_HEADING = pattern(__name__, "heading")
WORTH_CITING = 0.5  # Minimum `check_worth` at which a sentence is listed if neither it nor its paragraph has a citation
_FRAGMENT = 4  # Minimum words of a statement; citations in a shorter sentence belong to the one before
_HREF = r"https?://(?:[^\s()<>{}\[\]\"]|\([^\s()<>{}]*\))+"
_NUMBERS = r"\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*"
_MARK = regex(
    r"(?P<drop>!\[[^\]\n]*\]\([^)\n]*\)|```.*?```|<!--.*?-->)"
    rf"|(?P<alone>\()?\[(?P<words>(?:[^\[\]\n]|\\?\[[^\[\]\n]*\])*)\]\(\s*<?(?P<href>{_HREF})>?(?:\s+[\"'][^\n]*?[\"'])?\s*\)(?(alone)\))"
    r"|\[\^(?P<note>[^\]\s]+)\]"
    r"|~?\\[A-Za-z]*cite[A-Za-z]*\*?(?:\[[^\[\]\n]*\]){0,2}\{(?P<keys>[^{}\n]+)\}"
    r"|\[(?P<pandoc>[^\[\]\n]*(?<!\w)@\w[^\[\]\n]*)\](?!\()"
    rf"|(?:\\?\[|【|<sup>\s*\\?\[?)(?P<numbers>{_NUMBERS})(?:†[^】]*|,\s*(?:pp?|S|Rn)\.\s*[\d–-]+)?(?:\\?\]?\s*</sup>|\\?\]|】)(?![(:])"
    r"|(?<=[\w.,;:!?)”\"’'])(?P<high>[⁰¹²³⁴-⁹]+(?:[,˒‚][⁰¹²³⁴-⁹]+)*)(?=[\s.,;)]|$)"
    r"|\[(?P<linked>[^\[\]\n]+)\]\[(?P<reference>[^\[\]\n]*)\]"
    r"|\(?(?:https?://(?:dx\.)?doi\.org/|\bdoi:\s*|\bDOI\s+)(?P<doi>10\.\d{4,9}/[^\s<>\")\]]*[^\s<>\".,;:)\]])\)?"
    rf"|\((?!https?:)[^()\n]{{1,160}}?(?P<aside>{_HREF}(?<![.,;:!?'”’]))[^()\n]{{0,80}}\)"
    rf"|[(<]?(?:\\url\{{)?(?P<url>{_HREF}(?<![.,;:!?'”’]))\}}?[)>]?"
    r"|\((?:[Ss]ources?|SOURCES?|[Qq]uellen?|[Ff]uentes?|[Ff]ontes?):\s*(?P<credit>[^()\n]{2,120})\)"
    r"|\((?P<authors>[^()\n]{3,200}\b(?:19|20)\d\d[a-z]?(?:[,:]\s*[^()\d\n]{0,12}\d+(?:[–-]\d+)?\s?f{0,2}\.?)?)\)"
    r"|(?P<author>[A-Z][\w'’-]+)(?:\s+(?:et\s+al\.?|(?:and|&)\s+[A-Z][\w'’-]+))?\s+\((?P<year>(?:19|20)\d\d[a-z]?)\)"
    r"|(?P<styled>\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)|`)",
    re.DOTALL,
)
_ENTRY = regex(
    r"[ \t]*(?:[-*+•]\s+)?(?:\*\*)?"
    r"(?:\\?\[\^?(?P<mark>[^\]\s]{1,40})\\?\]:?|(?P<number>\d{1,3})[.):]|(?P<up>[⁰¹²³⁴-⁹]+))"
    r"(?:\*\*)?[ \t]+(?=\S)"
)
_AUTHOR_YEAR = regex(r"[ \t]*(?:[-*+•]\s+)?[^\n()]{2,200}\((?:19|20)\d\d[a-z]?(?:,[^()\n]{1,30})?\)[.,:]\s")
"""The start of an entry in a list without marks: 'Smith, J. (2020). Deaths in Norway. https://...'."""
_SAME_NOTE, _LEAST_NOTE = 60, 10  # Minimum letters by which a note is found in the text
_BARE_MARK = regex(r"(?P<mark>\d{1,3}|[a-z]|[*†‡§¶]{1,3})\s*(?<=[\s*†‡§¶])(?=\S)")
_BULLET = regex(r"[ \t]*[-*+•]\s+")
_NEXT = regex(r"^#{1,6}\s", re.MULTILINE)
_YEAR = regex(r"\b(?:19|20)\d\d[a-z]?\b")
_ANY_DOI = regex(r"\b10\.\d{4,9}/[^\s<>\")\]]*[^\s<>\".,;:)\]]")
_ANY_URL = regex(_HREF)
_BY = regex(r"(?P<author>[A-Z][\w'’-]+)[^;]*?\b(?P<year>(?:19|20)\d\d[a-z]?)\b")
_LEAD = regex(r"^(?:#{1,6}\s+|>\s?|[-*+•]\s+|\d{1,3}[.)]\s+)+")
_AFTER_STOP = regex(r"[.!?][\"”’)]?\s+$")
_ENDS = regex(r"\s*(?:[.;]|\n|$)")
_BEFORE_STOP = regex(r"\s+(?=[.,;:!?)])|\(\s*\)")
_CITE_KEY = regex(r"(?<!\w)@\{?([\w:.#$%&+?<>~/-]*\w)")
_NUMBERED = regex(_NUMBERS)
_PAGE = regex(r"\b(?:pp?|S|p[áa]gs?)\.\s?(\d{1,4})(?:\s?[–-]\s?(\d{1,4}))?")
_HIGH = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_BARE = regex(r"\W*(?:\d{1,3}|source|link|here|ref|citation)?\W*", re.I)
"""Link texts that are a mark and not part of the sentence."""


@dataclass
class _Sources:
    by_id: dict[str, CitedSource] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)  # Source ids by number, note, and author with year
    keys: dict[str, str] = field(default_factory=dict)  # Source ids by address, or by entry if it has none

    def add(self, *, url: str = "", entry: str = "", label: str = "") -> str:
        url = url if is_web_url(url) else ""
        doi = doi_in_address(url) if url else None
        doi = doi or next((doi_of(each) for each in _ANY_DOI.findall(entry)), None) or ""
        if doi and (not url or entry):
            url = url or f"https://doi.org/{doi}"
        key = comparison_key(url) if url else fold(entry)
        if label and key in self.keys and self.by_id[self.keys[key]].label != label:
            key = f"{key} {label}"  # two entries of a list have the same address
        name = self.keys.setdefault(key, str(len(self.by_id) + 1))
        if name not in self.by_id:
            self.by_id[name] = CitedSource(id=name, label=label or url or entry[:80], url=url, doi=doi, entry=entry)
        return name

    def by_author(self, author: str, year: str) -> str | None:
        key = f"{fold(author)} {year}"
        return self.marks.get(key) or self.marks.get(key.rstrip("abcdefgh"))


def citations_of(document: Document) -> CitedText:
    """Extract the statements of a document and the sources that they cite."""
    sources = _Sources()
    text, works, prose = document.text, list[CitedStatement](), list(document.text)
    for entry in entries(text):
        prose[entry.span.start : entry.span.end] = "\n" * (entry.span.end - entry.span.start)
        works += _of_entry(entry, text, sources) if entry.key else ()
    document = document.model_copy(update={"text": "".join(prose)}) if works else document
    lists = _lists(document, sources)
    own = comparison_key(document.url) if is_web_url(document.url) else ""
    statements = (*_statements(*_without_marks(document, lists, sources, own)), *works)
    return CitedText(
        text=text,
        title="" if works and document.title.startswith(("@", "%")) else document.title,
        statements=tuple(sorted(statements, key=lambda each: each.start)),
        sources=tuple(sources.by_id.values()),
    )


def _of_entry(entry: Entry, text: str, sources: _Sources) -> Iterator[CitedStatement]:
    """Add the source of an entry in BibTeX, and yield the work that it names and what its notes state."""
    work, doi = entry.work, doi_of(entry.fields.get("doi", "").replace("\\", "")) or ""
    named = work.named or entry.key
    url = entry.url or (doi and f"https://doi.org/{doi}")
    name = sources.add(url=url, entry=f"{named} {doi}".strip(), label=entry.key)
    sources.marks.setdefault(entry.key, name)
    if work.authors and work.year:
        sources.marks.setdefault(f"{fold(work.authors[0])} {work.year}", name)
    at = entry.places.get("title", entry.span)
    yield CitedStatement(text=named, start=at.start, end=at.end, sources=(name,), work=work)
    for place in (entry.places[each] for each in NOTES if each in entry.places):
        for span in sentences(place.of(text)):
            said, start = untex(span.of(place.of(text))), place.start + span.start
            if len(words(said)) >= _FRAGMENT and not _ANY_URL.search(said) and check_worth(said).score > 0:
                yield CitedStatement(text=said, start=start, end=place.start + span.end, sources=(name,))


def _lists(document: Document, sources: _Sources) -> list[tuple[int, int]]:
    """Return the spans of the lists of sources, and add their entries to `sources`."""
    text = document.text
    noted = {mark.label: mark.at for mark in reversed(document.note_marks) if not mark.note}
    cited = {
        number: mark.start()
        for mark in reversed([*_MARK.finditer(text)])
        if mark["numbers"] or mark["high"]
        for number in _numbers(mark["numbers"] or mark["high"].translate(_HIGH))
    }
    linked = [(each.start, each.url) for each in document.text_links]
    linked += [(mark.at, mark.url) for mark in document.note_marks if mark.url]
    spans: list[tuple[int, int]] = []
    for heading in _HEADING.finditer(text):
        following = _NEXT.search(text, heading.end())
        spans.append((heading.start(), following.start() if following else len(text)))
    headed = len(spans)
    for line in re.finditer(r"[^\n]+", text):
        start, end = line.span()
        if any(a <= start < b for a, b in spans):
            continue
        bare, begin = _BARE_MARK.match(text, start, end), _ENTRY.match(text, start, end)
        is_note = bare and noted.get(bare["mark"], start) < start
        marked = begin and (begin["mark"] or cited.get(begin["number"] or begin["up"].translate(_HIGH), start) < start)
        named = marked and _has_address(text, start, end)
        if is_note or named or (_AUTHOR_YEAR.match(text, start, end) and _has_address(text, start, end)):
            spans.append((start, end))
    for number, (start, end) in enumerate(spans):
        listed = _entries(text, start, end, noted)
        marked = any(mark for mark, _, _ in listed)
        for order, (mark, at, to) in enumerate(listed, 1):
            entry = " ".join(text[at:to].split())
            link = next((url for place, url in linked if at <= place < to), "")
            written = _ANY_URL.search(entry)
            url = link or (written[0].rstrip(".,;:") if written else "")
            if not (mark or url or _is_source(entry)):
                continue
            name = sources.add(url=url, entry=entry, label=mark)
            if mark or (number < headed and not marked):
                sources.marks.setdefault(mark or str(order), name)
            author, year = re.match(r"[\W_]*([A-Z][\w'’-]+)", entry), _YEAR.search(_ANY_URL.sub(" ", entry))
            if author and year:
                sources.marks.setdefault(f"{fold(author[1])} {year[0]}", name)
    notes = {key for mark in document.note_marks if len(key := _letters(mark.note)[:_SAME_NOTE]) > _LEAST_NOTE}
    lines = [(line.span(), _letters(line[0])) for line in re.finditer(r"[^\n]+", text)] if notes else []
    return spans + [span for span, letters in lines if any(key in letters for key in notes)]


def _letters(text: str) -> str:
    return "".join(char for char in fold(text) if char.isalnum())


def _has_address(text: str, start: int, end: int) -> bool:
    return bool(_ANY_URL.search(text, start, end) or _ANY_DOI.search(text, start, end))


def _is_source(entry: str) -> bool:
    """True if an entry without an address names a work: by its DOI or year."""
    return bool(_ANY_DOI.search(entry) or _YEAR.search(entry))


def _entries(text: str, start: int, end: int, noted: Container[str]) -> list[tuple[str, int, int]]:
    """Return the mark, start and end of each entry. In a list with marks, a line without one continues its entry,
    unless it begins a paragraph and is not indented. `noted`: marks that need no punctuation after them."""
    lines = [(start + match.start(), start + match.end()) for match in re.finditer(r"[^\n]+", text[start:end])]
    lines = [(a, b) for a, b in lines if not _HEADING.match(text, a, b)]
    bare = ((a, b, _BARE_MARK.match(text, a, b)) for a, b in lines)
    begins = [
        (found if found and found["mark"] in noted else _ENTRY.match(text, a, b) or _BULLET.match(text, a, b))
        for a, b, found in bare
    ]
    marked = any(begins)
    found: list[tuple[str, int, int]] = []
    for (a, b), begin in zip(lines, begins, strict=True):
        begins_anew = text[start:a].endswith("\n\n") and not text[a].isspace()
        if begin is None and marked and not (found and begins_anew):
            if found:
                found[-1] = (*found[-1][:2], b)
            continue
        groups = begin.groupdict() if begin else {}
        mark = groups.get("mark") or groups.get("number") or (groups.get("up") or "").translate(_HIGH)
        found.append((mark, begin.end() if begin else a, b))
    return found


@dataclass(frozen=True)
class _Cited:
    """A citation mark at an offset of the plain text."""

    sources: tuple[str, ...]
    unlisted: tuple[str, ...] = ()
    at: int = 0
    pages: tuple[int, int] | None = None


def _without_marks(
    document: Document, lists: Sequence[tuple[int, int]], sources: _Sources, own: str
) -> tuple[str, list[tuple[int, int]], list[_Cited]]:
    """Return the text without marks and lists, the origins of its parts (plain offset, offset), and the marks."""
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

    found: list[tuple[int, int, re.Match[str] | str | NoteMark]] = [
        (m.start(), m.end(), m) for m in _MARK.finditer(text)
    ]
    found += [(end, end, url) for end, url in {each.end: each.url for each in document.text_links}.items()]
    found += [(each.at, each.at, each) for each in document.note_marks]
    found += [(start, start + 1, "") for start, _ in lists]
    stops = sorted(found, key=lambda each: each[:2])
    for start, end, what in [*stops, (len(text), len(text), None)]:
        place = start - (start == end)  # a mark without width belongs to what precedes it
        if inside := next(((a, b) for a, b in lists if a <= place < b), None):
            keep(at, max(at, inside[0]))
            at = max(at, inside[1])
            continue
        if start < at:
            continue
        cited: _Cited | None = None
        kept: tuple[int, int] | None = None
        if isinstance(what, str):
            cited = _linked(what, sources, own)
        elif isinstance(what, NoteMark):
            cited = _noted(what, sources) if what.label else _linked(what.url, sources, own)
        elif what is not None:
            cited, kept = _read_mark(what, sources, own, markdown=markdown)
            if cited is None and kept is None:
                continue
        keep(at, start)
        at = end
        if kept is not None:
            keep(*kept)
        if cited:
            named = _PAGE.search(what[0]) if isinstance(what, re.Match) else None
            pages = (int(named[1]), int(named[2] or named[1])) if named else None
            marks.append(replace(cited, at=size, pages=pages))
    return "".join(parts), places, marks


def _noted(mark: NoteMark, sources: _Sources) -> _Cited | None:
    if mark.url or _is_source(mark.note):
        return _Cited((sources.add(url=clean(mark.url) if mark.url else "", entry=mark.note, label=mark.label),))
    return _numbered(list(_numbers(mark.label)), sources) if _NUMBERED.fullmatch(mark.label) else None


def _linked(url: str, sources: _Sources, own: str) -> _Cited | None:
    return _Cited((sources.add(url=clean(url)),)) if is_web_url(url) and comparison_key(url) != own else None


def _read_mark(
    mark: re.Match[str], sources: _Sources, own: str, *, markdown: bool
) -> tuple[_Cited | None, tuple[int, int] | None]:
    """Return the citation and the part of the mark that stays in the text; (None, None) if it is not a mark."""
    nothing = (mark.start(), mark.start())
    if mark["drop"] or mark["styled"]:
        return None, (nothing if markdown else None)
    if mark["href"]:
        is_mark = bool(mark["alone"] or _BARE.fullmatch(mark["words"]) or _ANY_URL.fullmatch(mark["words"]))
        after = _AFTER_STOP.search(mark.string, max(0, mark.start() - 4), mark.start())
        if after and _ENDS.match(mark.string, mark.end()) and len(words(mark["words"])) < _FRAGMENT:
            is_mark = True  # 'It fell. [Gazette](https://...)'
        return _linked(mark["href"], sources, own), nothing if is_mark else mark.span("words")
    if mark["doi"] or mark["url"] or mark["aside"]:
        url = f"https://doi.org/{mark['doi']}" if mark["doi"] else mark["url"] or mark["aside"]
        return _linked(url, sources, own), nothing
    if mark["credit"]:
        return _Cited((sources.add(entry=mark["credit"]),)), nothing
    if mark["reference"] is not None:
        name = sources.marks.get(mark["reference"] or mark["linked"])
        return (_Cited((name,)), mark.span("linked")) if name else (None, None)
    return _author_or_number(mark, sources)


def _author_or_number(mark: re.Match[str], sources: _Sources) -> tuple[_Cited | None, tuple[int, int] | None]:
    nothing = (mark.start(), mark.start())
    if mark["keys"] or mark["pandoc"]:
        keys = _CITE_KEY.findall(mark["pandoc"]) if mark["pandoc"] else re.split(r"\s*,\s*", mark["keys"].strip())
        return _numbered(keys, sources), nothing
    if mark["authors"] or mark["author"]:
        named = _BY.finditer(mark["authors"]) if mark["authors"] else (mark,)
        known = [name for each in named if (name := sources.by_author(each["author"], each["year"]))]
        kept = nothing if mark["authors"] else (mark.start(), mark.end("author"))
        return (_Cited(tuple(known)), kept) if known else (None, None)
    numbers = [mark["note"]] if mark["note"] else list(_numbers(mark["numbers"] or mark["high"].translate(_HIGH)))
    may_be_a_year = bool(mark["numbers"]) and any(len(each) > 3 for each in numbers)
    if (mark["high"] or may_be_a_year) and not all(map(sources.marks.get, numbers)):
        return None, None
    return _numbered(numbers, sources), nothing


def _numbered(labels: Sequence[str], sources: _Sources) -> _Cited:
    listed = tuple(dict.fromkeys(name for each in labels if (name := sources.marks.get(each))))
    return _Cited(listed, tuple(each for each in labels if each not in sources.marks))


def _numbers(written: str) -> Iterator[str]:
    """Expand '1, 3-5' to 1, 3, 4, 5."""
    for each in re.split(r"\s*[,;˒‚]\s*", written):
        first, *last = re.split(r"\s*[–-]\s*", each)
        reach = range(int(first), int(last[0]) + 1) if last else ()
        yield from (map(str, reach) if 0 < len(reach) <= 20 else [first])


def _statements(plain: str, places: Sequence[tuple[int, int]], marks: Sequence[_Cited]) -> Iterator[CitedStatement]:
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
        text = _BEFORE_STOP.sub("", " ".join(_LEAD.sub("", raw).split())).strip()
        names = tuple(dict.fromkeys(name for mark in own for name in mark.sources))
        unlisted = tuple(each for mark in own for each in mark.unlisted)
        is_cited = unlisted or names or (later and len(words(text)) >= _FRAGMENT)
        is_worth = check_worth(text).score > (0.0 if is_cited else WORTH_CITING) or (is_cited and is_stated(text))
        is_worth = is_worth or bool(unlisted)
        if is_worth and not raw.startswith("#"):
            start, end = _original(places, span.start), _original(places, span.end - 1) + 1
            rest = () if names else later
            pages = {name: mark.pages for mark in own for name in mark.sources if mark.pages}
            found.append(
                CitedStatement(
                    text=text, start=start, end=end, sources=names, unlisted=unlisted, later=rest, pages=pages
                )
            )
        later = names or later
    yield from reversed(found)


def _original(places: Sequence[tuple[int, int]], offset: int) -> int:
    at, original = places[bisect_right(places, offset, key=lambda each: each[0]) - 1]
    return original + offset - at
