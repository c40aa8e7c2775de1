"""The lines of strangers, before anything of theirs is understood."""
