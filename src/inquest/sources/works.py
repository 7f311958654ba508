"""One paper, many engines: which hits are the same work, what all of them together say of it, and whether it went
through peer review before it was published.

No index records the review itself, so that 'yes' rests on where a work is and what kind of piece it is, and always
says so; 'not known' is an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypedDict, Unpack

from inquest.domain.leads import Notice, Work
from inquest.domain.search import Hit
from inquest.sources.notices import RETRACTING, title_mark, typed_kind
from inquest.text.lexicon import entries, word_lists
from inquest.text.regex import regex
from inquest.text.sentences import content_words, fold
from inquest.text.urls import arxiv_of, doi_of, preprint_server, preprint_venue, versionless

_TELLING_TITLE = 6
"""Words that carry meaning: a title with fewer ('Editorial', 'Climate change and health') is many papers' title."""
_YEARS_TO_PRINT = 2
"""A preprint and the article made of it may lie so many years apart."""
_INITIALS = regex(r"[A-ZÄÖÜ]{1,3}|(?:[A-ZÄÖÜ]\.?[ -]?)+")
_LIKE_PAPERS = frozenset(("journal-article", "proceedings-article", "preprint", "report", "dissertation", None))
_NUMBERS = {name: name for name in ("pmid", "pmcid", "ppr", "openalex", "semantic_scholar", "core")} | {
    "published_pmid": "pmid", "preprint_ppr": "ppr",
}  # fmt: skip
"""Numbers that indexes give to works, by the name under which a hit has them: to share one is to be one work."""
_NEW_WORKS = frozenset(("new_version", "new_edition", "reinstatement"))
_ENGINES = ("crossref", "pubmed", "europepmc", "datacite", "openalex", "semantic_scholar", "arxiv", "core")
"""Whose word goes first: publishers' own deposits, curated indexes, then what is gathered by machine."""


class SaidOfWork(TypedDict, total=False):
    """What an engine says of a work."""

    title: str
    doi: str | None
    venue: str | None
    subtype: str | None
    retracted: bool
    """Its flag."""
    notices: Sequence[Notice]
    notice_of: Sequence[Notice]
    reviewed: str | None
    """For this and `journal` see `peer_review`."""
    journal: bool | None
    citations: int | None
    influential_citations: int | None
    open_access_url: str | None
    preprint_of: str | None


def made_work(*types: str | None, **said: Unpack[SaidOfWork]) -> Work:
    """A work out of what one engine says of it, with what follows: its type, if it was reviewed, if it still stands.

    `types` are the engine's own words for what kind of piece it is. A notice is not retracted by what it says of
    another work; a new version or edition is a work, and no notice.
    """
    doi, venue, preprint_of = said.get("doi"), said.get("venue"), said.get("preprint_of")
    says, about = _notices(types, said)
    kind = work_type(*types, subtype=said.get("subtype"))
    if kind == "journal-article" and (preprint_server(doi) or preprint_of):
        kind = "preprint"
    if says and kind not in NOTICE_TYPES:
        kind = {"retraction": "retraction", "expression_of_concern": "expression-of-concern"}.get(
            says[0].kind, "correction"
        )
    peer_reviewed, why = peer_review(
        kind, doi=doi, venue=venue, reviewed=said.get("reviewed"), journal=said.get("journal")
    )
    kinds = {notice.kind for notice in about}
    fallen = bool(kinds & RETRACTING) and "reinstatement" not in kinds
    return Work(
        type=kind,
        doi=doi,
        venue=venue or None,
        peer_reviewed=peer_reviewed,
        peer_review_reason=why,
        retracted=fallen or (said.get("retracted", False) and not says),
        notices=tuple(about),
        notice_of=tuple(says),
        citations=said.get("citations"),
        influential_citations=said.get("influential_citations"),
        open_access_url=said.get("open_access_url"),
        preprint_of=None if preprint_server(preprint_of) else preprint_of,
    )


def _notices(types: Sequence[str | None], said: SaidOfWork) -> tuple[list[Notice], list[Notice]]:
    """What the work says of another, and what is said of it: by the engine, and by its type and title."""
    mark, (typed, is_notice) = title_mark(said.get("title", "")), typed_kind(each for each in types if each)
    says = [notice for notice in said.get("notice_of", ()) if notice.kind not in _NEW_WORKS]
    about = list(said.get("notices", ()))
    if (is_notice or (mark and mark.is_notice)) and not says:
        says = [Notice(kind=(typed if is_notice else None) or (mark.kind if mark else "correction"))]
    elif not says:
        known = {notice.kind for notice in about}
        marked = [typed] if typed and not is_notice else []
        marked += [mark.kind] if mark and not mark.is_notice else []
        about += [Notice(kind=kind) for kind in dict.fromkeys(marked) if kind not in known]
    return says, about


