#!/usr/bin/env bash
# Prints the lines that were reached, for each room and for each file below a share, from BUILD/profiles/*.profraw.
# Usage: scripts/coverage.sh BUILD [PERCENT]    lists the files below PERCENT (80)
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?"usage: scripts/coverage.sh BUILD [PERCENT]"}
percent=${2:-80}

llvm-profdata merge -sparse -o "$build/all.profdata" "$build"/profiles/*.profraw
objects=()
while read -r file; do objects+=(-object "$file"); done < <(
  find "$build/lib" "$build/bin" -type f -print0 | xargs -0 file | sed -n 's/: *ELF .*//p'
)
llvm-cov report -instr-profile="$build/all.profdata" "${objects[@]:1}" core registry sdk plugins tools |
  awk -v root="$PWD/" -v percent="$percent" '
    $1 ~ /[.](cpp|hpp|h|c)$/ {
      sub(root, "", $1)
      if ($1 ~ /^registry\/sandbox\//) next  # its processes may not write their counts
      lines = $8; missed = $9
      room = $1; sub("/.*", "", room)
      all[room] += lines; not[room] += missed
      if (lines > 0 && 100 * (lines - missed) < percent * lines)
        printf "%5.1f %% of %4d  %s\n", 100 * (lines - missed) / lines, lines, $1
    }
    END {
      for (room in all) {
        printf "%-8s %6d lines, %5.1f %% reached\n", room, all[room], 100 * (all[room] - not[room]) / all[room]
        sum += all[room]; sum_not += not[room]
      }
      printf "%-8s %6d lines, %5.1f %% reached\n", "all", sum, 100 * (sum - sum_not) / sum
    }'
