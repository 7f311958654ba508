"""One model behind the door: failures become our own errors, and costs are counted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inquest.app.settings import Settings, load_settings
from inquest.app.wiring.model_services import check_models, model_analyst, models_in, models_of, name_of
from inquest.domain.errors import (
    BudgetMet,
    ModelError,
    ModelFormat,
    ModelKeyRefused,
    ModelUnavailable,
    NotRecorded,
    SettingError,
)
from inquest.domain.finding import Stance
from inquest.kit.analyst import Analyst
from tests.analysts.scripted import KEY, Purse, Rules, Scripted, completion, passage, scripted_analyst, settings
from tests.net.loopback import (
    IMPATIENT,
    Asked,
    LoopbackWeb,
    MemoryRecording,
    a_door,
    drips,
    http,
    never,
    resets,
    says,
)

CLAIM = "The plant leaked."
PASSAGES = [passage(1, "Inspectors said that the plant leaked in June.")]
ANSWER = json.dumps(
    {"judgements": [{"passage": "P1", "stance": "supports", "quote": "the plant leaked", "confidence": 0.9}]}
)
PATH = "/v1/chat/completions"


def replied(text: str = ANSWER, **more: Any) -> bytes:
    return http(200, json.dumps(completion(text, **more)).encode(), "application/json")


def own(web: LoopbackWeb, **more: Any) -> Settings:
    return settings(keys={"OPENAI_BASE_URL": web.url("/v1")} | more.pop("keys", {}), **more)


def questions(web: LoopbackWeb) -> list[Asked]:
    """The requests to the model, without those for the server's limits."""
    return [asked for asked in web.asked if asked.method == "POST"]


def through(web: LoopbackWeb, door: Any, purse: Purse | None = None, **more: Any) -> Analyst:
    return model_analyst(own(web), door, purse or Purse(), Rules(), **more)


async def test_a_call_goes_through_the_door_with_the_key_of_the_settings() -> None:
    async with LoopbackWeb({PATH: says(replied())}) as web, a_door(web) as door:
        (found,) = await through(web, door).assess(CLAIM, PASSAGES)
    assert found.stance is Stance.SUPPORTS
    assert questions(web)[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (401, ModelKeyRefused, "refused the key (401). Check OPENAI_API_KEY."),
        (404, ModelUnavailable, "is not known to its service (404). Check INQUEST_MODEL."),
        (429, ModelUnavailable, "says its quota or rate limit is used up (429). Try again later."),
        (500, ModelUnavailable, "is unavailable (500). Try again later."),
        (400, ModelFormat, "did not accept the request (400)."),
    ],
)
async def test_a_status_is_the_error_of_who_must_act(status: int, kind: type[ModelError], words: str) -> None:
    body = json.dumps({"error": {"message": f"no, {KEY}", "type": "x", "code": None}}).encode()
    async with LoopbackWeb({PATH: says(http(status, body, "application/json"))}) as web, a_door(web) as door:
        with pytest.raises(kind) as met:
            await through(web, door).assess(CLAIM, PASSAGES)
    assert met.value.sentence.endswith(words) and KEY not in met.value.sentence
    # 429 and 5xx are retried only by the door; 400 with each simpler form, and once more with the simpler request.
    assert len(questions(web)) == {429: 3, 500: 3, 400: 4}.get(status, 1)


@pytest.mark.parametrize("answer", [never, drips(0.1), resets], ids=["silence", "drip", "broken"])
async def test_a_model_that_takes_too_long_or_breaks_off_is_unavailable(answer: Any) -> None:
    async with LoopbackWeb({PATH: answer}) as web, a_door(web, policy=IMPATIENT) as door:
        with pytest.raises(ModelUnavailable):
            await through(web, door).assess(CLAIM, PASSAGES)


@pytest.mark.parametrize(
    "body",
    [b"<html>busy</html>", b'{"choices": []}', b'{"choices": [{"mess'],
    ids=["html", "no choice", "truncated"],
)
async def test_a_reply_that_is_no_answer_is_asked_for_once_more_and_then_an_outage(body: bytes) -> None:
    async with LoopbackWeb({PATH: says(http(200, body, "application/json"))}) as web, a_door(web) as door:
        with pytest.raises(ModelFormat):
            await through(web, door).assess(CLAIM, PASSAGES)
    assert len(questions(web)) == 2


async def test_tokens_and_dollars_are_counted_by_the_price_list() -> None:
    purse = Purse()
    analyst, _ = scripted_analyst(ANSWER, purse=purse)
    await analyst.assess(CLAIM, PASSAGES)
    assert (purse.spent.model_calls, purse.spent.tokens_in, purse.spent.tokens_out) == (1, 1000, 100)
    assert purse.spent.usd == pytest.approx(0.00021, rel=0.01)  # gpt-4o-mini: 0.15 and 0.60 USD a million tokens


async def test_a_model_without_a_price_costs_nothing_and_its_tokens_are_counted() -> None:
    purse = Purse()
    async with LoopbackWeb({PATH: says(replied(model="our-own-7b"))}) as web, a_door(web) as door:
        await through(web, door, purse).assess(CLAIM, PASSAGES)
    assert purse.spent.usd == 0 and purse.spent.tokens_in == 1000


async def test_nothing_is_asked_once_the_budget_is_met() -> None:
    purse = Purse(met=BudgetMet("usd", "The budget is used up."))
    analyst, model = scripted_analyst(ANSWER, purse=purse)
    with pytest.raises(BudgetMet):
        await analyst.assess(CLAIM, PASSAGES)
    assert model.asked == []


