#!/usr/bin/env bash
# Fetches zig, which compiles plugins in C++ to WebAssembly in tests, into build/zig. Nothing else needs it.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/wheel.sh
[ -e build/zig/ziglang/zig ] && exit 0
unpack_wheel build/zig "ziglang==0.17.1 --hash=sha256:ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54"
chmod +x unpacked/ziglang/zig  # zipfile drops it
mv unpacked/ziglang ziglang
rm -rf unpacked
