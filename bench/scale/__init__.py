"""Many machines: what is lost when they fail, how soon events arrive, and what more workers bring."""
