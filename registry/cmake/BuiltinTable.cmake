# SPDX-License-Identifier: MIT

# polycodec_write_builtin_table(<library>): lists every plugin that polycodec_add_plugin has made
# for linking in (global property POLYCODEC_BUILTIN_TARGETS) in the C++ source that
# the library's property POLYCODEC_BUILTIN_TABLE names, and links them to <library>.
# Without POLYCODEC_BUILTIN_PLUGINS the table is empty: plugins that ask for BUILTIN themselves belong to the host that
# links them.
function(polycodec_write_builtin_table library)
  get_target_property(file ${library} POLYCODEC_BUILTIN_TABLE)
  get_property(targets GLOBAL PROPERTY POLYCODEC_BUILTIN_TARGETS)
  if(NOT POLYCODEC_BUILTIN_PLUGINS)
    set(targets "")
  endif()
  set(POLYCODEC_BUILTIN_DECLARATIONS "")
  set(POLYCODEC_BUILTIN_MANIFESTS "")
  set(rows "")
  foreach(target IN LISTS targets)
    get_target_property(symbol ${target} POLYCODEC_BUILTIN_SYMBOL)
    get_target_property(manifest ${target} POLYCODEC_PLUGIN_MANIFEST)
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${manifest}")
    file(READ "${manifest}" text)
    string(APPEND POLYCODEC_BUILTIN_DECLARATIONS "extern const polycodec_plugin ${symbol};\n")
    string(APPEND POLYCODEC_BUILTIN_MANIFESTS
      "constexpr std::string_view ${symbol}_manifest =\n    R\"polycodec(${text})polycodec\";\n")
    string(APPEND rows "      {&${symbol}, ${symbol}_manifest},\n")
    target_link_libraries(${library} PRIVATE ${target})
  endforeach()
  if(rows)
    set(POLYCODEC_BUILTIN_RETURN "static const BuiltinPlugin all[] = {\n${rows}  };\n  return all;")
  else()
    set(POLYCODEC_BUILTIN_RETURN "return {};")
  endif()
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../load/builtin_table.cpp.in" "${file}" @ONLY)
endfunction()
