#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the module against an installed polycodec and installs it: install.sh POLYCODEC_PREFIX PREFIX
# FC is the compiler, FFLAGS its options. PREFIX gets lib/libpolycodec-fortran.a, lib/pkgconfig/polycodec-fortran.pc and
# include/polycodec/fortran/*.mod.
set -euo pipefail
polycodec=$(realpath "$1")
mkdir -p "$2/lib/pkgconfig" "$2/include/polycodec/fortran"
prefix=$(realpath "$2")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
for name in polycodec_sys polycodec; do
  "${FC:-gfortran}" -std=f2018 -O2 -fPIC ${FFLAGS:-} -J "$prefix/include/polycodec/fortran" -c "src/$name.f90" -o "$work/$name.o"
done
rm -f "$prefix/lib/libpolycodec-fortran.a"
ar rcs "$prefix/lib/libpolycodec-fortran.a" "$work/polycodec.o" "$work/polycodec_sys.o"
version=$(PKG_CONFIG_PATH=$polycodec/lib/pkgconfig pkg-config --modversion polycodec)
sed -e "s|@prefix@|$prefix|" -e "s|@version@|$version|" polycodec-fortran.pc.in >"$prefix/lib/pkgconfig/polycodec-fortran.pc"