async def test_a_replay_needs_no_key_asks_nobody_and_costs_nothing() -> None:
    recording = MemoryRecording()
    async with LoopbackWeb({PATH: says(replied())}) as web:
        async with a_door(web, recording=recording) as door:
            live = through(web, door.for_case("case-1"))
            before = await live.assess(CLAIM, PASSAGES)
        calls = len(web.asked)
        purse = Purse()
        async with a_door(web, recording=recording) as door:
            again = model_analyst(
                load_settings(), door.for_case("case-1", replay=True), purse, Rules(), replayed=live.name
            )
            assert await again.assess(CLAIM, PASSAGES) == before
            with pytest.raises(NotRecorded):
                await again.assess("Another claim.", PASSAGES)
    assert len(web.asked) == calls and purse.spent.model_calls == 0
    kept = [request for request, _ in recording.replies.values()]
    assert kept and not any(KEY in str(request) for request in kept)


# Settings -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"model": "gpt-5"}, "Invalid model 'gpt-5'"),
        ({"model": "skynet:t800"}, "There is no model provider 'skynet'"),
        ({"model": "openrouter:anthropic/claude-sonnet-4.5"}, "needs a key. Set OPENROUTER_API_KEY"),
        ({"model": "ollama:qwen3"}, "Ollama has no address. Set OLLAMA_BASE_URL"),
        ({"model": "google-gla:gemini-2.5-pro", "keys": {"GEMINI_API_KEY": "k"}}, "`inquest[google]`"),
        ({"model_write": "openai:gpt-5", "model": None, "keys": {"OPENAI_API_KEY": ""}}, "Set OPENAI_API_KEY"),
    ],
)
def test_a_setting_that_cannot_be_used_is_said_before_anything_is_asked(given: dict[str, Any], words: str) -> None:
    keys = {name: value for name, value in given.pop("keys", {}).items() if value}
    with pytest.raises(SettingError) as met:
        check_models(load_settings(keys=keys, **given))
    assert words in met.value.sentence


def test_each_role_has_its_own_model_and_what_has_none_is_the_rules() -> None:
    chosen = settings(
        model=None, model_summarise="openai:small", model_assess="openai:big", model_fact_check="openai:best"
    )
    found = models_of(chosen)
    assert {duty: place.model for duty, place in found.items()} == {
        "read": "small",
        "merge": "small",
        "events": "small",
        "leanings": "small",
        "classify": "small",
        "assess": "best",
    }
    name = name_of(found)
    assert name == ("local (plan, write); openai:small (read, merge, events, leanings, classify); openai:best (assess)")
    assert models_in(name) == found
    assert models_in("local") == {}


def test_a_role_may_be_left_to_the_local_analyst_beside_a_model() -> None:
    found = models_of(settings(model="openai:small", model_assess="local"))
    assert "assess" not in found and found["plan"].model == "small"
    assert name_of(found).startswith(
        "openai:small (plan, read, merge, events, leanings, classify, write); local (assess)"
    )


def test_a_desk_of_its_own_model_is_named_where_that_makes_a_difference_and_is_found_again() -> None:
    chosen = settings(model="openai:big", model_news="openai:reporter", model_academic="openai:big")
    found = models_of(chosen)
    assert name_of(found) == (
        "openai:big (plan, read, merge, events, leanings, classify, assess, write); openai:reporter (news)"
    )
    assert models_in(name_of(found)) == found
    same = models_of(settings(model="openai:big", model_news="openai:big"))
    assert name_of(same) == "openai:big" and models_in("openai:big") == same
    alone = models_of(settings(model=None, model_academic="openai:scholar"))
    assert [*alone] == ["academic"] and models_in(name_of(alone)) == alone
    apart = models_of(settings(model="openai:big", model_assess="openai:judge", model_news="openai:big"))
    assert apart["news"].model == "big" and models_in(name_of(apart)) == apart


def test_a_server_of_ones_own_is_named_with_its_address_and_needs_no_key() -> None:
    chosen = load_settings(model="openai:qwen3", keys={"OPENAI_BASE_URL": "http://127.0.0.1:8080/v1/"})
    check_models(chosen)
    found = models_of(chosen)
    assert name_of(found) == "openai:qwen3 at http://127.0.0.1:8080/v1"
    assert models_in(name_of(found)) == found


@pytest.mark.parametrize(
    ("given", "url", "key"),
    [
        ({"model": "openai:gpt-4o-mini"}, "https://api.openai.com/v1/chat/completions", KEY),
        (
            {"model": "ollama:qwen3", "keys": {"OLLAMA_BASE_URL": "http://x.example/v1"}},
            "http://x.example/v1/chat/completions",
            "",
        ),
        (
            {"model": "openrouter:openai/gpt-4o-mini", "keys": {"OPENROUTER_API_KEY": "or-key-1"}},
            "https://openrouter.ai/api/v1/chat/completions",
            "or-key-1",
        ),
    ],
)
async def test_each_provider_is_asked_at_its_own_place(given: dict[str, Any], url: str, key: str) -> None:
    scripted = Scripted([ANSWER])
    analyst = model_analyst(settings(**given), scripted, Purse(), Rules())  # type: ignore[arg-type]
    await analyst.assess(CLAIM, PASSAGES)
    assert scripted.asked[0]["url"] == url
    assert key in scripted.asked[0]["headers"]["authorization"]
    assert scripted.labels == [analyst.name]
