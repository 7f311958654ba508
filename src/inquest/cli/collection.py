"""`inquest collection`: the user's own documents, taken in and searched."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Self, TypeVar

import typer

from inquest.app.files import KINDS_KEPT
from inquest.app.grouped import spelled_out
from inquest.cli.common import err_console, json_lines, print_json, with_app
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.wiring.collections import (
        Added,
        Collections,
        Embedded,
        FoundEntry,
        Info,
        IngestProgress,
        SearchFilter,
    )

T = TypeVar("T")

app = typer.Typer(
    help="Your own documents: add, search, list, inspect and remove collections of them.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

_NO_SEMANTIC_ADD: bool = typer.Option(
    False, "--no-semantic", help="Leave it at the words; `inquest collection embed NAME` adds the meaning later."
)
_ADD = """
[bold]Examples[/bold]

    inquest collection add spill reports/ articles.jsonl capture.warc.gz

    inquest collection add spill register.csv --ratings publishers.csv --json

[bold]Exit codes[/bold]: 0 all was read · 1 nothing could be · 2 some could not · 130 stopped (what was read stays)
"""
_SEARCH = """
[bold]Examples[/bold]

    inquest collection search spill "solvent in the river" --since 2023-01

    inquest collection search spill "three times the permitted level" --exact --json

    inquest collection search spill --queries queries.jsonl --limit 100 > results.jsonl
