"""Cases, findings, events, recorded replies and quotas, kept in SQLite or PostgreSQL.

Nothing is imported here: SQLAlchemy and Alembic cost half a second, and commands such as `tier` never need them.
Import `inquest.store.database` and its siblings where a database is really opened.
"""
