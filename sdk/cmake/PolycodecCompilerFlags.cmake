# polycodec_compiler_flags(target): the warnings and sanitizers of polycodec's own builds. Plugins of others are not
# touched: this file is not installed.
function(polycodec_compiler_flags target)
  if(POLYCODEC_DEVELOPER_MODE AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # GCC 12 sees overlapping copies in "literal" + std::string, where there are none (its bug 105651).
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
    endif()
  endif()
  # Fuzzers see which branches an input takes in the libraries, not only in their own few lines.
  get_target_property(type ${target} TYPE)
  if(POLYCODEC_BUILD_FUZZERS AND type MATCHES "^(STATIC|SHARED)_LIBRARY$")
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

if(POLYCODEC_SANITIZE)
  add_compile_options(-fsanitize=${POLYCODEC_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${POLYCODEC_SANITIZE})
endif()
