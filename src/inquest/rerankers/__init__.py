"""Rerankers, which score how well leads match a query, by words locally or by a service's model."""
