"""Whether a company speaks for itself on a page, so that it is no witness for itself."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from inquest.claims.report.company import named_in
from inquest.domain.source import Category, Source
from inquest.sources.own_reports import is_own_report
from inquest.text.entities import names, same_name

__all__ = ["is_filing", "is_own_word"]

_REGISTERS = ("www.sec.gov/archives/edgar/data/", "find-and-update.company-information.service.gov.uk/company/")
"""Where registers keep what companies file."""
_RELEASING = (Category.PRESS_RELEASE, Category.UNKNOWN)


def is_own_word(source: Source, company: str, own_domains: Collection[str]) -> bool:
    """Whether the company speaks for itself on the page: its own domain, a company's page of its name, or a release
    that is not somebody else's.

    Public bodies and law firms send out releases too; whose one is, is told by whom its title names first.
    """
    if source.domain in own_domains or source.rating.domain in own_domains:
        return True
    if source.rating.category == Category.COMPANY:
        return bool(company) and same_name(source.rating.owner or source.domain.split(".")[0], company)
    if not source.rating.press_release or source.rating.category not in _RELEASING:
        return False
    first = next((name.text for name in names(source.title)), "")
    return not first or not company or same_name(first, company)


def is_filing(source: Source, company: str) -> bool:
    """Whether the company has put the page down under a duty to tell the truth: a document in a register of filings
    that names it, or a report of its that a register keeps."""
    parts = urlsplit(source.url)
    if company and f"{parts.hostname}{parts.path}".lower().startswith(_REGISTERS):
        return named_in(company, f"{source.title} {source.summary}")
    return is_own_report(source, company)
