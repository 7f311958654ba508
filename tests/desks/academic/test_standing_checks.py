"""A check made in several rounds is kept once; a source that says whether a target is validated is evidence for
that."""

from __future__ import annotations

from typing import Any

from inquest.desks.academic.science_targets_reading import status_found, with_status
from inquest.desks.academic.validation import source_finding
from inquest.desks.academic.witnesses import AcademicEvidence
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import Reason, in_words
from inquest.verdicts.judging_evidence import standing_checks
from tests.case_parts import finding, source

CLAIM = "Orle Glass's near-term target was validated by the Science Based Targets initiative in 2024."
DENIED = "The near-term target of Orle Glass has not been validated by the Science Based Targets initiative."


def check(id: str, iteration: int, *sources: str, named: str = "finding_sources") -> Finding:
    made = finding(id, "S1", Stance.CONTRADICTS)
    details = {named: list(sources)}
    return made.model_copy(
        update={"evidence_type": "sbti_validation", "iteration": iteration, "details": details, "summary": id}
    )


def witness(text: str, **more: Any) -> AcademicEvidence:
    values: dict[str, Any] = {"source": source("S7", 1), "passage_id": "P1", "text": text}
    return AcademicEvidence(**{**values, "stance": Stance.NEUTRAL, "confidence": 0.3, **more})


def test_a_later_round_that_found_no_page_does_not_replace_one_that_did() -> None:
    for named in ("finding_sources", "register_rows"):
        first = check("F1", 1, "S7", named=named)
        assert standing_checks([first, check("F2", 2)]) == (first,)


def status(text: str, **more: Any) -> Stance:
    return status_found(CLAIM, "Orle Glass plc", [witness(text, **more)]).stance


def test_of_other_pages_the_reading_counts_whoever_made_it() -> None:
    said = "The near-term target of Orle Glass was validated by the SBTi."
    assert status(said) is Stance.NEUTRAL
    assert status(said, stance=Stance.SUPPORTS) is Stance.SUPPORTS
    assert status(DENIED, stance=Stance.CONTRADICTS, quote=DENIED) is Stance.CONTRADICTS
    other = "It was validated in 2022, not in 2024."
    assert status(other, stance=Stance.CONTRADICTS, quote=other) is Stance.NEUTRAL


def test_a_row_on_one_kind_of_target_says_nothing_of_another() -> None:
    near, gone = "Near-term: targets set, 1.5 C.", "Net-zero: commitment removed."
    page = witness(f"Orle Glass\n{near}\n{gone}")
    page = page.model_copy(
        update={"source": page.source.model_copy(update={"url": "https://sciencebasedtargets.org/x"})}
    )

    def said(claim: str) -> tuple[Stance, str]:
        found = status_found(claim, "Orle Glass plc", [page])
        return found.stance, found.leading.span.of(page.text) if found.leading else ""

    of_net_zero = "Our net-zero target is validated by the Science Based Targets initiative."
    assert said(of_net_zero) == (Stance.CONTRADICTS, gone)
    of_2030 = "The Science Based Targets initiative has validated our target for 2030."
    assert said(of_2030) == (Stance.SUPPORTS, near)


def test_of_another_company_s_target_or_another_claim_nothing_is_made() -> None:
    other = witness("The target of Velmora was validated by the Science Based Targets initiative.")
    assert with_status(CLAIM, "Orle Glass plc", [other]) == (other,)
    said = witness(DENIED)
    assert with_status("Orle Glass will cut Scope 1 by 42 % by 2030 from 2020.", "Orle Glass plc", [said]) == (said,)
    own = witness(DENIED, own=True)
    assert with_status(CLAIM, "Orle Glass plc", [own]) == (own,)


def test_a_source_on_a_side_is_listed_with_the_first_reason_of_its_reading() -> None:
    why = Reason(code="entailment.negated")
    told = source_finding(witness(DENIED, stance=Stance.CONTRADICTS, reasons=(in_words(why),), reason_codes=(why,)))
    assert told.summary.endswith(in_words(why))
