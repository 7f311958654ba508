"""The contracts for plug-in authors (engine, reader, analyst, desk) and the ports given to flow nodes."""
