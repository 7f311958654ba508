"""Changes between two runs: level, sources, verdicts, origin; and differences that are not changes."""

from __future__ import annotations

from datetime import UTC, datetime

from inquest.desks.verification.changes_between import change_lines, what_changed
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.claim import Claim
from inquest.domain.finding import Assessment, Stance, Verdict
from inquest.domain.investigation import FoundSource, InvestigationResult
from inquest.domain.plan import Brief, Mode, Plan
from inquest.domain.report import OutageNote
from inquest.domain.source import Source
from inquest.domain.topic import ReviewFlag, Upgrade, VerificationLevel
from tests.case_parts import finding, source

_AT = datetime(2025, 2, 3, 8, tzinfo=UTC)
UNVERIFIED, VERIFIED, _ = VerificationLevel


def page(number: int, url: str, *, body: str = "aa", excluded: str | None = None) -> Source:
    return source(f"S{number}", url=url, snapshot=f"sha256:{body}", excluded=excluded)


def result(level: VerificationLevel, origin: str | None = None, **more: object) -> InvestigationResult:
    fields: dict[str, object] = {
        "topic_id": 1,
        "investigation_date": _AT,
        "credibility_assessment": 50,
        "consistency_score": 50,
        "context_richness": 0,
        "recommended_verification_level": level,
        "confidence_level": 50,
        "investigation_notes": "",
        "requires_human_review": False,
        "upgrade": Upgrade(before=UNVERIFIED, new_level=level, upgraded=False, independent_credible=0, reasons=()),
        "original_source": FoundSource(id="S1", url=origin, name="The Ferryman", credibility_tier=2)
        if origin
        else None,
    }
    return InvestigationResult.model_validate(fields | more)


def case(name: str, **more: object) -> Case:
    fields: dict[str, object] = {
        "id": name,
        "kind": CaseKind.TOPIC,
        "status": CaseStatus.COMPLETED,
        "brief": Brief(text="Verify: a mast fell"),
        "as_of": _AT,
        "created_at": _AT,
        "investigation": result(UNVERIFIED),
    }
    return Case.model_validate(fields | more)


def judged(*claims: tuple[str, Verdict]) -> dict[str, object]:
    return {
        "claims": tuple(Claim(id=f"C{n}", text=text) for n, (text, _) in enumerate(claims, 1)),
        "assessments": tuple(
            Assessment(claim_id=f"C{n}", verdict=verdict, confidence=0.5, independent_sources=1, reasons=())
            for n, (_, verdict) in enumerate(claims, 1)
        ),
    }


def test_a_run_that_lacks_a_result_has_no_level_and_a_case_does_not_differ_from_itself() -> None:
    one = case(
        "a", sources=(page(1, "https://x.example/1"),), **judged(("The mast fell on 2 February.", Verdict.VERIFIED))
    )
    changes = what_changed(one, one.model_copy(update={"id": "b"}))
    assert not changes.anything
    assert change_lines(changes) == ()
    changes = what_changed(case("a"), case("b", investigation=None))
    assert changes.level is not None
    assert changes.level.after is None
    assert change_lines(changes)[0] == "The level is unknown; it was unverified."


def test_the_level_and_why_to_look() -> None:
    flagged = result(VERIFIED, review_flags=(ReviewFlag.CONTRADICTION,))
    changes = what_changed(case("a"), case("b", investigation=flagged))
    assert changes.level is not None
    assert (changes.level.before, changes.level.after) == ("unverified", "verified")
    lines = change_lines(changes)
    assert lines[0] == "The level is verified; it was unverified."
    assert "Newly flagged for review: contradiction." in lines


def test_new_changed_and_missing_pages_are_told_apart() -> None:
    before = case("a", sources=(page(1, "https://x.example/1"), page(2, "https://x.example/2", body="bb")))
    after = case(
        "b",
        sources=(
            page(1, "http://www.x.example/1/?utm_source=feed"),
            page(2, "https://x.example/2", body="cc"),
            page(3, "https://x.example/3", body="dd"),
        ),
    )
    changes = what_changed(before, after)
    assert [each.url for each in changes.new_sources] == ["https://x.example/3"]
    assert [each.url for each in changes.changed_pages] == ["https://x.example/2"]
    assert changes.gone_sources == ()
    assert [each.url for each in what_changed(after, before).gone_sources] == ["https://x.example/3"]


def test_a_page_that_nobody_could_look_for_or_read_is_not_gone() -> None:
    led_to = page(2, "https://x.example/2").model_copy(update={"engines": ("gdelt",)})
    before = case("a", sources=(page(1, "https://x.example/1"), led_to, page(3, "https://x.example/3")))
    after = case(
        "b",
        outages=(
            OutageNote(what="page", where="https://x.example/1", why="It timed out.", at=_AT),
            OutageNote(what="engine", where="gdelt", why="It is unavailable.", at=_AT),
        ),
    )
    changes = what_changed(before, after)
    assert [each.url for each in changes.unreached] == ["https://x.example/1", "https://x.example/2"]
    assert [each.url for each in changes.gone_sources] == ["https://x.example/3"]
    lines = change_lines(changes)
    assert sum(line.startswith("Could not be searched for or read this time") for line in lines) == 2
    assert sum(line.startswith("Not found this time") for line in lines) == 1
    unheard = what_changed(case("a", sources=(led_to,)), after)
    assert (unheard.anything, unheard.complete) == (False, False)


