"""The program that reads: python -m claimeven.server.reading.worker. Questions in, answers out, line by line.

It ends with its standard input, so with the server, however that ends.
"""

import os
import sys
import traceback

import msgspec

from claimeven.server.errors import RefusedError
from claimeven.server.reading.talk import Answer, Refused, answered
from claimeven.server.reading.texts import Text

KINDNESS = 10  # games go before


def answer(line: bytes) -> Answer:
    wish = msgspec.json.decode(line, type=Text)
    try:
        return answered(wish)
    except RefusedError as error:
        return Answer(refused=Refused(error.code, error.message, error.detail))
    except Exception:
        traceback.print_exc()
        return Answer()


def main() -> None:
    if sys.platform != "win32":
        os.nice(KINDNESS)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(msgspec.json.encode(answer(line)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
