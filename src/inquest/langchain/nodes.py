"""The news desk and the academic desk as nodes for a LangGraph that others build (spec 000 §2, 002 §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pydantic import ValidationError

from inquest.app.nodes.sibyl_state import SibylState
from inquest.domain.errors import InputError, InquestError

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.app.client import Inquest

State = Any
"""A `SibylState`, a mapping with its keys, or an object with its attributes. Were the class itself written at a node,
LangGraph would take it for the node's own schema, and its reducers would meet those of the graph it is put into."""


class Node(Protocol):
    """A node as LangGraph takes it."""

    async def __call__(self, state: State) -> dict[str, Any]:
        """What is new in the state."""
        ...


async def investigate_news(state: State) -> dict[str, Any]:
    """What the press and public bodies say of the claims that the routing plan gives to `news_media`. Returns what is
    new in the state: findings, agent_status, info_requests, info_responses, events. An outage is a finding of type
    `error`, never an exception. Raises InputError where the state is not of the documented shape."""
    return await _investigated("news", state)


async def investigate_academic(state: State) -> dict[str, Any]:
    """What literature, standards and benchmarks say of the claims that the routing plan gives to `academic`. Otherwise
    as `investigate_news`."""
    return await _investigated("academic", state)


def nodes_of(inquest: Inquest) -> tuple[Node, Node]:
    """`investigate_news` and `investigate_academic` that share the connections and limits of an open `Inquest`."""

    async def news(state: State) -> dict[str, Any]:
        return await _investigated("news", state, inquest.app)

    async def academic(state: State) -> dict[str, Any]:
        return await _investigated("academic", state, inquest.app)

    return news, academic


async def _investigated(name: str, state: State, app: App | None = None) -> dict[str, Any]:
    # Here, because whoever only builds a graph need not pay for what runs in it.
    from inquest.app.build import open_app
    from inquest.app.nodes.sibyl import failed, investigate_state

    read = _read(state)
    try:
        if app is not None:
            return await investigate_state(app, name, read)
        async with open_app() as opened:
            return await investigate_state(opened, name, read)
    except InquestError as error:
        return failed(read, name, error)


def _read(state: State) -> SibylState:
    try:
        # By attributes, too: a state, or a claim in it, may be a class of whoever built the graph.
        return SibylState.model_validate(state, from_attributes=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "state"
        raise InputError(f"The state cannot be used: {where}: {first['msg']}.", advice="See SibylState.") from error
