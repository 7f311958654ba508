"""Text, lists and objects as both databases take them, and rows that were changed by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeVar

from pydantic import ValidationError

from inquest.domain.errors import StorageError
from inquest.domain.value import Value

V = TypeVar("V", bound=Value)


def made(kind: type[V], fields: dict[str, Any], *, lists: Iterable[str], what: str) -> V:
    """The value of a row; `lists` names the fields that are JSON. Raises StorageError where it is not what we wrote."""
    try:
        values = {name: json.loads(value) if name in set(lists) else value for name, value in fields.items()}
        return kind.model_validate(values)
    except (ValidationError, ValueError, TypeError) as error:
        raise StorageError(
            f"What is kept of {what} cannot be read.",
            advice="It was written by another version of Inquest, or changed by hand.",
        ) from error


def columns(value: Value, exclude: Iterable[str] = ()) -> dict[str, Any]:
    """The fields of a value as columns: texts that both databases take, lists and objects as JSON."""
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
    """The text as both databases take it."""
    return None if text is None else storable(text)


_UNSTORABLE = dict.fromkeys([0, *range(0xD800, 0xE000)], "\ufffd")


def storable(text: str) -> str:
    """The text with NULs (which PostgreSQL refuses) and half surrogates (which are no UTF-8) replaced by U+FFFD."""
    return text.translate(_UNSTORABLE)
