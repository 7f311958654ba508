"""A user's brief, and the mode that sets the depth of an inquiry."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field

from inquest.domain.audit import AuditAsked
from inquest.domain.check import CheckRequest
from inquest.domain.languages import Language
from inquest.domain.market import MarketRequest
from inquest.domain.topic import Topic
from inquest.domain.value import Value


class Mode(StrEnum):
    """The depth of an inquiry (spec 004, mode reference)."""

    QUICK = "quick"
    DETAILED = "detailed"

    @property
    def settings(self) -> ModeSettings:
        """The six settings that this mode fixes."""
        return _SETTINGS[self]


class ModeSettings(Value):
    """The six settings of a mode."""

    source_limit: int
    claim_limit: int | None
    """The maximum number of claims checked, best first; None: all."""
    skip_timeline: bool
    bias_level: Literal["overall", "per_source"]
    summary_depth: Literal["brief", "comprehensive"]
    minutes: tuple[int, int]
    """Expected duration in minutes with real engines and a model; also the deadline if none is given."""


_SETTINGS = {
    Mode.QUICK: ModeSettings(
        source_limit=15,
        claim_limit=5,
        skip_timeline=True,
        bias_level="overall",
        summary_depth="brief",
        minutes=(1, 2),
    ),
    Mode.DETAILED: ModeSettings(
        source_limit=30,
        claim_limit=None,
        skip_timeline=False,
        bias_level="per_source",
        summary_depth="comprehensive",
        minutes=(2, 10),
    ),
}


class Brief(Value):
    """The user's brief."""

    text: str
    reference: str = ""
    """An id for the case chosen by the receiver; '': generated."""
    urls: tuple[str, ...] = ()
    """Pages the user named, read before planning."""
    mode: Mode = Mode.QUICK
    engines: tuple[str, ...] = ()
    """Engines the user asked for, in order of preference; empty: every suitable engine that is ready."""
    collections: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    """ISO 639-1 languages of the pages to search for; empty: any."""
    language: Language = "en"
    """The language of the report and its reasons."""
    as_of: datetime | None = None
    """The 'now' of the case: nothing published after it counts as evidence."""
    budget_usd: float | None = Field(default=None, ge=0)
    deadline_seconds: float | None = Field(default=None, gt=0)
    check: CheckRequest | None = None
    """The claims to check, if the case is a check of claims."""
    topic: Topic | None = None
    """The topic to verify, if the case is an investigation."""
    market: MarketRequest | None = None
    """Further parameters of a market question; `as_of` is its now."""
    audit: AuditAsked | None = None
    """The text whose citations are audited, if the case is an audit."""

    @property
    def needs_approval(self) -> bool:
        """True if a person must approve the plan; market answers and audits need no approval."""
        return self.market is None and self.audit is None
