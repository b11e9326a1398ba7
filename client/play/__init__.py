"""The 3-D client: the table on the screen, the player's hands, and what a frame does.

:class:`client.play.app.TableApp` is the same on screen, off-screen and in tests: it takes input
events and draws frames.
"""
