"""Models as use cases: the small models on this machine, and the language model chosen for new cases."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquest.app.settings import Settings
from inquest.app.settings_file import set_line
from inquest.app.wiring.model_services import ModelPlace, key_setting, placed, try_model
from inquest.app.wiring.model_services import ModelTrial as ModelTrial
from inquest.app.wiring.small_models import NONE, PACKAGE, chosen, is_folder, models_folder, named, setting_of
from inquest.domain.errors import InputError, InquestError, NotFound, SettingError
from inquest.local_models.exports import GivenLabels as GivenLabels
from inquest.local_models.files import KINDS, ModelFiles, bundled, model_files
from inquest.local_models.registry import ModelRegistry, Progress
from inquest.local_models.running import tried_out

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

READY = "ready"


@dataclass(frozen=True)
class InUse:
    """The model of one kind in use. `name`: None for no model; `why`: `package` by default, or `setting`; `state`:
    `ready`, or the reason why it cannot be used."""

    kind: str
    name: str | None
    why: str
    state: str
    files: ModelFiles | None = None

    @property
    def broken(self) -> bool:
        """True if the model cannot be used."""
        return self.state != READY

    @property
    def sentence(self) -> str:
        """Name, origin and state in words."""
        if self.name is None:
            return f"none ({'the package has none' if self.why == 'package' else f'INQUEST_{self._setting}=none'})"
        by = "of the package" if self.why == "package" else f"by INQUEST_{self._setting}"
        return f"{self.name} ({by}), {self.state}"

    @property
    def _setting(self) -> str:
        return setting_of(self.kind).upper()


def in_use(settings: Settings, kind: str) -> InUse:
    """The model used for `stance` or `sentences`, with its state if it is broken."""
    name = named(settings, kind)
    why = "package" if name is None else "setting"
    try:
        files = chosen(settings, kind)
    except SettingError as error:
        return InUse(kind, name or PACKAGE, why, str(error))
    if files is None:
        return InUse(kind, None, why, READY)
    return InUse(kind, files.name, why, _state(files), files)


def table(settings: Settings) -> dict[str, Any]:
    """The JSON of `inquest models`: `models`, and `in_use` by kind."""
    used = {kind: in_use(settings, kind) for kind in KINDS}
    rows = [_row(entry, used) for entry in _entries(settings, used)]
    return {
        "models": rows,
        "in_use": {kind: {"name": one.name, "why": one.why, "state": one.state} for kind, one in used.items()},
    }


def verify(settings: Settings) -> list[dict[str, Any]]:
    """The JSON of `inquest models --verify`: the damaged files of each model, by their hashes if these are recorded."""
    rows = []
    for entry in _entries(settings, {kind: in_use(settings, kind) for kind in KINDS}):
        faults = [entry.wrong] if entry.files is None else entry.files.faults()
        known = entry.files is not None and entry.files.verifiable
        rows.append(
            {
                "name": entry.name,
                "where": entry.where,
                "folder": str(entry.folder),
                "verified": known and not faults,
                "damaged": [str(fault) for fault in faults],
                "advice": _repair(entry) if faults else "",
            }
        )
    return rows


def use(settings: Settings, what: str, kind: str | None = None) -> InUse:
    """Choose a model by name, folder, `package` or `none`, and store the setting in `inquest.toml`. Raises InputError,
    NotFound; SettingError with the setting to make if the file cannot be changed."""
    if kind is not None and kind not in KINDS:
        raise InputError(f"'{kind}' is not a kind of model.", advice="Use --kind stance or --kind sentences.")
    value = what.strip()
    if value.lower() in (NONE, PACKAGE):
        value, kind = value.lower(), kind or "stance"
    else:
        files, value = _found(settings, value)
        if kind not in (None, files.kind):
            raise InputError(f"{files.name} is a model of another kind ({files.kind}).", advice="Leave --kind out.")
        kind = files.kind
        tried_out(files)
    set_line(settings.home / "inquest.toml", setting_of(kind), value)
    return in_use(settings.model_copy(update={setting_of(kind): value}), kind)


def add(
    settings: Settings,
    folder: Path,
    *,
    name: str | None = None,
    said: GivenLabels,
    progress: Progress = lambda *_: None,
) -> ModelFiles:
    """Add a model from a folder. Raises InputError, ModelUnavailable, StorageError."""
    folder = folder.expanduser()
    return ModelRegistry(models_folder(settings)).add(folder, name or folder.resolve().name, said, progress=progress)


def remove(settings: Settings, name: str, *, force: bool = False) -> None:
    """Remove an added model. Raises NotFound, StorageError; InputError for one of the package or in use."""
    registry = ModelRegistry(models_folder(settings))
    if name not in registry.names() and (name == PACKAGE or any(name == files.name for files in _bundled())):
        raise InputError(
            f"'{name}' is part of the package and cannot be removed.",
            advice="To do without it: `inquest models use none`.",
        )
    for kind in KINDS:
        if named(settings, kind) == name and name in registry.names() and not force:
            raise InputError(
                f"The model '{name}' is in use.",
                advice=f"Choose another first (`inquest models use package --kind {kind}`), or add --force.",
            )
    registry.remove(name)


@dataclass(frozen=True)
class _Entry:
    """A listed model. `where`: package, added or path; `wrong`: the reason without files."""

    name: str
    where: str
    folder: Path
    files: ModelFiles | None
    wrong: str = ""


def _entries(settings: Settings, used: dict[str, InUse]) -> Iterator[_Entry]:
    registry = ModelRegistry(models_folder(settings))
    listed: list[tuple[str, str, Path, Callable[[], ModelFiles | None]]] = [
        *((kind, PACKAGE, Path(kind), partial(bundled, kind)) for kind in KINDS),
        *((name, "added", registry.folder / name, partial(registry.model, name)) for name in registry.names()),
    ]
    for name, where, folder, load in listed:
        try:
            files = load()
        except InquestError as error:
            yield _Entry(name, where, folder, None, str(error))
        else:
            if files is not None:
                yield _Entry(files.name, where, files.folder, files)
    for one in used.values():
        said = named(settings, one.kind)
        if said is not None and is_folder(said):
            yield _Entry(one.name or said, "path", Path(said).expanduser(), one.files, one.state)


def _row(entry: _Entry, used: dict[str, InUse]) -> dict[str, Any]:
    files = entry.files
    by = next((one for one in used.values() if files and one.files and one.files.folder == files.folder), None)
    return {
        "name": entry.name,
        "kind": files.kind if files else None,
        "size_mb": round(files.bytes / 1e6, 1) if files else None,
        "languages": list(files.languages) if files else None,
        "licence": files.licence if files else "",
        "source": files.source if files else "",
        "where": entry.where,
        "folder": str(entry.folder),
        "in_use": by is not None,
        "why": by.why if by else None,
        "state": _state(files) if files else entry.wrong,
    }


def _state(files: ModelFiles) -> str:
    missing = files.missing()
    if missing:
        return f"cannot be used: {missing}"
    for module in ("onnxruntime", "tokenizers"):
        with suppress(ValueError):  # raised for a partly loaded module
            if importlib.util.find_spec(module) is not None:
                continue
        return f"cannot be run here: {module} is not installed"
    return READY


def _repair(entry: _Entry) -> str:
    if entry.where == PACKAGE:
        return "Install Inquest again."
    if entry.where == "path":
        return f"Copy its files to {entry.folder} again, or choose another with `inquest models use`."
    return f"Remove it (`inquest models remove {entry.folder.name} --force`) and add or download it again."


def _found(settings: Settings, what: str) -> tuple[ModelFiles, str]:
    """The named model, and its value in the setting. Raises InputError, NotFound."""
    folder, registry = Path(what or ".").expanduser().resolve(), ModelRegistry(models_folder(settings))
    if is_folder(what) or not what:
        return model_files(folder), str(folder)
    if what in registry.names():
        return registry.model(what), what
    if files := next((files for files in _bundled() if files.name == what), None):
        return files, PACKAGE
    if folder.is_dir():
        return model_files(folder), str(folder)
    known = [*registry.names(), *(files.name for files in _bundled())]
    raise NotFound(f"There is no model '{what}'.", advice=f"Models: {', '.join(known)}; or give a folder as ./FOLDER.")


def _bundled() -> Iterator[ModelFiles]:
    for kind in KINDS:
        try:
            files = bundled(kind)
        except InputError:
            continue  # the table lists the fault
        if files is not None:
            yield files


MODEL_SECONDS = 60.0
"""Seconds to wait for a short answer from a model that its server may first have to load."""
_LARGEST_KEY = 2_000


async def choose_model(app: Resources, written: str, key: str = "") -> ModelTrial:
    """Test the model, and use it for new cases of this data folder if it answers. If it cannot be reached, the choice
    and its key are stored as untested and not used; if it refuses, nothing is stored. Raises InputError,
    SettingError."""
    place, given = ModelPlace.read(written), key.strip()
    if given and (not given.isascii() or not given.isprintable() or " " in given or len(given) > _LARGEST_KEY):
        raise InputError("Invalid key: expected letters, digits and symbols without spaces.")
    keys = {key_setting(place): given} if given else {}
    trial = await _tried(app, with_keys(app.settings, keys), str(place))
    if not trial.refused:
        keep(app, {"model": str(place)} | keys, usable=trial.ok)
    return trial


async def try_again(app: Resources) -> ModelTrial:
    """Test the model stored as untested, or the one in use. Raises InputError, SettingError."""
    written = app.settings.untested.get("model")
    if written:
        return await choose_model(app, written, app.settings.untested.get(key_setting(ModelPlace.read(written)), ""))
    if not app.settings.model:
        raise InputError("No model is chosen.", advice="Choose one first.")
    return await _tried(app, app.settings, app.settings.model)


def forget_model(app: Resources) -> None:
    """Remove the chosen model, so that new cases use the local analyst. Raises SettingError."""
    keep(app, {"model": ""}, usable=True)


async def _tried(app: Resources, settings: Settings, written: str) -> ModelTrial:
    """Make one call with these settings."""
    from inquest.app.wiring.resources import open_resources

    alone = settings.model_copy(update={"model": written})
    async with open_resources(alone, clock=app.clock) as opened:
        door = (await opened.door()).for_case(None, cache_age=None)
        return await try_model(placed(ModelPlace.read(written), alone), alone, door, MODEL_SECONDS)


def with_keys(settings: Settings, keys: dict[str, str]) -> Settings:
    """The settings with these keys."""
    return settings.model_copy(update={"keys": settings.keys | keys})


def keep(app: Resources, values: dict[str, str], *, usable: bool) -> None:
    """Store keys and a chosen `model`, as untested unless `usable`, and use them for new cases. Raises SettingError."""
    path, settings = app.settings.home / "inquest.toml", app.settings
    for name, value in values.items():
        set_line(path, name, value, table="untested" if not usable else "chosen" if name == "model" else "keys")
        if usable and name in settings.untested:
            set_line(path, name, "", table="untested")
    if not usable:
        app.use_settings(settings.model_copy(update={"untested": settings.untested | values}))
        return
    keys = {name: value for name, value in values.items() if name != "model"}
    changed: dict[str, Any] = {"untested": {n: v for n, v in settings.untested.items() if n not in values}}
    if "model" in values:
        changed["chosen"] = settings.chosen.model_copy(update={"model": values["model"]})
        if not settings.chosen.over:
            changed["model"] = values["model"] or None
    app.use_settings(with_keys(settings, keys).model_copy(update=changed))
