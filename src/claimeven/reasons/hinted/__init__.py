"""A hint: where to look, the idea, the column; made of what an explanation found."""
