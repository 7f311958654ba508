"""One file per reranker, which scores how well leads match a query, by words locally or by a service's model."""
