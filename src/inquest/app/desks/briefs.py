"""The brief of a request, whatever its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from inquest.app.cases.case_request import CaseRequest, ClaimsRequest, InquiryRequest, MarketQuestion, TopicRequest
from inquest.app.cases.requests import brief_from
from inquest.domain.brief import Brief

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


async def brief_of(app: Resources, request: CaseRequest, *, on_note: Callable[[str], object] | None = None) -> Brief:
    """The brief. `on_note`: as in `topic_brief`. Raises InputError, NotFound, PageError, SettingError."""
    match request:
        case InquiryRequest():
            return brief_from(request, request.brief, urls=request.urls, mode=request.mode, settings=app.settings)
        case ClaimsRequest():
            from inquest.app.desks.checking import check_brief

            return await check_brief(app, request)
        case TopicRequest():
            from inquest.app.desks.verifying import topic_brief

            return await topic_brief(app, request, on_note=on_note)
        case MarketQuestion():
            from inquest.app.desks.asking_market import market_brief

            return await market_brief(app, request)
