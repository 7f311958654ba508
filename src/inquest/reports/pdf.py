"""The report as PDF, typeset by typst (extra `inquest[pdf]`) without system packages or a browser.

The same case gives the same bytes on one machine, because the PDF has the date of the case.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC
from importlib.resources import as_file, files

from inquest.domain.errors import SettingError
from inquest.domain.languages import in_quotation_marks, language
from inquest.domain.report import Citation
from inquest.reports import wording
from inquest.reports.claim_entries import witness
from inquest.reports.parts import Block, Entry, Line, Part, Said, Table, isolated, one_line, paragraphs
from inquest.reports.sections import document
from inquest.reports.view import ReportView
from inquest.reports.words import say
from inquest.text.phrases import day
from inquest.text.regex import regex
from inquest.text.urls import is_web_url

Data = dict[str, object]  # input of the template


def pdf(view: ReportView) -> bytes:
    """Return the bytes of the PDF. Raises SettingError if typst is not installed."""
    try:
        import typst
    except ImportError as error:
        raise SettingError(
            "PDF reports need the extra packages of `inquest[pdf]`.", advice="Install them, or choose html or md."
        ) from error
    report = json.dumps(_report(view), ensure_ascii=False)
    made_at = view.case.created_at.astimezone(UTC).replace(microsecond=0)
    with as_file(files("inquest.reports").joinpath("report.typ")) as template:
        made: bytes = typst.compile(str(template), sys_inputs={"report": report}, timestamp=made_at)
    return made


def _report(view: ReportView) -> Data:
    case = view.case
    parts = [part for part in document(view) if not part.folded]
    return {
        "title": _line(view.title),
        "case": case.id,
        "language": language(),
        "date": day(case.created_at),
        "kind": wording.kind_of(case),
        "brief": "" if view.is_check else _text(case.brief.text),
        "banner": _line(wording.banner(case) or ""),
        "as_of": wording.as_of(case) or "",
        "figures": [{"number": str(number), "what": what} for number, what in wording.figures(view)],
        "tally": [
            {"verdict": verdict.value, "word": word.lower(), "number": number}
            for verdict, word, number in view.verdict_counts
        ],
        "parts": [_part(view, part) for part in parts if not part.annex],
        "annexes": [_part(view, part) for part in parts if part.annex],
        "citations": [_citation(view, citation) for citation in case.citations],
    }


def _part(view: ReportView, part: Part) -> Data:
    return {
        "heading": part.heading,
        "intro": list(map(_line, part.intro)),
        "tables": [_table(view, table) for table in part.tables],
        "blocks": [_block(view, block) for block in part.blocks if not block.folded],
        "entries": [_entry(view, entry) for entry in part.entries],
    }


def _entry(view: ReportView, entry: Entry) -> Data:
    """Return an entry with the two sides of a claim apart, so that they are set side by side."""
    shown = [block for block in entry.blocks if not block.folded]
    sides = [block for block in shown if block.kind in ("for", "against")]
    first = shown.index(sides[0]) if sides else len(shown)
    return {
        "kind": entry.kind,
        "anchor": entry.anchor,
        "heading": _inline(view, entry.heading),
        "kicker": _inline(view, entry.kicker),
        "before": [_block(view, block) for block in shown[:first]],
        "sides": [_block(view, block) for block in sides],
        "after": [_block(view, block) for block in shown[first:] if block not in sides],
    }


def _table(view: ReportView, table: Table) -> Data:
    return {
        "kind": table.kind,
        "head": list(table.head),
        "rows": [[_lines(view, cell) for cell in row] for row in table.rows],
    }


def _block(view: ReportView, block: Block) -> Data:
    return {"heading": _line(block.heading), "kind": block.kind, "lines": _lines(view, block.lines)}


def _lines(view: ReportView, lines: Iterable[Line]) -> list[Data]:
    return [_inline(view, each) for each in lines]


def _inline(view: ReportView, each: Line) -> Data:
    return {
        "parts": [_said(view, said) for said in each.parts],
        "by": [_said(view, said) for said in each.by],
        "below": _lines(view, each.below),
    }


def _said(view: ReportView, said: Said) -> Data:
    blanks = [" " if end != said.text else "" for end in (said.text.lstrip(), said.text.rstrip())]
    address = wording.address(said.url) if said.url and not is_web_url(said.url) else ""
    text = isolated(_line(said.text if address in ("", said.text) else f"{said.text} ({address})"))
    text = in_quotation_marks(text) if said.quoted else text
    return {
        "text": f"{blanks[0]}{text}{blanks[1]}" if text else blanks[0],
        "refs": view.refs(said.finding_ids),
        "claim": view.anchors[said.claim] if said.claim in view.shown_claims else "",
        "anchor": said.anchor,
        "url": said.url if is_web_url(said.url) else "",
        "tone": said.tone,
        "strong": said.strong,
    }


def _citation(view: ReportView, citation: Citation) -> Data:
    finding, source = view.cited(citation)
    context = view.context(finding)
    place = f" · {wording.place(finding)}" if finding.where else ""
    return {
        "n": citation.n,
        "before": _text(context.before),
        "quote": _text(context.quote),
        "after": _text(context.after),
        "url": citation.url if is_web_url(citation.url) else "",
        "witness": _line("".join(said.text for said in witness(source)) + place),
        "address": _line(wording.address(citation.url)),
        "span": f"{finding.snapshot} {say('characters', span=f'{finding.start}–{finding.end}')}",
    }


_LONG_WORD = regex(r"\S{32,}")
_PIECE = regex(r"\S{16}(?=\S)")


def _breakable(text: str) -> str:
    """Add break opportunities to long words, which typst would let run off the page."""
    return _LONG_WORD.sub(lambda word: _PIECE.sub(lambda piece: piece.group() + "\u200b", word.group()), text)


def _line(text: str) -> str:
    return _breakable(one_line(text))


def _text(text: str) -> str:
    return _breakable(paragraphs(text))
