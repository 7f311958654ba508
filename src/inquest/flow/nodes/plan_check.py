"""Plan a check: read the report, extract its claims, assign them to desks, and draft the queries.

The user sees the claims with the plan, and may remove some or add some before anything is searched.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from inquest.claims.claim_choice import chosen, claim_change, unknown_ids
from inquest.claims.meant import meant_in, times_in
from inquest.claims.report.company import country_beside, report_year
from inquest.claims.report.extraction import claims_found
from inquest.claims.report.given import claims_of_sentences
from inquest.claims.routing import route
from inquest.domain.check import GIVEN_CLAIMS, CheckRequest, DeskQuery, DeskStatus
from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import InputError, PageError
from inquest.domain.event import Stage
from inquest.domain.plan import Decision, Plan
from inquest.domain.reasons import Reason, coded, noted, sentences
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit
from inquest.domain.source import Source
from inquest.domain.value import firsts
from inquest.flow.desk_guard import GuardedDesk
from inquest.flow.nodes.vet import MOST
from inquest.flow.planned import (
    last_notes,
    made_plan,
    more_asked,
    queries_for,
    registry_notes,
    search_limits,
    search_notes,
)
from inquest.flow.services import ALWAYS, Services, by_subject, desks_without_engine, subject_for, with_places
from inquest.flow.state import CaseState, CheckState, Delta, added_up, new_outages
from inquest.kit.analyst import SourceReading
from inquest.kit.desk import Desk, Subject, Taken
from inquest.kit.reader import page_progress
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.reading import Lead, PageRead, source_of
from inquest.retrieval.search_plan import desk_queries_in, earlier_checks_of, language_notes, plan_desk_searches
from inquest.sources.noise import Noise
from inquest.sources.owners import own_domains
from inquest.text.phrases import count, listed
from inquest.text.sentences import shorten
from inquest.text.urls import shown_address

INSTEAD = "Save the report itself, as PDF or HTML, and provide the file instead of the address."
"""The remedy if an address does not lead to a report."""


async def plan_check(state: CaseState, services: Services) -> Delta:
    """Plan a check, or revise the plan as the user asked. Nothing is searched yet. Raises InputError if there is no
    claim to check, PageError if the report cannot be read."""
    request = state.brief.check
    assert request is not None
    if state.check is None or state.plan is None:
        extracted = await _extract(request, state, services)
        notes: tuple[str, ...] = ()
    else:
        extracted, notes = await _revise(state, request, services)
    desks = {name: desk for name, desk in services.desks.items() if not request.desks or name in request.desks}
    subject = extracted.subject
    guarded = {name: GuardedDesk(desk) for name, desk in services.desks.items()}

    def takes(desk: GuardedDesk, claim: Claim) -> Taken | None:
        return desk.takes(claim, subject_for(claim, subject))

    routing = route(
        extracted.claims, {name: partial(takes, desk) for name, desk in guarded.items()}, chosen=tuple(desks)
    )
    looking = {each.claim_id: each.desks for each in routing}
    queries, failed, outages = await _queries(extracted, desks, looking, services)
    defects = [note for desk in guarded.values() for note in await desk.outages(services, Stage.PLAN)]
    failed = (*(status for desk in guarded.values() for status in desk.statuses()), *failed)
    # Earlier fact checks of a claim are searched for once, by its first desk.
    earlier = [
        earlier_checks_of(looking[each.id][0], each.id, each.text) for each in extracted.claims if looking[each.id]
    ]
    ids = {claim.text: claim.id for claim in extracted.claims}
    further = [
        DeskQuery(desk=name, angle=next(iter(desks[name].spec.angles)), query=query, claim_ids=(ids[asked.about],))
        for asked in more_asked(state)
        for name in looking.get(ids.get(asked.about, ""), ())
        for query in queries_for(asked, subject.company)
    ]
    queries, searches = plan_desk_searches(
        desk_queries_in(state.brief.languages, [*further, *earlier, *queries]),
        {name: frozenset(desk.spec.kinds) for name, desk in desks.items()},
        _engines(desks, services),
        search_limits(state.brief, "first", len(extracted.claims)),
    )
    check = CheckState(
        subject=subject,
        routing=routing,
        queries=queries,
        found_claims=extracted.found,
        dropped=extracted.dropped,
        **noted(extracted.notes),
        desks=added_up((), failed),
    )
    plan = _plan(state, check, extracted, desks, services, (*notes, *search_notes(searches)))
    return {
        "plan": plan,
        "claims": extracted.claims,
        "sources": extracted.sources,
        "check": check,
        "outages": new_outages([*defects, *outages], state.outages),
    }


@dataclass(frozen=True)
class _Extracted:
    """The claims with their places, and their subject."""

    claims: tuple[Claim, ...]
    sources: tuple[Source, ...]
    """The texts with the claims: the report, the user's own list."""
    subject: Subject
    found: int
    dropped: tuple[Claim, ...] = ()
    notes: tuple[Reason, ...] = ()


