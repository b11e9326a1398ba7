"""Talking to a server: the carrier of messages, and the model of a session that they feed.

:class:`~client.net.session.Session` is sans-I/O and serves the 3-D client, the bots and the tests
alike; :class:`~client.net.link.Link` carries messages over a websocket and comes back after a cut;
:class:`~client.net.thread.NetThread` gives the link a thread of its own.
"""
