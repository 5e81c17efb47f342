# SPDX-License-Identifier: MIT
#[=======================================================================[.rst:
PolycodecKit
------------

.. command:: polycodec_add_conformance_test

  Adds a test that runs the conformance kit, ``polycodec-kit``, over a plugin::

    polycodec_add_conformance_test(<plugin target>
      [NAME <test name>]         # kit_<plugin target>
      [FIXTURES <dir>]...        # inputs and, beside each, <input>.expected.json
      [CHANGES <change>...]      # representations that the format does not keep; see `polycodec-kit changes`
      [OPTIONS <file>]           # a JSON object: name of a codec -> the options to open it with
      [FILTER <glob>]            # only these cases
      [EXCLUDE <glob>...]        # not these cases
      [TIMEOUT <seconds>]        # of one case; 60, and 300 where POLYCODEC_SANITIZE is set
      [ARGUMENTS <argument>...]) # further arguments of polycodec-kit

  In a build with ``-fsanitize=address`` the run-time library of the sanitizer is loaded before the kit, which was built without.

  Where the kit is not installed the test is there and fails with a message that says so.
#]=======================================================================]

include_guard(GLOBAL)

function(polycodec_add_conformance_test target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;FILTER;OPTIONS;TIMEOUT" "FIXTURES;CHANGES;EXCLUDE;ARGUMENTS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "polycodec_add_conformance_test(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  get_target_property(id ${target} POLYCODEC_PLUGIN_ID)
  if(NOT id)
    message(FATAL_ERROR "polycodec_add_conformance_test(${target}): not made by polycodec_add_plugin")
  endif()
  set_property(GLOBAL APPEND PROPERTY POLYCODEC_CONFORMANCE_TESTED ${target})
  if(DEFINED POLYCODEC_BUILD_KIT AND NOT POLYCODEC_BUILD_KIT)
    return()  # a build of polycodec itself that was told to leave the kit out
  endif()
  if(NOT arg_NAME)
    set(arg_NAME "kit_${target}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
    if(POLYCODEC_SANITIZE)
      set(arg_TIMEOUT 300)
    endif()
  endif()

  set(options --timeout ${arg_TIMEOUT})
  foreach(directory IN LISTS arg_FIXTURES)
    get_filename_component(directory "${directory}" ABSOLUTE)
    list(APPEND options --fixtures "${directory}")
  endforeach()
  if(arg_OPTIONS)
    get_filename_component(file "${arg_OPTIONS}" ABSOLUTE)
    list(APPEND options --options "${file}")
  endif()
  if(NOT arg_CHANGES)
    set(arg_CHANGES none)
  endif()
  list(JOIN arg_CHANGES "," changes)
  list(APPEND options --changes ${changes})
  if(arg_FILTER)
    list(APPEND options --filter "${arg_FILTER}")
  endif()
  foreach(pattern IN LISTS arg_EXCLUDE)
    list(APPEND options --exclude "${pattern}")
  endforeach()
  if(TARGET polycodec::kit OR POLYCODEC_BUILD_KIT)  # polycodec itself makes it behind its plugins
    set(kit "$<TARGET_FILE:polycodec::kit>")
  else()
    set(kit polycodec-kit)
  endif()
  add_test(NAME ${arg_NAME} COMMAND "${kit}" run "$<TARGET_FILE:${target}>" ${options} ${arg_ARGUMENTS})
  set_tests_properties(${arg_NAME} PROPERTIES LABELS kit)
  get_directory_property(flags COMPILE_OPTIONS)
  if(NOT POLYCODEC_SANITIZE AND "${flags} ${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize=[a-z,]*address")
    _polycodec_sanitizer_library(library)
    set_tests_properties(${arg_NAME} PROPERTIES ENVIRONMENT "LD_PRELOAD=${library};UBSAN_OPTIONS=halt_on_error=1")
  endif()
endfunction()

# The run-time library of AddressSanitizer that belongs to the compiler.
function(_polycodec_sanitizer_library result)
  set(compiler "${CMAKE_CXX_COMPILER}")
  if(NOT compiler)
    set(compiler "${CMAKE_C_COMPILER}")
  endif()
  foreach(name libasan.so libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so libclang_rt.asan.so)
    execute_process(COMMAND "${compiler}" -print-file-name=${name} OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(IS_ABSOLUTE "${found}" AND EXISTS "${found}")
      set(${result} "${found}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${compiler} has no shared library of AddressSanitizer: install it, or build without -fsanitize=address")
endfunction()
