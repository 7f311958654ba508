"""How a case runs: graphs, nodes and the runner. LangGraph lives here and nowhere else."""
