"""Single judgments: `inquest assess`, `claims`, `read`, `tier`, `standards` and `audit`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from inquest.app.cases.case_request import AuditRequest, request_of
from inquest.app.files import readable, write_whole
from inquest.app.grouped import spelled_out
from inquest.cli.common import (
    ClaimsFile,
    err_console,
    json_lines,
    options_of,
    print_json,
    print_result,
    run_async,
    stars,
    status_line,
    with_app,
)
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.domain.audit import Audit
    from inquest.domain.case import Case


def assess(
    claim: str | None = typer.Option(None, help="The claim, in one sentence."),
    passage: str | None = typer.Option(None, help="The passage."),
    jsonl: Path | None = typer.Option(
        None, help="A JSONL file with `claim` and `passage` on each line (`-`: standard input)."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Judge a passage against a claim: stance, confidence, type of contradiction, quote, reasons."""
    if jsonl is not None and (claim or passage):
        raise InputError("--jsonl cannot be combined with --claim or --passage.")
    if jsonl is None and (claim is None or passage is None):
        raise InputError("Missing claim or passage.", advice="Add --claim and --passage, or --jsonl FILE.")

    async def work() -> None:
        from inquest.app.tools.reading import judge_pairs, judgement_json, pair_judge

        async with pair_judge(note=lambda why: typer.echo(why, err=True)) as judge:
            if jsonl is not None:
                async for judged in judge_pairs(judge, json_lines(jsonl)):
                    print_json(judged, indent=None)
                return
            (one,) = await judge.pairs([(claim or "", passage or "")])
        judged = judgement_json(one)
        kind = f" ({judged['contradiction_type']})" if judged["contradiction_type"] else ""
        quote = f"  “{judged['quote']}”  [{judged['start']}:{judged['end']}]"
        lines = [
            f"{judged['stance']}{kind}, confidence {judged['confidence']:.2f}",
            *([quote] if judged["quote"] else []),
        ]
        print_result(judged, [*lines, *(f"  - {reason}" for reason in judged["reasons"])], as_json=as_json)

    run_async(work())


