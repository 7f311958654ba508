"""Queries of the news desk on a claim: the company, its industry and its controversies (spec 000, §3 and §8).

Queries are names and content words. Words such as 'investigation' or 'criticism' match pages on other subjects, so
controversies are searched for by their subject, without a time limit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice

from inquest.claims.parts_of_claim import parts_of
from inquest.claims.plan_queries import language_to_ask_in, words_of_every_language
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
"""The kinds of query and the purpose of each, most important first; these texts are sent to models."""
_PRESS = (EngineKind.NEWS, EngineKind.WEB)
_A_YEAR = timedelta(days=365)
_LIMIT = 10
_FIRST_UNWANTED = ("twitter.com", "x.com", "facebook.com", "linkedin.com", "reddit.com", "instagram.com", "youtube.com")
"""Number of the most frequent unwanted domains; engines that filter by operators accept only a few."""
_KEPT = "archive.org"
"""A domain that is kept, because its copies of pages are rated like their originals."""
_ASKED_BY_HALF = 0.5
_SITES = 10
"""Maximum domains in a filter; most services ignore further ones."""
_BEST = {
    1: ((Category.INVESTIGATIVE, 5), (Category.REGULATOR, 3), (Category.COURT, 2)),
    2: ((Category.WIRE, 5), (Category.NEWSPAPER, 5)),
}
"""By tier, the number of publishers of each category to search if better sources are wanted."""


def first_queries(claim: Claim, about: Subject, drafted: Mapping[str, str]) -> tuple[DeskQuery, ...]:
    """The claim's own words, one query of each kind, and one on a statement of the claim with another subject.
    `drafted`: a model's words by angle, which replace those of the rules."""
    by_rule = _by_rule(claim, about)
    texts = [("company", by_rule["company"])]
    for angle in ANGLES:
        text = " ".join(dict.fromkeys(plain_query(drafted.get(angle, "")).split()))
        if text and angle != "industry" and about.company and not named_in(about.company, text):
            text = plain_query(f"{called(about.company, about.industry)} {text}")
        texts.append((angle, text or by_rule[angle]))
    # Search words for the part of a claim that the queries `asked` cover least; '' if they cover half of each.
    known = _stems(" ".join(text for _, text in texts))
    least, query = _ASKED_BY_HALF, ""
    for part in parts_of(claim, about.company):
        terms = claim_words(claim.model_copy(update={"text": part.text, "dates": ()}), about.company).terms
        stems = _stems(" ".join(terms))
        share = len(stems & known) / len(stems) if stems else 1.0
        if share < least:
            least, query = share, query_of(called(about.company, about.industry), *terms)
    texts.append(("company", query))
    distinct = {_stems(text): (angle, text) for angle, text in reversed(texts) if text}
    starts = {angle: None if angle == "controversy" else since_for(claim, about) for angle in ANGLES}
    queries = (query_for(text, angle, claim, since=starts[angle]) for angle, text in reversed(distinct.values()))
    return (*queries, *_in_language(claim, about, language_to_ask_in((claim.text, about.company)), iteration=1))


def _in_language(claim: Claim, about: Subject, language: str | None, *, iteration: int) -> tuple[DeskQuery, ...]:
    """A query for the claim's names and figures in the language of the place."""
    text = words_of_every_language(claim, about.company) if language else ""
    if not text:
        return ()
    made = query_for(text, "company", claim, iteration=iteration)
    return (made.model_copy(update={"query": made.query.model_copy(update={"language": language})}),)


def _stems(text: str) -> frozenset[str]:
    """The stems of a query's words; queries with the same stems are duplicates."""
    return frozenset(stem(word) for word in re.findall(r"[^\W_]+", fold(text)))


