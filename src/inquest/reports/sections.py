"""The report of a case as a list of parts in reading order: the answer and the verdicts, then the annexes.

Every format renders exactly these parts.
"""

from __future__ import annotations

from dataclasses import replace

from inquest.domain.source import Source
from inquest.reports import check_parts, claim_entries, topic_parts, wording
from inquest.reports.parts import Block, Cell, Entry, Line, Part, Said, Table, joined, line, named_rows, text
from inquest.reports.view import ReportView
from inquest.reports.words import Words, say

_OVERALL = ("summary", "executive summary")
_SUMMARY = Words("summary_headings")
_LEANINGS = Words("leanings")
_PLACES = Words("cited_places")
AT_ONCE = 8  # sentences of a section of the summary shown before the rest is folded


def document(view: ReportView) -> tuple[Part, ...]:
    """Return all non-empty parts, annexes last; no two have the same heading."""
    first = (summary(view), claim_entries.verdicts(view), claim_entries.decisions(view))
    parts: tuple[Part, ...]
    annexes: tuple[Part, ...]
    if view.is_check:
        parts = (*first, check_parts.risks(view))
        annexes = (
            *(claim_entries.group(view, verdict, claims) for verdict, claims in view.groups),
            claim_entries.others(view),
            check_parts.scope(view),
            check_parts.exchange(view),
            check_parts.routing(view),
        )
    else:
        topic = view.case.investigation
        parts = (*topic_parts.before(view), *first, *((topic_parts.origin(view, topic),) if topic else ()))
        annexes = (claim_entries.evidence(view), *topic_parts.after(view))
    annexes = (
        claim_entries.further(view), *annexes, timeline(view), balance(view), sources(view), excluded(view),
        missing(view), method(view),
    )  # fmt: skip
    return tuple(part for part in (*parts, *(replace(each, annex=True) for each in annexes)) if not part.empty)


def summary(view: ReportView) -> Part:
    """Return the cited summary, without headings that only repeat 'Summary'."""
    entries = []
    for each in view.summary.sections:
        heading = _SUMMARY.get(each.heading.lower().replace(" ", "_")) or each.heading
        lines = tuple(line(Said(s.text, s.finding_ids)) for s in each.statements)
        shown = line("" if each.heading.casefold() in _OVERALL else heading)
        entries.append(Entry(shown, (Block("", lines, at_once=AT_ONCE),)))
    return Part("summary", say("summary"), entries=tuple(entries))


def timeline(view: ReportView) -> Part:
    """Return the dated events with the quotes they come from."""
    rows: list[tuple[Cell, ...]] = []
    for event in view.case.timeline:
        differ = text(say("dates_differ", dates=event.conflict) if event.conflict else "")
        rows.append((text(wording.event_date(event)), (line(Said(event.text, event.finding_ids)), *differ)))
    return Part("timeline", say("timeline"), tables=(Table("timeline", (say("date"), say("event")), tuple(rows)),))


def balance(view: ReportView) -> Part:
    """Return the leaning of each source towards the subject; the summary has that of all."""
    bias = view.case.bias
    if bias is None:
        return Part("balance", say("balance"))
    lines = text(bias.recommendation)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            (line(Said(row.source_id, source=row.source_id), f" {view.sources[row.source_id].domain}"),),
            text(_LEANINGS[row.leaning.value]),
            text(f"{row.bias:.1f}"),
            text(wording.joined(row.reasons)),
        )
        for row in bias.per_source
    )
    leanings = Table("leanings", (say("source"), say("leaning"), say("bias"), say("why")), rows)
    prose = Block("", lines, "prose")
    return Part("balance", say("balance"), tables=(leanings,), blocks=(prose,), title=say("balance_short"))


def missing(view: ReportView) -> Part:
    """Return the outages, the departures from the plan and the unfinished work."""
    rows = tuple(
        ((line(f"{kind} {names[0]}".strip()), *(line(name) for name in names[1:])), text(why))
        for kind, names, why in wording.outages(view.case)
    )
    table = Table("missing", (say("could_not_ask"), say("why")), rows)
    departures = Block(say("departures"), tuple(line(each) for each in wording.departures(view.case)))
    blocks = (departures, *(check_parts.missing(view) if view.is_check else ()))
    return Part("missing", say("missing"), tables=(table,), blocks=blocks, title=say("what_is_missing"))


def method(view: ReportView) -> Part:
    """Return the method of the case and its limits."""
    rows = wording.method(view)
    if view.is_check:
        own = ("limit_own", "limit_standard") if view.request.company or view.request.report else ()
        rows += ((say("limits"), tuple(map(say, ("limit_reach", *own)))),)
    named = ((name, tuple(map(line, lines))) for name, lines in rows)
    return Part("method", say("method"), tables=(named_rows(*named),), title=say("method_short"))


def citation_line(view: ReportView, finding_id: str) -> Line:
    """Return the places where a citation is used: 'cited in summary, C1, timeline'."""
    places = view.uses.get(finding_id, ())
    said = (Said(each, claim=each) if each in view.anchors else Said(_PLACES.get(each, each)) for each in places)
    return line(say("cited_in"), *joined(said, ", ")) if places else Line(())


def sources(view: ReportView) -> Part:
    """Return the number of independent sources and every source that counts, copies of a story under its origin.
    Sources that no sentence quotes are listed by name only."""
    quoted = {citation.source_id for citation in view.case.citations}
    entries = tuple(
        _source(view, source, copy=source is not first, whole=source.id in quoted or source.user_provided)
        for first, copies in view.entries
        for source in (first, *copies)
    )
    apart = Block("", tuple(line(words) for words in wording.independence(view)), "notes")
    return Part("sources", say("sources"), blocks=(apart,), entries=entries)


def excluded(view: ReportView) -> Part:
    """Return the sources that were read but do not count as evidence, with the reasons."""
    left = view.excluded_sources
    lines = tuple(line(Said(s.id, anchor=s.id), " ", _link(s), f": {wording.left_out(s)}") for s in left)
    return Part("excluded", say("excluded"), blocks=(Block("", lines),), title=say("not_counted"))


def _link(source: Source) -> Said:
    return Said(wording.titled(source), url=source.url)


def _source(view: ReportView, source: Source, *, copy: bool, whole: bool) -> Entry:
    rating = source.rating
    about = " · ".join((wording.rating_words(source), *wording.about(source)))
    story = view.story_of(source)
    said = [
        f"{wording.stars(rating.stars)} {about}",
        wording.story_words(story, source) if story else "",
        *source.all_notes,
        wording.unused_dates(source),
    ]
    if whole:
        said.insert(1, "" if view.is_check else source.summary)
        said.append(say("archived_as", at=wording.moment(source.retrieved_at), hash=source.snapshot))
    why = tuple(line(reason) for reason in (*rating.reasons, wording.ranking_words(source)) if reason)
    blocks = (
        Block("", tuple(line(words) for words in said if words), "notes"),
        Block(say("why_rating"), why, "notes", folded=True),
    )
    return Entry(
        line(Said(source.id, strong=True), " ", _link(source)),
        blocks,
        anchor=source.id,
        kind="copy" if copy else "source",
    )
