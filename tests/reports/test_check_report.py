"""The report of a check of claims: the content, the same in all formats, and text that is never shown as evidence."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from lxml import html as lxml_html

from inquest.domain.check import CheckRequest
from inquest.domain.document import DateEvidence
from inquest.domain.event import ClaimDecision, DecisionKind
from inquest.domain.finding import Finding, PartVerdict, Verdict, VerdictDecision
from inquest.domain.plan import UnaskedEngine
from inquest.reports import check_parts, claim_entries, wording
from inquest.reports.claim_entries import has_entry
from inquest.reports.html import html
from inquest.reports.markdown import markdown
from inquest.reports.parts import Block, Line, Part
from inquest.reports.view import Checked, ReportView
from tests.reports.check_cases import LONG, RTL, company_report
from tests.reports.odd_check_cases import hostile_check, only_outages, without_claims

VIEW = company_report()
BY_ID = {checked.claim.id: checked for checked in VIEW.claims}
FORMS = {"markdown": markdown, "html": html}
each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())


def plain(lines: tuple[Line, ...]) -> list[str]:
    """The text of lines and of the lines under them."""
    return [words for each in lines for words in ("".join(p.text for p in each.parts), *plain(each.below))]


def cells(part: Part, table: int = 0) -> list[list[str]]:
    return [[" / ".join(plain(cell)) for cell in row] for row in part.tables[table].rows]


def block(claim_id: str, heading: str) -> list[str]:
    found = {each.heading: each for each in claim_entries.blocks(VIEW, BY_ID[claim_id])}
    return plain(found[heading].lines) if heading in found else []


def shown(text: str) -> str:
    """The text of a format, without its markup."""
    tree = lxml_html.document_fromstring(text) if text.startswith("<!doctype") else None
    words = "".join(str(each) for each in tree.itertext()) if tree is not None else text.replace("\\", "")
    return " ".join(words.split())


def test_claims_stand_by_verdict_with_what_needs_a_readers_eye_first() -> None:
    assert [(verdict, [c.claim.id for c in claims]) for verdict, claims in VIEW.groups] == [
        (Verdict.CONTRADICTED, ["C1"]),
        (Verdict.DISPUTED, ["C2"]),
        (Verdict.PARTIALLY_TRUE, ["C4"]),
        (Verdict.UNVERIFIED, ["C5"]),
        (Verdict.VERIFIED, ["C3", "C6"]),
    ]


def test_a_partys_own_statement_decides_only_if_there_is_no_other() -> None:
    (witness,) = BY_ID["C3"].supporting[:1]
    rating = witness.source.rating.model_copy(update={"press_release": True})
    own = dataclasses.replace(
        witness, source=witness.source.model_copy(update={"rating": rating, "domain": "own.example"})
    )
    said = witness.findings[0].model_copy(update={"details": {"speaker": {"kind": "party"}}})
    spoken = dataclasses.replace(own, source=own.source.model_copy(update={"rating": witness.source.rating}))
    spoken = dataclasses.replace(spoken, findings=(said,))
    a_file = witness.source.model_copy(update={"url": "file:///home/a/note.pdf", "domain": ""})
    for supporting, domain in (
        ((own, witness), witness.source.domain),
        ((spoken, witness), witness.source.domain),
        ((own,), "own.example"),
        ((dataclasses.replace(witness, source=a_file),), "own file"),
    ):
        (words,) = plain(claim_entries.deciding_quotes(dataclasses.replace(BY_ID["C3"], supporting=supporting)))
        assert words.endswith(domain)


def test_a_persons_verdict_is_shown_once_and_never_beside_a_quote_of_the_other_side() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    decided = VerdictDecision(verdict=Verdict.CONTRADICTED, reason="The lab took it back.", by="Ada", at=now)
    a = BY_ID["C3"].assessment.model_copy(
        update={"verdict": Verdict.CONTRADICTED, "machine_verdict": Verdict.VERIFIED, "decision": decided}
    )
    overruled = dataclasses.replace(BY_ID["C3"], assessment=a, contradicting=())
    assert plain(claim_entries.deciding_quotes(overruled)) == ["The lab took it back."]
    said = ClaimDecision(
        id=1, at=now, by="Ada", claim_id="C3", claim="", kind=DecisionKind.OVERRULE, found=Verdict.VERIFIED,
        decided=Verdict.CONTRADICTED, why=decided.reason,
    )  # fmt: skip
    entry = claim_entries.claim_entry(ReportView(VIEW.case, {}, (), {"C3": (said,)}), overruled)
    (standing,) = (each for each in entry.blocks if each.kind == "standing")
    assert len(standing.lines) == 1 and plain(standing.lines)[0].startswith("Overruled by Ada on 1 January 2026: Contr")


def test_what_makes_a_claim_only_partly_true_is_shown_beside_what_supports_it() -> None:
    half = dataclasses.replace(BY_ID["C4"], supporting=BY_ID["C3"].supporting, contradicting=BY_ID["C1"].contradicting)
    assert len(claim_entries.deciding_quotes(half)) == 2


def test_dates_that_differ_only_in_precision_are_not_listed_as_different() -> None:
    dates = tuple(
        DateEvidence(where="a tag", iso=iso, how="metadata", used=len(iso) > 4)
        for iso in ("2019-07-02T13:00:00Z", "2019")
    )
    source = VIEW.case.sources[0].model_copy(update={"dates": dates})
    assert wording.unused_dates(source) == ""
    other = DateEvidence(where="the address", iso="2018", how="url", used=False)
    assert "2018" in wording.unused_dates(source.model_copy(update={"dates": (*dates, other)}))


def test_what_rests_on_the_claims_own_words_is_never_a_quote_on_either_side() -> None:
    case = VIEW.case
    own = next(f for f in case.findings if f.evidence_type == "methodology_validation")
    first, *rest = case.assessments
    forged = first.model_copy(update={"supporting": (own.id,)})
    view = ReportView(case.model_copy(update={"assessments": (forged, *rest)}), {})
    assert view.claims[0].supporting == ()
    assert own in view.checks("C1")


def test_a_claim_shows_the_reports_own_words_with_page_and_date_and_what_they_point_to() -> None:
    assert plain(claim_entries.own_words(VIEW, BY_ID["C1"].claim)) == [
        "We cut our Scope 1 emissions by 42 % between 2019 and 2022. — "
        "S1 Nachhaltigkeitsbericht 2022, page 4, 14 March 2023",
        "Points to IFRS S2 paragraph 29(a) (gross emissions by scope): Scope 1 emissions",
    ]
    assert plain(claim_entries.own_words(VIEW, BY_ID["C4"].claim)) == [
        "Word for word in: S1 Nachhaltigkeitsbericht 2022, page 9, 14 March 2023"
    ]


def test_a_check_against_a_standard_shows_alignment_limits_and_each_reference_once() -> None:
    head, *details = block("C1", "Checks by the desks")
    assert head.startswith(
        "Method against the standards decides nothing (academic desk, 60% confidence). The reduction"
    )
    assert details == [
        "Method: GHG Protocol Corporate Standard",
        "Alignment with the standard: partially aligned",
        "Limits:",
        "no base-year recalculation is mentioned",
        "no assurance is mentioned",
        "Why: Scope 1 is named, the boundary is not.",
        "Reference: A Corporate Accounting and Reporting Standard (2004, chapter 5)",
    ]


def test_a_benchmark_shows_its_range_and_the_words_that_it_rests_on() -> None:
    lines = block("C6", "Checks by the desks")
    assert "Range: 0.55 to 0.7 t CO2e per tonne of clinker; reported 0.61" in lines
    assert "between 0.55 and 0.70 t CO2e per tonne of clinker · range · 2021 · S8" in lines
    assert {"Plausibility: plausible: within the range", "Sector: cement", "Year: 2022", "Scopes: Scope 1"} <= {*lines}
    assert not any("clinker — S8" in each for each in lines), "its quote stands on the side that it is on"


def test_each_risk_of_a_certificate_stands_with_whoever_says_so_and_not_twice() -> None:
    assert block("C2", "Checks by the desks")[1:] == [
        "Certificate: Guarantee of origin",
        "Standing: legitimate",
        "Additionality:",
        "Certificates seldom lead to new plants. · Energy Letters, 2020",
        "They need not be additional. · S6",
        "Nothing found on double counting",
        "Limits: The claim does not speak of vintage.",
        "Based on S6",
    ]


def test_sources_that_speak_of_the_matter_for_neither_side_are_named() -> None:
    heard = next(f for f in VIEW.case.findings if f.evidence_type == "news_contradiction" and f.claim_id == "C2")
    same = Finding.model_validate(heard.model_dump() | {"id": "F97", "stance": "neutral", "contradiction_type": None})
    other = same.model_copy(update={"id": "F98", "source_id": "S8"})
    unread = Finding.model_validate(other.model_dump() | {"id": "F99", "claim_id": "C5", "stance": "unassessed"})
    view = ReportView(VIEW.case.model_copy(update={"findings": (*VIEW.case.findings, same, other, unread)}), {})
    (c2,) = (c for c in view.claims if c.claim.id == "C2")
    found = {each.heading: plain(each.lines) for each in claim_entries.blocks(view, c2)}
    assert found["Read, but supports neither side"] == [f"S8 {VIEW.sources['S8'].domain}"] and c2.neither == 2
    *_, last = check_parts.missing(view)
    assert plain(last.lines) == ["Two passages on C5 (S8); a person should read them."]


@pytest.mark.parametrize(
    ("between", "said"),
    [
        ({"min": None, "max": 3, "unit": "kg"}, "at most 3 kg"),
        ({"median": 1.5, "reported": 2, "unit": "t"}, "around 1.5 t; reported 2"),
    ],
)
def test_a_range_is_said_as_far_as_it_is_known(between: dict[str, object], said: str) -> None:
    finding = _with({"benchmark_range": between})
    assert f"Range: {said}" in plain(filled(*_alone(finding))[0].lines)


def _with(details: dict[str, object]) -> Finding:
    made = next(f for f in VIEW.case.findings if f.evidence_type == "research_support")
    return Finding.model_validate(made.model_dump() | {"details": details})


def filled(view: ReportView, checked: Checked) -> list[Block]:
    """The blocks of a claim that the report shows."""
    return [each for each in claim_entries.blocks(view, checked) if each.lines]


def _alone(finding: Finding) -> tuple[ReportView, Checked]:
    kept = tuple(f for f in VIEW.case.findings if f.claim_id != "C5")
    view = ReportView(VIEW.case.model_copy(update={"findings": (*kept, finding)}), {})
    return view, next(c for c in view.claims if c.claim.id == "C5")


def test_the_rounds_tell_how_a_verdict_came_to_be_what_it_is() -> None:
    assert block("C2", "How the verdict came about") == [
        "Round 1: verified, 70% confidence. The hub shows the cancellations.",
        "Round 2: searched again (news desk). Only the certificate's issuer was heard. Sought: an independent report "
        'on the sites\' power. Queries: "Brünnfeld" coal 2022; Brünnfeld certificates criticism.',
        "Round 2: disputed, 50% confidence. Two papers contradict it.",
    ]
    assert block("C1", "How the verdict came about") == []


def test_risk_stands_highest_first_with_reasons_and_is_no_accusation() -> None:
    part = check_parts.risks(VIEW)
    rows = cells(part)
    assert [(row[0], row[1], row[2]) for row in rows] == [
        ("Emissions figures", "high", "8.1 out of 10"),
        ("Renewable energy", "moderate", "5.0 out of 10"),
        ("Climate targets", "low", "1.2 out of 10"),
        ("Governance", "unknown", "–"),
    ]
    assert rows[0][3].startswith("C1 is contradicted by the emissions register.") and rows[0][4] == "C1, C6"
    assert "not an accusation" in part.intro[0]


def test_what_was_checked_says_how_many_claims_were_found_checked_and_left_out() -> None:
    rows = dict(cells(check_parts.scope(VIEW)))
    assert rows["Claims"] == (
        "31 claims found in the report that can be checked; six checked; one removed by the user; 24 left out (at "
        "most six from the report are checked)."
    )
    assert rows["Pages"] == "the claims are on pages 4–6, 9 and 11–12"
    assert rows["Rounds"] == "Two of at most two. The last round added nothing, and two claims still have a gap."
    brief = VIEW.case.brief.model_copy(update={"check": CheckRequest(company="")})
    given = ReportView(VIEW.case.model_copy(update={"brief": brief}), {})
    assert "Report" in rows and "Report" not in dict(cells(check_parts.scope(given)))
    limits = "The report cannot be evidence for itself"
    assert limits in shown(markdown(VIEW)) and limits not in shown(markdown(given))
    none = dict(cells(check_parts.scope(without_claims())))
    assert none["Claims"] == "No claims found in the report that can be checked." and none["Rounds"] == "None was run."


def test_what_is_missing_names_desks_errors_and_passages() -> None:
    found = {each.heading: plain(each.lines) for each in check_parts.missing(VIEW)}
    assert found == {
        "Desks that are not installed": [
            "The data desk is not installed and should have checked C1.",
            "The legal desk is not installed and should have checked C4.",
        ],
        "Questions that could not be asked": [
            "News desk: Web search unavailable: the key of tavily is not set (C5, C4)."
        ],
        "Passages that should have been assessed and could not be": ["Two passages on C5."],
    }


def test_engines_left_out_for_one_reason_are_listed_together() -> None:
    assert VIEW.case.plan is not None
    unasked = (UnaskedEngine(engine="a"), UnaskedEngine(engine="b", lacks="needs a key"), UnaskedEngine(engine="c"))
    plan = VIEW.case.plan.model_copy(update={"unasked": unasked})
    rows = dict(wording.method(dataclasses.replace(VIEW, case=VIEW.case.model_copy(update={"plan": plan}))))
    assert rows["Engines left out"] == ("a, c: nothing in the plan is a question for it", "b: needs a key")


def test_a_quote_says_who_found_it_how_it_contradicts_and_whose_word_it_is() -> None:
    def quotes(claim_id: str) -> list[list[str]]:
        entry = claim_entries.claim_entry(VIEW, BY_ID[claim_id])
        return [
            ["".join(part.text for part in each.by), *plain(each.below)]
            for found in entry.blocks
            if found.kind in ("for", "against")
            for each in found.lines
        ]

    ((by, explained),) = quotes("C1")
    assert by.endswith(" · direct contradiction · news desk")
    assert explained == "The register shows 15 per cent where the report says 42."
    assert quotes("C4")[0][0].endswith(" · press release · news desk")
    assert any(by.endswith(" · direct contradiction · news desk, round 2") for by, *_ in quotes("C2"))


@each_form
def test_a_claim_of_several_statements_shows_each_with_its_verdict(form: Callable[[ReportView], str]) -> None:
    c2 = BY_ID["C2"].assessment
    parts = (
        PartVerdict(words="All of our electricity", verdict=Verdict.VERIFIED, supporting=c2.supporting),
        PartVerdict(
            words="has come from renewable sources", verdict=Verdict.CONTRADICTED, contradicting=c2.contradicting
        ),
        PartVerdict(words="since 2021", verdict=Verdict.UNVERIFIED),
    )
    case = VIEW.case.model_copy(
        update={
            "assessments": tuple(
                each.model_copy(update={"parts": parts}) if each.claim_id == "C2" else each
                for each in VIEW.case.assessments
            )
        }
    )
    text = shown(form(dataclasses.replace(VIEW, case=case)))
    for words in (
        "All of our electricity: verified; for it", "has come from renewable sources: contradicted; against it",
        "since 2021: nothing was found on it",
    ):  # fmt: skip
        assert words in re.sub(r"[*“”]", "", text)
    assert "Its statements, one by one" in text and "Its statements, one by one" not in shown(form(VIEW))


@each_form
def test_every_form_shows_the_same_matter(form: Callable[[ReportView], str]) -> None:
    text = shown(form(VIEW))
    assert "Claims of Brünnfeld Werke AG checked" in text and RTL in text and LONG in text
    for part in (
        check_parts.scope(VIEW), check_parts.risks(VIEW), check_parts.exchange(VIEW), check_parts.routing(VIEW),
    ):  # fmt: skip
        there = part.heading in text and all(words in text for words in part.intro)
        assert there or (part.folded and form is markdown)
    for checked in VIEW.claims:
        if not has_entry(VIEW, checked):
            assert not checked.supporting and not checked.contradicting
            continue
        for each in filled(VIEW, checked):
            assert each.folded or each.heading.lower() in text.lower()
        for words in checked.assessment.would_change:
            assert words in text
    order = [text.index(f"{word} ({n})") for word, n in (("Contradicted", 1), ("Disputed", 1), ("Verified", 2))]
    assert order == sorted(order)
    assert "/home/somebody" not in text


@each_form
def test_a_check_of_nothing_and_one_that_could_ask_nobody_are_told_plainly(form: Callable[[ReportView], str]) -> None:
    none, alone = shown(form(without_claims())), shown(form(only_outages()))
    assert "The report makes no claim that can be checked." in none and "Verdicts" not in none
    for words in (
        "Each could not be reached.",
        "The geography desk is not installed",
        "Each could not be reached.",
        "Could not be checked",
    ):
        assert words in alone


def test_an_id_of_the_users_own_is_no_anchor_and_no_markup() -> None:
    view = hostile_check()
    (odd,) = view.anchors
    assert view.anchors[odd] == "claim-1"
    text = html(view)
    assert "<script" not in text
    tree = lxml_html.document_fromstring(text)
    article = tree.get_element_by_id("claim-1")
    assert odd in article.text_content() and [str(each.get("id")) for each in tree.iter("article")] == ["claim-1"]
    ids = [str(each.get("id")) for each in tree.iter() if each.get("id")]
    assert len(ids) == len(set(ids))


def test_questions_between_desks_stand_with_their_answers() -> None:
    assert cells(check_parts.exchange(VIEW)) == [
        ["R1", "academic desk → news desk", "C2", "Were there controversies about the guarantees of origin?",
         "One paper reports that no certificates were bought in 2022. Based on S5"],
        ["R2", "news desk → legal desk", "C4", "Was the fine appealed?", "No installed desk can answer it."],
    ]  # fmt: skip


def test_a_check_on_a_sources_words_is_a_quote_only_where_that_source_has_no_plain_one() -> None:
    def kinds(claim_id: str) -> list[str]:
        return [f.evidence_type for told in BY_ID[claim_id].supporting for f in told.findings]

    assert kinds("C3") == ["academic_source"]
    assert kinds("C6") == ["benchmark_comparison"]
