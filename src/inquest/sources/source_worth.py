"""Facts about a source beyond its publisher's rating: notices about a work, satire, noise, age, dates.

Nothing here raises a rating. A fact that lowers it, or excludes the source as evidence, gives its reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from inquest.domain.document import Document
from inquest.domain.leads import Notice, Work
from inquest.domain.reasons import Catalogue, Reason, coded, in_words, noted, sentence, sentences
from inquest.domain.source import Category, DomainAge, Rating, Source
from inquest.domain.value import Published
from inquest.sources.dating import DATES_DISAGREE, with_capture
from inquest.sources.domain_age import age_warnings, with_age
from inquest.sources.noise import Noise
from inquest.sources.notices import RETRACTING, title_mark
from inquest.sources.tiers import lowered, source_reason

_reason = Catalogue("pages")
_LEFT_OUT = 0.5
"""Above this there is probably nothing to read. No single part of noise for form (a clickbait title, a front page)
reaches it; a wall, an error page, hardly any text, or two parts together do."""
_SURELY_NOISE = 0.9
"""The same for documents in the user's collection, which were chosen: only a wall or an error page saved in place of
the page is left out."""
_MARKED = 0.3
"""Least noise of a source that is marked for its reader."""
_RETRACTED_SCORE = 10
"""Tier 4: a retracted work is not evidence, wherever it was published."""
_ABOUT = frozenset(("expression_of_concern", "partial_retraction", "correction", "erratum"))
"""Kinds of notice about a work that is not withdrawn."""


class Worth(NamedTuple):
    """A rating, lowered by facts, the reason why the source is not evidence (None: it is), and notes for readers."""

    rating: Rating
    excluded: Reason | None = None
    notes: tuple[Reason, ...] = ()


def worth_of(rating: Rating, work: Work | None, titles: Sequence[str] = (), beside: Sequence[str] = ()) -> Worth:
    """Rate a document with satire, its title, and the indexes' data on the work.

    `titles`: by the page and by engines; a publisher writes 'RETRACTED:' before the title of a retracted work.
    `beside`: titles of other pages, one of which may be the notice of its retraction.
    """
    if rating.category == Category.SATIRE:
        return Worth(rating, _reason("is_satire"), (_reason("satire"),))
    if rating.category == Category.SCHOLARLY and _is_retracted(titles, beside):
        work = (work or Work()).model_copy(update={"retracted": True})
    if work is None:
        return Worth(rating)
    if not work.retracted:
        return Worth(rating, None, _work_notes(work))
    why = _retraction(work)
    fallen = lowered(rating, _RETRACTED_SCORE, source_reason("withdrawn_work", why=why))
    return Worth(fallen, why, (_reason("work_was", why=why),))


def _is_retracted(titles: Sequence[str], beside: Sequence[str]) -> bool:
    own = [mark for title in titles if (mark := title_mark(title)) and not mark.is_notice]
    notices = [mark for title in beside if (mark := title_mark(title)) and mark.is_notice]
    named = {_word_tuple(mark.title) for mark in notices if mark.kind in RETRACTING}
    return any(mark.kind in RETRACTING for mark in own) or any(_word_tuple(title) in named for title in titles)


def _word_tuple(title: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", title.casefold()))


def _retraction(work: Work) -> Reason:
    known = [notice for notice in work.notices if notice.kind in RETRACTING]
    notice = max(known, key=lambda each: (each.at is not None, each.doi is not None), default=Notice(kind="retraction"))
    return _when_and_where(_reason("withdrawn", done=notice.kind), notice)


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
    rating = with_age(source.rating, age, now=now, reported=source.published)
    notes = [*_notes(source), *(_reason("warning", why=each) for each in warnings)]
    return source.model_copy(update={"age": age, "rating": rating, **noted(notes)})


def _notes(of: Source | Document) -> tuple[Reason, ...]:
    return coded(of.notes, of.note_codes)


def after_as_of(published: Published | None, as_of: datetime | None) -> Reason | None:
    """Return why a document's date excludes it as evidence; None if it does not.

    An archive's first capture is later than the page, and so excludes nothing.
    """
    if as_of is None or published is None or published.how == "archive" or published.at <= as_of:
        return None
    return _reason("after_as_of", date=published.iso, then=f"{as_of:%Y-%m-%d}")
