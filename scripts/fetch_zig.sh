#!/usr/bin/env bash
# Fetches zig, which compiles plugins in C++ to WebAssembly in tests, into build/zig. Nothing else needs it.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -e build/zig/ziglang/zig ] && exit 0
[ "$(uname -m)" = x86_64 ] || { echo "fetch_zig.sh: no pinned wheel for $(uname -m)" >&2; exit 1; }
mkdir -p build/zig
cd build/zig
echo "ziglang==0.17.1 --hash=sha256:ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54" >requirements.txt
python3 -m venv venv  # Debian's Python may have no pip
venv/bin/pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r requirements.txt --dest .
python3 -m zipfile -e ziglang-*.whl unpacked
chmod +x unpacked/ziglang/zig  # zipfile drops it
mv unpacked/ziglang ziglang
rm -rf unpacked venv ziglang-*.whl requirements.txt
