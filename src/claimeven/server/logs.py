"""Logs for machines: one line of JSON per event. No token, invitation or name of a player is in them."""

import logging
import sys
from datetime import UTC, datetime

import msgspec

STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "what": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in STANDARD}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def set_up(level: str) -> None:
    """Log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, lowest in (("claimeven.server", level), ("uvicorn.error", "warning")):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(lowest.upper())
        logger.propagate = False
