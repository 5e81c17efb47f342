# cpack -G DEB: libpolycodec0, libpolycodec-schema0, libpolycodec-wasm0, polycodec-plugins, libpolycodec-dev, polycodec-tools, polycodec-doc.
set(CPACK_PACKAGE_NAME polycodec)
set(CPACK_PACKAGE_VENDOR "polycodec")
set(CPACK_PACKAGE_CONTACT "The polycodec authors <polycodec@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime schema wasm plugins development tools documentation)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Libraries that are installed beside each other are found there while dependencies are worked out.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

# debian_package(component name section depends description): the package of one component.
function(debian_package component name section depends description)
  string(TOUPPER "${component}" key)
  foreach(value "COMPONENT_${key}_GROUP=${component}" "DEBIAN_${key}_PACKAGE_NAME=${name}" "DEBIAN_${key}_PACKAGE_SECTION=${section}"
      "DEBIAN_${key}_PACKAGE_DEPENDS=${depends}" "DEBIAN_${key}_DESCRIPTION=${PROJECT_DESCRIPTION}: ${description}")
    string(REGEX MATCH "^([^=]*)=(.*)$" matched "${value}")
    set(CPACK_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" PARENT_SCOPE)
  endforeach()
endfunction()

# debian_library(component library): what other packages and the loader are told about its shared library.
function(debian_library component library)
  string(TOUPPER "${component}" key)
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/${component}")
  file(CONFIGURE OUTPUT "${directory}/shlibs" CONTENT
    "${library} ${POLYCODEC_SOVERSION} ${library}${POLYCODEC_SOVERSION} (>= ${PROJECT_VERSION})\n")
  file(CONFIGURE OUTPUT "${directory}/triggers" CONTENT "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_${key}_PACKAGE_CONTROL_EXTRA "${directory}/shlibs;${directory}/triggers" PARENT_SCOPE)
endfunction()

set(library "libpolycodec${POLYCODEC_SOVERSION}")
set(same_library "${library} (= ${PROJECT_VERSION})")
debian_package(runtime ${library} libs "" "library")
debian_package(schema libpolycodec-schema${POLYCODEC_SOVERSION} libs "${same_library}" "regular expressions and units of schemas")
debian_package(wasm libpolycodec-wasm${POLYCODEC_SOVERSION} libs "${same_library}" "plugins that are WebAssembly")
debian_package(plugins polycodec-plugins libs "${same_library}" "codecs, filters and stores")
debian_package(development libpolycodec-dev libdevel "${same_library}" "headers, for hosts and for plugins")
debian_package(tools polycodec-tools utils "${same_library}, polycodec-plugins (= ${PROJECT_VERSION})"
  "command line, conformance tests, plugin template")
debian_package(documentation polycodec-doc doc "" "documents and examples")
debian_library(runtime libpolycodec)
debian_library(schema libpolycodec-schema)
debian_library(wasm libpolycodec-wasm)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS polycodec-plugins)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "polycodec-tools")
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)

# Files that only a Debian package has: compressed pages, the copyright, a changelog, reasons for lintian.
configure_file(debian_files.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/debian_files.cmake" @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_BINARY_DIR}/debian_files.cmake")
set(CPACK_GENERATOR DEB)
include(CPack)
