# run(command...): runs it, with what it prints; stops the script if it fails. Sets `output`.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE printed ERROR_VARIABLE printed_errors)
  message(STATUS "${printed}${printed_errors}")
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${result}): ${command}")
  endif()
  set(output "${printed}" PARENT_SCOPE)
endfunction()

# configure_and_build(source build [CMake argument...]): a project of a stranger, with only the prefix to find things in.
function(configure_and_build source build)
  file(REMOVE_RECURSE "${build}")
  run("${CMAKE_COMMAND}" -S "${source}" -B "${build}" -G "${generator}" -D CMAKE_BUILD_TYPE=Release
    -D "CMAKE_PREFIX_PATH=${prefix}" -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF ${ARGN})
  run("${CMAKE_COMMAND}" --build "${build}")
endfunction()
