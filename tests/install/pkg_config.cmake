# The same program without CMake: pkg-config and the compiler.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
set(ENV{PKG_CONFIG_PATH} "${prefix}/${libdir}/pkgconfig")
run("${pkg_config}" --cflags --libs polycodec)
separate_arguments(flags UNIX_COMMAND "${output}")
file(MAKE_DIRECTORY "${work}")
run("${cxx_compiler}" -std=c++20 "${source}/main.cpp" -o "${work}/consumer" ${flags} "-Wl,-rpath,${prefix}/${libdir}")
run("${work}/consumer")

# Schemas and channels are libraries of their own.
run("${pkg_config}" --cflags --libs polycodec-channel)
separate_arguments(flags UNIX_COMMAND "${output}")
run("${cxx_compiler}" -std=c++20 "${source}/messages.cpp" -o "${work}/messages" ${flags} "-Wl,-rpath,${prefix}/${libdir}")
run("${work}/messages")
if(NOT output MATCHES "^1\\.5 m")
  message(FATAL_ERROR "the message held: ${output}")
endif()

run("${pkg_config}" --variable=plugindir polycodec-sdk)
string(STRIP "${output}" plugins)
if(NOT IS_DIRECTORY "${plugins}")
  message(FATAL_ERROR "plugindir is '${plugins}', which is no folder")
endif()
