#!/usr/bin/env bash
# Installs what polycodec needs on Debian 12, if it is not there yet.
# Usage: scripts/install_deps.sh [build|test|peers|languages|bench|packages|arm64]...
#   build  what the libraries, the plugins and the command need
#   test   the default: also what the tests and fuzzers need
#   peers  also what the tests with other implementations and the package for Python need
#   languages  also R, Fortran and Octave, whose packages have tests, and Go and Java with JNA for the examples
#   bench  also the libraries that benchmarks measure beside ours
#   packages  also what the checks of Debian packages and the reference of the headers need
#   arm64  a cross compiler, an emulator, and in build/arm64-sysroot the libraries of arm64. The system itself gets no
#          libraries of another architecture.
set -euo pipefail
cd "$(dirname "$0")/.."

libraries=(libboost-dev nlohmann-json3-dev libmsgpack-cxx-dev zlib1g-dev libbz2-dev libspdlog-dev libudunits2-dev libre2-dev
  nettle-dev libcli11-dev libminizip-dev libhdf5-dev libzstd-dev libisal-dev libxxhash-dev liblz4-dev libdeflate-dev
  liblzma-dev libdragonbox-dev libpng-dev libjpeg62-turbo-dev libdraco-dev libmeshoptimizer-dev)
build=(g++ cmake ninja-build pkg-config git ccache "${libraries[@]}")
test=(zsh fish libgtest-dev libbenchmark-dev libzmq3-dev clang lld libclang-rt-14-dev wasi-libc clang-format clang-tidy binutils
  bzip2 gzip lz4 xz-utils zstd libdlpack-dev python3-numpy abigail-tools codespell valgrind)
bench=(flatbuffers-compiler libflatbuffers-dev capnproto libcapnp-dev rapidjson-dev python3-venv assimp-utils)
languages=(r-base-core r-cran-bit64 r-cran-testthat gfortran octave octave-dev python3-venv curl libjna-java)
peers=(rapidjson-dev libflatbuffers-dev python3-venv python3-dev curl assimp-utils iproute2 slurm-wlm munge)

# The browser that pages of `polycodec view` are tested in; a machine may have one from elsewhere.
command -v chromium >/dev/null || test+=(chromium)
# A machine may have its Go and Java from elsewhere.
command -v go >/dev/null || languages+=(golang-go)
command -v javac >/dev/null || languages+=(default-jdk-headless)
# DuckDB comes through npm (fetch_duckdb.sh); a machine may have its npm from elsewhere.
command -v npm >/dev/null || test+=(npm)

wanted=("${build[@]}")
[ $# -gt 0 ] || set -- test
for name in "$@"; do
  case $name in
    build) ;;
    test) wanted+=("${test[@]}") ;;
    peers) wanted+=("${test[@]}" "${peers[@]}") ;;
    languages) wanted+=("${test[@]}" "${languages[@]}") ;;
    bench) wanted+=("${test[@]}" "${bench[@]}") ;;
    packages) wanted+=(lintian debootstrap doxygen) ;;
    arm64) wanted+=(g++-aarch64-linux-gnu qemu-user-static) ;;
    *) sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done

missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
done
if [ ${#missing[@]} -ne 0 ]; then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "install_deps.sh: run as root, or install: ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
fi

# The libraries of arm64 are unpacked, not installed: apt works on a state of its own.
if [[ " $* " == *" arm64 "* ]] && [ ! -e build/arm64-sysroot/complete ]; then
  rm -rf build/arm64-sysroot
  mkdir -p build/arm64-sysroot build/arm64-apt/lists/partial build/arm64-apt/archives/partial
  apt=$PWD/build/arm64-apt
  touch "$apt/status"
  printf '%s "%s";\n' APT::Architecture arm64 APT::Architectures arm64 APT::Install-Recommends false \
    Dir::State "$apt" Dir::State::status "$apt/status" Dir::Cache "$apt" Debug::NoLocking true >"$apt/apt.conf"
  export APT_CONFIG=$apt/apt.conf
  apt-get update -q
  apt-get install -y -q --download-only "${libraries[@]}" libgtest-dev libc6-dev libstdc++-12-dev
  for package in "$apt"/archives/*.deb; do dpkg -x "$package" build/arm64-sysroot; done
  # Links to /lib/... mean the sysroot's.
  find build/arm64-sysroot -type l -lname '/*' | while read -r link; do
    ln -sfnr "build/arm64-sysroot$(readlink "$link")" "$link"
  done
  rm -rf "$apt"
  touch build/arm64-sysroot/complete
fi
