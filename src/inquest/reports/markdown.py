"""The report as Markdown: readable as it is, and the form that replays are compared by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import indent

from inquest.domain.claim import Claim
from inquest.domain.finding import Finding
from inquest.domain.report import EarlierCheck
from inquest.domain.source import Source
from inquest.reports import check_claim, check_parts, topic_parts, wording
from inquest.reports.check_view import CheckView
from inquest.reports.market_answer import market_markdown
from inquest.reports.parts import Block, Line, Part, Said, Table
from inquest.reports.plain import markdown_text as _plain
from inquest.reports.plain import shown
from inquest.reports.view import ReportView, Told, Verified
from inquest.text.phrases import capitalised, day
from inquest.text.urls import is_web_url

__all__ = ["markdown"]


def markdown(view: ReportView) -> str:
    """The whole report."""
    if view.case.answer is not None:
        # The answer has its sources in itself; what follows it is where each quote stands, and how it was done.
        parts = [market_markdown(view.case.answer).rstrip(), _missing(view), _method(view), _citations(view)]
        return "\n\n".join(part for part in parts if part) + "\n"
    if view.is_check:
        parts = _check(view)
    else:
        first = [_part(view, part) for part in topic_parts.before(view)]
        last = [_part(view, part) for part in topic_parts.after(view)]
        parts = [_head(view), *first, _summary(view), _verdicts(view), _evidence(view), *last, _timeline(view)]
        parts.append(_bias(view))
    parts += [_sources(view), _excluded(view), _missing(view), _method(view), _citations(view)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _check(view: ReportView) -> list[str]:
    """What comes before the sources, where the case checks a company's claims."""
    check = CheckView(view)
    parts = [_head(view), _part(view, check_parts.scope(check)), _summary(view), _verdicts(view)]
    parts.append(_part(view, check_parts.risks(check)))
    for verdict, claims in check.groups:
        heading = check_parts.group_heading(verdict, len(claims))
        parts.append(_section(heading, *(_claim(view, checked) for checked in claims)))
    if view.reviews_beside:
        parts.append(_section("Checked by others in the same matter", "\n".join(map(_review, view.reviews_beside))))
    parts += [
        _part(view, make(check)) for make in (check_parts.contradictions, check_parts.exchange, check_parts.routing)
    ]
    return [*parts, _timeline(view), _bias(view)]


def _head(view: ReportView) -> str:
    case = view.case
    blocks = [f"# {_plain(view.title)}", *([] if view.is_check else [f"> {_plain(case.brief.text)}"])]
    if banner := wording.banner(case):
        first, _, rest = banner.partition(". ")
        blocks.append(f"**{_plain(first)}.** {_plain(rest)}".rstrip())
    numbers = ", ".join(f"{number} {what}" for number, what in wording.figures(view))
    blocks.append(f"Case {case.id} · {day(case.created_at)} · {wording.kind_of(case)} · {numbers}")
    if as_of := wording.as_of(case):
        blocks.append(as_of)
    return "\n\n".join(blocks)


def _summary(view: ReportView) -> str:
    parts = []
    for section in view.summary.sections:
        lines = [f"### {_plain(section.heading)}", ""]
        lines += [f"- {_plain(s.text)} {_numbers(view, s.finding_ids)}".rstrip() for s in section.statements]
        parts.append("\n".join(lines))
    return _section("Summary", *parts) if parts or not view.is_check else ""


def _verdicts(view: ReportView) -> str:
    if not view.claims and not view.unchecked:
        return ""
    rows = []
    for checked in view.claims:
        a = checked.assessment
        single = " (single source)" if a.single_source else ""
        rows.append(
            (
                _plain(checked.claim.id),
                _plain(_short(view, checked.claim)),
                f"**{checked.word}**{single}",
                wording.confidence(checked),
                str(a.independent_sources),
                _numbers(view, view.shown_ids(a.supporting)) or "–",
                _numbers(view, view.shown_ids(a.contradicting)) or "–",
            )
        )
    head = ("", "Claim", "Verdict", "Confidence", "Independent sources", "For", "Against")
    rest = [f"- {_plain(claim.id)} was not checked: {_plain(_short(view, claim))}" for claim in view.unchecked]
    return _section("Verdicts", *([_table(head, rows)] if rows else []), *(["\n".join(rest)] if rest else []))


def _evidence(view: ReportView) -> str:
    parts = [_claim(view, checked) for checked in view.claims]
    if view.reviews_beside:
        parts += ["### Checked by others in the same matter", "\n".join(map(_review, view.reviews_beside))]
    return _section("Evidence", *parts) if parts else ""


