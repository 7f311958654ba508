"""Properties of weighing for any evidence: order, copies, independence, reasons."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.claim import Claim
from inquest.domain.finding import ContradictionType, Finding, Mode, SpeakerKind, Stance, Verdict
from inquest.domain.source import Source
from tests.case_parts import claim, dated, finding, source, spoken
from tests.verdicts.test_weighing import OPPOSITE, weigh

FOR, AGAINST, UNASSESSED = Stance.SUPPORTS, Stance.CONTRADICTS, Stance.UNASSESSED


NAMES = tuple("ABCDEFGH")
VERDICT_RANK = {
    Verdict.CONTRADICTED: 0,
    Verdict.DISPUTED: 1,
    Verdict.UNVERIFIED: 1,
    Verdict.PARTIALLY_TRUE: 2,
    Verdict.VERIFIED: 3,
}
QUOTES = ("The works did spill 300 tonnes of brine.", OPPOSITE, "More spilled: 400 tonnes of brine were lost.")


@st.composite
def evidence(draw: st.DrawFn) -> tuple[Claim, list[Finding], list[Source]]:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique=True))
    sources = [
        source(name, draw(st.integers(1, 4)), press_release=draw(st.booleans()) and draw(st.booleans()))
        for name in names
    ]
    findings = []
    for number in range(draw(st.integers(0, 8))):
        stance = draw(st.sampled_from(list(Stance)))
        kind = draw(st.sampled_from([None, *ContradictionType])) if stance is AGAINST else None
        findings.append(
            finding(
                f"F{number}",
                draw(st.sampled_from(names)),
                stance,
                draw(st.floats(0, 1)),
                draw(st.sampled_from(QUOTES)),
                contradiction_type=kind,
            )
        )
    text = draw(
        st.sampled_from(
            ["The works spilled 300 tonnes of brine.", "More than 200 tonnes of brine were lost and fish died."]
        )
    )
    return claim(text, *draw(st.lists(st.sampled_from(names), max_size=2, unique=True))), findings, sources


@st.composite
def with_speakers(draw: st.DrawFn) -> tuple[Claim, list[Finding], list[Source]]:
    """The same with stories, dates, speakers and modes."""
    of, findings, sources = draw(evidence())
    origin = sources[0].id
    dates = st.sampled_from([None, *(dated(f"2025-0{month}-01") for month in range(1, 5))])
    sources = [
        each.model_copy(
            update={"published": draw(dates)}
            | ({"story": "s1", "origin_of_story": origin} if draw(st.booleans()) else {})
        )
        for each in sources
    ]
    names = st.sampled_from(["", "the company", "Harlow Chemicals", "Lenn Council"])
    details = st.builds(
        lambda kind, name, mode, own: spoken(kind.value, name, mode=mode.value, against_self=own),
        st.sampled_from(SpeakerKind), names, st.sampled_from(Mode), st.booleans(),
    )  # fmt: skip
    return of, [each.model_copy(update={"details": draw(details)}) for each in findings], sources


@given(with_speakers(), st.randoms(use_true_random=False))
def test_any_speaker_mode_and_story_gives_a_verdict_that_no_order_changes(
    case: tuple[Claim, list[Finding], list[Source]], rng: random.Random
) -> None:
    of, findings, sources = case
    shuffled = rng.sample(findings, len(findings))
    assert weigh(shuffled, list(reversed(sources)), of) == weigh(findings, sources, of)


@given(evidence(), st.randoms(use_true_random=False))
def test_the_order_of_findings_never_matters(
    case: tuple[Claim, list[Finding], list[Source]], rng: random.Random
) -> None:
    of, findings, sources = case
    shuffled = list(findings)
    rng.shuffle(shuffled)
    assert weigh(shuffled, list(reversed(sources)), of) == weigh(findings, sources, of)


@given(evidence(), st.integers(1, 4), st.floats(0, 1), st.data())
def test_a_copy_changes_neither_verdict_nor_count(
    case: tuple[Claim, list[Finding], list[Source]], tier: int, confidence: float, data: st.DataObject
) -> None:
    of, findings, sources = case
    decided = [each for each in findings if each.stance in (FOR, AGAINST) and each.confidence >= 0.3]
    if not decided:
        return
    copied = data.draw(st.sampled_from(decided))
    before_sources = [
        each.model_copy(update={"story": "s1", "origin_of_story": each.id}) if each.id == copied.source_id else each
        for each in sources
    ]
    copy = source("COPY", tier, story="s1", origin_of_story=copied.source_id)
    again = finding("FC", "COPY", copied.stance, confidence, copied.quote)
    before = weigh(findings, before_sources, of)
    after = weigh([*findings, again], [*before_sources, copy], of)
    assert (after.verdict, after.independent_sources, after.confidence) == (
        before.verdict,
        before.independent_sources,
        before.confidence,
    )


@given(evidence(), st.integers(1, 4), st.floats(0, 1), st.sampled_from(QUOTES))
def test_independent_support_never_moves_a_verdict_towards_contradicted(
    case: tuple[Claim, list[Finding], list[Source]], tier: int, confidence: float, quote: str
) -> None:
    of, findings, sources = case
    before = weigh(findings, sources, of)
    after = weigh([*findings, finding("FN", "NEW", FOR, confidence, quote)], [*sources, source("NEW", tier)], of)
    assert VERDICT_RANK[after.verdict] >= VERDICT_RANK[before.verdict]


@given(evidence(), st.integers(1, 5))
def test_unassessed_passages_never_count(case: tuple[Claim, list[Finding], list[Source]], number: int) -> None:
    of, findings, sources = case
    more = [finding(f"U{n}", sources[0].id, UNASSESSED, 0.9) for n in range(number)]
    before, after = weigh(findings, sources, of), weigh([*findings, *more], sources, of)
    assert after.unassessed == before.unassessed + number
    assert after.model_copy(update={"unassessed": 0, "reasons": (), "reason_codes": ()}) == before.model_copy(
        update={"unassessed": 0, "reasons": (), "reason_codes": ()}
    )


@given(evidence())
def test_every_verdict_has_readable_reasons(case: tuple[Claim, list[Finding], list[Source]]) -> None:
    of, findings, sources = case
    assessment = weigh(findings, sources, of)
    assert assessment.reasons
    assert all(reason.endswith(".") for reason in assessment.reasons)