async def _extract(request: CheckRequest, state: CaseState, services: Services) -> _Extracted:
    now = services.now(state.brief.as_of)
    sources: list[Source] = []
    notes: tuple[Reason, ...] = ()
    claims, total, document = request.claims, len(request.claims), None
    if request.report:
        hit = Hit(url=request.report, engine="user", rank=1, snapshot=request.report_snapshot or None)
        await services.progress(Stage.CLAIMS, f"Reading {shown_address(request.report)}")
        with page_progress():
            try:
                snapshot, document = await services.pages.read(request.report, hit=hit)
            except PageError as error:
                if request.report.startswith("http"):
                    error.advice = error.advice or INSTEAD
                raise
        reported = Reason(code="pages.report_of", data={"company": request.company})
        sources.append(_source_of_claims(document, snapshot, state, services, reported, "S1"))
        with page_progress() as report:
            result = await asyncio.to_thread(
                claims_found,
                document,
                company=request.company,
                industry=request.industry,
                given=request.claims,
                progress=report,
            )
        total, notes, given = len(result.claims), result.notes, len(request.claims)
        found = (
            claim.model_copy(update={"company": request.company})
            for claim in result.claims[given:][: request.max_claims]
        )
        claims = (*result.claims[:given], *found)
        if not claims:
            why = "; ".join(sentences(notes)) or "it states nothing that can be checked"
            raise InputError(f"No checkable claim was found in the report: {why}.", advice="Give claims of your own.")
    subject = Subject(
        company=request.company,
        industry=request.industry,
        country=request.country or (country_beside(request.company, document.text) if document else ""),
        now=now,
        own_domains=tuple(sorted(own_domains(request.company))),
        report_source="S1",
        report_year=report_year(document, now) if document else None,
    )
    claims, more = await _with_mentions(claims, sources[0] if sources else None, state, services)
    return _Extracted(claims, (*sources, *more), subject, total, notes=notes)


async def _with_mentions(
    claims: Sequence[Claim], report: Source | None, state: CaseState, services: Services
) -> tuple[tuple[Claim, ...], tuple[Source, ...]]:
    """Return the claims with a mention each, in the report or else in the list of the user's claims; and this list."""
    own = [claim for claim in claims if not (report and claim.quote)]
    given: Source | None = None
    written: list[Claim] = []
    if own:
        source_id = "S2" if report else "S1"
        written, snapshot, document = await with_places(own, source_id, services)
        given = _source_of_claims(document, snapshot, state, services, Reason(code="pages.claims_given"), source_id)
    left, placed = iter(written), []
    for claim in claims:
        if report and claim.quote:
            place = {"quote": claim.quote, "start": claim.start, "end": claim.end}
            mention = Mention.model_validate({"source_id": report.id, "snapshot": report.snapshot, **place})
            placed.append(claim.model_copy(update={"mentions": (mention,)}))
        else:
            placed.append(next(left))
    return tuple(placed), ((given,) if given else ())


def _source_of_claims(
    document: Document, snapshot: Snapshot, state: CaseState, services: Services, what: Reason, source_id: str
) -> Source:
    """Make the source that the claims are from, excluded as evidence."""
    noise = Noise(0.0) if document.url.startswith(GIVEN_CLAIMS) else None  # the user's own text is not a page
    page = PageRead(Lead(document.url, user_provided=True), snapshot, document, noise=noise)
    reading = SourceReading(summary=shorten(document.text, 300), key_claims=())
    source = source_of(page, reading, state.brief.as_of, services)
    assert state.brief.check is not None
    rating = source.rating.model_copy(update={"owner": source.rating.owner or state.brief.check.company or None})
    why = Reason.of("pages.no_evidence_itself", what=what)
    return source.model_copy(update={"id": source_id, "rating": rating}).left_out(why)


async def _revise(state: CaseState, request: CheckRequest, services: Services) -> tuple[_Extracted, tuple[str, ...]]:
    """Return the claims as the user changed them, and notes on what was not understood."""
    last = state.approvals[-1] if state.approvals else None
    text = last.text if last and last.decision is Decision.REVISE else ""
    change = claim_change("" if last and last.about else text, [claim.id for claim in state.claims])
    kept, dropped = chosen(state.claims, change)
    if not kept and not change.add:
        kept, dropped = state.claims, ()
    notes = [f"Not understood: “{part}”." for part in change.not_understood]
    if missing := unknown_ids(state.claims, change):
        notes.append(f"There is no claim {listed(missing)}.")
    report = next((source for source in state.sources if request.report and source.id == "S1"), None)
    taken = {claim.id for claim in (*state.claims, *state.checking.dropped)}
    added = claims_of_sentences(change.add, "what you said", letter="A", taken=taken, company=request.company)
    claims, more = await _with_mentions((*added, *kept), report, state, services)
    extracted = _Extracted(
        claims=claims,
        sources=(*((report,) if report else ()), *more),
        subject=state.checking.subject,
        found=state.checking.found_claims,
        dropped=(*state.checking.dropped, *dropped),
        notes=coded(state.checking.notes, state.checking.note_codes),
    )
    return extracted, tuple(notes)


