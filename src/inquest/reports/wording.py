"""The sentences and rows that every form of the report says alike, as plain text; each form sets them its own way."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import unquote

from inquest.domain.case import LATE, UNASKED, Case, CaseKind, CaseStatus
from inquest.domain.claim import Claim
from inquest.domain.document import Precision
from inquest.domain.english import share, whole
from inquest.domain.finding import ContradictionType, Finding, Placed
from inquest.domain.outages import OutageGroup, alike, distinct
from inquest.domain.plan import Decision, Plan
from inquest.domain.report import Cost, EarlierCheck, TimelineEvent
from inquest.domain.source import Source
from inquest.reports.view import VERDICT_WORDS, Checked, Evidence, ReportView, Story
from inquest.reports.words import Words, say
from inquest.text.phrases import capitalised, day, listed
from inquest.verdicts.reviews import OWN_WORD

_WHAT = Words("outage_kinds")


def moment(at: datetime) -> str:
    """'5 March 2024, 10:00 UTC'."""
    utc = at.astimezone(UTC)
    return f"{day(utc)}, {utc:%H:%M} UTC"


def date_words(source: Source) -> str:
    """When it was published, as exactly as is known."""
    return day(source.published.at, source.published.precision) if source.published else say("undated")


def witness(source: Source) -> tuple[str, ...]:
    """Who says it, when, and what that is worth: ('gazette.example', '5 March 2024', 'tier 2')."""
    return (_publisher(source), date_words(source), say("tier", tier=source.rating.tier))


def address(url: str) -> str:
    """An address as it is shown: of a file of the user's own the name alone, so that a report that is handed on tells
    nobody where, or under which user's name, it lay."""
    return say("file", name=unquote(url.rsplit("/", 1)[-1])) if _is_file(url) else url


def titled(source: Source) -> str:
    """What a source is called; one without a title, by its address."""
    return source.title if source.title and not _is_file(source.title) else address(source.title or source.url)


def _publisher(source: Source) -> str:
    return source.domain or say("own_file" if _is_file(source.url) else "no_domain")


def _is_file(url: str) -> bool:
    return url[:5].lower() == "file:"


def event_date(event: TimelineEvent) -> str:
    """When it happened, as a reader says it; a date that is not one stays as it is written."""
    try:
        at = datetime.fromisoformat(f"{event.date}-01-01"[:10] if len(event.date) < 10 else event.date)
    except ValueError:
        return event.date
    said = day(at, event.precision)
    return f"{said}, {at:%H:%M}" if event.precision is Precision.TIME else said


def stars(number: int) -> str:
    """Five places: ★★★☆☆."""
    return "★" * number + "☆" * (5 - number)


CATEGORIES = Words("categories")


def rating_words(source: Source) -> str:
    """'tier 2, 78 of 100, newspaper, press release'."""
    rating = source.rating
    words = [say("tier", tier=rating.tier), say("score", score=rating.score)]
    if rating.category != "unknown":
        words.append(CATEGORIES.get(rating.category, rating.category.replace("_", " ")))
    if not rating.known:
        words.append(say("no_rule"))
    if rating.press_release:
        words.append(say("press_release"))
    return ", ".join(dict.fromkeys(words))


def joined(reasons: Iterable[str]) -> str:
    """Reasons one after another: as sentences where they are sentences, else with semicolons."""
    said = list(reasons)
    return (" " if all(reason.endswith(".") for reason in said) else "; ").join(said)


def about(source: Source) -> tuple[str, ...]:
    """What is known of a source besides its worth: domain, date, author, who named it."""
    parts = [_publisher(source), date_words(source)]
    parts += [say("by", who=source.author)] if source.author else []
    parts += [say("named_by_the_user")] if source.user_provided else []
    return tuple(parts)


def figures(view: ReportView) -> tuple[tuple[int, str], ...]:
    """The numbers at the head of the report, each with what it counts."""
    read, quotes = len(view.counted_sources), len(view.case.citations)
    counted = {
        "read": read,
        "independent": view.independent_sources,
        "checked": len(view.assessments),
        "quoted": quotes,
    }
    if view.case.kind is CaseKind.MARKET:
        del counted["checked"]  # a market answer checks none
    return tuple((number, say(f"figure_{name}", number=number)) for name, number in counted.items())


_FEW_QUERIES = 6
_PAPERS = frozenset(("newspaper", "local", "tabloid", "magazine"))


def independence(view: ReportView) -> tuple[str, ...]:
    """How many of the sources are independent, and which are not and why: '7 sources, 3 independent of one another.'"""
    number = len(view.counted_sources)
    if number < 2:
        return ()
    lines = [say("independence", number=number, apart=view.independent_sources)]
    for witness in view.witnesses:
        sources = [view.sources[source_id] for source_id in witness.source_ids]
        domains, owners = {source.domain for source in sources}, {source.rating.owner for source in sources}
        if len(sources) == 1 or (sources[0].story and len({source.story for source in sources}) == 1):
            continue  # the copies of a story stand under their origin
        ids = listed([source.id for source in sources])
        if len(domains) > 1 and len(owners) == 1 and None not in owners:
            noun = "papers" if {source.rating.category for source in sources} <= _PAPERS else "outlets"
            lines.append(say(f"{noun}_of_one", ids=ids, number=len(domains), name=witness.name))
        elif len(domains) == 1:
            lines.append(say("pages_of_one", ids=ids, number=len(sources), name=sources[0].domain))
        else:
            lines.append(say("go_back_to", ids=ids, name=witness.name))
    return tuple(lines)


