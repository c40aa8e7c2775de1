"""Commands to practise with: lessons and puzzles."""
