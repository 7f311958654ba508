"""The result of weighing findings: verdicts, independence, the flag rule, and what may never happen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from inquest.domain.check import Gap, Reinvestigation
from inquest.domain.claim import Claim
from inquest.domain.document import Precision
from inquest.domain.finding import Assessment, ContradictionType, Finding, Stance, Verdict
from inquest.domain.reasons import in_words, sentence
from inquest.domain.report import Coverage
from inquest.domain.source import Source
from inquest.verdicts.judging_gaps import gap_with_coverage, lacking, with_coverage
from inquest.verdicts.weighing import assess_claim
from inquest.verdicts.weighing_reasons import reason
from tests.case_parts import claim, dated, finding, source, spoken

AGAINST, NEUTRAL, UNASSESSED = Stance.CONTRADICTS, Stance.NEUTRAL, Stance.UNASSESSED
OPPOSITE = "No brine was spilled at the works."


def weigh(findings: Sequence[Finding], sources: Sequence[Source], of: Claim | None = None) -> Assessment:
    return assess_claim(of or claim(), findings, {each.id: each for each in sources})


def said(assessment: Assessment) -> str:
    return " ".join(assessment.reasons)


def test_nothing_found_nothing_assessed_and_nothing_that_bears_on_it_are_three_reasons() -> None:
    assessment = weigh([], [])
    assert assessment.verdict is Verdict.UNVERIFIED
    assert assessment.confidence == 0
    assert assessment.reasons == ("Nothing was found that supports or contradicts it.",)
    assessment = weigh(
        [finding("F1", "A", UNASSESSED, 0.0), finding("F2", "B", UNASSESSED, 0.0)], [source("A"), source("B")]
    )
    assert assessment.verdict is Verdict.UNVERIFIED
    assert assessment.unassessed == 2
    assert assessment.confidence == 0
    assert "Two passages could not be assessed and are not counted." in assessment.reasons
    assessment = weigh([finding("F1", "A", NEUTRAL), finding("F2", "B", NEUTRAL)], [source("A"), source("B")])
    assert assessment.reasons == ("Neither of the two sources read for it supports or contradicts it.",)


def test_a_verdict_that_is_too_weak_says_what_each_source_lacks() -> None:
    found = [
        finding("F1", "A", confidence=0.57),
        finding("F2", "B", quote="Brine leaked.", details=spoken("unnamed", "fire service")),
        finding("F3", "C", quote="It did leak."),
    ]
    assert weigh(found, [source("A", 1), source("B", 2), source("C", 4)]).reasons[0] == (
        "The evidence is too weak for a verdict: the passage of a.example is read with 57% confidence, "
        "b.example only reports what others say or expect and c.example is of tier 4."
    )
    third = [finding("F1", "A", confidence=0.9)]
    assert "a.example is a single source of tier 3." in weigh(third, [source("A", 3)]).reasons[0]


def test_one_long_sentence_in_two_papers_is_one_witness() -> None:
    words = "Two hundred litres of brine ran into the harbour basin from the works on Tuesday night."
    papers = [source("A", 2), source("B", 3)]
    assert weigh([finding("F1", "A", quote=words), finding("F2", "B", quote=words)], papers).independent_sources == 1
    own = words.replace("ran", "flowed")
    assert weigh([finding("F1", "A", quote=words), finding("F2", "B", quote=own)], papers).independent_sources == 2


def test_an_outlet_that_also_reports_an_authority_is_one_source() -> None:
    wire = [source("A", 1, domain="wire.example"), source("B", 1, domain="wire.example")]
    reported: dict[str, Any] = {"details": spoken("authority", "Harbour Inspectorate")}
    both = [finding("F1", "A"), finding("F2", "B", **reported)]
    assert weigh(both, wire).independent_sources == 1
    beside = [*both, finding("F3", "C", **reported)]
    assert weigh(beside, [*wire, source("C", 2)]).independent_sources == 2


def test_what_two_papers_have_from_the_council_is_the_councils_word() -> None:
    about = claim("The Lenn beaver count found 61 families.")
    about_it: dict[str, Any] = {"domain": "lenn.example", "publisher": "Lenn Council", "category": "government"}
    council = source("C", 2, published=dated("2025-05-01"), **about_it)
    papers = [source("A", 2, published=dated("2025-05-02")), source("B", 2, published=dated("2025-05-03"))]
    own = finding("F0", "C", quote="They found signs of 61 families.")
    for details, witnesses in ((spoken("authority", "the council"), 1), ({}, 3)):
        reported = [finding(f"F-{name}", name, quote=f"{name} has 61.", details=details) for name in "AB"]
        assert weigh([own, *reported], [council, *papers], about).independent_sources == witnesses


def test_a_speaker_under_two_names_is_one_witness() -> None:
    papers = [source("A", 2), source("B", 2)]
    names = ("Dame Ada Holt", "the Holt panel"), ("Dame Ada Holt", "the Rourke panel")
    for who, independent in zip(names, (1, 2), strict=True):
        found = [
            finding(f"F-{paper}", paper, quote=f"{paper} has 61.", details=spoken("authority", name))
            for paper, name in zip("AB", who, strict=True)
        ]
        assert weigh(found, papers).independent_sources == independent


@pytest.mark.parametrize(("kind", "mode"), [("party", "denied"), ("opponent", "asked"), ("party", "expected")])
def test_of_a_claim_that_somebody_speaks_a_page_that_reports_him_states_a_fact(kind: str, mode: str) -> None:
    about = claim("The owner of the works denies the spill.")
    words = spoken(kind, "Harlow Gray") | {"mode": mode}
    papers = [source("A", 2), source("B", 2)]
    for details, verdict in ((words, Verdict.UNVERIFIED), (words | {"about_words": True}, Verdict.VERIFIED)):
        found = [finding(f"F-{name}", name, quote=f"{name} has his words.", details=details) for name in "AB"]
        assert weigh(found, papers, about).verdict is verdict
    asked = finding("F1", "A", details=words | {"mode": "hypothetical", "about_words": True})
    assert weigh([asked], papers, about).verdict is Verdict.UNVERIFIED


@pytest.mark.parametrize(
    ("support", "category", "verdict"),
    [
        ({"mode": "measured"}, "newspaper", Verdict.DISPUTED),
        (spoken("party", ""), "government", Verdict.UNVERIFIED),
        ({"mode": "measured"}, "government", Verdict.VERIFIED),
        (spoken("authority", "Harbour Inspectorate"), "newspaper", Verdict.VERIFIED),
        ({"mode": "ruled_true"}, "newspaper", Verdict.VERIFIED),
    ],
)
def test_what_one_source_says_and_the_party_denies_is_disputed(
    support: dict[str, Any], category: str, verdict: Verdict
) -> None:
    papers = [source("A", 2, category=category), source("B", 2)]
    denied = finding("F2", "B", AGAINST, 0.9, OPPOSITE, details=spoken("party", "Harlow Gray", mode="denied"))
    assert weigh([finding("F1", "A", details=support), denied], papers).verdict is verdict
    more = [finding("F3", "C", quote="Brine ran out."), finding("F1", "A", details=support), denied]
    assert weigh(more, [*papers, source("C", 2)]).verdict is Verdict.VERIFIED


def test_a_paper_does_not_report_itself() -> None:
    paper = source("A", 2, domain="dunmorecourier.example", publisher="Dunmore Courier")
    reported = finding("F1", "A", details=spoken("media", "The Dunmore Courier"))
    assert "reporting" not in said(weigh([reported], [paper]))


def test_two_independent_sources_verify_and_one_credible_source_as_single() -> None:
    assessment = weigh([finding("F1", "A"), finding("F2", "B")], [source("A", 2), source("B", 3)])
    assert assessment.verdict is Verdict.VERIFIED
    assert assessment.independent_sources == 2
    assert not assessment.single_source
    assert "Two independent sources support it: a.example (tier 2) and b.example (tier 3)." in assessment.reasons
    assessment = weigh([finding("F1", "A")], [source("A", 2)])
    assert assessment.verdict is Verdict.VERIFIED
    assert assessment.single_source
    assert "This rests on a single independent source." in assessment.reasons


def test_the_claims_own_source_does_not_confirm_itself_unless_it_is_a_public_body() -> None:
    own = claim("The works spilled 300 tonnes of brine.", "A")
    assessment = weigh([finding("F1", "A"), finding("F2", "A")], [source("A", 2)], own)
    assert assessment.verdict is Verdict.UNVERIFIED
    assert assessment.independent_sources == 1
    assert "no source independent of it confirms it" in said(assessment)
    own = claim("The commissioner has opened an inquiry into the works.", "A")
    office = source("A", 2, category="government")
    assert weigh([finding("F1", "A")], [office], own).verdict is Verdict.VERIFIED
    assert weigh([finding("F1", "A")], [source("A", 2)], own).verdict is Verdict.UNVERIFIED


@pytest.mark.parametrize(
    ("category", "verdict"),
    [("scholarly", Verdict.UNVERIFIED), ("news", Verdict.VERIFIED), ("court", Verdict.VERIFIED)],
)
def test_one_study_does_not_prove_what_it_alone_says(category: str, verdict: Verdict) -> None:
    made = claim("The works spilled 300 tonnes of brine.", "A")
    assert weigh([finding("F1", "A")], [source("A", 1, category=category)], made).verdict is verdict


def test_of_two_who_make_a_claim_each_confirms_the_other() -> None:
    own = claim("The works treat 21,000 patients.", "A", "P")
    sources = [source("A", 2), source("P", 3, press_release=True)]
    assert weigh([finding("F1", "A"), finding("F2", "P")], sources, own).verdict is Verdict.VERIFIED


@pytest.mark.parametrize("number", [1, 2, 6])
def test_blogs_alone_never_verify(number: int) -> None:
    names = [f"B{n}" for n in range(number)]
    assessment = weigh([finding(f"F{n}", n) for n in names], [source(n, 4) for n in names])
    assert assessment.verdict is Verdict.UNVERIFIED


def test_a_press_release_is_the_partys_own_statement() -> None:
    assessment = weigh([finding("F1", "P")], [source("P", 3, press_release=True)])
    assert assessment.verdict is Verdict.UNVERIFIED
    assert assessment.independent_sources == 0
    assert assessment.reasons == ("Only a press release (p.example) says so; this is a party's own statement.",)


PARTY = spoken("party", "Harlow")


def test_one_partys_word_in_five_papers_is_one_statement_and_verifies_nothing() -> None:
    papers = [source(name, 1 if name == "A" else 2, owner=f"Owner {name}") for name in "ABCDE"]
    release = source("P", 3, press_release=True, owner="Harlow Chemicals plc")
    findings = [finding(f"F{each.id}", each.id, details=PARTY) for each in papers]
    findings.append(finding("FP", "P"))
    assessment = weigh(findings, [*papers, release], claim("Harlow has spilled nothing."))
    assert assessment.verdict is Verdict.UNVERIFIED
    assert assessment.independent_sources == 0
    assert assessment.reasons[0] == "Only Harlow says so; this is a party's own statement."
    assert sum("own statement" in reason for reason in assessment.reasons) == 1


def test_the_first_reason_is_of_the_side_that_the_verdict_is_on() -> None:
    findings = [finding("F1", "P"), finding("F2", "A", AGAINST, 0.8, OPPOSITE)]
    assessment = weigh(findings, [source("P", 3, press_release=True), source("A", 1)])
    assert assessment.verdict is Verdict.CONTRADICTED
    assert assessment.reasons[0] == "One independent source contradicts it: a.example (tier 1)."


def test_a_denial_contradicts_nothing_alone_or_beside_what_others_found() -> None:
    denial = finding("F1", "A", AGAINST, quote="Harlow denies it.", details=PARTY)
    assessment = weigh([denial], [source("A", 1)])
    assert assessment.verdict is Verdict.UNVERIFIED
    assert assessment.reasons[0] == "Only Harlow denies it; this is a party's own statement."
    findings = [finding("F1", "A"), finding("F2", "B", AGAINST, quote="Harlow denies it.", details=PARTY)]
    assert weigh(findings, [source("A", 2), source("B", 1)]).verdict is Verdict.VERIFIED


def test_what_a_party_takes_back_or_admits_is_good_evidence_on_its_own_page() -> None:
    page = source("P", 3, press_release=True)
    own = finding("F1", "P", AGAINST, 0.8, OPPOSITE, details=PARTY | {"against_self": True})
    assert weigh([own], [page]).verdict is Verdict.CONTRADICTED
    before = finding("F1", "P")
    after = finding("F2", "P2", AGAINST, 0.8, OPPOSITE, details=spoken("party", "Harlow", against_self=True))
    pages = [source(name, 3, press_release=True, owner="Harlow") for name in ("P", "P2")]
    assert weigh([before, after], pages).verdict is Verdict.CONTRADICTED


def test_an_authority_is_one_witness_in_three_papers_and_in_its_own_document() -> None:
    papers = [source(name, 2) for name in "ABC"]
    findings = [finding(f"F{each.id}", each.id, details=spoken("authority", "River Board")) for each in papers]
    assessment = weigh(findings, papers)
    assert assessment.verdict is Verdict.VERIFIED
    assert assessment.independent_sources == 1
    own_page = source("R", 1, domain="river-board.example", category="regulator")
    assert weigh([*findings, finding("FR", "R")], [*papers, own_page]).independent_sources == 1
    own_page = source("R", 1, domain="river-board.example", category="regulator")
    wrong = finding("F2", "A", AGAINST, 1.0, OPPOSITE, details=spoken("authority", "the River Board"))
    assessment = weigh([finding("F1", "R", confidence=0.85), wrong], [own_page, source("A", 2)])
    assert assessment.verdict is Verdict.VERIFIED
    assert assessment.contradicting == ("F2",)


@pytest.mark.parametrize(("papers", "verdict"), [(1, Verdict.VERIFIED), (2, Verdict.DISPUTED)])
def test_an_official_document_goes_before_one_paper_and_not_before_two(papers: int, verdict: Verdict) -> None:
    order = source("R", 1, domain="river-board.example", category="regulator")
    others = [source(f"N{n}", 2) for n in range(papers)]
    against = [finding(f"G{each.id}", each.id, AGAINST, 0.9, OPPOSITE) for each in others]
    assessment = weigh([finding("F1", "R", confidence=0.9), *against], [order, *others])
    assert assessment.verdict is verdict
    assert "n0.example" in said(assessment)
    opposite = [finding("F1", "R", AGAINST, 0.9, OPPOSITE), *(finding(f"G{o.id}", o.id) for o in others)]
    expected = Verdict.CONTRADICTED if verdict is Verdict.VERIFIED else Verdict.DISPUTED
    assert weigh(opposite, [order, *others]).verdict is expected


@pytest.mark.parametrize("number", [1, 3])
def test_what_somebody_is_reported_to_have_said_never_verifies(number: int) -> None:
    papers = [source(f"N{n}", 1) for n in range(number)]
    details = spoken("witness", "a neighbour")
    findings = [finding(f"F{each.id}", each.id, details=details) for each in papers]
    assert weigh(findings, papers).verdict is Verdict.UNVERIFIED


def test_a_companys_own_pages_and_its_we_are_its_word_on_claims_about_it_only() -> None:
    page = source("A", 2, category="company", owner="Harlow Chemicals")
    assert weigh([finding("F1", "A")], [page], claim("Harlow has spilled nothing.")).verdict is Verdict.UNVERIFIED
    assert weigh([finding("F1", "A")], [page], claim("Norvane has spilled nothing.")).verdict is Verdict.VERIFIED
    page = source("A", 2, category="company", owner="Harlow Chemicals")
    of = claim("A lorry was left on the quay by its driver.")
    ours = finding("F1", "A", quote="Our driver left the lorry on the quay.", details=spoken("party"))
    assert weigh([ours], [page], of).verdict is Verdict.UNVERIFIED
    assert weigh([finding("F1", "A", quote="Its driver left the lorry.")], [page], of).verdict is Verdict.VERIFIED
    page = source("A", 2, category="company", publisher="Harlow Chemicals")
    own = spoken("party", "Harlow Chemicals")
    assessment = weigh([finding("F1", "A", details=own)], [page], claim("Harlow Chemicals spilled nothing."))
    assert assessment.reasons == ("Only Harlow Chemicals says so; this is a party's own statement.",)
    page = source("A", 2, category="company", domain="harlowchemicals.no")
    beside = weigh([finding("F1", "A", details=own), finding("F2", "B")], [page, source("B", 1)])
    assert "Harlow Chemicals itself supports it; this is a party's own statement." in beside.reasons
    site = source("P", 3, category="company", press_release=True)
    beside = weigh([finding("F1", "P"), finding("F2", "B", AGAINST, 0.8, OPPOSITE)], [site, source("B", 1)])
    assert "p.example itself supports it; this is a party's own statement." in beside.reasons


def test_a_company_is_known_by_what_the_case_is_about_where_the_claim_leaves_it_unnamed() -> None:
    office, page = source("A", 2), source("B", 3, category="company", domain="harlowchemicals.example")
    found = [finding("F1", "A"), finding("F2", "B", AGAINST)]
    sources = {each.id: each for each in (office, page)}
    of = claim("About 300 litres were spilled at the works on 9 February.")
    assert assess_claim(of, found, sources).verdict is Verdict.DISPUTED
    assert assess_claim(of, found, sources, about="Harlow Chemicals and its works").verdict is Verdict.VERIFIED


def test_copies_of_a_press_release_weigh_what_the_release_weighs_and_contradict_nothing() -> None:
    release = source("P", 3, press_release=True, story="s1", origin_of_story="P")
    copy = source("A", 1, story="s1", origin_of_story="P")
    assert weigh([finding("F1", "A"), finding("F2", "P")], [release, copy]).verdict is Verdict.UNVERIFIED
    release = source("P", 3, press_release=True, story="s1", origin_of_story="P")
    copy = source("A", 1, story="s1", origin_of_story="P")
    against = finding("F2", "A", AGAINST, 0.8, OPPOSITE, details=PARTY)
    assessment = weigh([finding("F1", "P"), against], [release, copy])
    assert assessment.verdict is Verdict.UNVERIFIED
    assert assessment.contradicting == ("F2",)


def test_twelve_copies_are_one_source() -> None:
    wire = source("W", 2, story="s1", origin_of_story="W")
    copies = [source(f"N{n}", 2, story="s1", origin_of_story="W") for n in range(11)]
    assessment = weigh([finding(f"F{n}", each.id) for n, each in enumerate([wire, *copies])], [wire, *copies])
    assert assessment.independent_sources == 1
    assert assessment.single_source
    assert "12 documents" not in said(assessment)
    assert "Eleven documents repeat what w.example reports and are not counted again." in assessment.reasons


def test_papers_of_one_owner_are_one_source_and_public_bodies_of_one_state_two() -> None:
    papers = [source("A", 2, owner="Holding"), source("B", 2, owner="Holding")]
    assert weigh([finding("F1", "A"), finding("F2", "B")], papers).independent_sources == 1
    bodies = [
        source("A", 1, owner="Republic", category="court"),
        source("B", 1, owner="Republic", category="government"),
    ]
    assert weigh([finding("F1", "A"), finding("F2", "B")], bodies).independent_sources == 2


@pytest.mark.parametrize(
    ("sure", "verdict"),
    [
        ((0.46,), Verdict.CONTRADICTED),
        ((0.43,), Verdict.UNVERIFIED),
        ((0.43, 0.43), Verdict.CONTRADICTED),
        ((0.39, 0.39, 0.39), Verdict.UNVERIFIED),
    ],
)
def test_a_likely_contradiction_that_nobody_gainsays_contradicts(sure: tuple[float, ...], verdict: Verdict) -> None:
    names = [f"A{number}" for number in range(len(sure))]
    findings = [finding(f"F{name}", name, AGAINST, each, OPPOSITE) for name, each in zip(names, sure, strict=True)]
    assessment = weigh(findings, [source(name, 2) for name in names])
    assert assessment.verdict is verdict
    assert ("probable rather than certain" in said(assessment)) is (verdict is Verdict.CONTRADICTED)


@pytest.mark.parametrize("also", [finding("F2", "B", confidence=0.4), finding("F2", "B", confidence=0.9)])
def test_a_likely_contradiction_contradicts_nothing_where_somebody_bears_the_claim_out(also: Finding) -> None:
    against = finding("F1", "A", AGAINST, 0.48, OPPOSITE)
    assert weigh([against, also], [source("A", 2), source("B", 2)]).verdict is not Verdict.CONTRADICTED


def test_the_partys_own_word_does_not_undo_a_likely_contradiction() -> None:
    found = [finding("F1", "A", AGAINST, 0.48, OPPOSITE), finding("F2", "P")]
    assert weigh(found, [source("A", 2), source("P", 3, press_release=True)]).verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize("tier", [3, 4])
def test_what_is_only_likely_needs_a_good_source(tier: int) -> None:
    found = [finding("F1", "A", AGAINST, 0.48, OPPOSITE), finding("F2", "B", AGAINST, 0.48, OPPOSITE)]
    assert weigh(found, [source("A", tier), source("B", tier)]).verdict is Verdict.UNVERIFIED


@pytest.mark.parametrize("number", [1, 2, 5])
def test_nothing_is_verified_on_what_is_only_likely(number: int) -> None:
    names = [f"A{n}" for n in range(number)]
    found = [finding(f"F{n}", n, confidence=0.49) for n in names]
    assert weigh(found, [source(n, 1) for n in names]).verdict is Verdict.UNVERIFIED


@pytest.mark.parametrize(
    ("sure", "verdict"),
    [((0.6, 0.4), Verdict.VERIFIED), ((0.6,), Verdict.UNVERIFIED), ((0.49, 0.4), Verdict.UNVERIFIED)],
)
def test_what_is_less_sure_adds_to_one_that_is_sure_enough(sure: tuple[float, ...], verdict: Verdict) -> None:
    names = [f"A{number}" for number in range(len(sure))]
    found = [finding(f"F{name}", name, confidence=each) for name, each in zip(names, sure, strict=True)]
    assert weigh(found, [source(name, 2) for name in names]).verdict is verdict


def test_credible_sources_on_both_sides_are_a_dispute_whatever_their_number() -> None:
    both = [finding("F1", "A"), finding("F2", "B", AGAINST, quote=OPPOSITE)]
    assessment = weigh(both, [source("A", 1), source("B", 2)])
    assert assessment.verdict is Verdict.DISPUTED
    assert assessment.supporting == ("F1",)
    assert assessment.contradicting == ("F2",)
    sources = [source(name, 1, category="scholarly") for name in "ABC"]
    both = [
        finding("F1", "A"),
        finding("F2", "B", AGAINST, quote=OPPOSITE),
        finding("F3", "C", AGAINST, quote=OPPOSITE),
    ]
    assert weigh(both, sources).verdict is Verdict.DISPUTED


def test_copies_of_ones_own_story_are_the_one_source_that_makes_the_claim() -> None:
    origin = source("O", 2, story="s1", origin_of_story="O")
    copies = [source(name, 1, story="s1", origin_of_story="O") for name in "AB"]
    findings = [finding("F1", "O"), finding("F2", "A"), finding("F3", "B")]
    assessment = weigh(findings, [origin, *copies], claim("The works spilled 300 tonnes of brine.", "A", "B"))
    assert assessment.verdict is Verdict.UNVERIFIED
    assert "no source independent of it confirms it" in said(assessment)


def test_what_only_a_copy_has_weighs_little_and_its_slips_are_no_votes() -> None:
    origin, digest = source("O", 1, story="s1", origin_of_story="O"), source("D", 4, story="s1", origin_of_story="O")
    assert weigh([finding("F1", "D")], [origin, digest]).verdict is Verdict.UNVERIFIED
    origin, copy = source("O", 1, story="s1", origin_of_story="O"), source("D", 2, story="s1", origin_of_story="O")
    slip = finding("F2", "D", AGAINST, quote="The works spilled 30 tonnes of brine.")
    assessment = weigh([finding("F1", "O"), slip], [origin, copy])
    assert assessment.verdict is Verdict.VERIFIED
    assert (
        "d.example changed the story when copying it from o.example; that counts for neither side."
        in assessment.reasons
    )
    origin, copy = source("O", 1, story="s1", origin_of_story="O"), source("D", 2, story="s1", origin_of_story="O")
    wrong = claim("The works spilled 30 tonnes of brine.", "D")
    denial = finding("F1", "O", AGAINST, quote="The works spilled 300 tonnes of brine.")
    assert weigh([denial, finding("F2", "D")], [origin, copy], wrong).verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize(("mode", "verdict"), [("measured", Verdict.UNVERIFIED), ("withdrawn", Verdict.CONTRADICTED)])
def test_only_a_correction_makes_a_source_contradict_its_own_claim(mode: str, verdict: Verdict) -> None:
    own = claim("The works spilled 300 tonnes of brine.", "A")
    later = source("A2", 2, domain="a.example")
    found = finding("F1", "A2", AGAINST, quote="It spilled 30 tonnes.", details={"mode": mode})
    assert weigh([found], [source("A", 2), later], own).verdict is verdict


def test_a_page_that_is_cited_for_a_claim_and_only_contradicts_it_does_not_make_it() -> None:
    reported = claim("The town has banned fireworks.", "A")
    against = finding("F1", "A", AGAINST, quote="The motion was adjourned, and fireworks are still allowed.")
    assert weigh([against], [source("A", 2)], reported).verdict is Verdict.CONTRADICTED
    both = [against, finding("F2", "A", quote="The town has banned fireworks.")]
    assert weigh(both, [source("A", 2)], reported).verdict is not Verdict.CONTRADICTED


def test_a_later_document_of_its_maker_contradicts_a_claim() -> None:
    grew = claim("The region grew by 2.1 percent in 2025.", "A")
    flash = source("A", 1, domain="office.example", category="statistics", published=dated("2026-03-31"))
    final = source("A2", 1, domain="office.example", category="statistics", published=dated("2026-09-30"))
    paper = source("B", 2, published=dated("2026-04-01"))
    found = [finding("F1", "A"), finding("F2", "A2", AGAINST, quote="It was 1.4 percent."), finding("F3", "B")]
    assert weigh(found, [flash, final, paper], grew).verdict is Verdict.CONTRADICTED
    same_day = final.model_copy(update={"published": flash.published})
    assert weigh(found, [flash, same_day, paper], grew).verdict is not Verdict.CONTRADICTED


def test_a_claim_restated_to_be_checked_is_evidence_for_nothing() -> None:
    checker = finding("F1", "A", quote="Did the works spill 300 tonnes of brine?", details={"mode": "asked"})
    assert weigh([checker], [source("A", 1)]).verdict is Verdict.UNVERIFIED


def test_a_source_or_a_minister_that_takes_back_what_was_said_has_the_last_word() -> None:
    before = source("A", 2, domain="paper.example", published=dated("2024-01-19"))
    after = source("A2", 2, domain="paper.example", published=dated("2024-01-26"))
    wrong = finding("F2", "A2", AGAINST, 0.6, "We wrote that it spilled 300 tonnes. That was wrong.")
    assert weigh([finding("F1", "A", confidence=0.95), wrong], [before, after]).verdict is Verdict.CONTRADICTED
    house: dict[str, Any] = {"domain": "parliament.example", "category": "government"}
    answer = source("A", 1, published=dated("2023-09-20"), **house)
    later = source("A2", 1, published=dated("2024-02-21"), **house)
    details = spoken("witness", "Conrad Leaming", mode="ruled_false")
    corrected = finding("F2", "A2", AGAINST, 0.8, "I said so. This was not correct.", details=details)
    found = [finding("F1", "A", confidence=0.95), corrected]
    assert weigh(found, [answer, later]).verdict is Verdict.CONTRADICTED


def test_a_blog_does_not_undo_what_good_sources_say() -> None:
    findings = [finding("F1", "A"), finding("F2", "B"), finding("F3", "X", AGAINST, quote=OPPOSITE)]
    assessment = weigh(findings, [source("A", 1), source("B", 2), source("X", 4)])
    assert assessment.verdict is Verdict.VERIFIED
    assert assessment.contradicting == ("F3",)
    assert "One independent source contradicts it: x.example (tier 4)." in assessment.reasons


@pytest.mark.parametrize("tiers", [(1,), (2, 2), (3, 3, 3)])
def test_nothing_is_verified_over_a_contradiction_that_stands_out(tiers: tuple[int, ...]) -> None:
    supporters = [source(f"S{n}", 1) for n in range(9)]
    others = [source(f"X{n}", tier) for n, tier in enumerate(tiers)]
    findings = [finding(f"F{each.id}", each.id, confidence=1.0) for each in supporters]
    findings += [finding(f"G{each.id}", each.id, AGAINST, 0.5, OPPOSITE) for each in others]
    assert weigh(findings, [*supporters, *others]).verdict is Verdict.DISPUTED


def test_papers_do_not_set_aside_what_a_public_body_has_in_its_own_document() -> None:
    sources = [source("A", 1), source("B", 1), source("C", 2, category="government"), source("D", 2)]
    against = [finding("F1", "A", AGAINST, quote=OPPOSITE), finding("F2", "B", AGAINST, quote=OPPOSITE)]
    assert weigh([*against, finding("F3", "C")], sources).verdict is Verdict.DISPUTED
    assert weigh([*against, finding("F3", "D")], sources).verdict is Verdict.CONTRADICTED
    papers = [source("A", 2), source("B", 3), source("D", 3)]
    told = [finding(f"F-{each.id}", each.id, quote=f"{each.id} has it that it was sold.") for each in papers]
    denied = finding("F0", "C", AGAINST, quote="The council has made no decision.")
    council = source("C", 2, domain="council.example", category="government")
    assert weigh([*told, denied], [*papers, council]).verdict is Verdict.DISPUTED
    assert weigh([*told, denied], [*papers, source("C", 2)]).verdict is Verdict.VERIFIED
    checkers = finding("F9", "E", quote="The deed of sale is in the register.")
    assert weigh([*told, checkers, denied], [*papers, source("E", 1), council]).verdict is Verdict.VERIFIED


def test_what_was_published_after_the_as_of_date_is_no_evidence() -> None:
    late = source("A", 1, excluded="published after 1 May 2024")
    assessment = weigh([finding("F1", "A")], [late])
    assert assessment.verdict is Verdict.UNVERIFIED
    assert assessment.supporting == ()
    assert "a.example is not counted: published after 1 May 2024." in assessment.reasons
    note = source("B", 1, domain="a.example")
    beside = weigh([finding("F1", "A"), finding("F2", "B")], [late.model_copy(update={"title": "Old work"}), note])
    assert "“Old work” is not counted: published after 1 May 2024." in beside.reasons


def test_a_speakers_last_word_stands_on_either_side() -> None:
    early = source("A", 2, domain="paper.example", published=dated("2024-01-19"))
    late = source("A2", 2, domain="paper.example", published=dated("2024-05-26"))
    denied, confirmed = finding("F1", "A", AGAINST, quote=OPPOSITE), finding("F2", "A2")
    assert weigh([denied, confirmed], [early, late]).verdict is Verdict.VERIFIED
    undated = late.model_copy(update={"published": None})
    assert weigh([denied, confirmed], [early, undated]).verdict is Verdict.UNVERIFIED


def test_an_outlet_that_takes_a_story_back_takes_it_back_for_its_copies() -> None:
    story: dict[str, Any] = {"story": "s1", "origin_of_story": "B"}
    wire = source("W", 2, domain="wire.example", published=dated("2024-01-19"), **story)
    copies = [source(name, 2, published=dated("2024-01-20"), **story) for name in "BCD"]
    back = source("W2", 2, domain="wire.example", published=dated("2024-01-26"), **story)
    said_so = [finding(f"F{each.id}", each.id) for each in (wire, *copies)]
    corrected = finding("F9", "W2", AGAINST, quote="The sum was the one that had been asked for.")
    assessment = weigh([*said_so, corrected], [wire, *copies, back])
    assert assessment.verdict is Verdict.CONTRADICTED
    assert assessment.independent_sources == 1
    assert "Four documents give what wire.example reported earlier and has since changed, and" in said(assessment)
    of_next_year = finding("F9", "W2", AGAINST, quote="Catches fell by 9 percent in 2023.")
    said_of_2022 = [each.model_copy(update={"quote": "Catches fell by 4 percent in 2022."}) for each in said_so]
    assert "since changed" not in said(weigh([*said_of_2022, of_next_year], [wire, *copies, back]))
    assert "repeat" not in said(assessment)

    papers = [source(each.id, 2, published=each.published, owner="Reach", **story) for each in (*copies[1:], back)]
    differing = weigh([*said_so[1:], corrected], [copies[0], *papers])
    assert "w2.example changed the story when copying it from b.example" in said(differing)


def test_a_sister_paper_with_another_figure_is_no_correction() -> None:
    story: dict[str, Any] = {"story": "s1", "origin_of_story": "W"}
    wire = source("W", 1, published=dated("2024-01-18"), **story)
    slip, right = (source(each, 2, owner="Ledger Group", published=dated("2024-01-19"), **story) for each in "AB")
    found = [finding("F1", "W"), finding("F2", "A", AGAINST, quote="30 tonnes were spilled."), finding("F3", "B")]
    assert "One independent source supports it: w.example (tier 1)." in weigh(found, [wire, slip, right]).reasons


def test_copies_of_an_origin_that_does_not_say_it_are_one_source_whoever_is_reported() -> None:
    papers = [source(name, 2, story="s1", origin_of_story="O") for name in "OAB"]
    reported = finding("F2", "B", quote="So it is.", details=spoken("authority", "Harbour Inspectorate"))
    assert weigh([finding("F1", "A"), reported], papers).independent_sources == 1


def test_only_a_name_is_reported_and_the_issuer_of_a_release_is_given() -> None:
    for who, reported in (("A surveyor", False), ("Ada Holt", True)):
        found = finding("F1", "A", details=spoken("expert", who, mode="measured"))
        assert ("reporting" in said(weigh([found], [source("A", 2)]))) is reported
    wire = source("A", 3, category="press_release", press_release=True, author="Harlow plc")
    assert (
        "Only a press release (Harlow plc, a.example) says so; this is a party's own statement."
        in weigh([finding("F1", "A")], [wire]).reasons
    )


def test_two_papers_of_one_owner_do_not_correct_each_other() -> None:
    story: dict[str, Any] = {"story": "s1", "origin_of_story": "W"}
    wire = source("W", 1, published=dated("2024-01-18"), **story)
    wrong = source("P", 2, owner="Quill", published=dated("2024-01-19"), **story)
    right = source("Q", 2, owner="Quill", published=dated("2024-01-20"), **story)
    found = [finding("F1", "W"), finding("F2", "P", AGAINST, quote=OPPOSITE), finding("F3", "Q")]
    reasons = said(weigh(found, [wire, wrong, right]))
    assert "supports it: w.example (tier 1)" in reasons and "p.example changed the story" in reasons
    assert "One document repeats what w.example reports" in reasons


@pytest.mark.parametrize(
    ("details", "category", "verdict"),
    [
        ({}, "newspaper", Verdict.VERIFIED),
        (spoken("witness"), "newspaper", Verdict.UNVERIFIED),
        (spoken("witness"), "government", Verdict.VERIFIED),
        (spoken("unnamed"), "government", Verdict.UNVERIFIED),
        (spoken("opponent", "Rival plc"), "newspaper", Verdict.UNVERIFIED),
        (spoken("media", "Harbour Mail"), "newspaper", Verdict.UNVERIFIED),
        (spoken("media", "Reuters"), "newspaper", Verdict.VERIFIED),
        (spoken("media", "Reuters", mode="alleged"), "newspaper", Verdict.UNVERIFIED),
        (spoken("expert", "Dr Lee Ohm", mode="measured"), "newspaper", Verdict.VERIFIED),
        ({"mode": "hypothetical"}, "government", Verdict.UNVERIFIED),
    ],
)
def test_what_a_statement_counts_for_follows_from_its_speaker_and_mode(
    details: dict[str, Any], category: str, verdict: Verdict
) -> None:
    found = finding("F1", "A", details=details)
    assert weigh([found], [source("A", 2, category=category)]).verdict is verdict


BAN = "Rented scooters have been banned in Lenn since 1 May 2025."


@pytest.mark.parametrize(
    ("text", "speaker", "mode", "verdict"),
    [
        ("Harlow's sales will exceed 2 billion euros in 2026.", ("expert", "Ohm Bank"), "expected", "unverified"),
        (
            "Harlow's sales will exceed 2 billion euros in 2026.",
            ("authority", "the Treasury"),
            "expected",
            "unverified",
        ),
        ("Harlow's sales will exceed 2 billion euros in 2026.", ("document", ""), "expected", "unverified"),
        ("Harlow's sales exceeded 2 billion euros in 2026.", ("expert", "Ohm Bank"), "measured", "verified"),
        ("Ohm Bank expects Harlow's sales to exceed 2 billion euros.", ("expert", "Ohm Bank"), "expected", "verified"),
        ("Harlow will close its plant in Lenn.", ("authority", "the council"), "planned", "verified"),
    ],
)
def test_a_forecast_verifies_only_a_claim_about_that_forecast(
    text: str, speaker: tuple[str, str], mode: str, verdict: str
) -> None:
    found = [finding(f"F{name}", name, quote=f"{name}: 2.1.", details=spoken(*speaker, mode=mode)) for name in "AB"]
    assert weigh(found, [source("A", 2), source("B", 2)], claim(text)).verdict == verdict


def ruling(id: str, source_id: str, mode: str, court: str = "", **details: Any) -> Finding:
    """A ruling in the court's own document, or that of a named court as reported by a paper."""
    stance = Stance.SUPPORTS if mode == "ruled_true" else AGAINST
    details |= spoken("authority", court, mode=mode) if court else {"mode": mode}
    return finding(id, source_id, stance, quote=f"{source_id} on the patent.", details=details)


