"""Arguments that belong together, declared once as a dataclass and taken by every command and tool that has them.

A command line and a tool's schema want every argument by itself; the code wants them together. `spelled_out` gives the
first what it reads from a signature, and the function the second."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from typing import Any, TypeVar, get_type_hints

R = TypeVar("R")


def spelled_out(function: Callable[..., R]) -> Callable[..., R]:
    """`function`, in whose signature each parameter that is typed as a frozen dataclass is replaced by its fields,
    with their annotations and defaults. Called with these by name, it is handed the dataclass. Coroutines stay so."""
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if name != "return" and _is_group(hint)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in groups:
            parameters += _parameters_of(groups[name])
        else:
            parameters.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))

    def grouped(given: dict[str, Any]) -> dict[str, Any]:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group) if field.name in given})
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


def _is_group(hint: Any) -> bool:
    return is_dataclass(hint) and bool(vars(hint)["__dataclass_params__"].frozen)


def _parameters_of(group: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_default(field),
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]


def _default(field: Field[Any]) -> Any:
    return inspect.Parameter.empty if field.default is MISSING else field.default
