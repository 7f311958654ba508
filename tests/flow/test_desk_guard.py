"""An exception or a result of a wrong type from a desk's own code loses only that result, and ends nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from inquest.desks.news.desk import NewsDesk
from inquest.domain.check import DeskQuery, InfoRequest, InfoResponse, Progress
from inquest.domain.claim import Claim
from inquest.domain.event import EventType
from inquest.domain.search import Query
from inquest.flow.desk_guard import GuardedDesk
from inquest.kit.desk import DeskEvent, Results, Subject, Taken

CLAIM = Claim(id="C1", text="We cut emissions by 42 % since 2019.")
SUBJECT = Subject(company="Norvane", now=datetime(2026, 3, 1, tzinfo=UTC))
REQUEST = InfoRequest(asked_by="academic", to="news", claim_id="C1", description="Was it reported?")
CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any], Any]] = {
    "takes": ((CLAIM, SUBJECT), {}, None),
    "queries": (((CLAIM,), SUBJECT), {"drafted": {}, "again": {}}, ()),
    "requests": ((CLAIM, SUBJECT, ()), {}, ()),
    "queries_for": ((REQUEST, CLAIM, SUBJECT), {}, ()),
    "respond": ((REQUEST, CLAIM, SUBJECT, ()), {}, None),
    "events": ((CLAIM, (), Results()), {}, ()),
}
"""Each method with its arguments, and the replacement for its result if it fails."""


def guarded(**methods: Any) -> GuardedDesk:
    """The news desk with these methods in place of its own."""
    kind = type("Strange", (NewsDesk,), {name: lambda self, *_, _do=do, **__: _do() for name, do in methods.items()})
    return GuardedDesk(kind())


def gives(value: Any) -> Any:
    return lambda: value


def raises(error: BaseException) -> Any:
    def do() -> None:
        raise error

    return do


def query(desk: str) -> DeskQuery:
    return DeskQuery(desk=desk, angle="recent", query=Query(text="Norvane"), claim_ids=("C1",))


@pytest.mark.parametrize("method", CALLS)
@pytest.mark.parametrize("error", [RecursionError(), SystemExit("bye")])
def test_what_a_method_raises_is_a_sentence(method: str, error: BaseException) -> None:
    desk = guarded(**{method: raises(error)})
    arguments, named, instead = CALLS[method]
    assert getattr(desk, method)(*arguments, **named) == instead
    assert type(error).__name__ in desk.failed and desk.failed.endswith(").")


@pytest.mark.parametrize("method", CALLS)
@pytest.mark.parametrize("given", ["a text", (None,), iter(())])
def test_a_value_of_a_wrong_kind_is_a_sentence_that_names_the_kind(method: str, given: Any) -> None:
    desk = guarded(**{method: gives(given)})
    arguments, named, instead = CALLS[method]
    assert getattr(desk, method)(*arguments, **named) == instead
    assert "TypeError: " in desk.failed and "expected" in desk.failed


@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("takes", Taken(reason="its field")),
        ("takes", None),
        ("queries", (query("news"),)),
        ("requests", [REQUEST]),
        ("queries_for", ()),
        ("respond", InfoResponse(request_id="R1", answered_by="news", asked_by="academic", summary="It was.")),
        ("events", (DeskEvent(type=EventType.AGENT_THINKING, text="Hm.", data={"claim_id": "C1"}),)),
    ],
)
def test_what_is_of_the_right_kind_comes_through_as_it_is(method: str, given: Any) -> None:
    desk = guarded(**{method: gives(given)})
    arguments, named, _ = CALLS[method]
    assert getattr(desk, method)(*arguments, **named) == (tuple(given) if isinstance(given, list) else given)
    assert not desk.failed and not desk.statuses()


@pytest.mark.parametrize("method", ["queries", "queries_for"])
def test_no_desk_asks_in_anothers_name(method: str) -> None:
    desk = guarded(**{method: gives((query("news"), query("academic")))})
    arguments, named, _ = CALLS[method]
    assert getattr(desk, method)(*arguments, **named) == ()
    assert "carries the name of another desk: academic" in desk.failed


def test_an_event_cannot_say_in_its_data_what_the_flow_says_of_it() -> None:
    told = (DeskEvent(type=EventType.AGENT_THINKING, text="Hm.", data={"agent_name": "judge"}),)
    desk = guarded(events=gives(told))
    assert desk.events(CLAIM, (), Results()) == ()
    assert "agent_name" in desk.failed


def test_the_same_defect_is_said_once_and_the_desk_stands_as_failed() -> None:
    desk = guarded(takes=raises(KeyError("sector")))
    for number in range(20):
        assert desk.takes(CLAIM.model_copy(update={"id": f"C{number}"}), SUBJECT) is None
    (status,) = desk.statuses()
    assert status.status is Progress.ERROR and status.error == desk.failed and desk.failed.count("KeyError") == 1
