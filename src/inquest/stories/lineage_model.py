"""Find the origin of a story: a graph of articles, scores of its roots, one confidence.

The edges of the graph are credits. An article that credits nobody is a root and can be the origin. A model over a few
features of the roots (`FEATURES`), fitted by `training/origin.py`, gives each root a share; the shares sum to 1. Each
circumstance that could make the answer wrong is a doubt. With two doubts, or without a root that is likely enough, the
origin cannot be determined, and the candidates are listed instead.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from math import exp, log, log1p

from inquest.domain.source import CreditKind
from inquest.domain.value import Published
from inquest.sources.publisher_names import known_as
from inquest.stories.crediting import UNREAD, Article, Credit, Credits
from inquest.stories.likeness import Particulars, skeleton
from inquest.stories.times import SETS_ITS_DATES, Times, before, descendants, times_of
from inquest.text.lexicon import table

FEATURES = (
    "behind", "earlier", "beaten", "whole", "unread", "undated", "first_hand", "official", "elsewhere", "worth",
    "release", "asked",
)  # fmt: skip
"""behind: articles that go back to it; earlier: probability that it came before the other roots; beaten: articles that
are certainly earlier; whole: its share of the details that several articles have; unread: known only from articles that
credit it; undated: without a believed date; first_hand: first-hand reporting; official: a public body's own page, in a
story that others credit to 'the authorities'; elsewhere: it credits posts or other media itself; worth: its publisher's
rating below the best; release: a party's release; asked: the credits of the article in question lead to it. All are 0
to 1; counts are relative to the size of the story."""

_DECIDES = 0.8
"""Probability from which the dates decide the order of two articles."""
_CERTAIN = 0.95
_MINUTES = timedelta(minutes=10)
"""If two articles credit each other, the earlier one is the origin only if it is earlier by this much."""
_NEAR, _MOST = 20, 16
"""A root this many times less likely than the likeliest is not a candidate; and the maximum number of candidates
listed."""


class Doubt(StrEnum):
    """Evidence against the likeliest origin."""

    NO_DATE = "origin_undated"
    SAME_TIME = "origin_rival_at_the_same_time"
    MUTUAL = "origin_mutual_credits"
    ELSEWHERE = "origin_takes_it_from_elsewhere"
    ALONE = "origin_credited_by_nobody"
    OWN_DATE = "origin_dated_by_itself_alone"
    """The author of a blog can backdate posts, and neither an archive nor another article confirms the date."""
    UNREAD = "origin_not_read"
    BEATEN = "origin_after_a_report_as_full"
    """An archive has a report from before it with as many details. Credits can lead to the best-known report and not to
    the first."""


@dataclass(frozen=True, slots=True)
class Root:
    """One article as the possible origin."""

    id: str
    share: float
    """Probability among all roots, 0 to 1."""
    features: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Lineage:
    """The origin of a story and how its articles go back to it."""

    origin: str | None
    """None: the report is not among the articles, or the origin cannot be determined."""
    outside: str | None
    """Id of the report that is not among them."""
    roots: tuple[Root, ...]
    """All possible origins, likeliest first."""
    forest: Mapping[str, Credit]
    """The credit of each article that counts, without loops."""
    confidence: float
    """Probability that the answer is right, 0 to 1; 0 without an answer."""
    candidates: tuple[str, ...] = ()
    """The possible origins, likeliest first, if the origin cannot be determined."""
    doubts: tuple[Doubt, ...] = ()
    """Doubts about the likeliest root."""
    mutual: tuple[str, ...] = ()
    """Articles that credit one another, so that these credits do not count."""
    times: Mapping[str, Times] = field(default_factory=dict)


def best_credits(credits: Sequence[Credit], wording: Mapping[tuple[str, str], float]) -> dict[str, Credit]:
    """Return the credit of each article that counts: to the article with which it shares most of its wording, else most
    of its content. `wording`: the share of wording that two articles have in common, by their sorted ids."""
    best: dict[str, tuple[tuple[float, bool, float, str], Credit]] = {}
    for credit in credits:
        one, other = sorted((credit.article, credit.origin))
        strength = (wording.get((one, other), 0.0), credit.how == "words", credit.alike, credit.origin)
        if credit.article not in best or strength > best[credit.article][0]:
            best[credit.article] = (strength, credit)
    return {article: credit for article, (_, credit) in best.items()}


@dataclass(frozen=True)
class Background:
    """Knowledge beyond the articles of a story."""

    event: datetime | None = None
    """Beginning of the event; None if unknown."""
    denying: Collection[str] = ()
    """Ids of articles that deny the report: one of them can be its origin only if an article that spreads it credits
    it."""
    copied: Collection[str] = ()
    """Ids of articles whose wording others share."""
    asked_about: Collection[str] = ()
    """Id of the article whose origin was requested, if any."""
    published: Mapping[str, Published] = field(default_factory=dict)
    """Dates of credited reports that could not be read, by their ids (`crediting.UNREAD`)."""


def lineage_of(
    articles: Sequence[Article], parents: Mapping[str, Credit], credits: Credits, known: Background = Background()
) -> Lineage:
    """Return the lineage of one story. `parents`: the one credit of each article that counts, inside the story."""
    everyone, forest = _with_unread(articles, parents, credits.outside, known.published)
    forest, mutual = _without_loops(everyone, forest, credits.mentions, known.event)
    times = times_of(everyone, forest, known.event)
    candidates = _candidates(everyone, forest, times, known.denying)
    if not candidates:
        return Lineage(None, None, (), forest, 0.0, mutual=mutual, times=times)
    # `confidence` is a logistic function of the logit of the share and the doubts.
    weights, decision, confidence = (
        table("inquest.stories", "origin")[name] for name in ("weights", "decision", "confidence")
    )
    measured = features_of(candidates, everyone, forest, times, _ends(known.asked_about, forest))
    scores = {id: sum(weights[name] * row[n] for n, name in enumerate(FEATURES)) for id, row in measured.items()}
    odds = {id: exp(score - max(scores.values())) for id, score in scores.items()}
    found = [Root(id, each / sum(odds.values()), measured[id]) for id, each in odds.items()]
    dated = {each.id: times[each.id].start or datetime.max.replace(tzinfo=UTC) for each in candidates}
    roots = tuple(sorted(found, key=lambda root: (-round(root.share, 9), dated[root.id], root.id)))
    best = next(each for each in candidates if each.id == roots[0].id)
    confirmed = (
        any(credit.origin == best.id for credit in forest.values())
        or roots[0].features[FEATURES.index("official")] > 0
        or best.id in known.copied
        or len(everyone) == 1
    )
    captured = {each.id: each.seen for each in candidates if each.seen}
    doubts = _doubts(best, roots, times, confirmed, best.id in mutual, captured)
    top = roots[0].share
    if top < decision["least"] or len(doubts) > decision["most_doubts"]:
        near = tuple(root.id for root in roots if root.share * _NEAR >= top)[:_MOST]
        return Lineage(None, None, roots, forest, 0.0, near, doubts, mutual, times)
    share = min(top, 1 - 1e-6)
    logit = confidence["bias"] + confidence["slope"] * log(share / (1 - share)) + confidence["per_doubt"] * len(doubts)
    origin, outside = (best.id, None) if best.readable else (None, best.id)
    return Lineage(origin, outside, roots, forest, 1 / (1 + exp(-logit)), (), doubts, mutual, times)


def _doubts(
    best: Article,
    roots: Sequence[Root],
    times: Mapping[str, Times],
    confirmed: bool,
    mutual: bool,
    captured: Mapping[str, datetime],
) -> tuple[Doubt, ...]:
    """The doubts about the likeliest root. `confirmed`: others credit it or copy it, or credit its authority;
    `captured`: the first captures of roots."""
    mine = times[best.id]
    # An article dated only to the day may be from any hour of it.
    decides = _DECIDES if mine.start == mine.latest else _CERTAIN
    typed = best.category in SETS_ITS_DATES
    worth, whole = FEATURES.index("worth"), FEATURES.index("whole")
    better = [root for root in roots[1:] if typed and root.features[worth] < roots[0].features[worth]]
    rivals = [root for root in roots[1:] if root.share * _NEAR >= roots[0].share or root in better]
    archived = [root for root in roots[1:] if mine.start and root.id in captured and captured[root.id] < mine.start]
    perhaps_later = any(before(mine, times[root.id]) < _CERTAIN for root in better)
    doubts = {
        Doubt.UNREAD: not best.readable,
        Doubt.NO_DATE: best.readable and not mine.known,
        Doubt.MUTUAL: mutual,
        Doubt.SAME_TIME: any(before(mine, times[root.id]) < decides for root in rivals),
        Doubt.ELSEWHERE: _has_it_from_others(best),
        Doubt.BEATEN: any(root.features[whole] >= roots[0].features[whole] for root in archived),
        Doubt.ALONE: not confirmed,
        Doubt.OWN_DATE: typed and (perhaps_later or (best.seen is None and not confirmed and len(roots) > 1)),
    }
    return tuple(doubt for doubt, holds in doubts.items() if holds)


def _candidates(
    everyone: Sequence[Article], forest: Mapping[str, Credit], times: Mapping[str, Times], denying: Collection[str]
) -> list[Article]:
    """The roots of the graph that can be the origin.

    Excluded are articles dated before the event, unless others credit them, because then the date is wrong; and
    articles that deny the report, unless one that spreads it credits them: an interview can be distorted on its way.
    """
    behind = descendants([each.id for each in everyone], forest)
    credited = _ends([each.id for each in everyone if each.id not in denying], forest)
    roots = [each for each in everyone if each.id not in forest and (each.id not in denying or each.id in credited)]
    return [each for each in roots if behind[each.id] or not times[each.id].before_event]


def _with_unread(
    articles: Sequence[Article],
    parents: Mapping[str, Credit],
    outside: Mapping[str, Credit],
    published: Mapping[str, Published],
) -> tuple[list[Article], dict[str, Credit]]:
    """The articles and credits, with a placeholder article for each outside report. Credits inside take precedence."""
    ids = {each.id for each in articles}
    forest = {article: credit for article, credit in parents.items() if article in ids and credit.origin in ids}
    by_report: dict[str, list[Article]] = defaultdict(list)
    for article in articles:
        if article.id in outside and article.id not in forest:
            forest[article.id] = outside[article.id]
            by_report[outside[article.id].origin].append(article)
    _replace_by_prints(by_report, forest)
    best = max((each.score for each in articles), default=0)
    unread = [replace(_unread(id, by, best), published=published.get(id)) for id, by in by_report.items()]
    return [*articles, *unread], forest


def _replace_by_prints(by_report: dict[str, list[Article]], forest: dict[str, Credit]) -> None:
    """Replace an agency's unread report by the earliest article that prints it under the agency's byline."""
    for id, articles in list(by_report.items()):
        by_line = [each for each in articles if forest[each.id].how == "byline"]
        printed = [(each.published.latest, each.id) for each in by_line if each.published]
        if len(articles) < 2 or not printed or not known_as(id.removeprefix(UNREAD)):
            continue
        _, first = min(printed)
        del forest[first], by_report[id]
        for article in articles:
            if article.id != first:
                forest[article.id] = replace(forest[article.id], origin=first)


def _unread(id: str, credited_by: Sequence[Article], score: int) -> Article:
    words = frozenset[str]().union(*(each.particulars.words for each in credited_by))
    marks = frozenset[str]().union(*(each.particulars.marks for each in credited_by))
    return Article(
        id=id, url="", domain="", title="", text="", published=None, author="",
        names=frozenset((id.removeprefix(UNREAD).replace(" ", ""),)), credits=(), first_hand=None, source_links={},
        linked=frozenset(), score=score, category="", press_release=False, particulars=Particulars(words, marks),
        readable=False,
    )  # fmt: skip


def _without_loops(
    everyone: Sequence[Article],
    credits: Mapping[str, Credit],
    mentions: Collection[tuple[str, str]],
    event: datetime | None,
) -> tuple[dict[str, Credit], tuple[str, ...]]:
    """The credits without loops, and the articles that credit one another. In each loop the credit of the article that
    is earliest by its date is removed; if the dates do not decide, all credits of the loop are."""
    forest = dict(credits)
    mutual: list[str] = []
    loops = _loops(credits)
    loops += [
        [article, credit.origin]
        for article, credit in credits.items()
        if (credit.origin, article) in mentions and not any(article in loop for loop in loops)
    ]
    in_loops = {id for loop in loops for id in loop}
    times = times_of(everyone, {id: credit for id, credit in forest.items() if id not in in_loops}, event)
    for loop in loops:
        first = next((id for id in loop if all(_clearly_before(times[id], times[o]) for o in loop if o != id)), None)
        for id in loop if first is None else (first,):
            forest.pop(id, None)
        mutual += loop if first is None else ()
    return forest, tuple(dict.fromkeys(mutual))


def _clearly_before(one: Times, other: Times) -> bool:
    """True if one is earlier by more than clocks and updates differ."""
    at_once = one.start and other.start and abs(other.start - one.start) < _MINUTES
    return not at_once and before(one, other) >= _DECIDES


def _loops(parents: Mapping[str, Credit]) -> list[list[str]]:
    found: list[list[str]] = []
    done: set[str] = set()
    for start in parents:
        path: list[str] = []
        here = start
        while here in parents and here not in done and here not in path:
            path.append(here)
            here = parents[here].origin
        if here in path:
            found.append(path[path.index(here) :])
        done.update(path)
    return found


def _ends(articles: Collection[str], forest: Mapping[str, Credit]) -> frozenset[str]:
    """The roots to which the credits of these articles lead; none for an article without a credit."""
    found = set()
    for here in articles:
        while here in forest:
            here = forest[here].origin
            if here not in forest:
                found.add(here)
    return frozenset(found)


def features_of(
    candidates: Sequence[Article],
    everyone: Sequence[Article],
    forest: Mapping[str, Credit],
    times: Mapping[str, Times],
    ends: Collection[str] = (),
) -> dict[str, tuple[float, ...]]:
    """Return the features of each candidate by id, as in `FEATURES`. `ends`: roots of the article in question."""
    size = log1p(len(everyone))
    behind = descendants([each.id for each in everyone], forest)
    # The publishers that an article names are not details of the story.
    publishers = {skeleton(name) for each in everyone for name in each.names}
    details = {each.id: each.particulars.marks - publishers for each in everyone}
    several = Counter(mark for each in everyone if each.readable for mark in details[each.id])
    repeated = {each.id: sum(several[mark] > 1 for mark in details[each.id]) for each in candidates}
    most = max(repeated.values(), default=0) or 1
    best = max(each.score for each in candidates)
    features: dict[str, tuple[float, ...]] = {}
    for each in candidates:
        mine = times[each.id]
        earlier = [before(mine, times[other.id]) for other in candidates if other is not each]
        beaten = sum(before(times[other.id], mine) > _CERTAIN for other in everyone if other is not each)
        authority = any(CreditKind.AUTHORITY in other.unnamed for other in everyone if other is not each)
        features[each.id] = (
            log1p(behind[each.id]) / size,
            sum(earlier) / len(earlier) if earlier else 1.0,
            log1p(beaten) / size,
            repeated[each.id] / most,
            float(not each.readable),
            float(each.readable and not mine.known),
            float(each.first_hand is not None),
            float(each.official and authority),
            float(_has_it_from_others(each)),
            (best - each.score) / 100,
            float(each.press_release),
            float(each.id in ends),
        )
    return features


def _has_it_from_others(article: Article) -> bool:
    """True if it credits posts or unnamed media."""
    return bool(article.unnamed & {CreditKind.POSTS, CreditKind.MEDIA})