LOWER, HIGHER = "Harlow Regional Court", "Harlow Appeal Court"


@pytest.mark.parametrize("papers", [1, 3])
@pytest.mark.parametrize(
    ("first", "last", "verdict"),
    [("ruled_true", "ruled_false", Verdict.CONTRADICTED), ("ruled_false", "ruled_true", Verdict.VERIFIED)],
)
def test_a_later_ruling_counts_instead_of_the_earlier_one_however_many_report_that(
    papers: int, first: str, last: str, verdict: Verdict
) -> None:
    courts = [
        source("C", 2, category="court", published=dated("2024-05-16")),
        source("D", 2, category="court", published=dated("2026-03-26")),
    ]
    names = [f"P{number}" for number in range(papers)]
    found = [ruling("F0", "C", first), ruling("F1", "D", last)]
    found += [ruling(f"F-{name}", name, first, f"{LOWER} {name}") for name in names]
    reports = [source(name, 2, published=dated("2024-05-17")) for name in names]
    assessment = weigh(found, [*courts, *reports])
    assert assessment.verdict is verdict
    assert "later findings from other sources count instead" in said(assessment)


def test_a_fact_check_or_a_ruling_of_unknown_or_the_same_date_reverses_no_ruling() -> None:
    court = source("C", 1, category="court", published=dated("2024-05-16"))
    for later in (
        source("D", 2, published=dated("2026-03-26"), category="fact_check"),
        source("D", 1, category="court"),
        source("D", 1, category="court", published=dated("2024-05-16")),
    ):
        assessment = weigh([ruling("F0", "C", "ruled_true"), ruling("F1", "D", "ruled_false")], [court, later])
        assert assessment.verdict is not Verdict.CONTRADICTED
        assert "later findings from other sources count instead" not in said(assessment)


