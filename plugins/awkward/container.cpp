// SPDX-License-Identifier: MIT
#include "container.hpp"

#include "listing.hpp"
#include "schema.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <vector>

namespace polycodec::awkward {
namespace {

/// What an expression reads, in order.
struct Read {
  std::string name;
  std::string compression;  ///< the function that it is handed to at once, such as "zlib.decompress"; or empty
};

std::string_view text_of(const View& node) {
  return node.is_string() ? node.as_string() : std::string_view();
}

/// The name of a call that is handed a blob, unless it makes an array of it.
std::string function_of(View expression) {
  const auto call = expression.find("call");
  if (!call || !call->is_list()) return {};
  std::string name;
  for (const polycodec_node& part : call->items()) name.append(name.empty() ? "" : ".").append(text_of(View(&part)));
  return name.ends_with(".decompress") ? name : std::string();
}

/// Collects the blobs that expressions read, with a stack of its own: literals (json, dtype) are not looked into.
std::vector<Read> reads_of(View schema, std::string_view prefix) {
  struct Place {
    const polycodec_node* node;
    std::string compression;
  };
  std::vector<Read> reads;
  std::vector<Place> open{{schema.raw(), {}}};
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    const View view(place.node);
    std::vector<Place> parts;
    if (view.is_list()) {
      for (const polycodec_node& item : view.items()) parts.push_back({&item, place.compression});
    } else if (view.is_object()) {
      const std::string function = function_of(view);
      if (const auto name = view.find("read"); name && name->is_string()) {
        const auto absolute = view.find("absolute");
        const bool whole = absolute && absolute->kind() == POLYCODEC_BOOLEAN && absolute->as_bool();
        reads.push_back(
            {(whole ? std::string() : std::string(prefix)) + std::string(name->as_string()), place.compression});
      }
      for (std::uint64_t i = 0; i < view.size(); ++i) {
        const std::string_view key = text_of(view.key(i));
        if (key == "json" || key == "dtype" || key == "python" || key == "read") continue;
        parts.push_back({view.value(i).raw(), key == "args" || key == "*" ? function : std::string()});
      }
    }
    std::move(parts.rbegin(), parts.rend(), std::back_inserter(open));
  }
  return reads;
}

/// The number in a blob's name behind the prefix, or nothing.
std::optional<std::uint64_t> number_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
  return failure == std::errc() ? std::optional(number) : std::nullopt;
}

}  // namespace

const polycodec_node* contents(const Call& call, const Input& input, const std::optional<std::string>& schema_suffix,
                               Builder& out) {
  std::map<std::string_view, std::uint64_t> sizes;
  for (std::uint64_t i = 0; i < input.blob_count(); ++i) {
    polycodec_bytes name{};
    std::uint64_t size = 0;
    auto error = make_error();
    const polycodec_store& store = *input.raw().store;
    if (const auto code = store.entry(store.context, i, &name, &size, &error)) throw to_error(code, error);
    sizes.emplace(to_string_view(name), size);
  }
  const std::vector<ArrayName> arrays = list_arrays(input, schema_suffix, true);
  std::vector<Member> members;
  for (const ArrayName& array : arrays) {
    call.check_cancelled();
    const View schema(parse_schema(out, input.blob(array.schema), call.limits()));
    const auto broken = [&](const char* why) {
      throw Error(Status::malformed, "the schema '" + std::string(array.schema) + "' " + why)
          .detail("awkward.schema");
    };
    if (!schema.is_object()) broken("is no JSON object");
    const auto prefix = schema.find("prefix");
    if (prefix && !prefix->is_string()) broken("has a prefix that is no text");
    const std::string_view before = prefix ? prefix->as_string() : std::string_view();
    const auto root = schema.find("schema");
    std::vector<Read> reads = root ? reads_of(*root, before) : std::vector<Read>();
    std::uint64_t next = 0;
    std::map<std::string, bool> seen;
    std::vector<polycodec_node> blobs;
    for (const Read& read : reads) {
      if (const auto number = number_of(read.name, before)) next = std::max(next, *number + (*number != UINT64_MAX));
      if (!seen.emplace(read.name, true).second) continue;
      const auto size = sizes.find(read.name);
      blobs.push_back(out.object(
          {{"name", out.string_copy(read.name)},
           {"bytes", size == sizes.end() ? Builder::null() : Builder::unsigned_integer(size->second)},
           {"compression", read.compression.empty() ? Builder::null() : out.string_copy(read.compression)}}));
    }
    members.push_back({array.name, out.object({{"schema", Builder::string_view(array.schema)},
                                               {"first_id", Builder::unsigned_integer(next)},
                                               {"blobs", out.list(blobs)}})});
  }
  return out.root(out.object(members));
}

}  // namespace polycodec::awkward
