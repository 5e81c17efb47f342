# Writes the script and the style of pages as C++: cmake -D source=web/dist -D output=FILE -P Assets.cmake
cmake_minimum_required(VERSION 3.25)
set(text "// Made by Assets.cmake.\n#include \"assets.hpp\"\nnamespace polycodec::page {\n")
foreach(name script style)
  set(file_script page.js)
  set(file_style page.css)
  file(READ "${source}/${file_${name}}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "static const unsigned char ${name}_bytes[] = {${bytes}};\n"
    "const std::string_view page_${name}{reinterpret_cast<const char*>(${name}_bytes), sizeof ${name}_bytes};\n")
endforeach()
string(APPEND text "}  // namespace polycodec::page\n")
file(WRITE "${output}" "${text}")
