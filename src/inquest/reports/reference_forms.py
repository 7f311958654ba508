"""References as reference managers read them: BibTeX for TeX, CSL-JSON for Zotero, pandoc and their like."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from inquest.reports.references import Reference
from inquest.text.lexicon import entries
from inquest.text.regex import regex

_ENTRY = entries(__name__, "bibtex_entries")
"""Kinds of entry that every BibTeX style knows; what is none of these is @misc."""
_CONTAINER = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}
_PUBLISHER = {"techreport": "institution", "phdthesis": "school"}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''",  # which babel makes a command of in some languages
}  # fmt: skip
_SPECIAL = regex(r'[\\{}$&#_%~^<>|"]')


def tex(text: str) -> str:
    """The text as TeX sets it, whatever characters it has. What it says stays; a command in it is none any more."""
    return _SPECIAL.sub(lambda special: _TEX[special.group()], text)


def bibtex(references: Iterable[Reference]) -> str:
    """A .bib file in UTF-8. Titles and names stand in braces of their own: no style changes their case or takes them
    apart."""
    return "\n".join(_entry(each) for each in references)


def _entry(each: Reference) -> str:
    kind = _ENTRY.get(each.type, "misc")
    if kind in ("article", "inproceedings", "incollection") and not each.container:
        kind = "misc"  # these kinds must say in what they stand
    fields = {
        "title": f"{{{tex(each.title)}}}",
        "author": " and ".join(f"{{{tex(author)}}}" for author in each.authors),
        _CONTAINER.get(kind, "howpublished"): tex(each.container),
        _PUBLISHER.get(kind, "publisher"): tex(each.publisher),
        "year": str(each.issued[0]) if each.issued else "",
        "doi": _address(each.doi),
        "url": _address(each.url),
        "urldate": _iso(each.accessed),
        "language": tex(each.language),
        "note": tex(each.note),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    if len(each.issued) > 1 and 1 <= each.issued[1] <= 12:
        lines.append(f"  month = {_MONTHS[each.issued[1] - 1]},")
    return "\n".join((f"@{kind}{{{each.key},", *lines, "}", ""))


def _address(text: str) -> str:
    """An address or DOI, which styles set verbatim: only what would end the field is written otherwise."""
    return re.sub(r"[{}\\\s]", lambda found: f"%{ord(found.group()):02X}", text)


def csl_json(references: Iterable[Reference]) -> bytes:
    """A list of items after the CSL-JSON schema (1.0.2)."""
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
        "issued": _date(each.issued),
        "accessed": _date(each.accessed),
        "URL": each.url,
        "DOI": each.doi,
        "language": each.language,
        "note": each.note,
    }
    return {name: value for name, value in item.items() if value}


def _date(parts: tuple[int, ...]) -> dict[str, list[list[int]]] | None:
    return {"date-parts": [list(parts)]} if parts else None


def _iso(parts: tuple[int, ...]) -> str:
    return "-".join((f"{parts[0]:04d}", *(f"{part:02d}" for part in parts[1:]))) if parts else ""
