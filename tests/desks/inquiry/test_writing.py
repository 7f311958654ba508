"""The summary: cited, honest about what is missing, and written to be read."""

from __future__ import annotations

import pytest

from inquest.desks.inquiry.writing import claimed, summary_of, with_corrections, witnesses_counted, write_summary
from inquest.domain.claim import Claim
from inquest.domain.document import Precision
from inquest.domain.drafts import WriteMaterial
from inquest.domain.finding import Finding, Stance
from inquest.domain.plan import Mode, Plan
from inquest.domain.reasons import in_words
from inquest.domain.report import Balance, Bias, OutageNote, Statement, Summary, TimelineEvent
from inquest.domain.source import Source
from inquest.text.phrases import ended, one_stop, quoted, uncapitalised
from inquest.verdicts.weighing import assess_claim
from tests.case_parts import NOON, claim, dated, finding, source

TOPIC = "The Harlow works in Brindle: discharge of cadmium into the River Sorrel"


def material(
    claims: tuple[Claim, ...] = (), findings: tuple[Finding, ...] = (), sources: tuple[Source, ...] = (), **more: object
) -> WriteMaterial:
    by_id = {each.id: each for each in sources}
    plan = Plan(
        topic=TOPIC,
        questions=("Did people in Brindle fall ill of cadmium?",),
        queries=(),
        engines=("own",),
        mode=Mode.QUICK,
    )
    values: dict[str, object] = {
        "plan": plan,
        "as_of": NOON,
        "sources": sources,
        "claims": claims,
        "findings": findings,
        "assessments": tuple(assess_claim(each, findings, by_id) for each in claims),
    }
    return WriteMaterial.model_validate(values | more)


AGENCY = source("A", 1, domain="agency.example", category="regulator", published=dated("2024-01-18"))
COURIER = source("B", 2, domain="courier.example", published=dated("2024-01-19"))
BLOG = source("D", 4, domain="blog.example")
SPILL = claim("The works spilled 300 tonnes of brine.", "B", id="C1")
ILL = claim("Seven children from Brindle died of it.", "D", id="C2")
FINE = claim("Harlow paid a fine of 4 million euros.", "B", id="C3")
SILENT = claim("Managers burned the notebooks.", "D", id="C4")

CASE = material(
    (SPILL, ILL, FINE, SILENT),
    (
        finding("F1", "A", quote="Inspectors measured a spill of 300 tonnes of brine at outfall 3 that night."),
        finding("F2", "B"),
        finding("F3", "D", claim_id="C2", quote="Seven children from Brindle died of it."),
        finding("F4", "A", Stance.CONTRADICTS, claim_id="C3", quote="The fine that Harlow paid was 2 million euros."),
        finding("F5", "B", claim_id="C3", quote="Harlow paid a fine of 4 million euros."),
    ),
    (AGENCY, COURIER, BLOG),
    bias=Bias(overall=1.2, balance=Balance(neutral=3), reasons=("Of three sources, three report neutrally.",)),
    missing=(OutageNote(what="engine", where="duckduckgo", why="It did not answer in time.", at=NOON),),
    timeline=(
        TimelineEvent(
            date="2024-01-18",
            precision=Precision.DAY,
            text="Harlow was fined.",
            source_ids=("A", "B"),
            finding_ids=("F4", "F5"),
            conflict="agency.example says 18 January 2024; courier.example says 19 January 2024.",
        ),
    ),
)


def said(summary: Summary, heading: str) -> str:
    return " ".join(
        statement.text for section in summary.sections if section.heading == heading for statement in section.statements
    )


@pytest.mark.parametrize("depth", ["brief", "comprehensive"])
def test_every_sentence_cites_findings_or_is_about_the_work(depth: str) -> None:
    summary = write_summary(CASE, depth=depth)
    known = {each.id for each in CASE.findings}
    statements = [statement for section in summary.sections for statement in section.statements]
    assert statements
    for statement in statements:
        assert statement.about_the_work or statement.finding_ids
        assert set(statement.finding_ids) <= known
        assert len(set(statement.finding_ids)) == len(statement.finding_ids)


def test_the_parts_stand_in_their_order() -> None:
    summary = write_summary(CASE, depth="comprehensive")
    assert summary.title == TOPIC
    assert [section.heading for section in summary.sections] == [
        "Key findings",
        "Contradictions",
        "What could not be established",
        "Bias assessment",
        "Recommendations",
        "What this rests on",
    ]


