"""The company of a report, by name in its claims, and the reporting year."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime

from inquest.claims.press_words import without_form
from inquest.claims.standalone import in_its_name
from inquest.claims.yes_no import third_person
from inquest.domain.document import Document
from inquest.sources.economic_releases import country_called
from inquest.text.lexicon import pattern
from inquest.text.regex import regex

_SMALL = frozenset("the die der das le la el".split())
_WE_DO = pattern(__name__, "we_do")
_YEAR = regex(r"(?<![\d.,-])(?:FY\s?)?(20[0-4]\d)(?![\d])", re.IGNORECASE)
_HEAD = 20_000
"""Characters at the beginning that are searched for the reporting year."""


def in_company_name(sentence: str, company: str) -> str:
    """Replace 'we' by the company and fit the verb: 'we aim' becomes 'Norvane aims'."""
    text = re.sub(r"\b[Oo]ur\s+(?:company|group)(['’]s)?(?!\w)", lambda own: company + (own[1] or ""), sentence)
    text = re.sub(r"\bourselves\b", "itself", text)
    text = _WE_DO.sub(lambda done: f"{company} {done['adverb'] or ''}{third_person(done['verb'])}", text)
    return in_its_name(text, company)


def named_in(company: str, text: str) -> bool:
    """Return True if the text has the company's first word, articles aside ('BMW' for 'BMW Group')."""
    first = next((word for word in re.findall(r"\w[\w&.'’-]*", company) if word.lower() not in _SMALL), "")
    return bool(first) and re.search(rf"(?<!\w){re.escape(first)}(?!\w)", text) is not None


def name_masked(text: str, company: str) -> str:
    """Replace the company's name by a meaningless one of the same length, keeping all offsets.

    Claims are classified by their words, which may be part of a name ('Target', 'Net Zero Foods'). The name is matched
    case-sensitively, with its legal form or without. One of several words is kept before another capitalised word,
    where it may be part of a different name ('Renewable Energy Certificates').
    """
    full = " ".join(company.split())
    for name in dict.fromkeys((full, without_form(full))):
        if len(name) < 2:
            continue
        apart = r"(?!\s+[A-Z])" if " " in name else ""
        pattern = r"\s+".join(re.escape(word) for word in name.split())
        # 'Target' -> 'Xqxqxq', which no rule matches
        text = re.sub(
            rf"(?<!\w){pattern}(?!\w){apart}", lambda found: f"X{'qx' * len(found[0])}"[: len(found[0])], text
        )
    return text


def country_beside(company: str, text: str) -> str:
    """Return the code of the country that a report names in the address or brackets after the company's name; '' for
    none or several."""
    name = r"\s+".join(map(re.escape, company.split()))
    after = re.findall(rf"(?<!\w){name}(?:\s*[,(]\s*[^\W_a-z][^,()\n;:]*)+", text[:_HEAD]) if name else []
    parts = [part.strip() for found in after for part in re.split(r"[,().]", found)[1:]]
    found = {country_called(part) for part in parts if len(part) > len("UK")} - {""}
    return found.pop() if len(found) == 1 else ""


def report_year(document: Document, now: datetime) -> int | None:
    """Return the year in the title, else the most frequent one in the opening that is not in the future, or None."""
    for text in (document.title, document.text[:400]):
        named = _years(text, now)
        if len(set(named)) == 1:
            return named[0]
    counted = Counter(_years(document.text[:_HEAD], now))
    return max(counted, key=lambda year: (counted[year], year)) if counted else None


def _years(text: str, now: datetime) -> list[int]:
    return [year for match in _YEAR.finditer(text) if (year := int(match[1])) <= now.year]
