#!/usr/bin/env bash
# Makes the environment of Python that tests/peers runs other implementations in: build/peers/venv, with the packages of
# tests/peers/requirements.txt, and build/peers/weaver, the sources of the programs in tests/peers/sources.txt. Each is pinned by
# the SHA-256 of its wheel. Nothing else needs it.
set -euo pipefail
cd "$(dirname "$0")/.."
list=tests/peers/requirements.txt sources=tests/peers/sources.txt
[ "$(cat build/peers/complete 2>/dev/null)" = "$(cat "$list" "$sources" | sha256sum)" ] && exit 0
[ "$(uname -m)" = x86_64 ] || { echo "fetch_peers.sh: the wheels are for x86-64, and this is $(uname -m)" >&2; exit 1; }

for python in python3 python3.11 /usr/bin/python3 none; do
  "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null && break
done
[ "$python" != none ] || { echo "fetch_peers.sh: the wheels need Python 3.11 with venv (python3-venv), and none is here" >&2; exit 1; }

rm -rf build/peers
mkdir -p build/peers
"$python" -m venv build/peers/venv
build/peers/venv/bin/pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r "$list" || {
  echo "fetch_peers.sh: pip could not install $list" >&2
  exit 1
}
build/peers/venv/bin/pip download --quiet --disable-pip-version-check --require-hashes --no-deps -d build/peers/weaver -r "$sources" || {
  echo "fetch_peers.sh: pip could not get $sources" >&2
  exit 1
}
for wheel in build/peers/weaver/*.whl; do
  build/peers/venv/bin/python -m zipfile -e "$wheel" build/peers/weaver
done
cat "$list" "$sources" | sha256sum >build/peers/complete
