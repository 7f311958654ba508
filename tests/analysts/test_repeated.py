"""Passages contained in one another: sent to a model once, each judged by its own words."""

from __future__ import annotations

from inquest.domain.finding import Stance
from tests.analysts.scripted import blocks, passage, scripted_analyst
from tests.analysts.test_model_analyst import CLAIM, SAYS_SO
from tests.analysts.test_model_assess import judged, judgements

QUOTE = "the plant released 4,100 litres"


async def test_a_copy_is_judged_with_what_it_copies_at_its_own_place() -> None:
    copy = "\n\n".join(("It rained in June.", SAYS_SO))
    analyst, model = scripted_analyst(judgements(judged("P2", "supports", QUOTE)))
    found = await analyst.assess(CLAIM, [passage(1, SAYS_SO), passage(2, copy)])
    assert [name for kind, name, _ in blocks(model.user[0]) if kind == "passage"] == ["P2"] and len(model.asked) == 1
    assert [(each.passage_id, each.stance) for each in found] == [("P1", Stance.SUPPORTS), ("P2", Stance.SUPPORTS)]
    assert [text[each.start : each.end] for text, each in zip((SAYS_SO, copy), found, strict=True)] == [QUOTE, QUOTE]


async def test_a_copy_without_the_words_that_decide_is_judged_alone() -> None:
    rest = (
        "It rained in June, and a choir of the town sang at the church. Nobody was hurt in the hall of the old market."
    )
    analyst, model = scripted_analyst(judgements(judged("P2", "supports", QUOTE)), judgements(judged("P1", "neutral")))
    found = await analyst.assess(CLAIM, [passage(1, rest), passage(2, f"{rest} {SAYS_SO}")])
    assert [each.stance for each in found] == [Stance.NEUTRAL, Stance.SUPPORTS] and len(model.asked) == 2


async def test_where_the_one_could_not_be_judged_its_copies_are() -> None:
    invented = judgements(judged("P1", "supports", "the plant released a great deal"))
    analyst, model = scripted_analyst(invented, invented, judgements(judged("P2", "supports", QUOTE)))
    found = await analyst.assess(CLAIM, [passage(1, SAYS_SO), passage(2, SAYS_SO)])
    assert [each.stance for each in found] == [Stance.UNASSESSED, Stance.SUPPORTS] and len(model.asked) == 3