async def _queries(
    extracted: _Extracted, desks: Mapping[str, Desk], looking: Mapping[str, tuple[str, ...]], services: Services
) -> tuple[tuple[DeskQuery, ...], tuple[DeskStatus, ...], tuple[OutageNote, ...]]:
    """Return the queries of all desks, by rule and drafts of the model, the statuses of failed desks, and outages."""

    async def drafted(
        name: str, subject: Subject, claims: Sequence[Claim]
    ) -> tuple[tuple[DeskQuery, ...], tuple[DeskStatus, ...], tuple[OutageNote, ...]]:
        desk = GuardedDesk(desks[name])
        found, outages = await services.answered(
            lambda analyst: analyst.desk_queries(name, desk.spec.angles, claims, subject.company, subject.industry),
            Stage.PLAN,
        )
        queries = desk.queries(claims, subject, drafted=found, again={})
        return queries, desk.statuses(), (*outages, *await desk.outages(services, Stage.PLAN))

    done = await services.side_by_side(
        [
            (f"queries {name} {subject.company}", partial(drafted, name, subject, claims))
            for name in desks
            for subject, claims in by_subject(
                [claim for claim in extracted.claims if name in looking.get(claim.id, ())], extracted.subject
            )
        ]
    )
    answered = [each for each in done if each is not None]
    return (
        tuple(query for queries, _, _ in answered for query in queries),
        tuple(status for _, statuses, _ in answered for status in statuses),
        tuple(note for _, _, outages in answered for note in outages),
    )


def _first_of(claims: Sequence[Claim]) -> str:
    more = f" (+{len(claims) - 1})" if len(claims) > 1 else ""
    return f"{shorten(claims[0].text, 140).rstrip('.')}{more}" if claims else ""


def _plan(
    state: CaseState,
    check: CheckState,
    extracted: _Extracted,
    desks: Mapping[str, Desk],
    services: Services,
    notes: Sequence[str],
) -> Plan:
    request = state.brief.check
    assert request is not None
    engines = _engines(desks, services)
    without = desks_without_engine(desks.values(), [engine.name for engine in engines], services)
    names = ", ".join(each.name for each in services.engines)
    shown = [each.query for each in check.queries if each.engines] or [each.query for each in check.queries]
    queries = firsts((each.model_dump_json(exclude={"purpose"}), each) for each in shown)
    more: list[str] = []
    if not engines:
        more.append("Claims can only be checked against standards and their own figures.")
    elif all(EngineKind.OWN in engine.kinds for engine in engines):
        own = ", ".join(state.brief.collections)
        more.append(f"Only your own documents will be searched (collection {own}); nothing leaves this machine.")
    unread = extracted.found - len(extracted.claims) - len(extracted.dropped)
    if request.report and unread > 0:
        more.append(f"The report makes {count(unread, 'further checkable claim')}, beyond the number to be checked.")
    missing = dict.fromkeys(name for each in check.routing for name in each.missing)
    if missing:
        more.append(f"Not installed, and so not used: the desk for {listed(list(missing))}.")
    again = (
        f"investigate again, at most {count(request.rounds, 'time')}" if request.rounds else "do not investigate again"
    )
    more.append(f"Where evidence is thin or one-sided, the desks {again}.")
    if services.analyst is not services.local:
        more += registry_notes(MOST, engines, services)
    more += last_notes(state.brief, len(extracted.claims), 0, engines, services)
    text = "\n".join(claim.text for claim in extracted.claims)
    return made_plan(
        state,
        engines,
        services,
        topic=f"Claims of {request.company}" if request.company else _first_of(extracted.claims),
        questions=tuple(claim.text for claim in extracted.claims),
        queries=tuple(queries.values()),
        meant=meant_in(text, (request.company, *(claim.company for claim in extracted.claims))),
        times=times_in(text),
        source_kinds=tuple(f"{desk.spec.title}: {listed(list(desk.spec.angles.values()))}" for desk in desks.values()),
        notes=(
            *notes,
            *(
                f"None of the chosen engines ({names}) can be used by the {name} desk, which queries engines of these "
                f"kinds: {', '.join(kind.value.replace('_', ' ') for kind in desk.spec.kinds)}. It will query none."
                for name, desk in desks.items()
                if name in without
            ),
            *language_notes(state.brief.languages, engines),
            *more,
            *(f"{note[:1].upper()}{note[1:]}." for note in check.notes),
        ),
    )


def _engines(desks: Mapping[str, Desk], services: Services) -> list[EngineChoice]:
    wanted = {kind for desk in desks.values() for kind in desk.spec.kinds} | ALWAYS
    return [engine for engine in services.ready if engine.asked_for or wanted & set(engine.kinds)]
