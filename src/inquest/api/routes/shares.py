"""Links to one case for readers without an account."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from inquest.api.access import Editing, SeenCase
from inquest.api.problems import problems
from inquest.api.shapes import Body, Name, Number
from inquest.app.access.accounts import LONGEST_DAYS, USUAL_DAYS, add_share, revoke_share, shares_of
from inquest.domain.person import Share

router = APIRouter(prefix="/cases/{case_id}/shares", tags=["links for readers"])


class ShareBody(Body):
    """A link for readers."""

    name: Name = Field(examples=["the lawyers"])
    days: int = Field(USUAL_DAYS, ge=1, le=LONGEST_DAYS, description="until it expires")


class ShareShown(BaseModel):
    """A new link with its address, which is not shown again."""

    url: str = Field(examples=["https://inquest.example.org/shared/0f3..."])
    share: Share


class Shares(BaseModel):
    """Links without their addresses, newest first."""

    shares: list[Share]


@router.get("", responses=problems(404))
async def list_shares(case: SeenCase, acting: Editing) -> Shares:
    """All links to the case, including expired and revoked ones."""
    return Shares(shares=await shares_of(acting.app, case))


@router.post("", status_code=201, responses=problems(404, 409))
async def make_share(body: ShareBody, case: SeenCase, acting: Editing, request: Request) -> ShareShown:
    """Create a link to the report of this case and its evidence alone. Its address is only in this reply."""
    made = await add_share(acting.app, case, body.name, days=body.days, by=acting.person.name)
    root = acting.app.settings.public_url or str(request.base_url)
    return ShareShown(url=root.rstrip("/") + made.path, share=made.share)


@router.delete("/{number}", responses=problems(404))
async def end_share(number: Number, case: SeenCase, acting: Editing) -> Share:
    """Revoke a link."""
    return await revoke_share(acting.app, case, number, by=acting.person.name)
