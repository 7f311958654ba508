"""`inquest collection`: add and search the user's own documents."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from inquest.app.files import KINDS_KEPT
from inquest.app.grouped import spelled_out
from inquest.cli.common import json_lines, print_json, print_result, status_line, with_app
from inquest.domain.errors import InputError
from inquest.domain.languages import agreeing

if TYPE_CHECKING:
    from rich.status import Status

    from inquest.app.wiring.collections import Collections, Embedded, Info, IngestProgress

T = TypeVar("T")

app = typer.Typer(
    help="Add, search, list, inspect and remove collections of your own documents.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The collection.")]


@app.command("add")
def add(
    name: str = typer.Argument(..., metavar="NAME", help="The collection, created if it does not exist."),
    paths: list[Path] = typer.Argument(
        ..., metavar="PATH...", help=f"Files and folders: {KINDS_KEPT}; compressed (.gz) or not."
    ),
    ratings: Path | None = typer.Option(
        None, help="Ratings of its publishers: a CSV with the columns domain and score (0-100)."
    ),
    no_semantic: bool = typer.Option(
        False,
        "--no-semantic",
        help="Index by words only; `inquest collection embed NAME` adds search by meaning later.",
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the outcome as one JSON object."),
) -> None:
    """Add documents. Known ones are skipped; unreadable ones are listed with the reason.

    Each row of CSV and JSONL is a document: columns url, title, date, text, and optionally id, author, language. First
    words are indexed, then the meaning; Ctrl-C during the latter loses nothing.
    """
    from inquest.app.wiring.collections import added_json

    with status_line(f"Adding to {name} ...") as status:
        display = AddingDisplay(name, status)
        try:
            added = _with(lambda collections: collections.add(name, paths, ratings=ratings, progress=display.show))
        except KeyboardInterrupt:
            display.interrupted()
            raise typer.Exit(130) from None
    if not as_json:
        from inquest.app.wiring.collections import records_in_words

        parts = [
            f"{added.documents} {agreeing(added.documents, 'document', 'documents')} added to {added.collection}",
            f"{added.updated} of them new versions" if added.updated else "",
            f"{added.skipped} known",
            f"{added.unreadable} could not be read" if added.unreadable else "",
            f"{added.left_out} left out" if added.left_out else "",
        ]
        typer.echo(f"{', '.join(filter(None, parts))}. {records_in_words(added)}".strip())
    embedded = None
    if not no_semantic and (added.documents or added.skipped):
        embedded = _embed(name, lenient=True)
    if as_json:
        print_json(added_json(added) | ({"by_meaning": embedded.by_meaning} if embedded else {}))
    if added.unreadable:
        raise typer.Exit(2 if added.documents or added.skipped else 1)


@app.command("embed")
def embed(
    name: Name, as_json: bool = typer.Option(False, "--json", help="Print the outcome as one JSON object.")
) -> None:
    """Make the remaining documents searchable by meaning. A stopped run can be continued."""
    embedded = _embed(name, lenient=False)
    assert embedded is not None
    outcome = {
        "collection": name,
        "documents": embedded.documents,
        "by_meaning": embedded.by_meaning,
        "language_not_read": embedded.unread,
        "added": embedded.added,
        "replaced": embedded.replaced,
        "encoder": embedded.encoder,
    }
    print_result(outcome, _by_meaning(embedded), as_json=as_json)


@dataclass(frozen=True)
class _Filters:
    """Options of a search."""

    limit: Annotated[int, typer.Option(help="Results per query.")] = 10
    exact: Annotated[bool, typer.Option("--exact", help="Search for the words as an exact phrase.")] = False
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Published on this date or later, or undated.")] = (
        None
    )
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Published on this date or earlier, or undated.")
    ] = None
    no_semantic: Annotated[bool, typer.Option("--no-semantic", help="Search by words, not by meaning.")] = False


@app.command("search")
@spelled_out
def search(
    filters: _Filters,
    name: Name,
    text: str | None = typer.Argument(None, metavar="QUERY", help="The words to search for."),
    queries: Path | None = typer.Option(
        None, help='Many queries: lines of {"id", "text"} (`-`: standard input), with a line of results for each.'
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the results as one JSON object."),
) -> None:
    """Search by words and by meaning, best results first. Word endings, case and accents are ignored."""
    if queries is not None:
        if text is not None or filters.exact or filters.since or filters.until:
            raise InputError("--queries cannot be combined with a query or its options.", advice="Use one of them.")
        lines, semantic = json_lines(queries), not filters.no_semantic

        async def work(collections: Collections) -> None:
            await collections.refresh(name)
            for answer in collections.search_many(name, lines, limit=filters.limit, semantic=semantic, note=_note):
                print_json(answer, indent=None)

        _with(work)
        return
    if text is None:
        raise InputError("Missing query.", advice="Add a QUERY, or --queries FILE.")
    from inquest.app.wiring.collections import search_filter

    query, semantic = text, not filters.no_semantic
    wanted = search_filter(filters.limit, filters.since, filters.until, exact=filters.exact, semantic=semantic)
    results = _with(lambda collections: collections.search(name, query, wanted, note=_note))
    if as_json:
        found = []
        for entry in results:
            at = entry.published
            dated = {"published": at.iso if at else None, "precision": at.precision.value if at else None}
            found.append(entry.model_dump(mode="json", exclude={"published"}) | dated)
        print_json({"collection": name, "query": query, "results": found})
        return
    for rank, entry in enumerate(results, 1):
        typer.echo(f"{rank:>3}. {entry.title or entry.url}  [{entry.score:.2f}]")
        typer.echo(f"     {entry.published.iso if entry.published else 'undated'} · {entry.url} · id {entry.id}")
        typer.echo(f"     {' '.join(entry.snippet.split())}")
    if not results:
        typer.echo(f"No document in {name} matches.", err=True)


@app.command("list")
def list_collections(as_json: bool = typer.Option(False, "--json", help="Print a JSON array of names.")) -> None:
    """List the collections."""

    async def listed(collections: Collections) -> tuple[str, ...]:
        await collections.refresh()
        return collections.names()

    names = _with(listed)
    print_result(list(names), names, as_json=as_json)
    if not names and not as_json:
        typer.echo("There is no collection yet. Create one: inquest collection add NAME PATH...", err=True)


@app.command("info")
def info(
    name: str | None = typer.Argument(None, metavar="NAME", help="The collection. Default: all."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object; without a name, an array."),
) -> None:
    """Show the size of a collection and the kinds, languages and dates of its documents."""

    async def read(known: Collections) -> list[tuple[Info, Embedded]]:
        await known.refresh()
        names = [name] if name else known.names()
        await known.refresh(*names)
        return [(known.info(each), known.embedded(each)) for each in names]

    infos = _with(read)
    rows = [
        {
            **asdict(about),
            "first": about.first.isoformat() if about.first else None,
            "last": about.last.isoformat() if about.last else None,
            "by_meaning": embedded.by_meaning,
            "language_not_read": embedded.unread,
            "encoder": embedded.encoder,
        }
        for about, embedded in infos
    ]
    if as_json:
        print_json(rows[0] if name else rows)
        return
    for row, (_, embedded) in zip(rows, infos, strict=True):
        row["by_meaning"] = _by_meaning(embedded)
        for field, value in row.items():
            if isinstance(value, dict):
                value = ", ".join(f"{key} {count}" for key, count in value.items())
            typer.echo(f"{field.replace('_', ' '):<14} {value if value not in (None, '') else '-'}")
        typer.echo("")


@app.command("remove")
def remove(
    name: Name,
    yes: bool = typer.Option(False, "--yes", "-y", help="Do not ask for confirmation."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Remove a collection and its index. Your files and the pages archived for cases are kept."""
    import sys

    if sys.stdin.isatty() and not yes and not as_json:
        typer.confirm(f"Remove the collection {name}?", abort=True)
    _with(lambda collections: collections.remove(name))
    print_result({"removed": name}, f"The collection {name} is removed.", as_json=as_json)


