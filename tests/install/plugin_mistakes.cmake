# Mistakes in the CMake code of an author end the configuration with a sentence that names the remedy.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
file(REMOVE_RECURSE "${work}")
file(WRITE "${work}/own.polycodec.json"
  "{\"id\": \"own\", \"version\": \"1.0.0\", \"library\": \"own.so\", \"summary\": \"Own\", \"license\": \"MIT\"}")
file(WRITE "${work}/codec.c" "")

# mistake(code expected): what CMake says about this code.
function(mistake code expected)
  file(WRITE "${work}/CMakeLists.txt"
    "cmake_minimum_required(VERSION 3.25)\nproject(own LANGUAGES C)\nfind_package(polycodec CONFIG REQUIRED)\n${code}\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${work}" -B "${work}/build" -G "${generator}" -D "CMAKE_PREFIX_PATH=${prefix}"
    -D "CMAKE_C_COMPILER=${c_compiler}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  string(FIND "${said}" "${expected}" at)
  if(NOT failed OR at EQUAL -1)
    message(FATAL_ERROR "'${code}' says '${said}', not '${expected}'")
  endif()
endfunction()

set(plugin "polycodec_add_plugin(own MANIFEST own.polycodec.json SOURCES codec.c)\n")
mistake("polycodec_add_plugin(own MANIFEST own.polycodec.json SOURCES codec.c LINK own)"
  "links a library of its own name: name it own_plugin")
mistake("polycodec_add_plugin(own SOURCES codec.c)" "MANIFEST and SOURCES are needed")
mistake("${plugin}polycodec_package_plugin(own MAINTAINER me)" "MAINTAINER must be 'Name <address>', not 'me'")
mistake("add_library(other INTERFACE)\npolycodec_package_plugin(other MAINTAINER \"Me <me@example.org>\")"
  "not made by polycodec_add_plugin")
