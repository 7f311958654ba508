"""Which article of a story the others go back to: a graph of articles, scores of its roots, one confidence.

The edges of the graph are credits. What credits nobody can be the origin; of several such roots a few features are
weighed (`FEATURES`), and one model, fitted by `training/origin.py`, makes shares of them that sum to 1. Whatever could
make the answer wrong is a doubt. With two doubts, or where no root is likely enough, the origin cannot be determined,
and the candidates are named instead.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from importlib.resources import files
from math import exp, log, log1p

from inquest.domain.page_reading import CreditKind
from inquest.domain.published import Published
from inquest.sources.publisher_names import known_as
from inquest.stories.crediting import UNREAD, Article, Credit, Credits
from inquest.stories.likeness import Particulars, skeleton
from inquest.stories.times import SETS_ITS_DATES, Times, before, descendants, times_of

FEATURES = (
    "behind",
    "earlier",
    "beaten",
    "whole",
    "unread",
    "undated",
    "first_hand",
    "official",
    "elsewhere",
    "worth",
    "release",
    "asked",
)
"""behind: how many go back to it; earlier: how likely it came before the other roots; beaten: how many articles are
certainly earlier; whole: its share of the details that several have; unread: known only from those who credit it;
undated: no date that is believed; first_hand: it says that it was there; official: a public body's own page, in a story
that others have from 'the authorities'; elsewhere: it has it from posts or other media itself; worth: its publisher's
rating below the best; release: a party's own; asked: the credits of the article that was asked about lead there. All 0
to 1, over the size of the story where they count."""

_DECIDES = 0.8
"""How likely an order by dates must be to decide between two."""
_CERTAIN = 0.95
_MINUTES = timedelta(minutes=10)
"""Of two that credit each other the earlier one is the origin only if it is earlier by so much."""
_NEAR, _MOST = 20, 16
"""A root that is this many times less likely than the likeliest is no candidate; and how many are named at most."""


class Doubt(StrEnum):
    """What speaks against an origin that is the likeliest."""

    NO_DATE = "origin_undated"
    SAME_TIME = "origin_rival_at_the_same_time"
    MUTUAL = "origin_mutual_credits"
    ELSEWHERE = "origin_takes_it_from_elsewhere"
    ALONE = "origin_credited_by_nobody"
    OWN_DATE = "origin_dated_by_itself_alone"
    """Who writes a blog can set its dates back; no archive and nobody else bears them out."""
    UNREAD = "origin_not_read"


@dataclass(frozen=True, slots=True)
class Root:
    """One article as the possible origin."""

    id: str
    share: float
    """How likely it is, of all roots, 0 to 1."""
    features: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Lineage:
    """What the articles of a story go back to."""

    origin: str | None
    """None: the report is not among them, or the origin cannot be determined."""
    outside: str | None
    """Id of the report that is not among them."""
    roots: tuple[Root, ...]
    """All that can be the origin, likeliest first."""
    forest: Mapping[str, Credit]
    """The credits that count, by article; no loops."""
    confidence: float
    """How likely the answer is right, 0 to 1; 0 where there is none."""
    candidates: tuple[str, ...] = ()
    """Where the origin cannot be determined: those that it can be, likeliest first."""
    doubts: tuple[Doubt, ...] = ()
    """Of the likeliest root."""
    mutual: tuple[str, ...] = ()
    """Articles that credit one another, so that these credits do not count."""
    times: Mapping[str, Times] = field(default_factory=dict)


@dataclass(frozen=True)
class _Model:
    weights: Mapping[str, float]
    least: float
    """The least share with which a root is called the origin."""
    most_doubts: int
    bias: float
    slope: float
    per_doubt: float
    """Of the logistic curve that makes the confidence from the logit of the share and the number of doubts."""


@cache
def _model() -> _Model:
    table = tomllib.loads((files("inquest.stories") / "origin.toml").read_text(encoding="utf-8"))
    return _Model(weights=table["weights"], **table["decision"], **table["confidence"])


def best_credits(credits: Sequence[Credit], wording: Mapping[tuple[str, str], float]) -> dict[str, Credit]:
    """The credit of each article that counts: to whom it shares most of its wording with, else most of its content.
    `wording`: how much of their wording two articles share, by their ids in order."""
    best: dict[str, tuple[tuple[float, bool, float, str], Credit]] = {}
    for credit in credits:
        one, other = sorted((credit.article, credit.origin))
        strength = (wording.get((one, other), 0.0), credit.how == "words", credit.alike, credit.origin)
        if credit.article not in best or strength > best[credit.article][0]:
            best[credit.article] = (strength, credit)
    return {article: credit for article, (_, credit) in best.items()}


@dataclass(frozen=True)
class Background:
    """What is known beside the articles of a story."""

    event: datetime | None = None
    """When the event began; None: not known."""
    denying: Collection[str] = ()
    """Ids of articles that say it is not so: the origin of the report that it is can be one of them only where somebody
    who tells it has it from there."""
    copied: Collection[str] = ()
    """Of articles whose wording others share."""
    asked_about: Collection[str] = ()
    """Of the article whose story it is, where there is one."""
    published: Mapping[str, Published] = field(default_factory=dict)
    """When reports that are named and could not be read were published, by the ids of `crediting.UNREAD`."""


def lineage_of(
    articles: Sequence[Article],
    parents: Mapping[str, Credit],
    credits: Credits,
    known: Background = Background(),
) -> Lineage:
    """What the articles of one story go back to. `parents`: the one credit of each article that counts, to other
    articles of the story."""
    event = known.event
    everyone, forest = _with_unread(articles, parents, credits.outside, known.published)
    forest, mutual = _without_loops(everyone, forest, credits.mentions, event)
    times = times_of(everyone, forest, event)
    candidates = _candidates(everyone, forest, times, known.denying)
    if not candidates:
        return Lineage(None, None, (), forest, 0.0, mutual=mutual, times=times)
    weights = _model().weights
    measured = features_of(candidates, everyone, forest, times, _ends(known.asked_about, forest))
    scores = {
        id: sum(weights[name] * value for name, value in zip(FEATURES, row, strict=True))
        for id, row in measured.items()
    }
    most = max(scores.values())
    total = sum(exp(score - most) for score in scores.values())
    roots = tuple(
        sorted(
            (Root(id, exp(score - most) / total, measured[id]) for id, score in scores.items()),
            key=lambda root: (-round(root.share, 9), root.id),
        )
    )
    best = next(each for each in candidates if each.id == roots[0].id)
    credited = any(credit.origin == best.id for credit in forest.values())
    official = dict(zip(FEATURES, roots[0].features, strict=True))["official"] > 0
    confirmed = credited or official or best.id in known.copied or len(everyone) == 1
    doubts = _doubts(best, roots, times, confirmed, best.id in mutual)
    unread = {each.id for each in everyone if not each.readable}
    return _decided(roots, unread, forest, times, mutual, doubts)


def _decided(
    roots: tuple[Root, ...],
    unread: Collection[str],
    forest: Mapping[str, Credit],
    times: Mapping[str, Times],
    mutual: tuple[str, ...],
    doubts: tuple[Doubt, ...],
) -> Lineage:
    model, best = _model(), roots[0]
    if best.share < model.least or len(doubts) > model.most_doubts:
        near = tuple(root.id for root in roots if root.share * _NEAR >= best.share)[:_MOST]
        return Lineage(None, None, roots, forest, 0.0, near, doubts, mutual, times)
    share = min(best.share, 1 - 1e-6)
    logit = model.bias + model.slope * log(share / (1 - share)) + model.per_doubt * len(doubts)
    confidence = 1 / (1 + exp(-logit))
    outside = best.id if best.id in unread else None
    return Lineage(None if outside else best.id, outside, roots, forest, confidence, (), doubts, mutual, times)


def _doubts(
    best: Article, roots: Sequence[Root], times: Mapping[str, Times], confirmed: bool, mutual: bool
) -> tuple[Doubt, ...]:
    """What could make the likeliest root the wrong one. `confirmed`: others credit or copy
    it, or have it from an authority as which it was published."""
    mine = times[best.id]
    # Who gives a day alone may have been first on that day or last.
    decides = _DECIDES if mine.start == mine.latest else _CERTAIN
    typed = best.category in SETS_ITS_DATES and best.seen is None
    worth = FEATURES.index("worth")
    better = [root for root in roots[1:] if typed and root.features[worth] < roots[0].features[worth]]
    rivals = [root for root in roots[1:] if root.share * _NEAR >= roots[0].share or root in better]
    perhaps_later = any(before(mine, times[root.id]) < _CERTAIN for root in better)
    found = {
        Doubt.UNREAD: not best.readable,
        Doubt.NO_DATE: best.readable and not mine.known,
        Doubt.MUTUAL: mutual,
        Doubt.SAME_TIME: any(before(mine, times[root.id]) < decides for root in rivals),
        Doubt.ELSEWHERE: _has_it_from_others(best),
        Doubt.ALONE: not confirmed,
        Doubt.OWN_DATE: typed and (perhaps_later or (not confirmed and len(roots) > 1)),
    }
    return tuple(doubt for doubt, holds in found.items() if holds)


def _candidates(
    everyone: Sequence[Article], forest: Mapping[str, Credit], times: Mapping[str, Times], denying: Collection[str]
) -> list[Article]:
    """The roots of the graph. What is dated before the event cannot be the first to tell of it, unless others have it
    from there: then the date is the fault. Nor can what denies it, unless somebody who tells it has it from there: a
    mayor's interview does not say what it became on its way."""
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
    """The articles with one more for each report that they credit and that is not there, and the credits with those to
    them. Who credits an article has it from there."""
    ids = {each.id for each in articles}
    forest = {article: credit for article, credit in parents.items() if article in ids and credit.origin in ids}
    by_report: dict[str, list[Article]] = defaultdict(list)
    for article in articles:
        if article.id in outside and article.id not in forest:
            forest[article.id] = outside[article.id]
            by_report[outside[article.id].origin].append(article)
    _stand_in(by_report, forest)
    best = max((each.score for each in articles), default=0)
    unread = [replace(_unread(id, by, best), published=published.get(id)) for id, by in by_report.items()]
    return [*articles, *unread], forest


