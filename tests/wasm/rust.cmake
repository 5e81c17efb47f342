# A module in Rust: the conformance tests of its filter, a message that is longer than its struct, and a panic.
#   cmake -D source=DIR -D bin=DIR -D work=DIR -D cargo=CARGO -D runtime=FILE -P rust.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../install/run.cmake")
file(REMOVE_RECURSE "${work}/plugins")
configure_file("${CMAKE_CURRENT_LIST_DIR}/rust/Cargo.toml" "${work}/Cargo.toml" @ONLY)
file(COPY "${source}/sdk/template/wasm/rust/build.rs" DESTINATION "${work}")
cargo_build("${work}" --target wasm32-unknown-unknown)
file(COPY "${work}/target/wasm32-unknown-unknown/release/module.wasm" "${CMAKE_CURRENT_LIST_DIR}/rust/test.rust.polycodec.json"
  DESTINATION "${work}/plugins")
run("${bin}/polycodec-kit" run "${work}/plugins" --wasm-runtime "${runtime}" --filter "filter/*")
if(NOT output MATCHES "passed  filter/test.reversed/round-trip")
  message(FATAL_ERROR "the filter was not tested")
endif()

file(WRITE "${work}/config.json" "{\"policy\": {\"wasm_runtime\": \"${runtime}\"}}")
function(expect_error input text)
  file(WRITE "${work}/in" "${input}")
  execute_process(COMMAND "${bin}/polycodec" --config "${work}/config.json" --plugin-path "${work}/plugins" ${ARGN}
    RESULT_VARIABLE status ERROR_VARIABLE errors)
  string(FIND "${errors}" "${text}" at)
  if(status EQUAL 0 OR at EQUAL -1)
    message(FATAL_ERROR "'${errors}' lacks '${text}'")
  endif()
endfunction()
set(decode decode "${work}/in" --from test.rust)
expect_error("error" "long long message" ${decode})
expect_error("panic" "panic 'index out of bounds: the len is 5 but the index is 1000' at " ${decode})
expect_error("room" "a window of 4294967301 bytes"
  convert "${work}/in" "${work}/out" --from dynd --from-options "{\"type\": \"4 * uint8\"}" --to dynd --to-filters "[{\"id\": \"test.reversed\"}]"
  --limits "{\"max_work\": 1000000000}")
