// SPDX-License-Identifier: MIT
#include "settings.hpp"

#include <string>

namespace polycodec::obj {

std::string_view line_ending_name(LineEnding ending) noexcept {
  constexpr std::string_view names[] = {"lf", "crlf", "cr"};
  return names[static_cast<std::size_t>(ending)];
}

std::string_view line_ending_text(LineEnding ending) noexcept {
  constexpr std::string_view texts[] = {"\n", "\r\n", "\r"};
  return texts[static_cast<std::size_t>(ending)];
}

bool line_ending_from_name(std::string_view name, LineEnding& ending) noexcept {
  for (const LineEnding e : {LineEnding::lf, LineEnding::crlf, LineEnding::cr})
    if (line_ending_name(e) == name) return ending = e, true;
  return false;
}

Settings Settings::from(const Options& options) {
  Settings settings;
  settings.strict = options.get("strict", settings.strict);
  settings.materials = options.get("materials", settings.materials);
  settings.comments = options.get("comments", settings.comments);
  settings.triangulate = options.get("triangulate", settings.triangulate);
  const std::string form_name = options.get("form", "file");
  const std::optional<mesh::Form> form = mesh::form_from_name(form_name);
  if (!form) throw Error(Status::option, "option 'form' has no value \"" + form_name + "\"");
  settings.form = *form;

  const std::string seven = options.get("seven_numbers", "xyzwrgb");
  if (seven != "xyzwrgb" && seven != "xyzrgbw")
    throw Error(Status::option,
                "option 'seven_numbers' must be \"xyzwrgb\" or \"xyzrgbw\", not \"" + seven + "\"");
  settings.weight_last = seven == "xyzrgbw";

  const std::string ending = options.get("line_ending", "keep");
  LineEnding line_ending{};
  if (line_ending_from_name(ending, line_ending)) {
    settings.line_ending = line_ending;
  } else if (ending != "keep") {
    throw Error(Status::option, "option 'line_ending' has no value \"" + ending + "\"");
  }
  return settings;
}

}  // namespace polycodec::obj
