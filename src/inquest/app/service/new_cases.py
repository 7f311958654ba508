"""New cases and topics of a service, stored with their owner; cases are submitted for work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquest.app.access.ownership import own_topic, require_collections, seen_topic, team_of
from inquest.app.callbacks.posting import check_receiver
from inquest.app.callbacks.relay import outbox_of
from inquest.app.cases.auditing import audit_brief
from inquest.app.cases.case_request import (
    AuditRequest,
    CaseRequest,
    ClaimsRequest,
    InquiryRequest,
    MarketQuestion,
    TopicRequest,
)
from inquest.app.cases.session import new_session
from inquest.app.cases.topic_records import investigations_of, topic_number, topics_of
from inquest.app.desks.briefs import brief_of, check_brief
from inquest.app.desks.topics import AddedTopics, InvestigationBegun, start_investigation, topic_from_url
from inquest.app.desks.topics import add_rows as take_rows
from inquest.app.service.dispatching import case_work
from inquest.app.wiring.pages import local_path
from inquest.domain.case import Case
from inquest.domain.errors import InputError, NotFound, TooManyRequests
from inquest.domain.event import EventType
from inquest.domain.person import Person
from inquest.domain.plan import Approval, Brief, Decision
from inquest.domain.topic import Topic
from inquest.text.urls import with_scheme

if TYPE_CHECKING:
    from inquest.app.service.dispatching import Dispatcher
    from inquest.app.wiring.resources import Resources
    from inquest.domain.investigation import Investigation

_FULL_SECONDS = 30.0
"""The Retry-After for a full queue."""


@dataclass(frozen=True)
class Owner:
    """The owner of a new case."""

    by: str
    team_id: int | None = None
    sees_all: bool = False
    """True for an admin, whose topics without a team have no owner, like those added at the terminal."""
    callback_url: str = ""
    """The receiver of callbacks; '': that of the settings, if any."""


def owner_of(person: Person) -> Owner:
    """Return the owner of what this person creates without naming a team."""
    return Owner(by=person.name, team_id=team_of(person, None), sees_all=person.sees_all)


async def require_seen(app: Resources, person: Person, request: CaseRequest) -> None:
    """Raise NotFound if the request names a collection or topic that the person may not see."""
    await require_collections(app, person, request.collections)
    if isinstance(request, TopicRequest) and (number := topic_number(request.topic)) is not None:
        await seen_topic(app, person, number)


def web_address(given: str) -> str:
    """Return the address. Raises InputError for a file: requests must not read files on the server."""
    if local_path(given) is not None:
        raise InputError(
            f"Invalid web address '{given}'.",
            advice="Give one like https://example.org/page, or upload the file.",
            field="urls",
        )
    return given


async def _brief(app: Resources, request: CaseRequest, owner: Owner, upload: Path | None) -> Brief:
    """Return the brief of a remote request, which may name no file on this machine except the uploaded report; a new
    topic is stored as the owner's. Raises as `brief_of`."""
    match request:
        case InquiryRequest():
            for url in request.urls:
                web_address(url)
        case ClaimsRequest():
            if upload is not None:
                return await check_brief(app, replace(request, report=str(upload)), report_by_name=True)
            if request.report:
                web_address(request.report)
        case TopicRequest():
            if topic_number(request.topic) is None:
                # Return the number of the owner's topic at this address, added if missing. Raises InputError,
                # PageError, StorageError.
                url = web_address(request.topic)
                topic = await (await topics_of(app, topic_space(owner))).find(Topic(title="", url=with_scheme(url)))
                if topic is None:
                    topic, _ = await _add_topic(app, owner, (await topic_from_url(app, url)).topic)
                request = replace(request, topic=str(topic.id))
        case MarketQuestion():
            for filing in request.filings:
                if not filing[:1].isdigit():
                    web_address(filing)
    return await brief_of(app, request)


async def _audited(app: Resources, request: AuditRequest, owner: Owner, upload: Path | None) -> Brief:
    """Return the brief of an audit. Raises as `_brief`, and NotFound if the earlier audit has another owner."""
    if request.again and not owner.sees_all:
        team, by = await (await case_work(app)).owner((await app.case(request.again)).id) or (None, None)
        if by is None or (by != owner.by if team is None else team != owner.team_id):
            raise NotFound(f"There is no case {request.again!r} here.", advice="GET /api/v1/audits lists yours.")
    if upload is not None:
        return await audit_brief(app, replace(request, url=str(upload)), upload=True)
    if request.url:
        web_address(request.url)
    return await audit_brief(app, request)


