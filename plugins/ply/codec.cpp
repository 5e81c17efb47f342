// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include <polycodec/tolerant.hpp>

#include <algorithm>
#include <bit>

namespace polycodec::ply {

Settings Settings::from(const Options& options) {
  constexpr Format native =
      std::endian::native == std::endian::big ? Format::big_endian : Format::little_endian;
  Settings settings;
  settings.strict = options.get("strict", settings.strict);
  settings.tolerant = tolerant_option(options);
  settings.float32 = options.get("float32", settings.float32);
  settings.comments = options.get("comments", settings.comments);
  settings.triangulate = options.get("triangulate", settings.triangulate);
  settings.form = options.choice<mesh::Form>("form", {{"file", mesh::Form::file},
                                                      {"mesh", mesh::Form::mesh},
                                                      {"dict", mesh::Form::dict},
                                                      {"array_dict", mesh::Form::array_dict}});
  settings.format = options.choice<std::optional<Format>>(
      "format", {{"keep", std::nullopt},
                 {"binary", native},
                 {format_name(Format::ascii), Format::ascii},
                 {format_name(Format::little_endian), Format::little_endian},
                 {format_name(Format::big_endian), Format::big_endian}});
  settings.line_ending = options.choice("line_ending", line_ending_choices);
  settings.types = options.choice<Spelling>(
      "types",
      {{"keep", Spelling::keep}, {"old", Spelling::old_names}, {"new", Spelling::new_names}});
  return settings;
}

Sniff Ply::sniff(Call&, const Input& input) {
  const std::string_view head = input.bytes();
  if (!head.starts_with("ply\n") && !head.starts_with("ply\r")) {
    // Spaces around the word, which tolerant reading passes.
    std::string_view text = head.substr(head.starts_with("\xef\xbb\xbf") ? 3 : 0);
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t\r\n")));
    const bool near = text.starts_with("ply") && text.size() > 3 && text.find("format ") < 200 &&
                      std::string_view(" \t\r\n").find(text[3]) != std::string_view::npos;
    if (near) return {45, "spaces around the first line 'ply'"};
    return {0, "the first line is not 'ply'"};
  }
  for (const std::string_view word : {"format ", "comment", "obj_info", "element "})
    if (head.find(word) != std::string_view::npos)
      return {98, "a line 'ply' and header lines after it"};
  return {55, "the first line is 'ply'"};
}

}  // namespace polycodec::ply
