"""`assess` uses the model named in the settings; if it fails, the local analyst answers and this is reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inquest.app.settings import Settings, load_settings
from inquest.app.tools.reading import pair_judge
from inquest.domain.finding import Stance
from tests.net.loopback import LoopbackWeb, http, says

CHAT = "/v1/chat/completions"
CLAIM = "The ferry carried 40 passengers on its first day."
PASSAGE = "The harbour log speaks of the ferry's first day in other words than most."
"""A pair to which no rule applies, so that only the model can have judged it."""


def chat(stance: str, quote: str | None) -> bytes:
    judgement = {"passage": "1", "stance": stance, "confidence": 0.93, "quote": quote, "why": "as the log has it"}
    answer = {
        "id": "1", "object": "chat.completion", "created": 1, "model": "played",
        "choices": [{"index": 0, "finish_reason": "stop",
                     "message": {"role": "assistant", "content": json.dumps({"judgements": [judgement]})}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20},
    }  # fmt: skip
    return http(200, json.dumps(answer).encode(), "application/json")


def settings(tmp_path: Path, port: int, **more: str) -> Settings:
    keys = {"OPENAI_API_KEY": "sk-played", "OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1"}
    return load_settings(home=tmp_path, keys=keys, **more)


async def judged(asked: Settings) -> tuple[Stance, list[str]]:
    notes: list[str] = []
    async with pair_judge(asked, note=notes.append) as judge:
        (found,) = await judge.pairs([(CLAIM, PASSAGE)])
    return found.stance, notes


@pytest.mark.parametrize("setting", ["model", "model_assess"])
async def test_the_model_of_the_settings_judges(tmp_path: Path, setting: str) -> None:
    async with LoopbackWeb({CHAT: says(chat("supports", "the ferry's first day in other words"))}) as server:
        assert await judged(settings(tmp_path, server.port, **{setting: "openai:played"})) == (Stance.SUPPORTS, [])


async def test_a_model_that_fails_is_named_and_the_local_judge_answers(tmp_path: Path) -> None:
    async with LoopbackWeb({CHAT: says(http(401, b"{}", "application/json"))}) as server:
        stance, notes = await judged(settings(tmp_path, server.port, model="openai:played"))
    async with pair_judge(load_settings(home=tmp_path), note=lambda why: None) as local:
        (alone,) = await local.pairs([(CLAIM, PASSAGE)])
    assert stance is alone.stance
    (note,) = notes
    assert "refused the key" in note and "The local judge answers instead" in note
