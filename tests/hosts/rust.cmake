# Builds the crate of bindings/rust against the installed tree, tests it, and checks its example plugins:
#   cmake -D prefix=DIR -D libdir=lib -D bindir=bin -D work=DIR -D source=DIR -D page=docs/rust.md
#     -D cargo=CARGO -P rust.cmake
include("${CMAKE_CURRENT_LIST_DIR}/../install/run.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/try_host.cmake")
set(ENV{PKG_CONFIG_PATH} "${prefix}/${libdir}/pkgconfig")
set(ENV{LD_LIBRARY_PATH} "${prefix}/${libdir}")
set(ENV{CARGO_TARGET_DIR} "${work}/target")
set(ENV{CARGO_TERM_COLOR} never)
# With it, rustdoc compares the codes of compile_fail examples on every toolchain.
set(ENV{RUSTC_BOOTSTRAP} 1)
file(MAKE_DIRECTORY "${work}")

execute_process(COMMAND "${cargo}" fetch --locked WORKING_DIRECTORY "${source}" RESULT_VARIABLE status ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
  message(STATUS "SKIPPED: the crates of Cargo.lock cannot be fetched: ${errors}")
  return()
endif()

function(run_cargo)
  run("${CMAKE_COMMAND}" -E chdir "${source}" "${cargo}" ${ARGN})
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(features ndarray)
execute_process(COMMAND "${cargo}" --version OUTPUT_VARIABLE version)
if(version MATCHES "^cargo ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL 1.88)
  set(features ndarray,arrow)
endif()

# The plugins, as their authors build them: they link nothing of polycodec.
run_cargo(build --release --locked --offline --no-default-features --example tagged --example survey)
file(REMOVE_RECURSE "${work}/plugins")
foreach(plugin tagged survey)
  file(COPY "${work}/target/release/examples/lib${plugin}.so" "${source}/examples/${plugin}.polycodec.json"
    DESTINATION "${work}/plugins")
endforeach()
run("${prefix}/${bindir}/polycodec" plugin check "${work}/plugins/libtagged.so")
# One directory of fixtures for each object, or none.
foreach(checked codec/survey/:table codec/survey-floats/:floats codec/survey-parts/ filter/:filter store/:store function/)
  string(REGEX MATCH "^([^:]*):?(.*)" found "${checked}")
  set(fixtures)
  if(CMAKE_MATCH_2)
    set(fixtures --fixtures "${source}/examples/survey/${CMAKE_MATCH_2}")
  endif()
  run("${prefix}/${bindir}/polycodec" plugin check "${work}/plugins/libsurvey.so" --filter "${CMAKE_MATCH_1}*" ${fixtures})
endforeach()
file(READ "${source}/examples/tagged.rs" text)
string(REGEX REPLACE "[^\n]" "" text "${text}")
string(LENGTH "${text}" count)
if(count GREATER 60)
  message(FATAL_ERROR "examples/tagged.rs has ${count} lines, at most 60")
endif()

# What crates.io gets has all files that Cargo.toml names.
run_cargo(package --list --locked --offline --allow-dirty)
foreach(file src/plugin/mod.rs examples/survey.rs tests/plugins.rs Cargo.lock README.md)
  if(NOT output MATCHES "${file}\n")
    message(FATAL_ERROR "the package of the crate lacks ${file}: ${output}")
  endif()
endforeach()

# All targets: unit tests, integration tests, examples that tests load, and documents.
run_cargo(test --locked --offline --features ${features})
execute_process(COMMAND "${cargo}" fmt --version RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
if(status EQUAL 0)
  run_cargo(fmt --check)
endif()

# The host program.
try_host("${work}/target/debug/examples/sum_column")

# What the page shows compiles.
get_filename_component(bin "${cargo}" DIRECTORY)
find_program(rustdoc rustdoc HINTS "${bin}" NO_CACHE)
run_cargo(build --locked --offline --features ${features})
run("${rustdoc}" --test "${page}" --edition 2021 --test-args --test-threads=1 --extern
  "polycodec=${work}/target/debug/libpolycodec.rlib" -L "dependency=${work}/target/debug/deps" -L "native=${prefix}/${libdir}")
