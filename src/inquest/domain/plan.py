"""The brief of a case and the plan made from it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field

from inquest.domain.audit import AuditAsked
from inquest.domain.check import CheckRequest
from inquest.domain.languages import Language
from inquest.domain.market import MarketRequest
from inquest.domain.reasons import Reasons
from inquest.domain.search import Query
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
        source_limit=15, claim_limit=5, skip_timeline=True, bias_level="overall", summary_depth="brief", minutes=(1, 4)
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
    budget_tokens: int | None = Field(default=None, ge=0)
    budget_calls: int | None = Field(default=None, ge=0)
    """Calls of engines and models."""
    afresh: bool = False
    """Search and fetch everything anew, even if another case has done so today."""
    deadline_seconds: float | None = Field(default=None, gt=0)
    check: CheckRequest | None = None
    topic: Topic | None = None
    market: MarketRequest | None = None
    """Further parameters of a market question; `as_of` is its now."""
    audit: AuditAsked | None = None

    @property
    def needs_approval(self) -> bool:
        """True if a person must approve the plan; market answers and audits need no approval."""
        return self.market is None and self.audit is None


NO_QUESTION = "nothing in the plan is a question for it"
"""The reason for leaving out an engine that is ready."""


class AnalysedUrl(Value):
    """A page the user named, as read before planning."""

    url: str
    title: str = ""
    domain: str = ""
    stars: int = 0
    """0: unreadable."""
    summary: str = ""
    snapshot: str | None = None
    why_not: str | None = None
    """The reason why it could not be read."""


class UnaskedEngine(Value):
    """An engine that a plan leaves out."""

    engine: str
    lacks: str = ""
    """The missing setting, in words; '': no query in the plan suits it."""


class MeantKind(StrEnum):
    """The kind of thing a name refers to."""

    ORGANISATION = "organisation"
    PLACE = "place"
    NAME = "name"
    """A person, company or thing: the form of the name does not show which."""


class Meant(Value):
    """A subject of the case as the user names it; pages about namesakes are not evidence."""

    name: str
    kind: MeantKind = MeantKind.NAME
    within: str = ""
    """The region given by the user; '': none."""

    @property
    def shown(self) -> str:
        """'Ebbing (Kent)'."""
        return f"{self.name} ({self.within})" if self.within else self.name


class Stated(Value):
    """A statement of a brief that can be checked."""

    text: str
    question: str = ""
    """The yes/no question of the brief that it answers; '': the brief states it."""


class Plan(Value):
    """The plan of an inquiry; the approved plan is the plan that runs."""

    topic: str
    questions: tuple[str, ...]
    question_codes: Reasons = ()
    queries: tuple[Query, ...]
    stated: tuple[Stated, ...] = ()
    """The statements of the brief as the model reads it; () if none reads it, and in plans of earlier versions."""
    meant: tuple[Meant, ...] = ()
    """Its subjects, most often named first; () if none is named, and in plans of earlier versions."""
    times: tuple[str, ...] = ()
    """The days, months and years that it is about, in the user's words."""
    engines: tuple[str, ...]
    """Names of the engines to ask, in order of preference."""
    left_out: tuple[str, ...] = ()
    """Engines left out, each with the reason, in words."""
    unasked: tuple[UnaskedEngine, ...] = ()
    """The same as values; () in plans of earlier versions."""
    paid: tuple[str, ...] | None = None
    """Names of the engines whose calls cost money; None in plans of earlier versions."""
    source_kinds: tuple[str, ...] = ()
    user_sources: tuple[AnalysedUrl, ...] = ()
    mode: Mode
    analyst: str = "local"
    """'local', or the model to be asked."""
    local_model: str = ""
    """The local small model that reads pairs besides the rules; empty: none."""
    notes: tuple[str, ...] = ()
    """Notes for the user to read before approving ('no network: only the collection demo will be searched')."""
    revision: int = 1

    @property
    def unaided(self) -> bool:
        """True if no language model reads the results, only the rules and the local small model."""
        return self.analyst == "local"


class Decision(StrEnum):
    """A decision on a plan."""

    APPROVE = "approve"
    REVISE = "revise"
    REJECT = "reject"


class Approval(Value):
    """A human or automatic decision about a plan: superseded by later ones, never overwritten."""

    decision: Decision
    text: str = ""
    """The requested change, in the person's words."""
    about: str = ""
    """The claim that a further round is to find more on; '': the plan as a whole."""
    by: str
    at: datetime
    how: str
    """prompt, option, api, library."""
    revision: int = 1
    """The revision of the plan it refers to."""
