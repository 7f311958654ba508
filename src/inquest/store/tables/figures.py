"""What is counted of cases, kept beside them (`store.case_figures`)."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Integer, Table, Text

from inquest.domain.assessment import Verdict
from inquest.store.tables.columns import MomentColumn, metadata

# `version` is that of the case as it was read. `settled`: 0 while events may yet come that no change of
# the case announces. A column for each verdict has the number of claims with it.
case_figures = Table(
    "case_figures",
    metadata,
    Column("case_id", Text, ForeignKey("cases.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("settled", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created_at", MomentColumn, nullable=False),
    Column("seconds", Float),
    Column("usd", Float, nullable=False),
    *(Column(verdict.value, Integer, nullable=False) for verdict in Verdict),
    *(Column(name, Integer, nullable=False) for name in ("not_checked", "search_calls", "page_reads", "model_calls")),
)

# `place` of a page is empty, unless it was at its limit: each stands once as a rule, and a list of them says nothing.
case_outages = Table(
    "case_outages",
    metadata,
    Column("case_id", Text, ForeignKey("case_figures.case_id", ondelete="CASCADE"), primary_key=True),
    Column("what", Text, primary_key=True),
    Column("place", Text, primary_key=True),
    Column("at_limit", Integer, primary_key=True),
    Column("times", Integer, nullable=False),
)
