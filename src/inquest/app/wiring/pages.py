"""Pages: fetched or loaded from an address, archived and read."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing, suppress
from functools import partial, reduce
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from inquest.app.files import is_there
from inquest.app.settings import Settings
from inquest.collection.bytes_in import is_web_archive
from inquest.domain.document import PAGE_GONE, Document, Snapshot
from inquest.domain.errors import (
    EngineError,
    EngineFormat,
    FileUnreadable,
    InputError,
    NotFound,
    NotRecorded,
    PageError,
    PageRefused,
    PageTooLarge,
    PageUnavailable,
    PageUnreadable,
    SettingError,
)
from inquest.domain.reasons import Reason, coded, noted, with_advice
from inquest.domain.report import Cost
from inquest.domain.search import Hit
from inquest.kit.discover import discover
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.kit.files import MARK, Part, PartProblem, endings, split_part
from inquest.kit.ports import Archive, Clock, HttpClient
from inquest.kit.reader import Reader
from inquest.kit.second_reader import Copy, SecondReader
from inquest.net.guard import Forbidden, Guard
from inquest.net.outside import timed_out
from inquest.net.redaction import PLACEHOLDER
from inquest.sources.noise import NOT_TECHNICAL, looks_blocked
from inquest.text.urls import is_web_url, with_scheme

_MALFORMED = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


def _kinds() -> dict[str, type[SecondReader]]:
    # mypy: `discover` takes an abstract class and returns only concrete ones.
    return {kind.name: kind for kind in discover("inquest.second_readers", SecondReader)}  # type: ignore[type-abstract]


def made_readers(settings: Settings) -> Mapping[str, SecondReader]:
    """The second readers of the settings, in order. Raises SettingError for an unknown name."""
    kinds = _kinds() if settings.second_readers else {}
    for name in settings.second_readers:
        if name not in kinds:
            raise SettingError(
                f"INQUEST_SECOND_READERS names '{name}', which does not exist.",
                advice=f"Write none, or any of {', '.join(sorted(kinds))}.",
            )
    return {name: kinds[name](settings.key(kinds[name].key)) for name in settings.second_readers}


def readers_of_a_replay() -> Mapping[str, SecondReader]:
    """Every second reader, with and without a key; only those that the case used are in its recording."""
    made: dict[str, SecondReader] = {}
    for name, kind in _kinds().items():
        made[name] = kind(None)
        if kind.key:
            made[f"{name} with a key"] = kind(PLACEHOLDER)
    return made


async def counted(door: HttpClient, spend: Callable[[Cost], None], request: Request, label: str) -> Reply:
    """The reply of a service, which counts as a search unless it is recorded."""
    reply = await door.fetch(request, purpose=Purpose.ENGINE, label=label)
    if not reply.recorded:
        spend(Cost(search_calls=1))
    return reply


class SecondTries:
    """Tries second readers for a page, one after the other, until one has it."""

    def __init__(
        self,
        readers: Iterable[SecondReader],
        door: HttpClient,
        *,
        allow_hosts: Iterable[str] = (),
        spend: Callable[[Cost], None] = lambda cost: None,
    ) -> None:
        """`door`: the case's client, with its budget and recording; `allow_hosts`: the user's own hosts, whose pages
        are not requested elsewhere."""
        self._readers, self._door, self._spend = tuple(readers), door, spend
        self._guard = Guard(allow_hosts)

    async def copies(self, url: str, error: PageError, words: list[Reason]) -> AsyncGenerator[Copy, None]:
        """Yield copies of a page that failed with this error, at most one per reader; a reader is asked only after the
        previous copies were rejected. Failed attempts are appended to `words`. Raises BudgetMet."""
        for reader in self._readers_for(url, error):
            try:
                copy = await self._driven(reader, url)
            except NotRecorded:
                continue  # a replay: the case did not use it
            except EngineError:
                words.append(Reason(code="outages.copy_not_asked", data={"name": reader.title}))
                continue
            if copy is not None:
                yield copy
            words.append(Reason(code="outages.no_copy", data={"name": reader.title}))

    def _readers_for(self, url: str, error: PageError) -> list[SecondReader]:
        barred = isinstance(error, PageRefused) and error.technical
        # Archives answer one question a second, which slow pages would use up.
        gone = isinstance(error, PageUnavailable) and not timed_out(error)
        throttled = isinstance(error, PageUnavailable) and error.status == 429
        if not (barred or gone) or not self._is_public(url):
            return []
        return [reader for reader in self._readers if barred or throttled or reader.keeps_what_is_gone]

    def _is_public(self, url: str) -> bool:
        try:
            return not self._guard.place(url).own
        except Forbidden:
            return False

    async def _driven(self, reader: SecondReader, url: str) -> Copy | None:
        conversation = reader.ask(url)
        try:
            step = _next(reader, partial(next, conversation))
            while isinstance(step, Request):
                reply = await counted(self._door, self._spend, step, reader.name)
                step = _next(reader, partial(conversation.send, reply))
            return step
        finally:
            conversation.close()


def _next(reader: SecondReader, step: Callable[[], Request]) -> Request | Copy | None:
    """The reader's next request or its result. Only its code runs here, so an error means a malformed reply."""
    try:
        return step()
    except StopIteration as end:
        found: Copy | None = end.value
        return found
    except _MALFORMED as error:
        raise EngineFormat(reader.name, f"{reader.title} sent a reply in an undocumented form.") from error