def same_work_keys(hit: Hit) -> list[str]:
    """What two hits on one work share: hits with a key in common are one work. [] where nothing identifies it.

    By identifiers first: DOIs without case, URL and version; arXiv numbers, which arXiv's own DOIs are turned into;
    PubMed's numbers; and the DOI that links a preprint with its published version. Then title, year and first author,
    where the title is telling or there is no DOI to go by. A notice about a work shares no key with that work.
    """
    work, known = hit.work, hit.identifiers
    own = known.get("doi") or (work.doi if work else None) or hit.url
    linked = (work.preprint_of if work else None, known.get("preprint"), known.get("version_of"))
    keys = [_doi_key(doi) for each in (own, *linked) if (doi := doi_of(each))]
    if arxiv := arxiv_of(known.get("arxiv")) or arxiv_of(hit.url):
        keys.append(f"arxiv:{arxiv}")
    title = _title_keys(hit, has_doi=bool(keys))
    keys += [
        f"{kind}:{known[name].lower().removeprefix(kind.removesuffix('id'))}"
        for name, kind in _NUMBERS.items()
        if known.get(name)
    ]
    return list(dict.fromkeys(keys + title))


def _doi_key(doi: str) -> str:
    arxiv = arxiv_of(doi)
    return f"arxiv:{arxiv}" if arxiv else f"doi:{versionless(doi)}"


def _title_keys(hit: Hit, *, has_doi: bool) -> list[str]:
    work, mark = hit.work, title_mark(hit.title)
    is_notice = (mark is not None and mark.is_notice) or (work is not None and bool(work.notice_of))
    if hit.published is None or not hit.author or is_notice:
        return []
    words = re.findall(r"\w+", fold(mark.title if mark else hit.title))
    telling = len(content_words(" ".join(words)))
    kind = work.type if work else None
    if telling < 3 or (has_doi and telling < _TELLING_TITLE):
        return []
    group = "paper" if kind in _LIKE_PAPERS else str(kind)
    year, later = hit.published.at.year, _YEARS_TO_PRINT if kind == "preprint" else 0
    name, title = _first_author(hit.author), " ".join(words)
    return [f"{group}:{title}|{year + more}|{name}" for more in range(later + 1)] if name else []


def _first_author(author: str) -> str:
    """The family name of the first of several: of 'Ada B. Example, ...', 'Example AB', 'Example, Ada'."""
    first = re.split(r"[,;]| and \d+ others", author)[0].strip().rstrip(".")
    parts = first.split()
    while len(parts) > 1 and _INITIALS.fullmatch(parts[-1]):
        parts.pop()
    return fold(parts[-1]) if parts else ""


def grouped(hits: Iterable[Hit], keys_of: Callable[[Hit], Sequence[str]] = same_work_keys) -> list[list[Hit]]:
    """The hits that share a key with one another, groups in the order in which they come first; a hit that nothing
    identifies is alone. One hit may show that two groups are one: by its address the one, by its DOI the other."""
    groups: list[list[Hit]] = []
    where: dict[str, int] = {}
    for hit in hits:
        keys = keys_of(hit)
        places = sorted({where[key] for key in keys if key in where}) or [len(groups)]
        if places[0] == len(groups):
            groups.append([])
        groups[places[0]].append(hit)
        for other in places[1:]:
            groups[places[0]] += groups[other]
            groups[other] = []
            where.update({key: places[0] for key, place in where.items() if place == other})
        where.update(dict.fromkeys(keys, places[0]))
    return [group for group in groups if group]


