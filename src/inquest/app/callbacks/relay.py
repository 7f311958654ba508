"""From kept events to receivers: in order within a case, at least once, later and later where a receiver fails."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from inquest.app.callbacks.callback_data import Payload, payloads
from inquest.app.callbacks.posting import Poster, poster
from inquest.domain.case import Case
from inquest.domain.delivery import Delivery, DeliveryState, Target
from inquest.domain.errors import NotFound, StorageError
from inquest.domain.event import Event, EventType

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.store.service.outbox import Outbox

log = logging.getLogger("inquest.callbacks")

MOST_TRIES = 14
"""How often a callback is tried before it is passed over: for about three hours in all."""
_FIRST_WAIT, _LONGEST_WAIT = timedelta(seconds=2), timedelta(hours=1)
_LOOK = timedelta(seconds=1)
"""Between two looks at a case that goes on."""
_LEASE = timedelta(minutes=5)
"""How long a process has a case for itself; what it had told when it died is told again."""
_BATCH = 200


async def outbox_of(app: Resources) -> Outbox:
    """Targets and callbacks."""
    from inquest.store.service.outbox import Outbox

    return Outbox(await app.database())


class Relay:
    """Tells receivers what happened. Any number of processes may run one on a database: each case is told by one of
    them at a time."""

    def __init__(self, app: Resources, *, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        self._app, self._sleep = app, sleep

    async def run(self) -> None:
        """For ever. What goes wrong with the database is said in the log, and tried again."""
        async with poster(self._app.settings, self._app.clock) as posting:
            while True:
                try:
                    busy = await self.once(posting)
                except StorageError as error:
                    log.warning("callbacks wait: %s", error.sentence)
                    busy = False
                if not busy:
                    await self._sleep(_LOOK.total_seconds())

    async def once(self, posting: Poster) -> bool:
        """Tell one case whatever it has to be told now. False: there was none. Raises StorageError."""
        outbox = await outbox_of(self._app)
        target = await outbox.take(at=self._app.clock.now(), lease=_LEASE)
        if target is None:
            return False
        try:
            case = await self._app.case(target.case_id)
        except NotFound:  # it was deleted, and its target with it
            return True
        # With the last one that was told, which says whether it was the end.
        known = await (await self._app.events()).after(case.id, max(0, target.last_event - 1), _BATCH)
        fresh = [event for event in known if event.id > target.last_event]
        last, wait = await _Telling(self._app, outbox, posting, target, case).tell(fresh)
        ended = case.status.ended and bool(known) and known[-1].type is EventType.CASE_FINISHED
        over = ended and len(known) < _BATCH and known[-1].id <= last
        next_at = None if over else self._app.clock.now() + (wait if wait is not None else _LOOK)
        await outbox.settle(case.id, last_event=last, next_at=next_at)
        return True


class _Telling:
    """One case's turn."""

    def __init__(self, app: Resources, outbox: Outbox, posting: Poster, target: Target, case: Case) -> None:
        self._app, self._outbox, self._posting, self._target, self._case = app, outbox, posting, target, case
        self._known: dict[str, Delivery] = {}
        self._ids: dict[str, str] = {}

    async def tell(self, events: list[Event]) -> tuple[int, timedelta | None]:
        """Up to which event all is settled, and how long to wait before the next try; None: nothing failed."""
        for each in await self._outbox.deliveries(self._case.id):
            self._known[each.key] = each
            if each.theirs is not None:
                self._ids[each.key] = each.theirs
        last = self._target.last_event
        for event in events:
            for payload in payloads(event, self._case, self._ids):
                wait = await self._settle(event, payload)
                if wait is not None:
                    return last, wait
            last = event.id
        return last, None

    async def _settle(self, event: Event, payload: Payload) -> timedelta | None:
        """Deliver it, unless that was done; how long to wait where it is to be tried again."""
        known = self._known.get(payload.key)
        if known is not None and known.state is not DeliveryState.WAITING:
            return None
        tries = (known.attempts if known else 0) + 1
        answer = await self._posting.post(self._target.url, self._case, payload)
        over = answer.final or tries >= MOST_TRIES
        state = DeliveryState.DELIVERED if answer.taken else DeliveryState.FAILED if over else DeliveryState.WAITING
        done = Delivery(
            case_id=self._case.id,
            key=payload.key,
            event_id=event.id,
            type=payload.type,
            state=state,
            attempts=tries,
            at=self._app.clock.now(),
            status=answer.status,
            error=answer.error,
            theirs=answer.theirs or (known.theirs if known else None),
        )
        await self._outbox.keep(done)
        self._known[payload.key] = done
        if done.theirs is not None:
            self._ids[payload.key] = done.theirs
        if state is not DeliveryState.WAITING:
            return None
        wait: timedelta = min(_FIRST_WAIT * 2 ** (tries - 1), _LONGEST_WAIT)
        return wait * random.uniform(0.8, 1.2)
