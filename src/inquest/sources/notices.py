"""Publishers' notices about a work after its publication: retractions, withdrawals, concerns, corrections.

A retracted work and the notice of its retraction are two documents; only the first is retracted. Crossref has
`updated-by` on the work and `update-to` on the notice; PubMed and Europe PMC have 'Retracted Publication' on the work
and 'Retraction of Publication' on the notice, and 'Retraction in' and 'Retraction of' in the links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from inquest.domain.leads import Notice
from inquest.text.dates import date_from_parts
from inquest.text.lexicon import entries
from inquest.text.regex import regex

RETRACTING = frozenset(("retraction", "withdrawal", "removal"))
"""Notices that withdraw a work; a partial retraction, a concern or a correction does not."""

_KINDS = {kind: tuple(words.split("|")) for kind, words in entries(__name__, "notice_kinds").items()}
_SEPARATED = regex(r"[\W_]+")


def notice_kind(words: str) -> str | None:
    """Classify a service's words as `Notice.kind`; None for other words ('Comment in')."""
    plain = _SEPARATED.sub(" ", words.lower()).strip()
    kind = next((kind for kind, parts in _KINDS.items() if any(part in plain for part in parts)), None)
    partial = kind == "retraction" and ("partial" in plain or "in part" in plain)
    return "partial_retraction" if partial else kind


class TitleMark(NamedTuple):
    """A mark in a title on its own document."""

    kind: str
    is_notice: bool
    """The document is the notice; otherwise it is the work that a notice is about."""
    title: str
    """The title without the mark."""


_PARTICIPLE = regex(
    r"(?is)\s*[\[(<]?\s*(?P<mark>(?:partially\s+)?retracted|withdrawn|removed|temporary\s+removal)"
    r"(?:\s+(?:article|paper|chapter|preprint|manuscript))?\s*[\])>]?\s*(?P<colon>[:.–—-])?\s*(?P<rest>.*)"
)
_NOUN = regex(
    r"(?is)\s*(?:notice\s+of\s+)?(?:(?:author|publisher|editorial)(?:'?s)?\s+)?(?P<mark>(?:partial\s+)?(?:retraction|"
    r"withdrawal|removal)|correction|corrigend(?:um|a)|errat(?:um|a)|addendum|(?:expression|statement|notice)\s+of\s+"
    r"(?:editorial\s+)?concern)(?P<note>\s+(?:notice|note|statement))?\s*(?P<link>\b(?:to|of|for|on|regarding)\b)?"
    r"\s*(?P<colon>[:.–—])?\s*(?P<rest>.*)"
)
_QUOTED = regex(r"[\"'“‘«]|.{0,80}\bet al\b")
_ALSO_WORDS = ("withdrawal", "removal")
"""Kinds whose noun alone, as a title, may be about anything."""


def title_mark(title: str) -> TitleMark | None:
    """Find the mark of a title: 'RETRACTED: ...' is on the work, 'Retraction notice to: ...' on the notice.

    None for a title that only mentions such things ('Retraction of the glacier', 'Retracted papers: a survey').
    """
    if (match := _PARTICIPLE.match(title)) and match["rest"].strip():
        mark = match["mark"]
        # 'Retracted articles in oncology' has neither colon nor bracket; 'RETRACTED Title' has its capitals.
        bracketed = title.lstrip()[:1] in "[(<"
        if bracketed or match["colon"] in (":", ".") or (mark.isupper() and not title.isupper()):
            return TitleMark(notice_kind(mark) or "retraction", False, match["rest"].strip())
    if (match := _NOUN.match(title)) and _is_notice(match):
        return TitleMark(notice_kind(match["mark"]) or "correction", True, match["rest"].strip())
    return None


def _is_notice(match: re.Match[str]) -> bool:
    """Test for a notice; 'Correction for bias' and 'Removal of lead' only begin with its noun."""
    kind, rest = notice_kind(match["mark"]), match["rest"].strip()
    if not rest:
        return not match["link"] and kind not in _ALSO_WORDS
    if match["colon"]:
        return True
    surely = match["note"] or kind in ("erratum", "expression_of_concern") or match["mark"].lower().startswith("corrig")
    return bool(match["link"] and (surely or _QUOTED.match(rest)))


_NOTICE_TYPES = frozenset(
    (
        "retraction of publication", "retraction notice", "retraction", "expression of concern", "published erratum",
        "erratum", "correction", "corrigendum", "addendum",
    )
)  # fmt: skip
_WITHDRAWN_TYPES = frozenset(("retracted publication", "retracted", "withdrawn", "withdrawn publication"))


def typed_kind(types: Iterable[str]) -> tuple[str | None, bool]:
    """Return the kind of notice in publication types, and if the document is the notice; (None, False) for none.

    'Retracted Publication' gives ('retraction', False), 'Retraction of Publication' ('retraction', True).
    """
    plain = [_SEPARATED.sub(" ", each.lower()).strip() for each in types]
    if notice := next((each for each in plain if each in _NOTICE_TYPES), None):
        return notice_kind(notice), True
    return next((notice_kind(each) for each in plain if each in _WITHDRAWN_TYPES), None), False


def crossref_notices(items: object, *, own: str | None = None, to_self: bool = False) -> list[Notice]:
    """Parse Crossref's `updated-by` or `update-to` into notices with kind, DOI and date; malformed items are left out.

    A publisher that replaces the work by its notice gives both one DOI (`own`). With `to_self` only such notices are
    returned, without it only the others.
    """
    from inquest.text.urls import doi_of

    found = []
    for item in items if isinstance(items, list) else []:
        if not isinstance(item, dict):
            continue
        kind = notice_kind(str(item.get("type") or item.get("label") or ""))
        doi = doi_of(item.get("DOI"))
        if kind and (bool(own) and doi == own) == to_self:
            updated = item.get("updated")
            parts = updated.get("date-parts") if isinstance(updated, dict) else None
            found.append(Notice(kind=kind, doi=doi, at=date_from_parts(parts)))
    return list(dict.fromkeys(found))


def linked_notices(links: Iterable[tuple[str, str | None]]) -> tuple[list[Notice], list[Notice]]:
    """Sort links of PubMed and Europe PMC into (notices on the work, notices that the document is on other works).

    A link is (type, DOI): 'Retraction in' leads to the notice, 'Retraction of' from it.
    """
    about, says = [], []
    for words, doi in links:
        kind, direction = notice_kind(words), words.lower().split()[-1:] or [""]
        if kind is None:
            continue
        if direction[0] in ("in", "by"):
            about.append(Notice(kind=kind, doi=doi))
        elif direction[0] in ("of", "for"):
            says.append(Notice(kind=kind, doi=doi))
    return list(dict.fromkeys(about)), list(dict.fromkeys(says))
