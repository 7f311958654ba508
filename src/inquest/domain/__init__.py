"""Frozen values and typed errors, and nothing else (see the glossary in ARCHITECTURE.md)."""
