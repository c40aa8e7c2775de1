"""Throw garbage at every parser: python fuzz/run.py [--seconds N] [--target NAME …]

With atheris (pip install '.[fuzz]') inputs are guided by coverage; without it they are blind mutations of
the corpus. Inputs that fail are kept in fuzz/found/.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
FOUND = HERE / "found"
TOKENS = [line.strip().strip('"') for line in (HERE / "tokens.dict").read_text().splitlines() if line]
LONGEST = 20_000


def text_of(data: bytes) -> str:
    """Bytes that are not UTF-8 become halves of characters, which no parser may choke on either."""
    return data.decode("utf-8", "surrogateescape")


# With atheris: one process per target, as it never returns --------------------------------------------


def run_guided(name: str, seconds: int) -> tuple[int, bool]:
    grown = FOUND / "corpus" / name
    grown.mkdir(parents=True, exist_ok=True)
    command = [
        *(sys.executable, __file__, "--child", name, str(grown), str(HERE / "corpus" / name)),
        *(f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-timeout=10", "-rss_limit_mb=2048"),
        *(f"-dict={HERE / 'tokens.dict'}", f"-artifact_prefix={FOUND}/{name}-", "-print_final_stats=1"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    (FOUND / f"{name}.log").write_text(done.stdout + done.stderr)
    counts = re.findall(r"number_of_executed_units: (\d+)|^#(\d+)\s", done.stderr, re.MULTILINE)
    tried = max((int(a or b) for a, b in counts), default=0)
    if done.returncode != 0:
        print(f"--- {name}: the end of {FOUND / name}.log ---", *done.stderr.splitlines()[-40:], sep="\n")
    return tried, done.returncode == 0


def child(name: str, arguments: list[str]) -> None:
    import atheris

    # The finder of an editable install would load the sources before atheris can instrument them.
    sys.meta_path[:] = [f for f in sys.meta_path if type(f).__name__ != "ScikitBuildRedirectingFinder"]
    sys.path.insert(0, str(HERE.parent / "src"))
    with atheris.instrument_imports(include=["claimeven"]):
        from targets import TARGETS
    target = TARGETS[name]
    atheris.Setup([sys.argv[0], *arguments], lambda data: target(text_of(data)))
    atheris.Fuzz()


# Without it -------------------------------------------------------------------------------------------


def run_blind(name: str, seconds: int) -> tuple[int, bool]:
    from targets import TARGETS

    seeds = [path.read_bytes() for path in sorted((HERE / "corpus" / name).iterdir())]
    end, tried = time.monotonic() + seconds, 0
    for data in mutations(seeds, random.Random(name)):
        if time.monotonic() > end:
            break
        tried += 1
        try:
            TARGETS[name](text_of(data))
        except Exception as error:
            FOUND.mkdir(exist_ok=True)
            path = FOUND / f"{name}-{tried}"
            path.write_bytes(data)
            print(f"{name}: {type(error).__name__}: {error}; the input is {path}")
            return tried, False
    return tried, True


def mutations(seeds: list[bytes], rng: random.Random) -> Iterator[bytes]:
    tokens = [token.encode() for token in TOKENS] + [bytes([byte]) for byte in range(256)]
    while True:
        data = rng.choice(seeds)
        for _ in range(rng.randint(0, 5)):
            start = rng.randint(0, len(data))
            length = rng.choice((0, 1, 2, rng.randint(0, len(data))))
            other = rng.choice(seeds)
            place = rng.randint(0, len(other))
            new = rng.choice((b"", rng.choice(tokens), other[place : place + rng.randint(0, 20)]))
            data = data[:start] + new * rng.choice((1, 1, 1, 2, 200)) + data[start + length :]
        yield data[:LONGEST]


def main() -> int:
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3:])
        return 0
    names = sorted(path.name for path in (HERE / "corpus").iterdir())
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=int, default=10, help="for each target (10)")
    parser.add_argument("--target", action="append", choices=names, help="only this one; may be repeated")
    options = parser.parse_args()
    is_guided = find_spec("atheris") is not None
    print("guided by coverage" if is_guided else "blind mutations; for more: pip install '.[fuzz]'")
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    failed = []
    for name in options.target or names:
        tried, is_good = (run_guided if is_guided else run_blind)(name, options.seconds)
        print(f"{name:20} {tried:>12,} inputs  {'ok' if is_good else 'FAILED'}", flush=True)
        failed += [] if is_good else [name]
    if failed:
        print(f"failed: {', '.join(failed)}; the inputs are in {FOUND}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
