"""The entries of a bibliography in BibTeX: the work that each names, its address, and its notes on the work."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from inquest.domain.audit import CitedWork
from inquest.text.regex import regex
from inquest.text.sentences import Span
from inquest.text.urls import is_web_url

NOTES = ("note", "annote", "annotation", "abstract")  # Fields that may make statements on the work
_BEGIN = regex(
    r"^[ \t]*@[ \t]*(?:(?:string|preamble|comment)\s*[{(]|[a-z]+\s*[{(]\s*[^\s,{}()=\"]+\s*[,})])", re.M | re.I
)
_NAMING = ("title", "author", "editor", "year", "date")
_ADDRESS = regex(r"https?://[^\s{}<>\"]+")
_COMMAND = regex(r"\\(?:[A-Za-z]+\*?|.)|[{}$]")


@dataclass(frozen=True)
class Entry:
    """An entry at its place in the text. A broken one has no fields and reaches to the next."""

    key: str  # The citation key; '' for a macro or comment
    fields: Mapping[str, str]  # Values as written, by field name in lower case; `places` has their positions
    places: Mapping[str, Span]
    span: Span
    fault: str = ""

    @property
    def work(self) -> CitedWork:
        """The work as the entry names it."""
        title, author, editor, year, date = (self.fields.get(each, "") for each in _NAMING)
        years = re.findall(r"\b\d{4}\b", year or date)
        authors = tuple(_families(author or editor))
        return CitedWork(title=untex(title), authors=authors, year=years[0] if years else "", fault=self.fault)

    @property
    def url(self) -> str:
        """Its address: of the page, of its preprint, or in another field; '' without one."""
        plain = {name: value.replace("\\", "").strip("{} ") for name, value in self.fields.items()}
        if is_web_url(url := plain.get("url", "")):
            return url
        archive, number = plain.get("archiveprefix") or plain.get("eprinttype", ""), plain.get("eprint")
        if number and archive.lower() == "arxiv":
            return f"https://arxiv.org/abs/{number.removeprefix('arXiv:')}"
        found = (_ADDRESS.search(plain.get(name, "")) for name in ("howpublished", *NOTES) if not plain.get("doi"))
        return next((each[0].rstrip(".,;:") for each in found if each), "")


def entries(text: str) -> Iterator[Entry]:
    """Yield the entries of a text in BibTeX or BibLaTeX; macros are resolved."""
    begins = [each.start() for each in _BEGIN.finditer(text)]
    if not begins:
        return
    from pybtex.database.input.bibtex import LowLevelParser, UndefinedMacro

    macros: dict[str, str] = {}
    for start, end in pairwise((*begins, len(text))):
        written, errors, fields, places = text[start:end], list[Exception](), {}, {}
        parser = LowLevelParser(written, macros=macros, handle_error=errors.append)
        is_read = next(iter(parser), None) is not None
        faults = [str(each.args[0]) for each in errors if not isinstance(each, UndefinedMacro)]
        for name, parts in () if faults else reversed(parser.current_fields):
            fields[name.lower()] = "".join(parts)
            at = re.search(rf"\b{re.escape(name)}\s*=\s*[{{\"]?", written)
            if at and written.startswith(parts[0], at.end()):
                places[name.lower()] = Span(start + at.end(), start + at.end() + len(parts[0]))
        span = Span(start, start + parser.pos if is_read and not faults else end)
        yield Entry(parser.current_entry_key or "", fields, places, span, faults[0] if faults else "")


def untex(value: str) -> str:
    """Return the text of a value: accents as letters, commands and grouping braces left out."""
    import latexcodec as latexcodec

    guarded = re.sub(r"(?<!\\)%", r"\\%", re.sub(r"\{\\([ij])\}", r"{\1}", value)).replace(r"\$", "\0")
    decoded = codecs.decode(guarded.encode(), "latex+utf8", "ignore")
    return " ".join(_COMMAND.sub("", decoded).replace("\0", "$").split())


def _families(people: str) -> Iterator[str]:
    """Yield the family names in a list of people: 'Tolvanen, Maria and Jon Berg'; a name in braces is one name."""
    from pybtex.bibtex.utils import split_name_list
    from pybtex.database import Person

    for name in split_name_list(people):
        person = Person(name if name.count(",") < 3 else name.partition(",")[0])
        if name != "others" and (family := " ".join((*person.prelast_names, *person.last_names))):
            yield untex(family)
