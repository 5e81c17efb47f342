# Checks that the host knows no format: no code in core, registry and tools names one, comments aside:
#   cmake -D source=DIR -P formats.cmake
cmake_minimum_required(VERSION 3.25)
# Files that name formats, and why. Each exception goes when its reason does.
set(allowed
  # Frame, headers and schemas are yggdrasil's protocol, which has words for the bodies PLY and OBJ.
  core/frame/message_body.cpp core/frame/message.hpp
  core/schema/facet.cpp core/schema/normalize_scalar.cpp core/schema/words.hpp
  registry/codec/datatype_fields.cpp registry/codec/serializer.hpp
  # The parser's strict mode is that of DyND's own notation.
  registry/c/type.cpp
  # `validate` checks the indices of meshes, because the interface of types has no check of values.
  tools/command/convert_command.cpp
  # `convert` writes libraries and textures of meshes beside its outputs.
  tools/command/batch.cpp tools/view/mesh_assets.cpp
  # What `convert` keeps of a mesh is compared as a mesh: these formats write other members than they read.
  registry/codec/check_written.cpp
  # The programs polycodec-mesh, polycodec-render and polycodec-view, which the command does not link.
  tools/view/assets.cpp tools/view/assets.hpp tools/view/mesh.cpp tools/view/mesh_check.cpp
  tools/view/mesh_commands.hpp tools/view/mesh_file.cpp tools/view/mesh_file.hpp
  tools/view/mesh_repair.cpp tools/view/mesh_report.hpp tools/view/mesh_value.cpp tools/view/mesh_value.hpp
  tools/view/render.cpp tools/view/scene.cpp tools/view/scene.hpp tools/view/surface/check.cpp tools/view/surface/check.hpp
  tools/view/surface/check_normals.cpp tools/view/surface/check_normals.hpp
  tools/view/surface/drop_rows.cpp tools/view/surface/make_normals.cpp
  tools/view/surface/merge_positions.cpp tools/view/surface/orient_faces.cpp
  tools/view/surface/repair.cpp tools/view/surface/repair.hpp tools/view/surface/rows_of_mesh.cpp
  tools/view/surface/rows_of_mesh.hpp tools/view/surface/split_seams.cpp
  tools/view/surface/surface.cpp tools/view/surface/surface.hpp
  tools/view/page/mesh_json.cpp tools/view/page/mesh_parts.cpp tools/view/view.cpp)

# The names: plugins with codecs or stores by their directory, the extension of archives, and a type that plugins share.
set(names awkd mesh)
file(GLOB manifests "${source}/plugins/*/*.polycodec.json")
foreach(manifest IN LISTS manifests)
  file(READ "${manifest}" text)
  if(text MATCHES "\"(codecs|stores)\":")
    string(REGEX REPLACE "^.*/plugins/([a-z0-9]+)[^/]*/[^/]*$" "\\1" name "${manifest}")
    list(APPEND names ${name})
  endif()
endforeach()
list(LENGTH names count)
if(count LESS 10)
  message(FATAL_ERROR "too few formats were found: ${names}")
endif()

file(GLOB_RECURSE files RELATIVE "${source}" "${source}/core/*.hpp" "${source}/core/*.cpp" "${source}/registry/*.hpp"
  "${source}/registry/*.cpp" "${source}/registry/*.in" "${source}/registry/share/*.json" "${source}/tools/*.hpp"
  "${source}/tools/*.cpp")
list(FILTER files EXCLUDE REGEX "^tools/fastbin/")
list(JOIN names "|" pattern)
set(wrong "")
set(named "")
foreach(file IN LISTS files)
  file(READ "${source}/${file}" text)
  string(REGEX REPLACE "(^|[ \n])//[^\n]*" "\\1" text "${text}")
  string(TOLOWER "${text}" text)
  if("${text}" MATCHES "[^a-z0-9](${pattern})[^a-z0-9]")
    list(APPEND named ${file})
    if(NOT file IN_LIST allowed)
      list(APPEND wrong "${file} names the format '${CMAKE_MATCH_1}'")
    endif()
  endif()
endforeach()
foreach(file IN LISTS allowed)
  if(NOT file IN_LIST named)
    list(APPEND wrong "${file} names no format any more: take it off the list")
  endif()
endforeach()

if(wrong)
  list(JOIN wrong "\n  " wrong)
  message(FATAL_ERROR "these files name formats: names come from manifests and plugins; add a file to the list only with a reason:\n  ${wrong}")
endif()
