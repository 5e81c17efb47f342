#!/usr/bin/env bash
# Measures polycodec beside its peers and the limits of the machine, in paired rounds.
# Usage: scripts/bench.sh [--no-install] [--page] [--peer NAME=DIR]... [PROGRAM...]
# Prints one table, and writes report.json and report.svg into build/bench/report. --page writes them into docs/performance.md, too.
# --peer builds a peer of its sources: fast_obj, rapidobj, miniply, simdjson. All other peers are packages of Debian
# and, for `command`, those of scripts/fetch_peers.sh.
# PROGRAM: command, value, msgpack, yggdrasil, conversion, threads, mesh, registry, small_files (all by default).
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  echo "bench.sh: $1" >&2
  sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

all=(command value msgpack yggdrasil conversion threads mesh registry small_files)
programs=()
peers=()
page=()
install=1
while [ $# -ne 0 ]; do
  case $1 in
    --no-install) install=0 ;;
    --page) page=(--page docs/performance.md) ;;
    --peer)
      [ $# -ge 2 ] || usage "missing value (--peer): must be NAME=DIR"
      case $2 in
        fast_obj=* | rapidobj=* | miniply=* | simdjson=*) ;;
        *) usage "unknown peer ($2): must be fast_obj, rapidobj, miniply or simdjson, with its directory" ;;
      esac
      directory=$(realpath -- "${2#*=}")
      [ -d "$directory" ] || usage "missing directory ($directory): must have the sources of ${2%%=*}"
      name=${2%%=*}
      peers+=("-DPOLYCODEC_PEER_${name^^}=$directory")
      shift ;;
    -*) usage "unknown option ($1)" ;;
    *)
      [[ " ${all[*]} " == *" $1 "* ]] || usage "unknown program ($1): must be one of ${all[*]}"
      programs+=("$1") ;;
  esac
  shift
done
[ ${#programs[@]} -ne 0 ] || programs=("${all[@]}")
if [ "$install" = 1 ]; then
  scripts/install_deps.sh bench
  [[ " ${programs[*]} " != *" command "* ]] || scripts/fetch_peers.sh || echo "bench.sh: measured without peers in Python" >&2
fi

report=build/bench/report
mkdir -p "$report"
cmake --preset bench "${peers[@]}" >build/bench.configure.log || { cat build/bench.configure.log >&2; exit 1; }
cmake --build build/bench -j "$(nproc)" --target "${programs[@]/#/bench_}" -- --quiet

results=()
for program in "${programs[@]}"; do
  "build/bench/bin/bench_$program" --benchmark_out="$report/$program.json" --benchmark_out_format=json >"$report/$program.log"
  results+=("$report/$program.json")
done
scripts/bench_report.py --json "$report/report.json" --svg "$report/report.svg" "${page[@]}" "${results[@]}"
