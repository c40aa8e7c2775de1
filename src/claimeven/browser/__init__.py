"""The house in a browser tab: its routes without a server, and the static files that have them."""
