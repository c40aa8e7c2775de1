"""Whose request it is: the address behind a wire, and what counts as one visitor."""

import ipaddress
from collections.abc import Iterable, Sequence
from functools import lru_cache
from urllib.parse import urlsplit

from claimeven.errors import InputError
from claimeven.notation import quote

Headers = Iterable[tuple[bytes, bytes]]
FORWARDED = (b"x-forwarded-for", b"forwarded", b"x-real-ip")
REMEMBERED = 4096  # addresses: each is asked for several times in a request
CUSTOMER_BITS = 64  # of an IPv6 address: one customer has at least all addresses that begin like this


@lru_cache(REMEMBERED)
def counted(address: str) -> str:
    """What limits count: an IPv4 address, also where IPv6 wraps it, or the IPv6 network of one customer."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    if ip.is_loopback:
        return str(ip)
    return str(ipaddress.ip_network((ip, CUSTOMER_BITS), strict=False))


@lru_cache(REMEMBERED)
def is_local(address: str) -> bool:
    """Whether an address is this machine."""
    try:
        return ipaddress.ip_address(counted(address)).is_loopback
    except ValueError:
        return False


class Proxies:
    """Those whose `X-Forwarded-For` is believed: addresses or networks."""

    def __init__(self, wished: Sequence[str] = ()) -> None:
        try:
            self._networks = [ipaddress.ip_network(text) for text in wished]
        except ValueError:
            wrong = ", ".join(map(quote, wished))
            raise InputError("option.proxy", address=wrong) from None

    def __contains__(self, address: str) -> bool:
        if not self._networks:
            return False
        try:
            ip = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        return any(ip in network for network in self._networks)

    def behind(self, peer: str, headers: Headers) -> str:
        """Who is at the other end: the last in the row of proxies that is not one of ours."""
        if peer not in self:
            return peer
        named = b",".join(value for name, value in headers if name == b"x-forwarded-for").decode("latin-1")
        for word in reversed(named.split(",")):
            address = _without_port(word.strip())
            if address and address not in self:
                return address
        return peer


def _without_port(text: str) -> str:
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def is_direct(peer: str, headers: Headers) -> bool:
    """Whether somebody at this machine asks, and no proxy for somebody else: it would say so, or name a host
    that is not this one."""
    if not is_local(peer):
        return False
    found = dict(headers)
    if any(name in found for name in FORWARDED):
        return False
    try:
        host = urlsplit(f"//{found.get(b'host', b'').decode('latin-1')}").hostname
    except ValueError:
        return False
    return host is None or host == "localhost" or is_local(host)
