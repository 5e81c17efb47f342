# Makes runtime_text.cpp of the runtime's files: the headers of C++ become one, in the order in which they are given,
# with one include guard that also holds where two programs bring it from different directories.
# -D headers=a.hpp|b.hpp -D julia=FastbinRuntime.jl -D macros=cpp_macros.txt -D output=runtime_text.cpp
string(REPLACE "|" ";" headers "${headers}")

# Bytes as the elements of an array: no limit on literals, and nothing in the text needs escaping.
function(bytes_of text result)
  string(HEX "${text}" hex)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  set(${result} "${hex}" PARENT_SCOPE)
endfunction()

set(includes "")
set(body "")
foreach(header IN LISTS headers)
  file(READ "${header}" text)
  string(REGEX MATCHALL "#include <[a-z0-9_]+>\n" found "${text}")
  list(APPEND includes ${found})
  string(REGEX REPLACE "// SPDX-License-Identifier: MIT\n" "" text "${text}")
  string(REGEX REPLACE "#pragma once\n\n" "" text "${text}")
  string(REGEX REPLACE "#include [<\"][a-z0-9_.]+[>\"]\n\n?" "" text "${text}")
  string(REGEX REPLACE "namespace fastbin_runtime {\ninline namespace v1 {\n" "" text "${text}")
  string(REGEX REPLACE "\n}  // namespace v1\n}  // namespace fastbin_runtime\n" "" text "${text}")
  string(APPEND body "${text}")
endforeach()
list(REMOVE_DUPLICATES includes)
list(SORT includes)
list(JOIN includes "" includes)
string(CONCAT cpp
  "// SPDX-License-Identifier: MIT\n"
  "// What all generated fastbin headers have in common. Written by `polycodec fastbin generate`.\n"
  "#ifndef FASTBIN_RUNTIME_V1_HPP\n#define FASTBIN_RUNTIME_V1_HPP\n\n"
  "${includes}"
  "\nnamespace fastbin_runtime {\ninline namespace v1 {\n\n"
  "${body}"
  "\n}  // namespace v1\n}  // namespace fastbin_runtime\n\n#endif  // FASTBIN_RUNTIME_V1_HPP\n")
file(READ "${julia}" julia_text)
bytes_of("${cpp}" cpp_bytes)
bytes_of("${julia_text}" julia_bytes)
file(READ "${macros}" macros_text)
bytes_of("${macros_text}" macros_bytes)
file(WRITE "${output}" "// Made by embed.cmake.
#include \"code_text.hpp\"

namespace polycodec::fastbin {

std::string_view cpp_runtime_text() {
  static constexpr unsigned char bytes[] = {
${cpp_bytes}};
  return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

std::string_view cpp_macros_text() {
  static constexpr unsigned char bytes[] = {
${macros_bytes}};
  return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

std::string_view julia_runtime_text() {
  static constexpr unsigned char bytes[] = {
${julia_bytes}};
  return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

}  // namespace polycodec::fastbin
")
