"""What publishers say about a work after it was published: retractions, withdrawals, concerns, corrections.

A work that has been retracted and the notice that says so are two documents. Only the first is retracted. Crossref's
`updated-by` stands on the work and `update-to` on the notice; PubMed and Europe PMC write 'Retracted Publication' on
the work and 'Retraction of Publication' on the notice, and 'Retraction in' and 'Retraction of' in the links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from inquest.domain.leads import Notice
from inquest.text.dates import date_from_parts
from inquest.text.lexicon import entries, pattern
from inquest.text.regex import regex

RETRACTING = frozenset(("retraction", "withdrawal", "removal"))
"""The notices after which a work no longer stands. A partial retraction, a concern, a correction are none of them."""

_KINDS = tuple((regex(form), kind) for kind, form in entries(__name__, "notice_kinds").items())
_SEPARATED = regex(r"[\s_-]+")


def notice_kind(words: str) -> str | None:
    """The kind of notice that a service's words stand for, as `Notice.kind`; None: no notice ('Comment in')."""
    said = _SEPARATED.sub(" ", words.lower()).strip()
    return next((kind for form, kind in _KINDS if form.search(said)), None)


class TitleMark(NamedTuple):
    """What a title says of its own document."""

    kind: str
    is_notice: bool
    """The document is the notice; else it is the work of which the notice speaks."""
    title: str
    """The title without the mark."""


_ON_THE_WORK = pattern(__name__, "on_the_work")
_NOTICE = pattern(__name__, "notice")
_ONLY_OF_NOTICES = regex(r"corrigend|errat|concern", re.IGNORECASE)
_QUOTED = regex(r"[\"'“‘«]|.{0,80}\bet al\b")


def title_mark(title: str) -> TitleMark | None:
    """What a title says of its document: 'RETRACTED: ...' is the work, 'Retraction notice to: ...' the notice.

    None for a title that only speaks of such things ('Retraction of the glacier', 'Retracted papers: a survey').
    """
    if (match := _ON_THE_WORK.match(title)) and match["rest"].strip():
        word = match["word"]
        bracketed = title.lstrip()[:1] in "[(<"
        # 'Retracted articles in oncology' has neither colon nor bracket; 'RETRACTED Title' has its capitals.
        if bracketed or match["colon"] in (":", ".") or (word.isupper() and not title.isupper()):
            return TitleMark(notice_kind(word) or "retraction", False, match["rest"].strip())
    if (match := _NOTICE.match(title)) and _is_notice(match):
        return TitleMark(notice_kind(match["word"]) or "correction", True, match["rest"].strip())
    return None


def _is_notice(match: re.Match[str]) -> bool:
    """Whether a title that begins with a notice's word is one: 'Correction for bias' and 'Removal of lead' are not."""
    rest = match["rest"].strip()
    if not rest:
        return not match["link"] and not re.match("withdrawal|removal", match["word"], re.IGNORECASE)
    if match["colon"]:
        return True
    surely = match["note"] or _ONLY_OF_NOTICES.match(match["word"])
    return bool(match["link"] and (surely or _QUOTED.match(rest)))


_NOTICE_TYPES = pattern(__name__, "notice_types")


def typed_kind(types: Iterable[str]) -> tuple[str | None, bool]:
    """What publication types say: (kind, whether the document is the notice itself); (None, False): nothing.

    'Retracted Publication' gives ('retraction', False), 'Retraction of Publication' ('retraction', True).
    """
    spelled = [_SEPARATED.sub(" ", each.lower()).strip() for each in types]
    for each in spelled:
        if _NOTICE_TYPES.fullmatch(each):
            return notice_kind(each), True
    for each in spelled:
        if each in ("retracted publication", "retracted", "withdrawn", "withdrawn publication"):
            return notice_kind(each), False
    return None, False


def crossref_notices(items: object, *, own: str | None = None, to_self: bool = False) -> list[Notice]:
    """The notices of Crossref's `updated-by` or `update-to`: each with kind, DOI and date; malformed ones left out.

    A publisher that writes its notice over the work gives both one DOI (`own`). With `to_self` only such notices are
    given, without it only the others.
    """
    from inquest.text.doi import doi_of

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
