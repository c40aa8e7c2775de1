#!/bin/sh
# What some tests need from the system: Chromium for the page, PostgreSQL for the storage, buildah for the image, Clang
# for the core; with the argument "all" what only the slow tests need, too: another processor, a fresh Debian, proxies,
# Firefox, WebAssembly. Installed
# here only by root on a machine with apt; otherwise those tests are skipped and say what to install (with CI=true a
# skip fails).
missing=
needed() { # the package, and a command that is there when it is
  command -v "$2" >/dev/null || missing="$missing $1"
}
needed chromium chromium
needed chromium-headless-shell chromium-headless-shell
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
needed buildah buildah
needed clang-19 clang++-19
if [ "${1-}" = cluster ]; then # only what make cluster needs
  missing=
  ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
  [ -x /usr/sbin/haproxy ] || needed haproxy haproxy
fi
if [ "${1-}" = all ]; then
  needed debootstrap debootstrap
  [ -x /usr/lib/podman/aardvark-dns ] || missing="$missing podman netavark aardvark-dns"
  needed firefox-esr firefox-esr
  [ -d /usr/include/wasm32-wasi/c++ ] || missing="$missing lld-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32"
  [ -f /usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a ] || missing="$missing libclang-rt-19-dev-wasm32"
  needed g++-aarch64-linux-gnu aarch64-linux-gnu-g++
  needed qemu-user-static qemu-aarch64-static
  [ -x /usr/sbin/nginx ] || needed nginx-light nginx
  needed caddy caddy
  [ -x /usr/sbin/haproxy ] || needed haproxy haproxy
  needed systemd systemd-analyze
fi
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing for the tests:$missing …"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  { apt-get -qq update && apt-get -qq -y install --no-install-recommends $missing; } >/dev/null 2>&1 ||
    echo "could not install$missing: the tests that need them are skipped" >&2
else
  echo "missing for some tests: apt-get install$missing" >&2
fi
