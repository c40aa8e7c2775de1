"""Several servers as one: whose a game is, and the way to it from any of them."""
