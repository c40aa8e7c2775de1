"""What goes on in a house of games by itself: rest, upkeep, how late the loop is."""
