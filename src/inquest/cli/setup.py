"""`inquest doctor`, `engines`, `registries` and `models`: the configuration, sources of evidence and small models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inquest.app.grouped import spelled_out
from inquest.cli.common import print_json, print_result, run_async, status_line, with_app
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.tools.local_models import GivenLabels
    from inquest.app.wiring.resources import Resources
    from inquest.local_models.files import ModelFiles
    from inquest.local_models.registry import Progress

engines_app = typer.Typer(
    help="List and test the search engines; add and remove MCP servers as engines.",
    invoke_without_command=True,
    rich_markup_mode="rich",
)


@engines_app.command("add")
def add_engine(
    name: str = typer.Argument(..., metavar="mcp:NAME", help="The name of the engine."),
    where: list[str] = typer.Argument(
        ..., metavar="COMMAND|URL", help="The command of the server (in quotes, or after --), or its address."
    ),
    tool: str | None = typer.Option(None, "--tool", metavar="TOOL", help="The tool to search with."),
    as_json: bool = typer.Option(False, "--json", help="Print a JSON object."),
) -> None:
    """Add an MCP server as an engine. By default, the search tool is chosen from those it lists."""
    from inquest.app.tools.doctor import add_server

    added = with_app(lambda app: add_server(app, name, where, tool))
    print_result(added, added["says"], as_json=as_json)


@engines_app.command("remove")
def remove_engine(
    name: str = typer.Argument(..., metavar="mcp:NAME", help="An added engine."),
    as_json: bool = typer.Option(False, "--json", help="Print a JSON object."),
) -> None:
    """Remove an MCP server from the engines. Cases that used it can no longer be replayed."""
    from inquest.app.settings import load_settings
    from inquest.app.tools.doctor import remove_server

    remove_server(load_settings(), name)
    print_result({"removed": name}, f"The engine {name} is removed.", as_json=as_json)


@engines_app.callback()
def engines(
    context: typer.Context,
    test: str | None = typer.Option(None, "--test", metavar="NAME", help="Send one live query to this engine."),
    query: str | None = typer.Option(None, "--query", metavar="TEXT", help="With --test: the query."),
    as_json: bool = typer.Option(False, "--json", help="Print a JSON array; with --test an object."),
) -> None:
    """List the search engines with their limits and missing settings, or test one of them."""
    from inquest.app.wiring.engine_choices import engine_table

    if context.invoked_subcommand is not None:
        if test is not None or query is not None or as_json:
            raise InputError("Options go after the command's name.", advice="See `inquest engines --help`.")
        return
    if test is not None:
        from inquest.app.tools.doctor import try_engine

        result = with_app(lambda app: try_engine(app, test, query))
        print_result(result, _lines_of(result), as_json=as_json)
        if not result["ok"]:
            raise typer.Exit(2)
        return
    if query is not None:
        raise InputError("--query needs an engine.", advice="Add --test NAME.")

    rows = engine_table()
    if as_json:
        print_json(rows)
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("engine", "searches", "ready", "limits", "per call", box=None, pad_edge=False)
    for row in rows:
        pace = row["per_second"]
        limits = [f"{round(pace, 2):g}/s" if pace >= 1 else f"1 in {1 / pace:.3g} s" if pace else "no limit"]
        limits += [f"{row[name]}/{unit}" for name, unit in (("per_day", "day"), ("per_month", "month")) if row[name]]
        price = f"${row['usd_per_call']:.4f}" if row["usd_per_call"] else "free"
        table.add_row(row["name"], ", ".join(row["kinds"]), row["lacks"] or "ready", ", ".join(limits), price)
    Console(highlight=False).print(table)


_SPECIAL = ("post", "work", "review", "filing", "figures", "identifiers")


def _lines_of(result: dict[str, Any]) -> Iterator[str]:
    cost = f", ${result['usd']:.4f}" if result["usd"] else ""
    calls = f"{result['calls']} {'call' if result['calls'] == 1 else 'calls'}, {result['seconds']:.2f} s{cost}"
    yield f"{result['title']}: “{result['query']}” ({calls})"
    if not result["ok"]:
        error = result["error"]
        yield f"{error['kind']}: {error['message']} {error['advice']}".rstrip()
        if "status" in error:
            yield f"It answered with status {error['status']}: {error['said'] or '(nothing)'}"
        return
    for number, hit in enumerate(result["hits"], 1):
        yield f"{number:>2}. {hit['title'] or '(no title)'}\n    {hit['url']}"
        if about := [hit[key] for key in ("published", "author", "publisher", "language") if hit.get(key)]:
            yield f"    {' · '.join(about)}"
        special = (key for key in _SPECIAL if hit.get(key))
        yield from (f"    {key}: {json.dumps(hit[key], ensure_ascii=False)[:300]}" for key in special)
    yield (f"{len(result['hits'])} {'hit' if len(result['hits']) == 1 else 'hits'}.")


def doctor(
    as_json: bool = typer.Option(False, "--json", help="Print a JSON object."),
    offline: bool = typer.Option(False, help="Make no connections."),
) -> None:
    """Check the configuration, the connections and the components that would be used. Keys are never shown."""
    from inquest.app.tools.doctor import examine

    findings = run_async(examine(reach=not offline))
    width = max(len(row["what"]) for row in findings["checks"])
    lines = (f"{'ok ' if row['ok'] else '-- '} {row['what']:<{width}}  {row['says']}" for row in findings["checks"])
    print_result(findings, lines, as_json=as_json)
    if not findings["ok"]:
        raise typer.Exit(2)


registry_app = typer.Typer(
    help="Download and list register tables (climate targets, EU emissions trading, carbon credits).",
    invoke_without_command=True,
    rich_markup_mode="markdown",
)
_AS_ARRAY: bool = typer.Option(False, "--json", help="Print a JSON array with an object for each table.")


@registry_app.callback()
def registries(context: typer.Context, as_json: bool = _AS_ARRAY) -> None:
    """List the tables with size, age, address, licence and attribution. Nothing is downloaded."""

    async def listed(app: Resources) -> list[dict[str, Any]]:
        return app.registries.list()

    if context.invoked_subcommand is None:
        _show_tables(with_app(listed), as_json=as_json)


@registry_app.command("update")
def update_tables(
    name: str | None = typer.Argument(None, metavar="[NAME]", help="The table. Default: all."),
    file: Path | None = typer.Option(None, help="A downloaded file to use instead of the publisher's address."),
    as_json: bool = _AS_ARRAY,
) -> None:
    """Download a table from its publisher. If it cannot be read, the earlier table stays in use."""
    if file is not None and name is None:
        raise typer.BadParameter("expected the NAME of the file's table", param_hint="--file")

    async def updated(app: Resources) -> list[dict[str, Any]]:
        names = [name] if name else [row["name"] for row in app.registries.list()]
        return [await app.registries.update(each, file) for each in names]

    _show_tables(with_app(updated), as_json=as_json)


def _show_tables(rows: list[dict[str, Any]], *, as_json: bool) -> None:
    form = "{name:<8} {title}: {state}\n         from {source}\n         licence: {licence}\n         {attribution}"
    lines = (form.format_map({"source": row["address"], **row, "state": _state(row)}) for row in rows)
    print_result(rows, lines, as_json=as_json)


def _state(row: dict[str, Any]) -> str:
    if "problem" in row or not row["there"]:
        return str(row.get("problem") or f"not on this machine. Get it with: {row['update']}")
    days = row["age_days"]
    age = "today" if days == 0 else f"{days} day{'s' if days > 1 else ''} ago"
    wrong = f", {row['wrong_numbers']:,} invalid LEI or ISIN" if row["wrong_numbers"] else ""
    return f"{row['rows']:,} rows, {row['bytes'] / 1e6:,.1f} MB, added {age}{wrong}"


models_app = typer.Typer(
    help="List, verify, add, download, choose and remove the small models on this machine.",
    invoke_without_command=True,
    rich_markup_mode="rich",
)


@dataclass(frozen=True)
class _About:
    """Properties of a model that its files do not contain."""

    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The name of the model. Default: the name of its folder or repository."),
    ] = None
    labels: Annotated[
        str | None, typer.Option(metavar="A,B,C", help="The meaning of its scores in order, if not in config.json.")
    ] = None
    claim_first: Annotated[
        bool, typer.Option("--claim-first", help="It was trained with the claim before the passage.")
    ] = False
    languages: Annotated[
        str | None, typer.Option(metavar="en,de|any", help="The languages it supports, if not in its files.")
    ] = None
    licence: Annotated[str | None, typer.Option(metavar="TEXT", help="The licence to display.")] = None

    @property
    def labelled(self) -> GivenLabels:
        """The properties for the use cases. Raises InputError for invalid languages."""
        from inquest.app.tools.local_models import GivenLabels

        listed = None
        if self.languages is not None:
            parts = [part.strip().lower() for part in self.languages.split(",") if part.strip()]
            if not parts or not all(part.isascii() and part.isalpha() and 2 <= len(part) <= 3 for part in parts):
                raise InputError(f"Invalid languages '{self.languages}': expected codes such as en,de, or any.")
            listed = [] if "any" in parts else parts
        return GivenLabels(
            labels=self.labels, claim_first=self.claim_first, languages=listed, licence=self.licence or ""
        )


_JSON = typer.Option(False, "--json", help="Print one JSON object.")


@models_app.callback()
def models(
    context: typer.Context,
    verify: bool = typer.Option(False, "--verify", help="Check all files by their hashes; exit code 2 if damaged."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object; with --verify an array."),
) -> None:
    """List the small models on this machine, which one is used, and why."""
    if context.invoked_subcommand is not None:
        if verify or as_json:
            raise InputError("--verify and --json go after the command's name.", advice="See `inquest models --help`.")
        return
    if verify:
        _verify(as_json)
        return
    from inquest.app.settings import load_settings
    from inquest.app.tools.local_models import table

    found = table(load_settings())
    if as_json:
        print_json(found)
    else:
        from rich.console import Console
        from rich.table import Table

        shown = Table("model", "kind", "MB", "languages", "licence", "in use", "state", box=None, pad_edge=False)
        for row in found["models"]:
            languages = "" if row["languages"] is None else ", ".join(row["languages"]) or "any"
            size = "" if row["size_mb"] is None else f"{row['size_mb']:g}"
            used = row["why"] or ""
            shown.add_row(row["name"], row["kind"] or "?", size, languages, row["licence"], used, row["state"])
        Console(highlight=False, markup=False).print(shown)
        for row in found["models"]:
            if row["source"]:
                typer.echo(f"{row['name']}: {row['source']}")
        for kind, one in found["in_use"].items():
            alone = {"stance": "rules judge alone", "sentences": "searches compare words alone"}[kind]
            if one["name"] is None:
                typer.echo(f"{kind}: no model in use ({one['why']}); {alone}.")
            elif one["state"] != "ready":
                typer.echo(f"{kind}: {one['name']} ({one['why']}): {one['state']}")


@models_app.command("use")
def use_model(
    what: str = typer.Argument(
        ...,
        metavar="NAME|PATH|package|none|PROVIDER:MODEL|local",
        help="A small model, the package's own, or none. PROVIDER:MODEL: the language model for new cases, optionally "
        "followed by ' at URL' for its server; local: no language model.",
    ),
    kind: str | None = typer.Option(None, "--kind", metavar="KIND", help="stance (default) or sentences."),
    as_json: bool = _JSON,
) -> None:
    """Test a model and use it from now on. The choice is stored in inquest.toml."""
    from inquest.app.settings import load_settings
    from inquest.app.tools.local_models import use

    if what == "local" or (":" in what and kind is None and not Path(what).exists()):
        with_app(lambda app: _use_language_model(app, what, as_json))
        return
    chosen = use(load_settings(), what, kind)
    outcome = {"kind": chosen.kind, "name": chosen.name, "why": chosen.why, "state": chosen.state}
    print_result(outcome, f"{chosen.kind}: {chosen.sentence}", as_json=as_json)


async def _use_language_model(app: Resources, written: str, as_json: bool) -> None:
    from inquest.app.tools.local_models import choose_model, forget_model

    if written == "local":
        forget_model(app)
        ok, says = True, "new cases use the local analyst"
    else:
        trial = await choose_model(app, written)
        ok, says = trial.ok, trial.says
    if over := app.settings.chosen.over:
        says += f"; but {over} sets {app.settings.model or 'none'} and takes precedence"
    elif not ok:
        says += "; it is not used"
        says += "" if trial.refused else "; it is saved as untested: repeat the command to test it"
    print_result({"kind": "language", "name": written, "ok": ok, "state": says}, f"{written}: {says}", as_json=as_json)
    if not ok:
        raise typer.Exit(1)


@models_app.command("add")
@spelled_out
def add_model(
    about: _About, folder: Path = typer.Argument(..., metavar="PATH", help="The model's folder."), as_json: bool = _JSON
) -> None:
    """Copy a model and test it on a pair. If that fails, nothing is added."""
    from inquest.app.settings import load_settings
    from inquest.app.tools.local_models import add

    with _progress("Copying") as progress:
        files = add(load_settings(), folder, name=about.name, said=about.labelled, progress=progress)
    _print_added(files, as_json)


@models_app.command("download")
@spelled_out
def download(
    about: _About,
    repository: str = typer.Argument(..., metavar="OWNER/NAME", help="The model's name on the hub."),
    file: str | None = typer.Option(None, "--file", metavar="FILE", help="The ONNX file, if it has several."),
    revision: str = typer.Option("main", "--revision", metavar="R", help="A branch, a tag or a commit."),
    as_json: bool = _JSON,
) -> None:
    """Download a model from a public hub, at most 2 GB. A stopped download leaves nothing behind."""
    from inquest.app.tools.model_hub import HubModel, download_model

    which, said = HubModel(repository, file, revision), about.labelled
    with _progress("Downloading") as progress:
        files = with_app(lambda app: download_model(app, which, said, name=about.name, progress=progress))
    _print_added(files, as_json)


@models_app.command("remove")
def remove_model(
    name: str = typer.Argument(..., metavar="NAME", help="An added or downloaded model."),
    force: bool = typer.Option(False, "--force", help="Remove it even if it is in use."),
    as_json: bool = _JSON,
) -> None:
    """Remove a model, except those of the package and models in use."""
    from inquest.app.settings import load_settings
    from inquest.app.tools.local_models import remove

    remove(load_settings(), name, force=force)
    print_result({"removed": name}, f"The model {name} is removed.", as_json=as_json)


def _verify(as_json: bool) -> None:
    from inquest.app.settings import load_settings
    from inquest.app.tools.local_models import verify

    rows, lines = verify(load_settings()), list[str]()
    for row in rows:
        if row["damaged"]:
            lines += [
                *(f"-- {row['name']}: {fault}" for fault in row["damaged"]),
                f"   {row['folder']}. {row['advice']}",
            ]
        else:
            unknown = "its manifest has no hashes to compare with"
            lines.append(f"ok {row['name']}" if row["verified"] else f"?  {row['name']}: {unknown}")
    print_result(rows, lines, as_json=as_json)
    if not rows and not as_json:
        typer.echo("There are no local models.", err=True)
    if any(row["damaged"] for row in rows):
        raise typer.Exit(2)


_OF_MODEL = ("name", "kind", "labels", "languages", "claim_first", "max_tokens", "licence", "source")


def _print_added(files: ModelFiles, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                **{name: getattr(files, name) for name in _OF_MODEL},
                "size_mb": round(files.bytes / 1e6, 1),
                "sha256": dict(files.hashes or {}),
                "folder": str(files.folder),
            }
        )
        return
    languages = ", ".join(files.languages) or "any"
    typer.echo(f"Added {files.name}: {files.bytes / 1e6:.1f} MB, {files.max_tokens} tokens, languages: {languages}.")
    for name, digest in (files.hashes or {}).items():
        typer.echo(f"  sha256 {digest}  {name}")
    if files.kind == "stance":
        typer.echo(f"  scores: {', '.join(files.labels)}; {'claim' if files.claim_first else 'passage'} first")
    typer.echo(f"Use it: inquest models use {files.name}")


@contextmanager
def _progress(doing: str) -> Iterator[Progress]:
    """A status line with the progress on standard error."""
    with status_line(f"{doing} ...") as status:

        def update(name: str, done: int, size: int | None) -> None:
            whole = f" of {size / 1e6:,.1f}" if size else ""
            status.update(f"{doing} {name}: {done / 1e6:,.1f}{whole} MB")

        yield update
