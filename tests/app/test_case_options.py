"""The options of a case are declared once, for the terminal, the library, REST, MCP and the forms."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest
from typer.main import get_command

from inquest.api.shapes import CaseBody
from inquest.app.cases.case_request import KINDS, ClaimsRequest, InquiryRequest, request_of
from inquest.app.cases.requests import brief_from
from inquest.app.settings import load_settings
from inquest.cli.entry import app
from inquest.domain.errors import InputError
from inquest.domain.plan import Brief

QUESTION = "Did the Tarn Bridge close?"
COMMANDS = {"run": "inquiry", "check": "claims", "verify": "topic", "ask": "market"}


def brief(**options: Any) -> Brief:
    settings = load_settings(budget_usd=9.0)
    return brief_from(request_of(InquiryRequest, {"brief": QUESTION, **options}), QUESTION, settings=settings)


def test_they_become_the_brief() -> None:
    made = brief(engines="Tavily, brave,tavily", collections=["a", "a"], as_of="2026-03-01", deadline="5m")
    assert made.engines == ("tavily", "brave") and made.collections == ("a",)
    assert made.as_of is not None and made.as_of.date() == datetime(2026, 3, 1, tzinfo=UTC).date()
    assert made.deadline_seconds == 300 and made.budget_usd == 9.0, "the settings stand for what is left out"
    assert brief(as_of=datetime(2026, 3, 1, tzinfo=UTC), deadline=5).deadline_seconds == 5


def test_languages_are_codes_or_names_and_each_once() -> None:
    assert brief(languages="German, no,de").languages == ("de", "no")
    assert brief(languages=["Norwegian"]).languages == ("no",)
    with pytest.raises(InputError, match="Invalid language 'Klingon'"):
        brief(languages="de, Klingon")
    with pytest.raises(InputError, match="Too many"):
        brief(languages="de,fr,it,no,sv,da")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"rounds": 6}, "Invalid rounds '6': expected at most 5"),
        ({"max_claims": "many"}, "Invalid max claims 'many': expected a whole number"),
        ({"budget_usd": -1}, "Invalid budget '-1': expected at least 0"),
        ({"claims": ["x" * 2_001]}, "Invalid claims: expected at most 2,000 characters"),
    ],
)
def test_what_cannot_be_used_is_named_with_what_is_expected(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        request_of(ClaimsRequest, given)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(("name", "kind"), COMMANDS.items())
def test_each_command_has_an_option_for_each(name: str, kind: str) -> None:
    commands: Any = get_command(app)
    written = {written for each in commands.commands[name].params for written in each.opts}
    request, main = KINDS[kind]
    asked = [each for each in fields(request) if each.name not in ("kind", main, "report")]
    expected = {each.metadata.get("flag") or f"--{each.name.replace('_', '-')}" for each in asked}
    assert expected - ({"--languages"} if kind == "market" else set()) <= written


def test_the_rest_body_of_each_kind_has_the_same_fields() -> None:
    bodies = CaseBody.__origin__.__args__  # type: ignore[attr-defined]
    for body in bodies:
        (request,) = [each for each, _ in KINDS.values() if issubclass(body, each)]
        extra = {"team_id", "callback_url", "approve"}
        assert {each.name for each in fields(body)} == {each.name for each in fields(request)} | extra
