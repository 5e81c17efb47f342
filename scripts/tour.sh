#!/usr/bin/env bash
# A short tour of the command: a file of each format, a conversion across formats, a refused file, and a page.
# Usage: scripts/tour.sh [BUILD]
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build/release}")
PATH=$build/bin:$PATH
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
ln -s "$PWD/tests/vectors" "$out/vectors"
cd "$out"

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}
# The type of a file can be long: the first line is cut.
valid() {
  printf '$ polycodec validate %s\n' "$*"
  polycodec validate "$@" >type.txt
  cut -c 1-110 type.txt
}

printf 'One file of each format:\n\n'
valid vectors/awkward/jagged.awkd
if polycodec info hdf5 >/dev/null 2>&1; then # built where libhdf5 is
  valid vectors/awkward/h5_zall.h5 --from awkward
fi
valid vectors/dynd/any_table.bin --from dynd
valid vectors/dynd/cbor/struct_table.cbor --from dynd-cbor
valid vectors/fastbin/mix__tree.bin --from fastbin \
  --from-options "{\"schema_file\": \"$out/vectors/fastbin/mix.schema.json\"}"
valid vectors/gltf/trimesh_box.glb
valid vectors/msgpack_ndarray/mix_list_of_nd.msgpack
valid vectors/obj/own_cube_uv_normals.obj
valid vectors/ply/own_types_new_big.ply
valid vectors/stl/assimp_box_binary.stl
valid vectors/yggdrasil/bodies/array1d_float64.body --from yggdrasil

printf '\nConversions across formats:\n'
show polycodec convert vectors/awkward/jagged.awkd jagged.msgpack
show polycodec decode --plain jagged.msgpack
show polycodec convert vectors/gltf/trimesh_box.glb box.ply
show polycodec mesh box.ply

printf '\nA file that is cut short is refused, with the place and the reason:\n'
head -c 200 vectors/gltf/trimesh_box.glb >short.glb
if show polycodec validate short.glb; then
  echo 'the file was not refused' >&2
  exit 1
fi

printf '\nA page for a browser, with the mesh in 3-d:\n'
show polycodec view box.ply -o page.html --no-open
show wc -c page.html
