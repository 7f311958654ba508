"""Access to a service: users, teams, sessions, tokens, ownership, and the audit log."""
