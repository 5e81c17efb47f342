# A plugin of polycodec's own, built with the installed SDK alone: its sources are copied away from the tree that they are
# in, the kit checks it, and it reads and writes as the installed one does.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REMOVE_RECURSE "${work}")
file(COPY "${source}/" DESTINATION "${work}/source")

# No header but those that are installed.
file(GLOB sources "${work}/source/*.?pp")
foreach(file IN LISTS sources)
  file(STRINGS "${file}" wrong REGEX "^#include [<\"](base|model|core|registry|plugins)/|\\.\\./")
  if(wrong)
    message(FATAL_ERROR "${file} includes more than the SDK: ${wrong}")
  endif()
endforeach()

configure_and_build("${work}/source" "${work}/build" -D "CMAKE_CXX_COMPILER=${cxx_compiler}"
  -D "CMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")
run("${CMAKE_CTEST_COMMAND}" --test-dir "${work}/build" --output-on-failure)

set(command "${prefix}/${bindir}/polycodec")
if(EXISTS "${command}")
  file(GLOB fixtures "${work}/source/fixtures/*.${plugin}" "${work}/source/fixtures/*.glb")
  file(MAKE_DIRECTORY "${work}/dropped")
  file(COPY "${work}/build/${plugin}.so" "${work}/build/${plugin}.polycodec.json" DESTINATION "${work}/dropped")
  foreach(fixture IN LISTS fixtures)
    execute_process(COMMAND "${command}" decode "${fixture}" OUTPUT_VARIABLE installed RESULT_VARIABLE status ERROR_QUIET)
    execute_process(COMMAND "${command}" --plugin-path "${work}/dropped" decode "${fixture}"
      OUTPUT_VARIABLE built RESULT_VARIABLE other ERROR_VARIABLE errors)
    if(NOT status EQUAL other OR NOT installed STREQUAL built)
      message(FATAL_ERROR "${fixture} is read differently: ${errors}")
    endif()
  endforeach()
endif()
