"""A claim of several statements is judged statement by statement, whichever desk checks it: evidence for one is not
evidence for the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inquest import Inquest
from inquest.domain.case import Case
from inquest.domain.finding import Stance, Verdict
from inquest.verdicts.judging_evidence import CHECKS

POWER = "moved all its quarries to certified renewable power"
WETLAND = "restored 40 hectares of wetland at Upper Vale"
EMISSIONS = "Calder Stone Ltd cut its Scope 1 emissions by 12 % in 2023"
CLAIM = f"{EMISSIONS}, {POWER} and {WETLAND}."
PAGES = {
    "emissions": (
        "registry.example",
        "Calder Stone Ltd cut its Scope 1 emissions by 12 % in 2023.",
    ),
    "power": (
        "register.example",
        "Calder Stone Ltd moved all its quarries to certified renewable power in 2023, the register of certificates "
        "shows.",
    ),
    "wetland": (
        "survey.example",
        "Calder Stone Ltd restored 40 hectares of wetland at Upper Vale, the survey of the county found.",
    ),
    "emissions again": ("audit.example", "Scope 1 emissions of Calder Stone Ltd fell by 12 % in 2023."),
    "power again": (
        "energy.example",
        "Calder Stone Ltd has moved all its quarries to certified renewable power.",
    ),
    "wetland again": (
        "birds.example",
        "At Upper Vale, Calder Stone Ltd has restored 40 hectares of wetland.",
    ),
    "no wetland": (
        "survey.example",
        "Calder Stone Ltd did not restore 40 hectares of wetland at Upper Vale: the survey found 4 hectares.",
    ),
}
EMISSIONS_TWICE, POWERS, WETLANDS = (
    ("emissions", "emissions again"), ("power", "power again"), ("wetland", "wetland again"),
)  # fmt: skip
VERIFIED, UNVERIFIED, PARTLY, CONTRADICTED = (
    Verdict.VERIFIED, Verdict.UNVERIFIED, Verdict.PARTIALLY_TRUE, Verdict.CONTRADICTED,
)  # fmt: skip


async def checked(home: Path, desks: tuple[str, ...], pages: tuple[str, ...]) -> Case:
    rows, ratings = home / "rows.jsonl", home / "ratings.csv"
    own = [PAGES[name] for name in pages]
    rows.write_text("\n".join(json.dumps({"url": f"https://{host}/a", "text": text}) for host, text in own))
    ratings.write_text("\n".join(("domain,score", *(f"{host},85" for host in sorted({host for host, _ in own})))))
    async with Inquest(home=home) as inquest:
        await inquest.app.collections.add("vale", [rows], ratings=ratings)
        case = await inquest.check(
            company="Calder Stone Ltd", claims=[CLAIM], desks=desks, engines="collection", collections=["vale"],
            as_of="2024-06-01", rounds=0,
        )  # fmt: skip
        assert (await inquest.replay(case.id)).difference == ""
    return case


@pytest.mark.parametrize(
    ("desks", "pages", "verdict", "parts"),
    [
        (
            ("news", "academic"),
            (*EMISSIONS_TWICE, *POWERS, *WETLANDS),
            VERIFIED,
            [VERIFIED, VERIFIED, VERIFIED],
        ),
        (("academic",), (*POWERS, "no wetland"), PARTLY, [UNVERIFIED, VERIFIED, CONTRADICTED]),
        # One source of tier 1 each, which says it word for word; no source mentions the third.
        (("news", "academic"), ("power", "wetland"), PARTLY, [UNVERIFIED, VERIFIED, VERIFIED]),
    ],
    ids=lambda given: ", ".join(given) if isinstance(given, tuple) else "",
)
async def test_each_statement_has_its_verdict(
    desks: tuple[str, ...], pages: tuple[str, ...], verdict: Verdict, parts: list[Verdict], tmp_path: Path
) -> None:
    case = await checked(tmp_path, desks, pages)
    (assessment,) = case.assessments
    assert (assessment.verdict, [each.verdict for each in assessment.parts]) == (verdict, parts)
    if desks == ("academic",):
        sources = [each for each in case.findings if each.evidence_type == "academic_source"]
        supporting = [each for each in sources if each.stance is Stance.SUPPORTS]
        assert supporting and all(each.details["covers"] == [2] for each in supporting)
        assert f"supports one statement of the claim (“{POWER}”)" in supporting[0].summary
        checks = [each for each in case.findings if each.evidence_type in CHECKS]
        assert checks and not any(each.details["rests_on"] == "evidence" for each in checks)
