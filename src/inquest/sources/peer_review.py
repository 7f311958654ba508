"""Whether a scholarly work went through peer review before it was published, and how that is known.

Three answers: yes, no, and 'cannot be told'. No index records the review itself, so that 'yes' rests on where a work
stands and what kind of piece it is, and always says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from inquest.text.doi import preprint_server, preprint_venue
from inquest.text.lexicon import entries

_TYPES = entries(__name__, "work_types")
NOTICE_TYPES = frozenset(("erratum", "retraction", "expression-of-concern", "correction"))

_NOT_REVIEWED = entries(__name__, "not_reviewed")
_CANNOT_BE_TOLD = entries(__name__, "perhaps_reviewed")
_NO_RESEARCH = (
    "editorial",
    "letter",
    "news",
    "comment",
    "erratum",
    "retraction",
    "biography",
    "interview",
    "book review",
)
"""What a service may say beside 'journal article', and what then counts."""


def work_type(*names: str | None, subtype: str | None = None) -> str | None:
    """The type of a work in Crossref's names, from any service's; of several names the most telling one.

    Crossref's posted content is a preprint unless its `subtype` says otherwise ('other' is mostly a blog post).
    """
    spelled = [" ".join(name.lower().replace("-", " ").replace("_", " ").split()) for name in names if name]
    if "posted content" in spelled and subtype and subtype.lower() not in ("preprint", "article"):
        return {"dissertation": "dissertation", "report": "report", "letter": "letter"}.get(
            subtype.lower(), "blog-post"
        )
    for telling in (_NO_RESEARCH, ("preprint",), ("conference", "conference paper")):
        if found := next((name for name in spelled if name in telling), None):
            return _TYPES[found]
    return next((_TYPES[name] for name in spelled if name in _TYPES), spelled[0].replace(" ", "-") if spelled else None)


def peer_review(
    kind: str | None,
    *,
    doi: str | None = None,
    venue: str | None = None,
    reviewed: str | None = None,
    journal: bool | None = None,
    notes: Iterable[str] = (),
) -> tuple[bool | None, str | None]:
    """(whether it was peer reviewed, why that is said). (None, reason or None): it cannot be told.

    `kind`: of `work_type`. `reviewed`: what a service says in favour ('its review reports are public', 'in MEDLINE').
    `journal`: False where the service says that the venue is no journal. `notes`: further words for the reason.
    """
    server = preprint_server(doi)
    if server or preprint_venue(venue):
        return False, f"a preprint on {server or venue}, made public before any review"
    if kind in _NOT_REVIEWED:
        return False, _NOT_REVIEWED[kind]
    if reviewed:
        return True, reviewed
    if kind == "journal-article" and venue and journal is not False:
        return True, "; ".join([f"an article in the journal {venue}, as journals review them", *notes])
    if kind == "journal-article":
        return None, "said to be an article, but not of which journal"
    return None, _CANNOT_BE_TOLD.get(kind or "")
