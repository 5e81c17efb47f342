# All that a wheel has beside the extension: the library with the codecs linked in, the library for schemas with the
# database of units, the command and the programs that it runs. Included by CMakeLists.txt for scikit-build-core.
set(POLYCODEC_DEVELOPER_MODE OFF CACHE BOOL "" FORCE)
set(POLYCODEC_BUILTIN_PLUGINS ON CACHE BOOL "" FORCE)
set(POLYCODEC_BUILD_KIT OFF CACHE BOOL "" FORCE)
set(POLYCODEC_BUILD_EXAMPLES OFF CACHE BOOL "" FORCE)
# libhdf5 is larger than all the rest. HDF5 files are opened through h5py (polycodec/hdf5.py).
set(POLYCODEC_WITH_HDF5 OFF CACHE STRING "" FORCE)
enable_language(C)
set(CMAKE_UNITY_BUILD ON)
add_subdirectory("${source}" polycodec EXCLUDE_FROM_ALL)
unset(CMAKE_UNITY_BUILD)

# libpolycodec-schema.so is opened by descriptor, so its search path cannot name the directory that the wheel's libraries are
# in. It finds those that are loaded already.
find_library(POLYCODEC_RE2 re2 REQUIRED)
find_library(POLYCODEC_UDUNITS udunits2 REQUIRED)
target_link_options(polycodec PRIVATE "LINKER:--no-as-needed,${POLYCODEC_RE2},${POLYCODEC_UDUNITS},--as-needed")

get_target_property(soversion polycodec SOVERSION)
set(programs polycodec_cli polycodec_mesh_program polycodec_render_program polycodec_view_program)
add_custom_target(polycodec_wheel ALL DEPENDS polycodec polycodec_schema polycodec_sandbox ${programs})

# Files and not targets: a wheel has no symbolic links, so each library has only the name that it is loaded by.
install(PROGRAMS $<TARGET_FILE:polycodec> DESTINATION polycodec/lib RENAME libpolycodec.so.${soversion})
install(PROGRAMS $<TARGET_FILE:polycodec_schema> DESTINATION polycodec/lib RENAME libpolycodec-schema.so.${soversion})
foreach(program IN LISTS programs)
  install(PROGRAMS $<TARGET_FILE:${program}> DESTINATION polycodec/bin)
endforeach()
set_target_properties(polycodec polycodec_schema PROPERTIES BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")
set_target_properties(${programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
install(PROGRAMS $<TARGET_FILE:polycodec_sandbox> DESTINATION polycodec/lib/polycodec)
cmake_path(GET POLYCODEC_UNIT_DATABASE PARENT_PATH units)
install(DIRECTORY "${units}/" DESTINATION polycodec/share/xml/udunits FILES_MATCHING PATTERN "*.xml")
