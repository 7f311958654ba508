"""Whether a scholarly work went through peer review before it was published, and how that is known.

Three answers: yes, no, and 'cannot be told'. No index records the review itself, so that 'yes' rests on where a work
stands and what kind of piece it is, and always says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from inquest.text.doi import preprint_server, preprint_venue

_TYPES = {
    # Crossref (api.crossref.org/types), OpenAlex, DataCite's resourceTypeGeneral, Semantic Scholar, PubMed, CORE
    "posted content": "preprint", "preprint": "preprint",
    "article": "journal-article", "journal article": "journal-article", "journalarticle": "journal-article",
    "research article": "journal-article", "review": "journal-article", "review article": "journal-article",
    "systematic review": "journal-article", "meta analysis": "journal-article", "clinical trial": "journal-article",
    "randomized controlled trial": "journal-article", "case reports": "journal-article",
    "casereport": "journal-article",
    "data paper": "journal-article", "datapaper": "journal-article", "study": "journal-article",
    "metaanalysis": "journal-article", "clinicaltrial": "journal-article",
    "proceedings article": "proceedings-article", "conference": "proceedings-article",
    "conference paper": "proceedings-article", "conferencepaper": "proceedings-article",
    "book": "book", "monograph": "book", "edited book": "book", "reference book": "book",
    "book chapter": "book-chapter", "bookchapter": "book-chapter", "booksection": "book-chapter",
    "book part": "book-chapter", "book section": "book-chapter",
    "dissertation": "dissertation", "thesis": "dissertation",
    "dataset": "dataset", "database": "dataset", "software": "software", "computational notebook": "software",
    "report": "report", "report series": "report", "report component": "report", "technical report": "report",
    "standard": "standard", "standard series": "standard",
    "editorial": "editorial", "lettersandcomments": "letter", "letter": "letter", "comment": "letter", "news": "news",
    "newspaper article": "news", "biography": "news", "interview": "news", "book review": "book-review",
    "peer review": "peer-review", "peerreview": "peer-review", "component": "component",
    "supplementary materials": "component",
    "erratum": "erratum", "published erratum": "erratum", "retraction": "retraction",
    "retraction of publication": "retraction", "retraction notice": "retraction",
    "expression of concern": "expression-of-concern", "blog": "blog-post", "blog post": "blog-post",
    "presentation": "presentation", "slides": "presentation", "grant": "grant", "paratext": "paratext",
}  # fmt: skip
NOTICE_TYPES = frozenset(("erratum", "retraction", "expression-of-concern", "correction"))

_NOT_REVIEWED = {
    "preprint": "a preprint, made public before any review",
    "dissertation": "a thesis, which is examined and not peer reviewed",
    "dataset": "data, which are not peer reviewed",
    "software": "software, which is not peer reviewed",
    "editorial": "an editorial, which is opinion and not reviewed as research is",
    "letter": "a letter or comment, which is not reviewed as research is",
    "news": "a piece of news in a journal, which is not reviewed as research is",
    "book-review": "a review of a book, which is not reviewed as research is",
    "peer-review": "a reviewer's report, which is not itself reviewed",
    "component": "a part or supplement of another work",
    "blog-post": "a blog post",
    "presentation": "slides or a talk",
    "grant": "a grant, and no publication",
    "paratext": "front or back matter of a journal",
    "erratum": "a publisher's notice about another work",
    "retraction": "a publisher's notice about another work",
    "expression-of-concern": "a publisher's notice about another work",
    "correction": "a publisher's notice about another work",
}
_CANNOT_BE_TOLD = {
    "proceedings-article": "a paper of a conference; some review in full, some do not",
    "book": "a book, which publishers review in their own ways",
    "book-chapter": "a chapter of a book, which publishers review in their own ways",
    "report": "a report, reviewed (if at all) by whoever issued it",
    "standard": "a standard, which is agreed by a committee and not peer reviewed as research is",
}
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
