// SPDX-License-Identifier: MIT
#include "settings.hpp"

#include <bit>

namespace polycodec::ply {

Settings Settings::from(const Options& options) {
  constexpr Format native =
      std::endian::native == std::endian::big ? Format::big_endian : Format::little_endian;
  Settings settings;
  settings.strict = options.get("strict", settings.strict);
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

}  // namespace polycodec::ply
