"""A face for programs that speak the Model Context Protocol: `inquest mcp`.

Needs the extra `inquest[mcp]`. Nothing is imported here: `inquest.mcp.server` loads what it needs.
"""
