#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the package with Octave's `pkg` against an installed polycodec, and runs its tests and its tutorial.
# Leaves BUILD/ring, which sends each message of standard input on to standard output through arrays of Octave.
# Usage: test.sh PREFIX BUILD
set -euo pipefail
prefix=$(realpath "$1")
mkdir -p "$2"
build=$(realpath "$2")
cd "$(dirname "$0")"
source=$PWD
root=$(realpath ../..)
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig HOME=$build/home LC_ALL=C.UTF-8
export POLYCODEC_CXXFLAGS="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
unset POLYCODEC_CONFIG POLYCODEC_PLUGIN_PATH POLYCODEC_PLUGIN_SYSTEM_PATH
octave=(octave-cli --quiet --norc --no-history)

rm -rf "$build/package" "$build/installed" "$build/packages" "$build/work"
mkdir -p "$build/package/polycodec" "$build/work" "$HOME"
cp -r DESCRIPTION COPYING INDEX src "$build/package/polycodec"
tar -C "$build/package" -czf "$build/polycodec.tar.gz" polycodec
packages="pkg('prefix', '$build/installed', '$build/installed'); pkg('local_list', '$build/packages');"
"${octave[@]}" --eval "$packages pkg('install', '-verbose', '$build/polycodec.tar.gz');" >"$build/install.log" 2>&1 || { cat "$build/install.log"; exit 1; }
start="$packages pkg('load', 'polycodec');"
"${octave[@]}" --eval "$start" >>"$build/install.log" 2>&1 || { cat "$build/install.log"; exit 1; }

cat >"$build/ring" <<END
#!/bin/sh
exec octave-cli --quiet --norc --no-history --eval "$start run('$source/tests/ring.m');"
END
chmod +x "$build/ring"

# A signal does not end the ring.
message=$root/tests/vectors/yggdrasil/messages/msg_object.msg
cc -shared -fPIC tests/interrupted.c -o "$build/interrupted.so"
LD_PRELOAD=$build/interrupted.so timeout 60 "$build/ring" <"$message" >"$build/interrupted.msg"
timeout 60 "$build/ring" <"$message" | cmp - "$build/interrupted.msg"

# The blocks of the tutorial follow each other in one session, in a directory with its files.
cd "$build/work"
awk '/^```octave$/ {on = 1; next} /^```$/ {on = 0} on' "$root/docs/tutorials/octave.md" >tutorial.m
cp "$root/tests/vectors/ply/own_crlf_ascii.ply" mesh.ply
"${octave[@]}" --eval "$start run('tutorial.m');" >tutorial.log 2>&1 || { cat tutorial.log; exit 1; }

"${octave[@]}" --eval "$start addpath('$source/tests'); polycodec_tests('$root', '$prefix', '$source/tests');"
