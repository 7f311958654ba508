"""Prompts for models, one task per pair of files: `NAME.md` holds the instructions, `NAME.py` builds the message and is
the pure parser of the answer. The files contain only our own words to a model, never anybody else's."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from inquest.text.regex import regex

_VARIABLE = regex(r"\{\{(\w+)\}\}")
_QUOTING = ("read", "assess", "write", "answer")
"""Tasks in which a model quotes or is given quotes."""


@cache
def prompt_file(name: str) -> str:
    """The text of a file."""
    return files("inquest.analysts.prompts").joinpath(f"{name}.md").read_text("utf-8").strip()


def instructions(task: str, again: str = "", **variables: str | int) -> str:
    """The general rules, the rules on quotes if the task has quotes, and the task with its variables filled in.
    `again`: why the last answer was unusable, in our own words.

    Raises ValueError if the variables are not exactly those of the file, which is a defect.
    """
    parts = [prompt_file("rules"), *([prompt_file("quotes")] if task in _QUOTING else []), _filled(task, variables)]
    if again:
        parts.append(_filled("again", {"why": again}))
    return "\n\n".join(parts)


def _filled(name: str, variables: dict[str, str | int]) -> str:
    text = prompt_file(name)
    wanted = set(_VARIABLE.findall(text))
    if wanted != set(variables):
        raise ValueError(f"the prompt {name} takes {sorted(wanted)}, and was given {sorted(variables)}")
    return _VARIABLE.sub(lambda match: str(variables[match[1]]), text)
