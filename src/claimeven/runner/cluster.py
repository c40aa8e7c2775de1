"""The same work on a Ray cluster (extra `ray`): many machines that trust each other.

A shard is a pure function of itself, so it does not matter where it is worked on, or how often: when a worker
or a machine dies, its shard is given to another.
"""

import logging
import os
import socket
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from claimeven.errors import InputError
from claimeven.runner.pool import WorkerError, answer_of, name_of
from claimeven.runner.shard import Answers, Execute, Shard, Work

AUTO = "auto"
LOOPBACK = "127.0.0.1"
TRIES = 5  # of a shard whose worker dies: on a cluster machines come and go
AHEAD = 2  # shards handed out for every processor of the cluster: it is never idle, and little is in vain


def on_ray(address: str = AUTO, workers: int | None = None) -> Execute:
    """Work on the cluster at this address; "auto": the one of this machine, or else one started just for
    this run, on so many processors and reachable from this machine only."""
    ray = _ray()

    def execute(work: Work, shards: list[Shard]) -> Answers:
        is_ours = _connect(ray, address, workers)
        waiting, deaths = deque(shards), Counter[int]()
        pending: dict[Any, Shard] = {}
        try:
            task = ray.remote(num_cpus=1, max_retries=0)(answer_of)
            shared = ray.put(work)
            while waiting or pending:
                room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
                while waiting and len(pending) < room:
                    shard = waiting.popleft()
                    pending[task.remote(shared, shard._replace(deaths=deaths[shard.number]))] = shard
                done, _ = ray.wait(list(pending), num_returns=1)
                for reference in done:
                    shard = pending.pop(reference)
                    try:
                        is_done, answer = ray.get(reference)
                    except ray.exceptions.RayTaskError:
                        raise
                    except ray.exceptions.RayError as error:
                        deaths[shard.number] += 1
                        if deaths[shard.number] == TRIES:
                            raise WorkerError(
                                f"{name_of(shard)}: {TRIES} workers died of it; the last: {error}"
                            ) from None
                        waiting.appendleft(shard)
                        continue
                    if not is_done:
                        raise answer
                    yield shard.number, answer
        finally:
            with suppress(Exception):  # the cluster may be what has gone
                for reference in pending:
                    ray.cancel(reference, force=True)
            if is_ours:
                ray.shutdown()

    return execute


def _ray() -> Any:
    try:
        return import_module("ray")
    except ImportError:
        raise InputError("needs.ray") from None


def _connect(ray: Any, address: str, workers: int | None) -> bool:
    """Whether the connection was made here, and so is to be closed here."""
    if ray.is_initialized():
        return False
    if address != AUTO:
        _knock(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        ray.init(address=address, **quiet)
        if address != AUTO or not ray.get_runtime_context().gcs_address.startswith(LOOPBACK):
            return True
        ray.shutdown()  # the cluster of another run like this one: it will go when that ends
    except (ConnectionError, ValueError, RuntimeError) as error:
        if address != AUTO or not isinstance(error, ConnectionError):
            raise InputError(
                "ray.refused", address=f"{address!r:.100}", reason=" ".join(str(error).split())
            ) from None
    with _on_loopback():
        ray.init(
            address="local",
            num_cpus=workers,
            include_dashboard=False,
            _node_ip_address=LOOPBACK,
            **quiet,
        )
    return True


@contextmanager
def _on_loopback() -> Iterator[None]:
    """A cluster started in here cannot be reached from other machines. On Linux Ray would take the address
    127.0.0.1 for a mistake and listen everywhere; told that there are no clusters here, it does not."""
    constants, name = import_module("ray._private.ray_constants"), "ENABLE_RAY_CLUSTER"
    before = getattr(constants, name)
    setattr(constants, name, False)
    try:
        yield
    finally:
        setattr(constants, name, before)


def _knock(address: str) -> None:
    """Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if not (host and port.isascii() and port.isdigit() and int(port) < 1 << 16):
            raise InputError("ray.address", address=f"{address!r:.100}")
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError("ray.unreachable", address=f"{address!r:.100}", reason=reason) from None