def test_a_page_that_is_no_evidence_is_no_source() -> None:
    after = case("b", sources=(page(1, "https://x.example/1", excluded="It was published later."),))
    assert not what_changed(case("a"), after).anything


def test_a_claim_in_other_words_is_the_same_and_one_with_another_figure_is_not() -> None:
    before = case("a", **judged(("The mast at Thorpe fell on 2 February 2025.", Verdict.UNVERIFIED)))
    after = case(
        "b",
        **judged(
            ("Nobody was hurt.", Verdict.DISPUTED), ("On 2 February 2025 the mast at Thorpe fell.", Verdict.VERIFIED)
        ),
    )
    found = {each.text: (each.before, each.after) for each in what_changed(before, after).verdicts}
    assert found == {
        "Nobody was hurt.": (None, Verdict.DISPUTED),
        "On 2 February 2025 the mast at Thorpe fell.": (Verdict.UNVERIFIED, Verdict.VERIFIED),
    }
    before = case("a", **judged(("The mast was 40 metres high.", Verdict.VERIFIED)))
    after = case("b", **judged(("The mast was 60 metres high.", Verdict.VERIFIED)))
    assert {(each.before, each.after) for each in what_changed(before, after).verdicts} == {
        (None, Verdict.VERIFIED),
        (Verdict.VERIFIED, None),
    }


def test_a_claim_that_was_not_looked_into_has_no_verdict_that_could_change() -> None:
    before = case("a", **judged(("The mast fell.", Verdict.VERIFIED)))
    after = case("b", **judged(("The mast fell.", Verdict.UNVERIFIED)))
    unchecked = tuple(each.model_copy(update={"checked": False}) for each in after.assessments)
    after = after.model_copy(update={"assessments": unchecked})
    assert [(each.before, each.after) for each in what_changed(before, after).verdicts] == [(Verdict.VERIFIED, None)]


def test_the_origin_by_address_in_any_spelling() -> None:
    before = case("a", investigation=result(UNVERIFIED, "https://ferryman.example/1"))
    same = case("b", investigation=result(UNVERIFIED, "http://www.ferryman.example/1/"))
    other = case("c", investigation=result(UNVERIFIED, "https://ferryman.example/0"))
    assert what_changed(before, same).origin is None
    changed = what_changed(before, other).origin
    assert changed is not None
    assert changed.after == "The Ferryman <https://ferryman.example/0>"
    lost = what_changed(before, case("d"))
    assert "The origin is unknown; it was The Ferryman <https://ferryman.example/1>." in change_lines(lost)


def test_an_outage_is_no_news_of_the_matter_and_is_said_whether_or_not_it_is_new() -> None:
    after = case("b", outages=(OutageNote(what="engine", where="gdelt", why="It timed out.", at=_AT),))
    changes = what_changed(case("a"), after)
    assert not changes.anything
    assert change_lines(changes) == ("Could not be queried this time, but could be before: engine gdelt.",)
    out = {"outages": (OutageNote(what="engine", where="gdelt", why="It timed out.", at=_AT),)}
    changes = what_changed(case("a", **out), case("b", **out))
    assert (changes.anything, changes.complete) == (False, False)
    assert change_lines(changes) == ("Could be queried neither then nor now: engine gdelt.",)
    back = what_changed(case("a", **out), case("b"))
    assert back.complete and change_lines(back) == ()


def test_an_engine_that_the_plan_no_longer_names_was_not_asked_either() -> None:
    def asked(*engines: str) -> dict[str, object]:
        plan = Plan(topic="T", questions=(), queries=(), engines=engines, mode=Mode.QUICK, analyst="local")
        return {"plan": plan}

    changes = what_changed(case("a", **asked("collection", "gdelt")), case("b", **asked("collection", "brave")))
    assert changes.outages == ("engine gdelt",)
    assert not changes.complete


def assessed(confidence: float, *contradicting: str) -> dict[str, object]:
    """A verified claim with these findings against it, F1 on the first page and F2 on the second."""
    return {
        "claims": (Claim(id="C1", text="The mast fell on 2 February."),),
        "assessments": (
            Assessment(
                claim_id="C1", verdict=Verdict.VERIFIED, confidence=confidence, independent_sources=1, reasons=(),
                contradicting=contradicting,
            ),
        ),
        "findings": tuple(finding(f"F{n}", f"S{n}", Stance.CONTRADICTS, quote=f"It is up ({n}).") for n in (1, 2)),
        "sources": (page(1, "https://x.example/1"), page(2, "https://x.example/2")),
    }  # fmt: skip


def test_a_new_contradiction_is_a_change_and_a_shift_of_the_confidence_is_none() -> None:
    changes = what_changed(case("a", **assessed(0.8, "F1")), case("b", **assessed(0.8, "F1", "F2")))
    assert [(each.url, each.quote) for each in changes.contradictions] == [("https://x.example/2", "It is up (2).")]
    assert changes.anything
    assert change_lines(changes) == (
        "Contradicted now by <https://x.example/2>, “It is up (2).”: The mast fell on 2 February.",
    )
    assert not what_changed(case("a", **assessed(0.9)), case("b", **assessed(0.6))).anything
