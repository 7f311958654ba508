"""Links for readers: made and revoked by an editor, opened by whoever has one."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from inquest.app.access.accounts import accounts_of, digest_of, limits_of, named
from inquest.domain.case import Case
from inquest.domain.errors import Conflict, InputError, NotFound
from inquest.domain.person import Share

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.store.service.shares import Shares


LONGEST_DAYS, USUAL_DAYS = 365, 30
OPENED_A_MINUTE = 300
"""How often one link may be opened: a report that many read, and no more."""


@dataclass(frozen=True)
class NewShare:
    """A new link with its secret, which is shown this once."""

    share: Share
    secret: str

    @property
    def path(self) -> str:
        """Where on this server it leads."""
        return f"/shared/{self.secret}"


async def add_share(app: Resources, case: Case, name: str, *, days: int, by: str) -> NewShare:
    """A link to a case for so many days. Raises InputError, Conflict where the case has no report yet, StorageError."""
    called = named(name, "link", advice="Say who it is for.")
    if not 1 <= days <= LONGEST_DAYS:
        raise InputError(f"{days} is no number of days for a link.", advice=f"Give one from 1 to {LONGEST_DAYS}.")
    if case.summary is None:
        raise Conflict(f"The case {case.id} has no report to share.", advice="Wait until it has ended with one.")
    now, secret = app.clock.now(), secrets.token_urlsafe(32)
    share = Share(id=0, case_id=case.id, name=called, by=by, created_at=now, expires_at=now + timedelta(days=days))
    kept = await (await _shares(app)).add(share, digest_of(secret))
    await (await accounts_of(app)).note("link made", f"{case.id} {kept.id} for {called}", by=by, at=now)
    return NewShare(kept, secret)


async def shares_of(app: Resources, case: Case) -> list[Share]:
    """All links to a case, newest first; those that have ended too. Raises StorageError."""
    return await (await _shares(app)).of_case(case.id)


async def revoke_share(app: Resources, case: Case, number: int, *, by: str) -> Share:
    """End a link. Raises NotFound, StorageError."""
    now = app.clock.now()
    share = await (await _shares(app)).revoke(case.id, number, at=now)
    await (await accounts_of(app)).note("link revoked", f"{case.id} {share.id} for {share.name}", by=by, at=now)
    return share


async def opened_share(app: Resources, secret: str) -> tuple[Share, Case]:
    """The link with this secret and the one case that it opens. Raises NotFound where there is none or it has ended,
    which is not told apart; TooManyRequests, StorageError."""
    now = app.clock.now()
    share = await (await _shares(app)).opened(digest_of(secret), at=now)
    if share is None:
        raise NotFound("This link opens nothing: it has expired, or was revoked.", advice="Ask whoever sent it to you.")
    await (await limits_of(app)).count(f"link {share.id}", OPENED_A_MINUTE, at=now)
    return share, await app.case(share.case_id)


async def _shares(app: Resources) -> Shares:
    from inquest.store.service.shares import Shares

    return Shares(await app.database())
