"""Conversion between values and columns that both databases accept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeVar

from pydantic import ValidationError

from inquest.domain.errors import StorageError
from inquest.domain.value import Value

V = TypeVar("V", bound=Value)


def made(kind: type[V], fields: dict[str, Any], *, lists: Iterable[str], what: str) -> V:
    """Return the value of a row; `lists` names the JSON fields. Raises StorageError if the row is malformed."""
    try:
        values = {name: json.loads(value) if name in set(lists) else value for name, value in fields.items()}
        return kind.model_validate(values)
    except (ValidationError, ValueError, TypeError) as error:
        raise StorageError(
            f"The stored data of {what} cannot be read.",
            advice="It was written by another version of Inquest, or changed by hand.",
        ) from error


def columns(value: Value, exclude: Iterable[str] = ()) -> dict[str, Any]:
    """Return the fields of a value as columns: storable texts, lists and objects as JSON."""
    plain, as_lists = value.model_dump(exclude=set(exclude)), value.model_dump(mode="json", exclude=set(exclude))
    return {
        name: kept(each)
        if isinstance(each, str)
        else json.dumps(as_lists[name])
        if isinstance(each, list | tuple | dict)
        else each
        for name, each in plain.items()
    }


def kept(text: str | None) -> str | None:
    """Return `storable(text)`; None stays None."""
    return None if text is None else storable(text)


_UNSTORABLE = dict.fromkeys([0, *range(0xD800, 0xE000)], "\ufffd")


def storable(text: str) -> str:
    """Replace NULs (which PostgreSQL refuses) and lone surrogates (which UTF-8 cannot encode) by U+FFFD."""
    return text.translate(_UNSTORABLE)
