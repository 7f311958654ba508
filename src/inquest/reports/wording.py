"""Sentences and rows as plain text, shared by all formats of the report."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import unquote

from inquest.domain.case import LATE, UNASKED, Case, CaseKind, CaseStatus
from inquest.domain.document import Precision
from inquest.domain.finding import ContradictionType, Finding, Placed
from inquest.domain.languages import in_quotation_marks, share, whole
from inquest.domain.plan import NO_QUESTION, Decision, Plan
from inquest.domain.report import Cost, EarlierCheck, TimelineEvent, alike, distinct
from inquest.domain.source import Source
from inquest.domain.value import grouped
from inquest.reports.view import Checked, Evidence, ReportView, Story
from inquest.reports.words import Words, say
from inquest.text.phrases import capitalised, day, listed
from inquest.verdicts.reviews import OWN_WORD

_WHAT = Words("outage_kinds")


def moment(at: datetime) -> str:
    """Return '5 March 2024, 10:00 UTC'."""
    utc = at.astimezone(UTC)
    return f"{day(utc)}, {utc:%H:%M} UTC"


def date_words(source: Source) -> str:
    """Return the date of publication as exactly as it is known."""
    return day(source.published.at, source.published.precision) if source.published else say("undated")


def witness(source: Source) -> tuple[str, ...]:
    """Return the name, date and tier of a source: ('gazette.example', '5 March 2024', 'tier 2')."""
    return (_publisher(source), date_words(source), say("tier", tier=source.rating.tier))


def address(url: str) -> str:
    """Return an address for display. A user's own file has only its name, so that a shared report reveals neither its
    folder nor the user's name."""
    return say("file", name=unquote(url.rsplit("/", 1)[-1])) if _is_file(url) else url


def titled(source: Source) -> str:
    """Return the title of a source, or its address if it has none."""
    return source.title if source.title and not _is_file(source.title) else address(source.title or source.url)


def _publisher(source: Source) -> str:
    return source.domain or say("own_file" if _is_file(source.url) else "no_domain")


def _is_file(url: str) -> bool:
    return url[:5].lower() == "file:"


def event_date(event: TimelineEvent) -> str:
    """Return the date in words, or as written if it is not a date."""
    try:
        at = datetime.fromisoformat(f"{event.date}-01-01"[:10] if len(event.date) < 10 else event.date)
    except ValueError:
        return event.date
    said = day(at, event.precision)
    return f"{said}, {at:%H:%M}" if event.precision is Precision.TIME else said


def stars(number: int) -> str:
    """Return five places: ★★★☆☆."""
    return "★" * number + "☆" * (5 - number)


CATEGORIES = Words("categories")


def rating_words(source: Source) -> str:
    """Return 'tier 2, 78 of 100, newspaper, press release'."""
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
    """Join reasons: with spaces if they are sentences, else with semicolons."""
    said = list(reasons)
    return (" " if all(reason.endswith(".") for reason in said) else "; ").join(said)


def about(source: Source) -> tuple[str, ...]:
    """Return domain, date, author and the user's mention of a source."""
    by = say("by", who=source.author) if source.author else ""
    named = say("named_by_the_user") if source.user_provided else ""
    return tuple(filter(None, (_publisher(source), date_words(source), by, named)))


def figures(view: ReportView) -> tuple[tuple[int, str], ...]:
    """Return the numbers at the head of the report with their labels."""
    read, quotes = len(view.counted_sources), len(view.case.citations)
    counted = {"read": read, "independent": len(view.witnesses), "checked": len(view.assessments), "quoted": quotes}
    if view.case.kind is CaseKind.MARKET:
        del counted["checked"]  # market answers check no claims
    return tuple((number, say(f"figure_{name}", number=number)) for name, number in counted.items())


_FEW_QUERIES = 6
_PAPERS = frozenset(("newspaper", "local", "tabloid", "magazine"))


def independence(view: ReportView) -> tuple[str, ...]:
    """Return how many sources are independent, and why others are not: '7 sources, 3 independent of one another.'"""
    number = len(view.counted_sources)
    if number < 2:
        return ()
    lines = [say("independence", number=number, apart=len(view.witnesses))]
    for name, source_ids in view.witnesses.items():
        sources = [view.sources[source_id] for source_id in source_ids]
        domains, owners = {source.domain for source in sources}, {source.rating.owner for source in sources}
        if len(sources) == 1 or (sources[0].story and len({source.story for source in sources}) == 1):
            continue  # copies of a story are listed under their origin
        ids = listed([source.id for source in sources])
        if len(domains) > 1 and len(owners) == 1 and None not in owners:
            noun = "papers" if {source.rating.category for source in sources} <= _PAPERS else "outlets"
            lines.append(say(f"{noun}_of_one", ids=ids, number=len(domains), name=name))
        elif len(domains) == 1:
            lines.append(say("pages_of_one", ids=ids, number=len(sources), name=sources[0].domain))
        else:
            lines.append(say("go_back_to", ids=ids, name=name))
    return tuple(lines)


