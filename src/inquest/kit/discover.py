"""Finding plug-ins: classes in the files of a package, and what other distributions offer under an entry point.

Nothing registers itself, and the kit knows no package of plug-ins: whoever joins the parts names it.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import logging
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from inquest.kit.desk import Desk, DeskSpec
from inquest.kit.engine import Engine, EngineSpec

P = TypeVar("P")

ENTRY_POINTS = "inquest.engines"
"""The entry point group in which another distribution names its engine classes."""
DESK_ENTRY_POINTS = "inquest.desks"
"""The same for desks."""

_LOG = logging.getLogger(__name__)


def discover(package: str, base: type[P]) -> list[type[P]]:
    """Every concrete subclass of `base` that a file of the package defines, by file and then in the file's order.
    Folders are looked into (`engines/news/gdelt.py`); where folders hold a file that is named like what it plugs into,
    these files alone are the plug-ins (`desks/news/desk.py`), and nothing else is loaded. Classes that a file only
    imports, abstract ones and those with a leading underscore do not count."""
    parent = importlib.import_module(package)
    names = sorted(_modules(parent.__path__, package, base.__name__.lower()), key=lambda name: name.rpartition(".")[2])
    return [found for name in names for found in _classes(importlib.import_module(name), base)]


def _modules(path: Iterable[str], package: str, plugged_into: str) -> list[str]:
    """The files of a package that may hold plug-ins, those of its folders among them."""
    inside = {info.name: info.ispkg for info in pkgutil.iter_modules(path)}
    if plugged_into in inside:
        return [f"{package}.{plugged_into}"]
    files = [f"{package}.{name}" for name, is_package in inside.items() if not is_package]
    folders = [f"{package}.{name}" for name, is_package in inside.items() if is_package]
    found = {folder: _modules(_places(folder), folder, plugged_into) for folder in folders}
    named = [name for names in found.values() for name in names if name.rpartition(".")[2] == plugged_into]
    return [*files, *(named or (name for names in found.values() for name in names))]


def _places(package: str) -> Iterable[str]:
    spec = importlib.util.find_spec(package)
    return (spec.submodule_search_locations or ()) if spec else ()


def engines(package: str, *, report: Callable[[str], None] = _LOG.warning) -> dict[str, type[Engine]]:
    """The engine classes by name: the package's own in the order of their files, then other distributions'. A plug-in
    that cannot be loaded, that is no engine, or whose name is taken is left out, and `report` is given one sentence
    that says so: it can neither stop a run nor take the place of an engine one knows. Two of our own with one name are
    a defect and raise ValueError."""
    # mypy: an abstract class is asked for on purpose; only concrete ones come back.
    return _by_name(package, Engine, EngineSpec, ENTRY_POINTS, "engine", report)  # type: ignore[type-abstract]


def desks(package: str, *, report: Callable[[str], None] = _LOG.warning) -> dict[str, type[Desk]]:
    """The desk classes by name, found and held to account as `engines` are."""
    return _by_name(package, Desk, DeskSpec, DESK_ENTRY_POINTS, "desk", report)  # type: ignore[type-abstract]


def _by_name(
    package: str, base: type[P], spec: type, group: str, what: str, report: Callable[[str], None]
) -> dict[str, type[P]]:
    found: dict[str, type[P]] = {}
    for own in discover(package, base):
        name = _name(own)
        if name in found:
            raise ValueError(f"two {what}s are named {name}: {found[name].__qualname__} and {own.__qualname__}")
        found[name] = own
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        plugin, why = _load(point, base, spec, what)
        if plugin and _name(plugin) in found:
            why = f"the name {_name(plugin)} is taken"
        if plugin and not why:
            found[_name(plugin)] = plugin
        else:
            origin = point.dist.name if point.dist else point.value
            report(f"The {what} '{point.name}' of {origin} is left out: {why}.")
    return found


def _name(plugin: type[Any]) -> str:
    return str(plugin.spec.name)


def _classes(module: Any, base: type[P]) -> Iterator[type[P]]:
    for name, value in vars(module).items():
        mine = inspect.isclass(value) and value.__module__ == module.__name__ and not name.startswith("_")
        if mine and issubclass(value, base) and not inspect.isabstract(value):
            yield value


def _load(point: EntryPoint, base: type[P], spec: type, what: str) -> tuple[type[P] | None, str]:
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - importing a stranger's module can raise anything at all
        return None, f"it cannot be loaded ({type(error).__name__}: {str(error)[:200]})"
    if not inspect.isclass(loaded) or not issubclass(loaded, base) or inspect.isabstract(loaded):
        return None, f"it is not {'an' if what[0] in 'aeiou' else 'a'} {what} class"
    if not isinstance(getattr(loaded, "spec", None), spec):
        return None, "it has no spec"
    try:
        made = loaded()
        if isinstance(made, Engine):
            made.lacks()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - as above
        return None, f"it cannot be made ({type(error).__name__}: {str(error)[:200]})"
    return loaded, ""
