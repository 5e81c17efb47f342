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
languages=(julia:julia r:Rscript fortran:gfortran octave:octave-cli)  # what takes longest comes first
found=()
for language in "${languages[@]}"; do
  name=${language%:*} tool=${language#*:}
  rm -f "$build/$name/ring"
  if command -v "$tool" >/dev/null; then found+=("$name")
  else skip "$name" "no $tool: scripts/install_deps.sh languages"; fi
done

test_language() {  # test_language NAME: prints all at its end, so that the lines of several do not mix
  local start=$SECONDS log status=0
  log=$build/$1.log
  "bindings/$1/test.sh" "$prefix" "$build/$1" >"$log" 2>&1 || status=$?
  cat "$log"
  echo "$1: $((SECONDS - start)) s"
  return $status
}
export -f test_language
export prefix build
printf '%s\n' "${found[@]}" | xargs -P "$(nproc)" -I{} bash -c 'test_language {}'
for name in "${found[@]}"; do
  [ -x "$build/$name/ring" ] || { echo "bindings/$name/test.sh left no $build/$name/ring" >&2; exit 1; }
  ring+=("$name=$build/$name/ring")
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
