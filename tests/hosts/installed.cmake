# Builds the examples in C and Go with pkg-config against the installed tree, and runs them:
#   cmake -D prefix=DIR -D libdir=lib -D work=DIR -D source=DIR -D c_compiler=CC -D pkg_config=PROGRAM [-D go=PROGRAM]
#     -P installed.cmake
include("${CMAKE_CURRENT_LIST_DIR}/../install/run.cmake")
set(ENV{PKG_CONFIG_PATH} "${prefix}/${libdir}/pkgconfig")
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}")
file(WRITE "${work}/in.ply" "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
  "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0.5 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")

# try_out(program most example): what it prints, what it writes, and how long its source is.
function(try_out program example most)
  run("${program}" "${work}/in.ply" "$.vertex.x" "${program}.obj")
  if(NOT output MATCHES "^3 numbers, sum 1.5\n$")
    message(FATAL_ERROR "${example} printed: ${output}")
  endif()
  file(READ "${program}.obj" written)
  if(NOT written MATCHES "f 1 2 3")
    message(FATAL_ERROR "${example} wrote: ${written}")
  endif()
  file(READ "${example}" text)
  string(REGEX REPLACE "[^\n]" "" text "${text}")
  string(LENGTH "${text}" lines)
  if(lines GREATER most)
    message(FATAL_ERROR "${example} has ${lines} lines, at most ${most}")
  endif()
  # A file that is not there is an error with a sentence.
  execute_process(COMMAND "${program}" "${work}/none.ply" "$" "${program}.obj" RESULT_VARIABLE status ERROR_VARIABLE errors)
  if(NOT status EQUAL 1 OR NOT errors MATCHES "none.ply")
    message(FATAL_ERROR "${example}, without a file: status ${status}, ${errors}")
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