def _short(view: ReportView, claim: Claim) -> str:
    return check_claim.headline(claim.text) if view.is_check else claim.text


def _claim(view: ReportView, checked: Verified) -> str:
    blocks = [f"### {_plain(checked.claim.id)}: {_plain(_short(view, checked.claim))}"]
    check = CheckView(view)
    if view.is_check:
        blocks.append(f"Type: {wording.claim_type(checked.claim)}")
        blocks.append("\n".join(_lines(view, check_claim.own_words(check, checked.claim))))
    reasons = " ".join(_plain(reason) for reason in checked.assessment.reasons)
    standing = f" ({wording.standing(checked)})" if wording.standing(checked) else ""
    blocks.append(f"**{checked.word}**{standing}. {reasons}".rstrip())
    if checked.reviews:
        blocks.append(f"{wording.reviews_heading()}:")
        blocks.append("\n".join(_review(check) for check in checked.reviews))
    for heading, side in (("For", checked.supporting), ("Against", checked.contradicting)):
        if side:
            blocks.append(f"{heading}:")
            blocks.append("\n".join(line for told in side for line in _told(view, told)))
        elif checked.supporting or checked.contradicting:
            blocks.append(f"{heading}: {wording.nothing_found(view)}.")
    if view.is_check:
        blocks += [_block(view, block) for block in check_claim.blocks(check, checked)]
    return "\n\n".join(filter(None, blocks))


def _review(check: EarlierCheck) -> str:
    url = check.review.url
    return f"- {_plain(wording.review_words(check))} {f'<{url}>' if _linkable(url) else _plain(url)}"


def _told(view: ReportView, told: Told) -> Iterable[str]:
    for finding in told.findings:
        said = check_claim.said_of(view, finding)
        kind = f" ({_plain(', '.join(said))})" if said else ""
        yield f"- “{_plain(finding.quote)}” {_numbers(view, (finding.id,))} — {_witness(told.source)}{kind}"
        if explained := check_claim.explained(view, finding):
            yield f"  - {_plain(explained)}"
    heading = _plain(wording.copies_heading(told))
    if heading:
        yield f"  - {heading}{': ' if told.copies else '.'}{_copies(view, told.copies)}"


def _copies(view: ReportView, copies: Sequence[Finding]) -> str:
    by_source: dict[str, list[str]] = {}
    for finding in copies:
        by_source.setdefault(finding.source_id, []).append(finding.id)
    return ", ".join(
        f"{source_id} {_plain(view.sources[source_id].domain)} {_numbers(view, ids)}".rstrip()
        for source_id, ids in by_source.items()
    )


def _witness(source: Source) -> str:
    return f"{_plain(wording.titled(source))} ({_plain(', '.join(wording.witness(source)))})"


def _timeline(view: ReportView) -> str:
    if not view.case.timeline:
        return ""
    rows = []
    for event in view.case.timeline:
        conflict = f" *{_plain(event.conflict)}*" if event.conflict else ""
        rows.append((_plain(event.date), f"{_plain(event.text)}{conflict}", _numbers(view, event.finding_ids)))
    return _section("Timeline", _table(("Date", "Event", "Quotes"), rows))


def _bias(view: ReportView) -> str:
    bias = view.case.bias
    if bias is None:
        return ""
    balance = bias.balance
    blocks = [
        f"Overall bias {bias.overall:.1f} of 10, {bias.label}: {balance.favourable} favourable, "
        f"{balance.neutral} neutral, {balance.critical} critical.",
        " ".join(_plain(line) for line in (*bias.reasons, bias.recommendation) if line),
    ]
    if bias.per_source:
        rows = [
            (
                f"{row.source_id} {_plain(view.sources[row.source_id].domain)}",
                row.leaning.value,
                f"{row.bias:.1f}",
                _plain(wording.joined(row.reasons)),
            )
            for row in bias.per_source
        ]
        blocks.append(_table(("Source", "Leaning", "Bias", "Why"), rows))
    return _section("Balance of the sources", *blocks)


def _sources(view: ReportView) -> str:
    items = []
    for entry in view.entries:
        items.append(_source(view, entry.source))
        items += [indent(_source(view, copy), "  ") for copy in entry.copies]
    apart = "  \n".join(map(_plain, wording.independence(view)))
    return _section("Sources", apart, "\n".join(items)) if items else ""


def _source(view: ReportView, source: Source) -> str:
    story = view.story_of(source)
    about = (f"{wording.stars(source.rating.stars)} {wording.rating_words(source)}", *wording.about(source))
    lines = [f"- **{source.id}** {_link(source)}  ", f"  {_plain(' · '.join(about))}"]
    said = [wording.story_words(story, source)] if story else []
    said += [source.summary, *source.all_notes, wording.dated_by(source), wording.ranking_words(source)]
    lines += [f"  - {_plain(text)}" for text in said if text]
    lines.append(f"  - Archived {wording.moment(source.retrieved_at)} as `{source.snapshot}`")
    return "\n".join(lines)


