# find_package(polycodec), a program of a few lines, run without any environment.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
configure_and_build("${source}" "${work}/build" -D "CMAKE_CXX_COMPILER=${cxx_compiler}")
run("${CMAKE_COMMAND}" -E env --unset=POLYCODEC_PLUGIN_PATH --unset=POLYCODEC_PLUGIN_SYSTEM_PATH
  "${work}/build/consumer")
string(FIND "${output}" "${prefix}/" at)
if(NOT at EQUAL 0)
  message(FATAL_ERROR "the codec did not come from ${prefix}")
endif()

# Code that the installed command made while the project was built.
run("${work}/build/generated")
if(NOT output MATCHES "^Reading{time: 7, station: \"north\", samples: \\[1.5, -2\\]}")
  message(FATAL_ERROR "generated code printed: ${output}")
endif()
