"""Files that hold several documents, read one at a time by the number of a part."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from inquest.app.settings import Settings
from inquest.app.tools.reading import read_page
from inquest.app.wiring.resources import open_resources
from inquest.domain.errors import InputError
from tests.collection.upload_files import message, word_document


async def test_a_part_of_a_message_is_a_document_of_its_own(tmp_path: Path) -> None:
    mail = tmp_path / "mail.eml"
    mail.write_bytes(message("The crane rose."))
    async with open_resources(Settings(home=tmp_path / "home")) as app:
        whole = await read_page(app, str(mail))
        assert [(each["part"], each["name"]) for each in whole["parts"]] == [("1", "film.mp4"), ("2", "note.txt")]
        note = await read_page(app, whole["parts"][1]["read"])
        assert (note["parent"], note["text"]) == ("mail.eml (The port)", "The crane rose. Nobody was hurt.")
        with pytest.raises(InputError, match="has no part 3"):
            await read_page(app, f"{mail}#part=3")


async def test_archives_are_one_sentence_that_names_the_command(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("memo.docx", word_document("The crane fell."))
        archive.writestr("b.txt", "Two.")
    (tmp_path / "two.zip").write_bytes(packed.getvalue())
    async with open_resources(Settings(home=tmp_path / "home")) as app:
        for name in ("pages.wacz", "pages.warc.gz", "two.zip"):
            path = tmp_path / name
            path.touch()
            with pytest.raises(InputError) as caught:
                await read_page(app, str(path))
            assert f"inquest collection add NAME {path.name if name == 'two.zip' else path}" in caught.value.advice
        assert (await read_page(app, f"{tmp_path}/two.zip#part=1"))["text"] == "The crane fell."
