#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the package for an installed polycodec, checks it as CRAN does, and runs its tests and its tutorial. Leaves the
# program of the ring of languages as BUILD/ring. Usage: test.sh PREFIX BUILD
set -euo pipefail
prefix=$(realpath "$1")
mkdir -p "$2"
build=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
root=$(realpath "$here/../..")
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig R_LIBS=$build/library PATH=$prefix/bin:$PATH
export POLYCODEC_VECTORS=$root/tests/vectors POLYCODEC_CANNOT=$here/tests/cannot.tsv
export _R_CHECK_FORCE_SUGGESTS_=false LC_ALL=C.UTF-8
unset POLYCODEC_CONFIG POLYCODEC_PLUGIN_PATH POLYCODEC_PLUGIN_SYSTEM_PATH
mkdir -p "$build/library"
cd "$build"

rm -f polycodec_*.tar.gz  # of another version
R CMD build --no-manual "$here" >build.log 2>&1 || { cat build.log; exit 1; }
# The check installs the package, compiles with warnings, compares the manual with the functions and runs the tests.
printf 'CXX20FLAGS = -O2 -g -Wall -Wextra -Werror\n' >Makevars
R_MAKEVARS_USER=$build/Makevars R CMD INSTALL --library="$build/library" polycodec_*.tar.gz >install.log 2>&1 ||
  { cat install.log; exit 1; }
# An empty repository of packages keeps it from the network.
mkdir -p empty/src/contrib
touch empty/src/contrib/PACKAGES
echo "options(repos = c(CRAN = 'file://$build/empty'))" >profile.R
R_PROFILE=$build/profile.R R CMD check --no-manual --no-tests polycodec_*.tar.gz >check.log 2>&1 || { cat check.log; exit 1; }
if grep -E '(ERROR|WARNING)$' check.log; then cat check.log; exit 1; fi

Rscript --vanilla - "$here/tests/testthat" >tests.log 2>&1 <<'R' || { cat tests.log; exit 1; }
library(polycodec)
found <- as.data.frame(testthat::test_dir(commandArgs(TRUE)[1], reporter = "check", stop_on_failure = TRUE,
                                          package = "polycodec", load_package = "installed"))
cat("r:", sum(found$passed), "passed\n")
R
python3 -B "$root/tests/docs/tutorial.py" "$root/docs/tutorials/r.md" --prefix "$prefix" >tutorial.log 2>&1 ||
  { cat tutorial.log; exit 1; }

cat >ring <<EOF
#!/bin/sh
R_LIBS=$build/library exec Rscript --vanilla $here/ring.R
EOF
chmod +x ring
"$prefix/bin/polycodec" message pack "$POLYCODEC_VECTORS/yggdrasil/bodies/object_with_ygg_leaves.body" >message.bin
cat message.bin message.bin | ./ring | cmp - <(cat message.bin message.bin)
tail -n 1 tests.log
