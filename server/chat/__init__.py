"""Chat: cleaned lines, who may read what, who may write."""
