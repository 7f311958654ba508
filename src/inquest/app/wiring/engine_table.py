"""The engines there are, as the settings make them, and the table that says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inquest.app.settings import EngineSetting, Settings, load_settings
from inquest.domain.errors import SettingError
from inquest.kit.engine import Engine, EngineAccess


def made_engines(settings: Settings) -> dict[str, Engine]:
    """Every engine by name, with what the settings say about it."""
    from inquest.kit.discover import engines

    found = engines("inquest.engines")
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
            )
        )
        for name, kind in found.items()
    }


def _reranker_labels(name: str) -> set[str]:
    """The names of rerankers' limits; they are looked for only where a name has their form."""
    if not name.endswith("_reranker"):
        return set()
    from inquest.app.wiring.reranking import reranker_kinds
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
