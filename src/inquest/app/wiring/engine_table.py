"""The engines there are, as the settings make them, and the table that says so."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from inquest.app.settings import EngineSetting, Settings, load_settings
from inquest.app.wiring.registries import tables_in
from inquest.domain.errors import SettingError
from inquest.kit.engine import Engine, EngineAccess

if TYPE_CHECKING:
    from inquest.kit.reranker import Reranker


def made_engines(settings: Settings) -> dict[str, Engine]:
    """Every engine by name, with what the settings say about it."""
    from inquest.kit.discover import engines

    found, tables = engines("inquest.engines"), tables_in(settings.home)
    for name, said in settings.engine.items():
        limited = said.model_copy(update={"url": None}) != EngineSetting()
        if limited and name not in found and name not in _reranker_labels(name):
            raise SettingError(
                f"There is no engine '{name}' whose limits could be set.",
                advice=f"Engines: {', '.join(sorted(found))}.",
            )
    return {
        name: kind(
            EngineAccess(
                key=settings.key(kind.spec.key),
                url=settings.address(kind.spec),
                account=settings.key(kind.spec.account_setting),
                second_key=settings.key(kind.spec.second_key),
                contact=settings.contact,
                tables=tables,
            )
        )
        for name, kind in found.items()
    }


def _reranker_labels(name: str) -> set[str]:
    """The names of rerankers' limits; they are looked for only where a name has their form."""
    if not name.endswith("_reranker"):
        return set()
    from inquest.net.reranking import label_of

    return {label_of(each) for each in reranker_kinds()}


def other_ways(engines: Mapping[str, Engine]) -> dict[str, Engine]:
    """For a replay: each engine that can do without its key, without the one that is set now, or as if one were. Such
    a case is replayed on a machine that has another key, or none."""
    from inquest.net.redaction import PLACEHOLDER

    return {
        name: type(engine)(engine.access.model_copy(update={"key": None if engine.access.key else PLACEHOLDER}))
        for name, engine in engines.items()
        if engine.spec.key and engine.spec.key_optional
    }


def engine_table() -> list[dict[str, Any]]:
    """The rows of `inquest engines`."""
    rows = []
    settings = load_settings()
    for name, engine in made_engines(settings).items():
        spec, limits = engine.spec, settings.limits(engine.spec)
        rows.append(
            {
                "name": name,
                "title": spec.title,
                "kinds": [kind.value for kind in spec.kinds],
                "ready": engine.lacks() is None,
                "lacks": engine.lacks(),
                "key": spec.key,
                "per_second": limits.per_second,
                "per_day": limits.per_day,
                "per_month": limits.per_month,
                "concurrency": limits.concurrency,
                "timeout": limits.timeout,
                "usd_per_call": spec.usd_per_call,
                "filters": [
                    what
                    for what, does in (
                        ("time", spec.filters_time),
                        ("domains", spec.filters_domains),
                        ("language", spec.filters_language),
                    )
                    if does
                ],
                "documentation": spec.documentation,
            }
        )
    return rows


@lru_cache(maxsize=1)
def reranker_kinds() -> dict[str, type[Reranker]]:
    """Every reranker class by name, the local one first."""
    from inquest.kit.reranker import rerankers

    return rerankers("inquest.rerankers")


def local_reranker() -> Reranker:
    """The one that needs nothing."""
    from inquest.kit.reranker import LOCAL

    return reranker_kinds()[LOCAL]()


def made_reranker(settings: Settings) -> Reranker:
    """The one that the settings name. Raises SettingError where there is none of that name, or it lacks its key."""
    from inquest.kit.reranker import RerankerAccess

    name, kinds = settings.reranker.strip().lower(), reranker_kinds()
    if name not in kinds:
        raise SettingError(
            f"INQUEST_RERANKER names '{settings.reranker}', which does not exist.",
            advice=f"Write one of: {', '.join(kinds)}.",
        )
    made = kinds[name](RerankerAccess(key=settings.key(kinds[name].spec.key), model=settings.reranker_model))
    if lacks := made.lacks():
        raise SettingError(f"The reranker {name} cannot be asked: it {lacks}.")
    return made


def rerankers_of_a_replay(settings: Settings) -> list[Reranker]:
    """Every reranker that is a service, whatever keys are set now: the recording knows which of them the case asked,
    and with which model."""
    from inquest.kit.reranker import RerankerAccess
    from inquest.net.redaction import PLACEHOLDER

    made = [
        kind(RerankerAccess(key=PLACEHOLDER, model=model))
        for kind in reranker_kinds().values()
        if kind.spec.key
        for model in dict.fromkeys((settings.reranker_model, None))
    ]
    return made