def claims(
    report: str | None = typer.Argument(None, metavar="[REPORT]", help="A PDF, web page or text, as a file or a URL."),
    company: str = typer.Option("", help="The reporting company. Default: taken from the text."),
    industry: str = typer.Option("", help="The company's industry, used to rank the claims."),
    most: int | None = typer.Option(None, "--max", min=1, help="List at most this many claims of the report."),
    given: ClaimsFile = None,
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """List the checkable claims of a report with page, quote, type and IFRS paragraphs, most important first."""
    from inquest.app.desks import report_claims as finding

    if report is None and given is None:
        raise InputError("Missing report.", advice="Name a report, or your own claims with --claims FILE.")
    own = finding.read_claims_file(given, company=company) if given is not None else ()
    if report is None:
        found, read = finding.only_given(own), None
    else:
        name = report
        with status_line("opening the report") as status:

            def progress(what: str, page: int, pages: int) -> None:
                status.update(f"{what}: page {page} of {pages}")

            document, read = with_app(lambda app: finding.read_report_document(app, name, progress))
            found = finding.claims_found(
                document,
                company=company,
                industry=industry,
                limit=most,
                given=own,
                progress=lambda page, pages: progress("looking for claims", page, pages),
            )
    if as_json:
        print_json(finding.claims_json(found, report=report or "", read=read, industry=industry))
        return
    for claim in found.claims:
        page = f"p. {claim.page}" if claim.page else "no page"
        checkable = "" if claim.checkability is None else f", checkable {claim.checkability:.2f}"
        typer.echo(f"{claim.id}  {page}  {claim.type.value}  rank {claim.importance:.2f}{checkable}")
        typer.echo(f"    {claim.text}")
        if claim.quote and " ".join(claim.quote.split()) != claim.text:
            typer.echo(f"    “{' '.join(claim.quote.split())}”  [{claim.start}:{claim.end}]")
        for part in claim.assertions:
            typer.echo(f"    - {' '.join(part.quote.split())}")
        for each in claim.disclosures:
            typer.echo(f"    {each.standard} {each.paragraph}: {each.subject} ({each.reason})")
        typer.echo(f"    {'; '.join(claim.reasons)}\n")
    for note in found.notes:
        typer.echo(f"note: {note}", err=True)


def read(
    what: str = typer.Argument(..., metavar="URL|FILE", help="A page on the web or a file on this machine."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object, with links."),
) -> None:
    """Archive a page or file, and show its title, author, date with its source, language, tier and text."""
    from inquest.app.tools.reading import read_page

    found = with_app(lambda app: read_page(app, what))
    if as_json:
        print_json(found)
        return
    for name in ("title", "author", "published", "language", "final_url", "snapshot"):
        value = found[name] or "unknown"
        if name == "published" and found["published"]:
            value = f"{value} (from {found['published_how']})"
        typer.echo(f"{name.replace('_', ' '):<10} {value}")
    rating = found["rating"]
    typer.echo(f"{'tier':<10} {rating['tier']} ({rating['score']}/100): {'; '.join(rating['reasons'])}")
    for note in found["notes"]:
        typer.echo(f"{'note':<10} {note}")
    for part in found["parts"]:
        typer.echo(f"{'attached':<10} {part['name']} {part.get('problem') or '(inquest read ' + part['read'] + ')'}")
    typer.echo(f"\n{found['text']}")


def tier(
    urls: list[str] | None = typer.Argument(None, help="URLs or domains."),
    file: Path | None = typer.Option(None, help="A file with one URL per line (`-`: standard input)."),
    as_json: bool = typer.Option(False, "--json", help="Print a JSON array in the order of the URLs."),
) -> None:
    """Rate sources: tier 1 to 4, score 0 to 100, stars, and the reasons."""
    from inquest.app.settings import load_settings
    from inquest.app.wiring.case_services import rate_urls

    asked = [*(urls or []), *(_urls_in(file) if file else [])]
    if not asked:
        raise InputError("Missing URL.", advice="Add URLs, or --file FILE.")
    rated = rate_urls(asked, load_settings())
    for row in rated[: len(urls or [])]:  # arguments only; an invalid line of a long file must not stop the rest
        if not row["domain"] or " " in row["domain"]:
            raise InputError(f"Invalid address '{row['url']}': expected a domain or https://example.org/page.")
    if as_json:
        print_json(rated)
        return
    for row in rated:
        known = "" if row["known"] else " (unknown source)"
        typer.echo(
            f"{row['url']}\n  tier {row['tier']}  {stars(row['stars'])}  {row['score']}/100  {row['category']}{known}"
        )
        for label in ("owner", "leaning"):
            if row[label]:
                typer.echo(f"  {label}: {row[label]}")
        for reason in row["reasons"]:
            typer.echo(f"  - {reason}")


def _urls_in(file: Path) -> list[str]:
    with readable(file):
        text = sys.stdin.read() if str(file) == "-" else file.read_text("utf-8-sig")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def standards(
    name: str | None = typer.Argument(None, help="A standard, scheme or registry in any spelling. Default: list all."),
    as_json: bool = typer.Option(False, "--json", help="Print a JSON array with every rule, date and source."),
) -> None:
    """Show standards, certificates and offsets with their rules, figures, versions, dates in force and sources."""
    from inquest.app.tools.reading import standards_json

    rows = standards_json(name)
    if as_json:
        print_json(rows)
    elif name is None:
        for row in rows:
            typer.echo(f"{row['id']:24} {row['name']} ({row['kind']}; {row['publisher']})")
    else:
        typer.echo("\n\n".join("\n".join(_standard_lines(row)) for row in rows))


def _standard_lines(row: dict[str, Any]) -> list[str]:
    lines = [f"{row['name']} ({row['id']})", f"  {row['publisher']}. {row['about']}"]
    lines += [f"  part: {part}" for part in row["parts"]]
    for edition in row["editions"]:
        note = f" {edition['note']}" if edition["note"] else ""
        lines.append(f"  edition {edition['version']}: {_in_force(edition)}.{note}")
        lines.append(f"      {_source(edition['source'])}")
    for rule in row["rules"]:
        figure = f" [{rule['figure']:g} {rule['unit']}]" if rule["figure"] is not None else ""
        editions = f" ({', '.join(rule['editions'])})" if rule["editions"] else ""
        place = f", {rule['place']}" if rule["place"] else ""
        lines.append(f"  - {rule['id']}{editions}: {rule['text']}{figure}")
        lines.append(f"      {_source(rule['source'])}{place}")
    for criticism in row["criticisms"]:
        lines.append(f"  ! {criticism['about']}: {criticism['text']}")
        lines.append(f"      {_source(criticism['source'])}")
    return lines


def _in_force(edition: dict[str, Any]) -> str:
    first, last = edition["in_force_from"], edition["in_force_until"]
    if first is None:
        return f"published {edition['published']}" if edition["published"] else "date not known"
    return f"in force {first} to {last}" if last else f"in force since {first}"


def _source(source: dict[str, Any]) -> str:
    return f"{source['title']} ({source['publisher']}, {source['year']}) {source['url']} · {source['checked']}"


FailOn = StrEnum(
    "FailOn",
    "does_not_exist withdrawn says_otherwise misattributed not_there changed_since partly second_hand no_citation",
)
"""Outcomes that make the command fail."""
_NO_OPTIONS = ("text", "url", "engines", "collections", "languages", "as_of")
"""Fields of the request without an option: the text is the argument, and an audit does not search."""
_BY_DEFAULT = [outcome for outcome in FailOn if outcome is not FailOn.no_citation]


@dataclass(frozen=True)
class Failing:
    """Conditions of exit code 1."""

    fail_on: Annotated[
        list[FailOn] | None,
        typer.Option(help="An outcome that causes exit code 1. Repeatable. Default: all except no_citation."),
    ] = None
    min_share: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Exit code 1 only if a smaller share of the readable citations holds."),
    ] = None


@spelled_out
def audit(
    failing: Failing,
    options: Annotated[dict[str, Any], options_of(AuditRequest, *_NO_OPTIONS)],
    what: str = typer.Argument("", metavar="FILE|URL|-", help="A text, page or document, or a case as JSON."),
    form: Literal["md", "html", "json", "sarif"] = typer.Option("md", "--format", help="The format of the result."),
    out: Path | None = typer.Option(None, metavar="FILE", help="Write the result to FILE."),
) -> int:
    """Check that the source of every citation in a text exists and supports it, with quotes and reasons."""
    from inquest.app.cases.auditing import audit_brief, audit_of, compared, earlier_audit, exit_code, rendered
    from inquest.app.cases.session import new_session
    from inquest.cli.running import to_its_end
    from inquest.domain.audit import Outcome

    again = Path(options.get("again", ""))
    earlier = earlier_audit(again) if again.suffix == ".json" else None
    if earlier is not None:
        what = what or earlier["what"]
        del options["again"]
    if not (what or options.get("again")) or (what == "-" and sys.stdin.isatty()):
        raise InputError("Missing text to audit.", advice="Add a file, an address, or - for standard input.")
    given = {"text": sys.stdin.read()} if what == "-" else {"url": what}
    if not given.get("text", "-").strip():
        raise InputError("Standard input is empty.", advice="Pipe a text into the command.")
    request = request_of(AuditRequest, {**options, **given})

    async def work(app: Resources) -> tuple[Case, Audit | None]:
        session = await new_session(
            app, await audit_brief(app, request, files=True, afresh=earlier is not None), approved=True
        )
        case = await to_its_end(app, session, "auto")
        return (case, await audit_of(app, case)) if case else (session.case, None)

    case, done = with_app(work)
    console = err_console()
    console.print(f"Case     {case.id}   (inquest audit --again {case.id})", soft_wrap=True)
    if done is None:
        console.print(case.why, markup=False)
        return 2
    if earlier is not None:
        done = compared(done, earlier)
    content = rendered(done, form)
    if out is None:
        sys.stdout.write(content)
    else:
        write_whole(out, content.encode())
        console.print(done.summary, markup=False)
    return exit_code(done, {Outcome(each.value) for each in failing.fail_on or _BY_DEFAULT}, failing.min_share)
