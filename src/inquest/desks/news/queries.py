"""Queries of the news desk on a claim: of the company, its industry, and what speaks against it (spec 000, §3 and §8).

Queries are names and content words. Words for what is looked for ('investigation', 'criticism') find pages that have
these words and not the subject: what speaks against a claim is asked for by its subject, over all time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice

from inquest.claims.other_languages import language_to_ask_in, words_of_every_language
from inquest.claims.parts_of_claim import parts_of
from inquest.claims.press_words import called, claim_words, plain_query, query_of, years_of
from inquest.claims.report.company import named_in
from inquest.domain.check import DeskQuery, Gap, Reinvestigation
from inquest.domain.claim import Claim, ClaimType
from inquest.domain.search import EngineKind, Query
from inquest.domain.source import Category
from inquest.kit.desk import Subject
from inquest.sources.ratings_table import built_in_ratings
from inquest.sources.tiers import tier_of
from inquest.text.dates import utc
from inquest.text.sentences import fold, stem
from inquest.text.urls import registrable_domain

DESK = "news"
ANGLES = {
    "company": "what the press and public bodies report of the company and the very matter of the claim",
    "controversy": "what speaks against it: investigations, enforcement, lawsuits, whistleblowers, criticism",
    "industry": "how the sector does in the matter of the claim, without the company's name: norms, incidents, rulings",
}
"""The kinds of query and what each is after, in the order of their importance."""
_PRESS = (EngineKind.NEWS, EngineKind.WEB)
_A_YEAR = timedelta(days=365)
_LIMIT = 10
_FIRST_UNWANTED = ("twitter.com", "x.com", "facebook.com", "linkedin.com", "reddit.com", "instagram.com", "youtube.com")
"""Engines that filter by operators take a few only; these are met most."""
_KEPT = "archive.org"
"""Copies of pages there are rated as their originals."""
_ASKED_BY_HALF = 0.5
_SITES = 10
"""Domains in one filter; more are cut by most services."""
_BEST = {
    1: ((Category.INVESTIGATIVE, 5), (Category.REGULATOR, 3), (Category.COURT, 2)),
    2: ((Category.WIRE, 5), (Category.NEWSPAPER, 5)),
}
"""By tier, how many publishers of a category are asked where better sources are wanted."""


def first_queries(claim: Claim, about: Subject, drafted: Mapping[str, str]) -> tuple[DeskQuery, ...]:
    """The claim's own words, one query of each kind, and one more where the claim makes several statements on different
    subjects. `drafted`: a model's words by angle, in place of those of the rules but for the claim's own."""
    ruled = _by_rule(claim, about)
    asked = [("company", ruled["company"])]
    for angle in ANGLES:
        text = " ".join(dict.fromkeys(plain_query(drafted.get(angle, "")).split()))
        if text and angle != "industry" and about.company and not named_in(about.company, text):
            text = plain_query(f"{called(about.company, about.industry)} {text}")
        asked.append((angle, text or ruled[angle]))
    asked.append(("company", _other_subject(claim, about, " ".join(text for _, text in asked))))
    distinct = {_stems(text): (angle, text) for angle, text in reversed(asked) if text}
    since = since_for(claim, about)
    made = (
        query_for(text, angle, claim, since=None if angle == "controversy" else since)
        for angle, text in reversed(distinct.values())
    )
    return (*made, *_in_language(claim, about, language_to_ask_in((claim.text, about.company)), iteration=1))


def _in_language(claim: Claim, about: Subject, language: str | None, *, iteration: int) -> tuple[DeskQuery, ...]:
    """The claim's names and figures, asked for in the language of the place."""
    text = words_of_every_language(claim, about.company) if language else ""
    if not text:
        return ()
    asked = query_for(text, "company", claim, iteration=iteration)
    return (asked.model_copy(update={"query": asked.query.model_copy(update={"language": language})}),)


def _stems(text: str) -> frozenset[str]:
    """The stems of a query's words: two queries of the same are one."""
    return frozenset(stem(word) for word in re.findall(r"[^\W_]+", fold(text)))


def _other_subject(claim: Claim, about: Subject, asked: str) -> str:
    """The words of the statement of a claim that is least asked about; '' where each is, by half of its words."""
    known = _stems(asked)
    least, found = _ASKED_BY_HALF, ""
    for part in parts_of(claim, about.company):
        terms = claim_words(claim.model_copy(update={"text": part.text, "dates": ()}), about.company).terms
        own = _stems(" ".join(terms))
        share = len(own & known) / len(own) if own else 1.0
        if share < least:
            least, found = share, query_of(called(about.company, about.industry), *terms)
    return found


def further_queries(claim: Claim, about: Subject, again: Reinvestigation) -> tuple[DeskQuery, ...]:
    """The judge's queries, or without any the own ones that fit the gap: over all time, unless younger sources are
    wanted; among the best publishers, where quality is wanted; as controversy, where the other side is missing."""
    angle = "controversy" if again.gap is Gap.OTHER_SIDE else "company"
    texts = [(angle, text) for each in dict.fromkeys(again.refined_queries) if (text := plain_query(each))]
    if not texts:
        ruled = _by_rule(claim, about)
        wanted = tuple(ANGLES) if again.gap is Gap.NOTHING_FOUND else (angle,)
        texts = [(each, ruled[each]) for each in wanted if ruled[each]]
    since = _recent(claim, about) if again.gap is Gap.RECENCY else None
    made = []
    for number, (kind, text) in enumerate(texts):
        # The second tier is asked the first query alone.
        tiers = ((1, 2) if number == 0 else (1,)) if again.gap is Gap.QUALITY else (0,)
        for tier in tiers:
            domains = press_domains(tier) if tier else ()
            made.append(query_for(text, kind, claim, since=since, domains=domains, iteration=again.iteration))
    # First, because nobody was asked in that language so far.
    return (*_in_language(claim, about, again.language, iteration=again.iteration), *made)


