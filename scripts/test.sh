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
#          release   g++, optimized, all tests, the conformance kit over every plugin, consumers of an installed tree,
#                    and the instructions of ten jobs beside scripts/instructions.json
#          simd      unit and interop tests of `release` again, with scalar code, and with AVX2 where there is AVX-512
#          arm64     (long) unit and interop tests, cross-compiled and under qemu
#          tidy      (long) clang-tidy over all sources
#          coverage  (long) the lines of each room that tests reach
#          packages  (long) Debian packages: lintian, and what a newcomer does with them and the wheel in a fresh root
#   trust  torture   scripts/torture.sh for one minute, with a fixed seed (full: for three, and all of its arms `cost` and `cut`)
#   isolation        evil plugins and damaged files against isolated hosts (full: 10,000 calls, 4,000 files of HDF5)
#   wasm             plugins that are WebAssembly, good and evil ones
#   peers            other implementations of the formats, on generated values, both ways
#          real      (long) 519 files of other programs out of five packages, beside trimesh and plyfile
#   hosts            host programs in other languages, against an installed tree
#   languages        the packages for R, Fortran, Julia and Octave, and one value through all languages (full: all vectors)
#   view             pages of `polycodec view` in headless Chromium, and that their script is what its sources give
#   python           the wheel in a fresh virtual environment, beside the libraries of Python that it serves
#          python-bench  (alone) the wheel beside other readers of the formats, measured
#   scale            the wheel on clusters of dask, with Ray and with MPI; the command in an array of Slurm
#   duckdb           the extension of DuckDB in the oldest and newest engine, against an installed tree
#   words            the words of documents, public headers and messages: docs/style.md and spelling
# A part that lacks a tool is reported as SKIPPED; with CI=true that is a failure. Parts that use one processor at most times
# run two at a time, after the others. At the end, the seconds of each part are printed beside those that CI takes on two
# processors (scripts/test_seconds.txt).
set -euo pipefail
cd "$(dirname "$0")/.."

core=(format tsan asan fuzz release simd)
long=(arm64 tidy coverage packages real)
stages=("${core[@]}" torture isolation wasm peers hosts languages view python scale duckdb words)

fuzz_seconds=${POLYCODEC_FUZZ_SECONDS:-6}
# A fixed seed, so that a run can be repeated and a change is checked by what it changes; 0 looks somewhere else each time.
fuzz_seed=${POLYCODEC_FUZZ_SEED:-1}
jobs=$(nproc)

install=yes
parts=()
for argument in "$@"; do
  case $argument in
    --no-install) install=no ;;
    full)
      parts+=("${stages[@]}" "${long[@]}")
      export POLYCODEC_EVIL_CALLS=10000 POLYCODEC_EVIL_SLOW_CALLS=200 POLYCODEC_HDF5_FILES=4000
      export POLYCODEC_TORTURE_MINUTES=${POLYCODEC_TORTURE_MINUTES:-3} POLYCODEC_TORTURE_CASES=4000
      fuzz_seconds=${POLYCODEC_FUZZ_SECONDS:-10}
      export POLYCODEC_PYTHON_FULL=1 POLYCODEC_PYTHON_SEED=0 POLYCODEC_FULL=1
      ;;
    core) parts+=("${core[@]}") ;;
    trust) parts+=(torture) ;;
    quick | format | tsan | asan | fuzz | release | hosts | languages | peers | view | python | python-bench | scale | duckdb | simd | arm64 | tidy | coverage | torture | isolation | wasm | words | packages | real) parts+=("$argument") ;;
    *) sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
