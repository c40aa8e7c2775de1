"""Where strangers come in: HTTP, WebSocket, text over TCP, the page; and what guards them."""
