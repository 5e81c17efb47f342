# What `polycodec plugin new --language rust` writes, built with nothing but cargo, rustc and what was installed: no
# registry of crates, no network. Then it is checked by the kit and used by the command line.
#   cmake -D prefix=DIR -D bindir=bin -D work=DIR -D cargo=CARGO -P rust_plugin.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
if(NOT cargo)
  message("SKIPPED: no cargo: install it (cargo)")
  return()
endif()
set(command "${prefix}/${bindir}/polycodec")
set(id "example.rust-plugin")
file(REMOVE_RECURSE "${work}")
run("${command}" plugin new "${id}" --language rust -o "${work}/source")

cargo_build("${work}/source")
set(plugins "${work}/plugins")
file(COPY "${work}/target/release/libexample_rust_plugin_plugin.so" "${work}/source/${id}.polycodec.json"
  DESTINATION "${plugins}")

run("${command}" plugin check "${plugins}" --fixtures "${work}/source/tests" --changes string-as-bytes,tuple-as-list)
set(ENV{POLYCODEC_PLUGIN_PATH} "${plugins}")
set(input "${work}/source/tests/three.netstrings")
run("${command}" convert "${input}" "${work}/converted" --from "${id}" --to msgpack-ndarray)
run("${command}" convert "${work}/converted" "${work}/back" --from msgpack-ndarray --to "${id}")
run("${CMAKE_COMMAND}" -E compare_files "${input}" "${work}/back")
