"""Which desks have somebody to ask among the engines of a plan."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from inquest.domain.search import EngineKind
from inquest.flow.services import Services
from inquest.kit.desk import Desk

ALWAYS = frozenset((EngineKind.OWN, EngineKind.FACT_CHECK))
"""Kinds of engine that every desk asks: the user's own documents, and who has checked a claim."""


def with_nobody_to_ask(desks: Iterable[Desk], engines: Collection[str], services: Services) -> tuple[str, ...]:
    """Names of the desks that ask none of these engines, by their kinds. Not those for which an engine was chosen that
    is not ready: that is an outage, and told as one."""
    kinds = {engine.name: set(engine.kinds) for engine in services.engines if engine.name in engines or engine.lacks}
    return tuple(
        desk.spec.name for desk in desks if not any({*desk.spec.kinds, *ALWAYS} & asked for asked in kinds.values())
    )
