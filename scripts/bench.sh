#!/usr/bin/env bash
# Measures polycodec beside its peers and the limits of the machine, in paired rounds.
# Usage: scripts/bench.sh [--no-install]
# Prints one table, and writes report.json and report.svg into build/bench/report. Peers are packages of Debian.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
  --no-install) ;;
  '') scripts/install_deps.sh bench ;;
  *) sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

programs=(msgpack yggdrasil conversion)
report=build/bench/report
mkdir -p "$report"
cmake --preset bench >build/bench.configure.log || { cat build/bench.configure.log >&2; exit 1; }
cmake --build build/bench -j "$(nproc)" --target "${programs[@]/#/bench_}" -- --quiet

results=()
for program in "${programs[@]}"; do
  "build/bench/bin/bench_$program" --benchmark_out="$report/$program.json" --benchmark_out_format=json >"$report/$program.log"
  results+=("$report/$program.json")
done
echo "$(date -u +%F), $(uname -m), $(nproc) processors, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | sort -u | head -n 1)"
scripts/bench_report.py --json "$report/report.json" --svg "$report/report.svg" "${results[@]}"