def test_an_old_ruling_that_is_reported_again_does_not_come_after_the_new_one() -> None:
    papers = [source("A", 2, published=dated("2024-05-17")), source("B", 2, published=dated("2026-06-01"))]
    higher = source("D", 1, category="court", published=dated("2026-03-26"))
    found = [
        ruling("F0", "A", "ruled_true", LOWER),
        ruling("F1", "B", "ruled_true", LOWER, as_of="2024-05-16"),
        ruling("F2", "D", "ruled_false"),
    ]
    assert weigh(found, [*papers, higher]).verdict is Verdict.CONTRADICTED
    # The date of a ruling's subject does not make a new ruling older than pages published before it.
    about = [ruling("F1", "A", "ruled_true", LOWER), ruling("F2", "D", "ruled_false", as_of="2019")]
    assert weigh(about, [papers[0], higher]).verdict is not Verdict.VERIFIED


def test_releases_of_two_companies_on_one_wire_are_the_words_of_two_parties() -> None:
    wire: dict[str, Any] = {"domain": "wire.example", "owner": "Ohm Holding", "category": "press_release"}
    releases = [
        source("P", 3, press_release=True, title="Harlow Opens Works", published=dated("2025-01-01"), **wire),
        source("R", 3, press_release=True, title="Brackwell Replies", published=dated("2025-02-01"), **wire),
    ]
    found = [finding("F1", "P"), finding("F2", "R", AGAINST, quote=OPPOSITE)]
    assessment = weigh(found, releases, claim("Harlow has bought the works of Brackwell."))
    assert assessment.verdict is Verdict.UNVERIFIED
    assert assessment.independent_sources == 0
    assert "Ohm" not in said(assessment)


