"""The Panda3D client, and the bots: headless clients over the same socket."""
