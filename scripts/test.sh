#!/usr/bin/env bash
# Installs what is missing, builds polycodec in every checked way and runs every test.
# Usage: scripts/test.sh [--no-install] [quick|full|STAGE|PART...]   (docs/testing.md)
#   without a name   all stages without their long parts: what CI runs
#   quick            for the change at hand: g++, optimized, unit and interop tests
#   full             all stages with their long parts
# Stages and their parts, which can be named alone:
#   core   format    clang-format
#          tsan      ThreadSanitizer, the tests of threads
#          asan      clang, AddressSanitizer and UndefinedBehaviorSanitizer, all tests
#          fuzz      each fuzzer for a short while, with the same sanitizers
#          release   g++, optimized, all tests, the conformance kit over every plugin, consumers of an installed tree
#          simd      the tests of `release` again, with scalar code and with AVX2
#          arm64     (long) unit and interop tests, cross-compiled and under qemu
#          tidy      (long) clang-tidy over all sources
#          coverage  (long) the lines of each room that tests reach
#   trust  torture   scripts/torture.sh for three minutes, with a fixed seed
#   peers            other implementations of the formats, on generated values, both ways
#   hosts            host programs in other languages, against an installed tree
# A part that lacks a tool is reported as SKIPPED; with CI=true that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

core=(format tsan asan fuzz release simd)
core_long=(arm64 tidy coverage)
stages=("${core[@]}" torture peers hosts)

fuzz_seconds=${POLYCODEC_FUZZ_SECONDS:-15}
# A fixed seed, so that a run can be repeated and a change is checked by what it changes; 0 looks somewhere else each time.
fuzz_seed=${POLYCODEC_FUZZ_SEED:-1}
jobs=$(nproc)

install=yes
parts=()
for argument in "$@"; do
  case $argument in
    --no-install) install=no ;;
    full) parts+=("${stages[@]}" "${core_long[@]}") ;;
    core) parts+=("${core[@]}") ;;
    trust) parts+=(torture) ;;
    quick | format | tsan | asan | fuzz | release | hosts | peers | simd | arm64 | tidy | coverage | torture) parts+=("$argument") ;;
    *) sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
