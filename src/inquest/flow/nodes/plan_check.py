"""Plan a check: read the report, take its claims, say which desk looks at what and what will be asked.

The user sees the claims with the plan, and may take some out or add some before anything is searched.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from inquest.claims.claim_choice import ClaimChange, chosen, claim_change, unknown_ids
from inquest.claims.meant import meant_in, times_in
from inquest.claims.report.company import report_year
from inquest.claims.report.extraction import claims_found
from inquest.claims.report.given import claims_of_sentences
from inquest.claims.routing import route
from inquest.domain.check import GIVEN_CLAIMS, CheckRequest, DeskQuery, DeskStatus
from inquest.domain.claim import Claim, Mention
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import InputError, PageError
from inquest.domain.event import Stage
from inquest.domain.plan import Decision, Plan
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.source import Source
from inquest.flow.classifying import MOST
from inquest.flow.desk_guard import GuardedDesk
from inquest.flow.further import more_asked, queries_for
from inquest.flow.joining import added_up, new_outages
from inquest.flow.planned import last_notes, made_plan, registry_notes, search_notes
from inquest.flow.services import ALWAYS, Services, by_subject, kept_words, subject_for, with_nobody_to_ask
from inquest.flow.state import CaseState, CheckState, Delta
from inquest.flow.time_limits import search_limits
from inquest.kit.analyst import SourceReading
from inquest.kit.desk import Desk, Subject, Taken
from inquest.kit.reader import told_of_pages
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.reading import Lead, PageRead, source_of
from inquest.retrieval.search_plan import desk_queries_in, earlier_checks_of, language_notes, plan_desk_searches
from inquest.sources.noise import Noise
from inquest.sources.owners import own_domains
from inquest.text.phrases import count, listed
from inquest.text.sentences import shorten
from inquest.text.urls import shown_address

INSTEAD = "Save the report itself, as PDF or HTML, and give the file in place of the address."
"""What to do where an address shows something else than a report."""


async def plan_check(state: CaseState, services: Services) -> Delta:
    """The plan for a check, or a revision of it as the user asked. Nothing is searched yet. Raises InputError where
    there is no claim to check, PageError where the report cannot be read."""
    request = state.brief.check
    assert request is not None
    if state.check is None or state.plan is None:
        begun = await _begun(request, state, services)
        said: tuple[str, ...] = ()
    else:
        begun, said = await _changed(state, request, services)
    desks = {name: desk for name, desk in services.desks.items() if not request.desks or name in request.desks}
    subject = begun.subject
    guarded = {name: GuardedDesk(desk) for name, desk in services.desks.items()}
    takes = {name: partial(_takes, desk, subject) for name, desk in guarded.items()}
    routing = route(begun.claims, takes, chosen=tuple(desks))
    looking = {each.claim_id: each.desks for each in routing}
    queries, failed, outages = await _queries(begun, desks, looking, services)
    defects = [note for desk in guarded.values() for note in await desk.outages(services, Stage.PLAN)]
    failed = (*(status for desk in guarded.values() for status in desk.statuses()), *failed)
    # Who has checked a claim before is asked once, by the first desk that looks at it.
    earlier = [earlier_checks_of(looking[each.id][0], each.id, each.text) for each in begun.claims if looking[each.id]]
    queries, searches = plan_desk_searches(
        desk_queries_in(
            state.brief.languages,
            [*_more(state, begun, looking, desks), *earlier, *queries],
        ),
        {name: frozenset(desk.spec.kinds) for name, desk in desks.items()},
        _engines(desks, services),
        search_limits(state.brief, "first", len(begun.claims)),
    )
    check = CheckState(
        subject=subject,
        routing=routing,
        queries=queries,
        found_claims=begun.found,
        dropped=begun.dropped,
        notes=begun.notes,
        statuses=added_up((), failed),
    )
    plan = _plan(state, check, begun, desks, services, (*said, *search_notes(searches)))
    return {
        "plan": plan,
        "claims": begun.claims,
        "sources": begun.sources,
        "check": check,
        "outages": new_outages([*defects, *outages], state.outages),
    }


@dataclass(frozen=True)
class _Begun:
    """The claims with their places, and whose they are."""

    claims: tuple[Claim, ...]
    sources: tuple[Source, ...]
    """What the claims stand in: the report, the user's own list."""
    subject: Subject
    found: int
    dropped: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()


def _takes(desk: GuardedDesk, subject: Subject, claim: Claim) -> Taken | None:
    return desk.takes(claim, subject_for(claim, subject))


