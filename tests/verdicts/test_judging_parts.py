"""The verdict on a claim of several statements: those supported, contradicted, and not mentioned by any source."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.check import Gap
from inquest.domain.finding import Finding, Stance, Verdict
from inquest.domain.reasons import in_words, sentences
from inquest.domain.source import Source
from inquest.verdicts.judging import Judged
from inquest.verdicts.judging_evidence import said_of_check
from inquest.verdicts.weighing_reasons import reason
from tests.case_parts import claim, finding, source
from tests.verdicts.test_judging import AGAINST, check, judge, news

EMISSIONS = "Velmora Textiles cut its Scope 1 emissions by 12 % in 2023"
POWER = "moved all plants to certified power"
LEADER = "was named leader by the rating agency Grenval"
CLAIM = claim(f"{EMISSIONS}, {POWER} and {LEADER}.")
SOURCES = [source("A", 1), source("B", 2), source("C", 2), source("D", 4)]
QUOTES = {
    EMISSIONS: "Scope 1 emissions of Velmora Textiles fell by 12 % in 2023.",
    POWER: "Velmora Textiles moved all plants to certified power.",
    LEADER: "Velmora Textiles was named leader by the rating agency Grenval.",
}


def on(part: str, source_id: str, stance: Stance = Stance.SUPPORTS, confidence: float = 0.8) -> Finding:
    id = f"F-{source_id}-{stance.value}-{part[:5]}"
    return news(
        id,
        source_id,
        stance,
        confidence,
        quote=QUOTES[part],
        details={"covers": [[EMISSIONS, POWER, LEADER].index(part) + 1]},
    )


def judged(*findings: Finding, sources: Sequence[Source] = SOURCES) -> Judged:
    return judge(findings, sources, of=CLAIM)


def parts(found: Judged) -> list[Verdict]:
    return [each.verdict for each in found.assessment.parts]


def test_all_parts_borne_out_by_different_sources_verify_the_claim() -> None:
    found = judged(on(EMISSIONS, "A"), on(POWER, "B"), on(LEADER, "C"))
    assert found.assessment.verdict is Verdict.VERIFIED
    assert found.assessment.reasons[0] == "Each of the three statements in it is supported."
    assert found.assessment.single_source, "each part has one witness"
    assert "Part of it rests on one source" in " ".join(found.assessment.would_change)


def test_one_contradicted_among_others_is_true_in_part_and_each_part_is_named() -> None:
    found = judged(on(EMISSIONS, "A"), on(POWER, "B", AGAINST))
    assert found.assessment.verdict is Verdict.PARTIALLY_TRUE
    assert parts(found) == [Verdict.VERIFIED, Verdict.CONTRADICTED, Verdict.UNVERIFIED]
    assert found.assessment.reasons[0] == (
        f"Of three statements in it, one is supported (“{EMISSIONS}”), one is contradicted (“{POWER}”) "
        f"and nothing was found on one of them (“{LEADER}”)."
    )
    assert any(
        each.startswith(f"On “{POWER}”: One independent source contradicts it") for each in found.assessment.reasons
    )


def test_one_source_may_bear_out_one_part_and_contradict_another() -> None:
    found = judged(on(EMISSIONS, "A"), on(LEADER, "A"), on(POWER, "A", AGAINST))
    assert found.assessment.verdict is Verdict.PARTIALLY_TRUE
    assert not any("counts for neither side" in reason for reason in found.assessment.reasons)
    assert {each.id for each in (on(EMISSIONS, "A"), on(LEADER, "A"))} == set(found.assessment.supporting)


def test_contradicted_parts_alone_contradict_the_claim() -> None:
    assert judged(on(POWER, "A", AGAINST)).assessment.verdict is Verdict.CONTRADICTED
    every = [on(part, "A", AGAINST) for part in (EMISSIONS, POWER, LEADER)]
    assert judged(*every).assessment.verdict is Verdict.CONTRADICTED


def test_a_part_on_which_good_sources_differ_leaves_the_claim_disputed() -> None:
    found = judged(on(EMISSIONS, "A"), on(POWER, "B"), on(POWER, "C", AGAINST))
    assert found.assessment.verdict is Verdict.DISPUTED
    assert "one is disputed" in found.assessment.reasons[0]


def test_a_part_that_only_a_blog_speaks_of_is_open_and_it_is_said_so() -> None:
    found = judged(on(EMISSIONS, "A"), on(POWER, "D"))
    assert found.assessment.verdict is Verdict.PARTIALLY_TRUE
    assert "the evidence on one of them is too weak" in found.assessment.reasons[0]


def test_where_no_part_is_decided_the_verdict_is_as_it_was() -> None:
    found = judged(on(EMISSIONS, "D"))
    assert found.assessment.verdict is Verdict.UNVERIFIED and found.assessment.parts == ()


def test_evidence_that_does_not_tell_the_parts_apart_is_weighed_on_the_whole() -> None:
    every = [news(f"F{name}", name, quote="The auditors bear all of it out.") for name in "AB"]
    found = judged(*every)
    assert found.assessment.verdict is Verdict.VERIFIED and found.assessment.parts == ()


def test_what_nobody_speaks_of_is_looked_for_again_in_its_own_words() -> None:
    found = judged(on(EMISSIONS, "A"), on(POWER, "B"))
    assert found.gap is not None and found.gap.gap is Gap.NOTHING_FOUND
    assert f"“{LEADER}”" in found.gap.evidence_gap
    assert all("Grenval" in query or "leader" in query for query in found.gap.refined_queries)
    assert not any("Scope" in query for query in found.gap.refined_queries)


def test_a_failed_check_qualifies_a_claim_that_is_borne_out_part_by_part() -> None:
    every = [on(EMISSIONS, "A"), on(POWER, "B"), on(LEADER, "C"), check("F9", "sbti_validation", AGAINST)]
    assert judged(*every).assessment.verdict is Verdict.PARTIALLY_TRUE


STANCES = st.sampled_from([Stance.SUPPORTS, Stance.CONTRADICTS])
EVIDENCE = st.lists(
    st.tuples(st.sampled_from(list(QUOTES)), st.sampled_from("ABCD"), STANCES, st.floats(0.5, 1)), max_size=7
)


@given(EVIDENCE, st.randoms(use_true_random=False))
def test_the_order_of_findings_changes_nothing_and_the_whole_follows_its_parts(
    told: list[tuple[str, str, Stance, float]], shuffle: object
) -> None:
    found = list({each.id: each for each in (on(*one) for one in told)}.values())
    first, second = judged(*found), judged(*reversed(found))
    assert first.assessment == second.assessment
    said = {each.verdict for each in first.assessment.parts}
    verdict = first.assessment.verdict
    if said == {Verdict.VERIFIED}:
        assert verdict is Verdict.VERIFIED
    if said and verdict is Verdict.VERIFIED:
        assert said == {Verdict.VERIFIED}
    if said and verdict is Verdict.CONTRADICTED:
        assert not said & {Verdict.VERIFIED, Verdict.PARTIALLY_TRUE}
    for part in first.assessment.parts:
        assert all(f"{part.words[:5]}" in fid for fid in (*part.supporting, *part.contradicting))


def test_a_check_is_told_in_whole_sentences() -> None:
    codes = [reason("copies", number=number, name=f"{'Harbour ' * number}Post") for number in (2, 3, 4)]
    summary = " ".join(sentences(codes))
    found = finding("F1", "A", summary=summary, summary_codes=tuple(codes), evidence_type="sbti_validation")
    said = in_words(said_of_check("verdicts.check_fails", found, len(summary) - 5))
    assert said.endswith(f" {' '.join(sentences(codes[:2]))}")
