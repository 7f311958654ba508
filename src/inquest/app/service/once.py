"""A request with an Idempotency-Key: carried out once, and answered alike however often it is sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from inquest.domain.errors import InputError
from inquest.domain.person import Person

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

LONGEST_KEY = 200


async def once(
    app: Resources, person: Person, key: str | None, fingerprint: str, work: Callable[[], Awaitable[str]]
) -> str:
    """What `work` answers, or what it answered the first time. `fingerprint` tells one request from another.

    Raises InputError for a key that is none, Conflict where it stood for another request, Busy, and what `work` raises.
    """
    if key is None:
        return await work()
    if not key.strip() or len(key) > LONGEST_KEY:
        raise InputError(f"An Idempotency-Key has 1 to {LONGEST_KEY} characters.")
    from inquest.store.service.idempotency import Idempotency

    kept = Idempotency(await app.database())
    who = f"user {person.id}" if person.id is not None else "this machine"
    answered = await kept.begin(who, key, fingerprint, at=app.clock.now())
    if answered is not None:
        return answered
    try:
        answer = await work()
    except BaseException:
        await kept.end(who, key, None)
        raise
    await kept.end(who, key, answer)
    return answer
