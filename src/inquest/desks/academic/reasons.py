"""Reasons of the academic desk: codes, worded in `domain/wording/academic.toml`."""

from __future__ import annotations

from inquest.domain.reasons import Reason, ReasonData


def reason(name: str, /, **data: ReasonData) -> Reason:
    """The reason `academic.NAME` with its data."""
    return Reason(code=f"academic.{name}", data=data)
