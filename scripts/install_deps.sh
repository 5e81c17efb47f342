#!/usr/bin/env bash
# Installs what polycodec needs on Debian 12, if it is not there yet.
# Usage: scripts/install_deps.sh [build|test|bench]   (test, the default, includes what the tests and fuzzers need; bench
# adds the libraries that benchmarks measure beside ours)
set -euo pipefail

build=(g++ cmake ninja-build pkg-config git ccache
  libboost-dev nlohmann-json3-dev libmsgpack-cxx-dev zlib1g-dev libspdlog-dev
  libudunits2-dev libre2-dev
  libssl-dev libcli11-dev libminizip-dev libhdf5-dev libzstd-dev libisal-dev libxxhash-dev liblz4-dev libdeflate-dev liblzma-dev
  libdragonbox-dev)
test=(libgtest-dev libbenchmark-dev libzmq3-dev clang lld libclang-rt-14-dev clang-format clang-tidy binutils
  libdlpack-dev python3-numpy)
bench=(libassimp-dev libtinyobjloader-dev flatbuffers-compiler libflatbuffers-dev capnproto libcapnp-dev rapidjson-dev)

# DuckDB comes through npm (fetch_duckdb.sh); a machine may have its npm from elsewhere.
command -v npm >/dev/null || test+=(npm)

wanted=("${build[@]}")
[ "${1:-test}" = build ] || wanted+=("${test[@]}")
[ "${1:-test}" != bench ] || wanted+=("${bench[@]}")

missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "install_deps.sh: run as root, or install: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update -q
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
