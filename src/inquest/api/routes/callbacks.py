"""Callbacks of a case: listing them, and sending them again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from inquest.api.access import Editing, Opened, SeenCase
from inquest.api.problems import problems
from inquest.api.shapes import Body
from inquest.app.access.accounts import accounts_of
from inquest.app.callbacks.relay import outbox_of
from inquest.domain.errors import NotFound
from inquest.domain.event import Delivery

router = APIRouter(prefix="/cases/{case_id}/callbacks", tags=["callbacks"])


class CallbackList(BaseModel):
    """The receiver of a case's events, and every callback in order."""

    url: str | None = Field(description="null: no receiver")
    callbacks: list[Delivery]


class AgainBody(Body):
    """Keys of callbacks; null: those that failed."""

    keys: list[Annotated[str, Field(max_length=5_000)]] | None = Field(None, max_length=1000, examples=[["started"]])


class Again(BaseModel):
    """The number of callbacks sent again."""

    callbacks: int


@router.get("", responses=problems(404))
async def callbacks_of(case: SeenCase, app: Opened) -> CallbackList:
    """The callbacks with the receiver's replies, and those still to be sent."""
    outbox = await outbox_of(app)
    target = await outbox.target(case.id)
    return CallbackList(url=target.url if target else None, callbacks=await outbox.deliveries(case.id))


@router.post("/replay", status_code=202, responses=problems(404))
async def replay(body: AgainBody, case: SeenCase, acting: Editing) -> Again:
    """Send failed callbacks again, or those that the body names."""
    app, outbox = acting.app, await outbox_of(acting.app)
    if await outbox.target(case.id) is None:
        raise NotFound(f"Case {case.id} has no callback receiver.", advice="Give callback_url when a case is opened.")
    many = await outbox.replay(case.id, body.keys, at=app.clock.now())
    note = f"{case.id}: {many}"
    await (await accounts_of(app)).note("callbacks sent again", note, by=acting.person.name, at=app.clock.now())
    return Again(callbacks=many)