def ranking_words(source: Source) -> str:
    """Why it was read when it was: each factor of its rank; '' where nobody had to choose."""
    ranking = source.ranking
    if ranking is None:
        return ""
    words = (
        f"Chosen by relevance {ranking.relevance:.2f}{' (by a reranker)' if ranking.by_reranker else ''} × credibility "
        f"{ranking.credibility:.2f} × freshness {ranking.freshness:.2f} × (1 - noise {ranking.noise:.2f}) = "
        f"{ranking.score:.2f}"
    )
    return f"{words}; {'; '.join(ranking.reasons)}" if ranking.reasons else words


def left_out(source: Source) -> str:
    """Why it is no evidence, and what else is to be known of it."""
    known = (note.rstrip(".") for note in source.all_notes if source.excluded and source.excluded not in note)
    return "; ".join((source.excluded or "", *known))


def dated_by(source: Source) -> str:
    """All that speaks of its date, where that is more than one day; else ''."""
    if len({each.iso[:10] for each in source.dates}) < 2:
        return ""
    said = [f"{each.where} {each.iso}{'' if each.used else say('not_used')}" for each in source.dates]
    return say("dates", dates="; ".join(said))


def review_words(check: EarlierCheck) -> str:
    """'PolitiFact, 3 March 2024: “Mostly false” (on: “The claim as they put it”)', and whose word it is."""
    review = check.review
    at = f", {day(review.at.at, review.at.precision)}" if review.at else ""
    whose = f"; {check.found_by}" if check.found_by.startswith(OWN_WORD) else ""
    return f"{review.reviewer or 'a checker who is not named'}{at}: “{review.rating}” (on: “{review.claim}”{whose})"


_STATUS = Words("case_status")


def banner(case: Case) -> str | None:
    """What to know before reading a report that is not complete."""
    if case.status is CaseStatus.COMPLETED:
        return None
    return f"{say('banner', status=_STATUS[case.status.value])} {case.why}".strip()


def weight(checked: Checked) -> str:
    """'97%, two independent sources'; '' where nothing was weighed."""
    a = checked.assessment
    sure = [share(a.confidence)] if a.confidence and not a.overruled else []
    several = [say("independent_sources", number=a.independent_sources)] if a.independent_sources else []
    rests = [say("single_source")] if a.single_source else several
    return ", ".join(sure + rests)


def kind_of(case: Case) -> str:
    """What sort of case it is: 'quick mode', 'check of claims'."""
    named = case.kind in (CaseKind.MARKET, CaseKind.AUDIT, CaseKind.CLAIMS)
    return say(f"kind_{case.kind.value if named else case.brief.mode.value}")


_TYPES = Words("claim_types")


def claim_type(claim: Claim) -> str:
    """'legal and governance'."""
    return _TYPES[claim.type.value]


def as_of(case: Case) -> str | None:
    """The sentence on the 'now' of the case, where the user set one."""
    if case.brief.as_of is None:
        return None
    return say("as_of", day=day(case.brief.as_of.astimezone(UTC)))


def standing(checked: Checked) -> str:
    """How firm a verdict is: '84% confidence · two passages read that speak for neither side'; '' where its reasons say
    it all."""
    a = checked.assessment
    if a.decision and a.machine_verdict and a.overruled:
        return say("overruled", who=a.decision.by, verdict=lowered(VERDICT_WORDS[a.machine_verdict]))
    parts = [say("confidence", share=a.confidence)] if a.confidence else []
    parts += [say("a_single_source")] if a.single_source else []
    if checked.neither:
        parts.append(say("neither", number=checked.neither))
    return " · ".join(parts)


_CONTRADICTIONS = Words("contradictions")


def contradiction(kind: ContradictionType) -> str:
    """'direct contradiction'."""
    return _CONTRADICTIONS[kind.value]


def kind(finding: Finding) -> str:
    """How it contradicts, where that is not the plain way; else ''."""
    kind = finding.contradiction_type
    return "" if kind in (None, ContradictionType.DIRECT) else contradiction(kind)


def copies_heading(found: Evidence) -> str:
    """Before the sources that tell the same story as the quoted one; '' where it stands alone."""
    number = len({finding.source_id for finding in found.copies})
    if found.origin is not None:
        goes_back = say("goes_back", id=found.origin.id, name=found.origin.domain)
        return f"{goes_back}{say('repeated_by')}" if number else goes_back
    return say("copies", number=number) if number else ""


