"""Why a plan wins, as an argument: who runs out of moves, and what each exception is for."""
