"""A real builder of images: buildah, without a daemon and without a registry.

The images that the Dockerfile starts from cannot be had everywhere, so a test makes its own from a folder and
names them by the Dockerfile's arguments. Everything else, COPY above all, is done by buildah.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kit.places import ROOT

OPTIONS = ("--isolation", "chroot", "--pull-never")


class Builder:
    def __init__(self, folder: Path, mounts: tuple[str, ...] = ()) -> None:
        if shutil.which("buildah") is None or os.geteuid() != 0:
            pytest.skip("images are built by root with buildah: apt-get install buildah")
        folder.mkdir(parents=True)
        self._folder = folder
        self._mounts = [word for mount in mounts for word in ("--volume", mount)]
        self._policy = folder / "policy.json"
        self._policy.write_text('{"default": [{"type": "insecureAcceptAnything"}]}')

    def _command(self, *words: str) -> list[str]:
        places = ["--root", str(self._folder / "images"), "--runroot", str(self._folder / "running")]
        return ["buildah", *places, "--storage-driver", "vfs", *words]

    def _run(self, *words: str) -> str:
        result = subprocess.run(self._command(*words), capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def base(self, name: str, root: Path, **environment: str) -> str:
        """An image that has the files of this folder, and nothing else."""
        settings = "".join(f"ENV {key}={value}\n" for key, value in environment.items())
        recipe = self._folder / f"{name}.base"
        recipe.write_text(
            "FROM scratch\nCOPY . /\nENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n" + settings
        )
        return self._build(name, recipe, root)

    def build(self, name: str, **arguments: str) -> str:
        """What `docker build` makes of this folder, with these arguments."""
        given = [word for key, value in arguments.items() for word in ("--build-arg", f"{key}={value}")]
        return self._build(name, ROOT / "Dockerfile", ROOT, *given)

    def _build(self, name: str, recipe: Path, context: Path, *given: str) -> str:
        tag = f"localhost/{name}"
        trusted = ("--signature-policy", str(self._policy))
        self._run(
            "bud",
            "--format",
            "docker",  # the other knows no HEALTHCHECK
            *OPTIONS,
            *trusted,
            *self._mounts,
            *given,
            "--tag",
            tag,
            "--file",
            str(recipe),
            str(context),
        )
        return tag

    def started(self, image: str, **environment: str) -> list[str]:
        """The command that runs the image as `docker run -e NAME=value image` would."""
        return self._inside(image, self._about(image)["Cmd"], environment)

    def examined(self, image: str, **environment: str) -> list[str]:
        """The command by which docker finds out whether the image, started like this, is well."""
        kind, *command = self._about(image)["Healthcheck"]["Test"]
        assert kind == "CMD"
        return self._inside(image, command, environment)

    def _about(self, image: str) -> dict[str, Any]:
        about: dict[str, Any] = json.loads(self._run("inspect", "--type", "image", image))
        settings: dict[str, Any] = about["Docker"]["config"]
        return settings

    def _inside(self, image: str, command: list[str], environment: dict[str, str]) -> list[str]:
        trusted = ("--signature-policy", str(self._policy))
        container = self._run("from", "--pull-never", *trusted, image).strip()
        given = [word for key, value in environment.items() for word in ("--env", f"{key}={value}")]
        # `buildah run` does not search the image's PATH; env does.
        words = ["/usr/bin/env", *command]
        return self._command("run", "--isolation", "chroot", *self._mounts, *given, container, "--", *words)