def test_an_older_copy_or_report_is_not_measured_by_what_its_origin_said_later() -> None:
    changed = "changed the story when copying it"
    story: dict[str, Any] = {"story": "s1", "origin_of_story": "O"}
    withdrawn = finding("F1", "O", AGAINST, quote=OPPOSITE, details={"mode": "withdrawn"})
    for day, deviates in (("2025-06-05", False), ("2025-07-09", True)):
        sources = [
            source("O", 2, published=dated("2025-07-02"), **story),
            source("D", 2, published=dated(day), **story),
        ]
        assert (changed in said(weigh([withdrawn, finding("F2", "D")], sources))) is deviates
    office: dict[str, Any] = {"domain": "lenn.example", "publisher": "Lenn Council", "category": "government"}
    notices = [source("N", 2, published=dated("2022-11-03"), **office)]
    notices.append(source("M", 2, published=dated("2025-06-17"), **office))
    paper = source("A", 2, published=dated("2022-11-04"))
    reported = finding("F3", "A", quote="The works are shut, it said.", details=spoken("authority", "Lenn Council"))
    found = [finding("F1", "N", quote="Shut."), finding("F2", "M", AGAINST, quote="Open again."), reported]
    assert changed not in said(weigh(found, [*notices, paper]))
    assert changed in said(weigh(found[1:], [notices[1], paper.model_copy(update={"published": dated("2025-07-01")})]))


