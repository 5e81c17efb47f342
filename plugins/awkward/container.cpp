// SPDX-License-Identifier: MIT
#include "container.hpp"

#include <base/quote.hpp>

#include "listing.hpp"
#include "schema.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace polycodec::awkward {
namespace {

/// What an expression reads, in order.
struct Read {
  std::string name;
  std::string compression;  ///< the function that it is handed to at once, such as
                            ///< "zlib.decompress"; or empty
};

std::string_view text_of(const NodeView& node) {
  return node.is_string() ? node.as_string() : std::string_view();
}

/// The name of a call that is handed a blob, unless it makes an array of it.
std::string function_of(NodeView expression) {
  const auto call = expression.find("call");
  if (!call || !call->is_list()) return {};
  std::string name;
  for (const polycodec_node& part : call->items())
    name.append(name.empty() ? "" : ".").append(text_of(NodeView(&part)));
  return name.ends_with(".decompress") ? name : std::string();
}

/// Collects the blobs that expressions read, with a stack of its own: literals (json, dtype) are
/// not looked into.
std::vector<Read> reads_of(NodeView schema, std::string_view prefix) {
  struct Place {
    const polycodec_node* node;
    std::string compression;
  };
  std::vector<Read> reads;
  std::vector<Place> open{{schema.raw(), {}}};
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    const NodeView view(place.node);
    std::vector<Place> parts;
    if (view.is_list()) {
      for (const polycodec_node& item : view.items()) parts.push_back({&item, place.compression});
    } else if (view.is_object()) {
      const std::string function = function_of(view);
      if (const auto name = view.find("read"); name && name->is_string()) {
        const auto absolute = view.find("absolute");
        const bool whole =
            absolute && absolute->kind() == POLYCODEC_KIND_BOOLEAN && absolute->as_bool();
        reads.push_back(
            {(whole ? std::string() : std::string(prefix)) + std::string(name->as_string()),
             place.compression});
      }
      for (std::uint64_t i = 0; i < view.size(); ++i) {
        const std::string_view key = text_of(view.key(i));
        if (key == "json" || key == "dtype" || key == "python" || key == "read") continue;
        parts.push_back(
            {view.value(i).raw(), key == "args" || key == "*" ? function : std::string()});
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

/// An array of a store and the blobs that it reads.
struct Listed {
  ArrayName array;
  std::uint64_t next_id = 0;
  std::vector<Read> reads;  // each once
};

std::vector<Listed> list_all(const Call& call, const Store& store,
                             const std::optional<std::string>& schema_suffix, Builder& out) {
  std::vector<Listed> all;
  for (ArrayName& array : list_arrays(store, schema_suffix, true)) {
    const std::string_view text = store.read(array.schema);
    call.tick(text.size());
    const NodeView schema(parse_schema(out, text, call.limits()));
    const auto broken = [&](const char* why) {
      throw Error(Status::malformed, "the schema " + quote(array.schema) + " " + why)
          .detail("awkward.schema");
    };
    if (!schema.is_object()) broken("is no JSON object");
    const auto prefix = schema.find("prefix");
    if (prefix && !prefix->is_string()) broken("has a prefix that is no text");
    const std::string_view before = prefix ? prefix->as_string() : std::string_view();
    const auto root = schema.find("schema");
    Listed& made = all.emplace_back();
    std::set<std::string> seen;
    for (Read& read : root ? reads_of(*root, before) : std::vector<Read>()) {
      if (const auto number = number_of(read.name, before))
        made.next_id = std::max(made.next_id, *number + (*number != UINT64_MAX));
      if (seen.insert(read.name).second) made.reads.push_back(std::move(read));
    }
    made.array = std::move(array);
  }
  return all;
}

std::map<std::string_view, std::uint64_t> sizes_of(const Store& store) {
  std::map<std::string_view, std::uint64_t> sizes;
  for (std::uint64_t i = 0; i < store.size(); ++i) {
    const Blob blob = store[i];
    sizes.emplace(blob.name, blob.size);
  }
  return sizes;
}

}  // namespace

Node contents(const Call& call, const Store& store, const std::optional<std::string>& schema_suffix,
              Builder& out) {
  const auto sizes = sizes_of(store);
  const std::vector<Listed> all = list_all(call, store, schema_suffix, out);
  std::vector<Member> members;
  for (const Listed& one : all) {
    std::vector<Node> blobs;
    for (const Read& read : one.reads) {
      const auto size = sizes.find(read.name);
      blobs.push_back(out.object(
          {{"name", out.string_copy(read.name)},
           {"bytes",
            size == sizes.end() ? Builder::null() : Builder::unsigned_integer(size->second)},
           {"compression",
            read.compression.empty() ? Builder::null() : out.string_copy(read.compression)}}));
    }
    members.push_back(
        {one.array.name, out.object({{"schema", Builder::string_view(one.array.schema)},
                                     {"first_id", Builder::unsigned_integer(one.next_id)},
                                     {"blobs", out.list(blobs)}})});
  }
  return out.object(members);
}

Node list(const Call& call, const Store& store, const std::optional<std::string>& schema_suffix,
          Builder& out) {
  const auto sizes = sizes_of(store);
  const std::vector<Listed> all = list_all(call, store, schema_suffix, out);
  std::vector<Member> members;
  for (const Listed& one : all) {
    std::vector<Node> blobs;
    const auto add = [&](std::string_view name, std::string_view filter) {
      std::vector<Member> blob{{"name", out.string_copy(name)}};
      if (const auto size = sizes.find(name); size != sizes.end())
        blob.push_back({"bytes", Builder::unsigned_integer(size->second)});
      if (!filter.empty()) blob.push_back({"filter", out.string_copy(filter)});
      blobs.push_back(out.object(blob));
    };
    add(one.array.schema, {});
    for (const Read& read : one.reads) add(read.name, read.compression);
    members.push_back({one.array.name, out.object({{"blobs", out.list(blobs)}})});
  }
  return out.object(members);
}

}  // namespace polycodec::awkward
