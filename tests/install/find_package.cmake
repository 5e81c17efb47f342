# find_package(polycodec), a program of a few lines, run without any environment.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
configure_and_build("${source}" "${work}/build" -D "CMAKE_CXX_COMPILER=${cxx_compiler}")
run("${CMAKE_COMMAND}" -E env --unset=POLYCODEC_PLUGIN_PATH --unset=POLYCODEC_ADD_PLUGIN_PATH
  "${work}/build/consumer")
string(FIND "${output}" "${prefix}/" at)
if(NOT at EQUAL 0)
  message(FATAL_ERROR "the codec did not come from ${prefix}")
endif()
