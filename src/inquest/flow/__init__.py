"""Run a case: graphs, nodes and the runner. No other package uses LangGraph."""
