# Plugins of polycodec, from the same sources, as WebAssembly. zig (scripts/fetch_zig.sh) is their compiler, and has the sources of
# the run-time library of C++, which are compiled here with exceptions: its own library has none for WebAssembly.
find_program(POLYCODEC_ZIG zig PATHS "${PROJECT_SOURCE_DIR}/build/zig/ziglang" NO_DEFAULT_PATH)
mark_as_advanced(POLYCODEC_ZIG)
if(NOT POLYCODEC_ZIG)
  message(STATUS "polycodec: no zig (scripts/fetch_zig.sh): its own plugins as WebAssembly are not tested")
  return()
endif()
get_filename_component(zig_lib "${POLYCODEC_ZIG}" DIRECTORY)
string(APPEND zig_lib "/lib")
set(wasm_flags -target wasm32-wasi -O3 -DNDEBUG -w -ffunction-sections -fdata-sections -fvisibility=hidden
  -mcpu=generic+simd128+bulk_memory+bulk_memory_opt+nontrapping_fptoint+sign_ext+multivalue+reference_types+exception_handling
  -fwasm-exceptions -mllvm -wasm-use-legacy-eh=false -fno-sanitize=all)

# Compiles sources with more flags; adds the objects to the variable `out`. Sources are compiled together, since most of the time
# goes to headers, but for those of APART, whose names others have too.
function(wasm_compile out name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;APART;FLAGS")
  set(directory "${CMAKE_BINARY_DIR}/wasm_objects/${name}")
  set(together "")
  set(units "")
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(stem "${source}" NAME)
    if(stem IN_LIST arg_APART)
      list(APPEND units "${source}")
    else()
      string(APPEND together "#include \"${source}\"\n")
    endif()
  endforeach()
  if(together)
    file(CONFIGURE OUTPUT "${directory}/together.cpp" CONTENT "${together}" @ONLY)
    list(APPEND units "${directory}/together.cpp")
  endif()
  set(objects ${${out}})
  foreach(source IN LISTS units)
    get_filename_component(stem "${source}" NAME)
    set(object "${directory}/${stem}.o")
    set(language c++)
    if(source MATCHES "\\.c$")
      set(language cc)
    endif()
    add_custom_command(OUTPUT "${object}"
      COMMAND "${POLYCODEC_ZIG}" ${language} ${wasm_flags} ${arg_FLAGS} -MD -MF "${object}.d" -c "${source}" -o "${object}"
      DEPENDS "${source}" DEPFILE "${object}.d" COMMENT "WebAssembly ${name}/${stem}" VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

set(cxx charconv error_category exception functional hash memory new_handler new_helpers ryu/d2fixed ryu/d2s ryu/f2s stdexcept string system_error vector)
list(TRANSFORM cxx REPLACE "(.+)" "${zig_lib}/libcxx/src/\\1.cpp")
set(cxxabi cxa_aux_runtime cxa_default_handlers cxa_exception cxa_exception_storage cxa_guard cxa_handlers
  cxa_personality cxa_vector cxa_virtual fallback_malloc private_typeinfo stdlib_exception stdlib_new_delete
  stdlib_stdexcept stdlib_typeinfo)
list(TRANSFORM cxxabi REPLACE "(.+)" "${zig_lib}/libcxxabi/src/\\1.cpp")
set(runtime "")
set(cxx_flags -std=c++23 -D_LIBCPP_HAS_THREADS=0 -D_LIBCXXABI_HAS_NO_THREADS -D_LIBCXXABI_BUILDING_LIBRARY
  -D_LIBCPP_BUILDING_LIBRARY -DLIBCXX_BUILDING_LIBCXXABI -DLIBCXXABI_NON_DEMANGLING_TERMINATE -I "${zig_lib}/libcxxabi/include"
  -I "${zig_lib}/libcxx/src" -I "${zig_lib}/libcxx/libc" -I "${zig_lib}/libcxxabi/src" -I "${zig_lib}/libunwind/include")
wasm_compile(runtime cxx SOURCES ${cxx} APART memory.cpp error_category.cpp system_error.cpp FLAGS ${cxx_flags})
wasm_compile(runtime cxxabi SOURCES ${cxxabi} FLAGS ${cxx_flags})
wasm_compile(runtime unwind SOURCES "${zig_lib}/libunwind/src/Unwind-wasm.c" APART Unwind-wasm.c
  FLAGS -std=c23 -D_LIBUNWIND_HIDE_SYMBOLS -I "${zig_lib}/libunwind/include" -I "${zig_lib}/libunwind/src")

# Compiles the sources of targets, some of them apart.
find_package(dragonbox 1.1 REQUIRED)
get_target_property(dragonbox_include dragonbox::dragonbox INTERFACE_INCLUDE_DIRECTORIES)
function(wasm_targets out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "APART")
  set(objects ${${out}})
  foreach(target IN LISTS arg_UNPARSED_ARGUMENTS)
    get_target_property(sources ${target} SOURCES)
    get_target_property(directory ${target} SOURCE_DIR)
    set(absolute "")
    foreach(source IN LISTS sources)
      if(source MATCHES "\\.cpp$")
        get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${directory}")
        list(APPEND absolute "${source}")
      endif()
    endforeach()
    get_target_property(manifest ${target} POLYCODEC_PLUGIN_MANIFEST)
    set(flags "")
    if(manifest)
      file(READ "${manifest}" text)
      foreach(key id version)
        string(JSON value GET "${text}" ${key})
        string(TOUPPER ${key} name)
        list(APPEND flags "-DPOLYCODEC_MANIFEST_${name}=\"${value}\"")
      endforeach()
    endif()
    wasm_compile(objects ${target} SOURCES ${absolute} APART ${arg_APART} FLAGS -std=c++20 ${flags} -DMSGPACK_NO_BOOST
      -I "${PROJECT_SOURCE_DIR}/sdk/include" -I "${PROJECT_SOURCE_DIR}/sdk" -I "${PROJECT_SOURCE_DIR}/plugins"
      -I "${directory}" -isystem "${dragonbox_include}" -isystem "${CMAKE_BINARY_DIR}/wasm_include")
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

wasm_compile(runtime start SOURCES "${PROJECT_SOURCE_DIR}/tests/wasm/cxx_runtime.cpp" FLAGS -std=c++20)
wasm_targets(runtime polycodec_sdk_static polycodec_base polycodec_model polycodec_sdk_mesh)
set(shared "${CMAKE_BINARY_DIR}/wasm_objects/libshared.a")
add_custom_command(OUTPUT "${shared}" COMMAND "${CMAKE_COMMAND}" -E rm -f "${shared}"
  COMMAND "${POLYCODEC_ZIG}" ar rcs "${shared}" ${runtime} DEPENDS ${runtime} VERBATIM)

# Makes the module of a plugin, and copies its manifest with the other library. wasm_module(<plugin> <target>... [APART <source>...])
set(wasm_modules "")
set(wasm_directory "${CMAKE_BINARY_DIR}/wasm_modules")
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/wasm_include")
file(CREATE_LINK "${POLYCODEC_MSGPACK_INCLUDE_DIR}/msgpack.hpp" "${CMAKE_BINARY_DIR}/wasm_include/msgpack.hpp" SYMBOLIC)
file(CREATE_LINK "${POLYCODEC_MSGPACK_INCLUDE_DIR}/msgpack" "${CMAKE_BINARY_DIR}/wasm_include/msgpack" SYMBOLIC)
function(wasm_module plugin)
  set(objects "")
  wasm_targets(objects ${plugin} ${ARGN})
  get_target_property(id ${plugin} POLYCODEC_PLUGIN_ID)
  get_target_property(manifest ${plugin} POLYCODEC_PLUGIN_MANIFEST)
  file(READ "${manifest}" text)
  string(JSON text SET "${text}" library "\"${id}.wasm\"")
  file(CONFIGURE OUTPUT "${wasm_directory}/${id}.polycodec.json" CONTENT "${text}\n" @ONLY)
  set(module "${wasm_directory}/${id}.wasm")
  add_custom_command(OUTPUT "${module}"
    COMMAND "${POLYCODEC_ZIG}" cc -target wasm32-wasi -fuse-ld=lld -mexec-model=reactor -O3 -s -Wl,--gc-sections -Wl,--export-table
      -Wl,--growable-table -Wl,--export=polycodec_plugin_v2 -Wl,-z,stack-size=262144 ${objects} ${shared} -o "${module}"
    DEPENDS ${objects} ${shared} VERBATIM)
  set(wasm_modules ${wasm_modules} "${module}" PARENT_SCOPE)
endfunction()
wasm_module(msgpack_ndarray msgpack_ndarray_codec APART encode_columns.cpp)
wasm_module(ply ply_codec)
wasm_module(obj obj_codec APART encode.cpp print_elements.cpp properties.cpp)
wasm_module(stl stl_codec)
wasm_module(shuffle shuffle_codec)

# A filter in zig's own language, with abi.h as it is.
set(zig_directory "${CMAKE_BINARY_DIR}/wasm_zig")
file(COPY "${CMAKE_CURRENT_SOURCE_DIR}/zig/test.zig.polycodec.json" DESTINATION "${zig_directory}/plugins")
add_custom_command(OUTPUT "${zig_directory}/plugins/test.zig.wasm"
  COMMAND "${CMAKE_COMMAND}" -E copy "${CMAKE_CURRENT_SOURCE_DIR}/zig/filter.zig" filter.zig
  COMMAND sh -c "'${POLYCODEC_ZIG}' translate-c -target wasm32-freestanding -I '${PROJECT_SOURCE_DIR}/sdk/include' \
    '${PROJECT_SOURCE_DIR}/sdk/include/polycodec/abi.h' >abi.zig"
  COMMAND "${POLYCODEC_ZIG}" build-exe -target wasm32-freestanding -O ReleaseSmall -fno-entry --export-table --growable-table
    --export=polycodec_plugin_v2 -femit-bin=plugins/test.zig.wasm filter.zig
  DEPENDS zig/filter.zig polycodec_sdk_static WORKING_DIRECTORY "${zig_directory}" VERBATIM)
list(APPEND wasm_modules "${zig_directory}/plugins/test.zig.wasm")

# A filter in AssemblyScript, which node compiles.
find_program(POLYCODEC_NODE node)
mark_as_advanced(POLYCODEC_NODE)
set(assemblyscript "${PROJECT_SOURCE_DIR}/build/assemblyscript")
set(assemblyscript_directory "${CMAKE_BINARY_DIR}/wasm_assemblyscript")
set(has_assemblyscript FALSE)
if(POLYCODEC_NODE AND EXISTS "${assemblyscript}/complete")
  set(has_assemblyscript TRUE)
  file(COPY "${CMAKE_CURRENT_SOURCE_DIR}/assemblyscript/test.assemblyscript.polycodec.json" DESTINATION "${assemblyscript_directory}")
  add_custom_command(OUTPUT "${assemblyscript_directory}/test.assemblyscript.wasm"
    COMMAND "${POLYCODEC_NODE}" "${assemblyscript}/node_modules/assemblyscript/bin/asc.js" filter.ts --transform ./table.mjs -O3
      --noAssert --runtime stub --use abort= --exportTable --exportStart _initialize
      -o "${assemblyscript_directory}/test.assemblyscript.wasm"
    DEPENDS assemblyscript/filter.ts assemblyscript/table.mjs
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/assemblyscript" VERBATIM)
  list(APPEND wasm_modules "${assemblyscript_directory}/test.assemblyscript.wasm")
else()
  message(STATUS "polycodec: no node or AssemblyScript (scripts/fetch_assemblyscript.sh): modules in AssemblyScript are not tested")
endif()
add_custom_target(wasm_modules DEPENDS ${wasm_modules})
file(WRITE "${wasm_directory}/config.json" "{\"policy\": {\"wasm_runtime\": \"${POLYCODEC_WASMTIME}\"}}\n")

# The conformance tests of the native plugins.
if(POLYCODEC_BUILD_KIT)
  set(kit polycodec_kit run --wasm-runtime "${POLYCODEC_WASMTIME}" --timeout 60)
  add_test(NAME wasm.kit_msgpack COMMAND ${kit} "${wasm_directory}/msgpack-ndarray.wasm"
    --changes number-width,tuple-as-list,drops-attributes,unwraps-variants,time-unit)
  add_test(NAME wasm.kit_stl COMMAND ${kit} "${wasm_directory}/stl.wasm" --fixtures "${PROJECT_SOURCE_DIR}/plugins/stl/fixtures" --changes none)
  add_test(NAME wasm.kit_shuffle COMMAND ${kit} "${wasm_directory}/shuffle.wasm" --changes none)
  add_test(NAME wasm.kit_zig COMMAND ${kit} "${zig_directory}/plugins")
  set_tests_properties(wasm.kit_msgpack wasm.kit_stl wasm.kit_shuffle wasm.kit_zig PROPERTIES LABELS wasm TIMEOUT 600)
  if(has_assemblyscript)
    add_test(NAME wasm.kit_assemblyscript COMMAND ${kit} "${assemblyscript_directory}")
    set_tests_properties(wasm.kit_assemblyscript PROPERTIES LABELS wasm TIMEOUT 600)
  endif()
endif()

# Each vector gives the same value, the same bytes and the same error.
set(doors doors "${PROJECT_SOURCE_DIR}/tests/vectors" --build wasm --modules "${wasm_directory}")
add_test(NAME wasm.doors COMMAND ${doors})
add_test(NAME wasm.doors_mutations COMMAND ${doors} --mutations 3)
set_tests_properties(wasm.doors wasm.doors_mutations PROPERTIES LABELS wasm TIMEOUT 600)
