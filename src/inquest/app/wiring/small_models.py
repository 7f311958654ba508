"""The small models of the settings (those of the package, others, or none); and modules and models that a case needs
later, loaded in threads during network waits."""

from __future__ import annotations

import asyncio
import importlib
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquest.app.settings import Settings
from inquest.domain.case import CaseKind
from inquest.domain.document import Snapshot
from inquest.domain.errors import InquestError, SettingError
from inquest.entailment.stance import prepare

if TYPE_CHECKING:
    from inquest.kit.ports import PairReader, SentenceEncoder
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
    return _encoder(files, _changed_at(files)) if files else None


def sentence_encoder(settings: Settings) -> SentenceEncoder | None:
    """The model of sentence vectors, loaded at its first use. Raises SettingError."""
    files = chosen(settings, "sentences")
    return _encoder(files, _changed_at(files)) if files else None


def _changed_at(files: ModelFiles) -> int:
    return files.weights.stat().st_mtime_ns if files.weights.exists() else 0


@lru_cache(maxsize=4)
def _encoder(files: ModelFiles, changed_at: int) -> Any:
    """The model of these files, which the apps of a process share: loading takes 0.2 to 0.4 s of processor time."""
    from inquest.local_models.encoders import CrossEncoder, VectorEncoder

    return CrossEncoder(files) if files.kind == "stance" else VectorEncoder(files)


_PAGE = b"""<!doctype html><html lang="en"><head><title>A leak at the plant</title>
<meta name="date" content="2023-05-04"></head><body><article><h1>A leak at the plant</h1>
<p>The plant at the river leaked for three days in May 2023, the authority said on Thursday after an inspection.</p>
<p>Nobody was hurt. The company, which employs 340 people there, did not answer.</p></article></body></html>"""
_PAIR = ("The plant leaked in 2023.", "The plant did not leak, a spokesman said.")
CONNECTING = 0.05
"""Seconds for opening a connection and sending the request."""
STORE = ("inquest.store.cases", "inquest.store.events", "inquest.store.recording", "inquest.store.quotas")
_LAST = ("inquest.readers", "inquest.readers.html.reader", "inquest.archive.files", "inquest.reports.html",
         "inquest.app.cases.reporting")  # fmt: skip


async def loaded(*names: str) -> None:
    """Import the modules in a thread."""

    def load() -> None:
        for name in names:
            importlib.import_module(name)

    await asyncio.to_thread(load)


async def load_graph(kind: CaseKind, *names: str) -> None:
    """Import the nodes of a kind of case and the modules in a thread."""
    await loaded("inquest.flow.graphs", *names)
    from inquest.flow.graphs import profile_of

    await asyncio.to_thread(profile_of, kind)


async def load_last(settings: Settings, kind: CaseKind) -> None:
    """Load readers, reports and small models, and use each once."""
    await loaded(*_LAST)
    await asyncio.to_thread(read_a_page)
    await asyncio.to_thread(_warm_up, settings, kind)


def read_a_page() -> None:
    """Read a page so that the extractor, the table of languages and many patterns are loaded before pages arrive."""
    from inquest.readers.html.reader import HtmlReader

    snapshot = Snapshot(
        hash=f"sha256:{sha256(_PAGE).hexdigest()}",
        url="https://example.org/leak",
        final_url="https://example.org/leak",
        content_type="text/html; charset=utf-8",
        retrieved_at=datetime(2023, 5, 5, tzinfo=UTC),
        size=len(_PAGE),
    )
    with suppress(InquestError):
        HtmlReader().read(_PAGE, snapshot)


def _warm_up(settings: Settings, kind: CaseKind) -> None:
    """Judge a pair, which compiles patterns, and load the weights of the small models. A model service needs them, too:
    the encoder chooses the passages sent to it, and the reader checks its answers."""
    prepare(*_PAIR)
    if settings.uses_model and kind is CaseKind.MARKET:
        return
    with suppress(InquestError):  # the code that needs the model reports it
        if (encoder := sentence_encoder(settings)) is not None:
            encoder.encode(_PAIR)
        if (reader := pair_reader(settings)) is not None:
            reader.read([_PAIR])
