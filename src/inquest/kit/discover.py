"""Discovery of plug-ins: classes in the files of a package, and entry points of other distributions.

Nothing registers itself, and the kit knows no package of plug-ins: the caller names it.
"""

from __future__ import annotations

import importlib
import inspect
import logging
import pkgutil
import sys
from collections.abc import Callable, Iterable
from functools import cache
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
    """Return the concrete subclasses of `base` defined in the package and its folders, by file name, then in the file's
    order. If folders contain a file named like the base class (`desks/news/desk.py`), only these files are loaded.
    Imported classes, abstract ones and those with a leading underscore are left out."""
    parent = importlib.import_module(package)
    modules = pkgutil.walk_packages(parent.__path__, f"{package}.")
    names = sorted((info.name for info in modules if not info.ispkg), key=lambda name: name.rpartition(".")[2])
    plugged = [name for name in names if name.rpartition(".")[2] == base.__name__.lower()]
    return [
        value
        for module in map(importlib.import_module, plugged or names)
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__ and not name.startswith("_")
        if issubclass(value, base) and not inspect.isabstract(value)
    ]


def engines(package: str, *, report: Callable[[str], None] = _LOG.warning) -> dict[str, type[Engine]]:
    """Return the engine classes by name: the package's own by file, then those of other distributions. A plug-in that
    cannot be loaded, is not an engine or has a name already in use is left out, and `report` receives a sentence on it.
    Raises ValueError if two of the package's own have the same name."""
    # mypy: the base class is abstract, but only concrete classes are returned.
    return _by_name(package, Engine, EngineSpec, ENTRY_POINTS, "engine", report)  # type: ignore[type-abstract]


def desks(package: str, *, report: Callable[[str], None] = _LOG.warning) -> dict[str, type[Desk]]:
    """Return the desk classes by name, as `engines` does."""
    return _by_name(package, Desk, DeskSpec, DESK_ENTRY_POINTS, "desk", report)  # type: ignore[type-abstract]


def _by_name(
    package: str, base: type[P], spec: type, group: str, what: str, report: Callable[[str], None]
) -> dict[str, type[P]]:
    found = by_name(discover(package, base))
    for point in _offered(group, tuple(sys.path)):
        plugin, why = _load(point, base, spec, what)
        if plugin and _name(plugin) in found:
            why = f"the name {_name(plugin)} is taken"
        if plugin and not why:
            found[_name(plugin)] = plugin
        else:
            origin = point.dist.name if point.dist else point.value
            report(f"The {what} '{point.name}' of {origin} is left out: {why}.")
    return found


@cache
def _offered(group: str, path: tuple[str, ...]) -> list[EntryPoint]:
    """Return the entry points of a group by name. The metadata of every distribution on the path are read for it."""
    return sorted(entry_points(group=group), key=lambda point: point.name)


def by_name(plugins: Iterable[type[P]]) -> dict[str, type[P]]:
    """Map the names of plug-ins to their classes. Raises ValueError if two have the same name."""
    found: dict[str, type[P]] = {}
    for plugin in plugins:
        other = found.setdefault(_name(plugin), plugin)
        if other is not plugin:
            raise ValueError(f"two plug-ins are named {_name(plugin)}: {other.__qualname__} and {plugin.__qualname__}")
    return found


def _name(plugin: type[Any]) -> str:
    return str(plugin.spec.name)


def _load(point: EntryPoint, base: type[P], spec: type, what: str) -> tuple[type[P] | None, str]:
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - importing a foreign module can raise anything
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
