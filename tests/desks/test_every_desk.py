"""Requirements for every desk: the package's own, and the example in docs/adding-a-desk.md."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inquest.domain.check import Gap, InfoRequest, Reinvestigation
from inquest.domain.claim import Claim, ClaimType, Mention
from inquest.domain.errors import EngineUnavailable
from inquest.domain.finding import WITNESSES, Reading, Stance
from inquest.domain.report import OutageNote
from inquest.kit.analyst import Passage
from inquest.kit.desk import Desk, JudgedPassage, Results, Subject
from inquest.kit.discover import desks
from inquest.sources.tiers import rating_of
from tests.case_parts import source

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SUBJECT = Subject(company="Sarnbeck Mills", industry="paper", now=NOW, report_source="S1", report_year=2025)
TEXTS = [
    "Sarnbeck Mills cut its Scope 1 emissions by 12 % in 2025.",
    "All electricity of Sarnbeck Mills is certified by guarantees of origin.",
    "Sarnbeck Mills will reach net-zero by 2045, validated by the Science Based Targets initiative.",
    "The mill near Ostermoor restored 40 hectares of wetland.",
    "The supervisory board has overseen climate risks since 2021.",
]
PASSAGE = "According to the register, the emissions of Sarnbeck Mills rose by 3 % in 2025. The mill was fined in May."


def _shown() -> type[Desk]:
    """The example desk from the documentation, as a reader would paste it."""
    text = (Path(__file__).parents[2] / "docs" / "adding-a-desk.md").read_text("utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert code is not None
    module = ModuleType("shown_desk")
    sys.modules["shown_desk"] = module
    exec(compile(code[1], "docs/adding-a-desk.md", "exec"), module.__dict__)
    shown: type[Desk] = module.__dict__["GeographyDesk"]
    assert issubclass(shown, Desk)
    return shown


EVERY = [*desks("inquest.desks").values(), _shown()]


@pytest.fixture(params=EVERY, ids=lambda desk: desk.spec.name)
def desk(request: pytest.FixtureRequest) -> Desk:
    made = request.param()
    assert isinstance(made, Desk)
    return made


def claim(text: str, number: int = 1, type: ClaimType = ClaimType.QUANTITATIVE) -> Claim:
    mention = Mention(source_id="S1", snapshot="sha256:" + "0" * 64, quote=text, start=0, end=len(text))
    return Claim(id=f"C{number}", text=text, type=type, mentions=(mention,), quote=text, end=len(text))


def evidence(stance: Stance, number: int = 1, text: str = PASSAGE) -> JudgedPassage:
    name = f"sha256:{number:064d}"
    domain = f"paper{number}.example"
    told: dict[str, Any] = {"title": "Emissions", "rating": rating_of(domain, 80, ()), "retrieved_at": NOW}
    made = source(name, domain=domain, url=f"https://{domain}/a", snapshot=name, **told)
    passage = Passage(id=f"P{number}", source_id="", snapshot=name, text=text, title="Emissions", domain=domain)
    end = len(text) if stance in (Stance.SUPPORTS, Stance.CONTRADICTS) else 0
    read: dict[str, Any] = {"stance": stance, "confidence": 0.8, "reasons": ("It says so.",)}
    judgement = Reading(passage_id=passage.id, quote=text[:end], start=0, end=end, **read)
    return JudgedPassage(source=made, passage=passage, judgement=judgement, angles=("company",))


def test_a_spec_is_whole(desk: Desk) -> None:
    spec = desk.spec
    assert spec.name.isidentifier() and spec.agent and spec.title and spec.kinds
    assert spec.angles and all(spec.angles.values())


def test_queries_are_for_claims_that_were_given_and_come_again_as_the_judge_words_them(desk: Desk) -> None:
    claims = [claim(text, number, type) for number, (text, type) in enumerate(zip(TEXTS, ClaimType, strict=False), 1)]
    made = desk.queries(claims, SUBJECT, drafted={}, again={})
    ids = {each.id for each in claims}
    for query in made:
        assert query.desk == desk.spec.name and query.query.text.strip() and set(query.claim_ids) <= ids
        assert query.claim_ids and query.angle in desk.spec.angles
    again = Reinvestigation(
        claim_id="C1", desks=(desk.spec.name,), gap=Gap.QUALITY, evidence_gap="No source of the first tiers.",
        refined_queries=("Sarnbeck Mills emissions register",), iteration=2,
    )  # fmt: skip
    asked = desk.queries(claims[:1], SUBJECT, drafted={}, again={"C1": again})
    assert any("Sarnbeck Mills emissions register" in query.query.text for query in asked)


@pytest.mark.parametrize("stance", list(Stance))
def test_findings_quote_the_passage_or_rest_on_the_claim_and_never_turn_a_stance_round(
    desk: Desk, stance: Stance
) -> None:
    results = Results(evidence=(evidence(stance), evidence(stance, 2)), hits=2)
    for draft in desk.findings(claim(TEXTS[0]), SUBJECT, results):
        assert draft.summary.strip()
        if draft.passage_id:
            assert 0 <= draft.start <= draft.end <= len(PASSAGE)
            assert draft.evidence_type not in WITNESSES or draft.stance is stance
        if draft.stance in (Stance.SUPPORTS, Stance.CONTRADICTS) and draft.passage_id:
            assert draft.end > draft.start


def test_an_outage_is_a_side_for_nobody(desk: Desk) -> None:
    why = EngineUnavailable("tavily", "tavily did not answer within 30 s.").sentence
    note = OutageNote(what="engine", where="tavily", why=why, at=NOW)
    for text in TEXTS:
        drafts = desk.findings(claim(text), SUBJECT, Results(outages=(note,)))
        errors = [each for each in drafts if each.evidence_type == "error"]
        assert all(each.stance is Stance.UNASSESSED for each in errors)
        assert not [each for each in drafts if each.evidence_type in WITNESSES]


def test_a_question_of_another_desk_has_an_answer_or_none(desk: Desk) -> None:
    asked = InfoRequest(
        id="R1", asked_by="somebody", to=desk.spec.name, claim_id="C1", description="What is known of it?"
    )
    for query in desk.queries_for(asked, claim(TEXTS[1]), SUBJECT):
        assert query.query.text.strip()
    response = desk.respond(asked, claim(TEXTS[1]), SUBJECT, ())
    assert response is None or (response.request_id == "R1" and response.summary)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(text=st.text(min_size=1, max_size=300), type=st.sampled_from(list(ClaimType)))
def test_no_claim_is_too_odd(desk: Desk, text: str, type: ClaimType) -> None:
    odd = claim(text, 1, type)
    taken = desk.takes(odd, SUBJECT)
    assert taken is None or (taken.reason and 0 <= taken.priority <= 1)
    for query in desk.queries([odd], SUBJECT, drafted={}, again={}):
        assert query.claim_ids == ("C1",)
    desk.findings(odd, SUBJECT, Results(evidence=(evidence(Stance.CONTRADICTS),)))
