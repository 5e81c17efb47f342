#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests the Julia package against an installed polycodec, without the network, and makes WORK/ring. Usage: test.sh PREFIX WORK
# POLYCODEC_JULIA is the Julia to use (default: that of scripts/fetch_julia.sh, else `julia`); POLYCODEC_FULL=1: all vectors.
set -euo pipefail
prefix=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
cd "$(dirname "$0")"
root=$(realpath ../..)
julia=${POLYCODEC_JULIA:-$root/build/julia/julia}
[ -x "$julia" ] || julia=$(command -v julia) || { echo "test.sh: no Julia: run scripts/fetch_julia.sh" >&2; exit 1; }

# A copy, because Pkg writes a manifest beside the package. A depot with an empty registry has Pkg ask no server.
rm -rf "$work/package" "$work/depot"
mkdir -p "$work/package" "$work/depot/registries/Empty"
cp -r Project.toml src test "$work/package"
printf 'name = "Empty"\nuuid = "3c1f6b1e-6f3f-4f6e-9d67-0d3f7d5b7a10"\nrepo = ""\n\n[packages]\n' >"$work/depot/registries/Empty/Registry.toml"
export POLYCODEC_LIBRARY POLYCODEC_ROOT=$root JULIA_DEPOT_PATH=$work/depot JULIA_PROJECT=$work/project JULIA_PKG_SERVER= JULIA_NUM_THREADS=2
POLYCODEC_LIBRARY=$(realpath "$prefix"/lib*/libpolycodec.so)
unset JULIA_LOAD_PATH POLYCODEC_CONFIG POLYCODEC_PLUGIN_PATH POLYCODEC_PLUGIN_SYSTEM_PATH

cat >"$work/ring" <<END
#!/bin/sh
export POLYCODEC_LIBRARY="$POLYCODEC_LIBRARY" JULIA_DEPOT_PATH="$work/depot" JULIA_PROJECT="$work/project"
exec "$julia" --startup-file=no -O1 "$PWD/ring.jl"
END
chmod +x "$work/ring"

"$julia" --startup-file=no -e 'using Pkg; Pkg.develop(PackageSpec(path = ARGS[1]))' "$work/package" >"$work/develop.log" 2>&1 ||
  { cat "$work/develop.log" >&2; exit 1; }
"$julia" --startup-file=no -e 'using Pkg; Pkg.test("Polycodec"; julia_args = `-O0`)' >"$work/test.log" 2>&1 ||
  { grep -v '^  *[|]' "$work/test.log" | grep -A 12 'Test Failed\|Error\|ERROR' >&2; exit 1; }
passed=$(awk '$1 == "Polycodec" && $2 == "|" { print $3 }' "$work/test.log")

# The blocks of the tutorial are one program; what follows `# => ` is what an expression gives.
rm -rf "$work/tutorial"
mkdir "$work/tutorial"
(cd "$work/tutorial" && "$julia" --startup-file=no "$root/bindings/julia/test/tutorial.jl" "$root/docs/tutorials/julia.md" >tutorial.log)
shown=$(cat "$work/tutorial/tutorial.log")

# The ring gives back what came.
for message in "$root"/tests/vectors/yggdrasil/messages/msg_{array,object,table_row,eof}.msg; do
  "$work/ring" <"$message" >"$work/once.msg"
  "$work/ring" <"$work/once.msg" >"$work/twice.msg"
  cmp "$work/once.msg" "$work/twice.msg"
done
echo "julia: $((passed + shown + 4)) passed"
