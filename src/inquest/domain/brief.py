"""What a user asks: the brief, and the mode that sets how far an inquiry goes."""

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
    """How far an inquiry goes (spec 004, mode reference)."""

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
    """How many claims are checked, best first; None: all."""
    skip_timeline: bool
    bias_level: Literal["overall", "per_source"]
    summary_depth: Literal["brief", "comprehensive"]
    minutes: tuple[int, int]
    """What to tell the user to expect with real engines and a model, in minutes; without a deadline of their own it
    ends by then."""


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
    """What the user wants to know, as given."""

    text: str
    reference: str = ""
    """The receiver's own id for the case, where it gave one; '': ours."""
    urls: tuple[str, ...] = ()
    """Pages the user named; they are read before the plan is made."""
    mode: Mode = Mode.QUICK
    engines: tuple[str, ...] = ()
    """Engines the user asked for, in order of preference; empty: every engine that is ready and fits."""
    collections: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    """ISO 639-1, of the pages that are looked for; empty: whatever the engines find."""
    language: Language = "en"
    """Of the report and its reasons."""
    as_of: datetime | None = None
    """The 'now' of the case: nothing published after it counts as evidence."""
    budget_usd: float | None = Field(default=None, ge=0)
    deadline_seconds: float | None = Field(default=None, gt=0)
    check: CheckRequest | None = None
    """The claims to check, where the case is a check of claims."""
    topic: Topic | None = None
    """The topic to verify, where the case is the investigation of one."""
    market: MarketRequest | None = None
    """What is beside the question, where the case is an answer of the market desk; `as_of` is its now."""
    audit: AuditAsked | None = None
    """The text whose citations are audited, where the case is an audit."""

    @property
    def needs_approval(self) -> bool:
        """Whether the plan waits for a person: nobody has to agree to an answer of the market desk or an audit."""
        return self.market is None and self.audit is None
