"""The rerankers there are, and the one that the settings name."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from inquest.app.settings import Settings
from inquest.domain.errors import SettingError

if TYPE_CHECKING:
    from inquest.kit.reranker import Reranker


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
