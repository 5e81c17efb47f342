# Compiles the C of docs/hosts.md as one function:
#   cmake -D document=FILE -D compiler=CC -D source=DIR -P documents.cmake
cmake_minimum_required(VERSION 3.25)
file(READ "${document}" text)
# Semicolons and brackets are what CMake splits and joins lists at.
string(REPLACE ";" "<semicolon>" text "${text}")
string(REPLACE "[" "<open>" text "${text}")
string(REPLACE "]" "<close>" text "${text}")
string(REPLACE "\n" ";" lines "${text}")
set(inside FALSE)
set(body "")
set(blocks 0)
foreach(line IN LISTS lines)
  if(line STREQUAL "```c")
    set(inside TRUE)
    math(EXPR blocks "${blocks} + 1")
  elseif(line MATCHES "^```")
    set(inside FALSE)
  elseif(inside)
    string(APPEND body "  ${line}\n")
  endif()
endforeach()
if(blocks LESS 5)
  message(FATAL_ERROR "${document} has ${blocks} blocks of C")
endif()
string(REPLACE "<semicolon>" ";" body "${body}")
string(REPLACE "<open>" "[" body "${body}")
string(REPLACE "<close>" "]" body "${body}")
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/documents.c" "#include <polycodec/host.h>
#include <stdio.h>
#include <string.h>
static polycodec_bytes text(const char* s) { return (polycodec_bytes){s, strlen(s)}; }
static void hear(void* say_data, polycodec_bytes message, polycodec_bytes path) {
  (void)say_data, (void)message, (void)path;
}
int main(void) {
${body}  (void)column;
  polycodec_value_release(value);
  polycodec_registry_release(registry);
  return 0;
}
")
execute_process(COMMAND "${compiler}" -std=c11 -Wall -Wextra -Werror -fsyntax-only "-I${source}/sdk/include"
  "${CMAKE_CURRENT_BINARY_DIR}/documents.c" COMMAND_ERROR_IS_FATAL ANY)
