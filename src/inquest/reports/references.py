"""The sources of a case and the works its findings name, as BibTeX and CSL-JSON for reference managers."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC
from typing import Any
from urllib.parse import urlsplit

from inquest.domain.case import Case
from inquest.domain.source import Category, Source
from inquest.domain.value import JsonObject
from inquest.reports import wording
from inquest.reports.parts import one_line
from inquest.text.company_names import without_legal_form
from inquest.text.lexicon import entries
from inquest.text.regex import regex
from inquest.text.urls import comparison_key, doi_of, is_web_url

_NEWS = {
    each.value
    for each in (Category.WIRE, Category.NEWSPAPER, Category.LOCAL, Category.BROADCASTER, Category.INVESTIGATIVE,
                 Category.TABLOID, Category.STATE_MEDIA)
}  # fmt: skip
_OF_CATEGORY = dict.fromkeys(_NEWS, "article-newspaper") | {
    Category.MAGAZINE.value: "article-magazine",
    Category.TRADE.value: "article-magazine",
    Category.SOCIAL.value: "post",
    Category.BLOG.value: "post-weblog",
    Category.ENCYCLOPEDIA.value: "entry-encyclopedia",
}
_OF_WORK = entries(__name__, "types_of_works")  # types of works by Crossref's names
_OF_REFERENCE = {"academic_paper": "article-journal", "standard_document": "standard"}
_DATE = regex(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_OTHERS = regex(r"\s+and \d+ others$")
_AND, _OF = regex(r"\s+(?:and|und|&)\s+"), regex(r"\s(?:of|for|the|für|&)\s")


@dataclass(frozen=True)
class Reference:
    """A citable work or page."""

    key: str  # derived from the work alone, so that it is the same in every export
    type: str  # A CSL 1.0.2 type
    title: str
    authors: tuple[str, ...] = ()  # full names as given; family names are not guessed
    publisher: str = ""
    container: str = ""  # the journal or newspaper that published it
    issued: tuple[int, ...] = ()  # year, month and day, as far as known
    accessed: tuple[int, ...] = ()
    url: str = ""
    doi: str = ""
    language: str = ""
    note: str = ""


def references(case: Case) -> tuple[Reference, ...]:
    """Return every source and every work that findings name, without repetition, in the order of the case."""
    found: dict[str, Reference] = {}
    for each in (*map(_of_source, case.sources), *_named(case)):
        name = f"doi:{each.doi.lower()}" if each.doi else ""
        place = comparison_key(each.url) if each.url else f"title:{each.title.casefold()}:{each.issued[:1]}"
        if (name and name in found) or place in found:
            continue
        found.setdefault(place, each)
        if name:
            found[name] = each
    return tuple(dict.fromkeys(found.values()))


def _named(case: Case) -> Iterator[Reference]:
    """Yield the works that findings name."""
    for finding in case.findings:
        named: list[object] = [*finding.references]
        for key in ("academic_references", "standard_references"):
            more = finding.details.get(key)
            named += more if isinstance(more, list) else []
        for each in named:
            if isinstance(each, dict) and _title(each):
                yield _of_reference(each)


def _title(each: JsonObject) -> str:
    return _said(each, "title") or _said(each, "document_title") or _said(each, "standard_name")


def _of_source(source: Source) -> Reference:
    work, published = source.work, source.published
    type_ = (_OF_WORK.get(work.type or "") or "article-journal") if work and (work.type or work.venue) else ""
    notes = [f"Not counted: {source.excluded}." if source.excluded else "", f"Snapshot {source.snapshot}."]
    if work and work.retracted:
        notes.insert(0, "Retracted.")
    category = source.rating.category
    press = source.publisher or source.domain
    in_news = category in _NEWS or category in (Category.MAGAZINE.value, Category.TRADE.value)
    return _reference(
        type=type_ or _OF_CATEGORY.get(category, "webpage"),
        title=wording.titled(source),
        authors=people(source.author, scholarly=work is not None),
        publisher="" if in_news and not work else press,
        container=(work.venue or "") if work else press if in_news else "",
        issued=_parts(published.iso if published else ""),
        accessed=_parts(source.retrieved_at.astimezone(UTC).date().isoformat()),
        url=source.url if is_web_url(source.url) else "",
        doi=(doi_of(work.doi) or "") if work and work.doi else "",
        language=source.language or "",
        note=" ".join(note for note in notes if note),
    )


def _of_reference(each: JsonObject) -> Reference:
    """Convert a work that a desk named. The author of a standard is its publisher."""
    kind, url, name, title = (*(_said(each, key) for key in ("type", "url", "standard_name")), _title(each))
    standard = kind == "standard_document" or bool(name)
    edition, section, who = (_said(each, key) for key in ("edition", "section", "authors"))
    notes = (
        "Retracted." if each.get("retracted") is True else "",
        f"{name}." if name and name not in title else "",
        f"Edition {edition}." if edition else "",
        f"{section}." if section else "",
    )
    return _reference(
        type="standard" if standard else _OF_REFERENCE.get(kind, "report"),
        title=title,
        authors=() if standard else people(who, scholarly=kind == "academic_paper"),
        publisher=who if standard else "",
        container=_said(each, "venue"),
        issued=_parts(_said(each, "publication_date")),
        accessed=_parts(_said(each, "checked")),
        url=url if is_web_url(url) else "",
        doi=doi_of(_said(each, "doi")) or doi_of(url) or "",
        note=" ".join(filter(None, notes)),
    )


def _reference(**values: object) -> Reference:
    clean = {name: one_line(value) if isinstance(value, str) else value for name, value in values.items()}
    unkeyed = Reference(key="", **clean)  # type: ignore[arg-type]
    return Reference(**{**unkeyed.__dict__, "key": _key(unkeyed)})


def _key(each: Reference) -> str:
    """Return a key such as `gazette2024dust-1f3a9c`: author, year, a word of the title and six digits of a hash, so
    that a work has the same key in every export and no two works share one."""
    host = (urlsplit(each.url).hostname or "").removeprefix("www.").split(".")[0] if each.url else ""
    who = _plain(each.authors[0].split()[-1]) if each.authors else ""
    word = next((_plain(w) for w in each.title.split() if len(_plain(w)) > 3), "")
    same = each.doi.lower() or (comparison_key(each.url) if each.url else f"{each.title}|{each.issued}")
    digest = hashlib.sha256(same.encode("utf-8", "replace")).hexdigest()[:6]
    year = str(each.issued[0]) if each.issued else "nd"
    return f"{(who or _plain(host) or 'anon')[:20]}{year}{word[:20]}-{digest}"


def _plain(text: str) -> str:
    """Reduce a text to lower-case ASCII letters and digits, which every tool accepts in a key."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in folded if c.isascii() and c.isalnum())


