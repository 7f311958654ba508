"""The sources of a case: those that the report quotes one by one, the others by name, those of one story together."""

from __future__ import annotations

from collections.abc import Iterator

from inquest.domain.source import Source
from inquest.reports import wording
from inquest.reports.parts import Block, Entry, Part, Said, line
from inquest.reports.view import ReportView


def sources(view: ReportView) -> Part:
    """How many stand independent of one another, and every source that counts; copies of a story under its origin. What
    no sentence of the report quotes is named, and no more."""
    quoted = {citation.source_id for citation in view.case.citations}
    entries = tuple(
        _source(view, source, copy=source is not each.source, whole=source.id in quoted or source.user_provided)
        for each in view.entries
        for source in (each.source, *each.copies)
    )
    apart = tuple(line(words) for words in wording.independence(view))
    blocks = (Block("", apart, "notes"),) if apart else ()
    return Part("sources", "Sources", blocks=blocks, entries=entries)


def excluded(view: ReportView) -> Part:
    """What was read and is no evidence, with the reason."""
    lines = tuple(
        line(Said(s.id, anchor=s.id), " ", _link(s), f": {wording.left_out(s)}") for s in view.excluded_sources
    )
    blocks = (Block("", lines),) if lines else ()
    return Part("excluded", "Read, but not counted as evidence", blocks=blocks, title="Not counted")


def _link(source: Source) -> Said:
    return Said(wording.titled(source), url=source.url)


def _source(view: ReportView, source: Source, *, copy: bool, whole: bool) -> Entry:
    rating = source.rating
    about = " · ".join((wording.rating_words(source), *wording.about(source)))
    said = [f"{wording.stars(rating.stars)} {about}", *_notes(view, source)]
    if whole:
        said.insert(1, "" if view.is_check else source.summary)
        said.append(f"Archived {wording.moment(source.retrieved_at)} as {source.snapshot}")
    why = tuple(line(reason) for reason in (*rating.reasons, wording.ranking_words(source)) if reason)
    blocks = (
        Block("", tuple(line(words) for words in said if words), "notes"),
        Block("Why this rating", why, "notes", folded=True),
    )
    return Entry(
        line(Said(source.id, strong=True), " ", _link(source)),
        tuple(block for block in blocks if block.lines),
        anchor=source.id,
        kind="copy" if copy else "source",
    )


def _notes(view: ReportView, source: Source) -> Iterator[str]:
    story = view.story_of(source)
    yield wording.story_words(story, source) if story else ""
    yield from source.all_notes
    yield wording.dated_by(source)
