"""Rating of publishers: a score of 0 to 100, from which tier and stars follow, always with reasons.

Rules come first: the user's own ratings, then Inquest's table by domain and path, then names that only governments or
universities may register, then imitations of other names. If no rule applies, a model may be asked
(`Analyst.classify`); if it cannot tell either, the source is of tier 4 (spec 000, section 4.3)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from urllib.parse import urlsplit

from inquest.domain.reasons import Catalogue, Reason, sentences
from inquest.domain.source import Category, Rating
from inquest.sources.look_alikes import look_alike, shown_domain
from inquest.sources.owners import OFFICIAL
from inquest.sources.ratings_table import RatingTable, Row, address_of, built_in_ratings, owner_of, pattern_of
from inquest.text.lexicon import any_of, pattern, word_set
from inquest.text.regex import regex
from inquest.text.sentences import shorten
from inquest.text.urls import host_of, registrable_domain, shown_address

source_reason = Catalogue("sources")
UNKNOWN_SCORE = 40  # Score of a publisher that no rule knows: tier 4, but above those known to be bad

RELEASE_SCORE = 50  # Highest score of a company's statements about itself, wherever they are published: tier 3

LOOK_ALIKE_SCORE = 5  # Score of a domain made to be confused with another, which is a deception whatever its content

SATIRE_SCORE = 8  # Highest score of a page that calls itself satire

TIER_WEIGHTS = {1: 4, 2: 3, 3: 2, 4: 1}  # Weight of a source by tier (spec 000, section 4.2)

_TIERS = ((90, 1), (70, 2), (45, 3))
_STARS = ((90, 5), (75, 4), (55, 3), (35, 2))

# web.archive.org/web/20200101000000id_/https://example.org/page: the copy is rated like its original.
_ARCHIVED = regex(r"^https?://web\.archive\.org/web/\d{1,14}[a-z_]*/(?P<original>.+)$", re.IGNORECASE)


def tier_of(score: int) -> int:
    """Return 1 from 90 (investigations, courts, regulators, peer review), 2 from 70 (established press, official
    reports), 3 from 45 (companies about themselves, distributors of releases, weak press), 4 below."""
    return next((tier for floor, tier in _TIERS if score >= floor), 4)


def stars_of(score: int) -> int:
    """Return 5 from 90, 4 from 75, 3 from 55, 2 from 35, 1 below (spec 004 shows stars)."""
    return next((stars for floor, stars in _STARS if score >= floor), 1)


def rating_of(
    domain: str,
    score: int,
    reasons: Sequence[Reason],
    *,
    known: bool = True,
    category: str = Category.UNKNOWN.value,
    owner: str | None = None,
) -> Rating:
    """Build a rating with the tier and stars that follow from its score; they are derived nowhere else."""
    return Rating(
        domain=domain,
        score=score,
        tier=tier_of(score),
        stars=stars_of(score),
        known=known,
        category=str(category),
        owner=owner,
        press_release=category == Category.PRESS_RELEASE,
        reasons=sentences(reasons),
        reason_codes=tuple(reasons),
    )


def with_reasons(rating: Rating, *reasons: Reason) -> Rating:
    """Append reasons to a rating."""
    update = {"reasons": (*rating.reasons, *sentences(reasons)), "reason_codes": (*rating.reason_codes, *reasons)}
    return rating.model_copy(update=update)


def rate(url: str, *, extra: Sequence[RatingTable] = (), own_domains: Collection[str] = ()) -> Rating:
    """Rate the publisher of a URL; a URL without a host is unknown, and nothing is raised. `extra`: the user's tables,
    of which the first that knows the source counts. `own_domains`: registrable domains of the company that a case is
    about, where everything is the company's own statement."""
    archived = _ARCHIVED.match(url.strip())
    if archived:
        original = rate(archived["original"], extra=extra, own_domains=own_domains)
        return with_reasons(original, source_reason("archived_copy"))
    domain = registrable_domain(url)
    row, reasons = _row_of(url, extra)
    if domain in own_domains:
        score = min(RELEASE_SCORE, row.score if row else RELEASE_SCORE)
        why = source_reason("own_statement", domain=domain)
        return rating_of(domain, score, [why], category=Category.COMPANY, owner=row.owner if row else None)
    if row is None:
        return _rating_by_name(url, domain)
    rating = rating_of(domain, row.score, reasons, category=row.category, owner=row.owner)
    return rating.model_copy(update={"leaning": row.leaning})


def _rating_by_name(url: str, domain: str) -> Rating:
    if found := look_alike(url):
        shown = shown_domain(domain)
        name = shown if shown == domain else f"{shown} ({domain})"
        why = source_reason("mixed_alphabets", name=name)
        if found.original:
            why = source_reason("look_alike", name=name, original=found.original)
        return rating_of(domain, LOOK_ALIKE_SCORE, [why, found.how], category=Category.LOOK_ALIKE)
    reasons = [source_reason("not_known", name=domain or shown_address(url))]
    if owner := owner_of(url):
        reasons.append(source_reason("owned", owner=owner))
    return rating_of(domain, UNKNOWN_SCORE, reasons, known=False, owner=owner)


