"""Secrets that strangers hold: tokens of seats and invitations. Only their hashes are kept."""

import base64
import hashlib
import secrets
from typing import NamedTuple

ID_BYTES = 9  # 72 bits, 12 characters
ID = "[A-Za-z0-9_-]{1,64}"  # what the id of a game, a player or a tournament may look like


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """Of a game."""
    return secrets.token_urlsafe(ID_BYTES)


class Birth(NamedTuple):
    """What a game begins with."""

    game: str  # its id
    token: str  # of its creator
    invite: str

    @classmethod
    def drawn(cls) -> "Birth":
        return cls(new_id(), new_secret(), new_secret())

    @classmethod
    def of(cls, key: str, wish: str) -> "Birth":
        """The same for the same wish with the same key, which its client has drawn and nobody else knows.
        Only hashes of this are kept, so this is how a lost answer can be given again."""

        def made(what: str, size: int) -> str:
            digest = hashlib.sha256("\0".join((what, key, wish)).encode()).digest()
            return base64.urlsafe_b64encode(digest[:size]).rstrip(b"=").decode()

        return cls(made("game", ID_BYTES), made("token", 32), made("invite", 32))


def hash_of(secret: str) -> str:
    """Secrets are random, so one round of SHA-256 is enough to keep what is stored useless to a thief."""
    return hashlib.sha256(secret.encode()).hexdigest()
