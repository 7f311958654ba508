"""The names by which a reader knows sources: a document without a telling title, and a page known by its hash.

While a desk works, a source is known by the hash of its page alone: it gets its number when all desks are in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from inquest.domain.finding import Finding
from inquest.text.lexicon import pattern
from inquest.text.regex import regex

_GENERIC = pattern(__name__, "generic")
_HASH = regex(r"sha256:[0-9a-f]{64}")


def telling_title(title: str, url: str) -> str:
    """The title; for a file of the user's own, its file name where the title is in capitals only, a single word or one
    that any document could have ('CLIMATE ENGAGEMENT', 'Report 2022'), because that is how the user knows it."""
    spelled = " ".join(title.split())
    letters = [char for char in spelled if char.isalpha()]
    poor = len(letters) < 4 or spelled.isupper() or " " not in spelled or _GENERIC.fullmatch(spelled)
    return unquote(url.rsplit("/", 1)[-1]) or title if url[:5].lower() == "file:" and poor else title


def named_sources(finding: Finding) -> frozenset[str]:
    """The hashes by which a finding's words, details and references name sources."""
    found: set[str] = set()
    _replaced([finding.summary, finding.reasons, finding.details, finding.references], found, {})
    return frozenset(found)


def with_names(finding: Finding, names: Mapping[str, str]) -> Finding:
    """The finding with names in place of hashes; a hash without one stays, for the archive knows it."""
    if not named_sources(finding) & names.keys():
        return finding
    fields = ("summary", "reasons", "details", "references")
    return finding.model_copy(update={each: _replaced(getattr(finding, each), set(), names) for each in fields})


def _replaced(value: Any, found: set[str], names: Mapping[str, str]) -> Any:
    """The value with names in place of hashes, which are added to `found`. A `snapshot` is meant as a hash."""
    if isinstance(value, str):
        found.update(_HASH.findall(value))
        return _HASH.sub(lambda match: names.get(match.group(), match.group()), value)
    if isinstance(value, list | tuple):
        return type(value)(_replaced(each, found, names) for each in value)
    if isinstance(value, dict):
        return {key: each if key == "snapshot" else _replaced(each, found, names) for key, each in value.items()}
    return value
