"""Recognition of a company's own pages and filings, which are not independent evidence for its claims."""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import urlsplit

from inquest.claims.press_words import without_form
from inquest.claims.report.company import named_in
from inquest.domain.source import Category, Source
from inquest.sources.owners import OFFICIAL
from inquest.text.entities import names, same_name
from inquest.text.lexicon import pattern
from inquest.text.sentences import fold

_REGISTERS = ("www.sec.gov/archives/edgar/data/", "find-and-update.company-information.service.gov.uk/company/")
"""Addresses under which registers publish company filings."""
_REPORT = pattern(__name__, "report")
_PUBLIC_NAME = pattern(__name__, "public_name")
_KEEPERS = frozenset((Category.GOVERNMENT, Category.REGULATOR, Category.COURT, Category.UNKNOWN, Category.COMPANY))
"""Publishers that host filings of others. The press writes about reports, but does not host them."""
_RELEASING = (Category.PRESS_RELEASE, Category.UNKNOWN)


def is_own_word(source: Source, company: str, own_domains: Collection[str]) -> bool:
    """Return True if the company publishes the page: its own domain, a company page of its name, or its press release.

    Public bodies and law firms publish releases too; a release belongs to the name that comes first in its title.
    """
    if source.domain in own_domains or source.rating.domain in own_domains:
        return True
    if source.rating.category == Category.COMPANY:
        named = bool(company) and same_name(source.rating.owner or source.domain.split(".")[0], company)
        return named or is_called(source, company)
    if source.rating.category in OFFICIAL:
        return _is_body(source, company)
    if not source.rating.known and is_called(source, company):
        return True
    if not source.rating.press_release or source.rating.category not in _RELEASING:
        return False
    first = next((name.text for name in names(source.title)), "")
    return bool(company) and (not first or same_name(first, company))


def _is_body(source: Source, company: str) -> bool:
    """Return True if the public body whose claims are checked publishes the page: 'City of Lenn' at lenn.gov.uk, a
    hospital trust at nhs.uk."""
    if company and (same_name(source.publisher or "", company) or is_called(source, company)):
        return True
    words = re.findall(r"[a-z]{4,}", fold(company))
    return bool(_PUBLIC_NAME.search(company)) and source.rating.domain.split(".")[0] in words


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