_FACTORS = ("relevance", "credibility", "freshness", "noise", "score")


def ranking_words(source: Source) -> str:
    """Return each factor of a source's reading rank; '' if all sources were read."""
    ranking = source.ranking
    if ranking is None:
        return ""
    parts = {name: f"{getattr(ranking, name):.2f}" for name in _FACTORS}
    words = say("ranked_by_reranker" if ranking.by_reranker else "ranked", **parts)
    return f"{words}; {'; '.join(ranking.reasons)}" if ranking.reasons else words


def left_out(source: Source) -> str:
    """Return why a source is not evidence, with its other notes."""
    known = (note.rstrip(".") for note in source.all_notes if source.excluded and source.excluded not in note)
    return "; ".join((source.excluded or "", *known))


def unused_dates(source: Source) -> str:
    """Return the evidence for other dates than the source's, unless they are only less precise; '' for none."""
    days = {each.iso[:10] for each in source.dates if each.used}
    others = [each for each in source.dates if not any(day.startswith(each.iso[:10]) for day in days)]
    return say("dates", dates="; ".join(f"{each.where} {each.iso}" for each in others)) if others else ""


def review_words(check: EarlierCheck) -> str:
    """Return 'PolitiFact, 3 March 2024: “Mostly false” (on: “The claim as they put it”)' and, for a
    publisher's own rating, who found it."""
    review = check.review
    at = f", {day(review.at.at, review.at.precision)}" if review.at else ""
    own = check.found_by.startswith(OWN_WORD)
    said = say(
        "reviewed_itself" if own else "reviewed_claim",
        claim=in_quotation_marks(review.claim),
        page=check.found_by.removeprefix(OWN_WORD).lstrip(", "),
    )
    return f"{review.reviewer or say('no_reviewer')}{at}: {in_quotation_marks(review.rating)} ({said})"


_STATUS = Words("case_status")


def banner(case: Case) -> str | None:
    """Return a warning for a report that is not complete."""
    if case.status is CaseStatus.COMPLETED:
        return None
    return f"{say('banner', status=_STATUS[case.status.value])} {case.why}".strip()


def weight(checked: Checked) -> str:
    """Return '97%, two independent sources'; '' if nothing was weighed."""
    a = checked.assessment
    if a.overruled:
        return ""
    sure = [share(a.confidence)] if a.confidence else []
    several = [say("independent_sources", number=a.independent_sources)] if a.independent_sources else []
    rests = [say("single_source")] if a.single_source else several
    return ", ".join(sure + rests)


def kind_of(case: Case) -> str:
    """Return the kind of case: 'quick mode', 'check of claims'."""
    named = case.kind in (CaseKind.MARKET, CaseKind.AUDIT, CaseKind.CLAIMS)
    return say(f"kind_{case.kind.value if named else case.brief.mode.value}")


CLAIM_TYPES = Words("claim_types")
CONTRADICTIONS = Words("contradictions")  # types of claims and kinds of contradiction, by their values


def as_of(case: Case) -> str | None:
    """Return the sentence on the as-of date, if the user set one."""
    return say("as_of", day=day(case.brief.as_of.astimezone(UTC))) if case.brief.as_of else None


def standing(checked: Checked) -> str:
    """Return the strength of a verdict: '84% confidence · two passages read that speak for neither side'; '' for that
    of a person."""
    a = checked.assessment
    if a.overruled:
        return ""
    parts = [say("confidence", share=a.confidence)] if a.confidence else []
    parts += [say("a_single_source")] if a.single_source else []
    if checked.neither:
        parts.append(say("neither", number=checked.neither))
    return " · ".join(parts)


def kind(finding: Finding) -> str:
    """Return the kind of contradiction, or '' for a direct one."""
    kind = finding.contradiction_type
    return "" if kind in (None, ContradictionType.DIRECT) else CONTRADICTIONS[kind.value]


