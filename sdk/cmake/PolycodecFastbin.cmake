# SPDX-License-Identifier: MIT
#[=======================================================================[.rst:
PolycodecFastbin
----------------

.. command:: polycodec_fastbin_generate

  Generates code from schemas of fastbin when the project is built, and again when a schema changes::

    polycodec_fastbin_generate(<name>
      SCHEMAS <file>.json...
      [LANGUAGE cpp|julia]
      [OUTPUT_DIR <dir>])

  For C++, the default, ``<name>`` becomes an interface library: a target that links it can include ``"<file>.hpp"``
  for each schema, and is compiled after them. For Julia it is a target that makes ``<file>.jl``, as part of ``all``.
  The code goes to OUTPUT_DIR, by default ``fastbin/<name>`` in the current binary directory, and what it needs at run
  time stands beside it; two calls must not share a directory. ``<file>`` is the schema's file name up to its first dot,
  with underscores for what identifiers cannot have.

  The target property POLYCODEC_FASTBIN_FILES lists the generated files.
#]=======================================================================]

include_guard(GLOBAL)

function(polycodec_fastbin_generate name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LANGUAGE;OUTPUT_DIR" "SCHEMAS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "polycodec_fastbin_generate: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SCHEMAS)
    message(FATAL_ERROR "polycodec_fastbin_generate: SCHEMAS is missing")
  endif()
  if(NOT arg_LANGUAGE)
    set(arg_LANGUAGE cpp)
  endif()
  if(arg_LANGUAGE STREQUAL "cpp")
    set(extension hpp)
    set(runtime fastbin_runtime.hpp)
  elseif(arg_LANGUAGE STREQUAL "julia")
    set(extension jl)
    set(runtime FastbinRuntime.jl)
  else()
    message(FATAL_ERROR "polycodec_fastbin_generate: LANGUAGE is cpp or julia, not '${arg_LANGUAGE}'")
  endif()
  if(NOT TARGET polycodec::fastbin_command)
    message(FATAL_ERROR "polycodec_fastbin_generate: the program polycodec-fastbin is not installed")
  endif()
  if(NOT arg_OUTPUT_DIR)
    set(arg_OUTPUT_DIR fastbin/${name})
  endif()
  get_filename_component(directory "${arg_OUTPUT_DIR}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")

  set(files "${directory}/${runtime}")
  set(commands "")
  set(schemas "")
  foreach(schema IN LISTS arg_SCHEMAS)
    get_filename_component(schema "${schema}" ABSOLUTE)
    get_filename_component(stem "${schema}" NAME_WE)
    string(MAKE_C_IDENTIFIER "${stem}" stem)
    list(APPEND schemas "${schema}")
    list(APPEND files "${directory}/${stem}.${extension}")
    list(APPEND commands COMMAND polycodec::fastbin_command generate "${schema}" --language ${arg_LANGUAGE}
      --out-dir "${directory}" --name ${stem} --quiet)
  endforeach()
  add_custom_command(OUTPUT ${files} ${commands} DEPENDS ${schemas} polycodec::fastbin_command
    COMMENT "Generating code from the schemas of ${name}" VERBATIM)
  if(arg_LANGUAGE STREQUAL "cpp")
    add_custom_target(${name}_files DEPENDS ${files})
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE "${directory}")
    target_compile_features(${name} INTERFACE cxx_std_20)
    add_dependencies(${name} ${name}_files)
  else()
    add_custom_target(${name} ALL DEPENDS ${files})
  endif()
  set_target_properties(${name} PROPERTIES POLYCODEC_FASTBIN_FILES "${files}")
endfunction()
