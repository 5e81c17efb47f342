# Checks that no program or library of the build makes the loader search the current directory:
#   cmake -D files=FILE;FILE;... -P search_paths.cmake
cmake_minimum_required(VERSION 3.25)
set(wrong "")
foreach(file IN LISTS files)
  if(NOT EXISTS "${file}")
    continue()  # not built yet
  endif()
  file(READ_ELF "${file}" RPATH rpath RUNPATH runpath CAPTURE_ERROR error)
  if(error)
    message(FATAL_ERROR "${file}: ${error}")
  endif()
  foreach(directory IN LISTS rpath runpath)
    # An empty one, such as after a colon at the end, is the current directory.
    if(NOT directory MATCHES "^(/|\\$ORIGIN)")
      list(APPEND wrong "${file}: '${directory}'")
    endif()
  endforeach()
endforeach()
if(wrong)
  list(JOIN wrong "\n  " wrong)
  message(FATAL_ERROR "these search the current directory for libraries:\n  ${wrong}")
endif()
