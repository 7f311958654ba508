"""Settings, wiring and use cases: the basis of every interface."""
