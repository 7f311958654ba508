"""Facts about a source beyond its publisher's rating: notices about a work, satire, noise, dates, and the age of its
domain by the reply of its registry (RDAP, RFC 9083).

A fact that lowers the rating, or excludes the source as evidence, gives its reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from inquest.domain.document import Document
from inquest.domain.reasons import Catalogue, Reason, ReasonData, coded, in_words, noted, sentence, sentences
from inquest.domain.search import Notice, Work
from inquest.domain.source import Category, DomainAge, Rating, Source
from inquest.domain.value import Precision, Published
from inquest.sources.dating import DATES_DISAGREE, with_capture
from inquest.sources.noise import Noise
from inquest.sources.tiers import RELEASE_SCORE, lowered, rating_of, source_reason, with_reasons
from inquest.sources.works import RETRACTING, title_mark
from inquest.text.dates import parse_date, utc
from inquest.text.regex import regex

YOUNG_DAYS = 180  # A younger site has no track record
SHORTLY_BEFORE_DAYS = 90  # A site registered this shortly before what it reports may have been set up for it
ESTABLISHED_YEARS = 10
"""A publisher with an older domain has a reputation to lose; sites made for a single purpose are younger."""
ESTABLISHED_SCORE = 70  # Score of a publisher that a model considers an institution: the lowest of tier 2
_WITHHELD = regex(r"(?i)redacted|withheld|privacy|not disclosed|data protected|gdpr")
_INSTITUTIONS = frozenset(
    (
        Category.NEWSPAPER, Category.MAGAZINE, Category.BROADCASTER, Category.TRADE, Category.GOVERNMENT, Category.NGO,
        Category.SCHOLARLY,
    )
)  # fmt: skip


def parse_domain_age(body: object, domain: str, now: datetime) -> DomainAge:
    """Parse a registry's reply on `domain`; missing events and invalid dates are left out. Raises ValueError if the
    reply is not an RDAP object, or is about another domain."""
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


def may_rise(rating: Rating) -> bool:
    """Test if a model considers the publisher an institution: press, a public body, an association, an institute."""
    return rating.category in _INSTITUTIONS and rating.score == RELEASE_SCORE


def established(rating: Rating, age: DomainAge, *, now: datetime) -> Rating:
    """Raise a model's rating to tier 2 if it `may_rise`, unless the domain is less than `ESTABLISHED_YEARS` old. A page
    can be made up in a day, a registry's entry cannot; many countries' registries do not publish the date."""
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


_reason = Catalogue("pages")
_LEFT_OUT = 0.5
"""Above this there is probably nothing to read. No single part of noise for form (a clickbait title, a front page)
reaches it; a wall, an error page, hardly any text, or two parts together do."""
_SURELY_NOISE = 0.9
"""The same for documents in the user's collection, which were chosen: only a wall or an error page saved in place of
the page is left out."""
_MARKED = 0.3  # Minimum noise of a source that is marked for its reader
_RETRACTED_SCORE = 10  # Tier 4: a retracted work is not evidence, wherever it was published
_ABOUT = frozenset(("expression_of_concern", "partial_retraction", "correction", "erratum"))
"""Kinds of notice about a work that is not withdrawn."""


class Worth(NamedTuple):
    """A rating, lowered by facts, the reason why the source is not evidence (None: it is), and notes for readers."""

    rating: Rating
    excluded: Reason | None = None
    notes: tuple[Reason, ...] = ()


def worth_of(rating: Rating, work: Work | None, titles: Sequence[str] = (), beside: Sequence[str] = ()) -> Worth:
    """Rate a document with satire, its title, and the indexes' data on the work. `titles`: by the page and by engines;
    a publisher writes 'RETRACTED:' before the title of a retracted work. `beside`: titles of other pages, one of which
    may be the notice of its retraction."""
    if rating.category == Category.SATIRE:
        return Worth(rating, _reason("is_satire"), (_reason("satire"),))
    if rating.category == Category.SCHOLARLY and _is_retracted(titles, beside):
        work = (work or Work()).model_copy(update={"retracted": True})
    if work is None:
        return Worth(rating)
    if not work.retracted:
        return Worth(rating, None, _work_notes(work))
    known = [notice for notice in work.notices if notice.kind in RETRACTING]
    notice = max(known, key=lambda each: (each.at is not None, each.doi is not None), default=Notice(kind="retraction"))
    why = _when_and_where(_reason("withdrawn", done=notice.kind), notice)
    fallen = lowered(rating, _RETRACTED_SCORE, source_reason("withdrawn_work", why=why))
    return Worth(fallen, why, (_reason("work_was", why=why),))


def _is_retracted(titles: Sequence[str], beside: Sequence[str]) -> bool:
    own = [mark for title in titles if (mark := title_mark(title)) and not mark.is_notice]
    notices = [mark for title in beside if (mark := title_mark(title)) and mark.is_notice]
    retracted = [mark.title for mark in notices if mark.kind in RETRACTING]
    named, given = ({tuple(re.findall(r"\w+", each.casefold())) for each in some} for some in (retracted, titles))
    return any(mark.kind in RETRACTING for mark in own) or not named.isdisjoint(given)


def _when_and_where(what: Reason, notice: Notice) -> Reason:
    if notice.at:
        what = _reason("on_date", what=what, date=notice.at.iso)
    return _reason("by_notice", what=what, doi=notice.doi) if notice.doi else what


def _work_notes(work: Work) -> tuple[Reason, ...]:
    notes = [sentence(_when_and_where(_reason(each.kind), each)) for each in work.notices if each.kind in _ABOUT]
    for each in work.notice_of:
        kind = each.kind.replace("_", " ")
        notes.append(_reason(f"is_notice{'_of' if each.doi else ''}", kind=kind, doi=each.doi or ""))
    if work.type == "preprint" or work.preprint_of:
        notes.append(_reason(f"a_preprint{'_published' if work.preprint_of else ''}", doi=work.preprint_of or ""))
    elif work.peer_reviewed is not None and not work.notice_of:
        why = work.peer_review_reason or ""
        name = "peer_reviewed" if work.peer_reviewed else "not_peer_reviewed"
        notes.append(_reason(f"{name}{'_why' if why else ''}", why=why))
    return tuple(notes)


def too_noisy(noise: Noise, *, own: bool) -> str | None:
    """Return why a page that was read is left out; None if it stays. `own`: from the user's collection."""
    bound = _SURELY_NOISE if own else _LEFT_OUT
    return "; ".join(sentences(noise.reasons)) or "it is noise" if noise.share > bound else None


