"""What a case asks the outside through, as those who wire it up know it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from inquest.kit.ports import HttpClient

if TYPE_CHECKING:
    import httpx2


class CaseClient(HttpClient, Protocol):
    """The HTTP client as one case holds it: its requests, and a transport for its model clients."""

    def expect(self, urls: Iterable[str]) -> None:
        """Say which pages may be wanted soon."""
        ...

    def transport(self, model: str) -> httpx2.AsyncBaseTransport:
        """For the client of a model, by the model's name."""
        ...
