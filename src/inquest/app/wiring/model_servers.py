"""Model servers on this machine, found on the ports that they usually listen on."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inquest.domain.errors import InquestError
from inquest.kit.exchange import Purpose, Request

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

PORTS = {11434: "Ollama", 8080: "llama.cpp", 1234: "LM Studio", 8000: "vLLM"}
"""Where each listens if nothing else is set, by its own documentation."""
_OWNERS = {"library": "Ollama", "llamacpp": "llama.cpp", "organization_owner": "LM Studio", "vllm": "vLLM"}
"""What each calls the owner of a model (`owned_by` of /v1/models): two servers may have changed ports."""
_FIND_SECONDS = 1.0
_MOST = 20
"""Models of one server that are shown."""


@dataclass(frozen=True)
class ModelServer:
    """A model server on this machine. `models`: each as it is written in settings, with the server's address."""

    title: str
    url: str
    models: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The models as the server names them."""
        return tuple(each.partition(":")[2].partition(" at ")[0] for each in self.models)

    @property
    def sentence(self) -> str:
        """For a person: which models it has, and the command to use one."""
        if not self.models:
            return f"{self.title} at {self.url} has no model yet"
        use = f"`inquest models use '{self.models[0]}'`"
        return f"{self.title} at {self.url} has {', '.join(self.names)}; to use one: {use}"


async def model_servers(app: Resources) -> tuple[ModelServer, ...]:
    """The servers that answer on their usual ports of this machine. Nobody else is asked, no key is sent, and no proxy
    is in between."""
    from inquest.net.client import Network
    from inquest.net.door import Door

    network = Network(model_hosts=[f"127.0.0.1:{port}" for port in PORTS])
    async with Door(clock=app.clock, user_agent="Inquest", network=network) as door:

        async def one(port: int, title: str) -> ModelServer | None:
            url = f"http://127.0.0.1:{port}/v1"
            with suppress(InquestError, TimeoutError, ValueError, KeyError, TypeError, AttributeError):
                async with asyncio.timeout(_FIND_SECONDS):
                    reply = await door.fetch(Request(url=f"{url}/models"), purpose=Purpose.MODEL, label=title)
                return _server(title, url, json.loads(reply.body)) if reply.status == 200 else None
            return None

        found = await asyncio.gather(*(one(port, title) for port, title in PORTS.items()))
    return tuple(each for each in found if each)


def _server(title: str, url: str, said: Any) -> ModelServer:
    """The server whose /v1/models says this. Raises ValueError, KeyError, TypeError, AttributeError for another's."""
    entries = said["data"] or ()
    title = next((_OWNERS[owner] for each in entries if (owner := each.get("owned_by")) in _OWNERS), title)
    provider = "ollama" if title == "Ollama" else "openai"
    names = [name for each in entries[:_MOST] if isinstance(name := each["id"], str) and not set(name) & set(" \n\t")]
    return ModelServer(title, url, tuple(f"{provider}:{name} at {url}" for name in names))
