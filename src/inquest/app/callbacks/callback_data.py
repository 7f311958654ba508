"""What the events of a case are to a receiver of callbacks: types and fields of spec 004. Nothing is sent here.

A receiver that keeps what it is told in a database answers with ids of its own; they are handed on in what follows
(`source_ids` of a claim). Our own ids stand beside them as `ref` and `source_refs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from inquest.claims.brief_reading import control_lines
from inquest.domain.case import Case, CaseStatus
from inquest.domain.event import Event, EventType
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Source
from inquest.domain.value import JsonObject, JsonValue
from inquest.stories.stories import independent

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
    """What it is about: the same key is told once, and the receiver's id is kept under it."""
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
