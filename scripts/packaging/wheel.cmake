# What a Python wheel has beside the extension, as the component `wheel`: the library with the codecs linked in, the
# libraries for schemas, with the database of units, and for modules, the command and the programs that it runs. The target
# polycodec_wheel builds it.
set(programs polycodec_cli polycodec_mesh_program polycodec_render_program polycodec_view_program)
add_custom_target(polycodec_wheel DEPENDS polycodec_bundled polycodec_schema polycodec_wasm polycodec_sandbox ${programs})

# libpolycodec-schema.so is opened by descriptor, so its search path cannot name the directory that the wheel's libraries are
# in. It finds those that are loaded already.
target_link_options(polycodec_bundled PRIVATE "LINKER:--no-as-needed,$<JOIN:$<TARGET_PROPERTY:polycodec_schema,POLYCODEC_ENGINES>,$<COMMA>>,--as-needed")

# Files and not targets: a wheel has no symbolic links, so each library has only the name that it is loaded by.
set(wheel COMPONENT wheel EXCLUDE_FROM_ALL)
install(PROGRAMS $<TARGET_FILE:polycodec_bundled> DESTINATION polycodec/lib RENAME libpolycodec.so.${POLYCODEC_SOVERSION} ${wheel})
foreach(library schema wasm)
  install(PROGRAMS $<TARGET_FILE:polycodec_${library}> DESTINATION polycodec/lib
    RENAME libpolycodec-${library}.so.${POLYCODEC_SOVERSION} ${wheel})
endforeach()
install(PROGRAMS $<TARGET_FILE:polycodec_sandbox> DESTINATION polycodec/lib/polycodec ${wheel})
foreach(program IN LISTS programs)
  install(PROGRAMS $<TARGET_FILE:${program}> DESTINATION polycodec/bin ${wheel})
endforeach()
if(POLYCODEC_UNIT_DATABASE)
  cmake_path(GET POLYCODEC_UNIT_DATABASE PARENT_PATH units)
  install(DIRECTORY "${units}/" DESTINATION polycodec/share/xml/udunits ${wheel} FILES_MATCHING PATTERN "*.xml")
endif()
