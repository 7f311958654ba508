"""The names by which a reader knows sources: a document without a telling title, and a page known by its hash.

While a desk works, a source is known by the hash of its page alone: its number is given when all desks are in. What
the desk has written of it until then (summaries, references) names it by that hash.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, cast
from urllib.parse import unquote

from inquest.domain.finding import Finding
from inquest.text.lexicon import pattern
from inquest.text.regex import regex

_GENERIC = pattern(__name__, "generic")


def telling_title(title: str, url: str) -> str:
    """The title; for a file of the user's own, its file name where the title is in capitals only, a single word or one
    that any document could have ('CLIMATE ENGAGEMENT', 'Report 2022'), because that is how the user knows it."""
    if url[:5].lower() != "file:":
        return title
    spelled = " ".join(title.split())
    letters = [char for char in spelled if char.isalpha()]
    shouted = bool(letters) and all(char.isupper() for char in letters)
    if len(letters) < 4 or shouted or " " not in spelled or _GENERIC.fullmatch(spelled):
        return unquote(url.rsplit("/", 1)[-1]) or title
    return title


_HASH = regex(r"sha256:[0-9a-f]{64}")
T = TypeVar("T")

_NO_NAME = frozenset(("snapshot",))
"""Fields in which the hash is meant as one."""


def named_sources(finding: Finding) -> frozenset[str]:
    """The hashes by which a finding's words, details and references name sources."""
    found: set[str] = set()

    def look(text: str) -> str:
        found.update(_HASH.findall(text))
        return text

    _through([finding.summary, *finding.reasons, finding.details, *finding.references], look)
    return frozenset(found)


def with_names(finding: Finding, names: Mapping[str, str]) -> Finding:
    """The finding with names in place of hashes; a hash without one stays, for the archive knows it."""
    if not named_sources(finding) & names.keys():
        return finding

    def say(text: str) -> str:
        return _HASH.sub(lambda found: names.get(found.group(), found.group()), text)

    return finding.model_copy(
        update={
            "summary": say(finding.summary),
            "reasons": tuple(map(say, finding.reasons)),
            "details": _through(finding.details, say),
            "references": tuple(_through(each, say) for each in finding.references),
        }
    )


def _through(value: T, done: Callable[[str], str]) -> T:
    """The value with every text in it put through `done`."""
    return cast(T, _each(value, done))


def _each(value: object, done: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return done(value)
    if isinstance(value, list):
        return [_each(each, done) for each in value]
    if isinstance(value, dict):
        return {key: each if key in _NO_NAME else _each(each, done) for key, each in value.items()}
    return value
