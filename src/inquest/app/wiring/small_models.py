"""The small models of the settings: those of the package, others, or none."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from inquest.app.settings import Settings
from inquest.domain.errors import SettingError

if TYPE_CHECKING:
    from inquest.kit.small_models import PairReader, SentenceEncoder
    from inquest.local_models.encoders import CrossEncoder, VectorEncoder
    from inquest.local_models.files import ModelFiles

NONE = "none"
"""The setting for no model."""
PACKAGE = "package"
"""The setting for the package's model, which is also the default."""


def models_folder(settings: Settings) -> Path:
    """The folder of downloaded models."""
    return settings.home / "models"


def setting_of(kind: str) -> str:
    """The setting of `inquest.toml` for models of a kind (`stance`, `sentences`)."""
    return "stance_model" if kind == "stance" else "sentence_model"


def named(settings: Settings, kind: str) -> str | None:
    """The model of a kind in the settings: a name, a folder or 'none'; None: the package's."""
    value: str | None = getattr(settings, setting_of(kind))
    value = value.strip() if value else None
    return None if not value or value.lower() == PACKAGE else NONE if value.lower() == NONE else value


def is_folder(name: str) -> bool:
    """True if a model is named by its folder."""
    return "/" in name or "\\" in name or name.startswith((".", "~"))


def chosen(settings: Settings, kind: str) -> ModelFiles | None:
    """The files of the model in the settings for `stance` or `sentences`; None: use none. Raises SettingError for an
    unusable model or one of another kind."""
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
            f"{setting} names '{name}', which cannot be used: {error}",
            advice="See `inquest models`, and choose one with `inquest models use`.",
        ) from error
    if files.kind != kind:
        raise SettingError(
            f"{setting} names '{name}', which is a model of another kind ({files.kind}).",
            advice="Choose one with `inquest models use`.",
        )
    return files if is_folder(name) else replace(files, name=name)


def pair_reader(settings: Settings) -> PairReader | None:
    """The model of entailment, loaded at its first use. Raises SettingError."""
    files = chosen(settings, "stance")
    return _cross_encoder(files, _changed_at(files)) if files else None


def sentence_encoder(settings: Settings) -> SentenceEncoder | None:
    """The model of sentence vectors, loaded at its first use. Raises SettingError."""
    files = chosen(settings, "sentences")
    return _vector_encoder(files, _changed_at(files)) if files else None


def _changed_at(files: ModelFiles) -> int:
    return files.weights.stat().st_mtime_ns if files.weights.exists() else 0


@lru_cache(maxsize=2)
def _cross_encoder(files: ModelFiles, changed_at: int) -> CrossEncoder:
    """The model of these files, which the apps of a process share: loading takes 0.2 to 0.4 s of processor time."""
    from inquest.local_models.encoders import CrossEncoder

    return CrossEncoder(files)


@lru_cache(maxsize=2)
def _vector_encoder(files: ModelFiles, changed_at: int) -> VectorEncoder:
    from inquest.local_models.encoders import VectorEncoder

    return VectorEncoder(files)
