"""What is told: explanations, reviews, hints, views of agents, in words and pictures."""
