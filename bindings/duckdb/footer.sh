#!/bin/sh
# SPDX-License-Identifier: MIT
# Appends the 512 bytes to a library by which DuckDB knows an extension: eight fields of 32 bytes, the last one first, and
# place for a signature. Usage: footer.sh FILE PLATFORM API_VERSION EXTENSION_VERSION
set -eu
field() { { printf '%s' "$1"; head -c 32 /dev/zero; } | head -c 32; }
{
  head -c 96 /dev/zero  # unused
  field C_STRUCT
  field "$4"
  field "$3"
  field "$2"
  field 4
  head -c 256 /dev/zero
} >"$1.footer"
test "$(wc -c <"$1.footer")" -eq 512
cat "$1.footer" >>"$1"
rm "$1.footer"
