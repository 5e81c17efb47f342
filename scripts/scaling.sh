#!/usr/bin/env bash
# Measures what threads gain for large files and documents, beside a loop without memory traffic.
# Usage: scripts/scaling.sh [ARGUMENT...]          builds the benchmark and runs it with these arguments
#        scripts/scaling.sh --pack [BUILD]         puts it into BUILD/scaling, with all libraries it needs
# BUILD is build/bench, or a tree that is built already. On another machine run BUILD/scaling/run [ARGUMENT...]:
# it makes its inputs (some 500 MB) in $TMPDIR, needs 8 GB of memory and takes two to three minutes.
# Configure BUILD with the sources of other readers, to measure them too: POLYCODEC_PEER_FAST_OBJ, _RAPIDOBJ, _MINIPLY, _SIMDJSON.
set -euo pipefail
cd "$(dirname "$0")/.."

pack=
if [ "${1:-}" = --pack ]; then
  pack=1
  shift
  build=${1:-build/bench}
else
  build=build/bench
fi
[ -e "$build/CMakeCache.txt" ] || cmake --preset bench >/dev/null
cmake --build "$build" -j "$(nproc)" --target bench_scaling -- --quiet
if [ -z "$pack" ]; then
  exec "$build/bin/bench_scaling" "$@"
fi

to=$build/scaling
rm -rf "$to"
mkdir -p "$to/plugins"
cp "$build/bin/bench_scaling" "$to/"
for name in obj ply msgpack-ndarray; do
  cp "$build/lib/polycodec/plugins/abi2/$name".* "$to/plugins/"
done
# With the loader and the libraries of this system, the program runs on any other.
ldd "$to/bench_scaling" "$to"/plugins/*.so | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^\s*\(\/[^ ]*ld-linux[^ ]*\) .*/\1/p' | sort -u |
  xargs -I{} cp -L {} "$to/"
strip "$to/bench_scaling" "$to"/plugins/*.so
cat >"$to/run" <<'END'
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
export POLYCODEC_PLUGIN_PATH="$here/plugins" POLYCODEC_PLUGIN_SYSTEM_PATH="$here/plugins"
exec "$here"/ld-linux-*.so.* --library-path "$here" "$here/bench_scaling" "$@"
END
chmod +x "$to/run"
du -sh "$to"
