"""Scholarly works over several engines: hits on the same work, their merged data, their peer review, and publishers'
notices about them (retractions, withdrawals, concerns, corrections).

No index records the review itself. A 'yes' therefore rests on the venue and the type of a work and always says so;
'not known' is an answer. A retracted work and the notice of its retraction are two documents; only the first is
retracted. Crossref has `updated-by` on the work and `update-to` on the notice; PubMed and Europe PMC have 'Retracted
Publication' on the work and 'Retraction of Publication' on the notice, and 'Retraction in' and 'Retraction of' in the
links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from inquest.domain.search import Hit, Notice, Work
from inquest.text.dates import date_from_parts
from inquest.text.lexicon import entries, word_lists
from inquest.text.regex import regex
from inquest.text.sentences import content_words, fold
from inquest.text.urls import arxiv_of, doi_of, preprint_server, preprint_venue, versionless

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
    is_notice: bool  # The document is the notice; otherwise it is the work that a notice is about
    title: str  # The title without the mark


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
_ALSO_WORDS = ("withdrawal", "removal")  # Kinds whose noun alone, as a title, may be about anything


def title_mark(title: str) -> TitleMark | None:
    """Find the mark of a title: 'RETRACTED: ...' is on the work, 'Retraction notice to: ...' on the notice. None for a
    title that only mentions such things ('Retraction of the glacier', 'Retracted papers: a survey')."""
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
    'Retracted Publication' gives ('retraction', False), 'Retraction of Publication' ('retraction', True)."""
    plain = [_SEPARATED.sub(" ", each.lower()).strip() for each in types]
    if notice := next((each for each in plain if each in _NOTICE_TYPES), None):
        return notice_kind(notice), True
    return next((notice_kind(each) for each in plain if each in _WITHDRAWN_TYPES), None), False


def crossref_notices(items: object, *, own: str | None = None, to_self: bool = False) -> list[Notice]:
    """Parse Crossref's `updated-by` or `update-to` into notices with kind, DOI and date; malformed items are left out.
    A publisher that replaces the work by its notice gives both one DOI (`own`). With `to_self` only such notices are
    returned, without it only the others."""
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
    """Sort links of PubMed and Europe PMC into (notices on the work, notices that the document is on other works). A
    link is (type, DOI): 'Retraction in' leads to the notice, 'Retraction of' from it."""
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


_TELLING_TITLE = 6  # Content words; shorter titles ('Editorial', 'Climate change and health') belong to many papers
_YEARS_TO_PRINT = 2  # Maximum years between a preprint and its article
_INITIALS = regex(r"[A-ZÄÖÜ]{1,3}|(?:[A-ZÄÖÜ]\.?[ -]?)+")
_LIKE_PAPERS = frozenset(("journal-article", "proceedings-article", "preprint", "report", "dissertation", None))
_NUMBERS = {name: name for name in ("pmid", "pmcid", "ppr", "openalex", "semantic_scholar", "core")} | {
    "published_pmid": "pmid", "preprint_ppr": "ppr",
}  # fmt: skip
"""Identifiers in indexes, by their name in a hit; hits that share one are one work."""
_NEW_WORKS = frozenset(("new_version", "new_edition", "reinstatement"))
_ENGINES = ("crossref", "pubmed", "europepmc", "datacite", "openalex", "semantic_scholar", "arxiv", "core")
"""Engines in order of trust: publishers' own deposits, curated indexes, then automatic collections."""


def made_work(
    *types: str | None,
    title: str = "",
    subtype: str | None = None,
    reviewed: str | None = None,
    journal: bool | None = None,
    **fields: Any,
) -> Work:
    """Build a work from the `fields` of one engine, with its type, its peer review, and if it is retracted. `types` are
    the engine's own words for the type; for `reviewed` and `journal` see `peer_review`. A notice is not retracted by
    its statement on another work; a new version or edition is a work, not a notice."""
    given = Work(**fields)
    says, about = _notices(types, title, given)
    kind = work_type(*types, subtype=subtype)
    if kind == "journal-article" and (preprint_server(given.doi) or given.preprint_of):
        kind = "preprint"
    if says and kind not in NOTICE_TYPES:
        kind = {"retraction": "retraction", "expression_of_concern": "expression-of-concern"}.get(
            says[0].kind, "correction"
        )
    peer_reviewed, why = peer_review(kind, doi=given.doi, venue=given.venue, reviewed=reviewed, journal=journal)
    kinds = {notice.kind for notice in about}
    fallen = bool(kinds & RETRACTING) and "reinstatement" not in kinds
    made = {
        "type": kind,
        "venue": given.venue or None,
        "peer_reviewed": peer_reviewed,
        "peer_review_reason": why,
        "retracted": fallen or (given.retracted and not says),
        "notices": tuple(about),
        "notice_of": tuple(says),
        "preprint_of": None if preprint_server(given.preprint_of) else given.preprint_of,
    }
    return given.model_copy(update=made)


def _notices(types: Sequence[str | None], title: str, given: Work) -> tuple[list[Notice], list[Notice]]:
    """Return the notices that the work is, and those about it: by the engine, and by its type and title."""
    mark, (typed, is_notice) = title_mark(title), typed_kind(each for each in types if each)
    says = [notice for notice in given.notice_of if notice.kind not in _NEW_WORKS]
    about = list(given.notices)
    if (is_notice or (mark and mark.is_notice)) and not says:
        says = [Notice(kind=(typed if is_notice else None) or (mark.kind if mark else "correction"))]
    elif not says:
        known = {notice.kind for notice in about}
        marked = [typed] if typed and not is_notice else []
        marked += [mark.kind] if mark and not mark.is_notice else []
        about += [Notice(kind=kind) for kind in dict.fromkeys(marked) if kind not in known]
    return says, about


