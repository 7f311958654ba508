"""Settings, wiring and use cases: what every face (terminal, library, and services to come) stands on."""
