# The plugin template, filled in and built out of tree with the installed SDK only; then checked by the kit and used
# by the command line from a folder that it was dropped into.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
set(id "netstrings-${language}")
set(most_lines_c 149)
set(most_lines_cpp 59)

# What `polycodec plugin new` does: copy, and put the name in.
file(REMOVE_RECURSE "${work}")
set(template "${prefix}/${datadir}/polycodec/template/${language}")
file(GLOB_RECURSE files RELATIVE "${template}" "${template}/*")
foreach(file IN LISTS files)
  string(REPLACE "@PLUGIN_ID@" "${id}" target "${file}")
  set(PLUGIN_ID "${id}")
  if(file MATCHES "^tests/")
    get_filename_component(folder "${work}/source/${target}" DIRECTORY)
    file(COPY "${template}/${file}" DESTINATION "${folder}")
  else()
    configure_file("${template}/${file}" "${work}/source/${target}" @ONLY)
  endif()
endforeach()

file(STRINGS "${work}/source/codec.${language}" lines)
list(LENGTH lines count)
if(count GREATER most_lines_${language})
  message(FATAL_ERROR "the codec of the template has more than ${most_lines_${language}} lines")
endif()

configure_and_build("${work}/source" "${work}/build"
  -D "CMAKE_C_COMPILER=${c_compiler}" -D "CMAKE_CXX_COMPILER=${cxx_compiler}"
  -D "CMAKE_C_FLAGS=-Wall -Wextra -Wpedantic -Werror" -D "CMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")
file(GLOB built RELATIVE "${work}/build/plugins" "${work}/build/plugins/*")
list(SORT built)
if(NOT built STREQUAL "${id}.polycodec.json;${id}.so")
  message(FATAL_ERROR "the build left '${built}' in the plugins folder")
endif()
run("${CMAKE_CTEST_COMMAND}" --test-dir "${work}/build" --output-on-failure)

# Two files dropped into a folder, and nothing else.
file(COPY "${work}/build/plugins/" DESTINATION "${work}/dropped")
set(command "${prefix}/${bindir}/polycodec")
if(EXISTS "${command}")
  set(ENV{POLYCODEC_ADD_PLUGIN_PATH} "${work}/dropped")
  run("${command}" plugin check "${work}/dropped/${id}.so")
  set(input "${work}/source/tests/three.netstrings")
  run("${command}" convert "${input}" "${work}/converted" --from "${id}" --to msgpack-ndarray)
  run("${command}" convert "${work}/converted" "${work}/back" --from msgpack-ndarray --to "${id}")
  run("${CMAKE_COMMAND}" -E compare_files "${input}" "${work}/back")
endif()
