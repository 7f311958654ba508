"""Everything that can go wrong, named by who must act.

    InquestError
    ├── UserError               the user's input or a setting; exit code 1
    │   ├── InputError          a brief, file, URL or option that cannot be used
    │   ├── SettingError        a setting that is missing or wrong
    │   ├── NotFound            a case, collection or snapshot that does not exist here
    │   ├── Busy                another process holds what is needed
    │   ├── Conflict            a request that does not fit the present state of the case or record
    │   └── AccessError         a request to the service by somebody who may not make it
    │       └── NotSignedIn, NotAllowed, TooManyRequests
    ├── Outage                  something that should have been asked and could not be; exit code 2
    │   ├── SearchError         every search engine that should have been asked
    │   ├── EngineError         a search engine
    │   │   ├── EngineKeyRefused, EngineQuota, EngineUnavailable, EngineFormat
    │   ├── PageError           a page or document
    │   │   ├── PageForbidden (the guard), PageRefused (robots.txt or the site), PageUnavailable,
    │   │   └── PageTooLarge, PageUnreadable; FileUnreadable (a file of the user's own; exit code 1)
    │   ├── ModelError          a model service
    │   │   └── ModelKeyRefused, ModelUnavailable, ModelFormat
    │   ├── StorageError        the disk or the database
    │   └── NotRecorded         a replay asked for something the case never asked
    ├── BudgetMet               money, time, calls or tokens of the case are used up
    ├── HandedOver              this process ends; the case goes on in another, from its last checkpoint
    ├── Superseded              another runner has taken the case; this one writes nothing more and ends
    └── Ungrounded              a quote that does not stand in its snapshot; a defect, never shown as a finding

Every message is one sentence that says what is wrong, and `advice` one that says what to do.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from inquest.domain.reasons import Reason, plain, with_advice


class InquestError(Exception):
    """The root. `str(error)` is a sentence for the user; `advice` says what to do, or is empty."""

    exit_code: ClassVar[int] = 2
    advice: str

    def __init__(self, message: str | Reason, *, advice: str | Reason = "") -> None:
        super().__init__(plain(message))
        self.said, self.advised = message, advice
        self.advice = plain(advice)

    @property
    def sentence(self) -> str:
        """The message and the advice, as one line for a person."""
        return f"{self} {self.advice}".strip()

    @property
    def sentence_code(self) -> Reason | None:
        """The sentence as a code; None where all its words are somebody else's."""
        if isinstance(self.said, str) and isinstance(self.advised, str):
            return None
        return with_advice(self.said, self.advised)


class UserError(InquestError):
    """The user's input or a setting is wrong; nothing was started."""

    exit_code = 1


class InputError(UserError):
    """A brief, file, URL or option cannot be used. `field` names it where it is one of a request or form; '' else."""

    def __init__(self, message: str | Reason, *, advice: str | Reason = "", field: str = "") -> None:
        super().__init__(message, advice=advice)
        self.field = field


class SettingError(UserError):
    """A setting is missing or wrong."""


class NotFound(UserError):
    """A case, collection or snapshot of that name does not exist here."""


class Busy(UserError):
    """Another process holds what is needed."""


class Conflict(UserError):
    """The request does not fit how things stand: a decision on a case that has ended, a second answer to one plan."""


class AccessError(UserError):
    """The service refuses the request because of who makes it."""


class NotSignedIn(AccessError):
    """Nobody is signed in, or the session or token is unknown, expired or revoked."""


class NotAllowed(AccessError):
    """The role or the scope of the token does not reach so far, or the request comes from another site."""


class TooManyRequests(AccessError):
    """The rate limit of this user is reached. `retry_after` is in seconds."""

    def __init__(self, message: str | Reason, *, advice: str | Reason = "", retry_after: float) -> None:
        super().__init__(message, advice=advice)
        self.retry_after = retry_after


class Outage(InquestError):
    """Something that should have been asked and could not be. It reaches the report; it is never 'not found'."""

    passing: ClassVar[bool] = False
    """Whether trying again later can help (network, time-out, 429, 5xx)."""
    after_failures: bool = False
    """Nobody was asked this time, because whoever it is had failed several times in a row before."""


