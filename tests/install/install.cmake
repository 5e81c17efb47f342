# Installs the build to a fresh prefix, and looks at what is there.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REMOVE_RECURSE "${prefix}")
set(configuration "")
if(config)
  set(configuration --config "${config}")
endif()
run("${CMAKE_COMMAND}" --install "${build_dir}" --prefix "${prefix}" ${configuration})

# Nothing that was installed may know where it was built.
file(GLOB_RECURSE texts "${prefix}/*.cmake" "${prefix}/*.pc" "${prefix}/*.json")
foreach(file IN LISTS texts)
  file(READ "${file}" text)
  string(FIND "${text}" "${build_dir}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} names the build directory")
  endif()
endforeach()

# What was installed has digests, and is what was installed.
if(EXISTS "${prefix}/bin/polycodec")
  run("${prefix}/bin/polycodec" doctor --verify)
endif()

# Programs find the libraries where they were put, and nowhere else.
file(GLOB programs "${prefix}/bin/polycodec*")
foreach(file IN LISTS programs)
  file(READ_ELF "${file}" RUNPATH runpath CAPTURE_ERROR error)
  if(NOT error AND NOT runpath MATCHES "^\\$ORIGIN/../lib[^:;]*$")
    message(FATAL_ERROR "${file} has the search path '${runpath}'")
  endif()
endforeach()
