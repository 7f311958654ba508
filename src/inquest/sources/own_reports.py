"""Reports that a company files with a register: they stand on somebody else's pages and are its own word."""

from __future__ import annotations

from inquest.domain.source import Category, Source
from inquest.text.entities import same_name
from inquest.text.lexicon import pattern

_REPORT = pattern(__name__, "report")
_KEEPERS = frozenset((Category.GOVERNMENT, Category.REGULATOR, Category.COURT, Category.UNKNOWN, Category.COMPANY))
"""Who keeps what others file. The press writes of reports; it does not keep them."""


def is_own_report(source: Source, company: str) -> bool:
    """Whether the page is a report of the company's as a register keeps it, by a title that begins with its name:
    'Norvane plc: annual report 2024'. What a register enters itself has other titles."""
    found = _REPORT.search(source.title)
    if not company or found is None or source.rating.category not in _KEEPERS:
        return False
    whose = source.title[: found.start()].strip(" :,-–—|")
    return bool(whose) and same_name(whose, company)