MAX_FILE_BYTES = 200 * 1024 * 1024
"""The limit for the user's own files, larger than that for web pages."""
_FILE_ENDINGS = frozenset((*endings(), ".gz", ".doc", ".xls", ".ppt", ".dat", ".url"))
"""File name extensions. For those that are also top-level domains, a URL needs its scheme."""
PickReader = Callable[[str, bytes, str], Reader]


def sha256(body: bytes) -> str:
    """The key of these bytes in the archive."""
    return "sha256:" + hashlib.sha256(body).hexdigest()


class ReadPages:
    """kit.ports.Pages over a door, an archive and the readers."""

    def __init__(
        self,
        door: HttpClient | None,
        archive: Archive,
        pick: PickReader,
        clock: Clock,
        spend: Callable[[Cost], None] = lambda cost: None,
        second: SecondTries | None = None,
    ) -> None:
        """`door`: None for documents on this machine only. `spend` is charged with every page fetched and not recorded.
        `second`: other services for pages that are gone or refuse access."""
        self._door, self._archive, self._pick, self._clock, self._spend = door, archive, pick, clock, spend
        self._second = second

    async def read(self, url: str, *, hit: Hit | None = None) -> tuple[Snapshot, Document]:
        """Fetch, archive and read a page; a hit with a snapshot is read from the archive. Raises PageError."""
        if hit is not None and hit.snapshot:
            return await self._archived(hit.snapshot, hit.url)
        path = local_path(url)
        if path is not None:
            return await self.read_file(path)
        if self._door is None:
            raise PageUnavailable(url, f"{url} is not on this machine.")
        try:
            reply = await self._door.fetch(Request(url=url), purpose=Purpose.PAGE, label="page")
            if not reply.recorded:
                self._spend(Cost(page_reads=1))
            return await self.keep(reply, url)
        except (PageRefused, PageUnavailable) as error:
            if self._second is None:
                raise
            snapshot, document = await self._elsewhere(url, error, self._second)
            if isinstance(error, PageUnavailable) and error.is_gone:
                notes = noted((*coded(document.notes, document.note_codes), Reason(code=PAGE_GONE)))
                document = document.model_copy(update=notes)
            return snapshot, document

    async def archived_copy(self, url: str) -> tuple[Snapshot, Document] | None:
        """Return a copy of the page from the services that keep old pages, or None without such services."""
        if self._second is None:
            return None
        gone = PageUnavailable(url, f"No archive has a copy of {url}.", status=404)
        return await self._elsewhere(url, gone, self._second)

    async def _elsewhere(
        self, url: str, error: PageRefused | PageUnavailable, second: SecondTries
    ) -> tuple[Snapshot, Document]:
        """Return another service's copy of the page under the page's address. Raises the error with the attempts."""
        words: list[Reason] = []
        async with aclosing(second.copies(url, error, words)) as copies:
            async for copy in copies:
                try:
                    snapshot, document = await self.keep(copy.reply, url, provenance=copy.provenance)
                except PageError:
                    continue  # the copy shows the barrier, too, or has no text
                if not document.text.strip():
                    continue
                if not copy.reply.recorded:
                    self._spend(Cost(page_reads=1))
                return snapshot, document.model_copy(
                    update=noted((copy.note, *coded(document.notes, document.note_codes)))
                )
        if not words:
            raise error
        advice = reduce(with_advice, words, error.advised) if error.advised else reduce(with_advice, words)
        again = type(error)(error.who, error.said, advice=advice, status=error.status, technical=error.technical)
        raise again from error

    async def read_file(self, path: Path, *, by_name: bool = False) -> tuple[Snapshot, Document]:
        """Archive and read a file. `by_name`: keep its name without its folder, which is temporary. Raises InputError
        for a missing file, PageError for one without text."""
        file, number = (path, "") if is_there(path) else split_part(str(path))
        if is_web_archive(file):
            raise InputError(
                f"{file.name} is a web archive with many pages.",
                advice=f"Add them to a collection: `inquest collection add NAME {file}`.",
            )
        body, url = await asyncio.to_thread(_load, file)
        if by_name:
            url = f"file:///{quote(file.name)}"
        part = await asyncio.to_thread(_part, body, file.name, number)
        url = part.address(url)
        snapshot = Snapshot(
            hash=sha256(part.body),
            url=url,
            final_url=url,
            content_type=part.content_type,
            retrieved_at=self._clock.now(),
            size=len(part.body),
            provenance="file",
            parent=part.parent,
        )
        await self._archive.put(part.body, snapshot)
        try:
            return snapshot, await self.document(part.body, snapshot)
        except PageUnreadable as error:  # name the file, not its URL
            raise FileUnreadable(
                url, str(error).replace(url, path.name if by_name else str(path)), advice=error.advice
            ) from error

    async def keep(self, reply: Reply, asked: str, *, provenance: str = "fetched") -> tuple[Snapshot, Document]:
        """Archive and read the reply for a page. `provenance`: the origin of a copy that is kept under the page's
        address. Raises PageError."""
        snapshot = Snapshot(
            hash=sha256(reply.body),
            url=asked,
            final_url=reply.url if provenance == "fetched" else asked,
            status=reply.status,
            content_type=reply.content_type,
            headers=reply.headers,
            retrieved_at=reply.at,
            size=len(reply.body),
            provenance=provenance,
        )
        await self._archive.put(reply.body, snapshot)
        document = await self.document(reply.body, snapshot)
        why = looks_blocked(reply.status, dict(reply.headers), reply.text(), document.text)
        if why:
            # Copies may be read despite a block on robots, but not around a login, a payment or a legal block.
            barrier = Reason.of("outages.barrier", url=asked, why=why)
            raise PageRefused(asked, barrier, technical=why.code not in NOT_TECHNICAL)
        return snapshot, document

    async def document(self, body: bytes, snapshot: Snapshot) -> Document:
        """The text of archived bytes, extracted once and stored."""
        kept = await self._archive.document(snapshot.hash)
        if kept is None:
            reader = self._pick(snapshot.content_type, body, snapshot.final_url)
            made = await asyncio.to_thread(reader.read, body, snapshot)
            kept = await self._archive.put_document(made.model_copy(update={"parent": snapshot.parent}))
        return kept.model_copy(update={"url": snapshot.final_url, "parent": snapshot.parent})

    async def _archived(self, snapshot_hash: str, url: str) -> tuple[Snapshot, Document]:
        try:
            snapshot = await self._archive.snapshot(snapshot_hash)
            document = await self._archive.document(snapshot_hash)
            if document is None:
                document = await self.document(await self._archive.body(snapshot_hash), snapshot)
        except NotFound as error:
            raise PageUnavailable(
                url, f"{url} is in a collection, but its bytes are no longer in the archive.", advice="Add it again."
            ) from error
        return snapshot, document.model_copy(update={"url": url, "parent": snapshot.parent})


