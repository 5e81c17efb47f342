# SPDX-License-Identifier: MIT
# Reading a plugin's manifest in CMake, and the C header made from it. Included by PolycodecPlugin.cmake.

include_guard(GLOBAL)

set(_polycodec_manifest_template "${CMAKE_CURRENT_LIST_DIR}/polycodec_manifest.h.in")

# polycodec_read_manifest(<file> <header> <prefix>): writes the header, and sets <prefix>_ID and <prefix>_LIBRARY. The
# host checks the manifest when it loads the plugin, and so do the conformance tests.
function(polycodec_read_manifest file header prefix)
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "The manifest '${file}' does not exist")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" text)
  foreach(key id version library)
    string(JSON ${key} ERROR_VARIABLE error GET "${text}" ${key})
    if(error)
      message(FATAL_ERROR "${file}: ${error}")
    endif()
  endforeach()
  set(names "")
  foreach(kind CODEC FILTER STORE)
    string(TOLOWER "${kind}s" section)
    string(JSON count ERROR_VARIABLE error LENGTH "${text}" ${section})
    set(n 0)
    while(n LESS count)
      string(JSON name GET "${text}" ${section} ${n} name)
      string(APPEND names "#define POLYCODEC_MANIFEST_${kind}_${n}_NAME \"${name}\"\n")
      math(EXPR n "${n} + 1")
    endwhile()
  endforeach()
  configure_file("${_polycodec_manifest_template}" "${header}" @ONLY)
  set(${prefix}_ID "${id}" PARENT_SCOPE)
  set(${prefix}_LIBRARY "${library}" PARENT_SCOPE)
endfunction()