[ ${#parts[@]} -gt 0 ] || parts=("${stages[@]}")

# A cache that also serves a checkout in another directory.
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
fi

build() (  # build PRESET [TARGET...]; one at a time
  preset=$1
  shift
  exec 9>"build/$preset.lock"
  flock 9
  if [ ! -e "build/$preset.configured" ]; then  # once: it writes files that ctest of another part may read
    cmake --preset "$preset" >"build/$preset.configure.log" || { cat "build/$preset.configure.log"; exit 1; }
    sed -n 's/^-- polycodec: no /not tested: no /p' "build/$preset.configure.log"
    : >"build/$preset.configured"
  fi
  if [ $# -gt 0 ]; then cmake --build "build/$preset" -j "$jobs" --target "$@" -- --quiet
  else cmake --build "build/$preset" -j "$jobs" -- --quiet; fi
)

run_tests() {  # run_tests PRESET [ctest option...]
  local preset=$1
  shift
  ctest --test-dir "build/$preset" -j $((jobs + 1)) --output-on-failure --progress "$@"  # some tests wait
}

sources() { git ls-files '*.cpp' '*.hpp' '*.c' '*.h' | grep -v -e '^sdk/template/' -e '/golden/' || true; }

ahead=""  # the processes that build ahead
build_ahead() {  # build_ahead PART PRESET: for a later part, with what tests leave of the processors. That part says what fails.
  [[ " ${alone[*]} " == *" $1 "* ]] || return 0
  set -m  # a group of its own, which summary can end
  (
    renice -n 19 "$BASHPID"
    build "$2"
  ) >build/ahead.log 2>&1 &
  ahead+=" $!"
  set +m
}

part_format() { sources | xargs -P "$jobs" -n 100 clang-format --dry-run -Werror; }

part_tsan() {
  build tsan tsan_tests
  build_ahead asan asan
  run_tests tsan -L tsan
}

part_asan() {
  build asan
  build_ahead release release
  # Freed memory is kept for 16 MiB of it, not 256: fresh memory takes much of the time.
  ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=8:${ASAN_OPTIONS:-} \
    run_tests asan -LE '^(install|house|compile_fail)$'  # the last two run no code of ours
}

part_fuzz() {
  build asan
  export fuzz_seconds fuzz_seed
  export -f fuzz
  rm -f build/asan/corpus/*.report
  printf '%s\n' build/asan/bin/fuzz_*.corpus | xargs -P "$jobs" -I{} bash -c 'fuzz {}' && return
  cat build/asan/corpus/*.report  # last, where a log that is cut still has them
  return 1
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
    {
      echo "$(basename "$fuzzer") found something:"
      grep -v '^stat::' "$log" | tail -n 40
      find "$found" -regex '.*/\(crash\|oom\|timeout\)-[^/]*' -size -8 -exec base64 -w 0 {} \; -exec echo " is {}" \;
    } >"$found.report"
    return 1
  fi
}

part_quick() {
  build release quick_tests
  run_tests release -L '^(unit|interop)$'
}

part_release() {
  build release
  run_tests release -LE '^(peers|hosts|isolation|wasm)$'
  scripts/instructions.py
}

part_isolation() {
  build release isolation_tests
  run_tests release -L '^isolation$'
}

part_wasm() {
  build release  # the tutorial is followed with an installed tree
  build release wasm_modules
  run_tests release -L '^wasm$'
}

part_peers() {
  build release peer_tests
  run_tests release -L peers
}

part_real() {
  build release polycodec_cli
  build/peers/venv/bin/python -B tests/peers/real_files.py build/release/bin/polycodec build/real
}

part_hosts() {
  build release
  run_tests release -L '^hosts$'
}

part_view() {
  build release polycodec_cli polycodec_view_program ply obj
  scripts/view_assets.sh --check
  local tests=build/view/tests
  mkdir -p "$tests"
  cp tests/view/* "$tests/"
  (cd "$tests" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  POLYCODEC_CHROMIUM=$(command -v chromium) node --test "$tests/view_test.mjs"
}

wheels=""
wheel() {  # wheel ENVIRONMENT OUTPUT: makes the wheel with the Python of an environment in build/wheel, once a run
  [[ $wheels != *" $2 "* ]] || return 0
  build release polycodec_wheel
  "build/wheel/$1/bin/python" bindings/python/tools/wheel.py "build/wheel/$2"
  wheels+=" $2 "
}

fresh() {  # fresh PYTHON NAME LIST [WHEEL...]: a new environment with the pinned packages of a list, and wheels
  rm -rf "build/wheel/$2"
  "$1" -m venv --without-pip "build/wheel/$2"
  local uv=(build/wheel/tools/bin/uv pip install --quiet --offline --cache-dir build/wheel/cache --python "build/wheel/$2")
  "${uv[@]}" --require-hashes -r "bindings/python/requirements/$3.txt"
  [ $# -lt 4 ] || "${uv[@]}" --no-deps "${@:4}"
}

part_python() {
  wheel tools dist
  fresh build/wheel/tools/bin/python fresh test build/wheel/dist/polycodec-*.whl
  fresh build/wheel/tools/bin/python bare bare build/wheel/dist/polycodec-*.whl
  local bin=$PWD/build/wheel/fresh/bin
  (cd bindings/python && "$bin/ruff" check --no-cache . && "$bin/ruff" format --no-cache --check .)
  (cd build/wheel && "$bin/python" -P -m mypy --strict --cache-dir mypy --config-file ../../bindings/python/pyproject.toml -p polycodec)
  "$bin/pytest" -q -p no:cacheprovider -n "$jobs" --dist loadfile -c bindings/python/pyproject.toml bindings/python/tests
  echo "the wheel was tested with $("$bin/python" -VV)"
  stable_abi
}

stable_abi() {  # one wheel for all versions of Python from 3.12 on, where 3.12 is
  local python=build/wheel/abi3/bin/python
  if [ ! -x "$python" ]; then
    echo "not tested: no Python 3.12 for the wheel of the stable ABI"
    return
  fi
  wheel tools-abi3 dist-abi3
  fresh "$python" fresh-abi3 abi3 build/wheel/dist-abi3/polycodec-*-cp312-abi3-*.whl
  build/wheel/fresh-abi3/bin/pytest -q -p no:cacheprovider -c bindings/python/pyproject.toml bindings/python/tests/test_wheel.py
  echo "the wheel of the stable ABI was tested with $(build/wheel/fresh-abi3/bin/python -VV)"
}

pytest_scale() {  # pytest_scale WHAT...: other than in the part `python`, tests import helpers that are beside them
  timeout 1800 build/wheel/scale-fresh/bin/pytest -q -p no:cacheprovider -c bindings/python/pyproject.toml -o addopts= "$@"
}

part_scale() {
  wheel tools dist
  fresh build/wheel/tools/bin/python scale-fresh scale build/wheel/dist/polycodec-*.whl
  # The hosts and the other engines wait more than they compute, so they run beside the rest.
  local log=build/wheel/scale-hosts.log tests=bindings/python/scale beside
  pytest_scale "$tests"/test_{hosts,examples}.py >"$log" 2>&1 &
  beside=$!
  pytest_scale "$tests" --ignore="$tests/test_hosts.py" --ignore="$tests/test_examples.py"
  wait "$beside" || { cat "$log"; exit 1; }
  tail -n 1 "$log"
  build release
  local status=0
  tests/scale/slurm_array.sh build/release || status=$?
  [ $status -eq 0 ] || { [ $status -eq 77 ] && echo "SKIPPED: an array of Slurm"; }
}

part_python-bench() {
  scripts/fetch_python.sh bench
  wheel tools dist
  fresh build/wheel/tools/bin/python bench-fresh bench build/wheel/dist/polycodec-*.whl
  build/wheel/bench-fresh/bin/python -P bindings/python/bench/bench.py
  scripts/fetch_python.sh scale
  fresh build/wheel/tools/bin/python scale-fresh scale build/wheel/dist/polycodec-*.whl
  build/wheel/scale-fresh/bin/python -P bindings/python/bench/workers.py
}

part_duckdb() {
  build release
  local prefix=build/sql/prefix
  rm -rf "$prefix"
  cmake --install build/release --prefix "$PWD/$prefix" >build/sql/install.log
  bindings/duckdb/test.sh "$prefix" build/sql
}

part_languages() {
  wheel tools dist
  fresh build/wheel/tools/bin/python languages-fresh bare build/wheel/dist/polycodec-*.whl
  build release
  local prefix=build/languages/prefix
  rm -rf "$prefix"
  mkdir -p build/languages
  cmake --install build/release --prefix "$PWD/$prefix" >build/languages/install.log
  tests/languages/test.sh "$prefix" build/languages build/wheel/languages-fresh/bin/python
}

part_words() {
  scripts/check_prose.py
  python3 tests/house/prose_test.py
  # Tests misspell on purpose, and what is generated has no words of ours.
  git ls-files '*.md' '*.cpp' '*.hpp' '*.c' '*.h' '*.py' '*.pyi' '*.rs' '*.go' '*.sh' '*.cmake' '*CMakeLists.txt' '*.ts' |
    grep -v -e '^tests/' -e '/tests/' -e '/golden/' -e '/dist/' | xargs codespell
  command -v doxygen >/dev/null || { echo "not tested: no doxygen for the reference"; return; }
  mkdir -p build/reference
  doxygen docs/Doxyfile  # its warnings are errors
}

part_simd() {  # whole programs: what matters here is the kernels, and a process a case would take longer
  build release
  local level levels=(scalar) programs
  programs=$(ctest --test-dir build/release -N -L '^(unit|interop)$' | sed -n 's|.*: \([a-z0-9_]*\)[.].*|build/release/bin/test_\1|p' | sort -u)
  # Where no processor has more than AVX2, `release` ran with it.
  ! grep -qw avx512_vbmi2 /proc/cpuinfo || levels+=(avx2)
  for level in "${levels[@]}"; do
    echo "POLYCODEC_CPU=$level"
    grep -v -e /test_messages$ <<<"$programs" | POLYCODEC_CPU=$level xargs -P "$jobs" -I{} env {} --gtest_brief=1
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
  # Counts are kept in the files themselves (%c), so that those of killed processes are there. What counts allocations and
  # bytes of the stack, memory and files would count those of the measurement.
  LLVM_PROFILE_FILE=$raw/%c%4m.profraw run_tests coverage -LE '^(install|peers|hosts)$' -E '^allocation[.]|OnASmallStack|FilesOfTheProcess|NextCallWorks/memory'
  scripts/coverage.sh build/coverage
}

part_packages() {
  wheel tools dist
  build release
  tests/packages/test.sh build/release build/wheel/dist/polycodec-*-cp311-*.whl
}

part_torture() {
  build release
  scripts/torture.sh "${POLYCODEC_TORTURE_MINUTES:-1}" --seed 1 --jobs "$jobs"
  [ -z "${POLYCODEC_TORTURE_CASES:-}" ] ||
    scripts/torture.sh 60 --seed 2 --jobs "$jobs" --arm cost --arm cut --cases "$POLYCODEC_TORTURE_CASES"
}

tools_of() {
  case $1 in
    format) echo clang-format ;;
    asan | fuzz) echo clang clang++ ld.lld ;;
    tidy) echo clang clang++ clang-tidy ;;
    coverage) echo clang clang++ llvm-cov llvm-profdata ;;
    peers) echo cmake ninja g++ curl python3 npm node assimp ;;
    real) echo cmake ninja g++ curl dpkg python3 ;;
    languages) echo cmake ninja g++ python3 dpkg pkg-config ;;
    python* | scale) echo cmake ninja g++ python3 dpkg ;;
    view) echo cmake ninja g++ node npm chromium ;;
    duckdb) echo cmake ninja g++ curl python3 ;;
    wasm) echo cmake ninja g++ python3 clang wasm-ld npm node ;;
    torture) echo cmake ninja g++ python3 prlimit setpriv ;;
    words) echo git python3 codespell ;;
    packages) echo cmake ninja g++ python3 dpkg lintian debootstrap unshare chromium ;;
    arm64) echo aarch64-linux-gnu-g++ qemu-aarch64-static ;;
    *) echo cmake ninja g++ ;;
  esac
}

fetched_for() {  # the names of the scripts/fetch_*.sh whose results a part needs
  case $1 in
    peers) echo peers julia gltf_validator ;;
    wasm) echo wasmtime zig assemblyscript ;;
    real) echo peers real ;;
    duckdb) echo sql ;;
    languages) echo julia python ;;
    packages) echo python ;;
    python) echo peers python ;;
    scale) echo python ;;
  esac
}

fetch_one() {  # fetch_one NAME: what was fetched already needs no network
  local arguments=()
  [[ $1 != python || " ${parts[*]} " != *" scale "* ]] || arguments=(scale)
  scripts/fetch_"$1".sh "${arguments[@]}" >build/fetch_"$1".log 2>&1
}

why_not() {  # prints why a part cannot run on this machine
  local tool
  for tool in $(tools_of "$1"); do
    command -v "$tool" >/dev/null || { echo "no $tool"; return; }
  done
  if [ "$1" = simd ] && ! grep -qw avx2 /proc/cpuinfo; then echo "this processor has no AVX2"; fi
  if [ "$1" = packages ] && [ "$(id -u)" -ne 0 ]; then echo "only root can make a fresh root"; fi
  for tool in $(fetched_for "$1"); do
    [ "$install" = no ] || fetch_one "$tool" || { tail -n 1 build/fetch_"$tool".log; return; }
  done
  if [ "$1" = peers ]; then
    [ -e build/peers/complete ] || echo "build/peers is missing: run scripts/fetch_peers.sh"
    [ -e build/gltf-validator/package ] || echo "build/gltf-validator is missing: run scripts/fetch_gltf_validator.sh"
    [ -e build/julia/julia ] || echo "build/julia is missing: run scripts/fetch_julia.sh"
  fi
  if [ "$1" = wasm ]; then
    [ -e /usr/lib/wasm32-wasi/libc.a ] || echo "no wasi-libc"
    [ -e build/wasmtime/libwasmtime.so ] || echo "build/wasmtime is missing: run scripts/fetch_wasmtime.sh"
    [ -e build/zig/ziglang/zig ] || echo "build/zig is missing: run scripts/fetch_zig.sh"
    [ -e build/assemblyscript/complete ] || echo "build/assemblyscript is missing: run scripts/fetch_assemblyscript.sh"
  fi
  if [ "$1" = real ]; then
    for tool in peers real; do
      [ -e build/$tool/complete ] || echo "build/$tool is missing: run scripts/fetch_$tool.sh"
    done
  fi
  if [ "$1" = duckdb ]; then
    [ -e build/sql/newest/complete ] || echo "build/sql is missing: run scripts/fetch_sql.sh"
  fi
  if [ "$1" = languages ] || [ "$1" = packages ]; then
    [ -e build/wheel/test/complete ] || echo "build/wheel is missing: run scripts/fetch_python.sh"
  fi
  if [ "$1" = python ]; then
    [ -e build/peers/complete ] || echo "build/peers is missing: run scripts/fetch_peers.sh"
    [ -e build/wheel/test/complete ] || echo "build/wheel is missing: run scripts/fetch_python.sh"
  fi
  if [ "$1" = scale ]; then
    [ -e build/wheel/scale/complete ] || echo "build/wheel/scale is missing: run scripts/fetch_python.sh scale"
  fi
}

row() { printf '%-12s %8s %8s %10s\n' "$@"; }
row_of() {  # row_of PART SECONDS: beside those of the table
  local usual
  usual=$(awk -v part="$1" '$1 == part {print $2}' scripts/test_seconds.txt)
  if [[ $usual =~ ^[0-9]+$ ]]; then row "$1" "$2 s" "$usual s" "$(printf '%+d s' $(($2 - usual)))"; else row "$1" "$2 s" - -; fi
}
beside=""  # the process of the parts that run beside others
summary() {
  local status=$? group
  for group in $ahead; do
    ! jobs -pr | grep -qx "$group" || kill -- "-$group"
  done
  if [ -n "$beside" ]; then
    wait "$beside" || status=1
    cat build/beside.log
  fi
  printf '\n'
  row part now table difference
  cat build/test.rows
  [ $status -eq 0 ] || echo "FAILED"
  exit $status
}

run_parts() {  # run_parts PART...: the first that fails is the last
  local part start
  for part in "$@"; do
    printf '\n== %s (%s)\n' "$part" "$(date +%H:%M:%S)"
    start=$SECONDS
    part_"$part"
    row_of "$part" $((SECONDS - start)) >>build/test.rows
    echo "== $part: $((SECONDS - start)) s"
  done
}

mkdir -p build
: >build/test.rows
rm -f build/*.configured
trap summary EXIT
if [ "$install" = yes ]; then
  packages=(test)
  [[ " ${parts[*]} " != *" arm64 "* ]] || packages+=(arm64)
  [[ " ${parts[*]} " != *" packages "* ]] || packages+=(packages)
  [[ " ${parts[*]} " != *" languages "* ]] || packages+=(languages)
  [[ ! " ${parts[*]} " =~ " "(wasm|peers|python[^ ]*|scale|duckdb|real)" " ]] || packages+=(peers)
  scripts/install_deps.sh "${packages[@]}"
  scripts/fetch_duckdb.sh || echo "test.sh: DuckDB could not be fetched; the tests with it are left out" >&2
  [[ " ${parts[*]} " != *" wasm "* ]] || ! command -v rustup >/dev/null || rustup --quiet target add wasm32-unknown-unknown ||
    echo "test.sh: Rust's target for modules could not be fetched; the tests with it are left out" >&2
  # Most of it is waiting, so it is done side by side. Reasons are found by why_not.
  for part in "${parts[@]}"; do fetched_for "$part"; done | tr ' ' '\n' | sort -u >build/fetch.names
  while read -r name; do fetch_one "$name" || true & done <build/fetch.names
  wait
fi
skipped=0
alone=() first=() second=()
for part in "${parts[@]}"; do
  reason=$(why_not "$part")
  if [ -n "$reason" ]; then
    printf '%-12s SKIPPED: %s\n' "$part" "$reason" | tee -a build/test.rows
    skipped=1
    continue
  fi
  case $part in
    python | scale | languages | words) second+=("$part") ;;  # with the same wheel
    wasm | peers | hosts | view | duckdb) first+=("$part") ;;
    *) alone+=("$part") ;;
  esac
done
run_parts "${alone[@]}"
if [ ${#first[@]} -gt 0 ] && [ ${#second[@]} -gt 0 ]; then
  build release  # for both, so that neither builds what the other runs
  run_parts "${second[@]}" >build/beside.log 2>&1 &
  beside=$!
  second=()
fi
run_parts "${first[@]}" "${second[@]}"
if [ $skipped = 1 ] && [ "${CI:-}" = true ]; then exit 1; fi
