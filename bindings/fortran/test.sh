#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the module against an installed polycodec, and runs its tests: test.sh PREFIX BUILD
# POLYCODEC_FULL=1 takes all vectors and not each third. BUILD/ring is then the program of the ring of languages.
set -euo pipefail
prefix=$(realpath "$1")
mkdir -p "$2"
build=$(realpath "$2")
cd "$(dirname "$0")"
root=$(realpath ../..)
here=$PWD
unset POLYCODEC_CONFIG POLYCODEC_PLUGIN_PATH POLYCODEC_PLUGIN_SYSTEM_PATH
export PYTHONDONTWRITEBYTECODE=1

python3 "$root/scripts/fortran_sys.py" >/dev/null
python3 tests/manifest.py fpm.toml
FFLAGS='-g -Wall -Wextra -Werror' ./install.sh "$prefix" "$build/prefix"
export PKG_CONFIG_PATH=$build/prefix/lib/pkgconfig:$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
flags=$(pkg-config --cflags polycodec-fortran)
libraries=$(pkg-config --libs polycodec-fortran)

# Tests compare floating-point numbers, and call functions in any order. gfortran 12 warns about the length of each
# allocatable array of text.
compile() { # NAME SOURCE...
  # shellcheck disable=SC2086
  gfortran -std=f2018 -O1 -g -fcheck=all,no-array-temps -Wall -Wextra -Werror -Wno-compare-reals -Wno-function-elimination \
    -Wno-maybe-uninitialized -Wno-uninitialized $flags -J "$build" "${@:2}" -o "$build/$1" $libraries -Wl,-rpath,"$prefix/lib"
}
compile ring tests/native.f90 tests/ring.f90
compile vectors tests/native.f90 tests/vectors.f90
compile check tests/check.f90
compile unheard tests/unheard.f90
compile bench bench/column.f90

each=3
[ "${POLYCODEC_FULL:-0}" = 0 ] || each=1
expected=$build/expected
mkdir -p "$expected/bodies/malformed" "$build/work"
cd "$root/tests/vectors/yggdrasil"
for file in bodies/*.body bodies/malformed/*.body; do
  "$prefix/bin/polycodec" convert -q -f yggdrasil -t yggdrasil "$file" "$expected/$file" >/dev/null 2>&1 || true
done
for file in messages/*.msg messages/malformed/*.msg; do
  "$prefix/bin/polycodec" message unpack "$file" >/dev/null 2>&1 && code=0 || code=$?
  echo "$file $code"
done >"$expected/messages.txt"

cd "$build/work"
passed=0
for test in check "vectors $root/tests/vectors/yggdrasil $expected $here/tests/cannot.tsv $each"; do
  # shellcheck disable=SC2086
  n=$("$build"/$test)
  passed=$((passed + n))
done

# A program that asks for no status ends with the message.
code=0
message=$("$build/unheard" 2>&1) || code=$?
case "$code $message" in
1\ *'polycodec: '*nowhere.ply*) passed=$((passed + 1)) ;;
*) echo "FAILED: a program that asks for no status: $code $message" >&2 && exit 1 ;;
esac

# The ring over pipes gives the same values, also of several messages.
messages=$root/tests/vectors/yggdrasil/messages
cat "$messages"/msg_{ndarray_first,in_data,ndarray_first}.msg | "$build/ring" | "$build/ring" >"$build/array.msg"
[ "$("$prefix/bin/polycodec" message unpack "$build/array.msg" 2>/dev/null | grep -o '\[0, 1, 2\]' | wc -l)" = 3 ]
# A value of every type stays as it is.
"$prefix/bin/polycodec" message pack -f text "$here/tests/everything.typed.json" >"$build/in.msg"
"$build/ring" <"$build/in.msg" >"$build/out.msg"
for name in in out; do
  "$prefix/bin/polycodec" message unpack "$build/$name.msg" >"$build/$name.txt" 2>/dev/null
done
cmp "$build/in.txt" "$build/out.txt"
passed=$((passed + 2))

"$build/bench" 1000000 >/dev/null
PATH=$prefix/bin:$PATH python3 "$root/tests/docs/tutorial.py" "$root/docs/tutorials/fortran.md" >"$build/tutorial.log" ||
  { cat "$build/tutorial.log"; exit 1; }
passed=$((passed + 1))
echo "fortran: $passed passed"