@pytest.mark.parametrize(
    ("name", "domain", "category", "witnesses"),
    [
        ("FHB", "fhb.example", "regulator", 1),
        ("Board of Fisheries and Harbour", "bfh.example", "regulator", 1),
        ("Board of Fisheries and Harbour", "bfh.example", "newspaper", 2),
        ("Board of Fisheries and Harbour", "lenn.example", "regulator", 2),
        ("Tribunal of Lenn", "tribunal.lenn.justice.example", "court", 1),
        ("Tribunal of Oster", "tribunal.lenn.justice.example", "court", 2),
    ],
)
def test_an_authority_is_known_by_the_address_of_its_page(
    name: str, domain: str, category: str, witnesses: int
) -> None:
    site = ".".join(domain.split(".")[-2:])
    page = source("N", 1, domain=site, url=f"https://{domain}/a", category=category)
    found = [finding("F1", "N", quote="300 t."), finding("F2", "A", quote="300.", details=spoken("authority", name))]
    assert weigh(found, [page, source("A", 2)]).independent_sources == witnesses


def test_a_later_figure_of_an_office_replaces_the_one_that_a_paper_had_from_it() -> None:
    final = source("N", 2, category="statistics", published=dated("2024-05-02"))
    for day, verdict in (("2024-04-02", Verdict.CONTRADICTED), ("2024-06-02", Verdict.DISPUTED)):
        found = finding("F1", "N", AGAINST, 0.9, OPPOSITE, details={"mode": "measured"})
        first = finding("F2", "A", details=spoken("authority", "the office", mode="measured"))
        assert weigh([found, first], [final, source("A", 2, published=dated(day))]).verdict is verdict


