"""What goes on in a house of games by itself: keeping, rest, upkeep, how late the loop is."""