async def _begun(request: CheckRequest, state: CaseState, services: Services) -> _Begun:
    now = services.now(state.brief.as_of)
    sources: list[Source] = []
    notes: tuple[str, ...] = ()
    claims, total, document = request.claims, len(request.claims), None
    if request.report:
        hit = Hit(url=request.report, engine="user", rank=1, snapshot=request.report_snapshot or None)
        await services.progress(Stage.CLAIMS, f"Reading {shown_address(request.report)}")
        with told_of_pages():
            try:
                snapshot, document = await services.pages.read(request.report, hit=hit)
            except PageError as error:
                if request.report.startswith("http"):
                    error.advice = error.advice or INSTEAD
                raise
        sources.append(_own_words(document, snapshot, state, services, f"the report of {request.company}", "S1"))
        with told_of_pages() as tell:
            result = await asyncio.to_thread(
                claims_found,
                document,
                company=request.company,
                industry=request.industry,
                given=request.claims,
                tell=tell,
            )
        total, notes = len(result.claims), result.notes
        given = len(request.claims)
        found = (claim.model_copy(update={"company": request.company}) for claim in result.claims[given:])
        claims = (*result.claims[:given], *list(found)[: request.max_claims])
        if not claims:
            why = "; ".join(notes) or "it states nothing that can be checked"
            raise InputError(
                f"No checkable claim was found in the report: {why}.",
                advice='Give claims of your own with --claims FILE, or one with --claim "...".',
            )
    subject = Subject(
        company=request.company,
        industry=request.industry,
        now=now,
        own_domains=tuple(sorted(own_domains(request.company))),
        report_source="S1",
        report_year=report_year(document, now) if document else None,
    )
    claims, more = await _placed(claims, sources[0] if sources else None, state, services)
    return _Begun(claims, (*sources, *more), subject, total, notes=notes)


async def _placed(
    claims: Sequence[Claim], report: Source | None, state: CaseState, services: Services
) -> tuple[tuple[Claim, ...], tuple[Source, ...]]:
    """The claims with a mention each: in the report where they stand there, else in a list of what the user gave."""
    stated = [claim for claim in claims if not (report and claim.quote)]
    lines = list(dict.fromkeys(claim.text for claim in stated))
    text = "\n".join(lines)
    given: Source | None = None
    if stated:
        snapshot, document = await kept_words(text, services)
        given = _own_words(
            document, snapshot, state, services, "the claims as they were given", "S2" if report else "S1"
        )
    placed = []
    for claim in claims:
        if report and claim.quote:
            where, quote, start, end = report, claim.quote, claim.start, claim.end
        else:
            assert given is not None
            start = sum(len(line) + 1 for line in lines[: lines.index(claim.text)])
            where, quote, end = given, claim.text, start + len(claim.text)
        mention = Mention(source_id=where.id, snapshot=where.snapshot, quote=quote, start=start, end=end)
        placed.append(claim.model_copy(update={"mentions": (mention,)}))
    return tuple(placed), ((given,) if given else ())


def _own_words(
    document: Document, snapshot: Snapshot, state: CaseState, services: Services, what: str, source_id: str
) -> Source:
    """The source that the claims are from; no evidence for itself."""
    noise = Noise(0.0) if document.url.startswith(GIVEN_CLAIMS) else None  # what the user wrote is no page
    page = PageRead(Lead(document.url, user_provided=True), snapshot, document, noise=noise)
    reading = SourceReading(summary=shorten(document.text, 300), key_claims=())
    source = source_of(page, reading, state.brief.as_of, services)
    assert state.brief.check is not None
    rating = source.rating.model_copy(update={"owner": source.rating.owner or state.brief.check.company or None})
    return source.model_copy(
        update={"id": source_id, "rating": rating, "excluded": f"it is {what}, which is no evidence for itself"}
    )


async def _changed(state: CaseState, request: CheckRequest, services: Services) -> tuple[_Begun, tuple[str, ...]]:
    """The claims as the user wants them, and what was not understood."""
    assert state.check is not None
    last = state.approvals[-1] if state.approvals else None
    text = last.text if last and last.decision is Decision.REVISE else ""
    change = claim_change("" if last and last.about else text, [claim.id for claim in state.claims])
    kept, dropped = chosen(state.claims, change)
    if not kept and not change.add:
        kept, dropped = state.claims, ()
    said = [f"Not understood: “{part}”." for part in change.not_understood]
    if missing := unknown_ids(state.claims, change):
        said.append(f"There is no claim {listed(missing)}.")
    report = next((source for source in state.sources if request.report and source.id == "S1"), None)
    claims, more = await _placed((*_added(change, state, request), *kept), report, state, services)
    begun = _Begun(
        claims=claims,
        sources=(*((report,) if report else ()), *more),
        subject=state.check.subject,
        found=state.check.found_claims,
        dropped=(*state.check.dropped, *dropped),
        notes=state.check.notes,
    )
    return begun, tuple(said)


def _added(change: ClaimChange, state: CaseState, request: CheckRequest) -> tuple[Claim, ...]:
    assert state.check is not None
    taken = {claim.id for claim in (*state.claims, *state.check.dropped)}
    return claims_of_sentences(change.add, "what you said", letter="A", taken=taken, company=request.company)


