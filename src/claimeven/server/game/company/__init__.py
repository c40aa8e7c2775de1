"""Who is at a game: people, their lines, agents, and what is due for them."""
