"""The sentences and rows that every form of the report says alike, as plain text; each form sets them its own way."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import unquote

from inquest.domain.case import LATE, UNASKED, Case, CaseKind, CaseStatus
from inquest.domain.claim import Claim
from inquest.domain.document import Precision
from inquest.domain.finding import ContradictionType, Finding
from inquest.domain.outages import OutageGroup, alike, distinct
from inquest.domain.plan import Decision, Plan
from inquest.domain.report import Cost, EarlierCheck, TimelineEvent
from inquest.domain.source import Source
from inquest.reports.view import VERDICT_WORDS, Checked, Evidence, ReportView, Story
from inquest.text.lexicon import entries
from inquest.text.phrases import capitalised, count, day, listed, numeral
from inquest.verdicts.reviews import OWN_WORD

_WHAT = entries(__name__, "outage_kinds")


def moment(at: datetime) -> str:
    """'5 March 2024, 10:00 UTC'."""
    utc = at.astimezone(UTC)
    return f"{day(utc)}, {utc:%H:%M} UTC"


def date_words(source: Source) -> str:
    """When it was published, as exactly as is known."""
    return day(source.published.at, source.published.precision) if source.published else "undated"


def witness(source: Source) -> tuple[str, ...]:
    """Who says it, when, and what that is worth: ('gazette.example', '5 March 2024', 'tier 2')."""
    return (_publisher(source), date_words(source), f"tier {source.rating.tier}")


def address(url: str) -> str:
    """An address as it is shown: of a file of the user's own the name alone, so that a report that is handed on tells
    nobody where, or under which user's name, it lay."""
    return f"file {unquote(url.rsplit('/', 1)[-1])}" if _is_file(url) else url


def titled(source: Source) -> str:
    """What a source is called; one without a title, by its address."""
    return source.title if source.title and not _is_file(source.title) else address(source.title or source.url)


def _publisher(source: Source) -> str:
    return source.domain or ("own file" if _is_file(source.url) else "no domain")


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


def rating_words(source: Source) -> str:
    """'tier 2, 78 of 100, newspaper, press release'."""
    rating = source.rating
    words = [f"tier {rating.tier}", f"{rating.score} of 100"]
    if rating.category != "unknown":
        words.append(rating.category.replace("_", " "))
    if not rating.known:
        words.append("no rule knows it")
    if rating.press_release:
        words.append("press release")
    return ", ".join(dict.fromkeys(words))


def joined(reasons: Iterable[str]) -> str:
    """Reasons one after another: as sentences where they are sentences, else with semicolons."""
    said = list(reasons)
    return (" " if all(reason.endswith(".") for reason in said) else "; ").join(said)


def about(source: Source) -> tuple[str, ...]:
    """What is known of a source besides its worth: domain, date, author, who named it."""
    parts = [_publisher(source), date_words(source)]
    parts += [f"by {source.author}"] if source.author else []
    parts += ["named by the user"] if source.user_provided else []
    return tuple(parts)


def figures(view: ReportView) -> tuple[tuple[int, str], ...]:
    """The numbers at the head of the report, each with what it counts."""
    read, quotes = len(view.counted_sources), len(view.case.citations)
    alone = view.independent_sources == 1
    claims = len(view.assessments)
    checked = ((claims, "claim checked" if claims == 1 else "claims checked"),)
    return (
        (read, "source read" if read == 1 else "sources read"),
        (view.independent_sources, "independent source" if alone else "independent of one another"),
        *(checked if view.case.kind is not CaseKind.MARKET else ()),  # a market answer checks none
        (quotes, "quote from an archived page" if quotes == 1 else "quotes from archived pages"),
    )


_FEW_QUERIES = 6
_PAPERS = frozenset(("newspaper", "local", "tabloid", "magazine"))