async def _queries(
    begun: _Begun, desks: Mapping[str, Desk], looking: Mapping[str, tuple[str, ...]], services: Services
) -> tuple[tuple[DeskQuery, ...], tuple[DeskStatus, ...], tuple[OutageNote, ...]]:
    """What the desks will ask, by their rules and by the model's words where there is one; the desks side by side. And
    how the desks stand that could not say."""

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
                [claim for claim in begun.claims if name in looking.get(claim.id, ())], begun.subject
            )
        ]
    )
    answered = [each for each in done if each is not None]
    return (
        tuple(query for queries, _, _ in answered for query in queries),
        tuple(status for _, statuses, _ in answered for status in statuses),
        tuple(note for _, _, outages in answered for note in outages),
    )


def _more(
    state: CaseState, begun: _Begun, looking: Mapping[str, tuple[str, ...]], desks: Mapping[str, Desk]
) -> list[DeskQuery]:
    """What further rounds are asked to find, of every desk that looks at the claim."""
    ids = {claim.text: claim.id for claim in begun.claims}
    return [
        DeskQuery(desk=name, angle=next(iter(desks[name].spec.angles)), query=query, claim_ids=(ids[asked.about],))
        for asked in more_asked(state)
        for name in looking.get(ids.get(asked.about, ""), ())
        for query in queries_for(asked, begun.subject.company)
    ]


def _plan(
    state: CaseState,
    check: CheckState,
    begun: _Begun,
    desks: Mapping[str, Desk],
    services: Services,
    said: Sequence[str],
) -> Plan:
    request = state.brief.check
    assert request is not None
    engines = _engines(desks, services)
    queries: dict[str, Query] = {}
    for each in [each for each in check.queries if each.engines] or check.queries:
        queries.setdefault(each.query.model_dump_json(exclude={"purpose"}), each.query)
    said_by_all = "\n".join(claim.text for claim in begun.claims)
    return made_plan(
        state,
        engines,
        services,
        topic=f"Claims of {request.company}" if request.company else "Claims as given",
        questions=tuple(claim.text for claim in begun.claims),
        queries=tuple(queries.values()),
        meant=meant_in(said_by_all, (request.company, *(claim.company for claim in begun.claims))),
        times=times_in(said_by_all),
        source_kinds=tuple(f"{desk.spec.title}: {listed(list(desk.spec.angles.values()))}" for desk in desks.values()),
        notes=(
            *said,
            *_unasked(desks, engines, services),
            *language_notes(state.brief.languages, engines),
            *_notes(state, check, begun, engines, services),
        ),
    )


def _engines(desks: Mapping[str, Desk], services: Services) -> list[EngineChoice]:
    wanted = {kind for desk in desks.values() for kind in desk.spec.kinds} | ALWAYS
    ready = [engine for engine in services.engines if engine.lacks is None]
    return [engine for engine in ready if engine.asked_for or wanted & set(engine.kinds)]


def _unasked(desks: Mapping[str, Desk], engines: Sequence[EngineChoice], services: Services) -> list[str]:
    """That a desk will ask nobody, where engines were chosen that others ask."""
    without = with_nobody_to_ask(desks.values(), [engine.name for engine in engines], services)
    names = ", ".join(each.name for each in services.engines)
    return [
        f"None of the chosen engines ({names}) can be asked by the {name} desk, which asks engines of these kinds: "
        f"{', '.join(kind.value.replace('_', ' ') for kind in desk.spec.kinds)}. It will ask nobody."
        for name, desk in desks.items()
        if name in without
    ]


def _notes(
    state: CaseState, check: CheckState, begun: _Begun, engines: Sequence[EngineChoice], services: Services
) -> tuple[str, ...]:
    request = state.brief.check
    assert request is not None
    notes = []
    if not engines:
        notes.append("Claims can only be held against standards and their own figures.")
    elif all(EngineKind.OWN in engine.kinds for engine in engines):
        names = ", ".join(state.brief.collections)
        notes.append(f"Only your own documents will be asked (collection {names}); nothing leaves this machine.")
    unread = begun.found - len(begun.claims) - len(begun.dropped)
    if request.report and unread > 0:
        notes.append(f"The report makes {count(unread, 'further checkable claim')}, beyond the number to be checked.")
    missing = dict.fromkeys(name for each in check.routing for name in each.missing)
    if missing:
        notes.append(f"Not installed, and so not asked: the desk for {listed(list(missing))}.")
    again = (
        f"are sent out again, at most {count(request.rounds, 'time')}" if request.rounds else "are not sent out again"
    )
    notes.append(f"Where evidence is thin or one-sided the desks {again}.")
    if services.analyst is not services.local:
        notes += registry_notes(MOST, engines, services)
    notes += last_notes(state.brief, len(begun.claims), 0, engines, services)
    return (*notes, *(f"{note[:1].upper()}{note[1:]}." for note in check.notes))
