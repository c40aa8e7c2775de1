"""Facts, certificates, explanations, reviews: nothing is said here that is not proved."""
