"""The result of a plain `pip install .`: everything the package imports, with any version of pip."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
OURS = [Requirement(each) for each in PROJECT["dependencies"]]


def needed() -> Iterator[Requirement]:
    """All packages installed as direct or indirect dependencies."""
    waiting, seen = list(OURS), set()
    while waiting:
        one = waiting.pop()
        if one in seen or (one.marker is not None and not one.marker.evaluate({"extra": ""})):
            continue
        seen.add(one)
        yield one
        waiting += [Requirement(each) for each in _requires(one.name)]


def _requires(name: str) -> list[str]:
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


def _brought_by(extra: str, package: str) -> set[str]:
    given = [Requirement(each) for each in _requires(package)]
    return {canonicalize_name(each.name) for each in given if each.marker and f'"{extra}"' in str(each.marker)}


def test_an_extra_that_an_older_pip_does_not_know_by_that_spelling_is_asked_for_by_name() -> None:
    """pip before 23.3 treats `lxml[html_clean]` as an unknown extra, as lxml spells it `html-clean`, warns, and leaves
    it out: no page could then be read."""
    ours = {canonicalize_name(each.name) for each in OURS}
    missing = {}
    for one in needed():
        try:
            known = set(metadata(one.name).get_all("Provides-Extra") or ())
        except PackageNotFoundError:
            continue
        for extra in one.extras - known:
            spelt = next((each for each in known if canonicalize_name(each) == canonicalize_name(extra)), extra)
            if lost := _brought_by(spelt, one.name) - ours:
                missing[f"{one.name}[{extra}]"] = lost
    assert missing == {}
