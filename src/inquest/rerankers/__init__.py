"""One file per reranker: how well leads fit what was asked, by words here or by a service's model."""
