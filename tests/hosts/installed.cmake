# Builds the examples in C and Go with pkg-config against the installed tree, and runs them:
#   cmake -D prefix=DIR -D libdir=lib -D bindir=bin -D work=DIR -D source=DIR -D c_compiler=CC -D pkg_config=PROGRAM [-D go=PROGRAM]
#     -P installed.cmake
include("${CMAKE_CURRENT_LIST_DIR}/../install/run.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/try_host.cmake")
set(ENV{PKG_CONFIG_PATH} "${prefix}/${libdir}/pkgconfig")
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}")

# try_out(program most example): what it prints, what it writes, and how long its source is.
function(try_out program example most)
  try_host("${program}")
  file(READ "${example}" text)
  string(REGEX REPLACE "[^\n]" "" text "${text}")
  string(LENGTH "${text}" lines)
  if(lines GREATER most)
    message(FATAL_ERROR "${example} has ${lines} lines, at most ${most}")
  endif()
endfunction()

run("${pkg_config}" --cflags --libs polycodec)
separate_arguments(flags UNIX_COMMAND "${output}")
run("${c_compiler}" -std=c11 -Wall -Wextra -Werror "${source}/c/sum_column.c" -o "${work}/sum_c" ${flags}
  "-Wl,-rpath,${prefix}/${libdir}")
try_out("${work}/sum_c" "${source}/c/sum_column.c" 40)

if(NOT go)
  message(STATUS "no go: its example is not tested")
  return()
endif()
set(ENV{GOCACHE} "${work}/go-cache")
set(ENV{GOPATH} "${work}/go")
set(ENV{GOTOOLCHAIN} local)
set(ENV{GO111MODULE} off)
set(ENV{CGO_ENABLED} 1)
set(ENV{CGO_LDFLAGS} "-Wl,-rpath,${prefix}/${libdir}")
run("${go}" build -o "${work}/sum_go" "${source}/go/sum_column.go")
try_out("${work}/sum_go" "${source}/go/sum_column.go" 60)