@pytest.mark.parametrize(
    ("category", "own", "reported", "tier", "verdict"),
    [
        ("statistics", {"mode": "measured"}, {"first_hand": False}, 2, Verdict.CONTRADICTED),
        ("statistics", {"mode": "measured"}, {"first_hand": True}, 2, Verdict.DISPUTED),
        ("statistics", {"mode": "fact", "first_hand": True}, {"first_hand": False}, 2, Verdict.DISPUTED),
        ("statistics", {"mode": "fact", "first_hand": True}, {"first_hand": False}, 3, Verdict.CONTRADICTED),
        ("fact_check", {"mode": "ruled_false"}, {"first_hand": False}, 2, Verdict.CONTRADICTED),
        ("newspaper", {"mode": "withdrawn"}, {"first_hand": False}, 2, Verdict.CONTRADICTED),
        (
            "fact_check",
            {"mode": "ruled_false"},
            spoken("expert", "researchers") | {"first_hand": False},
            2,
            Verdict.CONTRADICTED,
        ),
        ("statistics", {"mode": "measured"}, spoken("expert", "Ada Holt") | {"first_hand": False}, 2, Verdict.DISPUTED),
        ("statistics", {"mode": "measured"}, spoken("authority", "Harbour Board"), 2, Verdict.DISPUTED),
        ("newspaper", {"mode": "measured"}, {"first_hand": False}, 2, Verdict.DISPUTED),
    ],
)
def test_what_was_only_reported_is_replaced_by_who_decides_it_later(
    category: str, own: dict[str, Any], reported: dict[str, Any], tier: int, verdict: Verdict
) -> None:
    decided = source("N", 2, category=category, published=dated("2024-05-02"))
    paper = source("A", tier, published=dated("2024-04-02"))
    against = finding("F1", "N", AGAINST, 0.9, OPPOSITE, details=own)
    found = finding("F2", "A", details={"mode": "fact"} | reported)
    assert weigh([against, found], [decided, paper]).verdict is verdict


def test_a_date_of_a_year_alone_comes_before_no_day_of_that_year() -> None:
    notice = source("A", 2, category="regulator", published=dated("2024-01-01", Precision.YEAR))
    earlier = source("B", 2, category="regulator", domain=notice.domain, published=dated("2024-03-18"))
    found = [finding("F1", "A"), finding("F2", "B", AGAINST, 0.9, OPPOSITE)]
    assert weigh(found, [notice, earlier]).verdict is not Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("details", "counts"),
    [
        (spoken("party", "", mode="denied"), False),
        (spoken("party", "") | {"first_hand": False}, False),
        (spoken("party", ""), True),
    ],
)
def test_a_newsroom_that_denies_or_passes_on_what_a_party_says_is_no_witness(
    details: dict[str, Any], counts: bool
) -> None:
    found = [finding("F1", "A", AGAINST, 0.9, OPPOSITE, details=details), finding("F2", "B")]
    reasons = weigh(found, [source("A", 2, category="newspaper"), source("B", 2)]).reasons
    assert any("independent source contradicts" in each for each in reasons) is counts


def test_what_an_authority_found_later_as_reported_outranks_its_own_earlier_denial() -> None:
    board = source("A", 1, domain="lenn-harbour-board.example", category="regulator", published=dated("2024-03-18"))
    paper = source("B", 2, published=dated("2024-05-10"))
    denial = finding("F1", "A", AGAINST, 0.9, OPPOSITE, details={"mode": "denied"})
    found = finding("F2", "B", details=spoken("authority", "Lenn Harbour Board", mode="measured"))
    assert weigh([denial, found], [board, paper]).verdict is Verdict.VERIFIED


def test_who_denies_that_he_said_it_is_a_party_to_the_claim() -> None:
    denial = finding(
        "F1", "A", AGAINST, 0.9, OPPOSITE, details=spoken("party", "Ada Holt", mode="denied") | {"about_words": True}
    )
    found = [denial, finding("F2", "B"), finding("F3", "C", quote="300.")]
    assert weigh(found, [source(id, 2) for id in "ABC"]).verdict is Verdict.VERIFIED


def test_what_was_true_before_a_change_does_not_outweigh_a_report_of_it() -> None:
    sources = [source(id, 1, category="statistics", published=dated("2024-04-02")) for id in "AB"]
    later = source("N", 2, published=dated("2024-05-02"))
    found = [finding(f"F{id}", id, quote=f"300 {id}.", details={"mode": "measured"}) for id in "AB"]
    for kind, verdict in ((ContradictionType.DIRECT, Verdict.VERIFIED), (ContradictionType.TIMELINE, Verdict.DISPUTED)):
        against = finding("F1", "N", AGAINST, 0.8, OPPOSITE, contradiction_type=kind)
        assert weigh([against, *found], [later, *sources]).verdict is verdict


def test_what_a_town_says_of_itself_is_evidence_only_against_what_others_say() -> None:
    town = [source("A", 2, category="government"), source("B", 2)]
    by_town = finding("F1", "A", details=spoken("party", ""))
    assert weigh([by_town], town).independent_sources == 0
    against = finding("F1", "A", AGAINST, 0.9, OPPOSITE, details=spoken("party", ""))
    assert weigh([against, finding("F2", "B")], town).verdict is Verdict.DISPUTED


def test_a_ruling_that_explains_the_context_finds_the_whole_claim_false() -> None:
    for mode, verdict in (("fact", Verdict.PARTIALLY_TRUE), ("ruled_false", Verdict.DISPUTED)):
        context = finding(
            "F1", "A", AGAINST, 0.9, OPPOSITE, contradiction_type=ContradictionType.CONTEXTUAL, details={"mode": mode}
        )
        assert weigh([context, finding("F2", "B")], [source("A", 2), source("B", 2)]).verdict is verdict


def test_who_admits_is_the_party_and_not_the_paper_that_quotes_it() -> None:
    own = source("P", 3, press_release=True, owner="Harlow", published=dated("2024-01-02"))
    paper = source("A", 2, published=dated("2024-05-02"))
    for name, named in (("Harlow", "Harlow, against its own interest"), ("a spokesman", "a.example (tier 2)")):
        later = finding("F2", "A", AGAINST, 0.9, OPPOSITE, details=spoken("party", name))
        assert named in said(weigh([finding("F1", "P", details=spoken("party", name)), later], [own, paper]))