def test_verdicts_contradictions_and_what_is_missing_are_said() -> None:
    findings = said(write_summary(CASE, depth="comprehensive"), "Key findings")
    assert findings.startswith("The works spilled 300 tonnes of brine. Verified by agency.example and courier.example.")
    assert "blog.example" in findings
    assert "not verified" in findings.lower()
    text = said(write_summary(CASE, depth="comprehensive"), "Contradictions")
    assert "courier.example (19 January 2024) says “Harlow paid a fine of 4 million euros”" in text
    assert "agency.example (18 January 2024) says “The fine that Harlow paid was 2 million euros”" in text
    assert "agency.example says 18 January 2024; courier.example says 19 January 2024." in text
    text = said(write_summary(CASE, depth="comprehensive"), "What could not be established")
    assert (
        "Without a language model, nothing was found that supports or contradicts “Managers burned the notebooks”"
        in text
    )
    assert "Could not be queried: duckduckgo. It did not answer in time." in text


def test_a_page_with_quotes_on_both_sides_contradicts_nobody() -> None:
    both = (finding("F1", "B", claim_id="C3"), finding("F2", "B", Stance.CONTRADICTS, claim_id="C3", quote="Unproven."))
    summary = write_summary(material((FINE,), both, (COURIER,)), depth="comprehensive")
    assert "Contradictions" not in [section.heading for section in summary.sections]


def test_only_what_was_not_searched_is_to_be_searched_again() -> None:
    page = OutageNote(what="page", where="https://a.example/1", why="Robots may not read it.", at=NOON)
    for missing, again in ((CASE.missing, True), ((page,), False)):
        summary = write_summary(CASE.model_copy(update={"missing": missing}), depth="comprehensive")
        assert ("Repeat the searches" in said(summary, "Recommendations")) is again


def test_what_was_not_checked_in_time_is_not_what_nothing_was_found_on() -> None:
    case = material((SPILL, SILENT), (finding("F1", "A"),), (AGENCY, COURIER))
    cut_off = case.assessments[1].model_copy(update={"checked": False})
    summary = write_summary(case.model_copy(update={"assessments": (case.assessments[0], cut_off)}), depth="brief")
    text = said(summary, "What could not be established")
    assert "One claim could not be checked: “" in text
    assert "Nothing was found" not in text
    executive = said(summary, "What this rests on")
    assert "One claim was checked" in executive
    assert "One more could not be checked." in executive


def test_a_case_that_checked_no_claim_or_verified_none_says_so() -> None:
    case = material((SPILL, SILENT), (), (AGENCY, COURIER))
    cut_off = tuple(each.model_copy(update={"checked": False}) for each in case.assessments)
    summary = write_summary(case.model_copy(update={"assessments": cut_off}), depth="brief")
    executive = said(summary, "In short")
    assert "Two claims could not be checked." in executive
    assert "verified" not in executive
    assert "no claim that could be checked" not in executive
    summary = write_summary(material((SILENT, ILL), (), (AGENCY, BLOG)), depth="brief")
    assert "None of the two claims checked could be verified." in said(summary, "What this rests on")


def test_an_outlet_is_named_where_its_domain_is_known_and_a_copy_never() -> None:
    known = AGENCY.model_copy(update={"publisher": "Water Agency"})
    unknown_rating = BLOG.rating.model_copy(update={"known": False})
    pretender = BLOG.model_copy(update={"publisher": "Water Agency of the Republic", "rating": unknown_rating})
    case = material((ILL,), (finding("F1", "A", claim_id="C2"), finding("F2", "D", claim_id="C2")), (known, pretender))
    text = said(write_summary(case, depth="brief"), "Key findings")
    assert "Water Agency" in text
    assert "of the Republic" not in text
    assert "blog.example" in text
    wire = source("W", 2, domain="wire.example", story="s", origin_of_story="W")
    copy = source("N", 2, domain="copy.example", story="s", origin_of_story="W")
    case = material((SPILL,), (finding("F1", "W"), finding("F2", "N"), finding("F3", "A")), (wire, copy, AGENCY))
    text = said(write_summary(case, depth="brief"), "Key findings")
    assert "copy.example" not in text
    assert "wire.example" in text


def test_the_brief_form_is_shorter() -> None:
    many = tuple(
        claim(f"The works spilled {n}00 tonnes of brine in {1990 + n}.", "B", id=f"C{n}") for n in range(1, 12)
    )
    findings = tuple(finding(f"F{n}", "A", claim_id=f"C{n}", quote=f"It spilled {n}00 tonnes.") for n in range(1, 12))
    case = material(many, findings, (AGENCY, COURIER))
    brief, full = (write_summary(case, depth=depth) for depth in ("brief", "comprehensive"))
    assert len(brief.sections[0].statements) == 6
    assert brief.sections[0].statements[-1].text == "Six further claims are in the table of verdicts."
    assert len(full.sections[0].statements) == 9


