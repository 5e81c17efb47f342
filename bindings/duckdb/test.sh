#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the extension against an installed polycodec, and runs its tests with the oldest and the newest engine that are
# supported. Usage: test.sh PREFIX WORK (scripts/fetch_sql.sh has made WORK)
set -euo pipefail
prefix=$(realpath "$1")
work=$(realpath "$2")
cd "$(dirname "$0")"

cmake -S . -B "$work/extension" -G Ninja -D CMAKE_BUILD_TYPE=Release -D "CMAKE_PREFIX_PATH=$prefix" \
  -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF -D "DUCKDB_INCLUDE_DIR=$work/include" -D POLYCODEC_SQL_WARNINGS=ON >"$work/configure.log"
cmake --build "$work/extension" -- --quiet

export POLYCODEC_SQL_EXTENSION=$work/extension/polycodec.duckdb_extension POLYCODEC_COMMAND=$prefix/bin/polycodec
unset POLYCODEC_CONFIG POLYCODEC_PLUGIN_PATH POLYCODEC_PLUGIN_SYSTEM_PATH
"$work/newest/bin/ruff" check --no-cache --config ruff.toml .
"$work/newest/bin/ruff" format --no-cache --config ruff.toml --check .
MYPYPATH=tests "$work/newest/bin/python" -m mypy --config-file mypy.ini --cache-dir "$work/mypy" tests bench
export PYTHONDONTWRITEBYTECODE=1
"$work/oldest/bin/pytest" -q -p no:cacheprovider tests >"$work/oldest.log" 2>&1 &
oldest=$!
"$work/newest/bin/pytest" -q -p no:cacheprovider tests
wait "$oldest" || { cat "$work/oldest.log"; exit 1; }
tail -n 1 "$work/oldest.log"
