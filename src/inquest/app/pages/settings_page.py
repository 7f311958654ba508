"""What is set up here, for a person: engines with what is left of their quotas, models, and keys that are given and
never shown."""

from __future__ import annotations

import asyncio
import csv
import io
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inquest.app.pages.new_case import Price, price_of
from inquest.app.service.dispatching import case_work
from inquest.app.settings import ROLES
from inquest.app.settings_file import set_line
from inquest.app.tools.local_models import in_use, keep, with_keys
from inquest.app.wiring.case_services import ModelServer, model_servers
from inquest.app.wiring.model_services import providers
from inquest.app.wiring.resources import open_resources
from inquest.app.work.queue import queue_metrics
from inquest.domain.errors import EngineKeyRefused, EngineUnavailable, InputError, InquestError
from inquest.domain.search import EngineKind
from inquest.store import account_of
from inquest.store.case_figures import service_figures
from inquest.store.quotas import Quotas
from inquest.text.regex import regex

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_LONGEST = 2_000
_DOMAIN = regex(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
_KEY = regex(r"[\x21-\x7e]+")


@dataclass(frozen=True)
class EngineRow:
    """A search engine: what it lacks, '' where it is ready, and its calls of this day and month."""

    name: str
    title: str
    kinds: tuple[str, ...]
    lacks: str
    key: str
    """The name of the key it takes; '': none."""
    has_key: bool
    untested: bool
    """A key is kept that could not be tested; nothing uses it."""
    used: tuple[int, int]
    per_day: int | None
    per_month: int | None


@dataclass(frozen=True)
class Tried:
    """What a question to an engine came to, in a sentence."""

    name: str
    ok: bool
    says: str


@dataclass(frozen=True)
class SettingsPage:
    """What is set up here."""

    engines: tuple[EngineRow, ...]
    models: tuple[tuple[str, str, Price | None], ...]
    """Each role that has a model of its own, with the model and its price."""
    model: str
    """The model of every role that has no other; '': the local analyst."""
    price: Price | None
    """Of that model; None: no list has it."""
    over: str
    """The setting that names it and wins over a choice made here; '': none."""
    untested: str
    """A choice that could not be tested; nothing uses it."""
    servers: tuple[ModelServer, ...]
    """Model servers of this machine."""
    providers: tuple[tuple[str, str], ...]
    """Who can be chosen, each by its name in settings and its title."""
    local: tuple[tuple[str, str], ...]
    """Each kind of small model with what is used."""
    collections: int
    ratings: str = ""
    """The name of the user's own file of ratings; '': none."""
    tried: Tried | None = None


async def settings_page(app: Resources, tried: Tried | None = None) -> SettingsPage:
    """All of it. Raises StorageError, SettingError."""
    quotas, now = Quotas(await app.database()), app.clock.now()
    rows = []
    for name, engine in app.engines.items():
        if EngineKind.OWN in engine.spec.kinds:
            continue
        limits = app.settings.limits(engine.spec)
        rows.append(
            EngineRow(
                name=name,
                title=engine.spec.title,
                kinds=tuple(kind.value for kind in engine.spec.kinds),
                lacks=engine.lacks() or "",
                key=engine.spec.key or "",
                has_key=bool(engine.access.key),
                untested=engine.spec.key in app.settings.untested,
                used=await quotas.used(name, account_of(engine.access.key), at=now),
                per_day=limits.per_day,
                per_month=limits.per_month,
            )
        )
    await app.collections.refresh()
    return SettingsPage(
        engines=tuple(rows),
        models=tuple(
            (role, own, price_of(own))
            for role in ROLES
            if (own := app.settings.model_for(role)) and own != app.settings.model
        ),
        model=app.settings.model or "",
        price=price_of(app.settings.model) if app.settings.model else None,
        over=app.settings.chosen.over,
        untested=app.settings.untested.get("model", ""),
        servers=await model_servers(app),
        providers=providers(),
        local=tuple((kind, in_use(app.settings, kind).sentence) for kind in ("stance", "sentences")),
        collections=len(app.collections.names()),
        ratings=app.settings.ratings.name if app.settings.ratings else "",
        tried=tried,
    )


async def give_key(app: Resources, name: str, value: str) -> Tried:
    """Ask the engine once with this key, and keep it in this data folder's settings; as untested, and used by nothing,
    where the engine cannot be reached; not at all where the key is refused. It is never shown again. Raises InputError
    for an engine without a key or a text that is none, SettingError."""
    engine = app.engines.get(name)
    if engine is None or not engine.spec.key:
        raise InputError(f"There is no engine '{name[:80]}' that takes a key.")
    given = value.strip()
    if not _KEY.fullmatch(given) or len(given) > _LONGEST:
        raise InputError("That is no key.", advice="Paste it as the service shows it, without spaces.", field="key")
    setting, settings = engine.spec.key, app.settings
    async with open_resources(with_keys(settings, {setting: given}), clock=app.clock) as alone:
        tried, kind = await _tried(alone, name)
    if kind != EngineKeyRefused.__name__:
        keep(app, {setting: given}, usable=kind != EngineUnavailable.__name__)
    return tried


async def import_ratings(app: Resources, content: bytes) -> int:
    """Keep a CSV of ratings in the data folder and have sources rated by it from now on; how many domains it rates.
    Raises InputError, with the line, where it is no such table; SettingError."""
    from inquest.collection.library import rated_domains

    folder = app.settings.home
    part, kept = folder / ".ratings.csv", folder / "ratings.csv"
    try:
        await asyncio.to_thread(part.write_bytes, content)
        number = await asyncio.to_thread(rated_domains, part)
        part.replace(kept)
    finally:
        part.unlink(missing_ok=True)
    set_line(folder / "inquest.toml", "ratings", str(kept))
    app.use_settings(app.settings.model_copy(update={"ratings": kept}))
    return number


async def overrule_rating(app: Resources, domain: str, score: str, reason: str) -> str:
    """Have one source rated as a person says, over the table and over a file that was imported; the domain as it is
    kept. Raises InputError where the domain or the score is none, SettingError."""
    name = domain.strip().lower().removeprefix("https://").removeprefix("http://").split("/")[0].removeprefix("www.")
    if not _DOMAIN.fullmatch(name):
        raise InputError(f"'{domain[:80]}' is no domain.", advice="Write it like example.org.", field="domain")
    if not score.strip().isdigit() or int(score) > 100:
        raise InputError(f"'{score[:20]}' is no score.", advice="Give a whole number from 0 to 100.", field="score")
    kept = app.settings.ratings
    before = await asyncio.to_thread(kept.read_text, "utf-8-sig") if kept and kept.exists() else "domain,score\n"
    rows = list(csv.DictReader(io.StringIO(before)))
    rows = [row for row in rows if (row.get("domain") or "").strip().lower() != name]
    rows.append({"domain": name, "score": score.strip(), "reason": " ".join(reason.split())[:_LONGEST]})
    names = list(dict.fromkeys(("domain", "score", *(key for row in rows for key in row if key))))
    written = io.StringIO()
    table = csv.DictWriter(written, names, restval="", extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    await import_ratings(app, written.getvalue().encode())
    return name


async def try_by_name(app: Resources, name: str) -> Tried:
    """One live question to the engine, with a key that is kept as untested if there is one, and what came of it. Raises
    InputError for a name that is no engine's."""
    engine = app.engines.get(name)
    if engine is None:
        raise InputError(f"There is no engine '{name[:80]}'.")
    if kept := app.settings.untested.get(engine.spec.key or ""):
        return await give_key(app, name, kept)
    return (await _tried(app, name))[0]


async def _tried(app: Resources, name: str) -> tuple[Tried, str]:
    """What came of a question to the engine, and the kind of what went wrong; '': nothing."""
    from inquest.app.tools.doctor import try_engine

    try:
        said: dict[str, Any] = await try_engine(app, name)
    except InquestError as error:
        return Tried(name, False, str(error)), type(error).__name__
    if said["ok"]:
        return Tried(name, True, f"{said['title']} answered with {len(said['hits'])} hits."), ""
    wrong = said.get("error") or {}
    return Tried(name, False, str(wrong.get("message") or wrong)), str(wrong.get("kind", ""))


@dataclass(frozen=True)
class StatusPage:
    """Figures of this moment."""

    at_work: tuple[str, ...]
    """Ids of the cases that are worked on or wait for their turn."""
    stuck: tuple[str, ...]
    """Ids of cases that say they run and that nobody holds."""
    database: str
    free_megabytes: int
    cases: Mapping[str, int]
    """How many there are by status."""
    waiting: int
    """Cases handed in that nobody works on yet."""
    oldest_seconds: float
    """Since when the one that waits longest does."""
    workers: int | None
    """Of a server with workers, those that gave a sign of life lately; None: it works by itself."""


async def status_page(app: Resources) -> StatusPage:
    """All of it. Raises StorageError."""
    store, database = await app.store(), await app.database()
    counted = await service_figures(database)
    workers = (await queue_metrics(database)).get("workers")
    return StatusPage(
        at_work=tuple(await (await case_work(app)).unfinished()),
        stuck=tuple(await store.abandoned()),
        database=database.where,
        free_megabytes=shutil.disk_usage(app.settings.home).free // 2**20,
        cases={name: int(many) for name, many in counted["cases"].items()},
        waiting=int(counted["jobs"]["waiting"]),
        oldest_seconds=counted["longest_wait_seconds"][""],
        workers=int(sum(workers[1].values())) if workers else None,
    )
