"""The nodes that only a topic has: social posts, the result of the investigation, and the summary."""

from __future__ import annotations

from inquest.desks.inquiry.writing import note, others_in_table
from inquest.desks.verification.investigation_notes import LEVEL_HEADING, level_reasons
from inquest.desks.verification.investigation_result import TopicMaterial, investigation_result
from inquest.desks.verification.origin_report import story_path
from inquest.desks.verification.topic_claims import main_claims, near_first
from inquest.domain.by_key import firsts
from inquest.domain.event import EventType, Stage
from inquest.domain.report import Section, Summary
from inquest.domain.search import EngineKind
from inquest.flow.joining import new_outages
from inquest.flow.nodes.timeline import report_event
from inquest.flow.nodes.write import write
from inquest.flow.services import Services, texts_of
from inquest.flow.state import CaseState, Delta
from inquest.flow.time_limits import search_limits
from inquest.retrieval.answers import Search
from inquest.retrieval.retriever import Retriever, SearchRules
from inquest.retrieval.search_plan import plan_searches, questions_on
from inquest.text.phrases import capitalised, count, listed
from inquest.text.urls import comparison_key


async def investigation(state: CaseState, services: Services) -> Delta:
    """Conclude the investigation from the results of the case."""
    topic = state.brief.topic
    assert topic is not None
    asked = state.plan.engines if state.plan else ()
    known = [engine for engine in services.engines if EngineKind.SOCIAL in engine.kinds]
    failed = {note.where: note.why for note in state.outages if note.what == "engine"}
    gave = {hit.engine for hit in state.posts}
    silent = {engine.name: engine.lacks for engine in known if engine.lacks}
    silent |= {e.name: failed[e.name] for e in known if e.name in failed and e.name not in gave and e.name in asked}
    gathered = TopicMaterial(
        now=services.now(state.brief.as_of),
        sources={source.id: source for source in state.sources},
        documents=await texts_of(state.sources, services),
        claims=state.claims,
        findings=state.findings,
        assessments=state.assessments,
        hits=state.posts,
        sought=state.sought,
        networks=[engine.name for engine in known if engine.name in asked and engine.name not in silent],
        no_networks=silent,
        sees_days={each.name: each.sees_days for each in services.engines if each.sees_days},
        # A service counts once, however often it failed.
        outages=len({(note.what, note.where) for note in state.missing}),
    )
    result = investigation_result(topic, gathered)
    level = result.recommended_verification_level.value
    before = result.upgrade.before.value
    await services.events.emit(
        EventType.TOPIC_INVESTIGATED,
        f"{before} -> {level}" if result.verification_upgraded else f"The level stays {level}.",
        stage=Stage.JUDGE,
        level=level,
        before=before,
        confidence=result.confidence_level,
        requires_human_review=result.requires_human_review,
        review_reason=result.review_reason,
    )
    mains = main_claims(state.claims, topic, state.findings)
    path = story_path(mains, state.findings, gathered.sources, result.origin) if result.origin else ()
    for each in path:
        await report_event(each, services)
    return {"investigation": result, "timeline": path}


async def social(state: CaseState, services: Services) -> Delta:
    """Search all ready networks for posts; return each post once."""
    assert state.plan is not None
    networks = [name for name in services.asks(EngineKind.SOCIAL) if name in state.plan.engines]
    queries = [query for query in state.plan.queries if EngineKind.SOCIAL in query.kinds]
    engines = [engine for engine in services.engines if engine.name in networks]
    questions = questions_on([(query, "posts") for query in queries], lambda query: networks)
    plan = plan_searches(questions, engines, search_limits(state.brief, "posts", 1))
    work = [
        Search(name, each.query.model_copy(update={"until": state.brief.as_of or each.query.until}))
        for each, names in zip(questions, plan.engines, strict=True)
        for name in names
    ]
    # A network has only its own posts: none can replace another.
    retriever = Retriever(work, SearchRules(Stage.SOURCES, verb="posts of", suited=lambda query: ()), services)
    try:
        asked = await retriever.ask_all()
    finally:
        await retriever.close()
    found = [hit for each in asked.attempts for hit in each.hits if hit.post is not None]
    posts = firsts((comparison_key(hit.url), hit) for hit in found)
    if work:
        out = list(dict.fromkeys(each.engine for each in asked.attempts if not each.answered))
        answered = len({each.engine for each in work} - set(out))
        text = f"{capitalised(count(len(posts), 'post'))} found on {count(answered, 'network')}" if answered else ""
        silent = f"{listed(out)} could not be queried" if out else ""
        text = f"{'; '.join(filter(None, (text, silent)))}."
        await services.progress(Stage.SOURCES, text, EventType.STAGE_FINISHED, posts=len(posts))
    return {"posts": tuple(posts.values()), "outages": new_outages(asked.outages, ())}


MOST_SUMMARISED = 7
"""Claims in the summary of a topic; the table of verdicts has all."""


async def write_topic(state: CaseState, services: Services) -> Delta:
    """Write the summary, the verification level first, even if nothing was found. It has the main claims and those
    nearest to the topic only."""
    result, topic = state.investigation, state.brief.topic
    assert result is not None and topic is not None
    mains = main_claims(state.claims, topic, state.findings)
    rest = near_first([claim for claim in state.claims if claim not in mains], topic)
    claims = (*mains, *rest)[:MOST_SUMMARISED]
    places = {claim.id: place for place, claim in enumerate(claims)}
    assessments = tuple(sorted(state.assessments, key=lambda each: places.get(each.claim_id, len(places))))
    # The questions of a topic's plan are tasks of the desk: no page answers 'Do dates and numbers agree?'.
    plan = state.plan.model_copy(update={"questions": (), "question_codes": ()}) if state.plan else None
    summarised = state.model_copy(update={"claims": claims, "assessments": assessments, "plan": plan})
    delta = await write(summarised, services)
    reasons = level_reasons(result)
    statements = (*map(note, reasons), *others_in_table(len(state.claims) - len(mains)))
    about = Section(heading=LEVEL_HEADING, statements=statements)
    written: Summary = delta.get("summary") or Summary(title=topic.title, sections=())
    summary = Summary(title=written.title, sections=(about, *written.sections), dropped=written.dropped)
    return delta | {"summary": summary}
