"""Outages in a report: each problem once, with its first reason; and those with the same reason in one line."""

from __future__ import annotations

from datetime import UTC, datetime

from inquest.domain.report import OutageNote, alike, distinct, outage_lines

_AT = datetime(2026, 3, 1, tzinfo=UTC)
_TITLES = {"brave": "Brave Search", "serper": "Google (Serper)", "tavily": "Tavily"}


def _out(where: str, why: str, what: str = "engine", *, again: bool = False) -> OutageNote:
    called = _TITLES.get(where, "")
    return OutageNote(what=what, where=where, why=why, called=called, at=_AT, after_failures=again)


def _left_alone(where: str) -> OutageNote:
    return _out(where, f"{where} failed several times in a row and is not queried for a while.", again=True)


def test_that_an_engine_was_left_alone_is_told_by_its_first_failure() -> None:
    failed = _out("brave", "Brave Search is unavailable (503).")
    assert distinct([failed, _left_alone("brave"), failed]) == (failed,)


def test_the_same_reason_after_another_number_of_seconds_is_one_trouble() -> None:
    first = _out("brave", "brave did not finish its response within 10.8 s. Try again later.")
    second = _out("brave", "brave did not finish its response within 3.6 s. Try again later.")
    assert distinct([first, second]) == (first,)


def test_an_engine_left_alone_for_failures_of_another_case_is_listed() -> None:
    alone = _left_alone("brave")
    assert distinct([alone, _out("tavily", "Tavily is unavailable (503).")])[0] == alone


def test_engines_that_are_out_alike_stand_in_one_line() -> None:
    notes = [_out(name, f"{title} is unavailable (503).") for name, title in _TITLES.items()]
    notes.append(_out("gdelt", "GDELT did not answer within 30 s."))
    assert [group.names for group in alike(notes)] == [("Brave Search", "Google (Serper)", "Tavily"), ("gdelt",)]
    assert outage_lines(notes, 6) == [
        "Could not be queried: Brave Search, Google (Serper) and Tavily. Each is unavailable (503).",
        "GDELT did not answer within 30 s.",
    ]


def test_a_reason_that_begins_with_the_id_of_an_engine_begins_with_its_title() -> None:
    assert outage_lines([_out("serper", "serper did not answer.")], 6) == ["Google (Serper) did not answer."]


def test_reasons_that_only_end_alike_are_two() -> None:
    notes = [
        _out("brave", "Brave Search refused the key that was given, and it is to be renewed by its owner today."),
        _out(
            "tavily", "Tavily has no quota left until the first of the month, and is to be renewed by its owner today."
        ),
    ]
    assert len(alike(notes)) == 2


def test_the_name_may_stand_anywhere_and_in_any_language() -> None:
    one, other = (f"https://www.gazette.example/{number}" for number in range(2))
    notes = [_out(url, f"Die Seite {url} ist leer.", "page") for url in (one, other)]
    assert [group.names for group in alike(notes)] == [(one, other)]
    of_hosts = [
        _out(f"https://{host}/1", f"{host} has no such page (404).", "page") for host in ("a.example", "b.example")
    ]
    assert [group.why for group in alike(of_hosts)] == ["Each has no such page (404)."]


def test_pages_are_said_to_be_unread_and_are_not_all_named() -> None:
    why = "www.gazette.example does not allow robots to read this page (robots.txt)."
    pages = [_out(f"https://www.gazette.example/{number}", why, "page") for number in range(5)]
    (line,) = outage_lines(pages, 6)
    assert line.startswith("Could not be read: https://www.gazette.example/0, ")
    assert line.endswith(f" and two more. {why}")


def test_what_is_beyond_the_limit_is_counted() -> None:
    notes = [_out(f"page {word}", f"{word} is unlike all the others in its reason {word}.") for word in "abcd"]
    assert outage_lines(notes, 2)[-1] == "Two more outages are in the list of outages"
