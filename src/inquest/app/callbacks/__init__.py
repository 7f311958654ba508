"""Callbacks: what happens in a case, posted to a receiver: as a command runs, or by a service from kept events."""
