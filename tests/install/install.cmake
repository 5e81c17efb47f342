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
