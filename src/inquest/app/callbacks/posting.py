"""One callback over HTTP: signed, to a receiver outside, and never where it redirects to."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inquest.claims.brief_reading import control_lines
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import InputError, Outage
from inquest.domain.event import Event, EventType
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Source
from inquest.domain.value import JsonObject, JsonValue
from inquest.kit.exchange import Purpose, Request
from inquest.kit.ports import Clock
from inquest.net.client import Network
from inquest.net.door import Door
from inquest.net.guard import Forbidden, Guard
from inquest.net.manners import Manners
from inquest.net.outside import Allowances
from inquest.stories.stories import independent
from inquest.text.urls import is_web_url

if TYPE_CHECKING:
    from inquest.app.settings import Settings


_ENDS = {
    CaseStatus.COMPLETED: "INVESTIGATION_COMPLETE",
    CaseStatus.PARTIAL: "INVESTIGATION_PARTIAL",
    CaseStatus.FAILED: "INVESTIGATION_FAILED",
    CaseStatus.CANCELLED: "INVESTIGATION_CANCELLED",
}


@dataclass(frozen=True, slots=True)
class Payload:
    """One callback."""

    type: str
    key: str
    """What it is about: the same key is sent once, and the receiver's id is kept under it."""
    data: JsonObject
    returns: str = ""
    """The name of the id that the receiver may answer with."""


def investigation_id(case: Case) -> str:
    """The receiver's own id for the case, where the brief gives one ('Investigation ID: ...'); else ours."""
    return case.brief.reference or control_lines(case.brief.text).reference or case.id


def payloads(event: Event, case: Case, ids: Mapping[str, str]) -> Iterator[Payload]:
    """The callbacks that an event gives rise to, in order. `ids`: the receiver's, by key; read anew for each. Sources
    come before what rests on them, also those that were found while claims were checked."""
    match event.type:
        case EventType.CASE_STARTED:
            topic = case.plan.topic if case.plan else ""
            yield Payload(
                "INVESTIGATION_STARTED", "started", {"mode": case.brief.mode.value, "topic": topic, "ref": case.id}
            )
        case EventType.SOURCE_FOUND:
            yield _source_told(event.data)
        case EventType.CLAIM_EXTRACTED | EventType.FACT_CHECKED | EventType.TIMELINE_EVENT:
            yield from map(_source, case.sources)
            make = {
                EventType.CLAIM_EXTRACTED: _claim,
                EventType.FACT_CHECKED: _fact_check,
                EventType.TIMELINE_EVENT: _happening,
            }[event.type]
            yield make(event, case, ids)
        case EventType.BIAS_ANALYSED:
            yield Payload(
                "BIAS_ANALYZED",
                "bias",
                {"overall_bias_score": event.data.get("overall"), "balance": event.data.get("balance")}
                | {"recommendation": event.data.get("recommendation")},
            )
        case EventType.CASE_FINISHED:
            yield from map(_source, case.sources)
            yield _end(event, case)
        case _:
            return


def _source(source: Source) -> Payload:
    return _source_told(
        {
            "url": source.url,
            "title": source.title,
            "summary": source.summary,
            "stars": source.rating.stars,
            "user_provided": source.user_provided,
            "domain": source.domain,
            "tier": source.rating.tier,
            "key_finding": source.key_claims[0] if source.key_claims else "",
            "excluded": source.excluded,
        },
        ref=source.id,
    )


def _source_told(said: JsonObject, **more: JsonValue) -> Payload:
    names = {"content_snippet": "summary", "credibility_score": "stars", "is_user_provided": "user_provided"}
    own = ("url", "title", *names, "domain", "tier", "key_finding", "excluded")
    data = {name: said.get(names.get(name, name)) for name in own}
    return Payload("SOURCE_FOUND", f"source {said.get('url')}", data | more, "source_id")


def _claim(event: Event, case: Case, ids: Mapping[str, str]) -> Payload:
    refs = _strings(event.data.get("source_ids"))
    return Payload(
        "CLAIM_EXTRACTED",
        f"claim {event.data.get('claim_id')}",
        {
            "claim_text": event.data.get("claim_text"),
            "importance": event.data.get("importance"),
            "source_ids": _theirs(refs, case, ids),
            "ref": event.data.get("claim_id"),
            "source_refs": list[JsonValue](refs),
        },
        "claim_id",
    )


def _fact_check(event: Event, case: Case, ids: Mapping[str, str]) -> Payload:
    ref = str(event.data.get("claim_id"))
    evidence = [finding for finding in case.findings if finding.claim_id == ref]
    return Payload(
        "FACT_CHECKED",
        f"check {ref}",
        {
            "claim_id": ids.get(f"claim {ref}"),
            "claim_text": event.data.get("claim_text"),
            "verdict": event.data.get("verdict"),
            "confidence": event.data.get("confidence"),
            "independent_sources": event.data.get("independent_sources"),
            "evidence": [_evidence(finding, case, ids) for finding in evidence if finding.stance in _SIDES],
            "ref": ref,
        },
        "fact_check_id",
    )


_SIDES = (Stance.SUPPORTS, Stance.CONTRADICTS)


def _evidence(finding: Finding, case: Case, ids: Mapping[str, str]) -> JsonObject:
    theirs = _theirs([finding.source_id], case, ids)
    return {
        "stance": finding.stance.value,
        "quote": finding.quote,
        "source_id": theirs[0] if theirs else None,
        "source_ref": finding.source_id,
        "snapshot": finding.snapshot,
    }


def _happening(event: Event, case: Case, ids: Mapping[str, str]) -> Payload:
    refs = _strings(event.data.get("source_ids"))
    theirs = _theirs(refs, case, ids)
    date, text = event.data.get("event_date"), event.data.get("event_text")
    return Payload(
        "TIMELINE_EVENT",
        f"event {date} {text}",
        {
            "event_date": date,
            "event_text": text,
            "source_id": theirs[0] if theirs else None,
            "source_ids": theirs,
            "source_refs": list[JsonValue](refs),
            "conflict": event.data.get("conflict"),
        },
        "event_id",
    )


def _end(event: Event, case: Case) -> Payload:
    from inquest.reports.case_json import summary_with_sources

    data: JsonObject = {
        "summary": summary_with_sources(case),
        "ref": case.id,
        "sources": sum(not source.excluded for source in case.sources),
        "independent_sources": len(independent(case.sources)),
    }
    if case.bias:
        data["overall_bias_score"] = case.bias.overall
    why = str(event.data.get("why") or case.why)
    if why:
        data["partial_reason" if case.status is CaseStatus.PARTIAL else "reason"] = why
    # A case that was stopped can end again after it was resumed, and otherwise.
    status = CaseStatus(str(event.data.get("status") or case.status.value))
    return Payload(_ENDS.get(status, "INVESTIGATION_FAILED"), f"end {event.id}", data)


def _theirs(refs: Iterable[str], case: Case, ids: Mapping[str, str]) -> list[JsonValue]:
    urls = {source.id: source.url for source in case.sources}
    keys = (f"source {urls.get(ref)}" for ref in refs)
    return [ids[key] for key in keys if key in ids]


def _strings(value: JsonValue) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


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
        """Post one. It raises nothing: whatever goes wrong appears in the answer."""
        sent = {"type": payload.type, "investigation_id": investigation_id(case), "data": payload.data}
        body = json.dumps(sent, ensure_ascii=False).encode(errors="backslashreplace")
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
