"""E-mail messages, as sent (RFC 5322) and as saved by Outlook."""
