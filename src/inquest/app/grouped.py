"""Groups of arguments, declared once as a dataclass and shared by commands and tools.

A command line and a tool's schema need each argument as a parameter; the code needs the group. `spelled_out` provides
a signature for the former, and passes the latter to the function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

R = TypeVar("R")
Spell = Callable[[Field[Any], Any], tuple[Any, Any]]
"""Returns annotation and default of a parameter for a field and its type."""


@dataclass(frozen=True)
class FieldsOf:
    """Marks a parameter `Annotated[dict[str, Any], FieldsOf(...)]` that stands for the fields of a dataclass. The
    function receives the fields that are not None by name."""

    group: type
    leave_out: tuple[str, ...]
    spell: Spell

    def parameters(self) -> list[inspect.Parameter]:
        """A parameter for each field, before those of base classes."""
        hints, found = get_type_hints(self.group, include_extras=True), []
        for each in sorted(fields(self.group), key=lambda each: each.name not in vars(self.group)["__annotations__"]):
            if each.name not in self.leave_out:
                annotation, default = self.spell(each, hints[each.name])
                found.append(_keyword(each.name, annotation, default))
        return found


def spelled_out(function: Callable[..., R]) -> Callable[..., R]:
    """Replace each parameter that is a frozen dataclass, or marked with `FieldsOf`, by its fields in the signature. The
    function, called with these by name, receives the dataclass or the dictionary."""
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, tuple[list[inspect.Parameter], Callable[[dict[str, Any]], Any]]] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if (group := _group(hints[name])) is None:
            parameters.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))
        else:
            groups[name] = group
            parameters += group[0]

    def grouped(given: dict[str, Any]) -> dict[str, Any]:
        for name, (members, make) in groups.items():
            given[name] = make({each.name: given.pop(each.name) for each in members if each.name in given})
        return given

    if inspect.iscoroutinefunction(function):

        @wraps(function)
        async def called(**given: Any) -> Any:
            return await function(**grouped(given))
    else:

        @wraps(function)
        def called(**given: Any) -> Any:
            return function(**grouped(given))

    shown: Any = called
    del shown.__wrapped__  # inspect would follow it to the original signature
    shown.__signature__ = inspect.Signature(parameters, return_annotation=hints.get("return", inspect.Signature.empty))
    shown.__annotations__ = {each.name: each.annotation for each in parameters} | (
        {"return": hints["return"]} if "return" in hints else {}
    )
    return shown  # type: ignore[no-any-return]


def _group(hint: Any) -> tuple[list[inspect.Parameter], Callable[[dict[str, Any]], Any]] | None:
    if get_origin(hint) is Annotated:
        marked = next((each for each in get_args(hint)[1:] if isinstance(each, FieldsOf)), None)
        if marked is not None:
            return marked.parameters(), lambda by: {name: value for name, value in by.items() if value is not None}
    if is_dataclass(hint) and bool(vars(hint)["__dataclass_params__"].frozen):
        hints = get_type_hints(hint, include_extras=True)
        group: Any = hint
        defaults = {
            each.name: inspect.Parameter.empty if each.default is MISSING else each.default for each in fields(hint)
        }
        return [_keyword(name, hints[name], default) for name, default in defaults.items()], lambda by: group(**by)
    return None


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
