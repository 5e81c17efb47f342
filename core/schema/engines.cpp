// SPDX-License-Identifier: MIT
#include "engines.hpp"

#include "unit_database.hpp"

#include <re2/re2.h>

#include <algorithm>

namespace polycodec::schema {
namespace {

bool find(const void* compiled, std::string_view text) {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()),
                                *static_cast<const re2::RE2*>(compiled));
}

Pattern compile(const std::string& expression, std::int64_t max_bytes) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(max_bytes);
  const auto made = std::make_shared<const re2::RE2>(expression, options);
  if (!made->ok()) return {nullptr, made->error(), 0, nullptr};
  return {made, {}, static_cast<std::uint64_t>(std::max(made->ProgramSize(), 1)), &find};
}

}  // namespace
}  // namespace polycodec::schema

extern "C" {
__attribute__((
    visibility("default"))) extern const polycodec::schema::Engines polycodec_schema_engines;
}

const polycodec::schema::Engines polycodec_schema_engines = {
    sizeof(polycodec::schema::Engines), POLYCODEC_VERSION, &polycodec::schema::compile,
    &polycodec::schema::find_formula, &polycodec::schema::convert_numbers};
