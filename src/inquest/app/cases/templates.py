"""Templates of briefs: common questions with named blanks, from which the request of a case is made."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files

from inquest.app.cases.case_request import KINDS, CaseRequest, request_of
from inquest.domain.errors import InputError, NotFound


@dataclass(frozen=True)
class Template:
    """A brief with blanks. `blanks`: a description of each by name; `request`: values of the request's fields with
    blanks as `{name}`."""

    name: str
    title: str
    kind: str
    blanks: Mapping[str, str]
    request: Mapping[str, str]

    def values(self, given: Mapping[str, str]) -> dict[str, str]:
        """Values of the request, with missing blanks in square brackets."""
        words = {name: given.get(name, "").strip() or f"[{what}]" for name, what in self.blanks.items()}
        options = {name: value for name, value in given.items() if name not in self.blanks}
        return {name: value.format_map(words) for name, value in self.request.items()} | options

    def filled(self, given: Mapping[str, str]) -> CaseRequest:
        """The request; besides blanks, `given` may contain its options. Raises InputError."""
        kind = KINDS[self.kind][0]
        known = [*self.blanks, *(each.name for each in fields(kind) if each.name not in ("kind", *self.blanks))]
        if unknown := given.keys() - set(known):
            raise InputError(f"Unknown blank '{min(unknown)}': expected one of {', '.join(known)}.")
        if lacking := next((name for name in self.blanks if not given.get(name, "").strip()), None):
            raise InputError(f"Missing {lacking}: expected {self.blanks[lacking]}.", advice=f"Add {lacking}=...")
        return request_of(kind, self.values(given))

    def check(self, values: Mapping[str, object]) -> None:
        """Raise InputError for a blank that is still in square brackets."""
        for name, value in values.items():
            if left := next((each for each in self.blanks.values() if f"[{each}]" in str(value)), None):
                raise InputError(f"Missing {left}.", advice=f"Replace [{left}] with it.", field=name)


@lru_cache
def templates() -> dict[str, Template]:
    """All templates by name."""
    kept = tomllib.loads(files(__package__).joinpath("templates.toml").read_text("utf-8"))
    return {name: Template(name, **each) for name, each in kept.items()}


def template(name: str) -> Template:
    """The template of this name. Raises NotFound."""
    found = templates().get(name)
    if found is None:
        raise NotFound(f"There is no template '{name[:40]}'.", advice=f"Templates: {', '.join(templates())}.")
    return found
