# Compares the C interface of hosts with the kept one: functions, structs, enumerators.
#   cmake -D header=FILE -D include=DIR;DIR -D compiler=CC -D abidw=PROGRAM -D abidiff=PROGRAM -D kept=FILE [-D keep=ON]
#     -P host_abi.cmake
# It compiles the declarations of host.h with debugging information, as empty functions, because the library itself has
# none and would show its C++ as well. `keep` writes the kept file anew, after a change that adds something.
cmake_minimum_required(VERSION 3.25)
file(READ "${header}" text)
string(REGEX MATCHALL "\nPOLYCODEC_HOST_API [^;]*" declarations "${text}")
set(functions "#include <polycodec/host.h>\n")
foreach(declaration IN LISTS declarations)
  string(APPEND functions "${declaration} { __builtin_trap(); }\n")
endforeach()
# Types that functions use only inside of others.
string(REGEX MATCHALL "\ntypedef (struct|enum) polycodec_[a-z_]+ {" types "${text}")
foreach(type IN LISTS types)
  string(REGEX MATCH "polycodec_[a-z_]+" name "${type}")
  string(APPEND functions "POLYCODEC_HOST_API void use_${name}(const ${name}* it) { (void)it; }\n")
endforeach()
set(work "${CMAKE_CURRENT_BINARY_DIR}")
file(WRITE "${work}/host_abi.c" "${functions}")
set(includes "")
foreach(directory IN LISTS include)
  list(APPEND includes "-I${directory}")
endforeach()
execute_process(COMMAND "${compiler}" -std=c11 -g -O0 -fPIC -shared -fno-eliminate-unused-debug-types ${includes} host_abi.c
  -o libhost_abi.so WORKING_DIRECTORY "${work}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${abidw}" --no-show-locs --no-comp-dir-path --no-corpus-path --drop-undefined-syms --out-file host.abi
  libhost_abi.so WORKING_DIRECTORY "${work}" COMMAND_ERROR_IS_FATAL ANY)
if(keep)
  file(COPY_FILE "${work}/host.abi" "${kept}")
  return()
endif()
execute_process(COMMAND "${abidiff}" --no-added-syms "${kept}" "${work}/host.abi" RESULT_VARIABLE changed
  OUTPUT_VARIABLE report ERROR_VARIABLE report)
if(NOT changed EQUAL 0)
  message(FATAL_ERROR "host.h changed for programs that are compiled already (abidiff: ${changed}). Fields and functions are "
    "only added, and `cmake -D keep=ON` then writes ${kept} anew.\n${report}")
endif()
