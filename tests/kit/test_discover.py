"""Finding plug-ins: in files, from other distributions, and the handling of faulty ones."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import inquest.engines
from inquest.kit import discover as module
from inquest.kit.discover import ENTRY_POINTS, discover, engines
from inquest.kit.engine import Engine

ENGINE = """
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.engine import Engine, EngineSpec
from inquest.kit.exchange import Reply, Request

class {name}(Engine):
    spec = EngineSpec(name="{engine}", title="T", kinds=(EngineKind.WEB,), homepage="https://a.example/",
                      documentation="https://a.example/")
    def request(self, query: Query) -> Request:
        return Request(url="https://a.example/")
    def parse(self, reply: Reply) -> list[Hit]:
        return []
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    def make(name: str, **files: str) -> str:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        for file, text in files.items():
            (folder / f"{file}.py").write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))
        return name

    return make


def offer(monkeypatch: pytest.MonkeyPatch, **points: str) -> None:
    found = [EntryPoint(name=name, value=value, group=ENTRY_POINTS) for name, value in points.items()]
    monkeypatch.setattr(module, "_offered", module._offered.__wrapped__)
    monkeypatch.setattr(module, "entry_points", lambda group: found if group == ENTRY_POINTS else [])


def test_concrete_classes_of_a_package_are_found_and_only_those(package: Callable[..., str]) -> None:
    name = package(
        "finds",
        beta=ENGINE.format(name="Beta", engine="beta") + "\nclass _Hidden(Beta):\n    pass\n",
        alpha="from finds.beta import Beta\nfrom inquest.kit.engine import Engine\nclass Part(Engine):\n    pass\n",
    )
    assert [found.__name__ for found in discover(name, Engine)] == ["Beta"]  # type: ignore[type-abstract]


def test_our_own_engines_are_all_there_and_come_first() -> None:
    found = engines("inquest.engines")
    own, modules = list(found), [kind.__module__ for kind in found.values()]
    keyless = "arxiv bing_news collection crossref duckduckgo gdelt google_news openalex wayback wikipedia".split()
    files = {path.stem for path in Path(inquest.engines.__file__).parent.rglob("*.py")} - {"__init__"}
    assert modules == sorted(modules, key=lambda name: name.rpartition(".")[2]), (
        "wherever a file lies, its name decides"
    )
    assert {*keyless, "serpapi_bing"} <= set(own)
    assert files == {name.rpartition(".")[2] for name in modules}, "every file gives an engine"


def test_two_of_one_name_are_a_defect(package: Callable[..., str]) -> None:
    name = package("twice", one=ENGINE.format(name="One", engine="x"), two=ENGINE.format(name="Two", engine="x"))
    with pytest.raises(ValueError, match="two plug-ins are named x"):
        engines(name)


def test_another_distributions_engine_joins(package: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    own = package("ours", mine=ENGINE.format(name="Mine", engine="mine"))
    package("theirs", plug=ENGINE.format(name="Plug", engine="plug"))
    offer(monkeypatch, plug="theirs.plug:Plug")
    reported: list[str] = []
    assert list(engines(own, report=reported.append)) == ["mine", "plug"]
    assert reported == []


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("bad.absent:Plug", "it cannot be loaded"),
        ("bad.raises:Plug", "it cannot be loaded (RuntimeError: out of luck)"),
        ("bad.good:missing", "it cannot be loaded"),
        ("bad.other:THING", "it is not an engine class"),
        ("bad.other:Specless", "it has no spec"),
        ("bad.taken:Plug", "the name mine2 is taken"),
        ("bad.leaves:Plug", "it cannot be loaded (SystemExit: 3)"),
        ("bad.unmade:Plug", "it cannot be made (KeyError: 'HOME_OF_PLUG')"),
        ("bad.unsure:Plug", "it cannot be made (ZeroDivisionError: division by zero)"),
    ],
)
def test_a_plug_in_that_is_no_good_is_reported_and_stops_nothing(
    value: str, why: str, package: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = package("ours2", mine=ENGINE.format(name="Mine", engine="mine2"))
    package(
        "bad",
        raises="raise RuntimeError('out of luck')",
        good=ENGINE.format(name="Good", engine="good"),
        other=ENGINE.format(name="Fine", engine="fine").replace("    spec", "    spec_of_old")
        .replace("class Fine", "class Specless") + "\nTHING = 5\n",
        taken=ENGINE.format(name="Plug", engine="mine2"),
        leaves="raise SystemExit(3)",
        unmade=ENGINE.format(name="Plug", engine="unmade")
        + "    def __init__(self, access=None):\n        self.home = {}['HOME_OF_PLUG']\n",
        unsure=ENGINE.format(name="Plug", engine="unsure") + "    def lacks(self):\n        return 1 / 0\n",
    )  # fmt: skip
    offer(monkeypatch, plug=value)
    reported: list[str] = []
    found = engines(own, report=reported.append)
    assert list(found) == ["mine2"]
    assert found["mine2"].__module__ == "ours2.mine", "a plug-in cannot take the place of an engine one knows"
    assert len(reported) == 1
    assert why in reported[0]
    assert reported[0].startswith("The engine 'plug' of ")


def test_finding_the_engines_loads_nothing_heavy() -> None:
    program = (
        "import sys; from inquest.kit.discover import engines; engines('inquest.engines');"
        "print([name for name in ('lxml', 'tldextract', 'httpx2', 'asyncio', 'langgraph') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