def _load(path: Path) -> tuple[bytes, str]:
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder.", advice="Use `inquest collection add` for folders.")
        megabytes = path.stat().st_size // 2**20
        if megabytes > MAX_FILE_BYTES // 2**20:
            raise PageTooLarge(str(path), f"{path.name} has {megabytes} MB; the limit is {MAX_FILE_BYTES // 2**20} MB.")
        return path.read_bytes(), path.absolute().as_uri()
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.", advice="Check the path.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from error


def _part(body: bytes, name: str, number: str) -> Part:
    """The part with this number, or the file itself for ''. Raises InputError for a missing part and an archive."""
    from inquest.readers.containers import is_archive, parts_of

    if not number and not is_archive(body, name):
        return Part("", name, "", body)
    found = list(parts_of(body, name))
    for each in found:
        if number and each.number == number:
            if isinstance(each, Part):
                return each
            raise InputError(f"{each.where} in {name} {each.why}.")
    documents = [each for each in found if isinstance(each, Part) and each.number]
    some = ", ".join(f"{name}{MARK}{each.number} ({each.where})" for each in documents[:3])
    if number:
        raise InputError(f"{name} has no part {number}.", advice=some and f"It has {some}, ...")
    why = next((f"{each.where} {each.why}".strip() for each in found if isinstance(each, PartProblem)), "is empty")
    if not documents:
        raise InputError(f"{name} contains no readable document: {why}.")
    raise InputError(
        f"{name} contains {len(documents)} document{'s' if len(documents) > 1 else ''}; one can be read at a time.",
        advice=f"Name one, such as {some}, or add all to a collection: `inquest collection add NAME {name}`.",
    )


def parts_in(path: Path) -> list[Part | PartProblem]:
    """The numbered parts of a message or archive on this machine. Raises InputError."""
    from inquest.readers.containers import parts_of

    body, _ = _load(path)
    return [each for each in parts_of(body, path.name) if each.number]


def page_address(text: str) -> str:
    """The address of a page as a user writes it, with its scheme. Raises InputError."""
    url = with_scheme(text)
    if not is_web_url(url):
        raise InputError(f"'{text}' is neither a file nor a web address.", advice="Check its spelling.")
    return url


def local_path(text: str) -> Path | None:
    """The path meant by a user's 'URL or file'; None for a URL."""
    if text.startswith("file://"):
        address = urlsplit(text)
        part = f"#{address.fragment}" if f"#{address.fragment}".startswith(MARK) else ""
        return Path(unquote(f"{address.path}{part}"))
    if "://" in text:
        return None
    path = Path(text)
    means_a_file = text.startswith(("/", "./", "../", "~")) or "." not in text.split("/")[0]
    with suppress(RuntimeError):  # unknown home folder
        path = path.expanduser()
    return path if means_a_file or is_there(path) or split_part(text)[0].suffix.lower() in _FILE_ENDINGS else None
