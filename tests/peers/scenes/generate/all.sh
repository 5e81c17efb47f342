#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the files of the programs anew: all.sh BLENDER MESHLAB TRIMESH MODULES. The first three are interpreters of Python with
# bpy, pymeshlab and trimesh (with Pillow), the last is a directory of npm with three and obj2gltf. assimp is in the path.
set -euo pipefail
blender=$1 meshlab=$2 trimesh=$3 modules=$(realpath "$4")
cd "$(dirname "$0")/.."
rm -rf model blender meshlab trimesh three assimp obj2gltf
mkdir model blender meshlab trimesh three assimp obj2gltf

(cd model && python3 -B ../generate/model.py)
(cd blender && "$blender" -B ../generate/blender.py >/dev/null)
(cd meshlab && "$meshlab" -B ../generate/meshlab.py)
(cd trimesh && "$trimesh" -B ../generate/of_trimesh.py)
# Modules are looked for beside the script.
cp generate/three.mjs "$modules/polycodec_three.mjs"
(cd three && node "$modules/polycodec_three.mjs")
rm "$modules/polycodec_three.mjs"
cp model/*.png assimp
for format in obj ply plyb stl stlb glb2 gltf2; do
  case $format in
    plyb | stlb) file=binary.${format%b} ;;
    *) file=model.${format%2} ;;
  esac
  # trimesh reads polygons in PLY files of text alone.
  triangles=$([ "$format" != plyb ] || echo -tri)
  (cd assimp && assimp export ../model/model.obj "$file" "-f$format" $triangles >/dev/null)
done
(cd assimp && assimp export ../model/colors.obj colors.ply -fply >/dev/null && assimp export ../model/colors.obj colors.glb -fglb2 >/dev/null)
for file in model.glb model.gltf; do node "$modules/node_modules/obj2gltf/bin/obj2gltf.js" -i model/model.obj -o "obj2gltf/$file" >/dev/null; done
node "$modules/node_modules/obj2gltf/bin/obj2gltf.js" -i model/model.obj -o obj2gltf/separate.gltf --separate >/dev/null