def story_words(story: Story, source: Source) -> str:
    """How a source relates to those that tell the same story."""
    if story.origin is None:
        others = [other.id for other in story.others if other.id != source.id]
        return say("same_story", others=others)
    if story.origin.id == source.id:
        others = [other.id for other in story.others]
        return say("origin_of_story", others=others)
    return say("repeats_story", id=story.origin.id)


def outages(case: Case) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """What could not be asked, what is out for one reason together: the kind of thing, the names, and why."""
    return tuple(_outage_words(group) for group in alike(distinct(case.outages)))


def _outage_words(group: OutageGroup) -> tuple[str, tuple[str, ...], str]:
    what, why = group.notes[0].what, group.why
    for name in group.names if what == "page" else ():
        # The address is beside it.
        why = why.replace(f"The page at {name}", "It").replace(name, "It")
    return _WHAT.get(what, capitalised(what)), tuple(address(name) for name in group.names), why


def departures(case: Case) -> tuple[str, ...]:
    """What departed from the approved plan, and what was not done before the case was ended."""
    # What came late or was not asked for is an outage, and reported as one.
    number = sum(not label.startswith((LATE, UNASKED)) for label in case.cut)
    if not number:
        return case.departures
    return (*case.departures, say("not_done", number=number))


_EMPTY = Words("empty_stages")
_OF_ENGINES = frozenset(("NO_SOURCES_FOUND", "NO_CLAIMS_EXTRACTED", "NO_CLAIMS_TO_VERIFY"))
"""Stages that bring nothing where engines are out."""


def _empty_stage(marker: str, case: Case) -> str:
    """What a stage came to that brought nothing, with the engines that were out in the same sentence."""
    words = _EMPTY.get(marker, marker)
    out = dict.fromkeys(note.where for note in case.outages if note.what == "engine")
    if marker not in _OF_ENGINES or not out:
        return words
    return f"{words}{say('and_engines_out', number=len(out))}"


def method(view: ReportView) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """How it was done: rows of a name and one or more lines."""
    case, plan = view.case, view.case.plan
    rows: list[tuple[str, tuple[str, ...]]] = []
    if plan is not None:
        rows += [
            (say("row_questions"), plan.questions),
            (say("row_meant"), _meant(plan)),
            (say("row_queries"), _queries(plan)),
            (say("row_collections"), (", ".join(case.brief.collections),)),
            (say("row_engines"), (", ".join(plan.engines) or say("none"),)),
            (say("row_left_out"), plan.left_out),
            (say("row_analyst"), (_judge(plan),)),
        ]
    rows += [
        (say("row_approved"), _approved(case)),
        (say("row_empty"), tuple(f"{capitalised(_empty_stage(marker, case))}." for marker in case.markers)),
        (say("row_dropped"), _dropped(view)),
        (say("row_work"), (_work(case.cost),)),
    ]
    return tuple((name, lines) for name, lines in rows if any(lines))


def _meant(plan: Plan) -> tuple[str, ...]:
    """Whom and what the case is about, and when."""
    who = ("; ".join(each.shown for each in plan.meant),) if plan.meant else ()
    return (*who, *((say("time", times=", ".join(plan.times)),) if plan.times else ()))


def _queries(plan: Plan) -> tuple[str, ...]:
    """All of a few; of many how many they are, and the first."""
    said = tuple(dict.fromkeys(query.text for query in plan.queries))
    if len(said) <= _FEW_QUERIES:
        return said
    return (say("many_queries", number=whole(len(said)), first="; ".join(said[:_FEW_QUERIES])),)


def _judge(plan: Plan) -> str:
    if plan.unaided:
        return say("by_local_model" if plan.local_model else "by_rules", model=plan.local_model or "")
    return say("by_model", model=plan.analyst)


def _approved(case: Case) -> tuple[str, ...]:
    approved = next((each for each in reversed(case.approvals) if each.decision is Decision.APPROVE), None)
    if approved is None:
        return ()
    return (say("approved", plan=approved.revision, who=approved.by, how=approved.how, at=moment(approved.at)),)


def _dropped(view: ReportView) -> tuple[str, ...]:
    number = view.summary.dropped
    if not number:
        return ()
    return (say("dropped", number=number),)


def _work(cost: Cost) -> str:
    done = []
    if cost.search_calls:
        done.append(say("searches", number=cost.search_calls))
    if cost.page_reads:
        done.append(say("pages_read", number=cost.page_reads))
    if cost.model_calls:
        done.append(say("model_calls", number=cost.model_calls, into=whole(cost.tokens_in), out=whole(cost.tokens_out)))
    if cost.usd:
        done.append(f"{cost.usd:.4f} USD")
    return capitalised(", ".join(done))


def lowered(words: str) -> str:
    """A label within a sentence."""
    return words.lower()


def place(found: Placed) -> str:
    """Where in its document a quote is; a plain page in the language of the report."""
    return say("page", page=found.page) if found.page and found.where == f"page {found.page}" else found.where
