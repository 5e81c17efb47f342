#!/usr/bin/env bash
# Installs what is missing, builds polycodec in every checked way and runs every test:
#   tsan     ThreadSanitizer, the tests of the registry
#   asan     clang, AddressSanitizer and UndefinedBehaviorSanitizer, all tests, and each fuzzer for a short while
#   release  g++, optimised, all tests, the conformance kit over every plugin, and consumers of an installed tree
#   tidy     clang-tidy over all sources; takes long, so only when it is named
# Usage: scripts/test.sh [--no-install] [format|tsan|asan|tidy|release]...   (default: format tsan asan release)
set -euo pipefail
cd "$(dirname "$0")/.."

fuzz_seconds=${POLYCODEC_FUZZ_SECONDS:-20}
# A fixed seed, so that a run can be repeated and a change is judged by what it changes; 0 looks somewhere else each time.
fuzz_seed=${POLYCODEC_FUZZ_SEED:-1}
install=yes
stages=()
for argument in "$@"; do
  case $argument in
    --no-install) install=no ;;
    format | tsan | asan | tidy | release) stages+=("$argument") ;;
    *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
[ ${#stages[@]} -gt 0 ] || stages=(format tsan asan release)
if [ "$install" = yes ]; then
  scripts/install_deps.sh test
  scripts/fetch_duckdb.sh || echo "test.sh: DuckDB could not be fetched; the tests with it are left out" >&2
fi

# A cache that also serves a checkout in another folder.
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
fi
jobs=$(nproc)
say() { printf '\n== %s (%s)\n' "$1" "$(date +%H:%M:%S)"; }

build() {  # build PRESET [TARGET...]
  local preset=$1
  shift
  cmake --preset "$preset" >"build/$preset.configure.log" || { cat "build/$preset.configure.log"; exit 1; }
  if [ $# -gt 0 ]; then cmake --build "build/$preset" -j "$jobs" --target "$@" -- --quiet
  else cmake --build "build/$preset" -j "$jobs" -- --quiet; fi
}

fuzz() {  # fuzz CORPUS: the fuzzer beside this list of seeds
  set -uo pipefail
  local fuzzer=${1%.corpus} found log seeds
  found=build/asan/corpus/$(basename "$fuzzer")
  log=$found.log
  mkdir -p "$found"
  mapfile -t seeds <"$1"
  if "$fuzzer" -seed="$fuzz_seed" -max_total_time="$fuzz_seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -verbosity=0 \
    -print_final_stats=1 -artifact_prefix="$found/" "$found" "${seeds[@]}" >"$log" 2>&1; then
    echo "$(basename "$fuzzer"): $(awk '/number_of_executed_units/ {print $2}' "$log") runs, nothing found"
  else
    echo "$(basename "$fuzzer") found something:"
    tail -n 40 "$log"
    return 1
  fi
}

sources() { git ls-files '*.cpp' '*.hpp' '*.c' '*.h' | grep -v -e '^sdk/template/' -e '/golden/' || true; }

mkdir -p build
for stage in "${stages[@]}"; do
  case $stage in
    format)
      say "format"
      sources | xargs clang-format --dry-run -Werror
      ;;
    tsan)
      say "ThreadSanitizer: registry"
      build tsan tsan_tests
      ctest --test-dir build/tsan -L tsan --output-on-failure
      ;;
    asan)
      say "clang, AddressSanitizer, UndefinedBehaviorSanitizer"
      build asan
      ctest --test-dir build/asan -LE install -j "$jobs" --output-on-failure
      say "fuzzers, $fuzz_seconds s each"
      export fuzz_seconds fuzz_seed
      export -f fuzz
      printf '%s\n' build/asan/bin/fuzz_*.corpus | xargs -P "$jobs" -I{} bash -c 'fuzz {}'
      ;;
    tidy)
      say "clang-tidy"
      build asan
      git ls-files 'core/src/*.cpp' 'registry/src/*.cpp' 'registry/cli/*.cpp' 'plugins/*.cpp' 'sdk/kit/*.cpp' |
        xargs -P "$jobs" -n 4 clang-tidy -p build/asan --quiet 2>/dev/null
      ;;
    release)
      say "g++, optimised"
      build release
      ctest --test-dir build/release -j "$jobs" --output-on-failure
      ;;
  esac
done
