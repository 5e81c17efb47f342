#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints what a column of 10^7 doubles of a file costs in each language, beside one copy of it in the same run. The times are medians
# of 15 rounds, in each of which both are measured. Usage: bench.sh PREFIX BUILD, where test.sh has built the packages
set -euo pipefail
prefix=$(realpath "$1")
build=$(realpath "$2")
cd "$(dirname "$0")/../.."
bindings=$PWD/bindings
export LD_LIBRARY_PATH=$prefix/lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

R_LIBS=$build/r/library Rscript --vanilla "$bindings/r/bench.R"
"$build/fortran/bench"
octave=$build/octave
HOME=$octave/home octave-cli --quiet --norc --no-history --eval "
  pkg('prefix', '$octave/installed', '$octave/installed'); pkg('local_list', '$octave/packages'); run('$bindings/octave/bench.m');"
sed 's/ring\.jl/bench.jl/; s/-O1/-O2/' "$build/julia/ring" >bench
sh bench
