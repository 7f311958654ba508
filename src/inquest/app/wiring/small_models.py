"""Which small models of this machine are used: those of the package, others by the settings, or none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inquest.app.settings import Settings
from inquest.domain.errors import SettingError

if TYPE_CHECKING:
    from inquest.kit.small_models import PairReader, SentenceEncoder
    from inquest.local_models.files import ModelFiles

NONE = "none"
"""What the settings say to do without a model."""
PACKAGE = "package"
"""What they say, or leave out, for the package's own."""


def models_folder(settings: Settings) -> Path:
    """Where models lie that do not come with the package."""
    return settings.home / "models"


def setting_of(kind: str) -> str:
    """The name of the setting that chooses the model of a kind (`stance`, `sentences`), as in `inquest.toml`."""
    return "stance_model" if kind == "stance" else "sentence_model"


def named(settings: Settings, kind: str) -> str | None:
    """What the settings name for a kind: a name, a folder or 'none'; None: the package's own."""
    value: str | None = getattr(settings, setting_of(kind))
    value = value.strip() if value else None
    return None if not value or value.lower() == PACKAGE else NONE if value.lower() == NONE else value


def is_folder(name: str) -> bool:
    """Whether a model is named by its folder."""
    return "/" in name or "\\" in name or name.startswith((".", "~"))


def chosen(settings: Settings, kind: str) -> ModelFiles | None:
    """The files of the model that the settings name for `stance` or `sentences`; None: none is to be used. Raises
    SettingError where the setting names no model of that kind, or the package's is unusable."""
    from inquest.domain.errors import InputError
    from inquest.local_models.files import bundled, model_files

    name = named(settings, kind)
    if name == NONE:
        return None
    if name is None:
        try:
            return bundled(kind)
        except InputError as error:
            raise SettingError(str(error), advice="Install Inquest again, or choose another model.") from error
    folder = Path(name).expanduser() if is_folder(name) else models_folder(settings) / name
    setting = f"INQUEST_{setting_of(kind).upper()}"
    try:
        files = model_files(folder)
    except InputError as error:
        raise SettingError(
            f"{setting} names '{name}', which is no model that can be used: {error}",
            advice="See `inquest models`, and choose with `inquest models use`.",
        ) from error
    if files.kind != kind:
        raise SettingError(
            f"{setting} names '{name}', which is a model of another kind ({files.kind}).",
            advice="Choose with `inquest models use`.",
        )
    return files if is_folder(name) else replace(files, name=name)


def pair_reader(settings: Settings) -> PairReader | None:
    """The model that reads pairs. Nothing is loaded before it is used. Raises SettingError."""
    files = chosen(settings, "stance")
    if files is None:
        return None
    from inquest.local_models.encoders import CrossEncoder

    return CrossEncoder(files)


def sentence_encoder(settings: Settings) -> SentenceEncoder | None:
    """The model that turns texts into vectors, likewise."""
    files = chosen(settings, "sentences")
    if files is None:
        return None
    from inquest.local_models.encoders import VectorEncoder

    return VectorEncoder(files)
