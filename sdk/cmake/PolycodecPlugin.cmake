# SPDX-License-Identifier: MIT
#[=======================================================================[.rst:
PolycodecPlugin
---------------

.. command:: polycodec_add_plugin

  Builds a plugin, in C or C++, from its sources and its manifest::

    polycodec_add_plugin(<target>
      MANIFEST <file>.polycodec.json
      SOURCES <file>...
      [LINK <library>...]
      [LIBRARIES <shared library>...]
      [OUTPUT_DIRECTORY <dir>]
      [INSTALL] [INSTALL_DIRECTORY <dir>] [INSTALL_COMPONENT <name>])

  CMake reads the id, the version and the library of the manifest when it configures, and runs again when the manifest
  changes. For the sources it defines the string literals POLYCODEC_MANIFEST_ID and POLYCODEC_MANIFEST_VERSION. The host
  checks the manifest when it loads the plugin, and so do the conformance tests.

  The library is named as the manifest says, exports ``polycodec_plugin_v2`` and nothing else, has no symbols left to
  be found at load time, and stands with a copy of the manifest in OUTPUT_DIRECTORY (a generator expression is
  allowed). INSTALL installs both, in ``polycodec/site/abi2`` of the prefix's directory of libraries: there hosts search
  plugins that are not of polycodec's own package, and run them in processes of their own.

  LIBRARIES are shared libraries that only this plugin uses. They are linked, stand beside the plugin and are installed with
  it. The manifest has their file names in ``libraries``, in the order in which they are loaded.

  The global property POLYCODEC_PLUGIN_TARGETS lists all plugins. Target properties: POLYCODEC_PLUGIN_ID,
  POLYCODEC_PLUGIN_MANIFEST (absolute path).

.. command:: polycodec_package_plugin

  Lets ``cpack`` make a Debian package of a plugin, ``polycodec-plugin-<id>``::

    polycodec_package_plugin(<target> MAINTAINER "<name> <<address>>" [LICENSE <file>])

  Version, summary and license come from the manifest. The package has the plugin in ``polycodec/site/abi2`` of the directory
  where Debian has libraries, whatever the prefix of the build is. LICENSE is the text of the license, for the file
  ``copyright`` of the package. Once a project, in its top directory: it includes CPack.
#]=======================================================================]

include_guard(GLOBAL)

set(_polycodec_plugin_map "${CMAKE_CURRENT_LIST_DIR}/plugin.map")
set(_polycodec_site_subdir "polycodec/site/abi2")