def _embed(name: str, *, lenient: bool) -> Embedded | None:
    """Embed with a progress display. `lenient`: only print a note without a usable encoder, and return silently if the
    settings choose none."""
    from inquest.domain.errors import ModelUnavailable

    async def work(collections: Collections) -> Embedded | None:
        if lenient and collections.encoding is None:
            return None
        return await collections.embed(name, progress=display.show)

    with status_line(f"Embedding the documents of {name} ...") as status:
        display = EmbeddingDisplay(name, status)
        try:
            return _with(work)
        except ModelUnavailable as error:
            if not lenient:
                raise
            display.without(error.sentence)
            return None
        except KeyboardInterrupt:
            display.interrupted()
            raise typer.Exit(130) from None


def _by_meaning(embedded: Embedded) -> str:
    unread = f", {embedded.unread:,} in a language that the encoder does not support" if embedded.unread else ""
    return f"{embedded.by_meaning:,} of {embedded.documents:,} documents also by meaning{unread}"


def _note(note: str) -> None:
    typer.echo(note, err=True)


def _with(work: Callable[[Collections], Awaitable[T]]) -> T:
    return with_app(lambda app: work(app.collections))


_MOST_LINES = 50


class _Display:
    """Progress of work on a collection, in a status line and sentences on standard error."""

    def __init__(self, name: str, status: Status) -> None:
        self._name, self._status = name, status

    def _print(self, sentence: str) -> None:
        self._status.console.print(sentence, markup=False, soft_wrap=True)


class AddingDisplay(_Display):
    """Progress of adding documents. Without a terminal, only problems are printed."""

    _committed = 0
    _lines = 0

    def show(self, progress: IngestProgress) -> None:
        """Show the progress."""
        self._committed = progress.committed
        for problem in progress.news:
            self._lines += 1
            if self._lines <= _MOST_LINES:
                self._print(f"{'-' if problem.left_out else '!'} {problem}")
            elif self._lines == _MOST_LINES + 1:
                self._print("  ... and more; --json lists the first thousand.")
        so_far = progress.so_far
        counted = f"{so_far.files} files done · {so_far.documents} documents · {so_far.skipped} known"
        if so_far.unreadable:
            counted += f" · {so_far.unreadable} could not be read"
        self._status.update(counted)

    def interrupted(self) -> None:
        """Report the remaining work after Ctrl-C."""
        self._status.stop()
        self._print(
            f"Stopped. {self._committed} documents were added to {self._name} and stay; "
            "the same command continues from there."
        )


class EmbeddingDisplay(_Display):
    """Progress of making documents findable by meaning."""

    _last: Embedded | None = None

    def show(self, embedded: Embedded) -> None:
        """Show the progress."""
        if self._last is None and embedded.replaced:
            self._print(
                f"The vectors of {self._name} by {embedded.replaced} are being replaced with {embedded.encoder}'s."
            )
        self._last = embedded
        counted = f"{embedded.by_meaning:,} of {embedded.documents:,} documents also by meaning"
        self._status.update(f"{counted} · {embedded.left:,} left")

    def without(self, why: str) -> None:
        """Report that documents are found only by words."""
        self._print(f"Documents are found by words alone. {why}")

    def interrupted(self) -> None:
        """Report the remaining work after Ctrl-C."""
        self._status.stop()
        self._print(
            f"Stopped. All documents can be found by words, {self._last.by_meaning if self._last else 0:,} also by "
            f"meaning; `inquest collection embed {self._name}` continues from there."
        )