def test_who_announced_it_has_not_seen_it_happen_and_who_tells_of_it_on_the_day_has() -> None:
    ban = claim(BAN)
    before = [source("A", 1, published=dated("2025-01-22")), source("B", 2, published=dated("2025-01-26"))]
    court = source("C", 2, published=dated("2025-05-03"))
    told = [
        finding("F1", "A", quote="From May nobody may ride one."),
        finding("F2", "B", quote="They are to go in May."),
    ]
    assert weigh(told, before, ban).verdict is Verdict.VERIFIED, "nobody tells yet what came of it"
    annulled = finding("F3", "C", AGAINST, quote="The order never took effect.")
    assessment = weigh([*told, annulled], [*before, court], ban)
    assert assessment.verdict is Verdict.CONTRADICTED
    assert "a.example (tier 1) and b.example (tier 2) date from before it was due to happen" in said(assessment)
    told = [finding("F1", "A", quote="They are gone from today."), finding("F2", "B", quote="They are gone.")]
    seen = [source("A", 2, published=dated("2025-05-01")), source("B", 2, published=dated("2025-05-02"))]
    assert weigh(told, seen, claim(BAN)).independent_sources == 2


def test_two_studies_of_one_publisher_are_two_witnesses() -> None:
    journals = [
        source(
            name, 1, category="scholarly", domain="journals.example", url=f"https://journals.example/doi/10.1111/{doi}"
        )
        for name, doi in (("A", "1365-2664.14977"), ("B", "1365-2664.70188"))
    ]
    found = [finding("F1", "A", quote="Counts doubled."), finding("F2", "B", AGAINST, quote="Counts did not change.")]
    assert weigh([found[0], finding("F2", "B", quote="They rose twofold.")], journals).independent_sources == 2
    assert weigh(found, journals).verdict is Verdict.DISPUTED


def test_where_time_lies_between_the_sides_the_later_word_stands() -> None:
    fined = claim("The penalty that Brinewerk has to pay is 1.5 million crowns.")
    may = source("A", 2, published=dated("2025-05-11"))
    october = source("B", 2, published=dated("2025-10-02"))
    older = finding(
        "F1", "A", AGAINST, quote="It has to pay 4 million crowns.", contradiction_type=ContradictionType.TIMELINE
    )
    lowered = finding("F2", "B", quote="On appeal the sum was lowered to 1.5 million.")
    assessment = weigh([older, lowered], [may, october], fined)
    assert assessment.verdict is Verdict.VERIFIED
    assert "a.example (tier 2) gives what was known earlier" in said(assessment)
    outright = older.model_copy(update={"contradiction_type": ContradictionType.DIRECT})
    assert weigh([outright, lowered], [may, october], fined).verdict is Verdict.DISPUTED, "no time lies between them"
    undated = may.model_copy(update={"published": None})
    assert weigh([older, lowered], [undated, october], fined).verdict is Verdict.DISPUTED


def test_what_is_contradicted_later_still_overtakes_nothing() -> None:
    cap = claim("The rent cap of Lenn has been in force since 1 July 2025.")
    court = source("A", 3, published=dated("2025-06-29"))
    paper, gazette = source("B", 2, published=dated("2025-07-02")), source("C", 3, published=dated("2025-09-15"))
    stayed = finding(
        "F1", "A", AGAINST, quote="It may not be applied yet.", contradiction_type=ContradictionType.TIMELINE
    )
    begun = finding("F2", "B", quote="Since Tuesday rents are capped.")
    frozen = finding("F3", "C", AGAINST, quote="The cap is still frozen.")
    assert "gives what was known earlier" in said(weigh([stayed, begun], [court, paper], cap))
    assert "gives what was known earlier" not in said(weigh([stayed, begun, frozen], [court, paper, gazette], cap))


def test_a_site_that_is_called_like_a_place_is_no_party_to_what_happens_there() -> None:
    flats = claim("Three out of four flats completed in Lennheim in 2025 were not social housing.")
    office = source("A", 2, domain="lennheim.example", category="unknown")
    office = office.model_copy(update={"rating": office.rating.model_copy(update={"known": False})})
    counted = finding("F1", "A", quote="Of 2,090 flats 502 were subsidised.")
    assert "party's own statement" not in said(weigh([counted], [office], flats))


def test_what_was_so_until_somebody_as_credible_found_otherwise_is_contradicted() -> None:
    record = claim("Mira Holt holds the world record.")
    run, struck = source("A", 2, published=dated("2025-09-20")), source("B", 2, published=dated("2025-11-04"))
    ran = finding("F1", "A", quote="Nobody has been faster.")
    lost = finding("F2", "B", AGAINST, quote="It was struck out.", contradiction_type=ContradictionType.TIMELINE)
    assert weigh([ran, lost], [run, struck], record).verdict is Verdict.CONTRADICTED
    blog = struck.model_copy(update={"rating": source("B", 4).rating})
    assert weigh([ran, lost], [run, blog], record).verdict is not Verdict.CONTRADICTED, "a blog overtakes no paper"


def test_what_somebody_contradicts_outright_is_not_true_in_the_letter() -> None:
    paper, office, checkers = source("A", 3), source("B", 3), source("C", 2)
    doubled = finding("F1", "A", quote="There are two robberies for each one before.")
    counted = finding("F2", "B", AGAINST, quote="Robberies: 512, 531, 560, 549, 558.")
    in_context = finding(
        "F3",
        "C",
        AGAINST,
        quote="Like beside like it was nine percent.",
        contradiction_type=ContradictionType.CONTEXTUAL,
    )
    assert weigh([doubled, in_context], [paper, checkers]).verdict is Verdict.PARTIALLY_TRUE
    assert weigh([doubled, counted, in_context], [paper, office, checkers]).verdict is Verdict.CONTRADICTED


def test_what_nobody_credible_says_and_others_set_in_another_light_is_disputed() -> None:
    rumour = source("A", 3, domain="portal.example")
    guard = source("B", 2, domain="guard.example")
    heard = finding("F1", "A", quote="Nine were hurt, a voice message says.", details=spoken("unnamed"))
    logged = finding(
        "F2", "B", AGAINST, quote="The log tells of smoke.", contradiction_type=ContradictionType.CONTEXTUAL
    )
    assessment = weigh([heard, logged], [rumour, guard])
    assert assessment.verdict is Verdict.DISPUTED
    assert (
        assessment.reasons[0] == "No credible source supports its literal wording, and others present it differently."
    )
    blog = source("A", 4)
    assert weigh([finding("F1", "A"), logged], [blog, guard]).verdict is Verdict.CONTRADICTED, "who is not credible"
    unsure = logged.model_copy(update={"confidence": 0.5})
    assert weigh([finding("F1", "A"), unsure], [blog, guard]).verdict is Verdict.DISPUTED
    assert weigh([finding("F1", "A"), logged], [rumour, guard]).verdict is Verdict.PARTIALLY_TRUE


def test_what_a_party_filed_is_no_copy_of_what_papers_made_of_it() -> None:
    story: dict[str, Any] = {"story": "s1", "origin_of_story": "W"}
    wire = source("W", 2, category="wire", published=dated("2025-05-01"), **story)
    filing = source("S", 1, category="regulator", published=dated("2025-05-01"), **story)
    said_by, filed_by = spoken("party", "company"), spoken("party", "company", against_self=True)
    told = finding("F1", "W", AGAINST, quote="Nothing was decided, the company said.", details=said_by)
    filed = finding("F2", "S", AGAINST, quote="The board has made no decision.", details=filed_by)
    assert weigh([told, filed], [wire, filing]).verdict is Verdict.CONTRADICTED
    assert weigh([told], [wire, filing]).verdict is Verdict.UNVERIFIED


def test_a_company_s_own_data_against_its_own_claim_is_its_word_against_itself() -> None:
    own: dict[str, Any] = {"domain": "works.example", "category": "company"}
    report, appendix = source("R", 3, **own), source("D", 3, **own)
    itself = spoken("party", "Works")
    made = finding("F1", "R", quote="Ninety-six percent of our packaging is recyclable.", details=itself)
    data = finding("F2", "D", AGAINST, quote="Collected and sorted where it is sold: 71 percent.", details=itself)
    about = claim("Ninety-six percent of our packaging is recyclable.")
    assert weigh([made, data], [report, appendix], about).verdict is Verdict.CONTRADICTED
    assert weigh([data], [appendix], about).verdict is Verdict.UNVERIFIED


