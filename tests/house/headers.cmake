# Bounds what the public headers cost those who include them:
#   cmake -D source=DIR -D compiler=CXX -P headers.cmake
cmake_minimum_required(VERSION 3.25)

# What a reader must learn: declarations are counted, however long their comments are. A new one takes the place of an
# old one, or raises the number in a change that says why.
set(most_functions 94)    # of host.h: each binding wraps all of them
set(most_c_types 26)      # of host.h, opaque ones, too
set(most_host_types 38)   # of <polycodec/polycodec.hpp>, without its inside (namespace border)
set(most_plugin_types 44) # of the other headers of the SDK in C++, without their insides (namespace detail)
# What no public header may reach, and what some still do.
set(heavy sdk/base/ sdk/model/ immintrin.h iostream istream ostream sstream fstream iomanip locale filesystem regex nlohmann/ CLI/ spdlog/ boost/ hdf5.h)
set(still_reached ostream)

set(sdk "${source}/sdk/include")
set(wrong "")

# compiled(result flag text): what the compiler prints for this text.
function(compiled result flag text)
  set(unit "${CMAKE_CURRENT_BINARY_DIR}/public_headers.cpp")
  file(WRITE "${unit}" "${text}")
  execute_process(COMMAND "${compiler}" ${flag} -std=c++20 "-I${sdk}" "${unit}"
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

file(STRINGS "${source}/sdk/include/polycodec/host.h" functions REGEX "^POLYCODEC_HOST_API")
list(LENGTH functions functions)
at_most("host.h" ${functions} functions ${most_functions})
file(STRINGS "${source}/sdk/include/polycodec/host.h" types REGEX "^typedef (struct|enum|union) polycodec_")
list(LENGTH types types)
at_most("host.h" ${types} types ${most_c_types})

# public_types(result inside directory): how many types headers of this directory define outside of the namespace `inside`.
function(public_types result inside directory)
  set(count 0)
  file(GLOB headers "${directory}/*.hpp")
  foreach(header IN LISTS headers)
    set(is_inside OFF)
    file(STRINGS "${header}" lines REGEX "^(namespace |}  // namespace |(class|struct|union|enum class) [^;]*({.*)?$)")
    foreach(line IN LISTS lines)
      if(line MATCHES "^namespace .*${inside}")
        set(is_inside ON)
      elseif(line MATCHES "^}  // namespace .*${inside}")
        set(is_inside OFF)
      elseif(NOT is_inside AND line MATCHES "^(class|struct|union|enum class) ")
        math(EXPR count "${count} + 1")
      endif()
    endforeach()
  endforeach()
  set(${result} ${count} PARENT_SCOPE)
endfunction()
public_types(types border "${sdk}/polycodec/host")
at_most("<polycodec/polycodec.hpp>" ${types} types ${most_host_types})
public_types(types detail "${sdk}/polycodec")
at_most("the SDK for plugins" ${types} types ${most_plugin_types})

# Advice: how much text a compiler sees. Which headers of the system that is, `heavy` says below.
foreach(header polycodec codec)
  compiled(text -E "#include <polycodec/${header}.hpp>\n")
  string(REGEX REPLACE "[^\n]" "" text "${text}")
  string(LENGTH "${text}" lines)
  message(STATUS "<polycodec/${header}.hpp>, preprocessed: ${lines} lines")
endforeach()

set(all "")
file(GLOB_RECURSE headers RELATIVE "${sdk}" "${sdk}/*.h" "${sdk}/*.hpp")
foreach(header IN LISTS headers)
  string(APPEND all "#include <${header}>\n")
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