def query_for(
    text: str,
    angle: str,
    claim: Claim,
    *,
    since: datetime | None = None,
    domains: tuple[str, ...] = (),
    iteration: int = 1,
) -> DeskQuery:
    """One query of the desk, to the press and the web; about a company, to checkers of claims too."""
    return DeskQuery(
        desk=DESK,
        angle=angle,
        query=Query(
            text=text,
            kinds=(*_PRESS, EngineKind.FACT_CHECK) if angle == "company" else _PRESS,
            purpose=claim.text or text,
            since=since,
            domains=domains,
            exclude_domains=unwanted_domains(),
            limit=_LIMIT,
        ),
        claim_ids=(claim.id,),
        iteration=iteration,
    )


def merged(queries: Sequence[DeskQuery], importance: Mapping[str, float]) -> tuple[DeskQuery, ...]:
    """Each query once, for all the claims that share it; by kind, and of one kind those for the most important claims
    first."""
    order = {angle: place for place, angle in enumerate(ANGLES)}
    together: dict[tuple[object, ...], DeskQuery] = {}
    for each in sorted(queries, key=lambda q: (order.get(q.angle, 9), -importance.get(q.claim_ids[0], 0.0))):
        query = each.query.model_copy(update={"text": fold(each.query.text), "purpose": ""})
        key = (query.model_dump_json(), each.angle, each.iteration, each.request_id)
        known = together.get(key, each)
        ids = tuple(dict.fromkeys((*known.claim_ids, *each.claim_ids)))
        together[key] = known.model_copy(update={"claim_ids": ids})
    return tuple(together.values())


def since_for(claim: Claim, about: Subject) -> datetime | None:
    """From when on coverage is looked for (spec 000, §3.4): a year back for what is of this year or still to come, and
    without limit for what is past. A claim that names no year is of the report's, where that is known."""
    years = years_of(claim) or ((about.report_year,) if about.report_year else ())
    recent = max(years) >= about.now.year if years else claim.type is ClaimType.STRATEGIC
    return utc(about.now) - _A_YEAR if recent else None


def _recent(claim: Claim, about: Subject) -> datetime:
    """The last year, or from the beginning of the claim's own latest year that is past, if that is earlier."""
    past = [year for year in years_of(claim) if 1900 <= year <= about.now.year]
    back = utc(about.now) - _A_YEAR
    return min(back, datetime(max(past), 1, 1, tzinfo=UTC)) if past else back


def _by_rule(claim: Claim, about: Subject) -> dict[str, str]:
    """Angle -> words; '' where there is nothing to ask with."""
    found = claim_words(claim, about.company)
    name = called(about.company, about.industry)
    to_come = [year for year in found.years if year > about.now.year]
    years = [str(year) for year in to_come[-2:] or found.years[-1:]]
    topic = found.topic or found.terms
    company = query_of(name, *found.terms, found.figure, *years) if found.terms or found.figure else name
    place = found.places[0] if claim.type is ClaimType.GEOGRAPHIC and found.places else ""
    place = place or ("" if name else " ".join(found.places))
    against = query_of(name, *(term for term in topic if term != place), place)
    industry = query_of(about.industry, *topic[:4], place, *years) if topic and about.industry else ""
    return {"company": company, "controversy": against if name or topic else "", "industry": industry}


@lru_cache(maxsize=1)
def unwanted_domains() -> tuple[str, ...]:
    """Social networks, and aggregators of tier 3 and 4, by the table of ratings; those that are met most first."""
    unwanted = [
        row.domain
        for row in built_in_ratings().rows.values()
        if (row.category == Category.SOCIAL or (row.category == Category.AGGREGATOR and tier_of(row.score) > 2))
        and row.domain == registrable_domain(row.domain)
        and row.domain != _KEPT
    ]
    return tuple(dict.fromkeys([each for each in _FIRST_UNWANTED if each in unwanted] + unwanted))


@lru_cache(maxsize=2)
def press_domains(tier: int) -> tuple[str, ...]:
    """Ten registrable domains of the table of ratings of tier 1 (investigators, supervisors, courts, in the table's
    order, which begins with the best known) or 2 (agencies and papers, the best first)."""
    rows = [row for row in built_in_ratings().rows.values() if tier_of(row.score) == tier]
    if tier > 1:
        rows.sort(key=lambda row: -row.score)
    # Which part of a domain is registered takes long to tell: it is asked of those alone that are taken.
    found: list[str] = []
    for category, share in _BEST[tier]:
        own = (row.domain for row in rows if row.category == category and row.domain == registrable_domain(row.domain))
        found += islice(own, share)
    return tuple(found[:_SITES])