def test_a_boast_against_what_the_company_measured_is_no_admission() -> None:
    own: dict[str, Any] = {"domain": "works.example", "category": "company"}
    page, accounts, paper = source("P", 3, **own), source("R", 3, **own), source("A", 2)
    itself = spoken("party", "Works")
    boast = finding("F1", "P", AGAINST, quote="It supplies 310 GWh a year.", details=itself)
    measured = finding("F2", "R", quote="It generated 204 GWh.", details={**itself, "mode": "measured"})
    told = finding("F3", "A", quote="The works generated 204 GWh in 2025.")
    about = claim("The Works plant generated 204 GWh in 2025.")
    assert "source contradicts it" not in said(weigh([boast, measured, told], [page, accounts, paper], about))


def test_what_a_release_says_beside_a_report_of_the_same_day_is_no_admission() -> None:
    release = source("R", 4, press_release=True, published=dated("2026-03-03"), title="Works lifts sales")
    paper, wire = (source(name, 2, published=dated(day)) for name, day in (("P", "2026-03-03"), ("Q", "2025-03-04")))
    itself: dict[str, Any] = {"details": spoken("party", "Works")}
    found = [
        finding("F1", "R", AGAINST, quote="Sales were 704 million."),
        finding("F2", "P", quote="Works lost 61 million.", **itself),
        finding("F3", "Q", AGAINST, quote="Works made 12 million in 2024.", **itself),
    ]
    about = claim("Works made a loss of 61 million in 2025.")
    assert weigh(found, [release, paper, wire], about).verdict is Verdict.UNVERIFIED
    later = source("P", 2, published=dated("2026-03-02"))
    taken_back = weigh(found[:2], [release, later], about)
    assert "against its own interest" in said(taken_back) and taken_back.verdict is Verdict.CONTRADICTED


def test_what_a_company_called_off_is_not_true_by_what_papers_had_of_its_plan() -> None:
    own: dict[str, Any] = {"domain": "works.example", "category": "company"}
    plan, revoked = (
        source("P", 3, published=dated("2025-03-04"), **own),
        source("R", 3, published=dated("2025-10-21"), **own),
    )
    paper = source("A", 2, published=dated("2025-03-05"))
    itself = spoken("party", "Works")
    announced = finding("F1", "P", quote="The site shuts next June.", details=itself)
    told = finding("F2", "A", quote="Works ends its production there.")
    off = finding("F3", "R", AGAINST, quote="Production goes on.", details=itself)
    assert weigh([announced, told], [plan, paper]).verdict is Verdict.VERIFIED
    assert weigh([announced, told, off], [plan, paper, revoked]).verdict is Verdict.CONTRADICTED
    office = source("O", 2, domain="office.example", category="government", published=dated("2025-03-05"))
    seen = finding("F4", "O", quote="The site was found shut.")
    assert weigh([announced, seen, off], [plan, office, revoked]).verdict is Verdict.DISPUTED


def test_the_we_of_a_court_a_newsroom_or_a_study_is_no_partys() -> None:
    court = source("C", 2, category="court")
    held = finding("F1", "C", AGAINST, quote="We make no finding on the sum.", details=spoken("party"))
    assert weigh([held], [court]).verdict is Verdict.CONTRADICTED
    assert weigh([held], [source("C", 2, domain="works.example", category="company")]).verdict is Verdict.UNVERIFIED
    filed = finding("F1", "C", quote="We have enough for two years.", details=spoken("party", "Works"))
    assert weigh([filed], [source("C", 1, category="regulator")]).verdict is Verdict.UNVERIFIED
    paper = source("A", 2, category="newspaper")
    seen = finding("F1", "A", quote="The invoice, which we have seen, is for 300 tonnes.", details=spoken("party"))
    assert weigh([seen], [paper]).verdict is Verdict.VERIFIED
    assert weigh([seen], [source("A", 2, category="company")]).verdict is Verdict.UNVERIFIED
    found = finding("F1", "A", quote="We found that the works spill brine.", details=spoken("party"))
    also = finding("F2", "B")
    for category, verdict in (("scholarly", Verdict.VERIFIED), ("ngo", Verdict.UNVERIFIED)):
        papers = [source("A", 3, category=category), source("B", 3)]
        assert weigh([found, also], papers).verdict is verdict


def test_where_one_says_that_time_has_passed_over_a_claim_others_of_that_time_need_not() -> None:
    town = source("T", 2, published=dated("2024-10-02"))
    trade, local = source("A", 2, published=dated("2026-05-27")), source("B", 3, published=dated("2026-05-22"))
    largest = finding("F1", "T", quote="It is the largest of its kind.")
    taken = finding("F2", "A", AGAINST, quote="Another takes over the record.")
    lost = finding(
        "F3", "B", AGAINST, quote="Since Monday one is larger.", contradiction_type=ContradictionType.TIMELINE
    )
    assert weigh([largest, taken, lost], [town, trade, local]).verdict is Verdict.CONTRADICTED
    assert weigh([largest, taken], [town, trade]).verdict is Verdict.DISPUTED


def test_who_reports_a_copy_reports_what_that_copies() -> None:
    story: dict[str, Any] = {"story": "s1", "origin_of_story": "A"}
    student, paper, magazine = (
        source("A", 2, **story),
        source("B", 2, publisher="Lenn Rundschau", **story),
        source("C", 2),
    )
    put_right = finding("F1", "A", AGAINST, quote="It was 4,000 samples.")
    copied = finding("F2", "B", quote="Some 14,000 samples thawed.")
    handed_on = finding("F3", "C", quote="14,000 thawed.", details=spoken("authority", "Lenn Rundschau"))
    assert weigh([put_right, copied, handed_on], [student, paper, magazine]).independent_sources <= 1
    assert weigh([put_right, copied, handed_on], [student, paper, magazine]).verdict is not Verdict.DISPUTED


NOTHING = assess_claim(claim(), [], {})


def test_where_everybody_answered_nothing_is_added_and_rounds_add_up() -> None:
    assert with_coverage(NOTHING, Coverage(answered=4)) == NOTHING
    both = Coverage(answered=1, out=("brave",), unread=("p",)) + Coverage(
        answered=2, out=("brave", "exa"), unread=("p",)
    )
    assert both == Coverage(answered=3, out=("brave", "exa"), unread=("p",))


@pytest.mark.parametrize(
    "coverage", [Coverage(answered=2, out=("brave",)), Coverage(answered=2, unread=("p", "q", "r"), read=1)]
)
def test_no_sentence_says_nothing_was_found_without_what_could_not_be_asked(coverage: Coverage) -> None:
    found = with_coverage(NOTHING, coverage)
    silent = [each for each in found.reasons if "Nothing was found" in each]
    assert silent and found.lacks and all(found.lacks in each for each in silent)
    assert found.checked and found.verdict is Verdict.UNVERIFIED
    assert [*found.lacking.values()] == [lacking(coverage)]


def test_where_nobody_answered_or_nothing_could_be_read_the_claim_could_not_be_checked() -> None:
    found = with_coverage(NOTHING, Coverage(out=("brave", "serper")))
    assert not found.checked and found.verdict is Verdict.UNVERIFIED
    assert found.reasons == ("It could not be checked: brave and serper could not be queried.",)
    found = with_coverage(NOTHING, Coverage(answered=4, unread=("p", "q", "r")))
    assert not found.checked
    assert found.reasons == ("It could not be checked: three pages could not be read.",)


@pytest.mark.parametrize(
    ("coverage", "said"),
    [
        (Coverage(answered=2), "Nothing was found that supports or contradicts the claim."),
        (
            Coverage(answered=2, out=("brave",)),
            "Nothing was found that supports or contradicts the claim, and brave did not answer.",
        ),
        (Coverage(out=("brave", "serper")), "Brave and serper could not be queried."),
    ],
)
def test_what_is_asked_for_again_says_who_was_silent(coverage: Coverage, said: str) -> None:
    code = sentence(reason("gap_nothing_found"))
    gap = Reinvestigation(
        claim_id="C1",
        desks=("news",),
        gap=Gap.NOTHING_FOUND,
        evidence_gap=in_words(code),
        evidence_gap_code=code,
        refined_queries=(),
        required_evidence="A page.",
        iteration=2,
    )
    found = gap_with_coverage(gap, coverage)
    assert found is not None and found.evidence_gap == said
    assert gap_with_coverage(None, coverage) is None


def test_an_unrated_register_beside_a_companys_word_is_named_and_the_company_is_not_alone() -> None:
    about = claim("Norvane has been registered under EMAS since 2014.")
    own = finding("F1", "A", details={"speaker": {"kind": "party", "name": "Norvane"}, "mode": "fact"})
    register = source("B", 4, domain="emas-register.example", category="unknown")
    words = said(weigh([own, finding("F2", "B")], [source("A", 3), register], about))
    assert "Only" not in words
    assert "emas-register.example (tier 4)" in words