def topic_space(owner: Owner) -> str:
    """Return the name space of the owner's topics (`Topics`)."""
    if owner.team_id is None:
        return "" if owner.sees_all else f"person {owner.by}"
    return f"team {owner.team_id}"


async def _add_topic(app: Resources, owner: Owner, topic: Topic) -> tuple[Topic, bool]:
    kept, is_new = await (await topics_of(app, topic_space(owner))).add(topic)
    if topic_space(owner):
        await own_topic(app, kept, owner.team_id, owner.by)
    return kept, is_new


async def open_new(
    app: Resources,
    dispatcher: Dispatcher,
    request: CaseRequest,
    owner: Owner,
    *,
    approve: bool = False,
    upload: Path | None = None,
) -> Case:
    """Store and submit a case. `approve`: the plan is approved in advance; `upload`: a report sent with the request.
    Raises InputError, NotFound, PageError, SettingError, and as `open_brief`."""
    if isinstance(request, AuditRequest):
        brief = await _audited(app, request, owner, upload)
    else:
        brief = await _brief(app, request, owner, upload)
    return await open_brief(app, dispatcher, brief, owner, approve=approve)


async def open_brief(app: Resources, dispatcher: Dispatcher, brief: Brief, owner: Owner, *, approve: bool) -> Case:
    """Store and submit the case of a brief. Raises as `new_session`, InputError for a callback receiver that is not
    allowed, TooManyRequests if the queue is full, StorageError."""
    work = await case_work(app)
    if await work.submissions() >= app.settings.most_waiting:
        message = "Too many cases are running or queued."
        raise TooManyRequests(message, advice="Try again later.", retry_after=_FULL_SECONDS)
    receiver = owner.callback_url or app.settings.callback_url or ""
    if receiver:
        check_receiver(app.settings, receiver)
    case = (await new_session(app, brief)).case
    await (await app.store()).create(case)
    await work.own(case.id, owner.team_id, owner.by)
    if receiver:
        await (await outbox_of(app)).add_target(case.id, receiver, at=app.clock.now())
    if approve or not brief.needs_approval:
        now = app.clock.now()
        await work.decide(case.id, Approval(decision=Decision.APPROVE, by=owner.by, at=now, how="option", revision=0))
    sink = (await app.events()).sink(case.id, app.clock)
    await sink.emit(EventType.CASE_CREATED, brief.text, mode=brief.mode.value)
    await dispatcher.submit(case.id)
    return case


LONGEST_KEY = 200


async def once(
    app: Resources, person: Person, key: str | None, fingerprint: str, work: Callable[[], Awaitable[str]]
) -> str:
    """Return the result of `work`, or its first result for a repeated key. `fingerprint` identifies the request. Raises
    InputError for an invalid key, Conflict for a key used with another request, Busy, and as `work`."""
    if key is None:
        return await work()
    if not key.strip() or len(key) > LONGEST_KEY:
        raise InputError(f"Invalid Idempotency-Key: expected 1 to {LONGEST_KEY} characters.")
    from inquest.store.requests import Idempotency

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


async def add_rows(app: Resources, rows: list[dict[str, Any]], owner: Owner) -> AddedTopics:
    """Add topics for the owner; unusable rows are refused one by one. Raises StorageError."""
    named = ((f"topic {number}", row) for number, row in enumerate(rows, 1))
    return await take_rows(app, named, lambda topic: _add_topic(app, owner, topic))


async def begin_investigation(
    app: Resources,
    dispatcher: Dispatcher,
    body: Mapping[str, Any],
    owner: Owner,
    background: Callable[[Coroutine[Any, Any, Investigation]], object],
    again: bool = False,
) -> InvestigationBegun:
    """POST /api/investigations/ of spec 001. `background` runs it; `again`: even if the trigger rules say no. Raises as
    `start_investigation`."""

    async def run(topic: Topic) -> Case:
        request = TopicRequest(topic=str(topic.id), again=True)
        case = await open_new(app, dispatcher, request, owner, approve=True)
        assert topic.id is not None
        # From here on the process that ends the case records the result, even if this one has died.
        await (await investigations_of(app)).for_case(topic.id, case.id, at=case.created_at, priority=topic.priority)
        async for _ in (await app.events()).follow(case.id):
            pass
        return await app.case(case.id)

    return await start_investigation(app, body, run, background=background, again=again)
