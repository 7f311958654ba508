"""The rules that claims are checked against, for `inquest standards`."""

from __future__ import annotations

from typing import Any

from inquest.domain.errors import InputError
from inquest.sources.standards import standard_called
from inquest.sources.standards_book import Standard, standards_book


def standards_json(name: str | None = None) -> list[dict[str, Any]]:
    """All standards, or those that a name may mean, with rules, figures, editions, dates and sources. Raises InputError
    where no standard is known by the name."""
    if name is None:
        return [_json(standard) for standard in standards_book()]
    found = standard_called(name)
    if not found:
        raise InputError(f"No standard is known as '{name}'.", advice="`inquest standards` lists them all.")
    return [_json(standard) for standard in found]


def _json(standard: Standard) -> dict[str, Any]:
    return standard.model_dump(mode="json")
