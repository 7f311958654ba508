"""The model that is chosen for new cases: tested with one call, kept, or kept as untested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inquest.app.settings import Settings
from inquest.app.settings_file import set_in_table
from inquest.app.wiring.model_services import ModelPlace, ModelTrial, key_setting, placed, try_model
from inquest.domain.errors import InputError

__all__ = ["ModelTrial", "choose_model", "forget_model", "keep", "try_again", "with_keys"]

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

MODEL_SECONDS = 30.0
"""For one word of a model, whose server may have to load it first."""
_LARGEST_KEY = 2_000


async def choose_model(app: Resources, written: str, key: str = "") -> ModelTrial:
    """Ask the model once, and have new cases of this data folder use it if it answers. Where it cannot be reached, the
    choice and its key are kept as untested, and nothing uses them; where it is refused, nothing is kept. Raises
    InputError, SettingError."""
    place, given = ModelPlace.read(written), key.strip()
    if given and (not given.isascii() or not given.isprintable() or " " in given or len(given) > _LARGEST_KEY):
        raise InputError("Invalid key: expected letters, digits and signs without spaces.")
    keys = {key_setting(place): given} if given else {}
    trial = await _tried(app, with_keys(app.settings, keys), str(place))
    if not trial.refused:
        keep(app, {"model": str(place)} | keys, usable=trial.ok)
    return trial


async def try_again(app: Resources) -> ModelTrial:
    """Ask the model that is kept as untested, or else the one in use. Raises InputError, SettingError."""
    written = app.settings.untested.get("model")
    if written:
        return await choose_model(app, written, app.settings.untested.get(key_setting(ModelPlace.read(written)), ""))
    if not app.settings.model:
        raise InputError("No model is chosen.", advice="Choose one first.")
    return await _tried(app, app.settings, app.settings.model)


def forget_model(app: Resources) -> None:
    """Have new cases read by the local analyst again, where no setting names a model. Raises SettingError."""
    keep(app, {"model": ""}, usable=True)


async def _tried(app: Resources, settings: Settings, written: str) -> ModelTrial:
    """One call with these settings, which nothing else uses meanwhile."""
    from inquest.app.wiring.resources import open_resources

    alone = settings.model_copy(update={"model": written})
    async with open_resources(alone, clock=app.clock) as opened:
        door = (await opened.door()).for_case(None, cache_age=None)
        return await try_model(placed(ModelPlace.read(written), alone), alone, door, MODEL_SECONDS)


def with_keys(settings: Settings, keys: dict[str, str]) -> Settings:
    """The settings with these keys."""
    return settings.model_copy(update={"keys": settings.keys | keys})


def keep(app: Resources, values: dict[str, str], *, usable: bool) -> None:
    """Keep keys and a chosen `model` in `inquest.toml`, and have new cases use them; those that are not usable are kept
    as untested. Raises SettingError."""
    path, settings = app.settings.home / "inquest.toml", app.settings
    for name, value in values.items():
        if not usable:
            set_in_table(path, "untested", name, value)
            continue
        set_in_table(path, "chosen" if name == "model" else "keys", name, value)
        if name in settings.untested:
            set_in_table(path, "untested", name, "")
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
