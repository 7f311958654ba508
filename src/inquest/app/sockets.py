"""Sockets that servers listen on."""

from __future__ import annotations

import ipaddress
import socket

from inquest.domain.errors import InputError


def listening(host: str, port: int) -> tuple[socket.socket, bool]:
    """A socket, and True if only this machine can reach it. Raises InputError for an unavailable address."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.create_server(found[4][:2], family=found[0])
    except (OSError, OverflowError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(
            f"The server cannot listen at {host}:{port} ({why}).", advice="Choose another port."
        ) from error
    return bound, ipaddress.ip_address(bound.getsockname()[0]).is_loopback


def address_of(bound: socket.socket) -> str:
    """The address of a server on this socket."""
    host, port = bound.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
