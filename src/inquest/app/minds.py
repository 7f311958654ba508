"""Which small models of this machine are used: those of the package, others by the settings, or none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from inquest.app.settings import Settings
from inquest.domain.errors import SettingError

if TYPE_CHECKING:
    from inquest.kit.minds import PairReader, SentenceEncoder
    from inquest.local_models.files import ModelFiles

__all__ = ["NONE", "chosen", "models_folder", "pair_reader", "sentence_encoder"]

NONE = "none"
"""What the settings say to do without a model."""


def models_folder(settings: Settings) -> Path:
    """Where models lie that do not come with the package."""
    return settings.home / "models"


def chosen(settings: Settings, kind: str) -> ModelFiles | None:
    """The files of the model that the settings name for `stance` or `sentences`; None: none is to be used.

    Raises SettingError where the setting names no model of that kind.
    """
    from inquest.domain.errors import InputError
    from inquest.local_models.files import bundled, model_files

    named = settings.stance_model if kind == "stance" else settings.sentence_model
    if named is None:
        return bundled(kind)
    if named == NONE:
        return None
    folder = Path(named).expanduser() if "/" in named or named.startswith(".") else models_folder(settings) / named
    setting = f"INQUEST_{'STANCE' if kind == 'stance' else 'SENTENCE'}_MODEL"
    try:
        files = model_files(folder)
    except InputError as error:
        raise SettingError(
            f"{setting} names '{named}', which is no model: {error}", advice="See `inquest models`."
        ) from error
    if files.kind != kind:
        raise SettingError(f"{setting} names '{named}', which is a model of another kind ({files.kind}).")
    return files


def pair_reader(settings: Settings) -> PairReader | None:
    """The model that reads pairs. Nothing is loaded before it is used. Raises SettingError."""
    files = chosen(settings, "stance")
    if files is None:
        return None
    from inquest.local_models.cross_encoder import CrossEncoder

    return CrossEncoder(files)


def sentence_encoder(settings: Settings) -> SentenceEncoder | None:
    """The model that turns texts into vectors, likewise."""
    files = chosen(settings, "sentences")
    if files is None:
        return None
    from inquest.local_models.sentence_encoder import VectorEncoder

    return VectorEncoder(files)
