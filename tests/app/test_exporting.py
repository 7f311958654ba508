"""The exported evidence of a case: complete, with its hashes, readable by other programs and by Inquest."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import zipfile
from collections.abc import AsyncIterator
from datetime import UTC
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from inquest import Inquest
from inquest.app.cases.reporting import Options, export, render, snapshots_of
from inquest.cli.entry import run
from inquest.domain.case import Case
from inquest.domain.errors import InputError, NotFound, StorageError, Ungrounded
from tests.app.conftest import BRIEF, over_the_rows

PAGE = """<!doctype html><html lang="en"><head><title>Tarn Bridge works: the dust of August</title>
<link rel="canonical" href="https://dale-gazette.example/dust"><meta name="date" content="2023-09-07"></head><body>
<article><h1>Tarn Bridge works: the dust of August</h1><p>The Air Authority measured 84 micrograms of dust per cubic
metre at the Tarn Bridge works on 21 August 2023, and fined the operator, Calder Stone Ltd, 150,000 euros.</p>
<p>The limit for dust at the Tarn Bridge works is 40 micrograms, the permit of the works says.</p></article></body>
</html>
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Case]:
    """A data folder with a case of the collection and a page of the user's own."""

    async def work() -> tuple[Path, Case]:
        folder = tmp_path_factory.mktemp("made")
        page = folder / "private folder" / "dust.html"
        page.parent.mkdir()
        page.write_text(PAGE)
        async with over_the_rows(folder) as inquest:
            await inquest.app.collections.add("tarn", [page])
            case = await inquest.inquiry(BRIEF, collections=["tarn"], engines=["collection"], mode="detailed")
        return folder / "home", case

    return asyncio.run(work())


@pytest.fixture
async def inquest(made: tuple[Path, Case], tmp_path: Path) -> AsyncIterator[Inquest]:
    shutil.copytree(made[0], tmp_path / "home")
    async with Inquest(home=tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def case(made: tuple[Path, Case]) -> Case:
    return made[1]


def records(path: Path) -> dict[str, tuple[str, str, bytes, str]]:
    """Type, address, body and date of each record, by payload digest."""
    found = {}
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream):
            about = record.rec_headers
            if record.rec_type != "warcinfo":
                found[about.get_header("WARC-Payload-Digest")] = (
                    record.rec_type,
                    about.get_header("WARC-Target-URI"),
                    record.content_stream().read(),
                    about.get_header("WARC-Date"),
                )
    return found


async def test_a_warc_holds_every_page_of_the_case_with_hash_and_time(
    inquest: Inquest, case: Case, tmp_path: Path
) -> None:
    written = await export(inquest.app, case, "warc", tmp_path / "case.warc.gz")
    found = records(written.path)
    assert written.snapshots == len(found) == len({source.snapshot for source in case.sources}) > 3
    assert set(found) == set(snapshots_of(case))
    for source in case.sources:
        kind, _, body, date = found[source.snapshot]
        assert kind == "resource", "nothing of this was sent by a server"
        assert f"sha256:{hashlib.sha256(body).hexdigest()}" == source.snapshot
        assert body == await inquest.app.archive.body(source.snapshot)
        assert date == f"{source.retrieved_at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z".replace(".000000Z", "Z")


async def test_a_file_of_the_users_own_is_handed_on_without_its_folders(
    inquest: Inquest, case: Case, tmp_path: Path
) -> None:
    written = await export(inquest.app, case, "warc", tmp_path / "case.warc")
    addresses = [address for _, address, _, _ in records(written.path).values()]
    assert "file:///dust.html" in addresses
    assert not any("private" in address for address in addresses)


async def test_an_exported_case_can_be_taken_in_again(inquest: Inquest, case: Case, tmp_path: Path) -> None:
    written = await export(inquest.app, case, "warc", tmp_path / "case.warc.gz")
    added = await inquest.app.collections.add("again", [written.path])
    assert (added.documents, added.unreadable, added.left_out) == (written.snapshots, 0, 0)
    again = await inquest.inquiry(BRIEF, collections=["again"], engines=["collection"], mode="detailed")
    assert {source.snapshot for source in again.sources} <= {source.snapshot for source in case.sources}
    assert {f.quote for f in again.findings} & {f.quote for f in case.findings}


async def test_a_wacz_lists_its_pages_with_their_titles(inquest: Inquest, case: Case, tmp_path: Path) -> None:
    written = await export(inquest.app, case, "wacz", tmp_path / "case.wacz")
    with zipfile.ZipFile(written.path) as package:
        pages = [json.loads(line) for line in package.read("pages/pages.jsonl").splitlines()][1:]
        index = package.read("indexes/index.cdxj").decode().splitlines()
        about = json.loads(package.read("datapackage.json"))
    assert len(index) == written.snapshots
    assert case.id in about["title"]
    assert {page["title"] for page in pages} <= {source.title for source in case.sources}
    assert len(pages) == written.snapshots - 1, "a file has no address that a viewer could open"