class SearchError(Outage):
    """No search engine could be asked: none is ready, or every one failed."""


class EngineError(Outage):
    """A search engine did not answer the question."""

    def __init__(self, engine: str, message: str | Reason, *, advice: str | Reason = "") -> None:
        super().__init__(message, advice=advice)
        self.engine = engine


class EngineKeyRefused(EngineError):
    """The engine refused the key (401, 403, or its own words for it)."""


class EngineQuota(EngineError):
    """The engine's quota or rate is used up. `retry_after` is in seconds, if the engine said so."""

    passing = True

    def __init__(
        self, engine: str, message: str | Reason, *, advice: str | Reason = "", retry_after: float | None = None
    ) -> None:
        super().__init__(engine, message, advice=advice)
        self.retry_after = retry_after


class EngineUnavailable(EngineError):
    """The engine could not be reached, timed out or answered 5xx."""

    passing = True


class EngineFormat(EngineError):
    """The engine answered something that is not its documented form."""


class PageError(Outage):
    """A page or document could not be had or read."""

    def __init__(self, url: str, message: str | Reason, *, advice: str | Reason = "") -> None:
        super().__init__(message, advice=advice)
        self.url = url


class PageForbidden(PageError):
    """The address may not be reached from here: inside the network, or a scheme or port that is not the web's."""


class PageRefused(PageError):
    """The site does not let us: robots.txt, 401, 403, 451, a wall for robots.

    `technical`: it is a bar that meets every program, and no wish of the site's; a copy elsewhere may be read. Never so
    for robots.txt, a login, a paywall, or the law.
    """

    def __init__(self, url: str, message: str | Reason, *, advice: str | Reason = "", technical: bool = False) -> None:
        super().__init__(url, message, advice=advice)
        self.technical = technical


class PageUnavailable(PageError):
    """The page could not be reached, timed out, or is gone. `status` is the HTTP status, if there was one."""

    passing = True

    def __init__(
        self, url: str, message: str | Reason, *, advice: str | Reason = "", status: int | None = None
    ) -> None:
        super().__init__(url, message, advice=advice)
        self.status = status

    @property
    def is_gone(self) -> bool:
        """True if there is no such page, or no longer one."""
        return self.status in (404, 410)


class PageTooLarge(PageError):
    """The page is larger than is read, packed or unpacked."""


class PageUnreadable(PageError):
    """The bytes are here, but no text can be made of them (encrypted, truncated, a scan, another type)."""


class FileUnreadable(PageUnreadable):
    """No text can be made of a file on this machine that the user has named: input to put right, and no outage."""

    exit_code = 1


class ModelError(Outage):
    """A model service did not give a usable answer."""

    def __init__(self, model: str, message: str | Reason, *, advice: str | Reason = "") -> None:
        super().__init__(message, advice=advice)
        self.model = model


class ModelKeyRefused(ModelError):
    """The model service refused the key."""


class ModelUnavailable(ModelError):
    """The model service could not be reached, timed out, or is overloaded."""

    passing = True


class ModelFormat(ModelError):
    """The model answered something that is not the form asked for, twice."""


class StorageError(Outage):
    """The disk or the database cannot be used (full, read-only, newer than this version)."""


class NotRecorded(Outage):
    """A replay asked for something that the case never asked, so there is no recorded answer."""


Shortage = Literal["usd", "time", "tokens", "calls"]
BudgetKind = Shortage | Literal["cancelled"]
"""What ended a case before all was done."""


class BudgetMet(InquestError):
    """The case's budget is used up: no new work is begun and the case is reported as partial."""

    def __init__(self, kind: BudgetKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Superseded(InquestError):
    """Another runner has taken the case over since this one took it: nothing more is written, and this one ends."""


class HandedOver(InquestError):
    """The process was asked to end in the middle of the case, which goes on elsewhere from its last checkpoint."""


class Ungrounded(InquestError):
    """A quote does not stand in the snapshot it names, character for character."""
