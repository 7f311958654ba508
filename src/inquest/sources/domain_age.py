"""The age of a domain from the reply of its registry (RDAP, RFC 9083), and the warnings and ratings that rest on it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from inquest.domain.reasons import Reason, ReasonData
from inquest.domain.source import Category, DomainAge, Rating
from inquest.domain.value import Precision, Published
from inquest.sources.tiers import RELEASE_SCORE, rating_of, source_reason, with_reasons
from inquest.text.dates import parse_date, utc
from inquest.text.regex import regex

YOUNG_DAYS = 180
"""A younger site has no track record."""
SHORTLY_BEFORE_DAYS = 90
"""A site registered this shortly before what it reports may have been set up for it."""
ESTABLISHED_YEARS = 10
"""A publisher with an older domain has a reputation to lose; sites made for a single purpose are younger."""
ESTABLISHED_SCORE = 70
"""Score of a publisher that a model considers an institution: the lowest of tier 2."""
_WITHHELD = regex(r"(?i)redacted|withheld|privacy|not disclosed|data protected|gdpr")
_INSTITUTIONS = frozenset(
    (
        Category.NEWSPAPER, Category.MAGAZINE, Category.BROADCASTER, Category.TRADE, Category.GOVERNMENT, Category.NGO,
        Category.SCHOLARLY,
    )
)  # fmt: skip


def parse_domain_age(body: object, domain: str, now: datetime) -> DomainAge:
    """Parse a registry's reply on `domain`; missing events and invalid dates are left out.

    Raises ValueError if the reply is not an RDAP object, or is about another domain.
    """
    if not isinstance(body, dict):
        raise ValueError("not an object")
    if "errorCode" in body:
        return DomainAge(domain=domain, why_unknown="its registry shows no entry for it")
    named, kind = body.get("ldhName"), body.get("objectClassName")
    if kind not in ("domain", None) or (kind is None and not named):
        raise ValueError("not an entry of a domain")
    if isinstance(named, str) and named.rstrip(".").lower() != domain:
        raise ValueError("an entry of another domain")
    events = [
        (str(event.get("eventAction")).strip().lower(), date)
        for event in _objects(body.get("events"))
        if (date := parse_date(event.get("eventDate"), how="registry"))
    ]

    def last(*actions: str, until: datetime | None = None) -> Published | None:
        dates = [date for action, date in events if action in actions and (until is None or date.at <= until)]
        return max(dates, key=lambda date: date.at, default=None)

    registered = last("registration", "reregistration", until=utc(now))
    return DomainAge(
        domain=domain,
        registered=registered,
        changed=last("last changed"),
        expires=last("expiration"),
        registrar=_registrar(body),
        why_unknown="" if registered else "its registry does not say when it was registered",
    )


def age_warnings(age: DomainAge, *, now: datetime, reported: Published | None = None) -> tuple[Reason, ...]:
    """Return the suspicious facts about an age. `reported`: the date of the page, or of what it reports."""
    if age.registered is None:
        return ()
    day = age.registered.at.date()
    if reported is not None and reported.precision in (Precision.DAY, Precision.TIME):
        before, date = (utc(reported.at).date() - day).days, reported.iso[:10]
        if before < 0:
            return (_fact("registered_after", age, then=date),)
        if before <= SHORTLY_BEFORE_DAYS:
            return (_fact("registered_before", age, then=date, number=before),)
    days = (utc(now).date() - day).days
    if days >= YOUNG_DAYS:
        return ()
    return (_fact("young", age, number=days),)


def _fact(name: str, age: DomainAge, **data: ReasonData) -> Reason:
    assert age.registered is not None
    return Reason(code=f"pages.{name}", data={"name": age.domain, "date": f"{age.registered.at:%Y-%m-%d}", **data})


def with_age(rating: Rating, age: DomainAge, *, now: datetime, reported: Published | None = None) -> Rating:
    """Add the warnings to the reasons of a rating. The score stays: a young domain is a warning, not a verdict."""
    warnings = age_warnings(age, now=now, reported=reported)
    return with_reasons(rating, *(source_reason("age_warning", warning=each) for each in warnings))


def may_rise(rating: Rating) -> bool:
    """Test if a model considers the publisher an institution: press, a public body, an association, an institute."""
    return rating.category in _INSTITUTIONS and rating.score == RELEASE_SCORE


def established(rating: Rating, age: DomainAge, *, now: datetime) -> Rating:
    """Raise a model's rating to tier 2 if it `may_rise`, unless the domain is less than `ESTABLISHED_YEARS` old.

    A page can be made up in a day, a registry's entry cannot; many countries' registries do not publish the date.
    """
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


def _objects(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _registrar(body: dict[str, Any]) -> str | None:
    """Read the name in the registrar's jCard: `["vcard", [["fn", {}, "text", "Name"], ...]]`."""
    for entity in _objects(body.get("entities")):
        roles, card = entity.get("roles"), entity.get("vcardArray")
        is_registrar = isinstance(roles, list) and "registrar" in roles
        lines = card[1] if is_registrar and isinstance(card, list) and len(card) > 1 else []
        for line in lines if isinstance(lines, list) else []:
            if isinstance(line, list) and len(line) > 3 and line[0] == "fn" and isinstance(line[3], str):
                name = " ".join(line[3].split())[:200]
                return name if name and not _WITHHELD.search(name) else None
    return None
