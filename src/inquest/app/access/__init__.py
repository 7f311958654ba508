"""Who may use a service: users, teams, sessions, tokens, and what was done."""
