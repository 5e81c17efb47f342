#!/bin/sh
# Builds the kept hosts in C and in C++ from the tests and today's host.h and polycodec.hpp, on Linux x86-64, with the library in the directory LIB. It
# must work with every later libpolycodec.so.0, so run this only while version 0.3.0 is not released.
# Usage: build_host.sh LIB
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../../..
# The files are small: no padding between segments, no symbols, no build id.
gcc -std=c11 -D_POSIX_C_SOURCE=200809L -Os -fno-asynchronous-unwind-tables -s \
  -I"$source/sdk/include" \
  "$source/tests/hosts/program_codec.c" "$source/tests/hosts/program_objects.c" -o "$here/test.kept_host" \
  -L"$1" -lpolycodec -Wl,-z,noseparate-code,-z,now -Wl,--build-id=none
g++ -std=c++20 -Os -s -I"$source/sdk/include" \
  "$source/tests/hosts/cpp/kept_host.cpp" -o "$here/test.kept_cpp_host" \
  -L"$1" -lpolycodec -Wl,-z,noseparate-code,-z,now -Wl,--build-id=none