"""


@app.command("add", epilog=_ADD)
def add(
    name: str = typer.Argument(..., metavar="NAME", help="The collection; it is made if there is none of that name."),
    paths: list[Path] = typer.Argument(
        ...,
        metavar="PATH...",
        help=f"Files and folders: {KINDS_KEPT}; packed (.gz) or not.",
    ),
    ratings: Path | None = typer.Option(
        None, help="What its publishers are worth: a CSV with domain and score (0-100)."
    ),
    no_semantic: bool = _NO_SEMANTIC_ADD,
    as_json: bool = typer.Option(False, "--json", help="What was done, as one JSON object."),
) -> None:
    """Add documents. What is there already is skipped; what cannot be read is named, with the reason, and left out.

    Rows of CSV and JSONL are documents of their own: columns url, title, date, text, and perhaps id, author, language.
    Once they can be found by their words, they are made findable by their meaning; Ctrl-C there loses nothing.
    """
    from inquest.app.wiring.collections import added_json

    with AddingDisplay(name) as display:
        try:
            added = _with(lambda collections: collections.add(name, paths, ratings=ratings, progress=display.show))
        except KeyboardInterrupt:
            display.interrupted()
            raise typer.Exit(130) from None
    if not as_json:
        typer.echo(_summary(added))
    embedded = None
    if not no_semantic and (added.documents or added.skipped):
        embedded = _embed(name, lenient=True)
    if as_json:
        print_json(added_json(added) | ({"by_meaning": embedded.by_meaning} if embedded else {}))
    if added.unreadable:
        raise typer.Exit(2 if added.documents or added.skipped else 1)


@app.command(
    "embed", epilog="[bold]Example[/bold]\n\n    inquest collection embed spill\n\n130: stopped (what was done stays)"
)
def embed(
    name: str = typer.Argument(..., metavar="NAME", help="The collection."),
    as_json: bool = typer.Option(False, "--json", help="What was done, as one JSON object."),
) -> None:
    """Make documents findable by meaning, too: those that are not yet so. It goes on where it was stopped."""
    done = _embed(name, lenient=False)
    assert done is not None
    if as_json:
        print_json(
            {
                "collection": name,
                "documents": done.documents,
                "by_meaning": done.by_meaning,
                "language_not_read": done.unread,
                "added": done.added,
                "replaced": done.replaced,
                "encoder": done.encoder,
            }
        )
    else:
        typer.echo(_by_meaning(done))


@dataclass(frozen=True)
class _Filters:
    """What a search is to give back."""

    limit: Annotated[int, typer.Option(help="Results per query.")] = 10
    exact: Annotated[bool, typer.Option("--exact", help="The words as one phrase, as they stand.")] = False
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="Published then or later (undated ones are kept).")
    ] = None
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Published then or earlier (undated ones are kept).")
    ] = None
    no_semantic: Annotated[bool, typer.Option("--no-semantic", help="By words alone, not by meaning.")] = False

    @property
    def wanted(self) -> SearchFilter:
        """As the collections take it. Raises InputError for what is no date."""
        from inquest.app.wiring.collections import search_filter

        return search_filter(self.limit, self.since, self.until, exact=self.exact, semantic=not self.no_semantic)


@app.command("search", epilog=_SEARCH)
@spelled_out
def search(
    filters: _Filters,
    name: str = typer.Argument(..., metavar="NAME", help="The collection."),
    text: str | None = typer.Argument(None, metavar="QUERY", help="The words to look for."),
    queries: Path | None = typer.Option(
        None, help='Many at once: lines of {"id", "text"} (`-`: standard input); a line of results for each.'
    ),
    as_json: bool = typer.Option(False, "--json", help="The results as one JSON object."),
) -> None:
    """Search the full text by words and by meaning, best first. Word endings, case and accents do not count."""
    if queries is not None:
        if text is not None or filters.exact or filters.since or filters.until:
            raise InputError("--queries stands alone.", advice="Give either a query or --queries FILE, not both.")
        _search_many(name, queries, filters.limit, semantic=not filters.no_semantic)
        return
    if text is None:
        raise InputError("There is nothing to search for.", advice="Give a QUERY, or --queries FILE.")
    asked, wanted = text, filters.wanted
    results = _with(lambda collections: collections.search(name, asked, wanted, note=_note))
    if as_json:
        found = [one.model_dump(mode="json", exclude={"published"}) | _dated(one) for one in results]
        print_json({"collection": name, "query": asked, "results": found})
        return
    for rank, one in enumerate(results, 1):
        typer.echo(f"{rank:>3}. {one.title or one.url}  [{one.score:.2f}]")
        typer.echo(f"     {one.published.iso if one.published else 'undated'} · {one.url} · id {one.id}")
        typer.echo(f"     {' '.join(one.snippet.split())}")
    if not results:
        typer.echo(f"Nothing in {name} fits.", err=True)


@app.command("list", epilog="[bold]Example[/bold]\n\n    inquest collection list --json")
def list_collections(as_json: bool = typer.Option(False, "--json", help="A JSON array of names.")) -> None:
    """The collections there are."""

    async def listed(collections: Collections) -> tuple[str, ...]:
        await collections.refresh()
        return collections.names()

    names = _with(listed)
    if as_json:
        print_json(list(names))
    elif names:
        typer.echo("\n".join(names))
    else:
        typer.echo("There is no collection yet. Make one: inquest collection add NAME PATH...", err=True)


@app.command(
    "info", epilog="[bold]Examples[/bold]\n\n    inquest collection info spill\n\n    inquest collection info --json"
)
def info(
    name: str | None = typer.Argument(None, metavar="NAME", help="The collection; without it, all of them."),
    as_json: bool = typer.Option(False, "--json", help="One JSON object; without a name, an array of them."),
) -> None:
    """What a collection holds: how many documents of which kinds and languages, from when to when."""

    async def looked(known: Collections) -> list[tuple[Info, Embedded]]:
        await known.refresh()
        asked = [name] if name else known.names()
        await known.refresh(*asked)
        return [(known.info(one), known.embedded(one)) for one in asked]

    every = _with(looked)
    shown = [
        {
            "name": one.name,
            "documents": one.documents,
            "kinds": one.kinds,
            "languages": one.languages,
            "dated": one.dated,
            "first": one.first.isoformat() if one.first else None,
            "last": one.last.isoformat() if one.last else None,
            "bytes_indexed": one.bytes_indexed,
            "rated_domains": one.rated_domains,
            "by_meaning": meant.by_meaning,
            "language_not_read": meant.unread,
            "encoder": meant.encoder,
        }
        for one, meant in every
    ]
    if as_json:
        print_json(shown[0] if name else shown)
        return
    for row, (_, meant) in zip(shown, every, strict=True):
        row["by_meaning"] = _by_meaning(meant)
        for field, value in row.items():
            if isinstance(value, dict):
                value = ", ".join(f"{key} {count}" for key, count in value.items())
            typer.echo(f"{field.replace('_', ' '):<14} {value if value not in (None, '') else '-'}")
        typer.echo("")


@app.command("remove", epilog="[bold]Example[/bold]\n\n    inquest collection remove spill --yes")
def remove(
    name: str = typer.Argument(..., metavar="NAME", help="The collection."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Do not ask."),
    as_json: bool = typer.Option(False, "--json", help="What was removed, as one JSON object."),
) -> None:
    """Remove a collection and its index. Your files stay, and so does what is archived for your cases."""
    import sys

    if sys.stdin.isatty() and not yes and not as_json:
        typer.confirm(f"Remove the collection {name}?", abort=True)
    _with(lambda collections: collections.remove(name))
    if as_json:
        print_json({"removed": name})
    else:
        typer.echo(f"The collection {name} is removed.")


def _search_many(name: str, queries: Path, limit: int, *, semantic: bool) -> None:
    async def work(collections: Collections) -> None:
        await collections.refresh(name)
        for answer in collections.search_many(name, json_lines(queries), limit=limit, semantic=semantic, note=_note):
            print_json(answer, indent=None)

    _with(work)


def _embed(name: str, *, lenient: bool) -> Embedded | None:
    """Embed with a progress display. `lenient`: where no encoder can be used, say so and go on, by words alone; where
    the settings want none, there is nothing to say."""
    from inquest.domain.errors import ModelUnavailable

    async def work(collections: Collections) -> Embedded | None:
        if lenient and collections.encoding is None:
            return None
        return await collections.embed(name, progress=display.show)

    with EmbeddingDisplay(name) as display:
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


def _by_meaning(done: Embedded) -> str:
    """'4,120 of 5,183 documents also by meaning'."""
    said = f"{done.by_meaning:,} of {done.documents:,} documents also by meaning"
    if done.unread:
        said += f", {done.unread:,} in a language that the encoder does not read"
    return said


def _note(note: str) -> None:
    typer.echo(note, err=True)


def _with(work: Callable[[Collections], Awaitable[T]]) -> T:
    """Do something with the collections of the data folder."""

    return with_app(lambda app: work(app.collections))


def _dated(found: FoundEntry) -> dict[str, str | None]:
    published = found.published
    return {
        "published": published.iso if published else None,
        "precision": published.precision.value if published else None,
    }


def _summary(added: Added) -> str:
    from inquest.app.wiring.collections import records_in_words

    parts = [f"{added.documents} documents added to {added.collection}"]
    if added.updated:
        parts.append(f"{added.updated} of them new versions")
    parts.append(f"{added.skipped} were there already")
    if added.unreadable:
        parts.append(f"{added.unreadable} could not be read")
    if added.left_out:
        parts.append(f"{added.left_out} left out")
    return f"{', '.join(parts)}. {records_in_words(added)}".strip()


_MOST_LINES = 50


class _Display:
    """A line on standard error that is live on a terminal only."""

    def __init__(self, words: str) -> None:
        self._console = err_console()
        self._status = self._console.status(words)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._status.stop()


class AddingDisplay(_Display):
    """Progress on standard error. On a terminal the count is live; elsewhere only problems are lines."""

    def __init__(self, name: str) -> None:
        self._name = name
        super().__init__(f"Adding to {name} ...")
        self._committed = 0
        self._lines = 0

    def show(self, progress: IngestProgress) -> None:
        """Take note of how far it has come."""
        self._committed = progress.committed
        for problem in progress.news:
            self._lines += 1
            if self._lines <= _MOST_LINES:
                self._console.print(f"{'-' if problem.left_out else '!'} {problem}", markup=False, soft_wrap=True)
            elif self._lines == _MOST_LINES + 1:
                self._console.print("  ... and more; --json lists the first thousand.", markup=False)
        so_far = progress.so_far
        counted = f"{so_far.files} files done · {so_far.documents} documents · {so_far.skipped} already there"
        if so_far.unreadable:
            counted += f" · {so_far.unreadable} could not be read"
        self._status.update(counted)

    def interrupted(self) -> None:
        """Say what stays after Ctrl-C."""
        self._status.stop()
        self._console.print(
            f"Stopped. {self._committed} documents were added to {self._name} and stay; "
            "the same command goes on from there.",
            markup=False,
            soft_wrap=True,
        )


class EmbeddingDisplay(_Display):
    """Progress of making documents findable by meaning, on standard error; live on a terminal only."""

    def __init__(self, name: str) -> None:
        self._name = name
        super().__init__(f"Reading the meaning of what is in {name} ...")
        self._far: Embedded | None = None

    def show(self, far: Embedded) -> None:
        """Take note of how far it has come."""
        if self._far is None and far.replaced:
            self._say(f"{self._name} had the vectors of {far.replaced}; they are made anew by {far.encoder}.")
        self._far = far
        self._status.update(f"{far.by_meaning:,} of {far.documents:,} documents also by meaning · {far.left:,} left")

    def without(self, why: str) -> None:
        """Say that it is left at the words."""
        self._say(f"Documents are found by their words alone. {why}")

    def interrupted(self) -> None:
        """Say what stays after Ctrl-C."""
        self._status.stop()
        done = self._far.by_meaning if self._far else 0
        self._say(
            f"Stopped. Everything can be found by words, {done:,} documents also by meaning; "
            f"`inquest collection embed {self._name}` goes on from there."
        )

    def _say(self, sentence: str) -> None:
        self._console.print(sentence, markup=False, soft_wrap=True)
