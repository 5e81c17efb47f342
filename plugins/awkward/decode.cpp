// SPDX-License-Identifier: MIT
#include "array_parts.hpp"
#include "codec.hpp"
#include "container.hpp"
#include "evaluator.hpp"
#include "listing.hpp"
#include "schema.hpp"

#include <algorithm>

namespace polycodec::awkward {
namespace {

std::string shown(std::string_view name) {
  return "'" + std::string(name.substr(0, 80)) + "'";
}

/// The rows that the option asks for, of an array or of whatever else is a list.
polycodec_node select_rows(Builder& out, const polycodec_node& value, const std::array<std::int64_t, 2>& rows) {
  if (value.kind != POLYCODEC_ARRAY)
    throw Error(Status::option, "option 'rows': this value has no rows").path("$.schema");
  const polycodec_array& array = *value.as.array;
  const auto length = static_cast<std::int64_t>(std::min<std::uint64_t>(array.length, INT64_MAX));
  const auto place = [&](std::int64_t row) {
    return std::clamp<std::int64_t>(row < 0 ? row + length : row, 0, length);
  };
  const std::int64_t first = place(rows[0]);
  const std::int64_t last = std::max(first, place(rows[1]));
  return Builder::array(
      slice(out, array, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last - first)));
}

polycodec_node read_array(const Call& call, const Input& input, Builder& out, const ArrayName& array,
                          const ReadSettings& settings) {
  try {
    const polycodec_node* document = parse_schema(out, input.blob(array.schema), call.limits());
    Evaluator evaluator(call, input, out, *document, settings);
    const polycodec_node value = evaluator.root();
    return settings.rows ? select_rows(out, value, *settings.rows) : value;
  } catch (const Error& e) {
    throw Error(e.code(), "array " + shown(array.name) + ": " + e.message(), e.offset())
        .detail(e.detail())
        .path(e.path());
  }
}

std::string names_of(const std::vector<ArrayName>& arrays) {
  std::string text;
  for (std::size_t i = 0; i < arrays.size() && i < 8; ++i) text += (i == 0 ? "" : ", ") + shown(arrays[i].name);
  return text + (arrays.size() > 8 ? ", .." : "");
}

}  // namespace

const polycodec_node* Awkward::decode(const Call& call, const Input& input, Builder& out) const {
  if (reading_.contents) return contents(call, input, reading_.schema_suffix, out);
  const auto arrays = list_arrays(input, reading_.schema_suffix);
  if (reading_.array) {
    const auto named = [&](const ArrayName& a) { return a.name == *reading_.array || a.schema == *reading_.array; };
    const auto found = std::find_if(arrays.begin(), arrays.end(), named);
    if (found != arrays.end()) return out.root(read_array(call, input, out, *found, reading_));
    throw Error(Status::not_found, "no array is called " + shown(*reading_.array) +
                                       (arrays.empty() ? "; there are none" : "; there are " + names_of(arrays)))
        .detail("array.not_found");
  }
  // As the Python library does: an array without a name is the value, others are members of it.
  if (arrays.size() == 1 && arrays[0].name.empty()) {
    const polycodec_node value = read_array(call, input, out, arrays[0], reading_);
    check_others(input);
    return out.root(value);
  }
  polycodec_node* nodes;
  const polycodec_node all = out.object(arrays.size(), &nodes);
  for (const ArrayName& array : arrays) {
    *nodes++ = out.string_copy(array.name);
    *nodes++ = read_array(call, input, out, array, reading_);
  }
  check_others(input);
  return out.root(all);
}

// Blobs that no array reads are looked at all the same, for the sake of their checksums.
void Awkward::check_others(const Input& input) const {
  if (!reading_.check || reading_.columns || reading_.rows) return;
  for (std::uint64_t i = 0; i < input.blob_count(); ++i) static_cast<void>(input.blob(input.blob_name(i)));
}

Sniff Awkward::sniff_store(const Input& input) {
  const auto arrays = list_arrays(input, std::nullopt);
  for (const ArrayName& array : arrays) {
    try {
      if (looks_like_schema(input.blob(array.schema)))
        return {95, "the blob " + shown(array.schema) + " begins as the schema of an awkward array"};
    } catch (const Error&) {
      continue;
    }
  }
  return {0, arrays.empty() ? "no blob is a schema" : "no JSON blob begins as a schema"};
}

}  // namespace polycodec::awkward
