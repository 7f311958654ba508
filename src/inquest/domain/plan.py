"""What will be asked of whom, and who agreed to it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from inquest.domain.brief import Mode
from inquest.domain.search import Query
from inquest.domain.value import Value

NO_QUESTION = "nothing in the plan is a question for it"
"""Why an engine that is ready is left out."""


class AnalysedUrl(Value):
    """A page the user named, as read before planning."""

    url: str
    title: str = ""
    domain: str = ""
    stars: int = 0
    """0: could not be read."""
    summary: str = ""
    snapshot: str | None = None
    why_not: str | None = None
    """Why it could not be read."""


class UnaskedEngine(Value):
    """An engine that a plan does not ask."""

    engine: str
    lacks: str = ""
    """What it lacks, in words; '': nothing in the plan is a question for it."""


class MeantKind(StrEnum):
    """What a name seems to be."""

    ORGANISATION = "organisation"
    PLACE = "place"
    NAME = "name"
    """A person, a firm, a thing: its form does not tell."""


class Meant(Value):
    """Whom or what a case is about, as its user names it: pages about others of the same name are no evidence."""

    name: str
    kind: MeantKind = MeantKind.NAME
    within: str = ""
    """The region that the user puts it in; '': none is named."""

    @property
    def shown(self) -> str:
        """'Ebbing (Kent)'."""
        return f"{self.name} ({self.within})" if self.within else self.name


class Plan(Value):
    """What an inquiry will do. The plan that was approved is the plan that runs."""

    topic: str
    questions: tuple[str, ...]
    queries: tuple[Query, ...]
    meant: tuple[Meant, ...] = ()
    """Whom and what it is about, the first named most; () where nobody is named, and in plans of earlier versions."""
    times: tuple[str, ...] = ()
    """The days, months and years that it is about, in the user's words."""
    engines: tuple[str, ...]
    """Names of the engines that will be asked, in order of preference."""
    left_out: tuple[str, ...] = ()
    """Engines that will not be asked, each with the reason, in words."""
    unasked: tuple[UnaskedEngine, ...] = ()
    """The same as values; () in plans of earlier versions."""
    paid: tuple[str, ...] | None = None
    """Those of the engines whose calls cost money; None in plans of earlier versions."""
    source_kinds: tuple[str, ...] = ()
    """What kinds of source will be gathered, in words."""
    user_sources: tuple[AnalysedUrl, ...] = ()
    mode: Mode
    analyst: str = "local"
    """local, or the model that will be asked."""
    local_model: str = ""
    """The small model of this machine that reads pairs beside the rules; empty: none."""
    notes: tuple[str, ...] = ()
    """What the user should know before approving ('no network: only the collection demo will be asked')."""
    revision: int = 1

    @property
    def unaided(self) -> bool:
        """Whether no language model reads what is found: the rules and the small model of this machine alone do."""
        return self.analyst == "local"


class Decision(StrEnum):
    """What a person says to a plan."""

    APPROVE = "approve"
    REVISE = "revise"
    REJECT = "reject"


class Approval(Value):
    """A human (or automatic) decision about a plan: never overwritten, only followed by another."""

    decision: Decision
    text: str = ""
    """For a revision: what should change, in the person's words."""
    about: str = ""
    """The claim that a further round is to find more on; '': the plan as a whole."""
    by: str
    at: datetime
    how: str
    """prompt, option, api, library."""
    revision: int = 1
    """Which revision of the plan it is about."""
