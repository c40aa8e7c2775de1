"""Secrets that strangers hold: tokens of seats and invitations. Only their hashes are kept."""

import hashlib
import secrets


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """Secrets are random, so one round of SHA-256 is enough to keep what is stored useless to a thief."""
    return hashlib.sha256(secret.encode()).hexdigest()