def people(names: str | None, *, scholarly: bool = False) -> tuple[str, ...]:
    """Split a byline into names, at 'and' only between full names and not within that of a firm or an office. A comma
    separates names only in the manner of scholarly indexes, with a full name on each side; elsewhere it may precede a
    title or a place."""
    given = _OTHERS.sub("", one_line(names or ""))
    listed = [(part, _AND.split(part)) for part in re.split(r"\s*;\s*", given) if part]
    parts = [name for part, joined in listed for name in (joined if all(map(is_name, joined)) else [part])]
    if scholarly and len(parts) == 1:
        split = [part.strip() for part in given.split(",")]
        parts = split if all(" " in part for part in split) else [given]
    return tuple(part for part in parts if part)


def is_name(name: str) -> bool:
    """Return True for two or more words that may name a person: no legal form, and nothing 'of' or 'for' something."""
    words = name.split()
    whole = len(words) > 1 and words[0][0].isupper() and words[-1][0].isupper()
    return whole and not _OF.search(name) and without_legal_form(name) == name


def _parts(iso: str) -> tuple[int, ...]:
    found = _DATE.match(iso)
    return tuple(int(part) for part in found.groups() if part) if found else ()


def _said(each: JsonObject, key: str) -> str:
    value = each.get(key)
    if isinstance(value, list):
        return "; ".join(item for item in value if isinstance(item, str))
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""


_ENTRY = entries(__name__, "bibtex_entries")  # entry types that every BibTeX style has; the rest become @misc
_CONTAINER = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}
_PUBLISHER = {"techreport": "institution", "phdthesis": "school"}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''",  # which babel turns into a command in some languages
}  # fmt: skip
_SPECIAL = regex(r'[\\{}$&#_%~^<>|"]')


def tex(text: str) -> str:
    """Escape text for TeX: it is set as written, and no command in it runs."""
    return _SPECIAL.sub(lambda special: _TEX[special.group()], text)


def bibtex(references: Iterable[Reference]) -> str:
    """A .bib file in UTF-8. Titles and names are in braces, so that styles neither change their case nor split them."""
    return "\n".join(_entry(each) for each in references)


def _entry(each: Reference) -> str:
    kind = _ENTRY.get(each.type, "misc")
    if kind in ("article", "inproceedings", "incollection") and not each.container:
        kind = "misc"  # these kinds must name the work they appear in
    fields = {
        "title": f"{{{tex(each.title)}}}",
        "author": " and ".join(f"{{{tex(author)}}}" for author in each.authors),
        _CONTAINER.get(kind, "howpublished"): tex(each.container),
        _PUBLISHER.get(kind, "publisher"): tex(each.publisher),
        "year": str(each.issued[0]) if each.issued else "",
        "doi": _address(each.doi),
        "url": _address(each.url),
        "urldate": "-".join(f"{part:02d}" for part in each.accessed),
        "language": tex(each.language),
        "note": tex(each.note),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    if len(each.issued) > 1 and 1 <= each.issued[1] <= 12:
        lines.append(f"  month = {_MONTHS[each.issued[1] - 1]},")
    return "\n".join((f"@{kind}{{{each.key},", *lines, "}", ""))


def _address(text: str) -> str:
    """Return an address or DOI, which styles set verbatim, without the characters that would end the field."""
    return re.sub(r"[{}\\\s]", lambda found: f"%{ord(found.group()):02X}", text)


def csl_json(references: Iterable[Reference]) -> bytes:
    """Return a list of items in the CSL-JSON schema (1.0.2)."""
    items = [_item(each) for each in references]
    return (json.dumps(items, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace")


def _item(each: Reference) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": each.key,
        "type": each.type,
        "title": each.title,
        "author": [{"literal": author} for author in each.authors],
        "publisher": each.publisher,
        "container-title": each.container,
        "issued": {"date-parts": [list(each.issued)]} if each.issued else None,
        "accessed": {"date-parts": [list(each.accessed)]} if each.accessed else None,
        "URL": each.url,
        "DOI": each.doi,
        "language": each.language,
        "note": each.note,
    }
    return {name: value for name, value in item.items() if value}
