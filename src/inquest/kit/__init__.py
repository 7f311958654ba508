"""The contracts a plug-in author meets: engine, reader, analyst, desk, and the ports that flow nodes are given."""
