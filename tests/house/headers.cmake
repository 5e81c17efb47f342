# Bounds what the public headers cost those who include them:
#   cmake -D source=DIR -D compiler=CXX -P headers.cmake
cmake_minimum_required(VERSION 3.25)

# Lines of the headers of plugins, of hosts in C++ and in C, and of <polycodec/codec.hpp> with all that it includes. Of those
# of plugins, items.h is C without a library, 320 lines: whoever has no C++ includes or copies it.
set(most_sdk 3830)
set(most_host 2530)
set(most_host_c 1010)
set(most_preprocessed 60000)
# What no public header may reach, and what some still do.
set(heavy sdk/base/ sdk/model/ immintrin.h iostream istream ostream sstream fstream iomanip locale filesystem regex nlohmann/ CLI/ spdlog/ boost/ hdf5.h)
set(still_reached ostream)

set(sdk "${source}/sdk/include")
set(host "${source}/core/include" "${source}/core/schema/include" "${source}/registry/include")
set(wrong "")

# lines_of(result directory...): how many lines the headers there have. Those in detail/ have the functions that others
# declare: who uses them does not read these.
function(lines_of result)
  set(count 0)
  foreach(directory IN LISTS ARGN)
    file(GLOB_RECURSE headers "${directory}/*.h" "${directory}/*.hpp")
    list(FILTER headers EXCLUDE REGEX "/detail/")
    foreach(header IN LISTS headers)
      file(READ "${header}" text)
      string(REGEX REPLACE "[^\n]" "" text "${text}")
      string(LENGTH "${text}" lines)
      math(EXPR count "${count} + ${lines}")
    endforeach()
  endforeach()
  set(${result} ${count} PARENT_SCOPE)
endfunction()

# compiled(result flag text): what the compiler prints for this text.
function(compiled result flag text)
  set(unit "${CMAKE_CURRENT_BINARY_DIR}/public_headers.cpp")
  file(WRITE "${unit}" "${text}")
  set(includes "")
  foreach(directory IN LISTS sdk host ITEMS "${source}/sdk")
    list(APPEND includes "-I${directory}")
  endforeach()
  execute_process(COMMAND "${compiler}" ${flag} -std=c++20 ${includes} "${unit}"
    OUTPUT_VARIABLE output RESULT_VARIABLE status ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the public headers do not compile alone:\n${errors}")
  endif()
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

macro(at_most what count most)
  message(STATUS "${what}: ${count} lines, at most ${most}")
  if(${count} GREATER ${most})
    list(APPEND wrong "${what}: ${count} lines, at most ${most}")
  endif()
endmacro()

lines_of(sdk_lines ${sdk})
at_most("sdk/include" ${sdk_lines} ${most_sdk})
lines_of(host_lines ${host})
file(READ "${source}/registry/include/polycodec/host.h" host_c)
string(REGEX REPLACE "[^\n]" "" host_c "${host_c}")
string(LENGTH "${host_c}" host_c_lines)
math(EXPR host_lines "${host_lines} - ${host_c_lines}")
at_most("the headers of hosts" ${host_lines} ${most_host})
at_most("host.h" ${host_c_lines} ${most_host_c})

compiled(text -E "#include <polycodec/codec.hpp>\n")
string(REGEX REPLACE "[^\n]" "" text "${text}")
string(LENGTH "${text}" lines)
at_most("<polycodec/codec.hpp>, preprocessed" ${lines} ${most_preprocessed})

set(all "")
foreach(directory IN LISTS sdk host)
  file(GLOB_RECURSE headers RELATIVE "${directory}" "${directory}/*.h" "${directory}/*.hpp")
  foreach(header IN LISTS headers)
    string(APPEND all "#include <${header}>\n")
  endforeach()
endforeach()
compiled(reached -M "${all}")
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
