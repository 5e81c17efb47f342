// SPDX-License-Identifier: MIT
#include "settings.hpp"

#include <bit>
#include <string>

namespace polycodec::ply {

Settings Settings::from(const Options& options) {
  const auto refuse = [](const char* name, const std::string& value) {
    throw Error(Status::option,
                std::string("option '") + name + "' has no value \"" + value + "\"");
  };
  Settings settings;
  settings.strict = options.get("strict", settings.strict);
  settings.comments = options.get("comments", settings.comments);
  settings.triangulate = options.get("triangulate", settings.triangulate);
  const std::string form_name = options.get("form", "file");
  const std::optional<mesh::Form> form = mesh::form_from_name(form_name);
  if (!form || *form == mesh::Form::list)
    throw Error(Status::option, "option 'form' has no value \"" + form_name + "\"");
  settings.form = *form;

  const std::string format = options.get("format", "keep");
  Format chosen{};
  if (format == "binary") {
    settings.format =
        std::endian::native == std::endian::big ? Format::big_endian : Format::little_endian;
  } else if (format_from_name(format, chosen)) {
    settings.format = chosen;
  } else if (format != "keep") {
    refuse("format", format);
  }

  const std::string ending = options.get("line_ending", "keep");
  LineEnding line_ending{};
  if (line_ending_from_name(ending, line_ending)) {
    settings.line_ending = line_ending;
  } else if (ending != "keep") {
    refuse("line_ending", ending);
  }

  const std::string types = options.get("types", "keep");
  if (types == "old") {
    settings.types = Spelling::old_names;
  } else if (types == "new") {
    settings.types = Spelling::new_names;
  } else if (types != "keep") {
    refuse("types", types);
  }
  return settings;
}

}  // namespace polycodec::ply
