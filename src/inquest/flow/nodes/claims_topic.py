"""The claims of a topic: what its title says goes first, then what sources say of it, nearest to the topic first."""

from __future__ import annotations

from inquest.desks.verification.topic_claims import claims_to_check, own_article
from inquest.domain.claim import Claim
from inquest.domain.event import Stage
from inquest.flow.nodes.claims import claims
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.text.phrases import capitalised, count


async def claims_topic(state: CaseState, services: Services) -> Delta:
    """The title as a claim of its own, and the nearest of those that the sources make of the same matter."""
    topic = state.brief.topic
    assert topic is not None
    own = own_article(topic, {source.id: source for source in state.sources})
    left: list[Claim] = []

    def choose(made: tuple[Claim, ...]) -> tuple[Claim, ...]:
        chosen = claims_to_check(made, topic, own)
        kept = {each.text for each in chosen}
        left.extend(each for each in made if each.text not in kept)
        return chosen

    delta = await claims(state, services, choose=choose)
    if left:
        beside = capitalised(count(len(left), "claim"))
        verb = "is" if len(left) == 1 else "are"
        await services.progress(Stage.CLAIMS, f"{beside} of the sources {verb} beside the topic and not checked")
    return delta