def _stand_in(by_report: dict[str, list[Article]], forest: dict[str, Credit]) -> None:
    """Of an agency's report that was not read, but that others print under its byline, the earliest print stands for
    it: whoever credits the agency has it from that text."""
    for id, articles in list(by_report.items()):
        printed = [
            (each.published.latest, each.id) for each in articles if forest[each.id].how == "byline" and each.published
        ]
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
    """The credits without those that close a loop, and the articles that credit one another. Between these the dates
    decide who was earlier, and its own credit goes; where they do not, all credits of the loop go."""
    forest = dict(credits)
    mutual: list[str] = []
    loops = _loops(credits)
    loops += [
        [article, credit.origin]
        for article, credit in credits.items()
        if (credit.origin, article) in mentions and not any(article in loop for loop in loops)
    ]
    round_about = {id for loop in loops for id in loop}
    bare = times_of(everyone, {id: credit for id, credit in forest.items() if id not in round_about}, event)
    for loop in loops:
        first = next((one for one in loop if all(_clearly_before(bare[one], bare[o]) for o in loop if o != one)), None)
        for id in loop if first is None else (first,):
            forest.pop(id, None)
        mutual += loop if first is None else ()
    return forest, tuple(dict.fromkeys(mutual))


def _clearly_before(one: Times, other: Times) -> bool:
    """Whether the dates decide between two that credit each other: by more than what clocks and updates differ by."""
    if one.start and other.start and abs(other.start - one.start) < _MINUTES:
        return False
    return before(one, other) >= _DECIDES


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
    """Where the credits of these articles lead to in the end; of an article without one: nowhere."""
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
    """The features of each candidate, by id, in the order of `FEATURES`. `ends`: where the credits of the article lead
    to that was asked about."""
    size = log1p(len(everyone))
    behind = descendants([each.id for each in everyone], forest)
    details = _details(everyone)
    several = Counter(mark for each in everyone if each.readable for mark in details[each.id])
    repeated = {each.id: sum(several[mark] > 1 for mark in details[each.id]) for each in candidates}
    most = max(repeated.values(), default=0) or 1
    best = max(each.score for each in candidates)
    found: dict[str, tuple[float, ...]] = {}
    for each in candidates:
        mine = times[each.id]
        others = [before(mine, times[other.id]) for other in candidates if other is not each]
        certainly = sum(before(times[other.id], mine) > _CERTAIN for other in everyone if other is not each)
        authority = any(CreditKind.AUTHORITY in other.unnamed for other in everyone if other is not each)
        found[each.id] = (
            log1p(behind[each.id]) / size,
            sum(others) / len(others) if others else 1.0,
            log1p(certainly) / size,
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
    return found


def _details(everyone: Sequence[Article]) -> dict[str, frozenset[str]]:
    """The figures and names of each, publishers' names aside: whom an article credits tells nothing of the story."""
    publishers = {skeleton(name) for each in everyone for name in each.names}
    return {each.id: each.particulars.marks - publishers for each in everyone}


def _has_it_from_others(article: Article) -> bool:
    """Whether it credits posts or other media without a name."""
    return bool(article.unnamed & {CreditKind.POSTS, CreditKind.MEDIA})