[ ${#parts[@]} -gt 0 ] || parts=("${stages[@]}")

# A cache that also serves a checkout in another directory.
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
fi

build() {  # build PRESET [TARGET...]
  local preset=$1
  shift
  cmake --preset "$preset" >"build/$preset.configure.log" || { cat "build/$preset.configure.log"; exit 1; }
  sed -n 's/^-- polycodec: no /not tested: no /p' "build/$preset.configure.log"
  if [ $# -gt 0 ]; then cmake --build "build/$preset" -j "$jobs" --target "$@" -- --quiet
  else cmake --build "build/$preset" -j "$jobs" -- --quiet; fi
}

run_tests() {  # run_tests PRESET [ctest option...]
  local preset=$1
  shift
  ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --progress "$@"
}

sources() { git ls-files '*.cpp' '*.hpp' '*.c' '*.h' | grep -v -e '^sdk/template/' -e '/golden/' || true; }

part_format() { sources | xargs clang-format --dry-run -Werror; }

part_tsan() {
  build tsan tsan_tests
  run_tests tsan -L tsan
}

part_asan() {
  build asan
  run_tests asan -LE install
}

part_fuzz() {
  build asan
  export fuzz_seconds fuzz_seed
  export -f fuzz
  printf '%s\n' build/asan/bin/fuzz_*.corpus | xargs -P "$jobs" -I{} bash -c 'fuzz {}'
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

part_quick() {
  build release quick_tests
  run_tests release -L '^(unit|interop)$'
}

part_release() {
  build release
  run_tests release -LE '^(peers|hosts)$'
}

part_peers() {
  build release peer_tests
  run_tests release -L peers
}

part_hosts() {
  build release
  run_tests release -L '^hosts$'
}

part_simd() {  # whole programs: what matters here is the kernels, and a process a case would take longer
  build release
  local level
  for level in scalar avx2; do
    echo "POLYCODEC_CPU=$level"
    find build/release/bin -name 'test_*' ! -name test_headers ! -name test_cli ! -name test_messages ! -name test_threads |
      POLYCODEC_CPU=$level xargs -P "$jobs" -I{} env {} --gtest_brief=1
  done
}

part_arm64() {
  scripts/install_deps.sh arm64
  build arm64 quick_tests
  run_tests arm64 -L '^(unit|interop)$'
}

part_tidy() {
  build asan
  sources | grep -E '^(core|registry|plugins|sdk)/.*\.cpp$' |
    xargs -P "$jobs" -n 4 clang-tidy -p build/asan --quiet 2>/dev/null
}

part_coverage() {
  build coverage
  local raw=$PWD/build/coverage/profiles
  rm -rf "$raw"
  mkdir -m 1777 "$raw"  # some tests run as other users
  LLVM_PROFILE_FILE=$raw/%4m.profraw run_tests coverage -LE '^(install|peers|hosts)$'
  scripts/coverage.sh build/coverage
}

part_torture() {
  build release
  scripts/torture.sh "${POLYCODEC_TORTURE_MINUTES:-3}" --seed 1 --jobs "$jobs"
}

tools_of() {
  case $1 in
    format) echo clang-format ;;
    asan | fuzz) echo clang clang++ ld.lld ;;
    tidy) echo clang clang++ clang-tidy ;;
    coverage) echo clang clang++ llvm-cov llvm-profdata ;;
    peers) echo cmake ninja g++ curl python3 ;;
    torture) echo cmake ninja g++ python3 prlimit setpriv ;;
    arm64) echo aarch64-linux-gnu-g++ qemu-aarch64-static ;;
    *) echo cmake ninja g++ ;;
  esac
}

why_not() {  # prints why a part cannot run on this machine
  local tool
  for tool in $(tools_of "$1"); do
    command -v "$tool" >/dev/null || { echo "no $tool"; return; }
  done
  if [ "$1" = simd ] && ! grep -qw avx2 /proc/cpuinfo; then echo "this processor has no AVX2"; fi
  if [ "$1" = peers ]; then
    for tool in peers julia; do  # what was fetched already needs no network
      [ "$install" = no ] || scripts/fetch_"$tool".sh >build/fetch.log 2>&1 || { tail -n 1 build/fetch.log; return; }
    done
    [ -e build/peers/complete ] || echo "build/peers is missing: run scripts/fetch_peers.sh"
    [ -e build/julia/julia ] || echo "build/julia is missing: run scripts/fetch_julia.sh"
  fi
}

report=()
summary() {
  local status=$?
  printf '\n'
  [ ${#report[@]} -eq 0 ] || printf '%s\n' "${report[@]}"
  [ $status -eq 0 ] || echo "FAILED"
}
trap summary EXIT

mkdir -p build
if [ "$install" = yes ]; then
  scripts/install_deps.sh test
  scripts/fetch_duckdb.sh || echo "test.sh: DuckDB could not be fetched; the tests with it are left out" >&2
  [[ " ${parts[*]} " != *" arm64 "* ]] || scripts/install_deps.sh arm64
  [[ " ${parts[*]} " != *" peers "* ]] || scripts/install_deps.sh peers
fi
skipped=0
for part in "${parts[@]}"; do
  reason=$(why_not "$part")
  if [ -n "$reason" ]; then
    report+=("$(printf '%-8s SKIPPED: %s' "$part" "$reason")")
    echo "${report[-1]}"
    skipped=1
    continue
  fi
  printf '\n== %s (%s)\n' "$part" "$(date +%H:%M:%S)"
  start=$SECONDS
  part_"$part"
  report+=("$(printf '%-8s %4d s' "$part" $((SECONDS - start)))")
  echo "== ${report[-1]}"
done
if [ $skipped = 1 ] && [ "${CI:-}" = true ]; then exit 1; fi
