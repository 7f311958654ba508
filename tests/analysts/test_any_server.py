"""A user's own model server: the structured output it supports, its limits, and streamed answers."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from inquest.analysts.asked_model import ModelLimits, ModelRefused
from inquest.analysts.chat import ChatModel, Service
from inquest.analysts.marking import PromptBlock, cut_to, message
from inquest.app.wiring.model_services import model_analyst
from inquest.domain.errors import ModelFormat
from inquest.domain.finding import Stance
from inquest.kit.analyst import Analyst
from tests.analysts.scripted import BRIEF, Purse, Rules, blocks, completion, document, passage, settings

SENTENCE = "Inspectors said that the plant leaked in June. "


class Server:
    """Rejects some forms of structured output and long prompts; judges every passage as supporting."""

    def __init__(self, refuses: tuple[str, ...] = (), context: int = 10**6, says: bool = False, **reply: Any) -> None:
        self.refuses, self.context, self.says, self.reply = refuses, context, says, reply
        self.asked: list[dict[str, Any]] = []
        self.forms: list[str] = []

    def transport(self, label: str) -> httpx2.AsyncBaseTransport:
        return httpx2.MockTransport(self._answer)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == "GET":
            entry = {"id": "own"} | ({"max_model_len": self.context} if self.says else {})
            return httpx2.Response(200, json={"data": [entry]})
        asked = json.loads(request.content)
        form = asked.get("response_format", {"type": "plain"})["type"]
        self.forms.append(form)
        if form in self.refuses:
            return httpx2.Response(400, json={"error": {"message": f"{form} is not supported"}})
        size = len(request.content) // 5
        if size > self.context:
            words = f"This model's maximum context length is {self.context} tokens. You requested {size} tokens."
            return httpx2.Response(400, json={"error": {"message": words}})
        self.asked.append(asked)
        text = self._written(asked["messages"][-1]["content"])
        if not asked["stream"]:
            return httpx2.Response(200, json=completion(text))
        pieces = [text[start : start + 9] for start in range(0, len(text), 9)]
        events = [{"choices": [{"delta": {"content": piece}}]} for piece in pieces]
        lines = [f"data: {json.dumps(event)}\n\n" for event in (*events, {"usage": {"prompt_tokens": 7}})]
        return httpx2.Response(200, text="".join([": busy\n\n", *lines, "data: [DONE]\n\n"]))

    def _written(self, question: str) -> str:
        if self.reply:
            return json.dumps(self.reply)
        judged = [
            {"passage": name, "stance": "supports", "quote": "the plant leaked in June", "confidence": 0.9}
            for kind, name, _ in blocks(question)
            if kind == "passage"
        ]
        return json.dumps({"judgements": judged})


def analyst(server: Server) -> Analyst:
    own = settings(model="openai:own", keys={"OPENAI_BASE_URL": "http://127.0.0.1:8080/v1"})
    return model_analyst(own, server, Purse(), Rules())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("refuses", "forms"),
    [
        ((), ["json_schema", "json_schema"]),
        (("json_schema",), ["json_schema", "json_object", "json_object"]),
        (("json_schema", "json_object"), ["json_schema", "json_object", "plain", "plain"]),
    ],
)
async def test_a_form_that_is_refused_is_not_asked_for_again(refuses: tuple[str, ...], forms: list[str]) -> None:
    server = Server(refuses)
    model = analyst(server)
    for _ in range(2):
        (found,) = await model.assess("The plant leaked.", [passage(1, SENTENCE)])
        assert found.stance is Stance.SUPPORTS
    assert server.forms == forms


@pytest.mark.parametrize(("says", "context"), [(True, 3_000), (False, 1_700)], ids=["known", "refused"])
async def test_passages_that_are_too_much_for_the_context_are_judged_in_more_calls(says: bool, context: int) -> None:
    server = Server(context=context, says=says)
    passages = [passage(number, f"{SENTENCE * 25} Number {number}.") for number in range(1, 9)]
    found = await analyst(server).assess("The plant leaked.", passages)
    assert [each.stance for each in found] == [Stance.SUPPORTS] * 8
    assert len(server.asked) > 1


@pytest.mark.parametrize("says", [True, False], ids=["known", "refused"])
async def test_a_document_that_is_too_long_for_the_context_is_cut(says: bool) -> None:
    quote = "Inspectors said that the plant leaked"
    claim = {"text": "The plant leaked.", "quote": quote}
    server = Server(context=1500, says=says, summary="It says so.", key_claims=[claim], relevance="90 %")
    text = " ".join(f"Inspectors said that the plant leaked in June of {year}." for year in range(1950, 2020))
    found = await analyst(server).read(BRIEF, "The leak", document(text))
    assert found.key_claims[0].quote == quote and found.relevance == 0.9


def test_the_longest_blocks_are_cut_and_the_last_left_out() -> None:
    said = message([PromptBlock("claim", "Short."), *(PromptBlock("passage", "word " * 400, f"P{n}") for n in (1, 2))])
    cut = cut_to(said, 1_000)
    assert len(cut) <= 1_000
    assert [(kind, name) for kind, name, _ in blocks(cut)] == [("claim", ""), ("passage", "P1"), ("passage", "P2")]
    assert blocks(cut)[0][2] == "Short."
    assert [name for _, name, _ in blocks(cut_to(said, 400))] == ["", "P1"]


@pytest.mark.parametrize(
    ("replies", "is_ollama", "limits"),
    [
        ({"/v1/models": {"data": [{"id": "own", "max_model_len": 8192}]}}, False, ModelLimits(8192)),
        (
            {
                "/v1/models": {"data": [{"id": "x.gguf", "meta": {"n_ctx_train": 32768}}]},
                "/props": {"default_generation_settings": {"n_ctx": 4096}, "total_slots": 1},
            },
            False,
            ModelLimits(4096, 1),
        ),
        ({"/api/ps": {"models": []}}, True, ModelLimits(4096, 2)),
        ({"/api/ps": {"models": [{"name": "own", "context_length": 16384}]}}, True, ModelLimits(16384, 2)),
        ({"/v1/models": ["odd"]}, False, ModelLimits()),
    ],
)
async def test_limits_are_what_the_server_says(replies: dict[str, Any], is_ollama: bool, limits: ModelLimits) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=replies[request.url.path])

    service: Service = "ollama" if is_ollama else "openai"
    model = ChatModel("own", "http://127.0.0.1:8080/v1", "", httpx2.MockTransport(answer), service)
    assert await model.limits() == limits


@pytest.mark.parametrize(
    ("status", "text", "tokens"),
    [
        (400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens", 4096),
        (400, '{"error":{"code":400,"message":"the request exceeds the available context size","n_ctx":2048}}', 2048),
        (400, "The input token count (1,200,000) exceeds the maximum number of tokens allowed (1,048,576).", 1048576),
        (413, "", None),
    ],
)
def test_a_refusal_names_the_limit(status: int, text: str, tokens: int | None) -> None:
    refused = ModelRefused(status, text)
    assert refused.too_long and not refused.of_the_form and refused.tokens == tokens


@pytest.mark.parametrize("cut", [40, 160])
async def test_a_reply_that_is_cut_off_never_fails_a_judgement(cut: int) -> None:
    class Cutting(Server):
        def _written(self, question: str) -> str:
            return super()._written(question)[:cut]

    passages = [passage(number, SENTENCE) for number in (1, 2)]
    try:
        found = await analyst(Cutting()).assess("The plant leaked.", passages)
    except ModelFormat as error:
        assert "answered twice in a form that cannot be used" in error.sentence
    else:
        assert {each.stance for each in found} <= {Stance.SUPPORTS, Stance.UNASSESSED}


async def test_an_answer_of_a_server_of_ones_own_has_an_end() -> None:
    server = Server()
    await analyst(server).assess("The plant leaked.", [passage(1, SENTENCE)])
    (asked,) = server.asked
    assert asked["max_tokens"] == 1500
    judgements = asked["response_format"]["json_schema"]["schema"]["properties"]["judgements"]
    assert judgements["maxItems"] == 64 and judgements["items"]["properties"]["quote"]["maxLength"] == 600
    assert "quote" in judgements["items"]["required"]
    assert "expert" in judgements["items"]["properties"]["speaker"]["properties"]["kind"]["enum"]