def further_queries(claim: Claim, about: Subject, again: Reinvestigation) -> tuple[DeskQuery, ...]:
    """The judge's queries, else those of the rules that fit the gap: without a time limit unless recent sources are
    wanted, restricted to the best publishers for quality, and as controversies for the other side."""
    angle = "controversy" if again.gap is Gap.OTHER_SIDE else "company"
    texts = [(angle, text) for each in dict.fromkeys(again.refined_queries) if (text := plain_query(each))]
    if not texts:
        by_rule = _by_rule(claim, about)
        angles = tuple(ANGLES) if again.gap is Gap.NOTHING_FOUND else (angle,)
        texts = [(each, by_rule[each]) for each in angles if by_rule[each]]
    since = None
    if again.gap is Gap.RECENCY:
        past = [datetime(year, 1, 1, tzinfo=UTC) for year in years_of(claim) if 1900 <= year <= about.now.year]
        since = min([utc(about.now) - _A_YEAR, *past[-1:]])
    queries = []
    for number, (kind, text) in enumerate(texts):
        # Publishers of the second tier get only the first query.
        tiers = ((1, 2) if number == 0 else (1,)) if again.gap is Gap.QUALITY else (0,)
        for tier in tiers:
            domains = press_domains(tier) if tier else ()
            queries.append(query_for(text, kind, claim, since=since, domains=domains, iteration=again.iteration))
    # First, because there has been no query in that language yet.
    return (*_in_language(claim, about, again.language, iteration=again.iteration), *queries)


def query_for(
    text: str,
    angle: str,
    claim: Claim,
    *,
    since: datetime | None = None,
    domains: tuple[str, ...] = (),
    iteration: int = 1,
) -> DeskQuery:
    """A query to the press and the web; on a company, also to fact-checkers."""
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


def since_for(claim: Claim, about: Subject) -> datetime | None:
    """The start of the search period (spec 000, §3.4): a year ago for claims about this year or the future, else
    None."""
    years = years_of(claim) or ((about.report_year,) if about.report_year else ())
    recent = max(years) >= about.now.year if years else claim.type is ClaimType.STRATEGIC
    return utc(about.now) - _A_YEAR if recent else None


def _by_rule(claim: Claim, about: Subject) -> dict[str, str]:
    """Search words by angle; '' without any."""
    words = claim_words(claim, about.company)
    name = called(about.company, about.industry)
    to_come = [year for year in words.years if year > about.now.year]
    years = [str(year) for year in to_come[-2:] or words.years[-1:]]
    topic = words.topic or words.terms
    company = query_of(name, *words.terms, words.figure, *years) if words.terms or words.figure else name
    places = words.places[:1] if claim.type is ClaimType.GEOGRAPHIC else () if name else words.places
    place = " ".join(places)
    against = query_of(name, *(term for term in topic if term != place), place)
    industry = query_of(about.industry, *topic[:4], place, *years) if topic and about.industry else ""
    return {"company": company, "controversy": against if name or topic else "", "industry": industry}


@lru_cache(maxsize=1)
def unwanted_domains() -> tuple[str, ...]:
    """Social networks, and aggregators of tier 3 and 4, by the table of ratings; the most frequent first."""
    unwanted = [
        row.domain
        for row in built_in_ratings().rows.values()
        if (row.category == Category.SOCIAL or (row.category == Category.AGGREGATOR and tier_of(row.score) > 2))
        and row.domain == registrable_domain(row.domain)
        and row.domain != _KEPT
    ]
    return tuple(dict.fromkeys((*(each for each in _FIRST_UNWANTED if each in unwanted), *unwanted)))


@lru_cache(maxsize=2)
def press_domains(tier: int) -> tuple[str, ...]:
    """Ten domains from the table of ratings: of tier 1 in its order (best known first), of tier 2 best first."""
    rows = [row for row in built_in_ratings().rows.values() if tier_of(row.score) == tier]
    if tier > 1:
        rows.sort(key=lambda row: -row.score)
    # Finding the registrable domain is slow, so it is done lazily.
    domains: list[str] = []
    for category, most in _BEST[tier]:
        of_kind = (row.domain for row in rows if row.category == category)
        domains += islice((domain for domain in of_kind if domain == registrable_domain(domain)), most)
    return tuple(domains[:_SITES])
