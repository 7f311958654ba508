"""How old a domain is, by the reply of its registry (RDAP, RFC 9083), and what that means for what stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from inquest.domain.published import Precision, Published
from inquest.domain.source import Category, DomainAge, Rating
from inquest.sources.tiers import RELEASE_SCORE, rating_of, source_reason, with_reasons
from inquest.text.dates import parse_date, utc
from inquest.text.regex import regex

YOUNG_DAYS = 180
"""Below this a site has no record that it could be judged by."""

SHORTLY_BEFORE_DAYS = 90
"""A site that was set up this short a time before what it reports may have been set up for it."""

ESTABLISHED_YEARS = 10
"""A publisher that has had its domain this long has a record to lose; sites made for a purpose are younger."""

ESTABLISHED_SCORE = 70
"""Of a publisher that a model takes for an institution: the least of tier 2."""

_WITHHELD = regex(r"redacted|withheld|privacy|not disclosed|data protected|gdpr", re.IGNORECASE)
_REGISTERED = ("registration", "reregistration")
_INSTITUTIONS = frozenset(
    (
        Category.NEWSPAPER, Category.MAGAZINE, Category.BROADCASTER, Category.TRADE, Category.GOVERNMENT, Category.NGO,
        Category.SCHOLARLY,
    )
)  # fmt: skip


def parse_domain_age(body: object, domain: str, now: datetime) -> DomainAge:
    """The age of `domain` by a registry's reply. Raises ValueError where that is no object of its form, or is about
    another domain. Events that are missing or no dates are left out."""
    if not isinstance(body, dict):
        raise ValueError("not an object")
    if "errorCode" in body:
        return DomainAge(domain=domain, why_unknown="its registry has no entry that it shows")
    named = body.get("ldhName")
    if body.get("objectClassName") not in ("domain", None) or (body.get("objectClassName") is None and not named):
        raise ValueError("not an entry of a domain")
    if isinstance(named, str) and named.rstrip(".").lower() != domain:
        raise ValueError("an entry of another domain")
    events: dict[str, list[Published]] = {}
    for event in _objects(body.get("events")):
        action = event.get("eventAction")
        date = parse_date(event.get("eventDate"), how="registry")
        if isinstance(action, str) and date is not None:
            events.setdefault(action.strip().lower(), []).append(date)
    registered = [date for name in _REGISTERED for date in events.get(name, []) if date.at <= utc(now)]
    return DomainAge(
        domain=domain,
        registered=max(registered, key=_moment, default=None),
        changed=max(events.get("last changed", []), key=_moment, default=None),
        expires=max(events.get("expiration", []), key=_moment, default=None),
        registrar=_registrar(body),
        why_unknown="" if registered else "its registry does not say when it was registered",
    )


def age_warnings(age: DomainAge, *, now: datetime, reported: Published | None = None) -> tuple[str, ...]:
    """What is suspicious about the age, in words; () where nothing is or the age is not known.

    `reported`: when the page, or what it reports, is dated.
    """
    if age.registered is None:
        return ()
    day = age.registered.at.date()
    found = []
    if reported is not None and reported.precision in (Precision.DAY, Precision.TIME):
        before = (utc(reported.at).date() - day).days
        if before < 0:
            found.append(
                f"{age.domain} was registered on {day}, after {reported.iso[:10]}, the date of what stands there"
            )
        elif before <= SHORTLY_BEFORE_DAYS:
            found.append(f"{age.domain} was registered on {day}, {_days(before)} before {reported.iso[:10]}")
    days = (utc(now).date() - day).days
    if not found and days < YOUNG_DAYS:
        found.append(f"{age.domain} is young: registered on {day}, {_days(days)} ago")
    return tuple(found)


def with_age(rating: Rating, age: DomainAge, *, now: datetime, reported: Published | None = None) -> Rating:
    """The rating with what the age says beside its reasons. The score stays: youth is a warning and no verdict."""
    warnings = age_warnings(age, now=now, reported=reported)
    return with_reasons(rating, *(source_reason("age_warning", warning=each) for each in warnings))


def may_rise(rating: Rating) -> bool:
    """Whether a model takes the publisher for an institution: national or trade press, a public body, an association or
    an institute of research."""
    return rating.category in _INSTITUTIONS and rating.score == RELEASE_SCORE


def established(rating: Rating, age: DomainAge, *, now: datetime) -> Rating:
    """The rating by a model, raised to tier 2 where it `may_rise`, unless the registry says that the domain was
    registered less than `ESTABLISHED_YEARS` ago. What a page shows of itself can be made up in a day, the entry of a
    registry cannot; many countries' registries tell nobody when a domain was registered."""
    if not may_rise(rating):
        return rating
    since = age.registered
    if since is not None and (utc(now) - utc(since.at)).days < ESTABLISHED_YEARS * 365.25:
        return with_reasons(rating, source_reason("not_established", domain=age.domain, year=since.at.year))
    raised = rating_of(
        rating.domain, ESTABLISHED_SCORE, rating.reason_codes, category=rating.category, owner=rating.owner
    )
    if since is None:
        return with_reasons(raised, source_reason("age_not_told", domain=age.domain))
    return with_reasons(raised, source_reason("established", domain=age.domain, year=since.at.year))


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"


def _moment(date: Published) -> datetime:
    return date.at


def _objects(value: object) -> Iterator[dict[str, Any]]:
    yield from (each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()


def _registrar(body: dict[str, Any]) -> str | None:
    for entity in _objects(body.get("entities")):
        roles = entity.get("roles")
        if isinstance(roles, list) and "registrar" in roles:
            name = _full_name(entity.get("vcardArray"))
            if name and not _WITHHELD.search(name):
                return name
    return None


def _full_name(card: object) -> str | None:
    """Of a jCard: `["vcard", [["fn", {}, "text", "Name"], ...]]`."""
    lines = card[1] if isinstance(card, list) and len(card) > 1 and isinstance(card[1], list) else []
    for line in lines:
        if isinstance(line, list) and len(line) > 3 and line[0] == "fn" and isinstance(line[3], str):
            return " ".join(line[3].split())[:200] or None
    return None
