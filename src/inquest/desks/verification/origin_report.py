"""The origin of a topic's story: chain of credits, earliest mention, and credibility of the origin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from inquest.domain.claim import Claim
from inquest.domain.document import Document, Precision
from inquest.domain.finding import Finding, Stance
from inquest.domain.investigation import CredibilityReport, OriginHop, OriginTrace, SoughtReport
from inquest.domain.reasons import Catalogue, Reason, ReasonData, in_words, sentences, worded
from inquest.domain.report import TimelineEvent
from inquest.domain.source import Category, Source
from inquest.domain.topic import Topic
from inquest.domain.value import firsts
from inquest.sources.publisher_names import why_local
from inquest.stories.crediting import UNREAD, Article, Credit, article_of, credits_among, publisher_named
from inquest.stories.likeness import alike, common
from inquest.stories.lineage_model import Background, Lineage, best_credits, lineage_of
from inquest.text.dates import utc
from inquest.text.moments import moments
from inquest.text.phrases import day
from inquest.verdicts.levels import CREDIBLE_TIER
from inquest.verdicts.testimony import as_testimony
from inquest.verdicts.weighing_reasons import name_of, reported_speaker

says = Catalogue("origin")
_SPECIALISED = (
    Category.REGULATOR, Category.COURT, Category.STATISTICS, Category.SCHOLARLY, Category.TRADE, Category.INVESTIGATIVE
)  # fmt: skip
"""Categories of publishers that specialise in a subject."""
_SAME_EVENT, _SAME_NAMES, _FEWEST_NAMES = 0.3, 0.4, 3
"""Minimum Dice coefficient of the terms of two reports of one event; or else minimum share and number of common figures
and names."""
_RECENT = timedelta(days=60)
"""Maximum delay from an event to a report, and maximum lead of the first report over the others."""
_HEAD = 1_500
"""Characters of a document that are searched for the day of its news."""
_AROUND = 40
"""Characters on either side of a day by which copies of one passage are recognised."""


@dataclass(frozen=True)
class OriginCase:
    """The material from which a topic's origin is traced; collections of sources are ids."""

    sources: Mapping[str, Source]
    """The sources with their stories (stories.assign_stories)."""
    documents: Mapping[str, Document]
    now: datetime
    own: Collection[str] = ()
    """The topic's own article."""
    aside: Collection[str] = ()
    """Other pages of its publisher, and copies: not evidence, but reports of the story."""
    supporting: Collection[str] = ()
    denying: Collection[str] = ()
    """Sources that only contradict the topic; a denial is not the origin of the report that it denies."""
    early: Collection[str] = ()
    """Sources from long before the event."""
    event: datetime | None = None
    """Start of the event."""
    place: str = ""
    sought: Sequence[SoughtReport] = ()
    """Reports that sources credit and that were searched for."""


def event_of(topic: Topic, documents: Iterable[Document] = ()) -> datetime | None:
    """The start of the day of a topic's event: its date, else the only day in its text, else that of most documents, of
    which copies of one passage count once."""
    if topic.event_date is not None:
        return utc(topic.event_date).replace(hour=0, minute=0, second=0, microsecond=0)
    known = utc(topic.discovery_date).date() if topic.discovery_date else None
    days = set(_days(f"{topic.title}. {topic.text}", known))
    if len(days) != 1:
        given: set[tuple[date, str]] = set()
        for document in documents:
            written = utc(document.published.at).date() if document.published else None
            given.update(_days(document.text[:_HEAD], written).items())
        counted = Counter(each for each, _ in given)
        most = max(counted.values(), default=0)
        days = {each for each, number in counted.items() if number == most >= 2}
    return datetime.combine(days.pop(), time.min, UTC) if len(days) == 1 else None


def _days(text: str, written: date | None) -> dict[date, str]:
    """The days in a text that can be those of its news, each with the words around it."""
    exact = [each for each in moments(text, written) if each.precision is Precision.DAY and each.start == each.end]
    recent = [each for each in exact if written is None or timedelta() <= written - each.start <= _RECENT]
    return {each.start: text[max(0, each.span.start - _AROUND) : each.span.end + _AROUND] for each in recent}


def origin_trace(case: OriginCase) -> OriginTrace:
    """Trace the origin of the topic's story in the sources; without a result, the trace gives the reasons."""
    reporting = {*case.own, *case.aside}
    usable = {k: s for k, s in case.sources.items() if k in case.documents and (k in reporting or not s.excluded)}
    articles = {id: article_of(source, case.documents[id]) for id, source in usable.items()}
    credits = credits_among(list(articles.values()))
    parents = best_credits(credits.inside, {})
    members = _members(usable, articles, parents, case)
    if not members:
        reasons = says("none"), says("no_earliest")
        return OriginTrace(**worded(reasons), sought=tuple(case.sought))
    reports = [articles[id] for id in members]
    copied = {id for id in members if sum(usable[id].story == each.story for each in usable.values() if each.story) > 1}
    unread = {f"{UNREAD}{each.name}": each.published for each in case.sought if each.published and not each.source_id}
    # Sources that cannot be the origin: those that deny or check the report, and those from before the event.
    checks = {each.id for each in reports if case.documents[each.id].reviews or each.category == Category.FACT_CHECK}
    denying = (frozenset(case.denying) | checks | frozenset(case.early)) - frozenset(case.own)
    known = Background(case.event, denying, copied, asked_about=case.own, published=unread)
    lineage = lineage_of(reports, parents, credits, known)
    ids = _reporting(lineage, members, case) - denying - _dated_by_itself(lineage)
    starts = {id: utc(start) for id in ids if id in lineage.times and (start := lineage.times[id].start) is not None}
    plausible = {id: start for id, start in starts.items() if start <= utc(case.now)}
    first = min(plausible, key=lambda id: (plausible[id], id), default="")
    return _report(lineage, members, usable, articles, usable.get(first), case)


