"""The age of a domain: the data of registries, missing data, and suspicious signs."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.errors import EngineError, EngineFormat, EngineQuota, EngineUnavailable
from inquest.domain.reasons import in_words
from inquest.domain.source import DomainAge
from inquest.domain.value import Precision, Published
from inquest.kit.domain_registry import ask_domain_age
from inquest.kit.exchange import Reply
from inquest.sources.source_worth import age_warnings, parse_domain_age

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def entry(**changes: Any) -> dict[str, Any]:
    """A registry's entry in the format of RFC 9083."""
    return {
        "objectClassName": "domain",
        "ldhName": "ALDER-POST.COM",
        "events": [
            {"eventAction": "registration", "eventDate": "2026-01-10T04:00:00Z"},
            {"eventAction": "expiration", "eventDate": "2027-01-10T04:00:00Z"},
            {"eventAction": "last changed", "eventDate": "2026-02-01T10:20:30.123Z"},
        ],
        "entities": [
            {"roles": ["registrant"], "vcardArray": ["vcard", [["fn", {}, "text", "Somebody"]]]},
            {"roles": ["registrar"], "vcardArray": ["vcard", [["tel", {}], 1, ["fn", {}, "text", "Names Ltd"]]]},
        ],
    } | changes  # fmt: skip


def asked(url: str, reply: Callable[[str], Reply]) -> DomainAge:
    """Run the request as a door does."""
    conversation = ask_domain_age(url)
    try:
        request = next(conversation)
        conversation.send(reply(request.url))
    except StopIteration as end:
        age: DomainAge = end.value
        return age
    raise AssertionError("it asked twice")


def answer(status: int, body: bytes) -> Callable[[str], Reply]:
    return lambda url: Reply(url=url, status=status, body=body, at=NOW)


def test_an_entry_gives_dates_and_registrar() -> None:
    age = asked("https://www.alder-post.com/x", answer(200, json.dumps(entry()).encode()))
    assert (age.domain, age.registrar, age.why_unknown) == ("alder-post.com", "Names Ltd", "")
    assert age.registered and age.registered.iso == "2026-01-10T04:00:00Z"
    assert age.expires and age.expires.iso[:10] == "2027-01-10"
    assert age.changed and age.changed.iso[:10] == "2026-02-01"


def test_the_registrable_domain_is_asked_for_as_it_travels() -> None:
    assert next(ask_domain_age("https://news.bücher.example.co.uk/")).url == "https://rdap.org/domain/example.co.uk"
    assert next(ask_domain_age("https://bücher.de/")).url == "https://rdap.org/domain/xn--bcher-kva.de"


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "localhost", "", "http://[::1]/"])
def test_what_nobody_registers_is_not_asked_for(url: str) -> None:
    with pytest.raises(StopIteration) as end:
        next(ask_domain_age(url))
    assert end.value.value.why_unknown == "it is not a registrable name"


def test_a_withheld_registrar_and_missing_dates_are_not_told_and_an_old_age_says_nothing() -> None:
    hidden = {"roles": ["registrar"], "vcardArray": ["vcard", [["fn", {}, "text", "REDACTED FOR PRIVACY"]]]}
    age = parse_domain_age(entry(entities=[hidden], events=[]), "alder-post.com", NOW)
    assert (age.registrar, age.registered) == (None, None)
    assert "does not say" in age.why_unknown
    old = DomainAge(domain="alder-post.com", registered=on(1, 1, 2001))
    assert age_warnings(old, now=NOW, reported=on(1, 2)) == ()
    assert age_warnings(DomainAge(domain="a.example", why_unknown="x"), now=NOW) == ()


def test_a_name_that_was_taken_again_is_as_old_as_its_holder() -> None:
    events = [
        {"eventAction": "registration", "eventDate": "2004-05-06T00:00:00Z"},
        {"eventAction": "Reregistration", "eventDate": "2025-12-24T00:00:00Z"},
        {"eventAction": "registration", "eventDate": "2099-01-01T00:00:00Z"},
        {"eventAction": "registration", "eventDate": "soon"},
        {"eventAction": 7},
        "nonsense",
    ]
    age = parse_domain_age(entry(events=events), "alder-post.com", NOW)
    assert age.registered and age.registered.iso == "2025-12-24"


@pytest.mark.parametrize("status", [404, 400, 501])
def test_no_entry_is_an_age_that_is_not_known(status: int) -> None:
    age = asked("alder-post.com", answer(status, b"<html>"))
    assert age.registered is None
    assert age.why_unknown


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (429, b"", EngineQuota),
        (500, b"", EngineUnavailable),
        (403, b"", EngineUnavailable),
        (200, b"<!doctype html><title>Sorry</title>", EngineFormat),
        (200, b'{"objectClassName": "domain", "ldhName"', EngineFormat),
        (200, b"[]", EngineFormat),
        (200, b"[" * 100_000, EngineFormat),
        (200, json.dumps(entry(ldhName="other.com")).encode(), EngineFormat),
    ],
)
def test_an_outage_is_one_and_never_a_judgement(status: int, body: bytes, error: type[EngineError]) -> None:
    with pytest.raises(error, match=r"registry of alder-post\.com"):
        asked("alder-post.com", answer(status, body))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["events", "entities", "objectClassName", "ldhName", "errorCode"]), JSON))
def test_any_json_is_an_age_or_a_value_error(body: dict[str, Any]) -> None:
    try:
        parse_domain_age(entry() | body, "alder-post.com", NOW)
    except ValueError as error:
        assert str(error).startswith("not an") or str(error) == "an entry of another domain"


def on(day: int, month: int = 1, year: int = 2026) -> Published:
    return Published(at=datetime(year, month, day, tzinfo=UTC))


AGE = DomainAge(domain="alder-post.com", registered=on(10))


@pytest.mark.parametrize(
    ("reported", "words"),
    [
        (None, "is new: registered on 2026-01-10, 50 days ago"),
        (on(12), "registered on 2026-01-10, two days before 2026-01-12"),
        (on(5), "registered on 2026-01-10, after 2026-01-05"),
        (Published(at=NOW, precision=Precision.YEAR), "is new"),
    ],
)
def test_a_site_set_up_for_the_occasion_is_a_warning(reported: Published | None, words: str) -> None:
    (warning,) = age_warnings(AGE, now=NOW, reported=reported)
    assert words in in_words(warning)
