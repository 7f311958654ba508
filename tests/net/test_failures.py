"""Outages as JSON and back."""

from __future__ import annotations

from typing import Any

import pytest

from inquest.domain import errors
from inquest.domain.errors import (
    EngineQuota,
    EngineUnavailable,
    NotRecorded,
    Outage,
    PageUnavailable,
    StorageError,
)
from inquest.net.failures import failure_from_json, failure_to_json

OF_THE_OUTSIDE = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.EngineError | errors.PageError | errors.ModelError)
]


@pytest.mark.parametrize("kind", OF_THE_OUTSIDE)
def test_every_error_of_the_outside_comes_back_as_it_was(kind: type[Outage]) -> None:
    make: Any = kind
    error = make("alpha", "It said “no”.", advice="Ask again.")
    back = failure_from_json(failure_to_json(error))
    assert (type(back), str(back), vars(back)) == (kind, str(error), vars(error))


def test_what_an_error_carries_besides_comes_back_too() -> None:
    gone = failure_from_json(failure_to_json(PageUnavailable("https://x.example/", "Gone.", status=410)))
    assert isinstance(gone, PageUnavailable) and (gone.who, gone.status) == ("https://x.example/", 410)
    quota = failure_from_json(failure_to_json(EngineQuota("alpha", "Used up.", retry_after=9.5)))
    assert isinstance(quota, EngineQuota) and quota.retry_after == 9.5


@pytest.mark.parametrize("kept", ["", "[]", "{}", '{"error": "SystemExit"}', '{"error": "PageError", "who": 1}'])
def test_a_record_that_cannot_be_read_is_no_record(kept: str) -> None:
    with pytest.raises(NotRecorded):
        failure_from_json(kept)


def test_only_errors_of_the_outside_are_kept() -> None:
    class Private(EngineUnavailable):
        pass

    for error in (StorageError("Full."), Private("alpha", "No.")):
        with pytest.raises(TypeError):
            failure_to_json(error)
