#!/usr/bin/env bash
# Fetches wasmtime's C library, which runs WebAssembly plugins in tests, into build/wasmtime. Nothing else needs it.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/wheel.sh
[ -e build/wasmtime/libwasmtime.so ] && exit 0
unpack_wheel build/wasmtime "wasmtime==50.0.1 --hash=sha256:cc14c3a17654e0394e0225b11813532ef0cd7bd1e222a0c5494cdedaabeddac4"
install -m 644 unpacked/wasmtime/linux-x86_64/_libwasmtime.so libwasmtime.so
rm -rf unpacked
