// SPDX-License-Identifier: MIT
#include "host.hpp"

namespace polycodec_sql {

std::string text_of(const std::exception& e) {
  const auto* const error = dynamic_cast<const Error*>(&e);
  if (error == nullptr || dynamic_cast<const Failure*>(&e) != nullptr) return e.what();
  std::string text = error->message();
  std::string place;
  if (!error->codec().empty()) text.insert(0, error->codec() + ": ");
  if (!error->path().empty()) place += " at " + error->path();
  if (error->offset() != Error::no_offset)
    place += (place.empty() ? " at byte " : ", byte ") + std::to_string(error->offset());
  if (error->code() == Status::ambiguous) text += "; in SQL: codec := 'NAME'";
  if (error->code() == Status::limit) text += "; in SQL: SET polycodec_NAME = NUMBER";
  return text.append(" (").append(polycodec::status_name(error->code())).append(place + ")");
}

}  // namespace polycodec_sql
