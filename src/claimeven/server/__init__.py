"""Play over the network: games that survive crashes, one WebSocket per game, the page."""
