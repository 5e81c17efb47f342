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

# cargo_build(directory [argument...]): the crate in a directory, into ${work}/target, without network and registry.
function(cargo_build directory)
  # A shim of rustup finds its toolchain by its own home; cargo gets one without crates.
  if(NOT DEFINED ENV{RUSTUP_HOME})
    set(ENV{RUSTUP_HOME} "$ENV{HOME}/.rustup")
  endif()
  set(ENV{CARGO_HOME} "${work}/home")
  set(ENV{CARGO_NET_OFFLINE} true)
  set(ENV{CARGO_TARGET_DIR} "${work}/target")
  run("${CMAKE_COMMAND}" -E chdir "${directory}" "${cargo}" build --release ${ARGN})
endfunction()

# configure_and_build(source build [CMake argument...]): a project of a stranger, with only the prefix to find things in.
function(configure_and_build source build)
  file(REMOVE_RECURSE "${build}")
  run("${CMAKE_COMMAND}" -S "${source}" -B "${build}" -G "${generator}" -D CMAKE_BUILD_TYPE=Release
    -D "CMAKE_PREFIX_PATH=${prefix}" -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF ${ARGN})
  run("${CMAKE_COMMAND}" --build "${build}")
endfunction()
