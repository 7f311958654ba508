"""Model clients behind the door."""

from __future__ import annotations

import gzip
import json

import httpx2
import pytest

from inquest.domain.errors import BudgetMet, ModelUnavailable, NotRecorded
from tests.net.loopback import IMPATIENT, LoopbackWeb, MemoryRecording, Purse, a_door, http, never, says

ANSWER = http(200, gzip.compress(b'{"said": "yes"}'), "application/json", Content_Encoding="gzip", X_Note="seen")


async def test_a_clients_call_is_recorded_without_its_key_and_replayed_without_one() -> None:
    recording = MemoryRecording()
    async with LoopbackWeb({"/v1/chat": says(ANSWER)}) as web, a_door(web, recording=recording) as door:

        async def call(key: str, *, replay: bool) -> httpx2.Response:
            transport = door.for_case("c1", replay=replay).transport("local:small")
            async with httpx2.AsyncClient(transport=transport, headers={"Authorization": f"Bearer {key}"}) as client:
                return await client.post(web.url("/v1/chat"), json={"ask": "is it so?"})

        reply = await call("sk-live-1234", replay=False)
        assert (reply.status_code, reply.json(), reply.headers["x-note"]) == (200, {"said": "yes"}, "seen")
        assert web.asked[0].headers["authorization"] == "Bearer sk-live-1234"
        assert json.loads(web.asked[0].body) == {"ask": "is it so?"}
        assert "sk-live" not in repr(recording.replies)

        again = await call("none", replay=True)
        assert again.json() == reply.json() and len(web.asked) == 1


@pytest.mark.parametrize("header", ["x-api-key", "x-goog-api-key", "api-key"])
async def test_a_key_is_known_by_its_header(header: str) -> None:
    recording = MemoryRecording()
    echo = http(200, b'{"key": "sk-live-1234"}', "application/json")
    async with LoopbackWeb({"/v1": says(echo)}) as web, a_door(web, recording=recording) as door:
        async with httpx2.AsyncClient(transport=door.transport("m")) as client:
            reply = await client.post(web.url("/v1"), headers={header: "sk-live-1234"})
        assert reply.json() == {"key": "SECRET-LEFT-OUT"}
        assert "sk-live" not in repr(recording.replies)


async def test_statuses_are_the_clients_business_and_outages_are_typed() -> None:
    async with (
        LoopbackWeb({"/no": says(http(401, b"{}")), "/slow": never}) as web,
        a_door(web, policy=IMPATIENT) as door,
    ):
        async with httpx2.AsyncClient(transport=door.transport("local:small")) as client:
            assert (await client.post(web.url("/no"))).status_code == 401
            with pytest.raises(ModelUnavailable, match=r"local:small did not answer within 0\.3 s\.") as met:
                await client.post(web.url("/slow"))
            assert met.value.who == "local:small"
            with pytest.raises(ModelUnavailable, match="loopback address") as met:
                await client.post("http://127.0.0.1:9/v1")
            assert "INQUEST_ALLOW_HOSTS" in met.value.advice
        replay = door.for_case("c9", replay=True).transport("local:small")
        spent = door.for_case("c9", Purse(met=BudgetMet("usd", "All spent."))).transport("local:small")
        for transport, error in ((replay, NotRecorded), (spent, BudgetMet)):
            async with httpx2.AsyncClient(transport=transport) as client:
                with pytest.raises(error):
                    await client.post(web.url("/no"))
