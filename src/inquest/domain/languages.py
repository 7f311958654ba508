"""The language that reports and reasons are put into: English, unless a report is rendered in another.

A context variable, because every sentence of a report depends on it and no other code does; only `speaking` sets it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from importlib.resources import files
from typing import Literal, get_args

Language = Literal["en", "de", "fr", "es"]
"""ISO 639-1 of the languages that there are catalogues for."""
LANGUAGES: tuple[Language, ...] = get_args(Language)

_current: ContextVar[Language] = ContextVar("language of the report", default="en")


def language() -> Language:
    """The language that sentences are now made in."""
    return _current.get()


@contextmanager
def speaking(code: Language) -> Iterator[None]:
    """Within it, reports and reasons are put into this language."""
    token = _current.set(code)
    try:
        yield
    finally:
        _current.reset(token)


def word(name: str) -> str:
    """A word of `languages.toml` in the current language."""
    return _words()[language()][name]


@lru_cache
def _words() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("inquest.domain").joinpath("languages.toml").read_text("utf-8"))