async def test_the_verdicts_go_out_as_claim_reviews_with_what_they_lack(
    inquest: Inquest, case: Case, tmp_path: Path
) -> None:
    written = await export(inquest.app, case, "claimreview", tmp_path / "reviews.json")
    reviews = json.loads(written.path.read_bytes())["@graph"]
    assert written.items == len(reviews) == sum(each.checked for each in case.assessments) > 0
    assert any("--url and --reviewer" in note for note in written.notes)
    options = Options(url="https://desk.example/7", reviewer="The Desk")
    whole = await export(inquest.app, case, "claimreview", tmp_path / "reviews.json", options)
    assert not any("--url" in note for note in whole.notes)
    assert json.loads(whole.path.read_bytes())["@graph"][0]["url"].startswith("https://desk.example/7#")


async def test_no_text_of_a_page_ends_the_script_that_carries_the_reviews(
    inquest: Inquest, case: Case, tmp_path: Path
) -> None:
    evil = case.claims[0].model_copy(update={"text": "</script><script>alert(1)</script>"})
    changed = case.model_copy(update={"claims": (evil, *case.claims[1:])})
    written = await export(inquest.app, changed, "claimreview", tmp_path / "reviews.json")
    assert b"<" not in written.path.read_bytes()
    texts = [review["claimReviewed"] for review in json.loads(written.path.read_bytes())["@graph"]]
    assert evil.text in texts


async def test_a_quote_that_does_not_stand_in_its_page_is_not_handed_on(
    inquest: Inquest, case: Case, tmp_path: Path
) -> None:
    moved = case.findings[0].model_copy(update={"start": 1, "end": 1 + len(case.findings[0].quote)})
    wrong = case.model_copy(update={"findings": (moved, *case.findings[1:])})
    with pytest.raises(Ungrounded):
        await export(inquest.app, wrong, "csv", tmp_path / "f.csv")
    missing = case.findings[0].model_copy(update={"snapshot": "sha256:" + "0" * 64})
    with pytest.raises(StorageError, match="is not in the archive") as caught:
        await render(inquest.app, case.model_copy(update={"findings": (missing, *case.findings[1:])}), "html")
    assert "Restore the archive" in caught.value.advice
    assert not (tmp_path / "f.csv").exists()


async def test_a_case_that_has_nothing_of_a_kind_says_so(inquest: Inquest, case: Case, tmp_path: Path) -> None:
    empty = case.model_copy(update={"sources": (), "findings": (), "claims": (), "assessments": ()})
    for form in ("claimreview", "csv", "bibtex", "csl"):
        with pytest.raises(InputError, match="has no "):
            await export(inquest.app, empty, form, tmp_path / "out")
    assert not (tmp_path / "out").exists()


async def test_the_same_case_gives_the_same_bytes(inquest: Inquest, case: Case, tmp_path: Path) -> None:
    for form in ("warc", "wacz", "json", "claimreview", "csv", "bibtex", "csl"):
        first, second = [(await export(inquest.app, case, form, tmp_path / name)).path for name in ("one", "two")]
        assert first.read_bytes() == second.read_bytes()
    assert not list(tmp_path.glob(".*"))


async def test_what_cannot_be_exported_whole_is_not_exported(inquest: Inquest, case: Case, tmp_path: Path) -> None:
    target = tmp_path / "case.warc.gz"
    gone = case.model_copy(
        update={"sources": (*case.sources, case.sources[0].model_copy(update={"snapshot": "sha256:" + "0" * 64}))}
    )
    with pytest.raises(NotFound, match="is not in the archive"):
        await export(inquest.app, gone, "warc", target)
    empty = case.model_copy(update={"sources": (), "findings": (), "claims": ()})
    with pytest.raises(InputError, match="has no archived page"):
        await export(inquest.app, empty, "wacz", target)
    with pytest.raises(InputError, match="Invalid form 'zip'"):
        await export(inquest.app, case, "zip", target)
    for form in ("warc", "wacz", "json", "claimreview", "csv", "bibtex", "csl"):
        with pytest.raises(InputError):
            await export(inquest.app, case, form, tmp_path / "nowhere" / "case")
    assert not target.exists()


async def test_the_command_writes_every_form_and_refuses_options_that_say_nothing(
    inquest: Inquest, case: Case, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for form, name in (("claimreview", "claimreview.json"), ("csv", "findings.csv"), ("bibtex", "bib")):
        assert await asyncio.to_thread(run, ["export", case.id, "--form", form]) == 0
        out, err = capfd.readouterr()
        assert out.splitlines() == [f"{case.id}.{name}"]
        assert err.split()[0].isdigit()
    assert await asyncio.to_thread(run, ["export", case.id, "--format", "csv", "--url", "https://a.example"]) == 1
    assert "--url applies only to --format claimreview" in capfd.readouterr().err


async def test_without_a_format_the_name_of_the_file_decides(inquest: Inquest, case: Case, tmp_path: Path) -> None:
    begin = {
        "o.html": b"<!doctype html>",
        "o.txt": b"# ",
        "o.csv": b"case_id,",
        "o.csl.json": b"[",
        "o.warc.gz": b"\x1f\x8b",
    }
    for name, expected in begin.items():
        command = "report" if name in ("o.html", "o.txt") else "export"
        assert await asyncio.to_thread(run, [command, case.id, "--out", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_bytes().lower().startswith(expected)
