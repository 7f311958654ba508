"""Actions of people on the cases of a service: open them with their owner, decide on plans, cancel, resume, remove, and
ask for a further round."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquest.app.access.accounts import own_topic, require_collections, seen_topic, team_of
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
from inquest.app.cases.claim_decisions import Deciding, decide_claim
from inquest.app.cases.session import new_session
from inquest.app.cases.topic_records import investigations_of, topic_number, topics_of
from inquest.app.desks.briefs import brief_of, check_brief
from inquest.app.desks.topics import AddedTopics, InvestigationBegun, start_investigation, topic_from_url
from inquest.app.desks.topics import add_rows as take_rows
from inquest.app.service.dispatching import case_work
from inquest.app.wiring.pages import local_path
from inquest.desks.inquiry.planning import other_topic
from inquest.domain.case import Case, CaseKind, CaseStatus, EarlierVerdict, Round
from inquest.domain.errors import Busy, Conflict, InputError, NotFound, TooManyRequests
from inquest.domain.event import DecisionKind, EventType
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


def web_address(given: str, field: str = "url") -> str:
    """Return the address. Raises InputError for a file: requests must not read files on the server."""
    if local_path(given) is not None:
        raise InputError(
            f"Invalid web address '{given}'.",
            advice="Give one like https://example.org/page, or upload the file.",
            field=field,
        )
    return given


async def _brief(app: Resources, request: CaseRequest, owner: Owner, upload: Path | None) -> Brief:
    """Return the brief of a remote request, which may name no file here but `upload`. Raises as `brief_of`."""
    match request:
        case InquiryRequest():
            for url in request.urls:
                web_address(url, "urls")
        case ClaimsRequest():
            if upload is not None:
                return await check_brief(app, replace(request, report=str(upload)), report_by_name=True)
            if request.report:
                web_address(request.report, "report")
        case TopicRequest():
            if topic_number(request.topic) is None:
                # Return the number of the owner's topic at this address, added if missing. Raises InputError,
                # PageError, StorageError.
                url = web_address(request.topic, "topic")
                topic = await (await topics_of(app, topic_space(owner))).find(Topic(title="", url=with_scheme(url)))
                if topic is None:
                    topic, _ = await _add_topic(app, owner, (await topic_from_url(app, url)).topic)
                request = replace(request, topic=str(topic.id))
        case MarketQuestion():
            for filing in request.filings:
                if not filing[:1].isdigit():
                    web_address(filing, "filings")
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
    from inquest.store.quotas import Idempotency

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
    """POST /api/investigations/ of spec 001, run in the `background`. Raises as `start_investigation`."""

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


MOST_WORDS = 5_000


@dataclass(frozen=True)
class PlanAnswer:
    """A decision on a plan. `text`: what to change; `revision`: that of the plan the person saw."""

    decision: Decision
    text: str = ""
    revision: int | None = None


async def answer(app: Resources, dispatcher: Dispatcher, case: Case, given: PlanAnswer, *, by: str) -> Approval:
    """Answer the waiting plan and continue the case. Raises InputError; Conflict if no plan waits, the plan has a newer
    revision or another person has answered it; StorageError."""
    text = given.text.strip() if given.decision is Decision.REVISE else ""
    if given.decision is Decision.REVISE and not text:
        raise InputError("Missing change.", advice="Write approve, reject, or what to change.", field="words")
    if len(given.text) > MOST_WORDS:
        raise InputError(f"Invalid change: expected at most {MOST_WORDS:,} characters.", advice="Shorten it.")
    if case.status is not CaseStatus.PLANNED or case.plan is None:
        where = "has no plan yet" if case.status is CaseStatus.PLANNED else f"is {case.status.value}"
        raise Conflict(
            f"No plan of case {case.id} is waiting for a decision: the case {where}.", advice="Look at the case again."
        )
    if given.revision is not None and given.revision != case.plan.revision:
        raise Conflict(
            f"The plan of case {case.id} is now revision {case.plan.revision}, not {given.revision}.",
            advice="Look at it again before you decide.",
        )
    approval = Approval(
        decision=given.decision, text=text, by=by, at=app.clock.now(), how="api", revision=case.plan.revision
    )
    await (await case_work(app)).decide(case.id, approval)
    await dispatcher.submit(case.id)
    return approval


async def cancel(app: Resources, dispatcher: Dispatcher, case: Case, *, by: str, report: bool) -> None:
    """Stop a case, with or without a report on what was found; a waiting plan is rejected. Raises Conflict if the case
    has ended, Busy if it runs in a process that cannot be reached from here."""
    if case.status.ended:
        raise Conflict(f"The case {case.id} has ended ({case.status.value}).", advice="Look at the case again.")
    if await dispatcher.cancel(case.id, report=report):
        return
    if not case.waits:
        raise Busy(f"The case {case.id} is running in another process.", advice="Stop it there.")
    await answer(app, dispatcher, case, PlanAnswer(Decision.REJECT), by=by)


async def resume(app: Resources, dispatcher: Dispatcher, case: Case) -> None:
    """Resume a case that was stopped or interrupted. Raises Conflict if it has ended or waits for a decision."""
    if case.waits:
        raise Conflict(f"The plan of case {case.id} is waiting for a decision.", advice="Answer it.")
    if case.status.ended and (case.status is not CaseStatus.CANCELLED or case.is_rejected):
        what = "was rejected" if case.is_rejected else f"has ended ({case.status.value})"
        raise Conflict(f"The case {case.id} {what}.", advice="Open a new one.")
    await (await outbox_of(app)).wake(case.id, at=app.clock.now())
    await dispatcher.submit(case.id)


def without_claims(case: Case, kept: Collection[str]) -> str:
    """Return the change that drops all claims but these. Raises InputError if it would drop none or all."""
    dropped = [claim.id for claim in case.claims if claim.id not in kept]
    if not dropped:
        raise InputError(
            "No claim was unticked.", advice="Untick the claims that need no checking, or approve the plan."
        )
    if len(dropped) == len(case.claims):
        raise InputError("No claim is left.", advice="Tick at least one, or reject the plan.")
    return f"drop {', '.join(dropped)}"


async def remove_case(app: Resources, case: Case) -> None:
    """Delete the case and the archived pages that no other case uses. Raises Conflict while it runs, StorageError."""
    if case.status is CaseStatus.RUNNING and case.id not in await (await app.store()).interrupted():
        raise Conflict(f"The case {case.id} is running.", advice="Stop it first.")
    from inquest.store.cases import forget_case

    await forget_case(await app.database(), app.archive, case.id, app.clock.now())


FURTHER_KINDS = (CaseKind.INQUIRY, CaseKind.CLAIMS)
"""A topic or a market question is run again as a new case instead."""


async def reopen(
    app: Resources, case: Case, claim_id: str, words: str, *, by: str, dispatcher: Dispatcher | None = None
) -> Round:
    """Begin a further round about a claim, or about the whole case (''), and submit the case to the dispatcher, if any.
    A new plan with the request waits for approval; earlier requests are answered from the recording, and until the
    round ends the case shows the earlier results. Raises InputError for an unusable request, NotFound for an unknown
    claim, Conflict if the case has no report yet, is running, or is of a kind without further rounds, StorageError."""
    wanted = words.strip()
    if not wanted or len(wanted) > MOST_WORDS:
        raise InputError(
            f"Invalid request: expected 1 to {MOST_WORDS:,} characters that say what to look for.",
            advice="For example: the regulator's own notice.",
            field="why",
        )
    claim = next((each for each in case.claims if each.id == claim_id), None)
    if claim_id and claim is None:
        raise NotFound(f"The case {case.id} has no claim {claim_id[:80]!r}.", advice="Look at the claims of the case.")
    if case.kind not in FURTHER_KINDS:
        raise Conflict(f"Cases of kind {case.kind.value} cannot have further rounds.", advice="Open a new case.")
    if case.status not in (CaseStatus.COMPLETED, CaseStatus.PARTIAL) or case.summary is None or case.plan is None:
        raise Conflict(
            f"The case {case.id} has no report yet ({case.status.value}).", advice="Ask again once it has ended."
        )
    if other_topic(wanted, case.plan.topic):
        raise InputError("That is another topic.", advice="Open a new case for it: a case has one topic.")
    now, texts = app.clock.now(), {each.id: each.text for each in case.claims}
    further = Round(
        number=len(case.rounds) + 2,
        by=by,
        at=now,
        words=wanted,
        claim=claim.text if claim else "",
        status=case.status.value,
        why=case.why,
        plan=case.plan,
        verdicts=tuple(
            EarlierVerdict(claim=texts[each.claim_id], verdict=each.verdict, confidence=each.confidence)
            for each in case.assessments
            if each.claim_id in texts
        ),
    )
    revision = Approval(
        decision=Decision.REVISE,
        text=wanted,
        about=claim.text if claim else case.plan.topic,
        by=by,
        at=now,
        how="further round",
        revision=case.plan.revision,
    )
    if any(each.claim_id == claim_id for each in case.assessments):
        await decide_claim(app, case, claim_id, Deciding(kind=DecisionKind.MORE, why=wanted), by=by)
    reopened = case.model_copy(
        update={
            "status": CaseStatus.RUNNING,
            "why": "",
            "approvals": (*case.approvals, revision),
            "rounds": (*case.rounds, further),
        }
    )
    await (await case_work(app)).plan_reopened(case.id, case.plan.revision)
    await (await app.store()).save(reopened)
    if dispatcher is not None:
        await dispatcher.submit(case.id)
    return further
