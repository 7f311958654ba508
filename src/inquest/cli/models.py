"""`inquest models`: list, add, download, choose and remove models."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inquest.app.grouped import spelled_out
from inquest.cli.common import print_json, print_result, run_async, status_line
from inquest.cli.options import examples
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.tools.local_models import GivenLabels
    from inquest.local_models.files import ModelFiles
    from inquest.local_models.registry import Progress

_EXAMPLES = examples(
    "inquest models --json",
    "inquest models --verify",
    "inquest models download cross-encoder/nli-deberta-v3-small --file onnx/model.onnx",
    "inquest models use nli-deberta-v3-small",
)
_ADD = examples(
    "inquest models add ~/models/nli-deberta-v3-small",
    "inquest models add ./export --name mine --labels contradiction,neutral,entailment --languages en,de",
    more="The folder contains model.onnx, tokenizer.json and config.json, as exports on public hubs do.",
)
_DOWNLOAD = examples(
    "inquest models download cross-encoder/nli-deberta-v3-small",
    "inquest models download OWNER/NAME --file onnx/model_quantized.onnx --revision 1a2b3c",
    more="Check the licence of the model, and prefer a commit to a branch.",
)
_USE = examples(
    "inquest models use nli-deberta-v3-small",
    "inquest models use package --kind sentences",
    "inquest models use none",
    "inquest models use openai:gpt-5-mini",
    "inquest models use 'ollama:qwen3:8b at http://127.0.0.1:11434/v1'",
)

app = typer.Typer(
    help="List, verify, add, download, choose and remove the small models on this machine.",
    invoke_without_command=True,
    rich_markup_mode="rich",
    epilog=_EXAMPLES,
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


@app.callback()
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


@app.command("use", epilog=_USE)
def use(
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
    from inquest.app.tools.local_models import use as choose

    if what == "local" or (":" in what and kind is None and not Path(what).exists()):
        run_async(_use_language_model(what, as_json))
        return
    chosen = choose(load_settings(), what, kind)
    outcome = {"kind": chosen.kind, "name": chosen.name, "why": chosen.why, "state": chosen.state}
    print_result(outcome, f"{chosen.kind}: {chosen.sentence}", as_json=as_json)


async def _use_language_model(written: str, as_json: bool) -> None:
    from inquest.app.build import open_app
    from inquest.app.tools.local_models import choose_model, forget_model

    async with open_app() as opened:
        if written == "local":
            forget_model(opened)
            ok, says = True, "new cases use the local analyst"
        else:
            trial = await choose_model(opened, written)
            ok, says = trial.ok, trial.says
        over = opened.settings.chosen.over
    if over:
        says += f"; but {over} sets {opened.settings.model or 'none'} and takes precedence"
    elif not ok:
        says += "; it is not used" + (
            "" if trial.refused else "; it is saved as untested: repeat the command to test it"
        )
    print_result({"kind": "language", "name": written, "ok": ok, "state": says}, f"{written}: {says}", as_json=as_json)
    if not ok:
        raise typer.Exit(1)


@app.command("add", epilog=_ADD)
@spelled_out
def add(
    about: _About, folder: Path = typer.Argument(..., metavar="PATH", help="The model's folder."), as_json: bool = _JSON
) -> None:
    """Copy a model and test it on a pair. If that fails, nothing is added."""
    from inquest.app.settings import load_settings
    from inquest.app.tools.local_models import add as add_model

    with _progress("Copying") as progress:
        files = add_model(load_settings(), folder, name=about.name, said=about.labelled, progress=progress)
    _print_added(files, as_json)


@app.command("download", epilog=_DOWNLOAD)
@spelled_out
def download(
    about: _About,
    repository: str = typer.Argument(..., metavar="OWNER/NAME", help="The model's name on the hub."),
    file: str | None = typer.Option(None, "--file", metavar="FILE", help="The ONNX file, if it has several."),
    revision: str = typer.Option("main", "--revision", metavar="R", help="A branch, a tag or a commit."),
    as_json: bool = _JSON,
) -> None:
    """Download a model from a public hub, at most 2 GB. A stopped download leaves nothing behind."""
    from inquest.app.build import open_app
    from inquest.app.tools.model_hub import HubModel, download_model

    async def fetch(progress: Progress) -> ModelFiles:
        which = HubModel(repository, file, revision)
        async with open_app() as opened:
            return await download_model(opened, which, about.labelled, name=about.name, progress=progress)

    with _progress("Downloading") as progress:
        files = run_async(fetch(progress))
    _print_added(files, as_json)


@app.command("remove", epilog=examples("inquest models remove nli-deberta-v3-small"))
def remove(
    name: str = typer.Argument(..., metavar="NAME", help="An added or downloaded model."),
    force: bool = typer.Option(False, "--force", help="Remove it even if it is in use."),
    as_json: bool = _JSON,
) -> None:
    """Remove a model, except those of the package and models in use."""
    from inquest.app.settings import load_settings
    from inquest.app.tools.local_models import remove as remove_model

    remove_model(load_settings(), name, force=force)
    print_result({"removed": name}, f"The model {name} is removed.", as_json=as_json)


def _verify(as_json: bool) -> None:
    from inquest.app.settings import load_settings
    from inquest.app.tools.local_models import verify

    rows = verify(load_settings())
    if as_json:
        print_json(rows)
    else:
        for row in rows:
            if row["damaged"]:
                for fault in row["damaged"]:
                    typer.echo(f"-- {row['name']}: {fault}")
                typer.echo(f"   {row['folder']}. {row['advice']}")
            elif row["verified"]:
                typer.echo(f"ok {row['name']}")
            else:
                typer.echo(f"?  {row['name']}: its manifest has no hashes to compare with")
        if not rows:
            typer.echo("There are no local models.", err=True)
    if any(row["damaged"] for row in rows):
        raise typer.Exit(2)


def _print_added(files: ModelFiles, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "name": files.name,
                "kind": files.kind,
                "size_mb": round(files.bytes / 1e6, 1),
                "labels": list(files.labels),
                "languages": list(files.languages),
                "claim_first": files.claim_first,
                "max_tokens": files.max_tokens,
                "licence": files.licence,
                "source": files.source,
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
