"""A face for programs that speak the Model Context Protocol: `inquest mcp`.

Needs the extra `inquest[mcp]`. Nothing is imported here: `inquest.mcp.server` loads what it needs.
"""

from __future__ import annotations

__all__: list[str] = []
