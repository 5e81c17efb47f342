#!/bin/sh
# Builds the kept plugins from the C template and the sample of the tests with today's abi.h, on Linux x86-64. A plugin of
# ABI 2.0 must work for as long as hosts load ABI 2, so run this only while 2.0 itself is not released.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# keep ID VERSION SOURCE LIBRARY CODEC...
keep() {
  id=$1
  {
    printf '#define POLYCODEC_MANIFEST_ID "%s"\n#define POLYCODEC_MANIFEST_VERSION "%s"\n' "$1" "$2"
    from=$3 library=$4 n=0
    shift 4
    for codec; do
      printf '#define POLYCODEC_MANIFEST_CODEC_%d_NAME "%s"\n' "$n" "$codec"
      n=$((n + 1))
    done
  } > "$work/manifest.h"
  sed "s/@PLUGIN_ID@/$id/g" "$source/$from" > "$work/codec.c"
  # The file is small: no padding between segments, no symbols, no build id.
  gcc -std=c17 -Os -fPIC -shared -fvisibility=hidden -fno-asynchronous-unwind-tables -s \
    -I"$source/sdk/include" -include "$work/manifest.h" "$work/codec.c" -o "$here/$library" \
    -Wl,--version-script="$source/sdk/cmake/plugin.map" -Wl,-z,noseparate-code,-z,now -Wl,--build-id=none -Wl,--no-undefined
}

keep test.kept 0.1.0 sdk/template/c/codec.c test.kept.so test.kept
sed 's/@PLUGIN_ID@/test.kept/g' "$source/sdk/template/c/@PLUGIN_ID@.polycodec.json" > "$here/test.kept.polycodec.json"
# The same as a WebAssembly module.
clang-14 --target=wasm32-wasi -std=c11 -Os -s -I"$source/sdk/include" -include "$work/manifest.h" "$work/codec.c" \
  -mexec-model=reactor -nostdlib -Wl,--no-entry -Wl,--export-table -Wl,--growable-table \
  -Wl,--export=polycodec_plugin_v2 -lc -o "$here/test.kept.wasm"
keep test.sample 1.2.3 tests/plugins/sample.c sample.so test.raw test.twin
cp "$source/tests/plugins/test.sample.polycodec.json" "$here"
