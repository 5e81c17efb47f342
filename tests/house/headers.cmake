# Bounds what the public headers cost those who include them:
#   cmake -D source=DIR -D compiler=CXX -P headers.cmake
cmake_minimum_required(VERSION 3.25)

# Functions of host.h, and lines of <polycodec/codec.hpp> and <polycodec/polycodec.hpp> with all that they include.
set(most_functions 95)
set(most_preprocessed 60000)
set(most_preprocessed_host 82000)
# What no public header may reach, and what some still do.
set(heavy sdk/base/ sdk/model/ immintrin.h iostream istream ostream sstream fstream iomanip locale filesystem regex nlohmann/ CLI/ spdlog/ boost/ hdf5.h)
set(still_reached ostream)

set(sdk "${source}/sdk/include")
set(wrong "")

# compiled(result flag text): what the compiler prints for this text.
function(compiled result flag text)
  set(unit "${CMAKE_CURRENT_BINARY_DIR}/public_headers.cpp")
  file(WRITE "${unit}" "${text}")
  set(includes "")
  foreach(directory IN LISTS sdk ITEMS "${source}/sdk")
    list(APPEND includes "-I${directory}")
  endforeach()
  execute_process(COMMAND "${compiler}" ${flag} -std=c++20 ${includes} "${unit}"
    OUTPUT_VARIABLE output RESULT_VARIABLE status ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the public headers do not compile alone:\n${errors}")
  endif()
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

macro(at_most what count unit most)
  message(STATUS "${what}: ${count} ${unit}, at most ${most}")
  if(${count} GREATER ${most})
    list(APPEND wrong "${what}: ${count} ${unit}, at most ${most}")
  endif()
endmacro()

compiled(text -E "#include <polycodec/polycodec.hpp>\n")
string(REGEX REPLACE "[^\n]" "" text "${text}")
string(LENGTH "${text}" lines)
at_most("<polycodec/polycodec.hpp>, preprocessed" ${lines} lines ${most_preprocessed_host})
file(STRINGS "${source}/sdk/include/polycodec/host.h" functions REGEX "^POLYCODEC_HOST_API")
list(LENGTH functions functions)
at_most("host.h" ${functions} functions ${most_functions})

compiled(text -E "#include <polycodec/codec.hpp>\n")
string(REGEX REPLACE "[^\n]" "" text "${text}")
string(LENGTH "${text}" lines)
at_most("<polycodec/codec.hpp>, preprocessed" ${lines} lines ${most_preprocessed})

set(all "")
foreach(directory IN LISTS sdk)
  file(GLOB_RECURSE headers RELATIVE "${directory}" "${directory}/*.h" "${directory}/*.hpp")
  # Hosts include one of both.
  list(FILTER headers EXCLUDE REGEX "^polycodec/(polycodec.hpp|host/)")
  foreach(header IN LISTS headers)
    string(APPEND all "#include <${header}>\n")
  endforeach()
endforeach()
compiled(reached -M "${all}")
compiled(reached_by_hosts -M "#include <polycodec/polycodec.hpp>\n")
string(APPEND reached "${reached_by_hosts}")
foreach(name IN LISTS heavy)
  string(REPLACE "." "\\." pattern "${name}")
  if(NOT name MATCHES "/$")
    string(APPEND pattern "[ \n]")  # a directory of the system, or a file
  endif()
  if(reached MATCHES "/${pattern}")
    if(NOT name IN_LIST still_reached)
      list(APPEND wrong "a public header includes <${name}>, perhaps through another one")
    endif()
  elseif(name IN_LIST still_reached)
    list(APPEND wrong "no public header includes <${name}> any more: take it off still_reached")
  endif()
endforeach()

if(wrong)
  list(JOIN wrong "\n  " wrong)
  message(FATAL_ERROR "the public headers cost too much:\n  ${wrong}")
endif()