def same_work_keys(hit: Hit) -> list[str]:
    """Return keys of a hit's work: hits with a key in common are the same work. [] if nothing identifies it.
    Identifiers come first: DOIs without case, URL and version; arXiv numbers, also from arXiv's DOIs; PubMed's numbers;
    and the DOI that links a preprint with its published version. Then title, year and first author, where the title is
    specific or there is no DOI. A notice about a work shares no key with that work."""
    work, known = hit.work, hit.identifiers
    own = known.get("doi") or (work.doi if work else None) or hit.url
    linked = (work.preprint_of if work else None, known.get("preprint"), known.get("version_of"))
    dois = [doi for each in (own, *linked) if (doi := doi_of(each))]
    keys = [f"arxiv:{number}" if (number := arxiv_of(doi)) else f"doi:{versionless(doi)}" for doi in dois]
    if arxiv := arxiv_of(known.get("arxiv")) or arxiv_of(hit.url):
        keys.append(f"arxiv:{arxiv}")
    title = _title_keys(hit, has_doi=bool(keys))
    keys += [
        f"{kind}:{known[name].lower().removeprefix(kind.removesuffix('id'))}"
        for name, kind in _NUMBERS.items()
        if known.get(name)
    ]
    return list(dict.fromkeys(keys + title))


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
    """Return the family name of the first author: of 'Ada B. Example, ...', 'Example AB', 'Example, Ada'."""
    first = re.split(r"[,;]| and \d+ others", author)[0].strip().rstrip(".")
    parts = first.split()
    while len(parts) > 1 and _INITIALS.fullmatch(parts[-1]):
        parts.pop()
    return fold(parts[-1]) if parts else ""


def grouped(hits: Iterable[Hit], keys_of: Callable[[Hit], Sequence[str]] = same_work_keys) -> list[list[Hit]]:
    """Group hits that share a key, in the order of first occurrence; a hit without keys is alone. One hit may join two
    groups: by its address the one, by its DOI the other."""
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
    """Merge several hits on one work (see `grouped`) into the best of each field; None if no hit has a work. The order
    of the hits does not matter. Data on the published version precede those on its preprint. A retraction reported by
    any engine counts, even if the others do not list it."""
    trust = {engine: place for place, engine in enumerate(_ENGINES)}
    trusted = sorted(hits, key=lambda hit: (trust.get(hit.engine, len(trust)), hit.engine, hit.rank, hit.url))
    works = [hit.work for hit in trusted if hit.work]
    if not works:
        return None
    preprints = [each for each in works if each.type == "preprint" or each.preprint_of or preprint_server(each.doi)]
    published = [work for work in works if work not in preprints] or works
    kinds = [work.type for work in published if work.type and work.type not in ("other", "text")]
    # A 'no' by type precedes a 'yes' by journal, because journals print editorials.
    judged = [work for work in published if work.peer_reviewed is not None or work.peer_review_reason]
    review = min(judged, key=lambda work: (False, True, None).index(work.peer_reviewed), default=Work())
    notices = list(dict.fromkeys(notice for work in works for notice in work.notices))
    detailed = {notice.kind for notice in notices if notice.doi or notice.at}
    return Work(
        type=kinds[0] if kinds else published[0].type,
        doi=next((work.doi for work in published if work.doi), None),
        venue=next((work.venue for work in published if work.venue), None),
        peer_reviewed=review.peer_reviewed,
        peer_review_reason=review.peer_review_reason,
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


_TYPES = {name: kind for kind, names in word_lists(__name__, "work_types").items() for name in names}
NOTICE_TYPES = frozenset(("erratum", "retraction", "expression-of-concern", "correction"))
_NOT_REVIEWED = entries(__name__, "not_reviewed")
_PERHAPS_REVIEWED = entries(__name__, "perhaps_reviewed")
_TELLING = (
    frozenset("editorial letter news comment erratum retraction biography interview bookreview".split()),
    frozenset(("preprint",)),
    frozenset(("conference", "conferencepaper")),
)
"""Types that precede 'journal article' if a service names both."""


def work_type(*names: str | None, subtype: str | None = None) -> str | None:
    """Return the type of a work in Crossref's names, from any service's; of several names the most specific. Crossref's
    posted content is a preprint unless its `subtype` says otherwise ('other' is mostly a blog post)."""
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
    """Return if a work is peer reviewed, None for not known, and the reason or None. `kind`: of `work_type`.
    `reviewed`: a service's reason in favour ('its review reports are public', 'in MEDLINE'). `journal`: False if the
    service says that the venue is not a journal."""
    server = preprint_server(doi)
    if server or preprint_venue(venue):
        return False, f"a preprint on {server or venue}, published before peer review"
    if kind in _NOT_REVIEWED:
        return False, _NOT_REVIEWED[kind]
    if reviewed:
        return True, reviewed
    if kind == "journal-article" and venue and journal is not False:
        return True, f"an article in the journal {venue}, which journals normally peer-review"
    if kind == "journal-article":
        return None, "an article, but its journal is not known"
    return None, _PERHAPS_REVIEWED.get(kind or "")
