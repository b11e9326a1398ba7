"""Accounts: passwords, roles, what people do with their own, and what officials do to others."""