def independence(view: ReportView) -> tuple[str, ...]:
    """How many of the sources are independent, and which are not and why: '7 sources, 3 independent of one another.'"""
    number = len(view.counted_sources)
    if number < 2:
        return ()
    apart = numeral(view.independent_sources)
    counted = "which count as one" if view.independent_sources == 1 else f"{apart} independent of one another"
    lines = [f"{capitalised(count(number, 'source'))}, {counted}."]
    for witness in view.witnesses:
        sources = [view.sources[source_id] for source_id in witness.source_ids]
        domains, owners = {source.domain for source in sources}, {source.rating.owner for source in sources}
        if len(sources) == 1 or (sources[0].story and len({source.story for source in sources}) == 1):
            continue  # the copies of a story stand under their origin
        ids = listed([source.id for source in sources])
        if len(domains) > 1 and len(owners) == 1 and None not in owners:
            noun = "papers" if {source.rating.category for source in sources} <= _PAPERS else "outlets"
            lines.append(f"{ids}: {numeral(len(domains))} {noun} of {witness.name}; counted once.")
        elif len(domains) == 1:
            lines.append(f"{ids}: {numeral(len(sources))} pages of {sources[0].domain}; counted once.")
        else:
            lines.append(f"{ids} go back to {witness.name}; counted once.")
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
    said = [f"{each.where} {each.iso}{'' if each.used else ' (not used)'}" for each in source.dates]
    return f"Dates: {'; '.join(said)}"


def review_words(check: EarlierCheck) -> str:
    """'PolitiFact, 3 March 2024: “Mostly false” (on: “The claim as they put it”)', and whose word it is."""
    review = check.review
    at = f", {day(review.at.at, review.at.precision)}" if review.at else ""
    whose = f"; {check.found_by}" if check.found_by.startswith(OWN_WORD) else ""
    return f"{review.reviewer or 'a checker who is not named'}{at}: “{review.rating}” (on: “{review.claim}”{whose})"


def banner(case: Case) -> str | None:
    """What to know before reading a report that is not complete."""
    if case.status is CaseStatus.COMPLETED:
        return None
    return f"This report is {case.status.value}. {case.why}".strip()


def weight(checked: Checked) -> str:
    """'97%, two independent sources'; '' where nothing was weighed."""
    a = checked.assessment
    sure = [f"{a.confidence:.0%}"] if a.confidence and not a.overruled else []
    several = [count(a.independent_sources, "independent source")] if a.independent_sources else []
    rests = ["single source"] if a.single_source else several
    return ", ".join(sure + rests)


def kind_of(case: Case) -> str:
    """What sort of case it is: 'quick mode', 'check of claims'."""
    if case.kind is CaseKind.MARKET:
        return "market answer"
    return "check of claims" if case.kind is CaseKind.CLAIMS else f"{case.brief.mode.value} mode"


def claim_type(claim: Claim) -> str:
    """'legal and governance'."""
    return claim.type.value.replace("_", " and ")


def as_of(case: Case) -> str | None:
    """The sentence on the 'now' of the case, where the user set one."""
    if case.brief.as_of is None:
        return None
    return f"As of {day(case.brief.as_of.astimezone(UTC))}: nothing published later counts as evidence."


def standing(checked: Checked) -> str:
    """How firm a verdict is: '84% confidence · two passages read that speak for neither side'; '' where its reasons say
    it all."""
    a = checked.assessment
    if a.decision and a.machine_verdict and a.overruled:
        return f"decided by {a.decision.by}; the run found: {VERDICT_WORDS[a.machine_verdict].lower()}"
    parts = [f"{a.confidence:.0%} confidence"] if a.confidence else []
    parts += ["a single independent source"] if a.single_source else []
    if checked.neither:
        parts.append(
            f"{count(checked.neither, 'passage')} read that {_s(checked.neither, 'speaks', 'speak')} for neither side"
        )
    return " · ".join(parts)


def kind(finding: Finding) -> str:
    """How it contradicts, where that is not the plain way; else ''."""
    kind = finding.contradiction_type
    return "" if kind in (None, ContradictionType.DIRECT) else f"{kind.value} contradiction"


def copies_heading(found: Evidence) -> str:
    """Before the sources that tell the same story as the quoted one; '' where it stands alone."""
    number = len({finding.source_id for finding in found.copies})
    if found.origin is not None:
        goes_back = f"Goes back to {found.origin.id} {found.origin.domain} and is counted once, for it"
        return f"{goes_back}; repeated by" if number else goes_back
    return f"{capitalised(count(number, 'copy', 'copies'))} of the same story, not counted again" if number else ""


