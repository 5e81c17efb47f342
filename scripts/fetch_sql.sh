#!/usr/bin/env bash
# Fetches what the part `duckdb` of scripts/test.sh needs into build/sql: include (two headers of DuckDB's C extension API),
# and the environments of Python `oldest` and `newest`, which have the oldest and the newest engine that are supported. The
# headers come from the source package, and all packages are pinned by their SHA-256. Nothing else needs them.
set -euo pipefail
cd "$(dirname "$0")/.."
lists=bindings/duckdb/requirements
[ "$(uname -m)" = x86_64 ] || { echo "fetch_sql.sh: the wheels are for x86-64, and this is $(uname -m)" >&2; exit 1; }
mkdir -p build/sql

# The headers of the oldest engine. pip would build the source package.
if [ ! -e build/sql/include/complete ]; then
  archive=build/sql/duckdb-1.5.6.tar.gz
  curl -fsSL --retry 2 --max-time 300 -o "$archive" \
    https://files.pythonhosted.org/packages/59/0b/d65ea3be00ea79aa276a8388bec588a9cbf409ce637c6d306e5316210d15/duckdb-1.5.6.tar.gz
  echo "166a91dbfacfc0c9f08cc76c0243cb6d3d4296bfab5bad72a3cfb63140a5b7c8  $archive" | sha256sum --check --quiet
  rm -rf build/sql/include
  mkdir -p build/sql/include
  tar xzf "$archive" -C build/sql/include --strip-components=5 duckdb-1.5.6/external/duckdb/src/include/duckdb{,_extension}.h
  rm "$archive"
  touch build/sql/include/complete
fi

for python in python3 python3.11 /usr/bin/python3 none; do
  "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null && break
done
[ "$python" != none ] || { echo "fetch_sql.sh: the wheels need Python 3.11 with venv (python3-venv), and none is here" >&2; exit 1; }
for engine in oldest newest; do
  sum=$(cat "$lists/$engine.txt" "$lists/tests.txt" | sha256sum)
  [ "$(cat "build/sql/$engine/complete" 2>/dev/null)" != "$sum" ] || continue
  rm -rf "build/sql/$engine"
  "$python" -m venv "build/sql/$engine"
  "build/sql/$engine/bin/pip" install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
    -r "$lists/$engine.txt" -r "$lists/tests.txt" || {
    echo "fetch_sql.sh: could not install $lists/$engine.txt" >&2
    exit 1
  }
  echo "$sum" >"build/sql/$engine/complete"
done
