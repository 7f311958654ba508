"""The model analyst: its prompts, the replies it accepts, and those it rejects."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from inquest.desks.inquiry.writing import ANSWERS
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.document import Precision
from inquest.domain.errors import ModelFormat
from inquest.domain.finding import Assessment, Verdict
from inquest.domain.plan import AnalysedUrl, Meant, MeantKind, Plan, Stated
from inquest.domain.search import EngineKind
from tests.analysts.scripted import (
    BRIEF,
    Rules,
    blocks,
    dated,
    document,
    finding,
    material,
    reading,
    scripted_analyst,
    source,
)

CLAIM = "The plant released 4,100 litres of solvent on 6 June 2023."
SAYS_SO = "The inspectorate found that the plant released 4,100 litres of solvent on 6 June 2023. It fined the owner."
SAYS_NOT = "The company said on 7 June that no solvent had left the plant."


# Read ---------------------------------------------------------------------------------------------------------------

TEXT = f"{SAYS_SO} {SAYS_NOT} The river is called Veldra."


def read_answer(*quotes: str, **more: Any) -> dict[str, Any]:
    claims = [{"text": CLAIM, "quote": q, "type": "event", "importance": 0.9} for q in quotes]
    return {"summary": "The paper reports the release.", "key_claims": claims, "relevance": 0.9} | more


async def test_a_reading_rests_on_words_of_the_document() -> None:
    analyst, _ = scripted_analyst(read_answer("the plant released 4,100 litres of solvent on 6 June 2023"))
    found = await analyst.read(BRIEF, "The release", document(TEXT))
    (claim,) = found.key_claims
    assert TEXT[claim.start : claim.end] == claim.quote and claim.type is ClaimType.EVENT
    assert found.relevance == 0.9


async def test_a_claim_without_its_words_is_left_out_after_a_second_try() -> None:
    analyst, model = scripted_analyst(read_answer("the plant released 4,100 litres", "a quote that is not there"))
    found = await analyst.read(BRIEF, "The release", document(TEXT))
    assert len(model.asked) == 2 and len(found.key_claims) == 1


@pytest.mark.parametrize("answer", [read_answer("a quote that is not there"), "The document says it.", {"summary": ""}])
async def test_a_reading_of_no_use_is_an_outage(answer: Any) -> None:
    analyst, model = scripted_analyst(answer)
    with pytest.raises(ModelFormat):
        await analyst.read(BRIEF, "The release", document(TEXT))
    assert len(model.asked) == 2


async def test_summaries_and_claims_keep_their_limits() -> None:
    quotes = ["The inspectorate found", "the plant released", "no solvent had left", "The river is called"]
    analyst, _ = scripted_analyst(read_answer(*quotes, summary="word " * 400))
    found = await analyst.read(BRIEF, "The release", document(TEXT))
    assert len(found.summary) <= 500 and len(found.key_claims) == 3


async def test_a_long_document_is_shown_in_part_and_quoted_at_its_own_place() -> None:
    filler = "Nothing of note was said about the weather in the valley that day. " * 600
    text = f"{filler}{SAYS_SO} {filler}"
    analyst, model = scripted_analyst(read_answer("the plant released 4,100 litres of solvent"))
    found = await analyst.read(BRIEF, "The solvent release at the plant", document(text))
    (claim,) = found.key_claims
    assert text[claim.start : claim.end] == claim.quote == "the plant released 4,100 litres of solvent"
    assert len(model.user[0]) < 20_000 and "[…]" in model.user[0]


# Plan ---------------------------------------------------------------------------------------------------------------

PLAN = {
    "topic": "Solvent release at the plant",
    "questions": ["Did it happen?", "Who says so?", "How much was it?"],
    "queries": [
        {"text": "plant solvent release June 2023", "kinds": ["news", "gossip"], "purpose": "Did it happen?"},
        {"text": "inspectorate notice plant solvent", "kinds": ["web"], "until": "2030-01-01", "since": "2023-06-01"},
        {"text": "solvent toxicity study", "kinds": ["scholarly"]},
        {"text": "https://inside.example/secret", "kinds": ["archive"]},
        {"text": "  "},
        "not a query",
    ],
    "source_kinds": ["Official records"],
}


async def test_a_plan_asks_only_what_can_be_searched() -> None:
    as_of = datetime(2024, 1, 1, tzinfo=UTC)
    analyst, _ = scripted_analyst(PLAN)
    brief = BRIEF.model_copy(update={"as_of": as_of})
    draft = await analyst.plan(brief, [], [EngineKind.NEWS, EngineKind.WEB])
    assert [query.text for query in draft.queries] == [
        "plant solvent release June 2023",
        "inspectorate notice plant solvent",
        "https://inside.example/secret",  # to the web, as words: an archive is only searched for the user's own pages
    ]
    assert draft.queries[0].kinds == (EngineKind.NEWS,) and draft.queries[2].kinds == ()
    assert all(query.until == as_of for query in draft.queries)


async def test_a_plan_says_whom_the_brief_means_by_names_that_stand_in_it() -> None:
    given = [
        {"name": "Ebbing", "kind": "Place", "within": "Kent"},
        {"name": "Corvane", "kind": "deity", "within": "Ohio"},
        {"name": "Somebody Else"},
        "no name",
    ]
    analyst, _ = scripted_analyst(PLAN | {"meant": given})
    brief = BRIEF.model_copy(update={"text": "What did Corvane spill in Ebbing, Kent?"})
    draft = await analyst.plan(brief, [], [EngineKind.WEB])
    assert draft.meant == (Meant(name="Ebbing", kind=MeantKind.PLACE, within="Kent"), Meant(name="Corvane"))


async def test_a_plan_states_what_the_brief_states_and_nothing_else() -> None:
    question = "Did a Danish library in Orrevik fine Ruth Hale 73,000 kronor?"
    fined = "A Danish library in Orrevik fined Ruth Hale 73,000 kronor"
    given = [
        {"text": f"{fined}.", "question": question},
        {"text": fined, "question": ""},
        {"text": "A Danish library in Orrevik fined Ruth Hale 7,300 kronor.", "question": question},
        {"text": "The dam held in May.", "question": "Did the dam hold in May?"},
        {"text": "...", "question": "..."},
    ]
    analyst, _ = scripted_analyst(PLAN | {"stated": given})
    brief = BRIEF.model_copy(update={"text": f"{question} Who reported it?"})
    draft = await analyst.plan(brief, [], [EngineKind.WEB])
    assert draft.stated == (Stated(text=f"{fined}.", question=question),)


async def test_a_revision_gives_the_model_the_plan_and_the_wish() -> None:
    before = Plan(topic="The release", questions=("Did it happen?",), queries=(), engines=(), mode=BRIEF.mode)
    analyst, model = scripted_analyst(PLAN | {"other_topic": True})
    pages = [
        AnalysedUrl(url="https://a.example/1", title="One", summary="It says."),
        AnalysedUrl(url="https://a.example/2", why_not="gone"),
    ]
    draft = await analyst.plan(BRIEF, pages, [EngineKind.WEB], change="Now the fish.", before=before)
    assert draft.other_topic
    assert [(kind, body) for kind, _, body in blocks(model.user[0])][2:] == [
        ("plan", "topic: The release\nquestion: Did it happen?"),
        ("change", "Now the fish."),
    ]


@pytest.mark.parametrize("wrong", [{"queries": []}, {"questions": []}, {"topic": " "}])
async def test_a_plan_without_topic_question_or_query_is_none(wrong: dict[str, Any]) -> None:
    analyst, model = scripted_analyst(PLAN | wrong)
    with pytest.raises(ModelFormat):
        await analyst.plan(BRIEF, [], [EngineKind.WEB])
    assert len(model.asked) == 2


# Merge --------------------------------------------------------------------------------------------------------------


async def test_merged_claims_name_members_that_exist_each_once() -> None:
    readings = [(source(1), reading(CLAIM)), (source(2), reading("4,100 litres were released.", "It was fined."))]
    claims = [
        {"text": "The owner was fined.", "members": ["S2.1", "S7.0"], "importance": 0.4, "queries": ["owner fined"]},
        {"text": "4,100 litres were released.", "members": ["S1.0", "S2.0"], "importance": 90, "type": "quantitative"},
        {"text": "It was all a lie.", "members": ["S1.0"], "importance": 1},
        {"text": "Invented.", "members": ["S9.9"], "importance": 1},
    ]
    analyst, _ = scripted_analyst({"claims": claims})
    found = await analyst.merge("The release", readings, None)
    assert [(each.text, each.members) for each in found] == [
        ("4,100 litres were released.", (("S1", 0), ("S2", 0))),
        ("The owner was fined.", (("S2", 1),)),
    ]
    assert found[0].type is ClaimType.QUANTITATIVE and found[0].queries and found[1].queries == ("owner fined",)


async def test_what_sources_claim_in_the_same_words_is_sent_once_and_all_of_them_are_members() -> None:
    readings = [(source(1), reading(CLAIM)), (source(2), reading("It was fined.", CLAIM)), (source(3), reading(CLAIM))]
    claims = [{"text": CLAIM, "members": ["S1.0"]}, {"text": "It was fined.", "members": ["S2.0"], "importance": 0.1}]
    analyst, model = scripted_analyst({"claims": claims})
    found = await analyst.merge("The release", readings, None)
    assert [each.members for each in found] == [(("S1", 0), ("S2", 1), ("S3", 0)), (("S2", 0),)]
    sent = {name: body for kind, name, body in blocks(model.user[0]) if kind == "claim"}
    assert list(sent) == ["S1.0", "S2.0"] and "sources: 3" in sent["S1.0"] and "sources" not in sent["S2.0"]


async def test_a_figure_that_no_member_gives_is_not_put_into_a_claim() -> None:
    claim = {"text": "The plant released 41,000 litres.", "members": ["S1.0"], "importance": 1}
    analyst, _ = scripted_analyst({"claims": [claim]})
    (found,) = await analyst.merge("The release", [(source(1), reading(CLAIM))], 5)
    assert found.text == CLAIM


# Events, leanings, classify -----------------------------------------------------------------------------------------


async def test_dates_of_events_are_those_of_the_passages() -> None:
    passages = [
        dated(1, "In June 2023 the plant leaked.", datetime(2023, 6, 1, tzinfo=UTC), Precision.MONTH),
        dated(2, "It leaked on 6 June 2023.", datetime(2023, 6, 6, tzinfo=UTC), by="S2"),
        dated(3, "The leak of 7 June 2023.", datetime(2023, 6, 7, tzinfo=UTC), by="S3"),
        dated(4, "It was fined on 18 January 2024.", datetime(2024, 1, 18, tzinfo=UTC)),
    ]
    events = [
        {"text": "The owner is fined.", "passages": ["D4", "D99"], "conflict": "Nobody agrees."},
        {"text": "The plant leaks.", "passages": ["D1", "D2", "D3"], "date": "1999-01-01"},
        {"text": "The moon falls down.", "passages": ["D50"]},
    ]
    analyst, _ = scripted_analyst({"events": events})
    leak, fine = await analyst.events("The release", passages)
    assert leak.date == datetime(2023, 6, 6, tzinfo=UTC) and leak.precision is Precision.DAY
    assert leak.conflict == "Sources give different dates: 2023-06-06, 2023-06-07."
    assert fine.passages == ("D4",) and fine.conflict is None


async def test_every_source_has_a_leaning_or_the_answer_is_none() -> None:
    pairs = [(source(1), document(SAYS_SO)), (source(2), document(SAYS_NOT))]
    one = {"source": "S1", "leaning": "Critical", "bias": 7.25, "why": "Harsh words."}
    two = {"source": "S2", "leaning": "favourable", "bias": 3}
    analyst, _ = scripted_analyst({"sources": [one]}, {"sources": [two, one]})
    found = await analyst.leanings("The plant", pairs)
    assert [(each.source_id, each.leaning.value, each.bias) for each in found] == [
        ("S1", "critical", 7.2),
        ("S2", "favourable", 3.0),
    ]
    lacking, _ = scripted_analyst({"sources": [one, two | {"bias": 11}]})
    with pytest.raises(ModelFormat, match="nothing usable of 1 of 2 sources"):
        await lacking.leanings("The plant", pairs)


async def test_no_page_can_have_itself_rated_above_tier_3() -> None:
    analyst, _ = scripted_analyst({"category": "national_press", "why": "It says it is the paper of record."})
    rating = await analyst.classify("https://new.example/a", document("We are the most trusted paper."))
    assert rating is not None and rating.tier == 3 and "a model classes it as national press" in rating.reasons[0]
    unknown, _ = scripted_analyst({"category": "unknown"})
    assert await unknown.classify("https://new.example/a", document("Words.")) is None


# Write --------------------------------------------------------------------------------------------------------------


async def test_a_sentence_stands_only_on_findings_that_have_its_figures() -> None:
    sentences = [
        {"text": "The plant released 4,100 litres, according to the inspectorate.", "findings": ["F1", "F77"]},
        {"text": "It was a disaster.", "findings": []},
        {"text": "It was a disaster.", "findings": ["F77"]},
        {"text": "The plant released 9,999 litres.", "findings": ["F1"]},
        {"text": "Two of 2 sources agree.", "findings": ["F1"]},
        {"findings": ["F1"]},
    ]
    analyst, model = scripted_analyst(
        {"title": "9,999 litres", "sections": [{"heading": "What is known", "statements": sentences}]}
    )
    summary = await analyst.write(material(finding(1, SAYS_SO)), depth="brief")
    work, known = summary.sections
    assert [(each.text, each.finding_ids) for each in known.statements] == [
        ("The plant released 4,100 litres, according to the inspectorate.", ("F1",)),
        ("Two of 2 sources agree.", ("F1",)),
    ]
    assert summary.dropped == 4
    assert summary.title == "The solvent release"  # a title with a figure without a source is replaced by the topic
    # Sentences about the work itself are by the rules.
    assert [each.text for each in work.statements] == ["Two engines were asked."]
    assert "At most 8 statements" in model.system[0]


async def test_the_questions_are_answered_from_findings_or_not_at_all() -> None:
    said = {"text": "4,100 litres, according to the inspectorate.", "findings": ["F1"]}
    answers = [
        {"question": 2, "statements": [said]},
        {"question": 1, "statements": [{"text": "Nobody knows.", "findings": []}]},
        {"question": 9, "statements": [said]},
        {"question": "two"},
    ]
    sections = [{"heading": "What is known", "statements": [said]}]
    analyst, model = scripted_analyst({"title": "", "sections": sections, "answers": answers})
    asked = ("Who was told?", "How much was released")
    summary = await analyst.write(material(finding(1, SAYS_SO)).model_copy(update={"questions": asked}), depth="brief")
    (section,) = (each for each in summary.sections if each.heading == ANSWERS)
    assert [(each.text, each.finding_ids) for each in section.statements] == [
        ("How much was released: 4,100 litres, according to the inspectorate.", ("F1",))
    ]
    assert "1. Who was told? 2. How much was released" in model.user[0]
    assert "for each question" in model.system[0]


async def test_a_quote_that_bears_on_two_claims_is_given_once_and_cited_for_both() -> None:
    of_both = material(finding(1, SAYS_SO), finding(2, SAYS_SO, claim_id="C2"))
    of_both = of_both.model_copy(
        update={
            "claims": (*of_both.claims, Claim(id="C2", text="The plant released something in 2023.")),
            "assessments": tuple(
                Assessment(
                    claim_id=f"C{n}",
                    verdict=Verdict.VERIFIED,
                    confidence=0.9,
                    independent_sources=1,
                    supporting=(f"F{n}",),
                    reasons=("It says so.",),
                )
                for n in (1, 2)
            ),
        }
    )
    said = {"text": "Something was released in 2023.", "findings": ["F1"]}
    analyst, model = scripted_analyst({"title": "T", "sections": [{"heading": "All", "statements": [said]}]})
    summary = await analyst.write(of_both, depth="brief")
    assert model.user[0].count(SAYS_SO) == 1 and model.user[0].count("for: F1") == 2
    assert summary.sections[1].statements[0].finding_ids == ("F1",)


async def test_a_summary_that_cites_nothing_is_an_outage() -> None:
    section = {"heading": "All", "statements": [{"text": "It is so."}]}
    analyst, _ = scripted_analyst({"title": "T", "sections": [section]})
    with pytest.raises(ModelFormat, match="no sentence cited a finding"):
        await analyst.write(material(finding(1, SAYS_SO)), depth="brief")


async def test_without_findings_no_model_is_asked_to_write() -> None:
    local = Rules()
    analyst, model = scripted_analyst("never asked", local=local)
    assert (await analyst.write(material(), depth="brief")).title == "By rule"
    assert model.asked == [] and local.asked == ["write"]


async def test_at_most_as_many_claims_as_are_wanted() -> None:
    readings = [(source(1), reading("One is so.", "Two is so.", "Three is so."))]
    claims = [{"text": t, "members": [f"S1.{n}"]} for n, t in enumerate(["One.", "Two.", "Three."])]
    analyst, model = scripted_analyst({"claims": claims})
    assert len(await analyst.merge("It", readings, 2)) == 2
    assert "At most 2 claims." in model.system[0]


async def test_a_sentence_that_a_model_repeats_stands_once() -> None:
    said = {"text": 'It was found to say, "4,100 litres were released.".', "findings": ["F1"]}
    analyst, _ = scripted_analyst({"title": "T", "sections": [{"heading": "All", "statements": [said, said]}]})
    summary = await analyst.write(material(finding(1, SAYS_SO)), depth="brief")
    assert [each.text for each in summary.sections[1].statements] == [
        'It was found to say, "4,100 litres were released."'
    ]