def copies_heading(found: Evidence) -> str:
    """Return the heading for the origin and other sources of a story; '' for a story with one source."""
    number = len({finding.source_id for finding in found.copies})
    if found.origin is not None:
        goes_back = say("goes_back", id=found.origin.id, name=found.origin.domain)
        return f"{goes_back}{say('repeated_by')}" if number else goes_back
    return say("copies", number=number) if number else ""


def story_words(story: Story, source: Source) -> str:
    """Return how a source relates to others with the same story."""
    if story.origin is None:
        others = [other.id for other in story.others if other.id != source.id]
        return say("same_story", others=others)
    if story.origin.id == source.id:
        return say("origin_of_story", others=[other.id for other in story.others])
    return say("repeats_story", id=story.origin.id)


def outages(case: Case) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """Return outages grouped by reason: kind of service, names and reason."""
    found = []
    for group in alike(distinct(case.outages)):
        what, why = group.notes[0].what, group.why
        for name in group.names if what == "page" else ():
            # The address is shown beside the error.
            why = why.replace(f"The page at {name}", "It").replace(name, "It")
        found.append((_WHAT.get(what, capitalised(what)), tuple(map(address, group.names)), why))
    return tuple(found)


def departures(case: Case) -> tuple[str, ...]:
    """Return the departures from the approved plan and the work left undone when the case ended."""
    # Late replies, and searches and pages that were not reached, are listed as outages.
    number = sum(not label.startswith((LATE, UNASKED)) for label in case.cut)
    return (*case.departures, say("not_done", number=number)) if number else case.departures


_EMPTY = Words("empty_stages")
_OF_ENGINES = frozenset(("NO_SOURCES_FOUND", "NO_CLAIMS_EXTRACTED", "NO_CLAIMS_TO_VERIFY"))
"""Stages that yield nothing when engines are unavailable."""


def _empty_stage(marker: str, case: Case) -> str:
    """Return the reason why a stage yielded nothing, together with the engines that were unavailable."""
    words = _EMPTY.get(marker, marker)
    out = dict.fromkeys(note.where for note in case.outages if note.what == "engine")
    return f"{words}{say('and_engines_out', number=len(out))}" if marker in _OF_ENGINES and out else words


def method(view: ReportView) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the method as rows of a name and one or more lines."""
    case, plan = view.case, view.case.plan
    dropped = view.summary.dropped
    rows: list[tuple[str, tuple[str, ...]]] = []
    if plan is not None:
        rows += [
            (say("row_questions"), plan.questions),
            (
                say("row_meant"),
                (
                    "; ".join(each.shown for each in plan.meant),
                    say("time", times=", ".join(plan.times)) if plan.times else "",
                ),
            ),
            (say("row_queries"), _queries(plan)),
            (say("row_collections"), (", ".join(case.brief.collections),)),
            (say("row_engines"), (", ".join(plan.engines) or say("none"),)),
            (say("row_left_out"), _left_out(plan)),
            (say("row_analyst"), (_judge(plan),)),
        ]
    rows += [
        (say("row_approved"), _approved(case)),
        (say("row_empty"), tuple(f"{capitalised(_empty_stage(marker, case))}." for marker in case.markers)),
        (say("row_dropped"), (say("dropped", number=dropped) if dropped else "",)),
        (say("row_work"), (_work(case.cost),)),
    ]
    return tuple((name, shown) for name, lines in rows if (shown := tuple(filter(None, lines))))


def _left_out(plan: Plan) -> tuple[str, ...]:
    """Return the engines left out, those with one reason together."""
    alike = grouped((each.lacks or NO_QUESTION, each.engine) for each in plan.unasked)
    return tuple(f"{', '.join(names)}: {why}" for why, names in alike.items()) or plan.left_out


def _queries(plan: Plan) -> tuple[str, ...]:
    """Return all queries if they are few; else their number and the first ones."""
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


def _work(cost: Cost) -> str:
    tokens = {"into": whole(cost.tokens_in), "out": whole(cost.tokens_out)}
    done = (
        say("searches", number=cost.search_calls) if cost.search_calls else "",
        say("pages_read", number=cost.page_reads) if cost.page_reads else "",
        say("model_calls", number=cost.model_calls, **tokens) if cost.model_calls else "",
        f"{cost.usd:.4f} USD" if cost.usd else "",
    )
    return capitalised(", ".join(filter(None, done)))


def place(found: Placed) -> str:
    """Return the place of a quote in its document; a plain page number in the language of the report."""
    return say("page", page=found.page) if found.page and found.where == f"page {found.page}" else found.where
