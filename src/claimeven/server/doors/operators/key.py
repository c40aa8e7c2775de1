"""Who may see the server from behind: numbers, games, and the addresses of those who are connected."""

import base64
import hmac

from fastapi import Request

from claimeven.errors import InputError
from claimeven.server.doors.limits import Limits
from claimeven.server.errors import NoOperatorError, RefusedError

KEY_VARIABLE = "CLAIMEVEN_OPERATOR_KEY"
LEAST_KEY = 16  # characters: strangers may try twenty a second


def check_key(key: str | None) -> str | None:
    """The key of the operator, if there is one and it can be kept."""
    if key and (len(key) < LEAST_KEY or not key.isascii()):
        raise InputError("option.key", name=KEY_VARIABLE, least=LEAST_KEY)
    return key or None


def check_operator(request: Request) -> None:
    """Without a key: this machine, not what a proxy forwards. With one: whoever brings it and nobody else."""
    key: str | None = request.app.state.operator_key
    if key is None:
        limits: Limits = request.app.state.limits
        if not limits.is_this_machine(request.scope):
            raise RefusedError("not_found.here")
    elif not hmac.compare_digest(_brought(request).encode(), key.encode()):
        raise NoOperatorError("not_allowed.operator")


def _brought(request: Request) -> str:
    """The key of a request: `Bearer KEY`, or the password of `Basic`."""
    kind, _, word = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return word.strip()
    try:
        name_and_key = base64.b64decode(word, validate=True).decode() if kind.lower() == "basic" else ""
    except ValueError:
        return ""
    return name_and_key.partition(":")[2]
