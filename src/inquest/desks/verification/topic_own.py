"""The topic's own words among the sources of its case: they are what is to be verified, and no evidence for it."""

from __future__ import annotations

from collections.abc import Mapping

from inquest.desks.verification.topic_evidence import own_article, own_publisher
from inquest.domain.source import Source
from inquest.domain.topic import Topic

__all__ = ["own_words_aside"]


def own_words_aside(topic: Topic, sources: Mapping[str, Source]) -> dict[str, Source]:
    """The sources, by id, with those excluded that say no more than the topic itself: its article, what its publisher
    has beside it, and copies of either. Where the article is itself a copy, what it copies stays."""
    article, publisher = own_article(topic, sources), own_publisher(topic, sources)

    def why(source: Source) -> str:
        if source.id in article:
            return "it is the topic's own article"
        if source.id in publisher:
            return "it is of the publisher of the topic's own article"
        return "it is a copy of the topic's own article" if source.origin_of_story in publisher else ""

    return {
        id: source.model_copy(update={"excluded": source.excluded or why(source) or None})
        for id, source in sources.items()
    }
