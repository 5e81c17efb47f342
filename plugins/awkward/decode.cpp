// SPDX-License-Identifier: MIT
#include <polycodec/quote.hpp>

#include "array_parts.hpp"
#include "codec.hpp"
#include "evaluator.hpp"
#include "extras.hpp"
#include "schema.hpp"

#include <algorithm>
#include <vector>

namespace polycodec::awkward {
namespace {

polycodec_node read_array(const Call& call, const Input& input, Builder& out,
                          const ArrayName& array, const ReadSettings& settings,
                          const Wanted& wanted) {
  try {
    const std::string_view text = input.blob(array.schema);
    call.tick(text.size());
    const polycodec_node* document = parse_schema(out, text, call.limits());
    Evaluator evaluator(call, input, out, array.schema, *document, settings);
    return with_about(out, evaluator.root(wanted), NodeView(document));
  } catch (const Error& e) {
    // An array without a name is the whole file.
    const std::string where =
        array.name.empty() ? std::string() : "array " + quote(array.name) + ": ";
    throw Error(e.code(), where + e.message(), e.offset()).detail(e.detail()).path(e.path());
  }
}

std::string names_of(const std::vector<ArrayName>& arrays) {
  std::string text;
  for (std::size_t i = 0; i < arrays.size() && i < 8; ++i)
    text += (i == 0 ? "" : ", ") + quote(arrays[i].name);
  return text + (arrays.size() > 8 ? ", .." : "");
}

}  // namespace

Node Awkward::decode(Call& call, const Input& input, Builder& out) const {
  const Wanted everything(call.projection());
  const auto read = [&](const ArrayName& array, const Wanted& part) {
    return read_array(call, input, out, array, reading_, part);
  };
  std::optional<std::string> wanted = reading_.array;
  if (!wanted && !input.member().empty()) wanted = std::string(input.member());
  const auto arrays = list_arrays(input.store(), reading_.schema_suffix, wanted.has_value());
  if (wanted) {
    const auto named = [&](const ArrayName& a) { return a.name == *wanted || a.schema == *wanted; };
    const auto found = std::find_if(arrays.begin(), arrays.end(), named);
    if (found != arrays.end()) return read(*found, everything);
    throw Error(Status::not_found,
                "no array is called " + quote(*wanted) +
                    (arrays.empty() ? "; there are none" : "; there are " + names_of(arrays)))
        .detail("array.not_found");
  }
  // As the Python library does: an array without a name is the value, others are members of it.
  if (arrays.size() == 1 && arrays[0].name.empty()) {
    const polycodec_node value = read(arrays[0], everything);
    if (everything.all()) check_others(input);
    return value;
  }
  if (arrays.empty())
    call.log(POLYCODEC_LOG_WARNING, "awkward: there is no array: no blob is a schema");
  const Wanted& members = everything.of(arrays, &ArrayName::name);
  std::vector<Member> all;
  for (const ArrayName& array : arrays)
    if (const Wanted* const part = members.find(array.name))
      all.push_back({array.name, read(array, *part)});
  if (everything.all()) check_others(input);
  return out.object(std::span<const Member>(all));
}

// Blobs that no array reads are looked at all the same, for the sake of their checksums.
void Awkward::check_others(const Input& input) const {
  if (!reading_.check) return;
  const Store store = input.store();
  for (std::uint64_t i = 0; i < store.size(); ++i) static_cast<void>(store.read(i));
}

Node Awkward::list(Call& call, const Store& store, Builder& out) const {
  return awkward::list(call, store, reading_.schema_suffix, out);
}

Sniff Awkward::sniff(Call&, const Input& input) {
  if (!input.has_store()) return {0, "not a store of blobs"};
  const auto arrays = list_arrays(input.store(), std::nullopt);
  for (const ArrayName& array : arrays) {
    try {
      if (looks_like_schema(input.blob(array.schema)))
        return {95,
                "the blob " + quote(array.schema) + " begins as the schema of an awkward array"};
    } catch (const Error&) {
      continue;
    }
  }
  return {0, arrays.empty() ? "no blob is a schema" : "no JSON blob begins as a schema"};
}

}  // namespace polycodec::awkward
