"""Extract the claims of the sources: merged, ranked by importance and linked to their sources."""

from __future__ import annotations

from inquest.desks.inquiry.brief_claims import asserted, with_brief_claims
from inquest.desks.verification.topic_claims import claims_to_check, own_article
from inquest.domain.claim import Claim, Mention
from inquest.domain.event import EventType, Stage
from inquest.domain.report import OutageNote
from inquest.domain.source import Source
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.kit.analyst import ClaimDraft, SourceReading
from inquest.text.phrases import capitalised, count

_NONE = "NO_CLAIMS_EXTRACTED"


async def claims(state: CaseState, services: Services) -> Delta:
    """Return the claims of the sources that count, most important first; for a topic its title and the nearest ones."""
    assert state.plan is not None
    counted = [(s, state.readings[s.id]) for s in state.sources if not s.excluded and s.id in state.readings]
    # A topic is its own claim, which the sources are expected to make.
    own = asserted(state.brief.text, state.plan.questions) if state.brief.topic is None else {}
    if not counted and not own:
        return await services.skipped("No sources available for claim extraction.", Stage.CLAIMS, _NONE)
    await services.progress(Stage.CLAIMS, f"Extracting claims from {len(counted)} sources")
    topic, limit = state.plan.topic, state.brief.mode.settings.claim_limit
    drafts: tuple[ClaimDraft, ...] = ()
    outages: tuple[OutageNote, ...] = ()
    if counted:
        drafts, outages = await services.judged(
            "claims", lambda analyst: analyst.merge(topic, counted, limit), Stage.CLAIMS
        )
    by_id = {source.id: (source, reading) for source, reading in counted}
    made = tuple(claim_of(number, draft, by_id) for number, draft in enumerate(drafts, 1))
    if own:
        made = with_brief_claims(own, made, limit)
    every = made
    if (about := state.brief.topic) is not None:
        made = claims_to_check(made, about, own_article(about, {source.id: source for source in state.sources}))
    if not made:
        return await services.skipped("The sources make no claim that can be checked.", Stage.CLAIMS, _NONE)
    for claim in made:
        await services.events.emit(
            EventType.CLAIM_EXTRACTED,
            f'"{claim.text}"',
            stage=Stage.CLAIMS,
            claim_id=claim.id,
            claim_text=claim.text,
            importance=claim.importance,
            source_ids=list(claim.source_ids),
        )
    text = f"Extracted {len(made)} checkable claims."
    await services.progress(Stage.CLAIMS, text, EventType.STAGE_FINISHED, claims=len(made))
    kept = {each.text for each in made}
    if about is not None and (left := sum(each.text not in kept for each in every)):
        verb = "is" if left == 1 else "are"
        beside = f"{capitalised(count(left, 'claim'))} from the sources {verb} off topic and not checked"
        await services.progress(Stage.CLAIMS, beside)
    return {"claims": made, "outages": outages}


def claim_of(number: int, draft: ClaimDraft, readings: dict[str, tuple[Source, SourceReading]]) -> Claim:
    """Make the claim of a draft, with its mentions. `readings`: by source id."""
    mentions = []
    for source_id, index in draft.members:
        source, reading = readings[source_id]
        key = reading.key_claims[index]
        at = Mention(source_id=source_id, snapshot=source.snapshot, quote=key.quote, start=key.start, end=key.end)
        mentions.append(at)
    return Claim(
        id=f"C{number}",
        text=draft.text,
        type=draft.type,
        importance=draft.importance,
        mentions=tuple(mentions),
        queries=draft.queries,
    )
