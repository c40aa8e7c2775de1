"""A network that learns from exact labels: training with PyTorch, and the file that the core plays."""
