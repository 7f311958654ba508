"""For programs that are built with LangChain and LangGraph: the search as a tool, the desks as nodes, their state.

from inquest.langchain import search_web, investigate_news, investigate_academic, SibylState
"""

from __future__ import annotations

from inquest.langchain.search import SearchAPIError, SearchArgumentError, SearchWeb, search_web

__all__ = ["SearchAPIError", "SearchArgumentError", "SearchWeb", "search_web"]
