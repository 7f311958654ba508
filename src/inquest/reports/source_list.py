"""The sources of a case: those that the report quotes one by one, the others by name, those of one story together."""

from __future__ import annotations

from collections.abc import Iterator

from inquest.domain.source import Source
from inquest.reports import wording
from inquest.reports.parts import Block, Entry, Line, Part, Said, line
from inquest.reports.view import ReportView
from inquest.text.phrases import capitalised, count

__all__ = ["excluded", "sources"]


def sources(view: ReportView) -> Part:
    """How many stand independent of one another, and every source that counts; copies of a story under its origin."""
    quoted = {citation.source_id for citation in view.case.citations}
    entries, rest = [], []
    for each in view.entries:
        group = (each.source, *each.copies)
        if any(source.id in quoted or source.user_provided for source in group):
            entries += [_source(view, source, copy=source is not each.source) for source in group]
        else:
            rest += [_named(source) for source in group]
    apart = tuple(line(words) for words in wording.independence(view))
    blocks = (
        Block("", apart, "notes"),
        Block(
            capitalised(f"{count(len(rest), 'further source')} read and not quoted") if rest else "",
            tuple(rest),
            "notes",
        ),
    )
    kept = tuple(block for block in blocks if block.lines)
    return Part("sources", "Sources", blocks=kept, entries=tuple(entries))


def excluded(view: ReportView) -> Part:
    """What was read and is no evidence, with the reason."""
    lines = tuple(
        line(Said(s.id, anchor=s.id), " ", _link(s), f": {wording.left_out(s)}") for s in view.excluded_sources
    )
    blocks = (Block("", lines),) if lines else ()
    return Part("excluded", "Read, but not counted as evidence", blocks=blocks, title="Not counted")


def _link(source: Source) -> Said:
    return Said(wording.titled(source), url=source.url)


def _named(source: Source) -> Line:
    about = " · ".join((*wording.about(source), wording.rating_words(source)))
    notes = tuple(line(words) for words in (*source.all_notes, wording.dated_by(source)) if words)
    return line(Said(source.id, anchor=source.id), " ", _link(source), f" · {about}", below=notes)


def _source(view: ReportView, source: Source, *, copy: bool) -> Entry:
    rating = source.rating
    lines = [
        line(f"{wording.stars(rating.stars)} {' · '.join((wording.rating_words(source), *wording.about(source)))}")
    ]
    lines += [line(words) for words in _notes(view, source) if words]
    lines.append(line(f"Archived {wording.moment(source.retrieved_at)} as {source.snapshot}"))
    why = tuple(line(reason) for reason in (*rating.reasons, wording.ranking_words(source)) if reason)
    blocks = (Block("", tuple(lines), "notes"), Block("Why this rating", why, "notes", folded=True))
    return Entry(
        line(Said(source.id), " ", _link(source)),
        tuple(block for block in blocks if block.lines),
        anchor=source.id,
        kind="copy" if copy else "source",
    )


def _notes(view: ReportView, source: Source) -> Iterator[str]:
    story = view.story_of(source)
    yield "" if view.is_check else source.summary
    yield wording.story_words(story, source) if story else ""
    yield from source.all_notes
    yield wording.dated_by(source)
