// SPDX-License-Identifier: MIT
#include "settings.hpp"

#include <array>
#include <string>
#include <string_view>

namespace polycodec::yggdrasil {
namespace {

// The place of the option's value among `words`; the first one is the default.
template <std::size_t N>
std::size_t choice(const Options& options, const char* name,
                   const std::array<std::string_view, N>& words) {
  const std::string given = options.get(name, words[0]);
  for (std::size_t i = 0; i < N; ++i)
    if (given == words[i]) return i;
  std::string all;
  for (const std::string_view word : words)
    all += (all.empty() ? "\"" : ", \"") + std::string(word) + '"';
  throw Error(Status::option, std::string("option '") + name + "' must be one of " + all +
                                  ", not \"" + given + '"');
}

using Words2 = std::array<std::string_view, 2>;
using Words3 = std::array<std::string_view, 3>;

}  // namespace

Settings Settings::from(const Options& options) {
  Settings settings;
  settings.python = choice(options, "style", Words2{"cpp", "python"}) == 1;
  settings.dialect =
      static_cast<Dialect>(choice(options, "dialect", Words3{"current", "document", "legacy-1.8"}));
  if (const auto datatype = options.find("datatype")) {
    if (datatype->node() == nullptr)
      throw Error(Status::option, "option 'datatype': a schema must be a plain object");
    settings.datatype = Datatype::from(NodeView(datatype->node()));
  }
  const std::size_t nonfinite = choice(options, "nonfinite", Words3{"auto", "scalar", "bare"});
  settings.bare_nonfinite = nonfinite == 0 ? settings.python : nonfinite == 2;
  settings.geometry_as_text = choice(options, "geometry", Words2{"decode", "text"}) == 1;
  settings.duplicates =
      static_cast<Duplicates>(choice(options, "duplicate_keys", Words3{"keep", "last", "refuse"}));
  settings.lenient_utf8 = choice(options, "utf8", Words2{"strict", "lenient"}) == 1;
  settings.refuse_foreign = choice(options, "foreign", Words2{"exact", "refuse"}) == 1;
  const std::size_t separator = choice(options, "separator", Words3{"auto", "escape", "keep"});
  settings.escape_separator = separator == 0 ? !settings.python : separator == 1;
  return settings;
}

}  // namespace polycodec::yggdrasil
