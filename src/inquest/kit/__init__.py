"""The contracts for plug-in authors (engine, reader, analyst, desk) and the ports of flow nodes."""
