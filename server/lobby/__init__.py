"""Finding a game: who is here, challenges, quick match, rematch, friends."""
