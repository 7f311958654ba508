"""The interface for clients of the Model Context Protocol: `inquest mcp` (extra `inquest[mcp]`)."""
