"""The assertions of a brief are checked first, and its questions are answered or reported as unanswered."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from inquest.claims.merging import merge_claims
from inquest.desks.inquiry.answers import answer_section, answers_to, with_nearest
from inquest.desks.inquiry.brief_claims import asked, asserted, brief_reading, with_brief, with_brief_claims
from inquest.domain.claim import Claim
from inquest.domain.document import Block, BlockKind, Document, Precision, Published
from inquest.domain.drafts import KeyClaim, PlanDraft, SourceReading
from inquest.domain.finding import Assessment, Verdict
from inquest.domain.plan import Stated
from inquest.domain.reasons import as_written
from inquest.domain.search import Query
from inquest.domain.source import Source
from tests.case_parts import finding, source

BRIEF = (
    "Northmere Water says that it cut leaks by 30 percent in 2024 and that its works in Odell meet every limit. "
    "How much did the works cost, and when were they opened? Is it true that the chairman resigned in May 2025?"
)


def test_reported_statements_are_taken_apart_and_name_their_subject() -> None:
    assert tuple(asserted(BRIEF)) == (
        "The chairman resigned in May 2025.",
        "Northmere Water cut leaks by 30 percent in 2024.",
        "Northmere Water's works in Odell meet every limit.",
    )


def test_a_planned_statement_answers_a_question_after_a_colon_and_stays_in_the_plan() -> None:
    brief = "The trial of the surgeon Ada Holt: was she convicted of fraud in the clinic's fund, and has she appealed?"
    planned = [
        "Is it true that the surgeon Ada Holt of Odell was convicted of fraud?",
        "Is it true that Ada Holt took money from the clinic's fund?",
    ]
    convicted, _ = asked(brief)
    stated = asserted(brief, planned)
    assert [*stated.values()] == [convicted, ""]
    plan = with_brief(PlanDraft(topic=brief, questions=tuple(planned), queries=(), source_kinds=()), brief)
    assert asserted(brief, plan.questions) == stated


def test_what_a_clause_says_of_somebody_named_in_it_is_not_the_subjects() -> None:
    brief = "Northmere Water Services runs nine works. It is claimed that Northmere opened its school in June 2025."
    assert "Northmere opened its school in June 2025." in asserted(brief)
    planned = "Is it true that northmere sold its pool in 2024?"
    assert "Northmere sold its pool in 2024." in asserted(brief, (planned,))


def test_an_adjective_is_no_owner() -> None:
    brief = "A Swedish library fined a reader. It is said that its fines trebled to 90 kronor in 2025."
    assert not any("Swedish's" in each for each in asserted(brief))


def test_each_question_stands_by_itself_and_what_the_user_wants_to_know_is_one() -> None:
    assert asked(BRIEF) == ("How much did the works cost?", "When were they opened?")
    colon = "The Odell works of Northmere: what did they cost, and who built them?"
    assert asked(colon) == (
        "The Odell works of Northmere: what did they cost?",
        "The Odell works of Northmere: who built them?",
    )
    brief = (
        "I want to know how far it exceeded the permit, and who knew of it. How much did it pay: the fine, the plant?"
    )
    assert asked(brief) == (
        "How far it exceeded the permit",
        "Who knew of it",
        "How much did it pay: the fine, the plant?",
    )


def test_a_brief_of_one_word_or_in_another_script_asserts_and_asks_nothing_that_it_does_not_say() -> None:
    for brief in ("Northmere", "", "水道の漏水について調べてください。"):
        assert tuple(asserted(brief)) == () and asked(brief) == ()


def test_what_a_model_reads_in_a_brief_takes_the_place_of_the_rules() -> None:
    brief = "Northmere Water cut its leaks. Did the Odell works close in May? Who paid?"
    read = (
        Stated(text="Northmere Water cut its leaks."),
        Stated(text="The Odell works closed in May.", question="Did the works at Odell close in May?"),
    )
    statements = {read[1].text: "Did the Odell works close in May?", read[0].text: ""}
    assert asserted(brief, (), read) == statements and list(asserted(brief, (), read)) == list(statements)
    draft = PlanDraft(topic="t", questions=("Who disagrees?",), queries=(), source_kinds=(), stated=read)
    assert with_brief(draft, brief).questions[:2] == (
        "Is it true that Northmere Water cut its leaks?",
        "Did the Odell works close in May?",
    )


def test_each_question_of_a_brief_in_another_language_stands_alone() -> None:
    brief = "El museo de Odell y su cuadro. ¿Quién ha ordenado devolverlo? ¿Cuánto vale? ¿Por qué se fue la directora?"
    assert asked(brief) == ("¿Quién ha ordenado devolverlo?", "¿Cuánto vale?", "¿Por qué se fue la directora?")


def test_a_denial_does_not_answer_what_is_asked_without_one() -> None:
    brief, denial = "The night ban: was any driver ever fined?", "No driver was ever fined under the night ban."
    question = "The night ban: was any driver ever fined?"
    assert asserted(brief, (), (Stated(text=denial, question=question),)) == {denial: ""}
    assert set(asserted(brief, (f"Is it true that {denial[:1].lower()}{denial[1:-1]}?",)).values()) == {""}
    fined = Stated(text="A driver was fined.", question=question)
    assert asserted(brief, (), (fined,)) == {fined.text: question}


def test_the_plan_shows_what_the_brief_asserts_and_asks_before_anything_else() -> None:
    draft = PlanDraft(topic="t", questions=("Who disagrees?",), queries=(Query(text="q"),), source_kinds=())
    plan = with_brief(draft, BRIEF)
    assert plan.questions[1].startswith("Is it true that Northmere Water cut leaks")
    assert [each.purpose for each in plan.queries[1:]] == [*asserted(BRIEF), *asked(BRIEF)]


def test_the_briefs_own_claims_come_first_and_keep_who_else_says_them() -> None:
    own = list(asserted(BRIEF))[1:]
    stated = (("Rates rise in June.", "S1"), ("Northmere Water cut leaks by 30 percent in 2024.", "S2"))
    readings = [
        (source(name), SourceReading(summary="", key_claims=(KeyClaim(text=text, quote="q", start=0, end=1),)))
        for text, name in stated
    ]
    merged = merge_claims("Northmere Water", [brief_reading(own, datetime(2026, 1, 1, tzinfo=UTC)), *readings], None)
    drafts = with_brief_claims(own, merged, 1)
    assert [draft.text for draft in drafts] == [*own, "Rates rise in June."]
    assert [draft.members for draft in drafts] == [(("S2", 0),), (), (("S1", 0),)]
    apart = with_brief_claims(own, [merged[0].model_copy(update={"members": (("brief", 0), ("brief", 1))})], None)
    assert [draft.text for draft in apart] == own


def _source(name: str) -> Source:
    return source(name, domain=f"{name}.example")


def test_an_answer_is_a_sentence_that_has_what_was_asked_for_and_the_rest_is_said_to_be_open() -> None:
    text = "The works at Odell were opened by the mayor. The works were opened on 3 May 2021. Nobody was hurt."
    document = Document(snapshot="sha256:A", url="https://a.example/a", title="t", text=text, kind="html")
    answers = answers_to(("When were the works opened?", "How much did the dam cost?"), [(_source("A"), document)])
    assert [each.quote for each in answers[0].findings] == ["The works were opened on 3 May 2021."]
    finding = answers[0].findings[0]
    assert text[finding.start : finding.end] == finding.quote
    section = answer_section(answers, [_source("A")], as_written("brave did not answer"))
    assert section is not None and "Not answered" in section.statements[1].text
    assert "brave did not answer" in section.statements[1].text


def test_a_sentence_with_another_figure_than_a_verified_claim_answers_nothing() -> None:
    text = "A wall of water tore through the valley before dawn, and at least 19 people had died. Nobody slept."
    document = Document(snapshot="sha256:A", url="https://a.example/a", title="t", text=text, kind="html")
    pages = [(_source("A"), document)]
    claim = Claim(id="C1", text="Fifty-two people lost their lives when the lake burst.")
    verified = Assessment(
        claim_id="C1", verdict=Verdict.VERIFIED, confidence=0.9, independent_sources=2, supporting=("F1",), reasons=()
    )
    (alone,) = answers_to(("How many people died?",), pages)
    assert [each.quote for each in alone.findings]
    (beside,) = answers_to(("How many people died?",), pages, [(claim, verified)])
    assert not beside.answered


def test_an_answer_from_a_release_names_the_company_that_issued_it() -> None:
    text = "The works were opened on 3 May 2021."
    document = Document(snapshot="sha256:A", url="https://a.example/a", title="t", text=text, kind="html")
    wire = source("A", 3, domain="wire.example", category="press_release", press_release=True, author="Northmere Water")
    section = answer_section(answers_to(("When were the works opened?",), [(wire, document)]), [wire])
    assert section is not None and "Northmere Water, wire.example: “The works were" in section.statements[0].text


def _verdict(claim: Claim) -> tuple[Claim, Assessment]:
    found = Assessment(
        claim_id=claim.id,
        verdict=Verdict.VERIFIED,
        confidence=0.9,
        supporting=("F1",),
        independent_sources=1,
        reasons=(),
    )
    return claim, found


def test_the_claim_that_states_what_is_asked_answers_with_its_verdict() -> None:
    verdicts = [
        _verdict(Claim(id="C1", text="The Odell dam cost 1.2 billion euros.")),
        _verdict(Claim(id="C2", text="The Odell dam was late by two years.")),
        _verdict(Claim(id="C3", text="The dam at Odell is beautiful.")),
    ]
    asked = ("What did the Odell dam cost?", "Was it late?", "Was it safe?", "Who built the Odell dam?")
    answers = answers_to(asked, [], verdicts)
    assert [each.verdict[0].id if each.verdict else None for each in answers] == ["C1", "C2", None, None]


def test_an_unanswered_question_is_followed_by_the_closest_verdicts() -> None:
    told = _verdict(Claim(id="C1", text="The keeper was warned two days before the flood."))
    open_ = _verdict(Claim(id="C2", text="The mayor was warned."))
    verdicts = [
        told,
        (open_[0], open_[1].model_copy(update={"verdict": Verdict.UNVERIFIED})),
        _verdict(Claim(id="C3", text="The Odell dam is 40 metres high.")),
    ]
    answers = answers_to(("Who knew of the danger?", "How high is the Odell dam?"), [], verdicts)
    near = {"The keeper was warned two days before the flood.": 0.6, "The Odell dam is 40 metres high.": 0.1}
    found = with_nearest(answers, verdicts, lambda _, texts: [near[each] for each in texts])
    assert [[claim.id for claim, _ in each.near] for each in found] == [["C1"], []]
    section = answer_section(found, [_source("A")])
    assert section is not None
    assert section.statements[0].text.endswith("“The keeper was warned two days before the flood” is verified.")
    assert section.statements[0].finding_ids == told[1].supporting[:1]
    assert with_nearest(answers, verdicts, None) == answers
    others = answers_to(("Who knew of the danger?", "Why did the Odell dam burst?"), [], verdicts)
    scores = {"Who knew of the danger?": 0.6, "Why did the Odell dam burst?": 0.3}
    found = with_nearest(others, verdicts, lambda asked, texts: [scores[asked] for _ in texts])
    assert [len(each.near) for each in found] == [2, 0]


def test_a_claim_in_other_words_and_one_left_open_answer_too_and_what_contradicts_is_quoted() -> None:
    caught = _verdict(Claim(id="C1", text="Eleven guests of the Odell inn contracted typhoid."))
    repaid = _verdict(Claim(id="C2", text="Northmere agreed to repay 61 million pounds to the council."))
    opened = _verdict(Claim(id="C3", text="Northmere opened its training school in June 2025."))
    verdicts = [
        caught,
        (repaid[0], repaid[1].model_copy(update={"verdict": Verdict.CONTRADICTED, "contradicting": ("F9",)})),
        (opened[0], opened[1].model_copy(update={"verdict": Verdict.UNVERIFIED})),
    ]
    questions = (
        "How many guests caught typhoid?",
        "How large was the repayment to the council?",
        "When did the training school open?",
    )
    answers = answers_to(questions, [], verdicts)
    assert [each.verdict[0].id if each.verdict else None for each in answers] == ["C1", "C2", "C3"]
    against = finding("F9", "A", quote="It will pay back 27.5 million pounds.")
    section = answer_section(answers, [_source("A")], None, [against])
    assert section is not None
    said = [each.text for each in section.statements]
    assert said[0].endswith("contracted typhoid” is verified.")
    assert said[1].endswith("is contradicted. A.example: “It will pay back 27.5 million pounds”.")
    assert said[2].endswith("in June 2025” is not verified.")
    assert "F9" in section.statements[1].finding_ids


def test_a_disputed_claim_is_answered_with_both_sides() -> None:
    claim, found = _verdict(Claim(id="C1", text="The Odell dam cost 1.2 billion euros."))
    disputed = found.model_copy(update={"verdict": Verdict.DISPUTED, "contradicting": ("F2",)})
    findings = [finding("F1", "A", quote="It cost 1.2 billion."), finding("F2", "A", quote="It cost 2 billion.")]
    answers = answers_to(("What did the Odell dam cost?",), [], [(claim, disputed)])
    section = answer_section(answers, [_source("A")], None, findings)
    assert section is not None
    told = "is disputed. A.example: “It cost 1.2 billion”. A.example: “It cost 2 billion”."
    assert section.statements[0].text.endswith(told)


def test_what_supports_a_contradicted_claim_answers_nothing() -> None:
    text = "The school opened in June 2025."
    document = Document(snapshot="sha256:A", url="https://a.example/a", title="t", text=text, kind="html")
    claim, found = _verdict(Claim(id="C1", text="Northmere trained its first nurses in June 2025."))
    refuted = found.model_copy(update={"verdict": Verdict.CONTRADICTED})
    said = [finding("F1", "A", quote=text)]
    for findings, answered in (([], True), (said, False)):
        pages = [(_source("A"), document)]
        (answer,) = answers_to(("When did the school open?",), pages, [(claim, refuted)], findings=findings)
        assert bool(answer.findings) is answered


@pytest.mark.parametrize(
    ("question", "sentence", "answers"),
    [
        ("How many pupils caught typhoid?", "Cases of typhoid among pupils fell by 40 percent.", False),
        ("How many pupils caught typhoid?", "Eleven pupils at Odell contracted typhoid.", True),
        ("How many pupils were on board?", "The notice puts the number of pupils on board at 27.", True),
        ("How long was the harbour closed?", "The harbour was closed for eleven days.", True),
        ("How long was the harbour closed?", "The harbour was closed by four officers.", False),
        ("How many litres of acid were spilled?", "About 1,900 litres of acid were spilled.", True),
        ("How many litres of acid were spilled?", "Acid was spilled in 1,900 places.", False),
        ("When did the permit expire?", "On 18 January 2024 it paid for discharges above the permitted level.", False),
        ("When did the permit expire?", "The permit expired on 3 May 2023.", True),
        ("How high was the fine?", "2 Fine", False),
        ("Did pupils fall ill because of it?", "The mayor called for a fund for all who fell ill.", False),
        ("Did pupils fall ill because of it?", "Eleven pupils at Odell fell ill.", True),
    ],
)
def test_a_figure_answers_only_what_it_counts_or_measures(question: str, sentence: str, answers: bool) -> None:
    document = Document(snapshot="sha256:A", url="https://a.example/a", title="t", text=sentence, kind="text")
    (answer,) = answers_to((question,), [(_source("A"), document)])
    assert [each.quote for each in answer.findings] == [sentence] * answers


def test_what_holds_or_happened_is_answered_by_no_claim_on_something_else() -> None:
    own = Claim(id="C1", text="The Odell dam was late.")
    other = Claim(id="C2", text="The Odell brewery was founded in 1994.", importance=1.0)
    refuted = (own, _verdict(own)[1].model_copy(update={"verdict": Verdict.CONTRADICTED}))
    answers = answers_to(("What holds?",), [], [_verdict(other), refuted], [own.text])
    section = answer_section(answers, [])
    assert section is not None
    assert section.statements[0].text == "What holds? Contradicted: “The Odell dam was late”."
    hearing = _verdict(Claim(id="C1", text="The commissioner has called a hearing in Cambridge."))
    same = _verdict(Claim(id="C2", text="The school bus on the Odell causeway was caught by the tide."))
    question = "What happened to the school bus on the Odell causeway?"
    assert [each.verdict for each in answers_to((question,), [], [hearing])] == [None]
    assert [each.verdict for each in answers_to((question,), [], [hearing, same])] == [same]


def test_a_correction_note_and_a_list_mark_are_no_part_of_an_answer() -> None:
    note = "Correction: an earlier version gave the number of pupils on board as 72."
    text = f"{note}\n\n- The number of pupils on board was 27."
    blocks = (
        Block(kind=BlockKind.UPDATE_NOTE, start=0, end=len(note)),
        Block(kind=BlockKind.LIST, start=len(note) + 2, end=len(text)),
    )
    document = Document(
        snapshot="sha256:A", url="https://a.example/a", title="t", text=text, kind="html", blocks=blocks
    )
    (answer,) = answers_to(("How many pupils were on board?",), [(_source("A"), document)])
    assert [each.quote for each in answer.findings] == ["The number of pupils on board was 27."]
    assert text[answer.findings[0].start : answer.findings[0].end] == answer.findings[0].quote


def test_an_answer_may_name_its_day_or_matter_elsewhere_but_shares_more_than_one_word() -> None:
    text = "The school for the training of nurses opened its doors last June."
    document = Document(snapshot="sha256:A", url="https://a.example/a", title="t", text=text, kind="html")
    written = Published(at=datetime(2026, 2, 3, tzinfo=UTC), precision=Precision.DAY)
    dated = _source("A").model_copy(update={"published": written})
    (answer,) = answers_to(("When did the training school open?",), [(dated, document)])
    assert [each.quote for each in answer.findings] == [text]
    (undated,) = answers_to(("When did the training school open?",), [(_source("A"), document)])
    assert undated.findings == ()
    text = "The Odell dam was opened in May. Final cost came to 14 million kroner. Nothing else was said."
    document = Document(snapshot="sha256:A", url="https://a.example/a", title="Odell", text=text, kind="text")
    (answer,) = answers_to(("What did Odell cost?",), [(_source("A"), document)])
    assert [each.quote for each in answer.findings] == ["Final cost came to 14 million kroner."]
    text = "Labels have to be washed off the paper, said Carla Mott. The paper is owned by Ines Ferreira since May."
    document = Document(snapshot="sha256:A", url="https://a.example/a", title="Glue", text=text, kind="text")
    (answer,) = answers_to(("Who owns the paper?",), [(_source("A"), document)])
    assert [each.quote for each in answer.findings] == ["The paper is owned by Ines Ferreira since May."]
    (other,) = answers_to(("Who prints the paper?",), [(_source("A"), document)])
    assert other.findings == ()


def test_a_heading_is_no_part_of_the_first_sentence_and_what_is_said_in_the_present_is_asserted() -> None:
    brief = "Northmere Water and its works\n\nNorthmere Water runs works in eleven towns. What holds?"
    assert tuple(asserted(brief)) == ("Northmere Water runs works in eleven towns.",)
    assert asked(brief) == ("What holds?",)
    plan = with_brief(PlanDraft(topic="t", questions=(), queries=(Query(text="q"),), source_kinds=()), brief)
    assert not any("holds" in query.text for query in plan.queries)


def test_a_yes_no_question_is_a_claim_unless_its_statement_is_unclear() -> None:
    brief = "The lake is in Odell County. {}"
    clear, unclear = "Did the county carry the costs?", "Was it closed or sold?"
    assert next(iter(asserted(brief.format(clear)).items())) == ("The county carried the costs.", clear)
    assert asserted(brief.format(unclear)) == {"The lake is in Odell County.": ""}
