"""Logs for machines: one line of JSON per event. No token, invitation or name of a player is in them.

What is done for a request has its id, at every server and worker that it goes through: so all lines of one
are found, and the answer tells its visitor which they are.
"""

import logging
import re
import secrets
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

import msgspec

request_id: ContextVar[str] = ContextVar("request_id", default="")  # "": nobody asked for it
HEADER = b"x-request-id"
_GOOD = re.compile(rb"[A-Za-z0-9._-]{1,64}")

STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "what": record.getMessage(),
        }
        if request := request_id.get():
            line["request"] = request
        line |= {name: value for name, value in vars(record).items() if name not in STANDARD}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def id_of(told: bytes | None) -> str:
    """What a proxy calls a request, if that is a name; else one of our own."""
    return told.decode() if told is not None and _GOOD.fullmatch(told) else secrets.token_hex(8)


def set_up(level: str) -> None:
    """Log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, lowest in (("claimeven.server", level), ("uvicorn.error", "warning")):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(lowest.upper())
        logger.propagate = False