def story_words(story: Story, source: Source) -> str:
    """How a source relates to those that tell the same story."""
    if story.origin is None:
        others = [other.id for other in story.others if other.id != source.id]
        return f"Same story as {listed(others)}; who published it first is not known. Counted once."
    if story.origin.id == source.id:
        others = [other.id for other in story.others]
        return f"Origin of a story that {listed(others)} {_s(len(others), 'repeats', 'repeat')}."
    return f"Repeats the story of {story.origin.id}; not counted again."


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
    verb = _s(number, "was", "were")
    return (
        *case.departures,
        f"{capitalised(count(number, 'piece'))} of work {verb} not done before the case was ended.",
    )


_EMPTY = entries(__name__, "empty_stages")
_OF_ENGINES = frozenset(("NO_SOURCES_FOUND", "NO_CLAIMS_EXTRACTED", "NO_CLAIMS_TO_VERIFY"))
"""Stages that bring nothing where engines are out."""


def _empty_stage(marker: str, case: Case) -> str:
    """What a stage came to that brought nothing, with the engines that were out in the same sentence."""
    words = _EMPTY.get(marker, marker)
    out = dict.fromkeys(note.where for note in case.outages if note.what == "engine")
    if marker not in _OF_ENGINES or not out:
        return words
    return f"{words}, and {count(len(out), 'engine')} could not be asked"


def method(view: ReportView) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """How it was done: rows of a name and one or more lines."""
    case, plan = view.case, view.case.plan
    rows: list[tuple[str, tuple[str, ...]]] = []
    if plan is not None:
        rows += [
            ("Questions", plan.questions),
            ("Who and what is meant", _meant(plan)),
            ("Queries", _queries(plan)),
            ("Collections", (", ".join(case.brief.collections),)),
            ("Engines that could be asked", (", ".join(plan.engines) or "none",)),
            ("Engines left out", plan.left_out),
            ("Read and judged by", (_judge(plan),)),
        ]
    rows += [
        ("Approved", _approved(case)),
        ("Empty stages", tuple(f"{capitalised(_empty_stage(marker, case))}." for marker in case.markers)),
        ("Left out of the summary", _dropped(view)),
        ("Work done", (_work(case.cost),)),
    ]
    return tuple((name, lines) for name, lines in rows if any(lines))


def _meant(plan: Plan) -> tuple[str, ...]:
    """Whom and what the case is about, and when."""
    who = ("; ".join(each.shown for each in plan.meant),) if plan.meant else ()
    return (*who, *((f"Time: {', '.join(plan.times)}",) if plan.times else ()))


def _queries(plan: Plan) -> tuple[str, ...]:
    """All of a few; of many how many they are, and the first."""
    said = tuple(dict.fromkeys(query.text for query in plan.queries))
    if len(said) <= _FEW_QUERIES:
        return said
    return (f"{len(said):,}, all of them in the case as JSON; the first: {'; '.join(said[:_FEW_QUERIES])}",)


def _judge(plan: Plan) -> str:
    if plan.unaided:
        rules = f"rules and the small model {plan.local_model}" if plan.local_model else "rules"
        return f"the local analyst ({rules}; no model service was asked)"
    return f"{plan.analyst} (a model service; every quote was checked against the archived page)"


def _approved(case: Case) -> tuple[str, ...]:
    approved = next((each for each in reversed(case.approvals) if each.decision is Decision.APPROVE), None)
    if approved is None:
        return ()
    return (f"plan {approved.revision} by {approved.by} ({approved.how}), {moment(approved.at)}",)


def _dropped(view: ReportView) -> tuple[str, ...]:
    number = view.summary.dropped
    if not number:
        return ()
    return (f"{capitalised(count(number, 'sentence'))} that stated a fact and cited nothing.",)


def _work(cost: Cost) -> str:
    done = []
    if cost.search_calls:
        done.append(count(cost.search_calls, "search", "searches"))
    if cost.page_reads:
        done.append(f"{count(cost.page_reads, 'page')} read")
    if cost.model_calls:
        done.append(f"{count(cost.model_calls, 'model call')} ({cost.tokens_in:,} tokens in, {cost.tokens_out:,} out)")
    if cost.usd:
        done.append(f"{cost.usd:.4f} USD")
    return capitalised(", ".join(done))


def _s(number: int, singular: str, plural: str) -> str:
    return singular if number == 1 else plural
