// SPDX-License-Identifier: MIT
#include "host.hpp"

#include <polycodec/detail/advice.hpp>

namespace polycodec_sql {

std::string text_of(const std::exception& e) {
  const auto* const error = dynamic_cast<const Error*>(&e);
  if (error == nullptr || dynamic_cast<const Failure*>(&e) != nullptr) return e.what();
  constexpr polycodec::detail::Spelling words{
      .tolerant = "codec := 'NAME', options := '{\"tolerant\": true}'",
      .lossy = "another format",
      .compare = "no comparison",
      .from_codec = "codec := 'NAME'",
      .to_codec = "codec := 'NAME'",
      .from = {"codec := 'NAME', options := '", "'"},
      .to = {"codec := 'NAME', options := '", "'"},
      .limits = {}};
  std::string text = polycodec::detail::spelled(*error, words);
  std::string place;
  if (!error->codec().empty()) text.insert(0, error->codec() + ": ");
  if (!error->path().empty()) place += " at " + error->path();
  if (error->offset() != Error::no_offset)
    place += (place.empty() ? " at byte " : ", byte ") + std::to_string(error->offset());
  if (error->code() == Status::limit) {
    const auto [key, value] = polycodec::detail::limit_in(error->message());
    text += "; in SQL: SET polycodec_" + std::string(key.empty() ? "NAME" : key) + " = " +
            (value == 0 ? std::string("NUMBER") : std::to_string(2 * value));
  }
  return text.append(" (").append(polycodec::status_name(error->code())).append(place + ")");
}

}  // namespace polycodec_sql
