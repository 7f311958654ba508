"""Sentences of sources are encoded while their claims are merged, those alone that a model may be shown in part."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

from inquest.domain.document import Document
from inquest.flow.nodes.claims import encoded_meanwhile
from inquest.flow.services import Services
from inquest.retrieval.passages import WHOLE_PAGE, passages_on, whole_passages
from inquest.text.sentences import sentences
from tests.flow.test_classifying import source

ABOUT = "Did the quarry at Tarn Bridge keep its dust within the limit in 2023?"
ENGLISH = "The dust stayed within the limit all year. Nobody measured it at night."
GERMAN = "Der Staub blieb das ganze Jahr unter dem Grenzwert. Nachts hat ihn niemand gemessen."
TEXTS = {1: (ENGLISH, "en"), 2: (GERMAN, "de"), 3: ("It was measured again in March. " * (WHOLE_PAGE // 25), "en")}


def document(number: int) -> Document:
    text, language = TEXTS[number]
    return Document(snapshot=f"sha256:{number:064d}", url="https://a.example/", text=text, language=language)


class Encoder:
    """Notes what it is given, and says when."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self.called = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def likeness(self, claim: str, texts: Sequence[str]) -> list[float]:
        self.given += texts
        self._loop.call_soon_threadsafe(self.called.set)
        return [0.0 for _ in texts]


def services(encoder: Encoder, *, with_model: bool) -> Services:
    class Archive:
        async def document(self, snapshot: str) -> Document:
            return document(int(snapshot.removeprefix("sha256:")))

    local = SimpleNamespace(likeness=encoder.likeness)
    return cast(Services, SimpleNamespace(local=local, mind=object() if with_model else local, archive=Archive()))


async def test_short_pages_in_the_language_of_the_case_are_encoded_meanwhile() -> None:
    encoder = Encoder()
    async with encoded_meanwhile([source(1), source(2), source(3)], ABOUT, services(encoder, with_model=True)):
        await encoder.called.wait()
    assert encoder.given == [span.of(ENGLISH) for span in sentences(ENGLISH)]


async def test_without_a_model_the_few_sentences_that_are_compared_are_encoded_when_they_are() -> None:
    encoder = Encoder()
    async with encoded_meanwhile([source(1)], ABOUT, services(encoder, with_model=False)):
        await asyncio.sleep(0)
    assert not encoder.given


def test_what_is_encoded_are_the_passages_that_are_judged() -> None:
    page = document(1)
    judged = passages_on(ABOUT, {page.snapshot: page}, found_for_it=[page.snapshot])
    assert whole_passages(page) == [each.text for each in judged]
    assert not whole_passages(document(3)), "of a long page the claim chooses"