def _reporting(lineage: Lineage, members: Sequence[str], case: OriginCase) -> set[str]:
    """The members that support the claim, its own article, and those that these credit; all if none supports it."""
    if not case.supporting:
        return set(members)
    reporting = {*case.supporting, *case.own} | ({lineage.origin} if lineage.origin else set())
    pending = list(reporting)
    while pending:
        credit = lineage.forest.get(pending.pop())
        if credit is not None and credit.origin not in reporting:
            reporting.add(credit.origin)
            pending.append(credit.origin)
    return reporting & set(members)


def _members(
    sources: Mapping[str, Source], articles: Mapping[str, Article], parents: Mapping[str, Credit], case: OriginCase
) -> list[str]:
    """The sources that report the topic: its own article and those that support it, or else the largest story; their
    copies, the sources that they credit or that credit them, and reports of the same event."""
    certain = {id for id in (*case.own, *case.supporting) if id in articles}
    if not certain:
        stories = Counter(each.story for each in sources.values() if each.story)
        largest = max(stories, key=lambda story: (stories[story], story), default=None)
        certain = {id for id, each in sources.items() if largest and each.story == largest}
    dates = sorted(known.at for id in certain if (known := articles[id].published))
    # A report that is much older than the median of these is about another event.
    oldest = dates[len(dates) // 2] - _RECENT if dates else None
    dated = {id: each.published.latest for id, each in articles.items() if each.published}
    usable = {id for id in articles if id in certain or not oldest or dated.get(id, oldest) >= oldest}
    members = set(certain)
    for id in usable - certain:
        for other in certain:
            one, two = articles[id].particulars, articles[other].particulars
            number, part = common(one, two)
            if alike(one, two) >= _SAME_EVENT or (number >= _FEWEST_NAMES and part >= _SAME_NAMES):
                members.add(id)
    more = set(members)
    while more:
        shared = {sources[id].story for id in members if sources[id].story}
        near = {id for id, each in sources.items() if each.story in shared}
        near |= {credit.origin for id, credit in parents.items() if id in members}
        near |= {id for id, credit in parents.items() if credit.origin in members}
        more = (near & usable) - members
        members |= more
    return [id for id in articles if id in members and id not in case.early]


def _report(
    lineage: Lineage,
    members: Sequence[str],
    sources: Mapping[str, Source],
    articles: Mapping[str, Article],
    earliest: Source | None,
    case: OriginCase,
) -> OriginTrace:
    outside, own, first = lineage.outside, _dated_by_itself(lineage), says("no_earliest")
    if earliest and earliest.published:
        when = day(earliest.published.at, earliest.published.precision)
        first = says("earliest", name=f"{name_of(earliest)} [{earliest.id}]", date=when)
    alone = len(members) == 1 and outside is None
    if alone and (lineage.origin is None or articles[members[0]].first_hand is None):
        only = says("alone", name=name_of(sources[members[0]]))
        return OriginTrace(earliest_source_id=earliest.id if earliest else None, **worded((only, first)))
    origin = sources[lineage.origin] if lineage.origin else None
    chain = _chain(lineage, sources, start=next(iter(case.own), None))
    return OriginTrace(
        source_id=origin.id if origin else None,
        candidates=tuple(each if each in sources else publisher_named(each) for each in lineage.candidates),
        name=name_of(origin) if origin else publisher_named(outside) if outside else "",
        readable=outside is None,
        chain=chain if origin or outside else (),
        earliest_source_id=earliest.id if earliest else None,
        misdated=tuple(id for id, each in lineage.times.items() if id in sources and (id in own or not each.known)),
        confidence=round(lineage.confidence, 3),
        credibility=credibility_of(origin, case.documents.get(origin.id), case.place) if origin else None,
        **worded((*_reasons(lineage, sources, articles, case), first)),
        sought=tuple(case.sought),
    )


def _dated_by_itself(lineage: Lineage) -> set[str]:
    """The articles that only their own dates place before the origin."""
    known = {id: start for id, times in lineage.times.items() if (start := times.start) is not None}
    origin = known.get(lineage.origin or "")
    return {id for id, start in known.items() if origin and start < origin and lineage.times[id].latest is None}


def _reasons(
    lineage: Lineage, sources: Mapping[str, Source], articles: Mapping[str, Article], case: OriginCase
) -> Iterator[Reason]:
    def called(id: str) -> str:
        return f"{name_of(sources[id])} [{id}]" if id in sources else publisher_named(id)

    if lineage.mutual:
        yield says("mutual", articles=[called(id) for id in lineage.mutual])
    for id, times in lineage.times.items():
        if times.before_event:
            yield says("before_event", name=called(id))
        elif id in _dated_by_itself(lineage):
            yield says("before_origin", name=called(id))
    best = lineage.origin or lineage.outside
    if best is None:
        yield says("open" if lineage.candidates else "not_found", candidates=[called(id) for id in lineage.candidates])
    else:
        if crediting := sum(credit.origin == best for credit in lineage.forest.values()):
            yield says("credited_by_one" if crediting == 1 else "credited_by_many", number=crediting, name=called(best))
        if best in articles and (words := articles[best].first_hand):
            yield says("first_hand", words=words.quote)
        if len(lineage.roots) > 1:
            yield says("likeliest", number=len(lineage.roots))
        if lineage.outside:
            name = publisher_named(lineage.outside)
            asked = [each.why for each in case.sought if each.name == name]
            yield says("not_read", name=name, asked=asked[0]) if asked else says("not_looked_for", name=name)
    yield from map(says, lineage.doubts)


def _chain(lineage: Lineage, sources: Mapping[str, Source], start: str | None) -> tuple[OriginHop, ...]:
    """The credits that lead to the origin from the topic's own article, else the longest chain."""
    goal = lineage.origin or lineage.outside
    chains: dict[str, list[Credit]] = {}
    for article in lineage.forest:
        chain, here = [], article
        while here in lineage.forest:
            chain.append(lineage.forest[here])
            here = lineage.forest[here].origin
        if here == goal:
            chains[article] = chain
    best = min(chains, key=lambda article: (article != start, -len(chains[article]), article), default="")
    hops = []
    for credit in chains.get(best, ()):
        source, known = sources[credit.article], sources.get(credit.origin)
        name = name_of(known) if known else publisher_named(credit.origin)
        hop = OriginHop(
            source_id=credit.article,
            credits=known.id if known else name,
            how=credit.how,
            quote=credit.quote,
            snapshot=source.snapshot if credit.how == "words" else "",
            start=credit.start,
            end=credit.end,
            reason=in_words(says("hop", article=name_of(source), name=name)).rstrip("."),
        )
        hops.append(hop)
    return tuple(hops)


def story_path(
    claims: Sequence[Claim], findings: Sequence[Finding], sources: Mapping[str, Source], origin: OriginTrace
) -> tuple[TimelineEvent, ...]:
    """The path of the story, oldest first: each source that reports or contradicts the topic's main claims, once, with
    its words, unless its date is missing or implausible."""
    ids = {each.id for each in claims}
    first = firsts((each.source_id, each) for each in findings if each.claim_id in ids and each.stance.decides)
    credited = {hop.source_id: hop.credits for hop in origin.chain}
    path = []
    for id, finding in first.items():
        source = sources.get(id)
        if source is None or source.published is None or id in origin.misdated:
            continue
        data: dict[str, ReasonData] = {"name": name_of(source)}
        code = "reports" if finding.stance is Stance.SUPPORTS else "contradicts"
        if finding.stance is Stance.SUPPORTS and id == origin.source_id:
            code = "begins"
        elif code == "reports" and id in credited:
            to = sources.get(credited[id])
            code, data["to"] = "credits", name_of(to) if to else credited[id]
        elif code == "contradicts" and (who := reported_speaker(as_testimony(finding).name, source)):
            code, data["who"] = "denial", who
        event = TimelineEvent(
            date=source.published.iso,
            precision=source.published.precision,
            text=in_words(said := says(f"path_{code}", **data)),
            reason_codes=(said,),
            source_ids=(id,),
            finding_ids=(finding.id,),
        )
        path.append((utc(source.published.at), id, event))
    return tuple(event for _, _, event in sorted(path, key=lambda each: each[:2]))


def credibility_of(source: Source, document: Document | None, place: str = "") -> CredibilityReport:
    """The credibility of a source as an origin: its rating, the age of its domain, its leaning and its
    specialisation."""
    local = why_local(source, place, document.text if document else "") if place else None
    in_field = source.rating.category in _SPECIALISED
    seen = document is not None and article_of(source, document).first_hand is not None
    registered = source.age.registered.iso if source.age and source.age.registered else None
    reasons = [says("local", why=local)] if local else []
    reasons += [says("field", category=source.rating.category)] if in_field else []
    reasons += [says("first_hand_credible")] if seen else []
    reasons += [says("registered", date=registered[:10])] if registered else []
    return CredibilityReport(
        source_id=source.id,
        **source.rating.model_dump(include={"score", "tier", "category", "leaning"}),
        credible=source.rating.tier <= CREDIBLE_TIER and not source.rating.press_release,
        domain_registered=registered,
        specialised=True if local or in_field else None,
        first_hand=seen,
        reasons=(*source.rating.reasons, *sentences(reasons)),
        reason_codes=(*source.rating.reason_codes, *reasons),
    )
