"""Settings, wiring and use cases: the ground of every interface."""
