"""The documentation names everything that exists: every engine, every setting."""

from __future__ import annotations

import re
from pathlib import Path

from inquest.app.settings import Settings
from inquest.kit.discover import engines

DOCS = Path(__file__).parents[2] / "docs"
ENGINES = (DOCS / "engines.md").read_text(encoding="utf-8")
SETTINGS = (DOCS / "settings.md").read_text(encoding="utf-8")
STRUCTURED = {"keys", "engine", "mcp", "chosen", "untested"}
"""Tables in `inquest.toml`, which no single variable sets."""


def test_every_engine_is_in_the_table_with_kinds_and_key() -> None:
    for name, kind in engines("inquest.engines").items():
        [row] = [line for line in ENGINES.splitlines() if line.startswith(f"| `{name}` |")]
        assert all(each.value in row for each in kind.spec.kinds), name
        assert (kind.spec.key or "none") in row
        assert ("(optional)" in row) == kind.spec.key_optional, name


def test_every_setting_is_explained() -> None:
    for name in Settings.model_fields.keys() - STRUCTURED:
        is_role = name.startswith("model_") and name != "model_hub"
        assert f"`{'INQUEST_MODEL_<ROLE>' if is_role else f'INQUEST_{name.upper()}'}`" in SETTINGS


ROOT = DOCS.parent
PAGES = [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "training").rglob("*.md")]


def _without_code(text: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def _anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_links_lead_to_files_and_headings_that_exist() -> None:
    links = re.compile(r"\]\(<?([^)\s>]+)>?\)")
    written = [(page, link) for page in PAGES for link in links.findall(_without_code(page.read_text("utf-8")))]
    for page, link in written:
        if re.match(r"https?:|mailto:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), (page, link)
        assert not anchor or anchor in _anchors(target), (page, link)


def test_the_architecture_names_files_that_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[\w/]*(?:\.\w+)?)`", text))
    assert {name for name in named if not (ROOT / "src" / "inquest" / name).exists()} == set()
