// SPDX-License-Identifier: MIT
#include <polycodec/quote.hpp>

#include "schema.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace polycodec::awkward {
namespace {

constexpr std::string_view group_suffix = "/schema.json";
constexpr std::string_view file_suffix = ".json";

}  // namespace

bool looks_like_schema(std::string_view text) noexcept {
  const auto skip_blanks = [&] {
    while (!text.empty() &&
           (text[0] == ' ' || text[0] == '\t' || text[0] == '\r' || text[0] == '\n'))
      text.remove_prefix(1);
  };
  skip_blanks();
  if (!text.starts_with('{')) return false;
  text.remove_prefix(1);
  skip_blanks();
  return text.starts_with("\"awkward0\"") || text.starts_with("\"awkward\"");
}

std::vector<ArrayName> list_arrays(const Store& store, const std::optional<std::string>& suffix,
                                   bool nested) {
  std::vector<ArrayName> arrays;
  const auto add = [&](std::string_view blob, std::string_view ending) {
    arrays.push_back({std::string(blob.substr(0, blob.size() - ending.size())), blob});
  };
  const std::uint64_t count = store.size();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view blob = store[i].name;
    if (suffix) {
      if (blob.ends_with(*suffix)) add(blob, *suffix);
    } else if (blob.ends_with(group_suffix)) {
      if (nested || blob.find('/') == blob.size() - group_suffix.size()) add(blob, group_suffix);
    } else if (blob.ends_with(file_suffix)) {
      add(blob, file_suffix);
    }
  }
  if (!arrays.empty() || suffix) return arrays;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view blob = store[i].name;
    std::string_view content;
    try {
      content = store.read(i);
    } catch (const Error&) {
      continue;  // it says so when it is asked for
    }
    if (looks_like_schema(content)) add(blob, {});
  }
  return arrays;
}

namespace {

/// What an expression reads, in order.
struct Read {
  std::string name;
  std::string function;  ///< the function that it is handed to at once, such as
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
std::vector<Read> reads_of(NodeView schema, const std::string& group, std::string_view prefix) {
  struct Place {
    const polycodec_node* node;
    std::string function;
  };
  std::vector<Read> reads;
  std::vector<Place> open{{schema.raw(), {}}};
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    const NodeView view(place.node);
    std::vector<Place> parts;
    if (view.is_list()) {
      for (const polycodec_node& item : view.items()) parts.push_back({&item, place.function});
    } else if (view.is_object()) {
      const std::string function = function_of(view);
      if (const auto name = view.find("read"); name && name->is_string()) {
        const auto absolute = view.find("absolute");
        const bool whole =
            absolute && absolute->kind() == POLYCODEC_KIND_BOOLEAN && absolute->as_bool();
        reads.push_back({group + std::string(whole ? std::string_view() : prefix) +
                             std::string(name->as_string()),
                         place.function});
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

/// The blobs that an array reads, each once.
std::vector<Read> reads_of(const Call& call, const Store& store, const ArrayName& array,
                           Builder& out) {
  const std::string_view text = store.read(array.schema);
  call.tick(text.size());
  const NodeView schema(parse_schema(out, text, call.limits()));
  const auto broken = [&](const char* why) {
    throw Error(Status::malformed, "the schema " + quote(array.schema) + " " + why)
        .detail("awkward.schema");
  };
  if (!schema.is_object()) broken("is not a JSON object");
  const auto prefix = schema.find("prefix");
  if (prefix && !prefix->is_string()) broken("has a prefix that is not a string");
  const auto root = schema.find("schema");
  std::vector<Read> reads;
  std::set<std::string> seen;
  const std::string_view before = prefix ? prefix->as_string() : std::string_view();
  for (Read& read :
       root ? reads_of(*root, group_of(array.schema, before), before) : std::vector<Read>())
    if (seen.insert(read.name).second) reads.push_back(std::move(read));
  return reads;
}

}  // namespace

Node list(const Call& call, const Store& store, const std::optional<std::string>& schema_suffix,
          Builder& out) {
  std::map<std::string_view, std::uint64_t> sizes;
  for (std::uint64_t i = 0; i < store.size(); ++i) sizes.emplace(store[i].name, store[i].size);
  std::vector<Member> members;
  const auto arrays = list_arrays(store, schema_suffix, true);  // members view their names
  for (const ArrayName& array : arrays) {
    std::vector<Node> blobs;
    const auto add = [&](std::string_view name, std::string_view filter) {
      std::vector<Member> blob{{"name", out.string_copy(name)}};
      if (const auto size = sizes.find(name); size != sizes.end())
        blob.push_back({"bytes", Builder::unsigned_integer(size->second)});
      if (!filter.empty()) blob.push_back({"filter", out.string_copy(filter)});
      blobs.push_back(out.object(blob));
    };
    add(array.schema, {});
    for (const Read& read : reads_of(call, store, array, out)) add(read.name, read.function);
    members.push_back({array.name, out.object({{"blobs", out.list(blobs)}})});
  }
  return out.object(members);
}

std::string group_of(std::string_view schema, std::string_view prefix) {
  if (!schema.ends_with(group_suffix)) return {};
  const std::string_view array = schema.substr(0, schema.size() - group_suffix.size());
  // The name of an array begins its prefix, and is its path in the group: the longest that fits.
  std::size_t start = 0;
  for (;;) {
    const std::size_t next = array.find('/', start);
    if (prefix.starts_with(array.substr(start)) || next == std::string_view::npos)
      return std::string(array.substr(0, start));
    start = next + 1;
  }
}

std::uint64_t free_id(const Store& store, std::string_view prefix) {
  std::uint64_t free = 0;
  for (std::uint64_t i = 0; i < store.size(); ++i) {
    std::string_view name = store[i].name;
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    std::uint64_t number = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ec == std::errc())
      free = std::max(free, number + (number != UINT64_MAX));
  }
  return free;
}

}  // namespace polycodec::awkward
