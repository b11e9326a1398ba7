"""Ratings: Glicko-2, by discipline, of accounts only."""
