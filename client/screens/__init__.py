"""What the one window of the client shows, one thing after another: start, servers, lobby, table.

:mod:`client.screens.shell` changes from one to the next; each is an
:class:`~client.screens.activity.Activity`.
"""
