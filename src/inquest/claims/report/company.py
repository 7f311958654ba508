"""A report's company in the words of its claims, and the year that a report is about."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime

from inquest.claims.press_words import without_form
from inquest.claims.standalone import in_its_name
from inquest.domain.document import Document
from inquest.text.lexicon import pattern
from inquest.text.regex import regex

_SMALL = frozenset("the die der das le la el".split())
_WE_DO = pattern(__name__, "we_do")
_YEAR = regex(r"(?<![\d.,-])(?:FY\s?)?(20[0-4]\d)(?![\d])", re.IGNORECASE)
_HEAD = 20_000
"""Characters from the beginning, in which a report says of itself what it is."""


def in_company_name(sentence: str, company: str) -> str:
    """What is said as 'we' as said of the company, with the verb to match: 'we aim' becomes 'Norvane aims'."""
    text = re.sub(r"\b[Oo]ur\s+(?:company|group)(['’]s)?(?!\w)", lambda own: company + (own[1] or ""), sentence)
    text = re.sub(r"\bourselves\b", "itself", text)
    text = _WE_DO.sub(lambda done: f"{company} {done['adverb'] or ''}{_third_person(done['verb'])}", text)
    return in_its_name(text, company)


def _third_person(verb: str) -> str:
    return f"{verb[:-1]}ies" if verb == "rely" else f"{verb}es" if verb.endswith("sh") else f"{verb}s"


def named_in(company: str, text: str) -> bool:
    """Whether the text names the company: its first word that is no article is enough ('BMW' for 'BMW Group')."""
    first = next((word for word in re.findall(r"\w[\w&.'’-]*", company) if word.lower() not in _SMALL), "")
    return bool(first) and re.search(rf"(?<!\w){re.escape(first)}(?!\w)", text) is not None


def name_masked(text: str, company: str) -> str:
    """The text with the company's name made meaningless, every other character where it was: what a claim is about is
    known by its words, and a company called 'Target' or 'Net Zero Foods' has some of these in its name.

    The name counts in its own capitals only, with its legal form or without. A name of several words is left alone
    where another capitalised word follows, for there it may be part of another name ('Renewable Energy Certificates').
    """
    full = " ".join(company.split())
    for name in dict.fromkeys((full, without_form(full))):
        if len(name) < 2:
            continue
        apart = r"(?!\s+[A-Z])" if " " in name else ""
        pattern = r"\s+".join(re.escape(word) for word in name.split())
        text = re.sub(rf"(?<!\w){pattern}(?!\w){apart}", _masked, text)
    return text


def _masked(name: re.Match[str]) -> str:
    """A name of the same length that no rule knows: 'Target' -> 'Xqxqxq'."""
    return ("X" + "qx" * len(name[0]))[: len(name[0])]


def report_year(document: Document, now: datetime) -> int | None:
    """The year of its title; else the one its opening names most often that is not in the future; None: no year is."""
    for text in (document.title, document.text[:400]):
        named = _years(text, now)
        if len(set(named)) == 1:
            return named[0]
    counted = Counter(_years(document.text[:_HEAD], now))
    return max(counted, key=lambda year: (counted[year], year)) if counted else None


def _years(text: str, now: datetime) -> list[int]:
    return [year for match in _YEAR.finditer(text) if (year := int(match[1])) <= now.year]
