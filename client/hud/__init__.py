"""What is written over the table: score, clock, rulings, controls and choices.

:mod:`client.hud.model` is what a frame shows, as plain data; :mod:`client.hud.describe` makes it
from the match; :class:`client.hud.hud.Hud` draws it and says what lies under the mouse.
"""