def _excluded(view: ReportView) -> str:
    lines = [f"- {s.id} {_link(s)}: {_plain(wording.left_out(s))}" for s in view.excluded_sources]
    return _section("Read, but not counted as evidence", "\n".join(lines)) if lines else ""


def _missing(view: ReportView) -> str:
    lines = [f"- {_plain(what)}: {_plain(why)}" for what, why in map(wording.outage_words, view.case.outages)]
    lines += [f"- {_plain(line)}" for line in wording.departures(view.case)]
    blocks = [_block(view, block) for block in (check_parts.missing(CheckView(view)) if view.is_check else ())]
    return _section(wording.MISSING, "\n".join(lines), *blocks) if lines or blocks else ""


def _method(view: ReportView) -> str:
    lines = []
    for name, said in check_parts.method(view):
        if len(said) == 1:
            lines.append(f"- {name}: {_plain(said[0])}")
        else:
            lines += [f"- {name}:", *(f"  - {_plain(line)}" for line in said)]
    return _section("How this was done", "\n".join(lines)) if lines else ""


def _citations(view: ReportView) -> str:
    items = []
    for citation in view.case.citations:
        finding, source = view.cited(citation)
        page = f", page {finding.page}" if finding.page else ""
        address = f" <{citation.url}>" if _linkable(citation.url) else f" {_plain(wording.address(citation.url))}"
        items.append(
            f"{citation.n}. “{_plain(citation.quote)}” — {_witness(source)}{page}.{address}\n"
            f"    `{finding.snapshot}` characters {finding.start} to {finding.end}"
        )
    return _section("Citations", "\n".join(items)) if items else ""


def _section(heading: str, *blocks: str) -> str:
    return "\n\n".join((f"## {capitalised(heading)}", *(block for block in blocks if block)))


def _part(view: ReportView, part: Part) -> str:
    if part.empty:
        return ""
    tables = (_cells(view, table) for table in part.tables)
    return _section(part.heading, *map(_plain, part.intro), *tables, *(_block(view, block) for block in part.blocks))


def _cells(view: ReportView, table: Table) -> str:
    if not any(table.head):
        return "\n".join(f"- {_inline(view, name[0])}: {_cell(view, said)}" for name, said in table.rows)
    return _table(table.head, ([_cell(view, cell) for cell in row] for row in table.rows))


def _cell(view: ReportView, lines: Sequence[Line]) -> str:
    return "; ".join(
        _inline(view, each).rstrip(".") if n + 1 < len(lines) else _inline(view, each) for n, each in enumerate(lines)
    )


def _block(view: ReportView, block: Block) -> str:
    return f"{_plain(block.heading)}:\n\n" + "\n".join(_lines(view, block.lines))


def _lines(view: ReportView, lines: Iterable[Line], depth: int = 0) -> Iterable[str]:
    for each in lines:
        yield f"{'  ' * depth}- {_inline(view, each)}"
        yield from _lines(view, each.below, depth + 1)


def _inline(view: ReportView, each: Line) -> str:
    return "".join(_said(view, said, opens=not n) for n, said in enumerate(each.parts)).strip()


def _said(view: ReportView, said: Said, *, opens: bool) -> str:
    words = _plain(said.text, opens=opens)
    if said.quoted:
        words = f"“{words}”"
    if said.strong or said.tone:
        words = f"**{words}**"
    if said.url and said.url != said.text and _linkable(said.url):
        words += f" <{said.url}>"
    numbers = _numbers(view, said.finding_ids)
    blanks = [" " if end != said.text else "" for end in (said.text.lstrip(), said.text.rstrip())]
    return " " if not words and not numbers else f"{blanks[0]}{words}{' ' if numbers else ''}{numbers}{blanks[1]}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _link(source: Source) -> str:
    """A link for web addresses only; anything else (a file, a trick) is shown as text."""
    title, shown_as = wording.titled(source), wording.address(source.url)
    if _linkable(source.url):
        return f"[{_plain(title)}](<{source.url}>)"
    return _plain(title) if title == shown_as else f"{_plain(title)} ({_plain(shown_as)})"


def _linkable(url: str) -> bool:
    return is_web_url(url) and url == shown(url) and not any(char in url for char in "<>\\ \t\n`")


def _numbers(view: ReportView, finding_ids: Iterable[str]) -> str:
    return "".join(f"[{n}]" for n in view.refs(finding_ids))
