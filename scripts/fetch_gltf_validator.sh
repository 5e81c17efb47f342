#!/usr/bin/env bash
# Fetches the validator of Khronos for glTF into build/gltf-validator, pinned by the SHA-256 of its package. tests/peers runs it
# with node on every glTF file that it wrote. Nothing else needs it.
set -euo pipefail
cd "$(dirname "$0")/.."
version=2.0.0-dev.3.10
hash=4e03dbdc3bc0d1342afd5d2d7ae341a7e3474502ccb872b02dbbaddaee0fdec6
[ -e build/gltf-validator/package/index.js ] && exit 0
mkdir -p build/gltf-validator
cd build/gltf-validator
npm pack --silent "gltf-validator@$version" >/dev/null
echo "$hash  gltf-validator-$version.tgz" | sha256sum --check --quiet
tar xzf "gltf-validator-$version.tgz"
rm -f "gltf-validator-$version.tgz"
