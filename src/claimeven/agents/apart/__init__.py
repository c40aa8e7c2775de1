"""Agents in processes of their own: any program, Kaggle submissions, any agent that may fail."""
