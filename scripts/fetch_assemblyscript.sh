#!/usr/bin/env bash
# Fetches AssemblyScript and the two packages that it needs, pinned by the SHA-256 of each, into build/assemblyscript. tests/wasm
# compiles a module with it. Nothing else needs it.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -e build/assemblyscript/complete ] && exit 0
rm -rf build/assemblyscript
mkdir -p build/assemblyscript
cd build/assemblyscript
while read -r name version hash; do
  npm pack --silent "$name@$version" >/dev/null
  echo "$hash  $name-$version.tgz" | sha256sum --check --quiet
  mkdir -p "node_modules/$name"
  tar xzf "$name-$version.tgz" -C "node_modules/$name" --strip-components=1
  rm -f "$name-$version.tgz"
done <<'END'
assemblyscript 0.28.20 26696c1bbb716bd85a0fbd38c7efbda186c83bc648ba4f78369d432081b4b1cb
binaryen 131.0.0-nightly.20260721 ed375d90d259924799147788d66ed70ce6e65454b69df577e09f2c4d17c00f6c
long 5.3.2 68033e466773df7d52c9e59341bb729d83716cd920c56460395724456d646b26
END
touch complete
