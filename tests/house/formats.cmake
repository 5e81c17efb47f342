# Checks that the host knows no format: no code in core and registry names one, comments aside:
#   cmake -D source=DIR -P formats.cmake
cmake_minimum_required(VERSION 3.25)
# Files that name formats, and why. Each exception goes when its reason does.
set(allowed
  # Frame, headers and schemas are yggdrasil's protocol, which has words for the bodies PLY and OBJ.
  core/frame/message_body.cpp core/include/polycodec/message.hpp
  core/schema/facet.cpp core/schema/normalize.cpp core/schema/words.hpp
  registry/channel/datatype_fields.cpp registry/channel/serializer.hpp
  # `validate` checks the indices of meshes, because the interface of types has no check of values.
  registry/cli/convert_command.cpp
  # What `convert` keeps of a mesh is compared as a mesh: these formats write other members than they read.
  registry/codec/check_written.cpp
  # The parser's strict mode is that of DyND's own notation. The other is the old name of the flag for it.
  registry/cli/type_command.cpp registry/config/old_words.hpp
  # The programs polycodec-mesh, polycodec-render and polycodec-view, which the command does not link.
  registry/view/assets.cpp registry/view/assets.hpp registry/view/mesh.cpp registry/view/mesh_check.cpp
  registry/view/mesh_commands.hpp registry/view/mesh_file.cpp registry/view/mesh_file.hpp
  registry/view/mesh_repair.cpp registry/view/mesh_report.hpp registry/view/mesh_value.cpp registry/view/mesh_value.hpp
  registry/view/render.cpp registry/view/scene.cpp registry/view/surface/check.cpp registry/view/surface/check.hpp
  registry/view/surface/check_normals.cpp registry/view/surface/check_normals.hpp
  registry/view/surface/drop_rows.cpp registry/view/surface/make_normals.cpp
  registry/view/surface/merge_positions.cpp registry/view/surface/orient_faces.cpp
  registry/view/surface/repair.cpp registry/view/surface/repair.hpp registry/view/surface/rows_of_mesh.cpp
  registry/view/surface/rows_of_mesh.hpp registry/view/surface/split_seams.cpp
  registry/view/surface/surface.cpp registry/view/surface/surface.hpp
  registry/view/page/mesh_json.cpp registry/view/page/mesh_parts.cpp registry/view/view.cpp)

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
  "${source}/registry/*.cpp" "${source}/registry/*.in" "${source}/registry/share/*.json")
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
