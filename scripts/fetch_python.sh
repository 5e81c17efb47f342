#!/usr/bin/env bash
# Makes the environments of the parts `python` and `scale` of scripts/test.sh in build/wheel: tools (builds the wheel),
# yggdrasil (the real one), bench (readers to measure beside), scale (clusters), and cache (packages for the environment of
# the tests). Each package is pinned by the SHA-256 of its wheel. Nothing else needs it.
# Usage: scripts/fetch_python.sh [bench|scale]
set -euo pipefail
cd "$(dirname "$0")/.."
lists=bindings/python/requirements
[ "$(uname -m)" = x86_64 ] || { echo "fetch_python.sh: the wheels are for x86-64, and this is $(uname -m)" >&2; exit 1; }
for python in python3 python3.11 /usr/bin/python3 none; do
  "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null && break
done
[ "$python" != none ] || { echo "fetch_python.sh: the wheels need Python 3.11 with venv (python3-venv), and none is here" >&2; exit 1; }

environment() {  # environment NAME INSTALLER...: build/wheel/NAME with the packages of its list; NAME-abi3: the same list
  local name=$1 list=$lists/${1%-abi3}.txt
  shift
  [ "$(cat "build/wheel/$name/complete" 2>/dev/null)" != "$(sha256sum <"$list")" ] || return 0
  rm -rf "build/wheel/$name"
  mkdir -p build/wheel
  "$python" -m venv "build/wheel/$name"
  "$@" --require-hashes --only-binary :all: -r "$list" || {
    echo "fetch_python.sh: could not install $list" >&2
    exit 1
  }
  sha256sum <"$list" >"build/wheel/$name/complete"
}

uv() { build/wheel/tools/bin/uv pip install --quiet --cache-dir build/wheel/cache "$@"; }

environment tools build/wheel/tools/bin/pip install --quiet --disable-pip-version-check
environment yggdrasil uv --python build/wheel/yggdrasil
[ "${1:-}" != bench ] || environment bench uv --python build/wheel/bench
[ "${1:-}" != scale ] || environment scale uv --python build/wheel/scale
environment test uv --python build/wheel/test
# For the wheel of the stable ABI, where Python 3.12 is.
for newer in python3.12 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.12*/bin/python none; do
  "$newer" -c 'import sys, venv; sys.exit(sys.version_info[:2] != (3, 12))' 2>/dev/null && break
done
if [ "$newer" != none ]; then
  python=$newer
  environment abi3 uv --python build/wheel/abi3
  environment tools-abi3 uv --python build/wheel/tools-abi3
fi
