"""The settings page and the status page: engines with quotas, models, keys (write-only), ratings, server figures."""

from __future__ import annotations

import asyncio
import csv
import io
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inquest.app.files import replacing
from inquest.app.pages.new_case import EngineOffer, engine_offers, price_of
from inquest.app.service.dispatching import case_work
from inquest.app.settings import LOCAL, ROLES
from inquest.app.settings_file import set_line
from inquest.app.tools.local_models import in_use, keep, with_keys
from inquest.app.wiring.model_services import model_servers, providers
from inquest.app.wiring.resources import open_resources
from inquest.app.work.queue import queue_metrics
from inquest.domain.errors import EngineKeyRefused, EngineUnavailable, InputError, InquestError
from inquest.store import account_of
from inquest.store.case_figures import service_figures
from inquest.store.quotas import Quotas
from inquest.text.phrases import count
from inquest.text.regex import regex

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_LONGEST = 2_000
_DOMAIN = regex(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
_KEY = regex(r"[\x21-\x7e]+")


@dataclass(frozen=True)
class EngineRow(EngineOffer):
    """A search engine with its key and quota. `used`: calls of this day and month."""

    key: str
    """The name of its key; '': needs none."""
    has_key: bool
    untested: bool
    """True for a stored key that could not be tested and is not used."""
    used: tuple[int, int]
    per_day: int | None
    per_month: int | None


@dataclass(frozen=True)
class Tried:
    """The result of a trial query to an engine, in a sentence."""

    name: str
    title: str
    ok: bool
    says: str


async def settings_page(app: Resources, tried: Tried | None = None) -> dict[str, Any]:
    """Return what the settings page shows. Raises StorageError, SettingError."""
    settings, quotas, now = app.settings, Quotas(await app.database()), app.clock.now()
    rows = []
    for offer in engine_offers(app):
        engine = app.engines[offer.name]
        limits = settings.limits(engine.spec)
        rows.append(
            EngineRow(
                **vars(offer),
                key=engine.spec.key or "",
                has_key=bool(engine.access.key),
                untested=engine.spec.key in settings.untested,
                used=await quotas.used(offer.name, account_of(engine.access.key), at=now),
                per_day=limits.per_day,
                per_month=limits.per_month,
            )
        )
    await app.collections.refresh()
    own = {role: settings.model_for(role) for role in ROLES}
    return {
        "engines": rows,
        "models": [  # roles with a model of their own
            (role, name or LOCAL, price_of(name) if name else None)
            for role, name in own.items()
            if name != settings.model
        ],
        "model": settings.model or "",  # '': the local analyst
        "price": price_of(settings.model) if settings.model else None,
        "over": settings.chosen.over,  # the setting that overrides a choice made here
        "untested": settings.untested.get("model", ""),
        "servers": await model_servers(app.clock),
        "providers": providers(),
        "local": [(kind, in_use(settings, kind).sentence) for kind in ("stance", "sentences")],
        "collections": len(app.collections.names()),
        "ratings": settings.ratings.name if settings.ratings else "",
        "tried": tried,
    }


async def give_key(app: Resources, name: str, value: str) -> Tried:
    """Test a key with one query and store it in this data folder: as untested and unused if the engine cannot be
    reached, not at all if it refuses the key. Raises InputError for an engine without a key or an invalid key,
    SettingError."""
    engine = app.engine(name)
    if not engine.spec.key:
        raise InputError(f"The engine {name} needs no key.")
    key = value.strip()
    if not _KEY.fullmatch(key) or len(key) > _LONGEST:
        raise InputError(
            "Invalid key.", advice="Paste it exactly as the service shows it, without spaces.", field="key"
        )
    keys = {engine.spec.key: key}
    async with open_resources(with_keys(app.settings, keys), clock=app.clock) as trial:
        tried, kind = await _tried(trial, name)
    if kind != EngineKeyRefused.__name__:
        keep(app, keys, usable=kind != EngineUnavailable.__name__)
    return tried


async def import_ratings(app: Resources, content: bytes) -> int:
    """Store a CSV of ratings in the data folder and rate sources by it from now on; returns the number of domains.
    Raises InputError naming the invalid line, SettingError."""
    from inquest.collection.library import rated_domains

    kept = app.settings.home / "ratings.csv"
    with replacing(kept) as part:
        await asyncio.to_thread(part.write_bytes, content)
        number = await asyncio.to_thread(rated_domains, part)
    set_line(app.settings.home / "inquest.toml", "ratings", str(kept))
    app.use_settings(app.settings.model_copy(update={"ratings": kept}))
    return number


async def overrule_rating(app: Resources, domain: str, score: str, reason: str) -> str:
    """Set the rating of one domain, over all others; return the normalised domain. Raises InputError, SettingError."""
    name = domain.strip().lower().removeprefix("https://").removeprefix("http://").split("/")[0].removeprefix("www.")
    if not _DOMAIN.fullmatch(name):
        raise InputError(f"Invalid domain '{domain[:80]}'.", advice="Write it like example.org.", field="domain")
    if not score.strip().isdigit() or int(score) > 100:
        raise InputError(f"Invalid score '{score[:20]}': expected a whole number from 0 to 100.", field="score")
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
    """Send a live query to the engine, with its untested key if there is one. Raises InputError for an unknown one."""
    if kept := app.settings.untested.get(app.engine(name).spec.key or ""):
        return await give_key(app, name, kept)
    return (await _tried(app, name))[0]


async def _tried(app: Resources, name: str) -> tuple[Tried, str]:
    """Send one query; returns its result and the class name of the error, '' on success."""
    from inquest.app.tools.doctor import try_engine

    try:
        trial: dict[str, Any] = await try_engine(app, name)
    except InquestError as error:
        return Tried(name, app.engines[name].spec.title, False, str(error)), type(error).__name__
    if trial["ok"]:
        return Tried(name, trial["title"], True, f"It answered with {count(len(trial['hits']), 'hit')}."), ""
    wrong = trial.get("error") or {}
    return Tried(name, trial["title"], False, str(wrong.get("message") or wrong)), str(wrong.get("kind", ""))


async def status_page(app: Resources) -> dict[str, Any]:
    """Return the current figures of the server. Raises StorageError."""
    database = await app.database()
    counted = await service_figures(database)
    workers = (await queue_metrics(database)).get("workers")
    return {
        "at_work": await (await case_work(app)).unfinished(),  # ids of cases that are running or queued
        "stuck": await (await app.store()).interrupted(),  # ids of running cases that no process works on
        "database": database.where,
        "free_megabytes": shutil.disk_usage(app.settings.home).free // 2**20,
        "cases": {name: int(many) for name, many in counted["cases"].items()},
        "waiting": int(counted["jobs"]["waiting"]),
        "oldest_seconds": counted["longest_wait_seconds"][""],
        "workers": int(sum(workers[1].values())) if workers else None,  # None: the server works on cases itself
    }
