"""The target dashboard of the Science Based Targets initiative: who has set targets, has committed, was removed."""

from __future__ import annotations

from inquest.domain.search import EngineKind
from inquest.kit.engine import EngineSpec, Limits
from inquest.kit.registry import RegistryEngine


class SBTi(RegistryEngine):
    """Rows of companies, found by name, LEI or ISIN."""

    spec = EngineSpec(
        name="sbti",
        title="SBTi target dashboard",
        kinds=(EngineKind.REGISTRY,),
        homepage="https://sciencebasedtargets.org/target-dashboard",
        documentation="https://sciencebasedtargets.org/target-dashboard",
        limits=Limits(per_second=1000, concurrency=8),
        from_recordings=False,
    )
