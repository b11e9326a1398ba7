"""Web pages on the server's port: GET and HEAD only; whatever changes state goes by websocket.

``asked`` reads a request, ``routes`` finds who answers it, ``reply`` makes the response.  A new
page is a handler added to the routes in ``site``.
"""
