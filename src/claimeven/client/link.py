"""The links that people share."""

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import urlsplit

from claimeven.errors import InputError
from claimeven.notation import quote
from claimeven.server.tokens import ID

SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}
SECRET = "[A-Za-z0-9_-]{1,128}"


class Link(NamedTuple):
    """A server, and perhaps a game on it, and perhaps an invitation to its free seat."""

    address: str  # like http://127.0.0.1:8080
    game: str | None = None
    invite: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Link":
        """
        >>> Link.parse("127.0.0.1:8080/game/q3fT9bKcW1s#invite=xyz")
        Link(address='http://127.0.0.1:8080', game='q3fT9bKcW1s', invite='xyz')
        """
        text = text.strip()
        try:
            parts = urlsplit(text if "://" in text else f"http://{text}")
            host, port = parts.hostname, parts.port
        except ValueError:
            host = port = None
        if host is None or parts.scheme not in SCHEMES or parts.username is not None:
            raise InputError("link.address", text=quote(text))
        name = f"[{host}]" if ":" in host else host
        address = f"{SCHEMES[parts.scheme]}://{name}{'' if port is None else f':{port}'}"
        if parts.path in ("", "/") and not parts.fragment:
            return cls(address)
        game = re.fullmatch(f"/game/({ID})/?", parts.path)
        invite = re.fullmatch(f"(?:invite=({SECRET}))?", parts.fragment)
        if game is None or invite is None or parts.query:
            raise InputError("link.game", text=quote(text), address=address)
        return cls(address, game[1], invite[1])

    def __str__(self) -> str:
        game = "" if self.game is None else f"/game/{self.game}"
        return f"{self.address}{game}{'' if self.invite is None else f'#invite={self.invite}'}"

    @property
    def socket(self) -> str:
        """Where the game is played."""
        return f"ws{self.address.removeprefix('http')}/ws/{self.game}"


def is_local(address: str) -> bool:
    """Whether an address is this machine: then no proxy stands between."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
