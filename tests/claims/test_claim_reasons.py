"""Every reason that the tables of claims name has its sentence, and a claim carries its reasons as codes."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from inquest.claims.claim_detection import claim_reason
from inquest.claims.report.given import given_claims
from inquest.domain.reasons import ReasonData, sentences

_DATA: dict[str, ReasonData] = {"words": "w", "type": "t", "topic": "t", "language": "l", "number": 2}


def test_every_reason_of_the_table_has_its_sentence() -> None:
    table = tomllib.loads((files("inquest.claims") / "worth.toml").read_text("utf-8"))
    names = {*table["sentence"], *table["report"], *(f"type_{row['why']}" for row in table["type"])}
    assert all(sentences([claim_reason(name, **_DATA)]) for name in names)


def test_a_claim_has_the_same_reasons_as_codes_and_as_sentences() -> None:
    (claim,) = given_claims(['{"id": "1", "text": "The plant saved 12 tonnes of CO2 in 2023."}'], "claims.jsonl")
    assert claim.reasons == sentences(claim.reason_codes)
    assert claim.reason_codes[0].code == "claims.given"
    assert "claims.measured" in [each.code for each in claim.reason_codes]
