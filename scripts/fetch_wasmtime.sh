#!/usr/bin/env bash
# Fetches wasmtime's C library, which runs WebAssembly plugins in tests, into build/wasmtime. Nothing else needs it.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -e build/wasmtime/libwasmtime.so ] && exit 0
[ "$(uname -m)" = x86_64 ] || { echo "fetch_wasmtime.sh: no pinned wheel for $(uname -m)" >&2; exit 1; }
mkdir -p build/wasmtime
cd build/wasmtime
echo "wasmtime==50.0.1 --hash=sha256:cc14c3a17654e0394e0225b11813532ef0cd7bd1e222a0c5494cdedaabeddac4" >requirements.txt
python3 -m venv venv  # Debian's Python may have no pip
venv/bin/pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r requirements.txt --dest .
python3 -m zipfile -e wasmtime-*.whl unpacked
install -m 644 unpacked/wasmtime/linux-x86_64/_libwasmtime.so libwasmtime.so
rm -rf unpacked venv wasmtime-*.whl requirements.txt