def merged_work(hits: Iterable[Hit]) -> Work | None:
    """One work out of several hits on it (see `grouped`), with the best that is known of each field; None: no hit
    says that it is a work. The order of the hits does not matter.

    What is said of the published version goes before what is said of its preprint. Any engine's notice of a
    retraction stands, even where the others do not know of it.
    """
    works = [hit.work for hit in sorted(hits, key=_trust) if hit.work]
    if not works:
        return None
    published = [work for work in works if not _is_preprint(work)] or works
    kinds = [work.type for work in published if work.type and work.type not in ("other", "text")]
    reviewed, why = _reviewed(published)
    notices = list(dict.fromkeys(notice for work in works for notice in work.notices))
    detailed = {notice.kind for notice in notices if notice.doi or notice.at}
    return Work(
        type=kinds[0] if kinds else published[0].type,
        doi=next((work.doi for work in published if work.doi), None),
        venue=next((work.venue for work in published if work.venue), None),
        peer_reviewed=reviewed,
        peer_review_reason=why,
        retracted=any(work.retracted for work in works),
        notices=tuple(notice for notice in notices if notice.doi or notice.at or notice.kind not in detailed),
        notice_of=tuple(dict.fromkeys(notice for work in works for notice in work.notice_of)),
        citations=max((work.citations for work in works if work.citations is not None), default=None),
        influential_citations=max(
            (work.influential_citations for work in works if work.influential_citations is not None), default=None
        ),
        open_access_url=next((work.open_access_url for work in (*published, *works) if work.open_access_url), None),
        preprint_of=None if published is not works else next((w.preprint_of for w in works if w.preprint_of), None),
    )


def _trust(hit: Hit) -> tuple[int, str, int, str]:
    place = _ENGINES.index(hit.engine) if hit.engine in _ENGINES else len(_ENGINES)
    return place, hit.engine, hit.rank, hit.url


def _is_preprint(work: Work) -> bool:
    return work.type == "preprint" or bool(work.preprint_of) or bool(preprint_server(work.doi))


def _reviewed(works: Sequence[Work]) -> tuple[bool | None, str | None]:
    """A 'no' that names the kind of piece goes before a 'yes' that rests on the journal: journals print editorials."""
    for answer in (False, True, None):
        for work in works:
            if work.peer_reviewed is answer and (answer is not None or work.peer_review_reason):
                return answer, work.peer_review_reason
    return None, None


_TYPES = {name: kind for kind, names in word_lists(__name__, "work_types").items() for name in names}
NOTICE_TYPES = frozenset(("erratum", "retraction", "expression-of-concern", "correction"))
_NOT_REVIEWED = entries(__name__, "not_reviewed")
_CANNOT_BE_TOLD = entries(__name__, "perhaps_reviewed")
_TELLING = (
    frozenset("editorial letter news comment erratum retraction biography interview bookreview".split()),
    frozenset(("preprint",)),
    frozenset(("conference", "conferencepaper")),
)
"""Types that a service may name beside 'journal article', and that count before it."""


def work_type(*names: str | None, subtype: str | None = None) -> str | None:
    """The type of a work in Crossref's names, from any service's; of several names the most telling one.

    Crossref's posted content is a preprint unless its `subtype` says otherwise ('other' is mostly a blog post).
    """
    spelled = {re.sub(r"[\W_]+", "", name.lower()): name for name in names if name}
    if "postedcontent" in spelled and subtype and subtype.lower() not in ("preprint", "article"):
        return subtype.lower() if subtype.lower() in ("dissertation", "report", "letter") else "blog-post"
    ordered = [name for telling in _TELLING for name in spelled if name in telling] + list(spelled)
    known = next((_TYPES[name] for name in ordered if name in _TYPES), None)
    return known or next((re.sub(r"[\s_]+", "-", name.lower()) for name in spelled.values()), None)


def peer_review(
    kind: str | None,
    *,
    doi: str | None = None,
    venue: str | None = None,
    reviewed: str | None = None,
    journal: bool | None = None,
) -> tuple[bool | None, str | None]:
    """(peer reviewed or not, the reason). (None, reason or None): not known.

    `kind`: of `work_type`. `reviewed`: a service's reason in favour ('its review reports are public', 'in MEDLINE').
    `journal`: False where the service says that the venue is no journal.
    """
    server = preprint_server(doi)
    if server or preprint_venue(venue):
        return False, f"a preprint on {server or venue}, made public before any review"
    if kind in _NOT_REVIEWED:
        return False, _NOT_REVIEWED[kind]
    if reviewed:
        return True, reviewed
    if kind == "journal-article" and venue and journal is not False:
        return True, f"an article in the journal {venue}, as journals review them"
    if kind == "journal-article":
        return None, "said to be an article, but not of which journal"
    return None, _CANNOT_BE_TOLD.get(kind or "")
