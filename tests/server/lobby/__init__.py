"""Tests of the lobby and of chat."""
