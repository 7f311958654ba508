"""Retrieval: search plan, failover, reading of pages and choice of passages, once for every desk."""
