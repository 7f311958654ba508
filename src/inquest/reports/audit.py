"""An audit of citations as Markdown, HTML with the text marked sentence by sentence, JSON, and SARIF for code hosts."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby
from pathlib import PurePath
from typing import Any

from inquest.domain.audit import OUTCOME_WORDS, Audit, AuditItem, Outcome, worst
from inquest.domain.languages import in_quotation_marks, language
from inquest.domain.value import grouped
from inquest.reports.words import Words, say
from inquest.text.phrases import capitalised
from inquest.text.sentences import shorten

SCHEMA = "inquest/audit/1"
_OUTCOMES = Words("outcomes")
_SARIF_LEVEL = {
    **dict.fromkeys(Outcome, "error"),
    Outcome.NOT_THERE: "warning",
    Outcome.CHANGED_SINCE: "warning",
    Outcome.PARTLY: "warning",
    Outcome.SECOND_HAND: "note",
    Outcome.NO_CITATION: "note",
    Outcome.COULD_NOT_BE_READ: "note",
}
_SIGN = {Outcome.HOLDS: "✓", Outcome.PARTLY: "◐", Outcome.COULD_NOT_BE_READ: "…", Outcome.NO_CITATION: "?"}


def _asides(audit: Audit) -> list[str]:
    left = [say("audit_left_out", number=audit.left_out)] if audit.left_out else []
    return [*left, *audit.notes]


def changes(audit: Audit) -> list[str]:
    """Return a line for each citation that is new, gone or changed, or a single line if nothing changed."""
    words, shown = _OUTCOMES, []
    for each in audit.changes or ():
        if each.before and each.after:
            what = f"{words[each.before]} → {words[each.after]}"
        else:
            what = say(f"audit_{each.kind}", outcome=words[each.after or each.before or Outcome.HOLDS])
        source = f" ({each.source})" if each.source else ""
        shown.append(f"{what}: {each.statement}{source} {each.reason}")
    return shown or [say("audit_same")]


def _place(item: AuditItem) -> str:
    page = f", {say('page', page=item.page)}" if item.page else ""
    return say("audit_place", at=f"{say('from_to', start=item.start, end=item.end)}{page}", name=item.snapshot)


def markdown(audit: Audit) -> str:
    """Return the summary, a table of outcomes, and every item, most harmful first."""
    lines = [f"# {say('audit_of', name=audit.title or audit.what)}", "", f"**{audit.summary}**", ""]
    if audit.items:
        lines += [f"| {say('outcome')} | {say('number_head')} |", "|---|---|"]
        lines += [f"| {_OUTCOMES[outcome]} | {number} |" for outcome, number in audit.tally]
    lines += ["", *(f"- {each}" for each in _asides(audit))]
    if audit.changes is not None:
        lines += ["", f"## {say('audit_since')}", "", *(f"- {each}" for each in changes(audit))]
    for outcome, items in groupby(audit.by_harm, key=lambda each: each.outcome):
        lines += ["", f"## {capitalised(_OUTCOMES[outcome])}"]
        # Of a source that could not be read, the reason is given once for all statements that cite it.
        for same in grouped((_listed_under(each), each) for each in items).values():
            lines += ["", *_with_reason(same)]
    return "\n".join(lines) + "\n"


def _listed_under(item: AuditItem) -> tuple[Any, ...]:
    return item.source, item.reason, item.statement.start if item.quote or not item.source else None


def _with_reason(items: Sequence[AuditItem]) -> list[str]:
    """Return the lines of statements with one source and outcome: of one, the statement and its reason; of several, the
    source and the reason, once, and the statements."""
    one = items[0]
    known = [f"{say('source')}: {_source(one)}"] if one.source else []
    known.append(one.reason)
    if one.quote:
        known.append(f"{in_quotation_marks(' '.join(one.quote.split()))} ({_place(one)})")
    first, *rest = (
        [one.statement.text, *known] if len(items) == 1 else [*known, *(each.statement.text for each in items)]
    )
    return [f"- {first}", *(f"  - {each}" for each in rest)]


def _source(item: AuditItem) -> str:
    assert item.source is not None
    label = item.source.label if item.source.label != item.source.url else ""
    address = f"<{item.source.url}>" if item.source.url else shorten(item.source.entry, 200)
    return f"[{label}] {address}" if label else address


def html(audit: Audit) -> str:
    """Return one page without scripts: the text with each sentence marked by its worst outcome, and the list."""
    style = files("inquest.reports").joinpath("audit.css").read_text("utf-8")
    numbered = {id(item): number for number, item in enumerate(audit.by_harm, 1)}
    parts = []
    for text, items in audit.pieces():
        if not items:
            parts.append(escape(text))
            continue
        links = "".join(
            f'<a href="#i{numbered[id(each)]}" title="{_OUTCOMES[each.outcome]}">'
            f"{_SIGN.get(each.outcome, '✕')}{numbered[id(each)]}</a>"
            for each in items
        )
        parts.append(f"<mark class={worst(items).value}>{escape(text)}{links}</mark>")
    tally = "".join(f"<li>{_OUTCOMES[outcome]}: {number}</li>" for outcome, number in audit.tally)
    asides = "".join(f"<p><small>{escape(each)}</small></p>" for each in _asides(audit))
    changed = ""
    if audit.changes is not None:
        lines = "".join(f"<li dir=auto>{escape(each)}</li>" for each in changes(audit))
        changed = f"<h2>{say('audit_since')}</h2>\n<ul>{lines}</ul>\n"
    title = escape(say("audit_of", name=audit.title or audit.what))
    entries = "\n".join(_article(item, numbered[id(item)]) for item in audit.by_harm)
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"<h1>{title}</h1>\n<p class=sum>{escape(audit.summary)}</p>\n<ul>{tally}</ul>\n"
        f"{asides}\n{changed}<h2>{say('audit_by_harm')}</h2>\n{entries}\n"
        f"<h2>{say('audit_text')}</h2>\n<div class=text dir=auto>{''.join(parts)}</div>\n</body>\n</html>\n"
    )


def _article(item: AuditItem, number: int) -> str:
    source = quote = ""
    if item.source:
        url = escape(item.source.url)
        shown = f'<a href="{url}" rel="noreferrer">{url}</a>' if url else escape(shorten(item.source.entry, 200))
        label = escape(item.source.label) if item.source.label != item.source.url else ""
        source = f"<p>{f'[{label}] ' if label else ''}{shown}</p>"
    if item.quote:
        quote = f"<blockquote dir=auto>{escape(item.quote)}<br><small>{escape(_place(item))}</small></blockquote>"
    return (
        f"<article id=i{number} class={item.outcome.value}><p><b>{number}. {capitalised(_OUTCOMES[item.outcome])}"
        f"</b></p><p dir=auto>{escape(item.statement.text)}</p>{source}<p>{escape(item.reason)}</p>{quote}</article>"
    )


def audit_json(audit: Audit) -> dict[str, Any]:
    """Return the audit as data, in the order of the text."""
    return {
        "schema": SCHEMA,
        "what": audit.what,
        "title": audit.title,
        "summary": audit.summary,
        "citations": len(audit.cited),
        "hold": audit.holding,
        "left_out": audit.left_out,
        "outcomes": {outcome.value: number for outcome, number in audit.tally},
        "notes": list(audit.notes),
        "changes": [each.model_dump(mode="json") for each in audit.changes] if audit.changes is not None else None,
        "items": [
            {**item.model_dump(mode="json"), "statement": item.statement.model_dump(include={"text", "start", "end"})}
            for item in audit.items
        ],
    }


def citations_checked(audit: Audit) -> list[dict[str, Any]]:
    """Return each statement and source with its outcome, as programs read it in the case JSON."""
    return [
        {
            "statement": item.statement.text,
            "start": item.statement.start,
            "end": item.statement.end,
            "source": (item.source.url or item.source.entry) if item.source else None,
            "outcome": "uncited" if item.outcome is Outcome.NO_CITATION else item.outcome.value,
            "reasons": [item.reason],
        }
        for item in audit.items
    ]


def _json(audit: Audit) -> str:
    return json.dumps(audit_json(audit), ensure_ascii=False, indent=2) + "\n"


def sarif(audit: Audit) -> str:
    """Return SARIF 2.1.0 with a result at the line of each item that does not hold up."""
    results = [
        {
            "ruleId": item.outcome.value,
            "level": _SARIF_LEVEL[item.outcome],
            "message": {"text": " ".join(filter(None, (item.reason, item.source.url if item.source else "")))},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": PurePath(audit.what).as_posix()},
                        "region": {
                            "startLine": audit.text.count("\n", 0, item.statement.start) + 1,
                            "endLine": audit.text.count("\n", 0, item.statement.end) + 1,
                        },
                    }
                }
            ],
        }
        for item in audit.by_harm
        if item.outcome is not Outcome.HOLDS
    ]
    rules = [{"id": outcome.value, "shortDescription": {"text": OUTCOME_WORDS[outcome]}} for outcome in Outcome]
    driver = {"name": "Inquest", "rules": rules}
    run = {"tool": {"driver": driver}, "results": results}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


FORMS: dict[str, Callable[[Audit], str]] = {"md": markdown, "html": html, "json": _json, "sarif": sarif}
"""Renderers by format name."""
