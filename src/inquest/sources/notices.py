"""What publishers say about a work after it was published: retractions, withdrawals, concerns, corrections.

A work that has been retracted and the notice that says so are two documents. Only the first is retracted. Crossref's
`updated-by` is on the work and `update-to` on the notice; PubMed and Europe PMC write 'Retracted Publication' on
the work and 'Retraction of Publication' on the notice, and 'Retraction in' and 'Retraction of' in the links.
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
"""The notices after which a work no longer stands. A partial retraction, a concern, a correction are none of them."""

_KINDS = {kind: tuple(words.split("|")) for kind, words in entries(__name__, "notice_kinds").items()}
_SEPARATED = regex(r"[\W_]+")


def notice_kind(words: str) -> str | None:
    """The kind of notice that a service's words stand for, as `Notice.kind`; None: no notice ('Comment in')."""
    plain = _SEPARATED.sub(" ", words.lower()).strip()
    kind = next((kind for kind, parts in _KINDS.items() if any(part in plain for part in parts)), None)
    partial = kind == "retraction" and ("partial" in plain or "in part" in plain)
    return "partial_retraction" if partial else kind


class TitleMark(NamedTuple):
    """What a title says of its own document."""

    kind: str
    is_notice: bool
    """The document is the notice; else it is the work of which the notice speaks."""
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
"""Kinds whose noun, as a whole title, may be about anything."""


def title_mark(title: str) -> TitleMark | None:
    """What a title says of its document: 'RETRACTED: ...' is the work, 'Retraction notice to: ...' the notice.

    None for a title that only speaks of such things ('Retraction of the glacier', 'Retracted papers: a survey').
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
    """True for a notice; 'Correction for bias' and 'Removal of lead' begin with its noun and are none."""
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
    """What publication types say: (kind, whether the document is the notice itself); (None, False): nothing.

    'Retracted Publication' gives ('retraction', False), 'Retraction of Publication' ('retraction', True).
    """
    plain = [_SEPARATED.sub(" ", each.lower()).strip() for each in types]
    if notice := next((each for each in plain if each in _NOTICE_TYPES), None):
        return notice_kind(notice), True
    return next((notice_kind(each) for each in plain if each in _WITHDRAWN_TYPES), None), False


def crossref_notices(items: object, *, own: str | None = None, to_self: bool = False) -> list[Notice]:
    """The notices of Crossref's `updated-by` or `update-to`: each with kind, DOI and date; malformed ones left out.

    A publisher that writes its notice over the work gives both one DOI (`own`). With `to_self` only such notices are
    given, without it only the others.
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
    """What PubMed's and Europe PMC's links say, as (notices on the work, notices that the document is of others).

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
