"""What the news desk asks about a claim: of the company, of its industry, and of what speaks against it (spec 000, §3);
and what it asks when the judge sends it out again (§8).

Queries are names and content words. Half of the engines do not know OR and brackets, and words for what is looked for
('investigation', 'criticism') find pages that have these words and not the matter. So what speaks against a claim is
asked for by the words that name its subject, over all time: what refutes a claim may be older than it.
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
"""The kinds of query and what each is after, in the order in which they matter."""
_PRESS = (EngineKind.NEWS, EngineKind.WEB)
_CHECKED = (*_PRESS, EngineKind.FACT_CHECK)
_A_YEAR = timedelta(days=365)
_LIMIT = 10
_FIRST_UNWANTED = ("twitter.com", "x.com", "facebook.com", "linkedin.com", "reddit.com", "instagram.com", "youtube.com")
"""Engines that filter by operators take a few only; these are met most."""
_KEPT = frozenset(("archive.org",))
"""Copies of pages lie there that are worth what their originals are worth."""
_ASKED_BY_HALF = 0.5
_SAME = 0.75
"""Share of a query's words that another has, from which the two are one."""
_SITES = 10
"""Domains in one filter; more are cut by most services."""
_BEST = ((Category.INVESTIGATIVE, 5), (Category.REGULATOR, 3), (Category.COURT, 2))
_ESTABLISHED = ((Category.WIRE, 5), (Category.NEWSPAPER, 5))


def first_queries(claim: Claim, about: Subject, drafted: Mapping[str, str]) -> tuple[DeskQuery, ...]:
    """The claim's own words, one query of each kind, and one more where the claim makes several statements of different
    matters. `drafted`: a model's words by angle. They replace those of the rules but for the claim's own, because what
    decides a claim is found by these first; where they ask the same, they are asked once."""
    ruled = _by_rule(claim, about)
    asked = [("company", ruled["company"])]
    for angle in ANGLES:
        text = " ".join(dict.fromkeys(_without_angle(plain_query(drafted.get(angle, "")), angle, claim, about).split()))
        if text and angle != "industry" and about.company and not named_in(about.company, text):
            text = plain_query(f"{called(about.company, about.industry)} {text}")
        known = [found for _, found in asked] if angle != "industry" else []
        asked.append((angle, text if text and not _asks_the_same(text, known) else ruled[angle]))
    if other := _other_matter(claim, about, " ".join(text for _, text in asked)):
        asked.append(("company", other))
    distinct = {_bag(text): (angle, text) for angle, text in reversed(asked) if text}
    since = since_for(claim, about)
    made = (
        query_for(text, angle, claim, since=None if angle == "controversy" else since)
        for angle, text in reversed(distinct.values())
    )
    return (*made, *_there(claim, about, language_to_ask_in((claim.text, about.company)), iteration=1))


def _there(claim: Claim, about: Subject, language: str | None, *, iteration: int) -> tuple[DeskQuery, ...]:
    """The claim's names and figures, asked for in the language of the place."""
    text = words_of_every_language(claim, about.company) if language else ""
    if not text:
        return ()
    asked = query_for(text, "company", claim, iteration=iteration)
    return (asked.model_copy(update={"query": asked.query.model_copy(update={"language": language})}),)


def _asks_the_same(text: str, known: Sequence[str]) -> bool:
    """Whether most words of a query stand in one that is asked already: it would find the same pages."""
    bag = _bag(text)
    return any(len(bag & _bag(other)) >= _SAME * len(bag) for other in known)


def _bag(text: str) -> frozenset[str]:
    """The stems of a query's words: two queries of the same are one."""
    return frozenset(stem(word) for word in re.findall(r"[^\W_]+", fold(text)))


def _without_angle(text: str, angle: str, claim: Claim, about: Subject) -> str:
    """A model's query without the words that only say what the angle is after: no page has them for their own sake."""
    own = _bag(f"{claim.text} {about.company} {about.industry}")
    asked_of_model = _bag(ANGLES[angle]) - own
    return " ".join(word for word in text.split() if not (_bag(word) and _bag(word) <= asked_of_model))


def _other_matter(claim: Claim, about: Subject, asked: str) -> str:
    """The words of the statement of a claim that is least asked about; '' where each is, by half of its words."""
    said = _bag(asked)
    least, found = _ASKED_BY_HALF, ""
    for part in parts_of(claim, about.company):
        terms = claim_words(claim.model_copy(update={"text": part.text, "dates": ()}), about.company).terms
        own = _bag(" ".join(terms))
        share = len(own & said) / len(own) if own else 1.0
        if share < least:
            least, found = share, query_of(called(about.company, about.industry), *terms)
    return found


