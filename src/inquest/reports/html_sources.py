"""The part of the HTML report on sources: stories, entries with stars and archive hash, balance, citations."""

from __future__ import annotations

from inquest.domain.report import Citation
from inquest.domain.source import Source
from inquest.reports import wording
from inquest.reports.html_parts import (
    block,
    cite_id,
    lang,
    link,
    more,
    phrase,
    place,
    section,
    table,
    to_claim,
    witness,
)
from inquest.reports.view import Context, ReportView, Story

__all__ = ["balance", "citations", "excluded", "sources"]

AT_ONCE = 8
"""Rows of the table of leanings that are shown before it folds away."""


def balance(view: ReportView) -> str:
    """How the sources stand to the subject, as a bar, in words and one by one."""
    bias = view.case.bias
    if bias is None:
        return ""
    counts = (
        ("favourable", bias.balance.favourable),
        ("neutral", bias.balance.neutral),
        ("critical", bias.balance.critical),
    )
    spoken = ", ".join(f"{count} {name}" for name, count in counts)
    bar = "".join(
        f'<span class="{name}" style="flex-grow:{count}"><b>{count}</b> {name}</span>'
        for name, count in counts
        if count
    )
    words = " ".join(phrase(line) for line in (*bias.reasons, bias.recommendation) if line)
    body = [
        (
            f'<a href="#{row.source_id}">{row.source_id}</a> {phrase(view.sources[row.source_id].domain)}',
            f'<span class="leaning {row.leaning.value}">{row.leaning.value}</span>',
            f"{row.bias:.1f}",
            phrase(wording.joined(row.reasons)),
        )
        for row in bias.per_source
    ]
    each = table(("Source", "Leaning", "Bias", "Why"), body, "leanings") if body else ""
    if len(body) > AT_ONCE:
        each = more(f"All {len(body)} sources one by one", each)
    return section(
        "balance",
        "Balance of the sources",
        f"<p>Overall bias <strong>{bias.overall:.1f}</strong> of 10: {phrase(bias.label)}.</p>\n"
        f'<div class=balance role=img aria-label="{spoken}">{bar}</div>\n<p>{words}</p>\n{each}',
    )


def sources(view: ReportView) -> str:
    """First the stories that several sources tell, then every source that counts."""
    stories = "".join(f"<li>{_story(story)}</li>" for story in view.stories)
    told = f"<h3>Stories told more than once</h3>\n<ul class=stories>{stories}</ul>\n" if stories else ""
    apart = "<br>".join(map(phrase, wording.independence(view)))
    told = f"<p class=meta>{apart}</p>\n{told}" if apart else told
    items = "\n".join(
        f'<li id="{source.id}"{" class=copy" if source is not entry.source else ""}>{_source(view, source)}</li>'
        for entry in view.entries
        for source in (entry.source, *entry.copies)
    )
    return section("sources", "Sources", f"{told}<ol class=sources>\n{items}\n</ol>" if items else "")


def _story(story: Story) -> str:
    others = ", ".join(_name(source) for source in story.others)
    if story.origin is None:
        return f"{others}: one story, and who told it first cannot be told."
    verb = "repeats" if len(story.others) == 1 else "repeat"
    return f"<strong>{_name(story.origin)}</strong> told it first; {others} {verb} it."


def _name(source: Source) -> str:
    return f'<a href="#{source.id}">{source.id}</a> {phrase(source.domain)}'


def _source(view: ReportView, source: Source) -> str:
    rating, story = source.rating, view.story_of(source)
    told = f"<p class=meta>{wording.story_words(story, source)}</p>" if story else ""
    reasons = (*rating.reasons, wording.ranking_words(source))
    why = "".join(f"<li>{phrase(reason)}</li>" for reason in reasons if reason)
    said = f"<p dir=auto{lang(source)}>{block(source.summary)}</p>" if source.summary else ""
    return (
        f"<p class=title><b>{source.id}</b> {link(source.url, wording.titled(source))}</p>"
        f"<p class=meta>{' · '.join(map(phrase, wording.about(source)))}</p>"
        f'<p class=meta><span class=stars role=img aria-label="{rating.stars} of 5 stars">'
        f"{wording.stars(rating.stars)}</span> {phrase(wording.rating_words(source))}</p>{said}{told}"
        + "".join(f"<p class=note>{phrase(note)}</p>" for note in (*source.all_notes, wording.dated_by(source)) if note)
        + more("Why this rating", f"<ul>{why}</ul>")
        + f"<p class=hash>{source.snapshot} <span>archived {wording.moment(source.retrieved_at)}</span></p>"
    )


def excluded(view: ReportView) -> str:
    """What was read and is no evidence, with the reason."""
    items = "".join(
        f'<li id="{s.id}">{s.id} {link(s.url, wording.titled(s))}: {phrase(wording.left_out(s))}</li>'
        for s in view.excluded_sources
    )
    return section("excluded", "Read, but not counted as evidence", f"<ul>{items}</ul>" if items else "")


def citations(view: ReportView) -> str:
    """Every quote. The same entry stands in the list and, opened by its number, over the page; so it is there once."""
    items = "\n".join(_citation(view, citation) for citation in view.case.citations)
    hint = "<p class=hint>A number anywhere in the report opens its quote in the context of the archived page.</p>"
    return section("citations", "Citations", f"{hint}\n<div class=citations>\n{items}\n</div>" if items else "")


def _citation(view: ReportView, citation: Citation) -> str:
    finding, source = view.cited(citation)
    context: Context = view.context(finding)
    page = f" · page {finding.page}" if finding.page else ""
    target = cite_id(citation.n)
    used = " ".join(
        to_claim(view, name) if name in view.anchors else f'<a href="#{name}">{name}</a>'
        for name in view.uses.get(finding.id, ())
    )
    return (
        f'<div popover class=cite id="{target}" role=group aria-label="Citation {citation.n}">'
        f"<p class=kicker><b>Citation {citation.n}</b><span class=used> · cited in {used}</span>"
        f'<button class=close type=button popovertarget="{target}" popovertargetaction=hide '
        f'aria-label="Close">✕</button></p>'
        f"<blockquote dir=auto{lang(source)}><span class=around>{block(context.before)}</span>"
        f"<mark>{block(context.quote)}</mark><span class=around>{block(context.after)}</span></blockquote>"
        f"<p class=at>{link(source.url, wording.titled(source))}</p>"
        f"<p class=meta>{witness(source)}{page} · archived {wording.moment(source.retrieved_at)}</p>"
        f"{place(finding)}</div>"
    )
