"""Second tries: a page that bars us or is gone is asked of others, as far as that is right and the user wants it.

What a site forbids is left alone: robots.txt, logins, paywalls and the law are no technical trouble. Addresses inside
the user's network are told to nobody.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from functools import partial

from inquest.app.settings import Settings
from inquest.domain.errors import (
    EngineError,
    EngineFormat,
    NotRecorded,
    PageError,
    PageRefused,
    PageUnavailable,
    SettingError,
)
from inquest.domain.report import Cost
from inquest.kit.discover import discover
from inquest.kit.exchange import Purpose, Request
from inquest.kit.ports import HttpClient
from inquest.kit.second_reader import Copy, SecondReader
from inquest.net.guard import Forbidden, Guard

_MALFORMED = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


def _kinds() -> dict[str, type[SecondReader]]:
    # mypy: an abstract class is asked for on purpose; only concrete ones come back.
    return {kind.name: kind for kind in discover("inquest.second_readers", SecondReader)}  # type: ignore[type-abstract]


def made_readers(settings: Settings) -> Mapping[str, SecondReader]:
    """The second readers that the settings name, in their order. Raises SettingError for a name that is none's."""
    kinds = _kinds() if settings.second_readers else {}
    for name in settings.second_readers:
        if name not in kinds:
            raise SettingError(
                f"INQUEST_SECOND_READERS names '{name}', which does not exist.",
                advice=f"Write none, or some of: {', '.join(sorted(kinds))}.",
            )
    return {name: kinds[name](settings.key(kinds[name].key)) for name in settings.second_readers}


def readers_of_a_replay() -> Mapping[str, SecondReader]:
    """Every second reader, with and without a key: the recording knows which of them the case asked."""
    from inquest.net.redaction import PLACEHOLDER

    made: dict[str, SecondReader] = {}
    for name, kind in _kinds().items():
        made[name] = kind(None)
        if kind.key:
            made[f"{name} with a key"] = kind(PLACEHOLDER)
    return made


class SecondTries:
    """Asks the second readers for one page, one after the other, until one has it."""

    def __init__(
        self,
        readers: Iterable[SecondReader],
        door: HttpClient,
        *,
        allow_hosts: Iterable[str] = (),
        spend: Callable[[Cost], None] = lambda cost: None,
    ) -> None:
        """`door`: the case's, so that budget, recording and replay hold as for every request; `allow_hosts`: the user's
        own hosts, whose pages are asked of nobody else."""
        self._readers, self._door, self._spend = tuple(readers), door, spend
        self._guard = Guard(allow_hosts)

    async def copies(self, url: str, error: PageError, words: list[str]) -> AsyncGenerator[Copy, None]:
        """Copies that may stand in for a page that met this error, one per reader; the next is asked for only if the
        one before would not do. `words` is added to: what was tried in vain. Raises BudgetMet."""
        for reader in self._readers_for(url, error):
            try:
                copy = await self._driven(reader, url)
            except NotRecorded:
                continue  # a replay: the case did not ask it
            except EngineError:
                words.append(f"{reader.title} could not be asked for it.")
                continue
            if copy is not None:
                yield copy
            words.append(f"{reader.title} has no copy of it that can be read.")

    def _readers_for(self, url: str, error: PageError) -> list[SecondReader]:
        barred = isinstance(error, PageRefused) and error.technical
        gone = isinstance(error, PageUnavailable)
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
                reply = await self._door.fetch(step, purpose=Purpose.ENGINE, label=reader.name)
                if not reply.recorded:
                    self._spend(Cost(search_calls=1))
                step = _next(reader, partial(conversation.send, reply))
            return step
        finally:
            conversation.close()


def _next(reader: SecondReader, step: Callable[[], Request]) -> Request | Copy | None:
    """The reader's next request, or what it found. Only its own code runs here, so that whatever is malformed is the
    reply's doing."""
    try:
        return step()
    except StopIteration as end:
        found: Copy | None = end.value
        return found
    except _MALFORMED as error:
        raise EngineFormat(
            reader.name, f"{reader.title} answered something that is not its documented form."
        ) from error
