"""Plans that settle a position, each played through before it is shown."""
