#!/bin/sh
# What some tests need from the system: Chromium for the page, PostgreSQL for the storage. Installed here only by
# root on a machine with apt; otherwise those tests are skipped and say what to install (with CI=true a skip fails).
missing=
command -v chromium >/dev/null || missing="$missing chromium"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
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
