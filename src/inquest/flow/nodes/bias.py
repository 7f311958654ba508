"""Bias: how the sources stand to the subject, one by one and as a whole."""

from __future__ import annotations

from inquest.domain.event import EventType, Stage
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.verdicts.overall_bias import overall_bias


async def bias(state: CaseState, services: Services) -> Delta:
    """Overall bias and balance; per source in detailed mode."""
    assert state.plan is not None
    topic = state.plan.topic
    pairs = []
    for source in state.sources:
        document = None if source.excluded else await services.archive.document(source.snapshot)
        if document:
            pairs.append((source, document))
    if not pairs:
        await services.events.emit(
            EventType.STAGE_FINISHED, "No sources to analyse for bias.", stage=Stage.BIAS, marker="BIAS_SKIPPED"
        )
        return {"markers": ("BIAS_SKIPPED",)}
    await services.progress(Stage.BIAS, "Analysing the balance of the coverage")
    drafts, outages = await services.judged("bias", lambda analyst: analyst.leanings(topic, pairs), Stage.BIAS)
    result = overall_bias(drafts, {source.id: source for source, _ in pairs})
    if state.brief.mode.settings.bias_level == "overall":
        result = result.model_copy(update={"per_source": ()})
    balance = result.balance
    await services.events.emit(
        EventType.BIAS_ANALYSED,
        f"Overall bias {result.overall:.1f}/10 ({result.label}): {balance.favourable} favourable, "
        f"{balance.neutral} neutral, {balance.critical} critical",
        stage=Stage.BIAS,
        marker="PROGRESS",
        overall=result.overall,
        balance=balance.model_dump(),
        recommendation=result.recommendation,
    )
    return {"bias": result, "outages": outages}
