"""The news desk's queries on a claim, and those when the judge has it search again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from inquest.desks.news.desk import NewsDesk
from inquest.desks.news.queries import (
    ANGLES,
    first_queries,
    further_queries,
    press_domains,
    since_for,
    unwanted_domains,
)
from inquest.domain.check import DeskQuery, Gap, Reinvestigation
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.search import EngineKind
from inquest.kit.desk import Subject
from inquest.sources.tiers import rate

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
CEMENT = Subject(company="Brackwell Cement plc", industry="cement", now=NOW)
FASHION = Subject(company="Lunette", industry="fashion retail", now=NOW)

SCOPE = "Our Scope 1 emissions were 1.9 million tonnes CO2e in 2025, a 7.2% decrease from 2.05 million tonnes in 2024."
MANGROVES = "We have restored 3,200 hectares of mangrove forest in the Irrawaddy delta in Myanmar since 2018."
TARGET = "We are committed to net-zero greenhouse gas emissions by 2045, with a 46% cut in Scope 1 and 2 by 2031."


def claim(text: str, type: ClaimType = ClaimType.QUANTITATIVE, **more: Any) -> Claim:
    return Claim(id=more.pop("id", "C1"), text=text, type=type, **more)


def texts(asked: tuple[DeskQuery, ...]) -> dict[str, str]:
    return {each.angle: each.query.text for each in asked}


def again(gap: Gap, *queries: str) -> Reinvestigation:
    return Reinvestigation(
        claim_id="C1", desks=("news",), gap=gap, evidence_gap="...", refined_queries=queries, iteration=2
    )


# --- three kinds of query ---


def test_a_figure_is_asked_for_in_three_ways() -> None:
    asked = texts(first_queries(claim(SCOPE), CEMENT, {}))
    assert asked["company"] == "Brackwell Cement Scope 1 emissions 1.9 million tonnes 2025"
    assert asked["industry"] == "cement Scope 1 emissions 2025"
    assert asked["controversy"] == "Brackwell Cement Scope 1 emissions"


def test_of_statements_on_different_matters_the_one_left_out_is_asked_for_too() -> None:
    several = claim(
        "Brackwell Cement cut its Scope 1 emissions by 12 % in 2025, moved all kilns to certified biomass power and "
        "was named leader by the rating agency Grenval."
    )
    asked = first_queries(several, CEMENT, {})
    (one, other) = [each.query.text for each in asked if each.angle == "company"]
    assert "Scope 1" in one and "leader" in other and "Brackwell Cement" in other
    assert len(asked) == len(ANGLES) + 1
    drafted = {"company": "Brackwell Cement Scope 1 kilns biomass named leader rating agency Grenval"}
    own_words = 1
    asked = first_queries(several, CEMENT, drafted)
    assert len(asked) == len(ANGLES) + own_words, "a draft that asks for all of it is enough"


@pytest.mark.parametrize(
    ("company", "industry", "name"),
    [
        ("Target Corporation", "", '"Target Corporation"'), ("Target", "retail", '"Target" retail'),
        ("Gap Inc.", "", '"Gap Inc"'), ("Gap", "clothing", '"Gap" clothing'), ("Shell", "", '"Shell" company'),
        ("Shell plc", "oil", '"Shell" oil'), ("Apple Inc.", "", '"Apple Inc"'), ("Apple", "music", '"Apple" music'),
    ],
)  # fmt: skip
def test_a_company_named_by_a_common_word_is_asked_for_as_a_company(company: str, industry: str, name: str) -> None:
    text = f"{company} cut its Scope 1 emissions by 12 % in 2025, closed two boilers and named Grenval as its auditor."
    asked = first_queries(claim(text), Subject(company=company, industry=industry, now=NOW), {})
    about_it = [each.query.text for each in asked if each.angle != "industry"]
    assert about_it
    for query in about_it:
        assert query.replace(".", "").startswith(name.replace(".", ""))


def test_a_place_is_asked_for_by_its_name_and_a_target_by_its_years_to_come() -> None:
    asked = texts(first_queries(claim(MANGROVES, ClaimType.GEOGRAPHIC), FASHION, {}))
    assert "3,200 hectares" in asked["company"]
    assert all("Irrawaddy" in text or "Myanmar" in text for text in asked.values())
    assert "Lunette" not in asked["industry"]
    asked = texts(first_queries(claim(TARGET, ClaimType.STRATEGIC), FASHION, {}))
    assert "net-zero" in asked["company"]
    assert asked["company"].endswith("46% 2031 2045")
    assert asked["controversy"].startswith("Lunette net-zero")


def test_checkers_are_asked_about_the_company_only_and_no_query_is_the_sentence_itself() -> None:
    for each in first_queries(claim(SCOPE), CEMENT, {}):
        assert EngineKind.NEWS in each.query.kinds
        assert EngineKind.WEB in each.query.kinds
        assert (EngineKind.FACT_CHECK in each.query.kinds) is (each.angle == "company")
    for text in (SCOPE, MANGROVES, TARGET):
        for each in first_queries(claim(text), CEMENT, {}):
            assert len(each.query.text.split()) <= 16
            assert text not in each.query.text
            assert " OR " not in each.query.text
            assert "(" not in each.query.text


def test_a_models_words_go_first_and_are_made_to_name_the_company() -> None:
    drafted = {"company": "kiln emissions 2025 (audit OR restated)", "industry": "cement sector kiln emissions"}
    asked = texts(first_queries(claim(SCOPE), CEMENT, drafted))
    assert asked["company"] == "Brackwell Cement kiln emissions 2025 audit restated"
    assert asked["industry"] == "cement sector kiln emissions"
    assert asked["controversy"].startswith("Brackwell Cement Scope 1")


# --- the company's name ---


# --- time and publishers ---


@pytest.mark.parametrize(
    ("text", "type", "limited"),
    [
        ("Emissions fell by 4% in 2026.", ClaimType.QUANTITATIVE, True),
        ("Emissions fell by 4% in 2023.", ClaimType.QUANTITATIVE, False),
        ("We will halve emissions by 2035 against 2019.", ClaimType.STRATEGIC, True),
        ("We intend to lead our sector in recycling.", ClaimType.STRATEGIC, True),
        ("All suppliers sign our code of conduct.", ClaimType.LEGAL_GOVERNANCE, False),
    ],
)
def test_the_time_range_follows_what_the_claim_speaks_of(text: str, type: ClaimType, limited: bool) -> None:
    since = since_for(claim(text, type), CEMENT)
    assert since == (datetime(2025, 6, 1, 9, tzinfo=UTC) if limited else None)


def test_a_claim_without_a_year_is_of_the_reports_year() -> None:
    undated = claim("Water use fell by 11%.")
    assert since_for(undated, Subject(company="Lunette", industry="", now=NOW, report_year=2026)) is not None
    assert since_for(undated, Subject(company="Lunette", industry="", now=NOW, report_year=2024)) is None


def test_unwanted_sites_are_left_out_and_the_best_publishers_are_those_of_the_table() -> None:
    for each in first_queries(claim(SCOPE), CEMENT, {}):
        assert {"facebook.com", "linkedin.com", "reddit.com", "x.com"} <= set(each.query.exclude_domains)
        assert each.query.domains == ()
    assert "archive.org" not in unwanted_domains()
    assert not {"reuters.com", "nytimes.com"} & set(unwanted_domains())
    for tier in (1, 2):
        domains = press_domains(tier)
        assert 5 <= len(domains) <= 10
        assert all(rate(f"https://{domain}/").tier == tier for domain in domains)
    assert "sec.gov" in press_domains(1)


# --- again ---


def test_a_claim_on_another_country_is_asked_for_in_its_language_too() -> None:
    asked = first_queries(claim("Our Gdansk works in Poland used 310 GWh in 2025."), CEMENT, {})
    (there,) = [each.query for each in asked if each.query.language]
    assert (there.language, there.text) == ("pl", "Brackwell Cement Gdansk 310 2025")
    here = first_queries(claim("Our Hull works used 310 GWh in 2025."), CEMENT, {})
    assert not [each for each in here if each.query.language]


def test_a_further_round_asks_first_in_the_language_of_what_was_found() -> None:
    wanted = again(Gap.INDEPENDENCE).model_copy(update={"language": "no"})
    asked = further_queries(claim("Our Molde works used 310 GWh in 2025."), CEMENT, wanted)
    assert asked[0].query.language == "no" and not any(each.query.language for each in asked[1:])


def test_a_further_round_asks_for_what_the_gap_names() -> None:
    past = further_queries(claim("Emissions fell by 4% in 2024."), CEMENT, again(Gap.RECENCY, "Brackwell emissions"))
    assert past[0].query.since == datetime(2024, 1, 1, tzinfo=UTC)
    undated = further_queries(claim("Emissions fell by 4%."), CEMENT, again(Gap.RECENCY, "Brackwell emissions"))
    assert undated[0].query.since == datetime(2025, 6, 1, 9, tzinfo=UTC)
    asked = further_queries(claim(SCOPE), CEMENT, again(Gap.QUALITY, "Brackwell emissions", "Brackwell kiln"))
    assert [each.query.domains for each in asked] == [press_domains(1), press_domains(2), press_domains(1)]
    asked = further_queries(claim(SCOPE), CEMENT, again(Gap.OTHER_SIDE))
    assert [each.angle for each in asked] == ["controversy"]
    assert asked[0].query.text == "Brackwell Cement Scope 1 emissions" and asked[0].query.since is None


@pytest.mark.parametrize("gap", list(Gap))
def test_every_gap_is_looked_into_even_without_the_judges_words(gap: Gap) -> None:
    assert further_queries(claim(SCOPE), CEMENT, again(gap, "  "))


# --- all claims together ---


def test_what_two_claims_share_is_asked_once() -> None:
    one = claim("Scope 1 emissions fell by 7% in 2025.", id="C1", importance=0.4)
    two = claim("Scope 1 emissions fell to 1.9 million tonnes in 2025.", id="C2", importance=0.9)
    asked = NewsDesk().queries([one, two], CEMENT, drafted={}, again={})
    industry = [each for each in asked if each.angle == "industry"]
    assert [each.claim_ids for each in industry] == [("C2", "C1")]
    assert [each.claim_ids for each in asked if each.angle == "company"] == [("C2",), ("C1",)]
    assert [each.angle for each in asked] == sorted((each.angle for each in asked), key=list(ANGLES).index)


@pytest.mark.parametrize("text", [SCOPE, MANGROVES, TARGET, "28% of our managers are women."])
def test_queries_have_names_and_content_words_and_none_for_what_is_looked_for(text: str) -> None:
    said = {word for each in first_queries(claim(text), FASHION, {}) for word in each.query.text.lower().split()}
    assert not said & {"investigation", "lawsuit", "criticism", "violation", "greenwashing", "industry"}
