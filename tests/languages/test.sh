#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds and tests the packages of all languages against an installed polycodec, and sends one value through all of them.
# Usage: test.sh PREFIX BUILD PYTHON (a Python with the package polycodec)
# A language that is not there is reported as SKIPPED; with CI=true that is a failure.
set -euo pipefail
prefix=$(realpath "$1")
mkdir -p "$2"
build=$(realpath "$2")
python=$(realpath -s "$3")
cd "$(dirname "$0")/../.."
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
unset POLYCODEC_CONFIG POLYCODEC_PLUGIN_PATH POLYCODEC_PLUGIN_SYSTEM_PATH

skipped=0
ring=()
skip() {  # skip LANGUAGE REASON
  echo "SKIPPED: $1: $2"
  skipped=1
}

julia=$PWD/build/julia/julia
[ ! -x "$julia" ] || export PATH=$(dirname "$(realpath "$julia")"):$PATH
for language in r:Rscript fortran:gfortran julia:julia octave:octave-cli; do
  name=${language%:*} tool=${language#*:}
  rm -f "$build/$name/ring"
  if ! command -v "$tool" >/dev/null; then skip "$name" "no $tool: scripts/install_deps.sh languages"
  else
    start=$SECONDS
    "bindings/$name/test.sh" "$prefix" "$build/$name"
    echo "$name: $((SECONDS - start)) s"
    [ -x "$build/$name/ring" ] || { echo "bindings/$name/test.sh left no $build/$name/ring" >&2; exit 1; }
    ring+=("$name=$build/$name/ring")
  fi
done

warnings=(-O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
read -ra flags <<<"$(pkg-config --cflags --libs polycodec)"
mkdir -p "$build/programs"
cc -std=c11 "${warnings[@]}" tests/languages/ring.c -o "$build/programs/c" "${flags[@]}"
c++ -std=c++20 "${warnings[@]}" tests/languages/ring.cpp -o "$build/programs/cpp" "${flags[@]}"
ring+=("c=$build/programs/c" "cpp=$build/programs/cpp")
if command -v go >/dev/null; then
  GOFLAGS=-mod=mod go build -o "$build/programs/go" tests/languages/ring.go
  ring+=("go=$build/programs/go")
else
  skip go "no go"
fi
if command -v cargo >/dev/null; then
  (cd bindings/rust && cargo fetch --locked --quiet)
  CARGO_TARGET_DIR=$build/programs/cargo cargo build --quiet --locked --offline --manifest-path tests/languages/rust/Cargo.toml
  ring+=("rust=$build/programs/cargo/debug/ring")
else
  skip rust "no cargo"
fi

"$python" -B tests/languages/ring.py "${ring[@]}"
if [ $skipped = 1 ] && [ "${CI:-}" = true ]; then exit 1; fi
