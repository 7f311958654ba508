"""Names of sources for readers: titles of documents, and numbers in place of page hashes.

While a desk works, a source is identified by the hash of its page alone; it gets its number when all desks are done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from inquest.domain.finding import Finding
from inquest.domain.reasons import Reason
from inquest.text.lexicon import pattern
from inquest.text.regex import regex

_GENERIC = pattern(__name__, "generic")
_HASH = regex(r"sha256:[0-9a-f]{64}")
_FIELDS = ("summary", "summary_codes", "reasons", "reason_codes", "details", "detail_codes", "references")


def telling_title(title: str, url: str) -> str:
    """Return the title; for a user's file with an uninformative title, the file name, which the user knows.
    Uninformative titles are in capitals only, a single word, or common ('CLIMATE ENGAGEMENT', 'Report 2022')."""
    spelled = " ".join(title.split())
    letters = [char for char in spelled if char.isalpha()]
    poor = len(letters) < 4 or spelled.isupper() or " " not in spelled or _GENERIC.fullmatch(spelled)
    return unquote(url.rsplit("/", 1)[-1]) or title if url[:5].lower() == "file:" and poor else title


def named_sources(finding: Finding) -> frozenset[str]:
    """Return the hashes in a finding's words, details and references."""
    found: set[str] = set()
    _replaced([getattr(finding, each) for each in _FIELDS], found, {})
    return frozenset(found)


def with_names(finding: Finding, names: Mapping[str, str]) -> Finding:
    """Replace hashes in a finding by names; a hash without a name stays."""
    if not named_sources(finding) & names.keys():
        return finding
    return finding.model_copy(update={each: _replaced(getattr(finding, each), set(), names) for each in _FIELDS})


def _replaced(value: Any, found: set[str], names: Mapping[str, str]) -> Any:
    """Replace hashes by names and add the hashes to `found`. A `snapshot` stays a hash."""
    if isinstance(value, str):
        found.update(_HASH.findall(value))
        return _HASH.sub(lambda match: names.get(match.group(), match.group()), value)
    if isinstance(value, list | tuple):
        return type(value)(_replaced(each, found, names) for each in value)
    if isinstance(value, Reason):
        return value.model_copy(
            update={each: _replaced(getattr(value, each), found, names) for each in ("data", "parts")}
        )
    if isinstance(value, dict):
        return {key: each if key == "snapshot" else _replaced(each, found, names) for key, each in value.items()}
    return value
