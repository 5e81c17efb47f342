#!/usr/bin/env bash
# Fetches DuckDB's shared library, which tests of the Arrow interface run SQL with, into build/duckdb. Nothing else needs it.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -e build/duckdb/package/libduckdb.so ] && exit 0
[ "$(uname -m)" = x86_64 ] || { echo "fetch_duckdb.sh: no package for $(uname -m); the tests with it are left out" >&2; exit 0; }
mkdir -p build/duckdb
cd build/duckdb
npm pack --silent @duckdb/node-bindings-linux-x64@1.5.6-r.1 >/dev/null
tar xzf duckdb-node-bindings-linux-x64-*.tgz package/libduckdb.so package/LICENSE
rm -f duckdb-node-bindings-linux-x64-*.tgz
