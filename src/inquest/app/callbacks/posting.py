"""One callback over HTTP: signed, to a receiver outside, and never where it redirects to."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inquest.app.callbacks.callback_data import Payload, investigation_id
from inquest.domain.case import Case
from inquest.domain.errors import InputError, Outage
from inquest.kit.exchange import Purpose, Request
from inquest.kit.ports import Clock
from inquest.net.client import Network
from inquest.net.door import Door
from inquest.net.guard import Forbidden, Guard
from inquest.net.manners import Manners
from inquest.net.outside import Allowances
from inquest.text.urls import is_web_url

if TYPE_CHECKING:
    from inquest.app.settings import Settings

LABEL = "callback"
_ONCE = Manners(attempts=1, max_redirects=0, breaker_threshold=1_000_000)
"""The outbox does the trying again; a redirect could lead a secret anywhere."""


@dataclass(frozen=True)
class ReceiverAnswer:
    """What the receiver said."""

    status: int | None
    error: str | None = None
    theirs: str | None = None

    @property
    def taken(self) -> bool:
        """True where the receiver has it."""
        return self.error is None

    @property
    def final(self) -> bool:
        """True for a refusal that trying again cannot change: the receiver says that the request is wrong."""
        return (
            self.status is not None and 400 <= self.status < 500 and self.status not in (401, 403, 404, 408, 425, 429)
        )


def signature(secret: str, moment: int, body: bytes) -> str:
    """`t=<seconds since 1970>,v1=<HMAC-SHA256 of "t.body">`: who has the secret can check what was sent, and when."""
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


def check_receiver(settings: Settings, url: str) -> str:
    """The address, if callbacks may go there as far as it alone can tell. Raises InputError for none, one with a
    password in it, or one inside the network that the operator has not allowed."""
    if not is_web_url(url) or "@" in urlsplit(url).netloc:
        raise InputError(
            f"'{url[:200]}' is no address for callbacks.", advice="Write it like https://example.org/agent-callback."
        )
    try:
        Guard(allow_hosts=_allowed(settings)).place(url)
    except Forbidden as error:
        raise InputError(
            f"No callback goes to {url[:200]}, which {error}.",
            advice="An operator can allow a host inside with INQUEST_ALLOW_HOSTS.",
        ) from error
    return url


def _allowed(settings: Settings) -> tuple[str, ...]:
    """Hosts inside that may be reached: those of the settings, and the receiver that the operator has set."""
    own = host_and_port(settings.callback_url or "")
    return (*settings.allow_hosts, own) if own else settings.allow_hosts


def host_and_port(url: str) -> str:
    """'receiver.example:443'; '' where the address names no host."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}" if parts.hostname else ""


class Poster:
    """Posts callbacks through a door of their own, of which nothing is recorded."""

    def __init__(self, settings: Settings, clock: Clock, door: Door) -> None:
        self._clock = clock
        self._door = door.for_case(None, cache_age=None)
        self._secret = settings.key("INQUEST_AGENT_SECRET") or settings.key("AGENT_SECRET")

    async def post(self, url: str, case: Case, payload: Payload) -> ReceiverAnswer:
        """Post one. It raises nothing: whatever goes wrong stands in the answer."""
        told = {"type": payload.type, "investigation_id": investigation_id(case), "data": payload.data}
        body = json.dumps(told, ensure_ascii=False).encode(errors="backslashreplace")
        name = f"{case.id} {payload.key}"[:200].encode("ascii", "replace").decode()
        headers = [("Content-Type", "application/json"), ("Accept", "application/json"), ("Idempotency-Key", name)]
        if self._secret:
            moment = int(self._clock.now().timestamp())
            headers.append(("X-Agent-Secret", self._secret))
            headers.append(("X-Inquest-Signature", signature(self._secret, moment, body)))
        request = Request(
            url=url,
            method="POST",
            headers=tuple(headers),
            body=body,
            secrets=(self._secret,) if self._secret else (),
        )
        try:
            reply = await self._door.fetch(request, purpose=Purpose.ENGINE, label=LABEL)
        except Outage as error:
            return ReceiverAnswer(None, error.sentence)
        if not 200 <= reply.status < 300:
            return ReceiverAnswer(reply.status, f"The receiver answered with status {reply.status}.")
        try:
            answer = reply.json()
        except ValueError:  # it was taken; that the answer is no JSON only means that it names no id
            answer = None
        theirs = answer.get(payload.returns) if isinstance(answer, dict) and payload.returns else None
        return ReceiverAnswer(reply.status, theirs=str(theirs)[:500] if isinstance(theirs, str | int) else None)


@asynccontextmanager
async def poster(settings: Settings, clock: Clock, manners: Manners = _ONCE) -> AsyncIterator[Poster]:
    """A poster with its connections, which are closed at the end."""
    async with door_of_its_own(settings, clock, "callbacks", _allowed(settings), manners) as door:
        yield Poster(settings, clock, door)


@asynccontextmanager
async def door_of_its_own(
    settings: Settings, clock: Clock, what_for: str, allowed: Sequence[str], manners: Manners
) -> AsyncIterator[Door]:
    """A door beside that of cases, which lets out to these hosts inside, too; closed at the end."""
    door = Door(
        clock=clock,
        user_agent=f"Inquest ({what_for})",
        network=Network(
            tuple(allowed), proxy=settings.proxy, ca_file=str(settings.ca_file) if settings.ca_file else None
        ),
        allowances=Allowances(manners=manners),
    )
    try:
        yield door
    finally:
        await door.aclose()
