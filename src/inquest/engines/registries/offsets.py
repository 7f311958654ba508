"""OffsetsDB: projects and credits of the large offset registries in one table, by CarbonPlan."""

from __future__ import annotations

from inquest.domain.search import EngineKind
from inquest.kit.engine import EngineSpec, Limits
from inquest.kit.registry import RegistryEngine


class Offsets(RegistryEngine):
    """Rows of credits and projects, found by beneficiary, account, proponent, or a project's name or number."""

    spec = EngineSpec(
        name="offsets",
        title="OffsetsDB",
        kinds=(EngineKind.REGISTRY,),
        homepage="https://carbonplan.org/research/offsets-db",
        documentation="https://offsets-db-data.readthedocs.io/en/latest/data-access.html",
        limits=Limits(per_second=1000, concurrency=8),
        from_recordings=False,
    )