def noise_notes(noise: Noise, known: Sequence[str] = ()) -> tuple[Reason, ...]:
    """Notes for readers of a page that stays. `known`: notes that are not repeated."""
    if noise.share >= _MARKED:
        return tuple(_reason("care", why=each) for each in noise.reasons if in_words(each) not in known)
    return tuple(sentence(each) for each in noise.reasons if noise.paywalled and in_words(each) not in known)


def date_is_open(source: Source) -> bool:
    """Test for an unknown or contradicted date, with which an archive's first capture can help."""
    return source.published is None or any(note.code == DATES_DISAGREE for note in source.note_codes)


def with_age_and_capture(
    source: Source,
    document: Document | None,
    *,
    age: DomainAge | None,
    captured: Published | None,
    archive: str,
    now: datetime,
) -> Source:
    """Add the facts of the domain's registry and of an archive. The score stays: a young domain is only a warning."""
    if captured is not None and document is not None:
        seen = with_capture(document, captured.at, archive, source.retrieved_at)
        notes = [
            each for each in _notes(source) if in_words(each) not in document.notes or in_words(each) in seen.notes
        ]
        notes += [each for each in _notes(seen) if in_words(each) not in document.notes]
        notes.append(_reason("captured", archive=archive, date=captured.iso))
        # A date from an engine stays where the document has no date but the capture's.
        published = source.published if source.published and not document.published else seen.published
        source = source.model_copy(update={"published": published, "dates": seen.dates, **noted(notes)})
    if age is None:
        return source
    warnings = age_warnings(age, now=now, reported=source.published)
    rating = with_reasons(source.rating, *(source_reason("age_warning", warning=each) for each in warnings))
    notes = [*_notes(source), *(_reason("warning", why=each) for each in warnings)]
    return source.model_copy(update={"age": age, "rating": rating, **noted(notes)})


def _notes(of: Source | Document) -> tuple[Reason, ...]:
    return coded(of.notes, of.note_codes)


def after_as_of(published: Published | None, as_of: datetime | None) -> Reason | None:
    """Return why a document's date excludes it as evidence; None if it does not. An archive's first capture is later
    than the page, and so excludes nothing."""
    if as_of is None or published is None or published.how == "archive" or published.at <= as_of:
        return None
    return _reason("after_as_of", date=published.iso, then=f"{as_of:%Y-%m-%d}")
