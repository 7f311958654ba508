"""The company of a report: its name in claims, the reporting year, and its own pages and filings, which are not
independent evidence for its claims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from datetime import datetime
from urllib.parse import urlsplit

from inquest.claims.press_words import without_form
from inquest.claims.standalone import in_its_name, third_person
from inquest.domain.document import Document
from inquest.domain.source import Category, Source
from inquest.sources.economic_releases import country_called
from inquest.sources.owners import OFFICIAL
from inquest.text.entities import names, same_name
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import fold

_SMALL = frozenset("the die der das le la el".split())
_WE_DO = pattern(__name__, "we_do")
_YEAR = regex(r"(?<![\d.,-])(?:FY\s?)?(20[0-4]\d)(?![\d])", re.IGNORECASE)
_HEAD = 20_000  # Characters at the beginning that are searched for the reporting year


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
    """Replace the company's name by a meaningless one of the same length, keeping all offsets. Claims are classified by
    their words, which may be part of a name ('Target', 'Net Zero Foods'). The name is matched case-sensitively, with
    its legal form or without. One of several words is kept before another capitalised word, where it may be part of a
    different name ('Renewable Energy Certificates')."""
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


_REGISTERS = (
    "www.sec.gov/archives/edgar/data/", "find-and-update.company-information.service.gov.uk/company/",
    "www.londonstockexchange.com/news-article/", "data.fca.org.uk/", "www.1info.it/", "www.emarketstorage.it/",
    "www.eqs-news.com/news/adhoc/", "newsweb.oslobors.no/", "www.kap.org.tr/", "www.release.tdnet.info/inbs/",
    "disclosure2.edinet-fsa.go.jp/", "dart.fss.or.kr/", "kind.krx.co.kr/", "mops.twse.com.tw/", "www1.hkexnews.hk/",
    "www.asx.com.au/asxpdf/", "announcements.asx.com.au/", "www.sedarplus.ca/",
)  # fmt: skip
"""Addresses under which registers and exchanges publish what companies must disclose, each named by its rules of
disclosure (EDGAR, Companies House, RNS, NSM, SDIR-Storage, eMarket Storage, EQS ad hoc, NewsWeb, KAP, TDnet, EDINET,
DART, KIND, MOPS, HKEXnews, ASX, SEDAR+)."""
_REPORT = pattern(__name__, "report")
_PUBLIC_NAME = pattern(__name__, "public_name")
_KEEPERS = frozenset((Category.GOVERNMENT, Category.REGULATOR, Category.COURT, Category.UNKNOWN, Category.COMPANY))
"""Publishers that host filings of others. The press writes about reports, but does not host them."""
_RELEASING = (Category.PRESS_RELEASE, Category.UNKNOWN)


def is_own_word(source: Source, company: str, own_domains: Collection[str]) -> bool:
    """Return True if the company publishes the page: its own domain, a company page of its name, or its press release.
    Public bodies and law firms publish releases too; a release belongs to the name that comes first in its title."""
    if source.domain in own_domains or source.rating.domain in own_domains:
        return True
    if source.rating.category == Category.COMPANY:
        named = bool(company) and same_name(source.rating.owner or source.domain.split(".")[0], company)
        return named or is_called(source, company)
    if source.rating.category in OFFICIAL:
        # The public body whose claims are checked: 'City of Lenn' at lenn.gov.uk, a hospital trust at nhs.uk.
        label = source.rating.domain.split(".")[0]
        at_home = bool(_PUBLIC_NAME.search(company)) and label in re.findall(r"[a-z]{4,}", fold(company))
        named = bool(company) and (same_name(source.publisher or "", company) or is_called(source, company))
        return named or at_home
    if not source.rating.known and is_called(source, company):
        return True
    if not source.rating.press_release or source.rating.category not in _RELEASING:
        return False
    first = next((name.text for name in names(source.title)), "")
    return bool(company) and (not first or same_name(first, company))


def is_called(source: Source, company: str) -> bool:
    """Return True if the domain is the company's name, or its first word if the publisher has the company's name."""
    words = re.findall(r"[a-z0-9]+", fold(without_form(company)))
    label = source.domain.split(".")[0].replace("-", "")
    if not words or label not in {"".join(words[:length]) for length in range(1, len(words) + 1)}:
        return False
    return len(words) == 1 or label != words[0] or same_name(source.publisher or "", company)


def is_filing(source: Source, company: str) -> bool:
    """Return True for a filing of the company, made under a legal duty of accuracy: in a register of filings, or its
    report."""
    parts = urlsplit(source.url)
    if company and f"{parts.hostname}{parts.path}".lower().startswith(_REGISTERS):
        return named_in(company, f"{source.title} {source.summary}")
    return is_own_report(source, company)


def is_own_report(source: Source, company: str) -> bool:
    """Return True for the company's report in a register, by its title: 'Norvane plc: annual report 2024'."""
    found = _REPORT.search(source.title)
    if not company or found is None or source.rating.category not in _KEEPERS:
        return False
    owner = source.title[: found.start()].strip(" :,-–—|")
    return bool(owner) and same_name(owner, company)
