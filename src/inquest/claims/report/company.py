"""Whose report it is, where nobody says so: the organisation that the whole text speaks of; and of which year."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime

from inquest.claims.press_words import without_form
from inquest.claims.standalone import in_its_name
from inquest.domain.document import Document
from inquest.text.entities import NameKind, names
from inquest.text.lexicon import pattern
from inquest.text.regex import regex

_READ = 30_000
"""Characters from the beginning in which names are looked for; they are counted in twice as many."""
_OFTEN, _AHEAD = 6, 1.5
"""Times a name must stand there, and how far ahead of the next it must be."""
_SMALL = frozenset("the die der das le la el".split())
_WE_DO = pattern(__name__, "we_do")
_FORM = regex(r"\s+(?:SE|AG|plc|PLC|Inc|Ltd|GmbH|SA|NV|ASA|AB|Corp|Corporation|Limited)\.?$")


def spoken_of(document: Document) -> str:
    """The name, without its legal form; '' where no name stands out."""
    head = document.text[:_READ]
    known = {
        _FORM.sub("", name.text)
        for name in names(f"{document.title}.\n\n{head}")
        if name.sure and name.kind not in (NameKind.PERSON, NameKind.PLACE) and len(name.text.split()) <= 4
    }
    text = document.text[: 2 * _READ]
    counts = Counter(
        {name: len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text)) for name in known if len(name) > 2}
    )
    ordered = counts.most_common(12)
    if not ordered or ordered[0][1] < _OFTEN:
        return ""
    best, times = ordered[0]
    # 'Group' is a part of 'BMW Group', not another name beside 'BMW'.
    of_it = {word for name, _ in ordered if set(name.split()) & set(best.split()) for word in name.split()}
    others = [count for name, count in ordered[1:] if not of_it & set(name.split())]
    if others and times < _AHEAD * others[0]:
        return ""
    # 'BMW' stands wherever 'BMW Group' does: the longer name, where it is nearly as frequent.
    longer = [name for name, count in ordered if name.startswith(f"{best} ") and count >= 0.6 * times]
    return longer[0] if longer else best


def in_company_name(sentence: str, company: str) -> str:
    """What is said as 'we' as said of the company, with the verb to match: 'we aim' becomes 'Norvane aims'."""
    text = re.sub(r"\b[Oo]ur\s+(?:company|group)(['’]s)?(?!\w)", lambda own: company + (own[1] or ""), sentence)
    text = re.sub(r"\bourselves\b", "itself", text)
    text = _WE_DO.sub(lambda done: f"{company} {done['adverb'] or ''}{_third_person(done['verb'])}", text)
    return in_its_name(text, company)


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "x", "sh", "ch", "z", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2:-1] not in "aeou" else f"{verb}s"


def named_in(company: str, text: str) -> bool:
    """Whether the text names the company: its first word that is no article is enough ('BMW' for 'BMW Group')."""
    first = next((word for word in re.findall(r"\w[\w&.'’-]*", company) if word.lower() not in _SMALL), "")
    return bool(first) and re.search(rf"(?<!\w){re.escape(first)}(?!\w)", text) is not None


def name_masked(text: str, company: str) -> str:
    """The text with the company's name made meaningless, every other character where it was: what a claim is about is
    told by its words, and a company called 'Target' or 'Net Zero Foods' has some of these in its name.

    The name counts in its own capitals only, with its legal form or without. A name of several words is left alone
    where another capitalised word follows, for there it may be part of another name ('Renewable Energy Certificates').
    """
    full = " ".join(company.split())
    for name in dict.fromkeys((full, without_form(full))):
        if len(name) < 2:
            continue
        apart = r"(?!\s+[A-Z])" if " " in name else ""
        pattern = r"\s+".join(re.escape(word) for word in name.split())
        text = re.sub(rf"(?<!\w){pattern}(?!\w){apart}", lambda found: _masked(found.group()), text)
    return text


def _masked(name: str) -> str:
    """A name of the same length that no rule knows: 'Target' -> 'Xqxqxq'."""
    return ("X" + "qx" * len(name))[: len(name)]


_YEAR = regex(r"(?<![\d.,-])(?:FY\s?)?(20[0-4]\d)(?![\d])", re.IGNORECASE)
_HEAD = 20_000
"""Characters from the beginning, in which a report says of itself what it is."""


def report_year(document: Document, now: datetime) -> int | None:
    """The year of its title; else the one its opening names most often that is not in the future; None: no year is."""
    for text in (document.title, document.text[:400]):
        named = [year for year in _years(text) if year <= now.year]
        if len(set(named)) == 1:
            return named[0]
    counted = Counter(year for year in _years(document.text[:_HEAD]) if year <= now.year)
    return max(counted, key=lambda year: (counted[year], year)) if counted else None


def _years(text: str) -> list[int]:
    return [int(match[1]) for match in _YEAR.finditer(text)]
