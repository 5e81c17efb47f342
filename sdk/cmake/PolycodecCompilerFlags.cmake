# polycodec_compiler_flags(target [level]): the warnings, sanitizers and level of optimization (O2) of polycodec's own
# builds. Plugins of others are not touched: this file is not installed.
function(polycodec_compiler_flags target)
  set(level O2)
  set(configurations Release)
  if(ARGC GREATER 1)
    set(level ${ARGV1})
  endif()
  if(level STREQUAL "O0")
    set(configurations Release,RelWithDebInfo)
  endif()
  target_compile_options(${target} PRIVATE "$<$<CONFIG:${configurations}>:-${level}>")
  if(POLYCODEC_DEVELOPER_MODE AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # GCC 12 sees overlapping copies in "literal" + std::string, where there are none (its bug 105651).
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND POLYCODEC_SANITIZE)
      # The code that sanitizers add hides from GCC which branches cannot be taken; builds without it check these.
      target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-maybe-uninitialized -Wno-stringop-overflow)
    endif()
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(sources ${target} SOURCES)
  # All our libraries are compiled with the same options, so they share the headers that polycodec_sdk_static precompiles.
  # None of ours is among them: its names would meet those of files that do not include it. They carry the level that they
  # were made with, so what is not optimized does without.
  if(NOT level STREQUAL "O0" AND type MATCHES "^(STATIC|SHARED)_LIBRARY$" AND sources MATCHES "\\.cpp")
    if(target STREQUAL "polycodec_sdk_static")
      target_precompile_headers(polycodec_sdk_static PRIVATE
        <algorithm> <array> <bit> <charconv> <cstring> <functional> <limits> <map> <memory> <optional> <set> <span>
        <string> <string_view> <unordered_map> <utility> <vector>)
    else()
      target_precompile_headers(${target} REUSE_FROM polycodec_sdk_static)
    endif()
  endif()
  # Fuzzers see which branches an input takes in the libraries, not only in their own few lines.
  if(POLYCODEC_BUILD_FUZZERS AND type MATCHES "^(STATIC|SHARED)_LIBRARY$")
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# polycodec_hot(target file...): files of loops over bytes and numbers. Here -O3 pays, elsewhere it only takes time.
# A precompiled header carries the level that it was made with into each file, so these files do without, where it differs.
# They are compiled one by one everywhere, since their names meet.
function(polycodec_hot target)
  if(CMAKE_BUILD_TYPE AND NOT CMAKE_BUILD_TYPE STREQUAL Release)
    set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
    return()
  endif()
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
endfunction()

if(POLYCODEC_SANITIZE)
  add_compile_options(-fsanitize=${POLYCODEC_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${POLYCODEC_SANITIZE})
endif()
