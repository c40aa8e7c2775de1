"""The wires of strangers, before anything of theirs is understood."""
