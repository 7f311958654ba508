"""Advice for who asks over HTTP: use cases name commands and options of the terminal, and these requests and fields."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

_COMMAND = re.compile(r"`(inquest [^`]*)`")


def as_request(advice: str) -> str:
    """The advice with each command as the request that does the same; one that has none stays."""
    commands, options = _table()
    for option, field in options.items():
        advice = advice.replace(option, field)

    def asked(found: re.Match[str]) -> str:
        for command, request in commands:
            if (fits := command.fullmatch(found[1])) is not None:
                return request.replace("*", "".join(fits.groups()))
        return found[0]

    return _COMMAND.sub(asked, advice)


@cache
def _table() -> tuple[tuple[tuple[re.Pattern[str], str], ...], dict[str, str]]:
    given = tomllib.loads(files("inquest.api").joinpath("advice.toml").read_text())
    commands = ((re.compile(re.escape(name).replace(r"\*", "(.+)")), said) for name, said in given["commands"].items())
    return tuple(commands), given["options"]
