#!/bin/sh
# Builds the kept plugin from the C template and today's abi.h, on Linux x86-64. A plugin of ABI 2.0 must work for as long
# as hosts load ABI 2, so run this only while 2.0 itself is not released.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/polycodec_manifest.h" <<'H'
#define POLYCODEC_MANIFEST_ID "test.kept"
#define POLYCODEC_MANIFEST_VERSION "0.1.0"
#define POLYCODEC_MANIFEST_CODEC_0_NAME "test.kept"
H
# The file is small: no padding between segments, no symbols, no build id.
gcc -std=c17 -Os -fPIC -shared -fvisibility=hidden -fno-asynchronous-unwind-tables -s \
  -I"$source/sdk/include" -I"$work" "$source/sdk/template/c/codec.c" -o "$here/test.kept.so" \
  -Wl,--version-script="$source/sdk/cmake/plugin.map" -Wl,-z,noseparate-code,-z,now -Wl,--build-id=none -Wl,--no-undefined
sed 's/@PLUGIN_ID@/test.kept/g' "$source/sdk/template/c/@PLUGIN_ID@.polycodec.json" > "$here/test.kept.polycodec.json"
