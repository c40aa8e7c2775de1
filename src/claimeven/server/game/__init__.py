"""One game and everybody at it: rules of a session, its requests, agents, guests and messages."""
