"""Messages of a game take the shortest way: no queue, no task, and one frame for all who are told."""

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from claimeven.server import messages as m
from kit.serving import serving

HANDSHAKE = (
    "GET /ws/{game} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.mark.parametrize("size", [0, 60, 70, 5000])
def test_a_frame_is_what_websockets_would_send(size: int) -> None:
    told = m.Outgoing(m.Error(None, "bad_message", "é" * size))
    assert told.frame == Frame(Opcode.TEXT, told.text.encode()).serialize(mask=False)


def frames(*said: dict[str, Any]) -> bytes:
    return b"".join(Frame(Opcode.TEXT, json.dumps(one).encode()).serialize(mask=True) for one in said)


def test_what_comes_in_one_packet_is_heard_in_its_order(tmp_path: Path) -> None:
    """Also what was said before the server could open the game."""
    with serving(tmp_path) as server:
        made = server.new("me", "me")
        moves = [
            {"t": "move", "id": f"m{ply}", "take": 0, "ply": ply, "column": 1 + ply % 7} for ply in range(12)
        ]
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as wire:
            hello = {"t": "hello", "protocol": 1, "token": made["token"]}
            wire.sendall(HANDSHAKE.format(game=made["game"]).encode())
            assert b" 101 " in wire.recv(1000)
            wire.sendall(frames(hello, *moves[:6]))
            wire.sendall(frames(*moves[6:], {"t": "ping", "id": "last"}))
            heard = b""
            while heard.count(b'"t":"ack"') < len(moves) or b'"pong"' not in heard:
                heard += wire.recv(65536)
        places = [heard.index(f'"id":"m{ply}"'.encode()) for ply in range(12)]
        assert places == sorted(places)
        assert server.state(made["game"])["moves"] == "123456712345"


def test_a_move_waits_in_no_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as server:
        game, one, two = server.pair()
        with server.sit(game, one) as lan, server.sit(game, two) as ada:
            assert lan.move(0, 4)["t"] == "ack"
            waited: list[object] = []
            put = asyncio.Queue.put_nowait

            def counted(self: Any, item: Any) -> None:
                waited.append(item)
                put(self, item)

            monkeypatch.setattr(asyncio.Queue, "put_nowait", counted)
            assert ada.move(1, 4)["t"] == lan.move(2, 4)["t"] == "ack"
            assert ada.hear("move", ply=2)["column"] == 4
            assert waited == []


def test_text_that_is_none_ends_the_wire(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        game, one, _ = server.pair()
        with server.sit(game, one) as lan:
            lan.socket.send(b"\xff\xfe", text=True)
            assert lan.closing() == 1007