def _row_of(url: str, extra: Sequence[RatingTable]) -> tuple[Row | None, list[Reason]]:
    for table in extra:
        if row := table.find(url):
            if row.reason:
                return row, [source_reason("in_your_ratings", row=row.domain, why=row.reason, table=table.name)]
            return row, [source_reason("in_your_ratings_by_score", row=row.domain, score=row.score, table=table.name)]
    if row := built_in_ratings().find(url):
        reasons = [source_reason("in_table", row=row.domain, why=row.reason)]
        if "/" in row.domain:
            reasons.append(source_reason("row_of_path", path=address_of("https://" + row.domain).path))
        elif row.domain not in (registrable_domain(url), host_of(url)):
            reasons.append(source_reason("row_of_host", row=row.domain))
        return row, reasons
    if row := pattern_of(url):
        return row, [source_reason("reserved_name", row=row.domain, why=row.reason)]
    return None, []


def rate_document(
    url: str,
    *,
    title: str = "",
    text: str = "",
    author: str | None = None,
    extra: Sequence[RatingTable] = (),
    own_domains: Collection[str] = (),
) -> Rating:
    """Rate a document: its publisher's rating, lowered for satire and for a press release (N7: by domain, address,
    wording or author). Nothing that a page states about itself can raise its rating."""
    rating = rate(url, extra=extra, own_domains=own_domains)
    # A public body's release is an official document, rated like the rest of its site.
    if rating.category in OFFICIAL:
        return rating
    if own_words := says_it_is_satire(url, title=title, text=text, score=rating.score):
        why = source_reason("satire", words=own_words)
        return lowered(rating, SATIRE_SCORE, why).model_copy(update={"category": Category.SATIRE.value})
    signs = signs_of_a_release(url, title=title, text=text, author=author, category=rating.category)
    if not signs and registrable_domain(url) in own_domains:
        signs = ["it is on the company's own domain"]
    if not signs:
        return rating
    why_release = [source_reason("press_release", sign=sign) for sign in signs]
    return lowered(rating, RELEASE_SCORE, *why_release).model_copy(update={"press_release": True})


def lowered(rating: Rating, most: int, *why: Reason) -> Rating:
    """Lower a rating to a score of at most `most`, with the reasons."""
    score = min(rating.score, most)
    update = {"score": score, "tier": tier_of(score), "stars": stars_of(score)}
    return with_reasons(rating.model_copy(update=update), *why)


# Signs in a page's own words that it is a press release (spec 000, section 4.4) or satire, in English only.

_HEAD, _TAIL = 800, 2_000  # Characters at both ends of a text that are searched for signs
_SPEAKS_FOR_ITSELF = frozenset(("company", "ngo", "unknown", "standards"))
"""Categories of publishers whose news pages are their own statements, unlike a newspaper's."""
_RELEASE_PATHS = word_set(__name__, "release_paths")
_OPENINGS = any_of(__name__, "openings")
_HEADINGS = regex(r"(?im)^\W*(?:press|news|media) release\b")
_AUTHOR = any_of(__name__, "author")
_CONTACT = regex(r"(?im)^\W*(?:media|press|investor)s?(?: relations)?(?: enquiries| inquiries| contacts?)?\s*(?::|$)")
_ABOUT = regex(r"(?m)^\W*(?:About|ABOUT)\s+[A-Z][\w&.\- ]{1,60}:?\s*$")
_SATIRE_PATHS = frozenset(("satire", "parody"))
_SATIRE_LABEL = regex(r"(?i)^\W*(?:satire|parody|humou?r)\s*[:|\])–—-]|[\[(](?:satire|parody)[\])]")
_SATIRE_NOTICE = pattern(__name__, "satire_notice")
_ESTABLISHED = 70  # From tier 2 on, a paper that writes about satire is satire only by a label in its title or address


def signs_of_a_release(
    url: str, *, title: str = "", text: str = "", author: str | None = None, category: str = "unknown"
) -> list[str]:
    """Word the signs of a press release; empty for none. One plain sign is enough (a distributor, an address, an
    opening formula, an author); of signs that news pages also have (a contact, 'About X', a notice on forward-looking
    statements) it takes two."""
    if category == "press_release":
        return ["it is published by a distributor of press releases"]
    head, end = text[:_HEAD], text[-_TAIL:]
    opening = next(filter(None, (form.search(part) for part in (title, head) for form in (_OPENINGS, _HEADINGS))), None)
    plain = []
    if category in _SPEAKS_FOR_ITSELF and _RELEASE_PATHS & _steps(url):
        plain.append("its address is that of a company's news pages")
    if opening:
        plain.append(f"it opens with '{' '.join(opening.group().split())}'")
    if author and _AUTHOR.search(author):
        plain.append(f"its author is '{author}'")
    signs = (
        ("a press contact", _CONTACT.search(end)),
        ("a section about the company itself", _ABOUT.search(end)),
        ("a notice on forward-looking statements", "forward-looking statements" in end.lower()),
    )
    weak = [words for words, found in signs if found]
    return plain or (weak if len(weak) >= 2 else [])


def _steps(url: str) -> set[str]:
    """The segments of the path, in lower case without hyphens and endings."""
    try:
        path = urlsplit(url).path.lower()
    except ValueError:
        return set()
    return {step.split(".")[0].replace("-", "").replace("_", "") for step in path.split("/")}


def says_it_is_satire(url: str, *, title: str = "", text: str = "", score: int = 0) -> str:
    """Return the page's own words for being satire, shortened, or ''. `score`: of its publisher."""
    if label := _SATIRE_LABEL.search(title):
        return shorten(label.group().strip(" :|–—-"), 80)
    if path := _SATIRE_PATHS & _steps(url):
        return min(path)
    found = _SATIRE_NOTICE.search(text[-_TAIL:]) or _SATIRE_NOTICE.search(text[:_HEAD])
    return shorten(found.group(), 80) if found and score < _ESTABLISHED else ""
