#!/usr/bin/env bash
# Installs what is missing, builds polycodec, and shows its main job on real files: the codecs that were found, a host
# program that reads an array without copying it, and a tour of all formats (scripts/tour.sh).
# Usage: scripts/quickstart.sh [--no-install]
set -euo pipefail
cd "$(dirname "$0")/.."

[ "${1:-}" = --no-install ] || scripts/install_deps.sh build

if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
fi
cmake --preset release -DPOLYCODEC_BUILD_TESTS=OFF -DPOLYCODEC_BUILD_KIT=OFF -DPOLYCODEC_BUILD_EXAMPLES=OFF
cmake --build --preset release -j "$(nproc)" --target all example_zero_copy_host

polycodec=build/release/bin/polycodec
samples=tests/vectors/msgpack_ndarray
show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

show "$polycodec" list
printf '\nA host program that looks at the array without copying it (docs/examples/zero_copy_host.cpp):\n'
show build/release/bin/example_zero_copy_host "$samples/nd_ext32_f8_100x100.msgpack"
printf '\n'
scripts/tour.sh build/release
printf '\nReady: %s (try: %s --help)\n' "$polycodec" "$polycodec"
