"""Callbacks: events of a case, posted to a receiver while a command runs, or by a service from stored events."""
