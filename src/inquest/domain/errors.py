"""Errors, named by who must act.

A `UserError` is the user's input or a setting (exit code 1). An `Outage` is a service, page, model or disk that was
needed and not available (exit code 2; 1 for one of the user's own files). The others: a budget that is used up, a case
that another process continues, and a quote that is not in its snapshot, a defect that is never shown as a finding.

Every message is one sentence that says what is wrong; `advice` is one that says what to do.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from inquest.domain.reasons import Reason, plain, with_advice


class InquestError(Exception):
    """Base of all errors. `str(error)` is a sentence for the user; `advice` says what to do, or is empty."""

    exit_code: ClassVar[int] = 2
    advice: str

    def __init__(self, message: str | Reason, *, advice: str | Reason = "") -> None:
        super().__init__(plain(message))
        self.said, self.advised = message, advice
        self.advice = plain(advice)

    @property
    def sentence(self) -> str:
        """The message and the advice on one line, for display."""
        return f"{self} {self.advice}".strip()

    @property
    def sentence_code(self) -> Reason | None:
        """The sentence as a code; None if all its words are quoted from elsewhere."""
        if isinstance(self.said, str) and isinstance(self.advised, str):
            return None
        return with_advice(self.said, self.advised)


class UserError(InquestError):
    """The user's input or a setting is wrong; nothing was started."""

    exit_code = 1


class InputError(UserError):
    """A brief, file, URL or option cannot be used. `field` names the field of the request or form; '' if it is not
    one."""

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
    """The request does not fit the current state: a decision on a case that has ended, a second answer to one plan."""


class AccessError(UserError):
    """The service refuses the request because of who makes it."""


class NotSignedIn(AccessError):
    """Nobody is signed in, or the session or token is unknown, expired or revoked."""


class NotAllowed(AccessError):
    """The user's role or the token's scope is insufficient, or the request comes from another site."""


class TooManyRequests(AccessError):
    """The rate limit of this user is reached. `retry_after` is in seconds."""

    def __init__(self, message: str | Reason, *, advice: str | Reason = "", retry_after: float) -> None:
        super().__init__(message, advice=advice)
        self.retry_after = retry_after


class Outage(InquestError):
    """A service or page that was needed and not available. It reaches the report; it is never 'not found'."""

    passing: ClassVar[bool] = False
    """True if a later retry can help (network, timeout, 429, 5xx)."""
    after_failures: bool = False
    """True if no request was made this time, because the service had failed several times in a row."""


class SearchError(Outage):
    """No search engine could be queried: none is ready, or all of them failed."""


class OutsideError(Outage):
    """A search engine, page or model did not give a usable answer. `who`: the engine, the page's URL or the model.
    `status` (HTTP) and `retry_after` (seconds) are those of the reply, if any.

    `technical`: a block applies to every program and does not express the site's wishes, so a copy elsewhere may be
    read. Never true for robots.txt, a login, a paywall or a legal block.
    """

    def __init__(
        self,
        who: str,
        message: str | Reason,
        *,
        advice: str | Reason = "",
        status: int | None = None,
        retry_after: float | None = None,
        technical: bool = False,
    ) -> None:
        super().__init__(message, advice=advice)
        self.who, self.status, self.retry_after, self.technical = who, status, retry_after, technical


class EngineError(OutsideError):
    """A search engine did not answer the query."""


class EngineKeyRefused(EngineError):
    """The engine rejected the key (401, 403, or a message of its own)."""


class EngineQuota(EngineError):
    """The engine's quota or rate limit is used up."""

    passing = True


class EngineUnavailable(EngineError):
    """The engine could not be reached, timed out or answered 5xx."""

    passing = True


class EngineFormat(EngineError):
    """The engine's reply is not in its documented format."""


class PageError(OutsideError):
    """A page or document could not be fetched or read."""


class PageForbidden(PageError):
    """The address must not be accessed: it is inside the network, or its scheme or port is not one of the web."""


class PageRefused(PageError):
    """The site denies access: robots.txt, 401, 403, 451, a bot wall."""


class PageUnavailable(PageError):
    """The page could not be reached, timed out, or is gone."""

    passing = True

    @property
    def is_gone(self) -> bool:
        """True if the page does not exist, or no longer does."""
        return self.status in (404, 410)


class PageTooLarge(PageError):
    """The page exceeds the size limit, compressed or decompressed."""


class PageUnreadable(PageError):
    """The bytes were fetched, but no text can be extracted from them (encrypted, truncated, a scan, another type)."""


class FileUnreadable(PageUnreadable):
    """No text can be extracted from a file that the user named on this machine: an input error, not an outage."""

    exit_code = 1


class ModelError(OutsideError):
    """A model service did not give a usable answer."""


class ModelKeyRefused(ModelError):
    """The model service rejected the key."""


class ModelUnavailable(ModelError):
    """The model service could not be reached, timed out, or is overloaded."""

    passing = True


class ModelFormat(ModelError):
    """The model's reply was not in the requested format, twice."""


class StorageError(Outage):
    """The disk or the database cannot be used (full, read-only, newer than this version)."""


class NotRecorded(Outage):
    """A replay made a request that the case never made, so there is no recorded reply."""


Shortage = Literal["usd", "time", "tokens", "calls"]
BudgetKind = Shortage | Literal["cancelled"]
"""The limit or request that ended a case early."""


class BudgetMet(InquestError):
    """The case's budget is used up: no new work is started and the case is reported as partial."""

    def __init__(self, kind: BudgetKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Superseded(InquestError):
    """Another runner has since taken over the case: nothing more is written, and this one ends."""


class HandedOver(InquestError):
    """The process was asked to end in the middle of the case, which continues elsewhere from its last checkpoint."""


class Ungrounded(InquestError):
    """A quote is not, character for character, in the snapshot it names."""
