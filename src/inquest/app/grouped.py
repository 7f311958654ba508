"""Arguments that belong together, declared once as a dataclass and taken by every command and tool that has them.

A command line and a tool's schema need each argument as a parameter of its own; the code wants them together.
`spelled_out` gives the first what it reads from a signature, and the function the second."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

R = TypeVar("R")
Spell = Callable[[Field[Any], Any], tuple[Any, Any]]
"""Of a field and its type: the annotation and the default of the parameter that stands for it."""


@dataclass(frozen=True)
class FieldsOf:
    """Marks a parameter `Annotated[dict[str, Any], FieldsOf(...)]` that stands for the fields of a dataclass; the
    function gets those that were given (are not None), by name."""

    group: type
    leave_out: tuple[str, ...]
    spell: Spell

    def parameters(self) -> list[inspect.Parameter]:
        """One for each field; those that it has of its own stand before those of its bases."""
        hints, found = get_type_hints(self.group, include_extras=True), []
        for each in sorted(fields(self.group), key=lambda each: each.name not in vars(self.group)["__annotations__"]):
            if each.name not in self.leave_out:
                annotation, default = self.spell(each, hints[each.name])
                found.append(_keyword(each.name, annotation, default))
        return found


def spelled_out(function: Callable[..., R]) -> Callable[..., R]:
    """`function`, in whose signature each parameter that is typed as a frozen dataclass, or marked with `FieldsOf`, is
    replaced by its fields. Called with these by name, it is given the dataclass, or the dictionary."""
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
    del shown.__wrapped__  # whoever follows it would read the signature that this one stands for
    shown.__signature__ = inspect.Signature(parameters, return_annotation=hints.get("return", inspect.Signature.empty))
    shown.__annotations__ = {each.name: each.annotation for each in parameters} | (
        {"return": hints["return"]} if "return" in hints else {}
    )
    return shown  # type: ignore[no-any-return]


def _group(hint: Any) -> tuple[list[inspect.Parameter], Callable[[dict[str, Any]], Any]] | None:
    if get_origin(hint) is Annotated:
        marked = next((each for each in get_args(hint)[1:] if isinstance(each, FieldsOf)), None)
        return (marked.parameters(), _given) if marked else None
    if is_dataclass(hint) and bool(vars(hint)["__dataclass_params__"].frozen):
        hints = get_type_hints(hint, include_extras=True)
        group: Any = hint
        return [_keyword(each.name, hints[each.name], _default(each)) for each in fields(hint)], lambda by: group(**by)
    return None


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _default(field: Field[Any]) -> Any:
    return inspect.Parameter.empty if field.default is MISSING else field.default
