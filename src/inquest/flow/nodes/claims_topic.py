"""The claims of a topic: what its title says goes first, then what sources say of it, nearest to the topic first."""

from __future__ import annotations

from inquest.domain.claim import Claim
from inquest.domain.event import Stage
from inquest.flow.nodes.claims import claims
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.logic.phrases import capitalised, count
from inquest.logic.topic_claims import on_the_topic
from inquest.logic.topic_evidence import near_first, own_article, title_claim

__all__ = ["MOST_CLAIMS", "claims_topic"]

MOST_CLAIMS = 16
"""Claims of one topic that are checked, the title among them: each is searched for, and judged in a call of its own."""


async def claims_topic(state: CaseState, services: Services) -> Delta:
    """The title as a claim of its own, and the nearest of those that the sources make of the same matter."""
    topic = state.brief.topic
    assert topic is not None
    own = own_article(topic, {source.id: source for source in state.sources})
    left: list[Claim] = []

    def choose(made: tuple[Claim, ...]) -> tuple[Claim, ...]:
        itself = title_claim(topic, made)
        others = [each for each in made if itself is None or each.text != itself.text]
        kept = near_first(on_the_topic(others, topic, own), topic)[: MOST_CLAIMS - (itself is not None)]
        left.extend(each for each in others if each not in kept)
        return (*((itself,) if itself else ()), *kept)

    delta = await claims(state, services, choose=choose)
    if left:
        beside = capitalised(count(len(left), "claim"))
        verb = "is" if len(left) == 1 else "are"
        await services.progress(Stage.CLAIMS, f"{beside} of the sources {verb} beside the topic and not checked")
    return delta