def further_queries(claim: Claim, about: Subject, again: Reinvestigation) -> tuple[DeskQuery, ...]:
    """What the judge's queries become: over all time, unless younger sources are wanted; among the best publishers
    first, where quality is wanted; as controversy, where the other side was not heard. Without any, the own ones that
    fit the gap."""
    angle = "controversy" if again.gap is Gap.OTHER_SIDE else "company"
    ruled = _by_rule(claim, about)
    wanted = {Gap.OTHER_SIDE: ("controversy",), Gap.NOTHING_FOUND: tuple(ANGLES)}.get(again.gap, ("company",))
    texts = [(angle, plain_query(text)) for text in again.refined_queries]
    texts = [each for each in dict.fromkeys(texts) if each[1]] or [
        (each, ruled[each]) for each in wanted if ruled[each]
    ]
    since = _recent(claim, about) if again.gap is Gap.RECENCY else None
    made = []
    for number, (kind, text) in enumerate(texts):
        if again.gap is Gap.QUALITY:
            made.append(query_for(text, kind, claim, domains=press_domains(1), iteration=again.iteration))
            if number == 0:
                made.append(query_for(text, kind, claim, domains=press_domains(2), iteration=again.iteration))
        else:
            made.append(query_for(text, kind, claim, since=since, iteration=again.iteration))
    # First, because nobody there was asked so far.
    return (*_there(claim, about, again.language, iteration=again.iteration), *made)


def query_for(
    text: str,
    angle: str,
    claim: Claim,
    *,
    since: datetime | None = None,
    domains: tuple[str, ...] = (),
    iteration: int = 1,
) -> DeskQuery:
    """One question of the desk, of the press and the web; about a company, checkers of claims are asked too."""
    return DeskQuery(
        desk=DESK,
        angle=angle,
        query=Query(
            text=text,
            kinds=_CHECKED if angle == "company" else _PRESS,
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
    """Each question once, for all the claims that share it. By kind, and of one kind those for the weightiest claims
    first, so that what is cut at a limit is what matters least."""
    order = {angle: place for place, angle in enumerate(ANGLES)}
    together: dict[tuple[object, ...], DeskQuery] = {}
    for each in sorted(queries, key=lambda q: (order.get(q.angle, 9), -importance.get(q.claim_ids[0], 0.0))):
        asked = each.query
        asked_of = (asked.kinds, asked.since, asked.domains, asked.language)
        key = (fold(asked.text), each.angle, asked_of, each.iteration, each.request_id)
        known = together.get(key)
        if known is not None:
            ids = tuple(dict.fromkeys((*known.claim_ids, *each.claim_ids)))
            each = known.model_copy(update={"claim_ids": ids})
        together[key] = each
    return tuple(together.values())


def since_for(claim: Claim, about: Subject) -> datetime | None:
    """From when on coverage is looked for (spec 000, §3.4): a year back for what is of this year or still to come, and
    without limit for what is past. A claim that names no year is of the report's, where that is known."""
    years = years_of(claim) or ((about.report_year,) if about.report_year else ())
    if years:
        return _back(about.now) if max(years) >= about.now.year else None
    return _back(about.now) if claim.type is ClaimType.STRATEGIC else None


def _recent(claim: Claim, about: Subject) -> datetime:
    """The last year, or from the beginning of the claim's own latest year that is past, if that is earlier."""
    past = [year for year in years_of(claim) if 1900 <= year <= about.now.year]
    back = _back(about.now)
    return min(back, datetime(max(past), 1, 1, tzinfo=UTC)) if past else back


def _back(now: datetime) -> datetime:
    return utc(now) - _A_YEAR


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
    rows = built_in_ratings().rows.values()
    listed = [
        row.domain
        for row in rows
        if row.category in (Category.SOCIAL, Category.AGGREGATOR)
        and (row.category == Category.SOCIAL or tier_of(row.score) > 2)
        and row.domain == registrable_domain(row.domain)
        and row.domain not in _KEPT
    ]
    return tuple(dict.fromkeys([each for each in _FIRST_UNWANTED if each in listed] + listed))


@lru_cache(maxsize=2)
def press_domains(tier: int) -> tuple[str, ...]:
    """Ten registrable domains of the table of ratings. Of tier 1 those who investigate, supervise and judge, in the
    table's order, which begins with the best known; of tier 2 news agencies and papers, the best first."""
    rows = [row for row in built_in_ratings().rows.values() if tier_of(row.score) == tier]
    if tier > 1:
        rows.sort(key=lambda row: -row.score)
    shares = _BEST if tier == 1 else _ESTABLISHED
    # Which part of a domain is registered is asked of those alone that are taken: it takes a while of a whole tier.
    taken = (
        islice(
            (row for row in rows if row.category == category and row.domain == registrable_domain(row.domain)), share
        )
        for category, share in shares
    )
    return tuple(row.domain for own in taken for row in own)[:_SITES]
