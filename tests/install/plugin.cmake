# The plugin template, filled in and built out of tree with the installed SDK only; then checked by the kit and used
# by the command line from a directory that it was dropped into.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
set(id "example-${template}")
set(most_lines_c 110)
set(most_lines_cpp 45)

# What `polycodec plugin new` does: copy, and put the name in.
file(REMOVE_RECURSE "${work}")
set(from "${prefix}/${datadir}/polycodec/template/${template}")
file(GLOB_RECURSE files RELATIVE "${from}" "${from}/*")
foreach(file IN LISTS files)
  string(REPLACE "@PLUGIN_ID@" "${id}" target "${file}")
  set(PLUGIN_ID "${id}")
  if(file MATCHES "^tests/")
    get_filename_component(directory "${work}/source/${target}" DIRECTORY)
    file(COPY "${from}/${file}" DESTINATION "${directory}")
  else()
    configure_file("${from}/${file}" "${work}/source/${target}" @ONLY)
  endif()
endforeach()

if(DEFINED most_lines_${template})
  file(STRINGS "${work}/source/codec.${template}" lines)
  list(LENGTH lines count)
  if(count GREATER most_lines_${template})
    message(FATAL_ERROR "the codec of the template has more than ${most_lines_${template}} lines")
  endif()
endif()

configure_and_build("${work}/source" "${work}/build"
  -D "CMAKE_C_COMPILER=${c_compiler}" -D "CMAKE_CXX_COMPILER=${cxx_compiler}"
  -D "CMAKE_C_FLAGS=-Wall -Wextra -Wpedantic -Werror" -D "CMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")
file(GLOB built RELATIVE "${work}/build/plugins" "${work}/build/plugins/*")
list(SORT built)
if(NOT built STREQUAL "${id}.polycodec.json;${id}.so")
  message(FATAL_ERROR "the build left '${built}' in the plugins directory")
endif()
run("${CMAKE_CTEST_COMMAND}" --test-dir "${work}/build" --output-on-failure)

# Two files dropped into a directory, and nothing else.
file(COPY "${work}/build/plugins/" DESTINATION "${work}/dropped")
set(command "${prefix}/${bindir}/polycodec")
if(EXISTS "${command}")
  set(ENV{POLYCODEC_PLUGIN_PATH} "${work}/dropped")
  run("${command}" plugin check "${work}/dropped/${id}.so")
  if(DEFINED most_lines_${template})
    set(input "${work}/source/tests/three.netstrings")
    run("${command}" convert "${input}" "${work}/converted" --from "${id}" --to msgpack-ndarray)
    run("${command}" convert "${work}/converted" "${work}/back" --from msgpack-ndarray --to "${id}")
    run("${CMAKE_COMMAND}" -E compare_files "${input}" "${work}/back")
  endif()
endif()