function(polycodec_add_plugin target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INSTALL" "MANIFEST;OUTPUT_DIRECTORY;INSTALL_DIRECTORY;INSTALL_COMPONENT"
    "SOURCES;LINK;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "polycodec_add_plugin(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_MANIFEST OR NOT arg_SOURCES)
    message(FATAL_ERROR "polycodec_add_plugin(${target}): MANIFEST and SOURCES are needed")
  endif()
  if(target IN_LIST arg_LINK OR target IN_LIST arg_LIBRARIES)
    message(FATAL_ERROR "polycodec_add_plugin(${target}): the target links a library of its own name: name it ${target}_plugin")
  endif()

  get_filename_component(manifest "${arg_MANIFEST}" ABSOLUTE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${manifest}")
  file(READ "${manifest}" text)
  foreach(key id version library)
    string(JSON ${key} ERROR_VARIABLE error GET "${text}" ${key})
    if(error)
      message(FATAL_ERROR "${manifest}: ${error}")
    endif()
  endforeach()
  string(JSON type TYPE "${text}" library)
  if(type STREQUAL "OBJECT")  # one for each platform
    set(platform linux_amd64)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
      set(platform linux_arm64)
    endif()
    string(JSON library GET "${text}" library ${platform})
  endif()

  add_library(${target} MODULE ${arg_SOURCES})
  _polycodec_plugin_output(${target} "${manifest}" "${arg_OUTPUT_DIRECTORY}")
  _polycodec_plugin_link(${target})
  foreach(library IN LISTS arg_LIBRARIES)
    add_custom_command(TARGET ${target} POST_BUILD COMMAND "${CMAKE_COMMAND}" -E copy "$<TARGET_FILE:${library}>"
      "$<TARGET_FILE_DIR:${target}>/$<TARGET_SONAME_FILE_NAME:${library}>" VERBATIM)
  endforeach()
  if(arg_INSTALL)
    _polycodec_plugin_install(${target} "${manifest}" "${arg_INSTALL_DIRECTORY}" "${arg_INSTALL_COMPONENT}" ${arg_LIBRARIES})
  endif()

  target_compile_definitions(${target} PRIVATE "POLYCODEC_MANIFEST_ID=\"${id}\"" "POLYCODEC_MANIFEST_VERSION=\"${version}\"")
  target_link_libraries(${target} PRIVATE polycodec::sdk ${arg_LINK} ${arg_LIBRARIES})
  set_target_properties(${target} PROPERTIES
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    POLYCODEC_PLUGIN_ID "${id}" POLYCODEC_PLUGIN_MANIFEST "${manifest}" POLYCODEC_PLUGIN_LIBRARIES "${arg_LIBRARIES}")
  set_property(GLOBAL APPEND PROPERTY POLYCODEC_PLUGIN_TARGETS ${target})
  if(COMMAND polycodec_compiler_flags)  # polycodec's own builds
    polycodec_compiler_flags(${target})
  endif()
endfunction()

# Where the library and the copy of the manifest go, and what they are called.
function(_polycodec_plugin_output target manifest directory)
  if(NOT directory)
    get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    set(directory "${CMAKE_CURRENT_BINARY_DIR}")
    if(CMAKE_LIBRARY_OUTPUT_DIRECTORY AND POLYCODEC_PLUGIN_SUBDIR)
      set(directory "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
    endif()
    if(multi_config)
      string(APPEND directory "/$<CONFIG>")
    endif()
    if(POLYCODEC_PLUGIN_SUBDIR)
      string(APPEND directory "/${POLYCODEC_PLUGIN_SUBDIR}")
    endif()
  endif()
  if(NOT directory MATCHES "^\\$<")
    get_filename_component(directory "${directory}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  string(REGEX REPLACE "\\.so$" "" stem "${library}")
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME "${stem}" SUFFIX ".so" DEBUG_POSTFIX ""
    LIBRARY_OUTPUT_DIRECTORY "$<1:${directory}>")
  set(copy "${directory}/${id}.polycodec.json")
  add_custom_command(OUTPUT "${copy}" COMMAND "${CMAKE_COMMAND}" -E copy "${manifest}" "${copy}"
    DEPENDS "${manifest}" COMMENT "Manifest of plugin ${id}" VERBATIM)
  target_sources(${target} PRIVATE "${copy}")
endfunction()

# One exported symbol, nothing unresolved, everything bound when the library is loaded.
function(_polycodec_plugin_link target)
  # A plugin finds its libraries where the system has them; a search path of its own would be a way to swap them.
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "" BUILD_WITH_INSTALL_RPATH ON NO_SONAME ON)
  if(NOT UNIX OR APPLE)
    return()
  endif()
  target_link_options(${target} PRIVATE "LINKER:--version-script=${_polycodec_plugin_map}"
    "LINKER:-z,now" "LINKER:-z,relro" "LINKER:-z,noexecstack")
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${_polycodec_plugin_map}")
  # The run-time libraries of sanitizers are in the program, so that a library can't be closed in itself.
  get_directory_property(options LINK_OPTIONS)
  if(NOT "${options} ${CMAKE_MODULE_LINKER_FLAGS} ${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize=")
    target_link_options(${target} PRIVATE "LINKER:-z,defs")
  endif()
endfunction()

function(_polycodec_plugin_install target manifest directory component)
  if(NOT directory)
    include(GNUInstallDirs)
    if(POLYCODEC_PLUGIN_SUBDIR)  # the package's own
      set(directory "${CMAKE_INSTALL_LIBDIR}/${POLYCODEC_PLUGIN_SUBDIR}")
    else()
      set(directory "${CMAKE_INSTALL_LIBDIR}/${_polycodec_site_subdir}")
    endif()
  endif()
  if(NOT component)
    set(component plugins)
  endif()
  set(component COMPONENT ${component})
  if(component STREQUAL "COMPONENT;debian")
    list(APPEND component EXCLUDE_FROM_ALL)
  endif()
  install(TARGETS ${target} LIBRARY DESTINATION "${directory}" ${component})
  foreach(library IN LISTS ARGN)
    install(FILES "$<TARGET_FILE:${library}>" DESTINATION "${directory}" RENAME "$<TARGET_SONAME_FILE_NAME:${library}>"
      ${component})
  endforeach()
  install(FILES "${manifest}" DESTINATION "${directory}" RENAME "${id}.polycodec.json" ${component})
endfunction()

function(polycodec_package_plugin target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MAINTAINER;LICENSE" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "polycodec_package_plugin(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_MAINTAINER MATCHES "^[^<>]+ <[^<>@ ]+@[^<>@ ]+>$")
    message(FATAL_ERROR "polycodec_package_plugin(${target}): MAINTAINER must be 'Name <address>', not '${arg_MAINTAINER}'")
  endif()
  get_target_property(manifest ${target} POLYCODEC_PLUGIN_MANIFEST)
  if(NOT manifest)
    message(FATAL_ERROR "polycodec_package_plugin(${target}): not made by polycodec_add_plugin")
  endif()
  file(READ "${manifest}" text)
  foreach(key id version summary license)
    string(JSON ${key} ERROR_VARIABLE error GET "${text}" ${key})
    if(error)
      message(FATAL_ERROR "${manifest}: ${error}: a package needs it")
    endif()
  endforeach()
  string(REPLACE "_" "-" name "polycodec-plugin-${id}")

  # The component is apart from what `cmake --install` installs: its places do not depend on the prefix.
  get_target_property(libraries ${target} POLYCODEC_PLUGIN_LIBRARIES)
  if(NOT libraries)
    set(libraries "")
  endif()
  _polycodec_plugin_install(${target} "${manifest}" "lib/${CMAKE_LIBRARY_ARCHITECTURE}/${_polycodec_site_subdir}" debian
    ${libraries})
  _polycodec_debian_documents("${name}" "${version}" "${arg_MAINTAINER}" "${license}" "${arg_LICENSE}")

  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME "${name}")
  set(CPACK_PACKAGE_VERSION "${version}")
  set(CPACK_PACKAGE_CONTACT "${arg_MAINTAINER}")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${summary} (polycodec plugin)")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};${PROJECT_NAME};debian;/")
  set(CPACK_STRIP_FILES ON)
  set(CPACK_VERBATIM_VARIABLES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Hosts that use polycodec run this plugin in a process of its own.")
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  if(libraries)
    get_target_property(directory ${target} LIBRARY_OUTPUT_DIRECTORY)
    string(REGEX REPLACE "^\\$<1:(.*)>$" "\\1" directory "${directory}")
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${directory}")
  endif()
  include(CPack)
endfunction()

# The files that each Debian package has.
function(_polycodec_debian_documents name version maintainer license file)
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/debian")
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of SOURCE_DATE_EPOCH, if that is set
  string(TIMESTAMP year "%Y" UTC)
  file(WRITE "${directory}/changelog"
    "${name} (${version}) unstable; urgency=medium\n\n  * Version ${version}.\n\n -- ${maintainer}  ${date}\n")
  execute_process(COMMAND gzip -9nf "${directory}/changelog" COMMAND_ERROR_IS_FATAL ANY)
  set(text "Copyright: ${year} ${maintainer}\nLicense: ${license}\n")
  if(file)
    file(READ "${file}" whole)
    string(APPEND text "\n${whole}")
  endif()
  file(WRITE "${directory}/copyright" "${text}")
  install(FILES "${directory}/changelog.gz" "${directory}/copyright" DESTINATION "share/doc/${name}" COMPONENT debian
    EXCLUDE_FROM_ALL)
endfunction()
