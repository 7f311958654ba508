"""Delivery of callbacks: in order within a case, at least once, with growing pauses after failures."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from inquest.app.callbacks.posting import LABEL, Payload, Poster, ReceiverAnswer, payloads, poster
from inquest.app.settings import host_and_port
from inquest.domain.case import Case
from inquest.domain.errors import NotFound, StorageError
from inquest.domain.event import Delivery, DeliveryState, Event, EventType, Target
from inquest.kit.ports import EventSink
from inquest.net.policy import RequestPolicy
from inquest.store.case_work import Outbox

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

log = logging.getLogger("inquest.callbacks")
MOST_TRIES = 14
"""Attempts before a callback is abandoned, over about three hours."""
_FIRST_WAIT, _LONGEST_WAIT = timedelta(seconds=2), timedelta(hours=1)
_LOOK = timedelta(seconds=1)
"""The pause between two checks of a running case."""
_LEASE = timedelta(minutes=5)
"""Time for which a process holds a case; anything a dead process had sent may be sent again."""
_BATCH = 200
DRAIN = 30.0
"""Seconds that a case of this process waits at its end for its last callbacks."""


async def outbox_of(app: Resources) -> Outbox:
    """Return the store of targets and callbacks."""
    return Outbox(await app.database())


class Relay:
    """Sends callbacks to receivers. Of several processes on a database, one at a time serves a case."""

    def __init__(
        self,
        app: Resources,
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        tries: int = MOST_TRIES,
        warn: EventSink | None = None,
    ) -> None:
        """`tries`: attempts per callback; `warn`: the sink for an outage event on the first failure."""
        self.app, self._sleep, self.tries, self._warn = app, sleep, tries, warn

    async def run(self) -> None:
        """Run forever; failures of the database are logged and retried."""
        async with poster(self.app.settings, self.app.clock) as posting:
            while True:
                try:
                    busy = await self.once(posting)
                except StorageError as error:
                    log.warning("callbacks wait: %s", error.sentence)
                    busy = False
                if not busy:
                    await self._sleep(_LOOK.total_seconds())

    async def once(self, posting: Poster) -> bool:
        """Send the due callbacks of one case. False: nothing was due. Raises StorageError."""
        target = await (await outbox_of(self.app)).take(at=self.app.clock.now(), lease=_LEASE)
        if target is None:
            return False
        await self.deliver(target, posting)
        return True

    async def deliver(self, target: Target, posting: Poster) -> bool:
        """Send the due callbacks of this case; True: there were new events. Raises StorageError."""
        outbox = await outbox_of(self.app)
        try:
            case = await self.app.case(target.case_id)
        except NotFound:  # it was deleted, and its target with it
            return False
        # Including the last event sent, which may be the end.
        known = await (await self.app.events()).after(case.id, max(0, target.last_event - 1), _BATCH)
        fresh = [event for event in known if event.id > target.last_event]
        last, wait = await self._sent(fresh, posting, target, case)
        ended = case.status.ended and bool(known) and known[-1].type is EventType.CASE_FINISHED
        over = ended and len(known) < _BATCH and known[-1].id <= last
        next_at = None if over else self.app.clock.now() + (wait if wait is not None else _LOOK)
        await outbox.settle(case.id, last_event=last, next_at=next_at)
        return bool(fresh)

    async def _sent(
        self, events: list[Event], posting: Poster, target: Target, case: Case
    ) -> tuple[int, timedelta | None]:
        """Return the last event that is settled, and the pause before a retry; None: nothing failed."""
        outbox, last = await outbox_of(self.app), target.last_event
        known = {each.key: each for each in await outbox.deliveries(case.id)}
        ids = {key: each.theirs for key, each in known.items() if each.theirs is not None}
        for event in events:
            for payload in payloads(event, case, ids):
                before = known.get(payload.key)
                if before is not None and before.state is not DeliveryState.WAITING:
                    continue
                tries = (before.attempts if before else 0) + 1
                answer = await posting.post(target.url, case, payload)
                if not answer.taken:
                    await self._failed(target.url, payload, answer)
                over = answer.final or tries >= self.tries
                state = DeliveryState.FAILED if over else DeliveryState.WAITING
                known[payload.key] = delivery = Delivery(
                    case_id=case.id,
                    key=payload.key,
                    event_id=event.id,
                    type=payload.type,
                    state=DeliveryState.DELIVERED if answer.taken else state,
                    attempts=tries,
                    at=self.app.clock.now(),
                    status=answer.status,
                    error=answer.error,
                    theirs=answer.theirs or (before.theirs if before else None),
                )
                await outbox.keep(delivery)
                if delivery.theirs is not None:
                    ids[payload.key] = delivery.theirs
                if delivery.state is DeliveryState.WAITING:
                    wait: timedelta = min(_FIRST_WAIT * 2 ** (tries - 1), _LONGEST_WAIT)
                    return last, wait * random.uniform(0.8, 1.2)
            last = event.id
        return last, None

    async def _failed(self, url: str, payload: Payload, answer: ReceiverAnswer) -> None:
        """Emit the first failure; the case and later callbacks continue."""
        sink, self._warn = self._warn, None
        if sink is None:
            return
        host = host_and_port(url)
        advice = " Check INQUEST_AGENT_SECRET." if answer.status in (401, 403) else ""
        refused = f"{host} answered {payload.type} with status {answer.status}.{advice}"
        why = answer.error or "" if answer.status is None else refused
        with suppress(StorageError):
            await sink.emit(EventType.OUTAGE, f"callback {host}: {why}", what=LABEL, where=host, why=why)


@asynccontextmanager
async def relayed(app: Resources, case_id: str, sink: EventSink) -> AsyncIterator[None]:
    """Send callbacks on a case of this process to the receiver of the settings, with one attempt each; at the end wait
    for pending ones. Raises StorageError."""
    outbox, now = await outbox_of(app), app.clock.now()
    await outbox.add_target(case_id, app.settings.callback_url or "", at=now)
    await outbox.replay(case_id, None, at=now)
    await outbox.wake(case_id, at=now)
    relay, ending = Relay(app, tries=1, warn=sink), asyncio.Event()

    async def deliver(posting: Poster) -> None:
        while True:
            is_last, sent = ending.is_set(), False
            try:
                target = await outbox.take(at=app.clock.now(), lease=timedelta(seconds=2 * DRAIN), case_id=case_id)
                sent = target is not None and await relay.deliver(target, posting)
            except StorageError as error:
                log.warning("callbacks wait: %s", error.sentence)
            if is_last and not sent:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(ending.wait(), 0 if sent else _LOOK.total_seconds())

    async with poster(app.settings, app.clock, RequestPolicy()) as posting:
        task = asyncio.create_task(deliver(posting), name="callbacks")
        try:
            yield
            ending.set()
            await asyncio.wait({task}, timeout=DRAIN)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