def test_nothing_found_is_said_and_nothing_is_invented() -> None:
    summary = write_summary(material(), depth="brief")
    assert said(summary, "In short") == (
        "No source that counts as evidence was found, so the topic could not be examined."
    )
    only_sources = write_summary(material(sources=(AGENCY,)), depth="brief")
    assert "one source, in tier 1" in said(only_sources, "In short")
    assert "It contains no claim" in said(only_sources, "In short")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The works closed.", "the works closed."),
        ("In May it rained.", "in May it rained."),
        ("Tessaly opened it.", "Tessaly opened it."),
    ],
)
def test_only_what_is_no_name_becomes_small(text: str, expected: str) -> None:
    assert uncapitalised(text) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ""),
        ("It closed", "It closed."),
        ("It said “no.”", "It said “no.”"),
        ("It closed …", "It closed …"),
    ],
)
def test_a_sentence_ends_once(text: str, said: str) -> None:
    assert ended(text) == said


def test_a_claim_and_a_quotation_keep_their_words_in_quotation_marks() -> None:
    assert quoted("He said: “It is so.”") == "“He said: ‘It is so’”"
    assert quoted("It goes on...") == "“It goes on...”"
    assert claimed(claim("Brackwell to pay 3.7 million euros.")) == "“Brackwell to pay 3.7 million euros”"
    assert claimed(claim("The tide came in over the causeway."), most=14) == "“The tide…”"


def test_each_source_that_is_shown_apart_has_its_own_reason_and_another_of_the_name_is_named() -> None:
    satire = COURIER.model_copy(update={"excluded": "it is satire"})
    late = AGENCY.model_copy(update={"excluded": "it was retracted"})
    namesake = AGENCY.model_copy(
        update={
            "id": "N",
            "excluded": "it is about Quorvane Bank, a namesake",
            "other_bearer": "Quorvane Bank",
        }
    )
    text = said(
        write_summary(material((SILENT,), (), (satire, late, namesake)), depth="brief"), "What could not be established"
    )
    assert "Two sources are listed but not counted: " in text
    assert ", it is satire; " in text and ", it was retracted." in text
    assert "One page about others of the same name is set aside: Quorvane Bank (" in text


def test_a_claim_and_its_contrary_are_one_dispute_to_settle() -> None:
    other = claim("The works spilled no brine.", "C", id="C2")
    third = source("C", 1, domain="office.example")
    found = [
        finding(f"F{n}", who, side, claim_id=of.id, quote=f"{who} says so.")
        for n, (of, who, side) in enumerate(
            (of, who, side)
            for of, supporting in ((SPILL, "A"), (other, "C"))
            for who in "AC"
            for side in (Stance.SUPPORTS if who == supporting else Stance.CONTRADICTS,)
        )
    ]
    text = said(
        write_summary(material((SPILL, other), tuple(found), (AGENCY, third)), depth="comprehensive"), "Recommendations"
    )
    assert text.count("both sides") == 1


def test_how_many_sources_a_summary_rests_on() -> None:
    first = [source(f"S{number}", 1) for number in range(2)]
    others = [source(f"T{number}", 3) for number in range(3)]
    assert in_words(witnesses_counted(first[:1])) == "one source, in tier 1"
    assert in_words(witnesses_counted(others[:1])) == "one source"
    assert in_words(witnesses_counted([*first, *others])) == "five independent sources, two of them in tier 1"
    copies = [each.model_copy(update={"story": "T1", "origin_of_story": "T0"}) for each in others]
    assert in_words(witnesses_counted(copies)) == "three sources (one independent)"
    assert in_words(witnesses_counted([*first, *copies])) == "five sources (three independent), two of them in tier 1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('The port said, "It closed.".', 'The port said, "It closed."'),
        ("It said “closed”.", "It said “closed”."),
        ("It trailed off...", "It trailed off..."),
    ],
)
def test_a_quotation_that_ends_in_its_own_mark_has_no_second(text: str, said: str) -> None:
    assert one_stop(text) == said


def test_a_correction_by_the_publisher_is_quoted_once_beside_the_page_that_it_corrects() -> None:
    first = source("W", 2, domain="agency.example", published=dated("2026-11-09"))
    later = source("W2", 2, domain="agency.example", published=dated("2026-11-10"))
    withdrawn = {"mode": "withdrawn"}
    against = finding("F2", "W2", Stance.CONTRADICTS, details=withdrawn, quote="Only lorries are kept out.")
    found = (finding("F1", "W", quote="The bridge is closed."), against)
    cited = Statement(text="It is closed.", finding_ids=("F1",))
    second = cited.model_copy(update={"text": "No car may pass."})
    summary = summary_of("The bridge", [("In short", [cited, second])])
    beside, again = with_corrections(summary, found, (first, later)).sections[0].statements
    assert beside.text.startswith("It is closed. Corrected later: agency.example (10 November 2026) says “Only lorries")
    assert beside.finding_ids == ("F1", "F2")
    assert again == second
    elsewhere = later.model_copy(
        update={"domain": "other.example", "rating": source("X", 2, domain="o.example").rating}
    )
    assert with_corrections(summary, found, (first, elsewhere)) == summary
    earlier = later.model_copy(update={"published": dated("2026-11-08")})
    assert with_corrections(summary, found, (first, earlier)) == summary
