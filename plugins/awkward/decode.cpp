// SPDX-License-Identifier: MIT
#include <base/quote.hpp>

#include "array_parts.hpp"
#include "codec.hpp"
#include "evaluator.hpp"
#include "schema.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace polycodec::awkward {
namespace {

/// The rows that the option asks for, of an array or of whatever else is a list.
polycodec_node select_rows(Builder& out, const polycodec_node& value,
                           const std::array<std::int64_t, 2>& rows) {
  if (value.kind != POLYCODEC_KIND_ARRAY)
    throw Error(Status::option, "option 'rows': this value has no rows").path("$.schema");
  const polycodec_array& array = *value.as.array;
  const auto length = static_cast<std::int64_t>(std::min<std::uint64_t>(array.length, INT64_MAX));
  const auto place = [&](std::int64_t row) {
    return std::clamp<std::int64_t>(row < 0 ? row + length : row, 0, length);
  };
  const std::int64_t first = place(rows[0]);
  const std::int64_t last = std::max(first, place(rows[1]));
  return Builder::array(slice(out, array, static_cast<std::uint64_t>(first),
                              static_cast<std::uint64_t>(last - first)));
}

/// The columns that the option asks for, of the records that are nearest to the rows. What the
/// evaluator has left out already is not there; this is for records that do not come from pairs.
class ColumnChoice {
 public:
  ColumnChoice(Builder& out, const std::vector<std::string>& wanted,
               std::set<std::string_view>& met)
      : out_(out), wanted_(wanted), met_(met) {}

  const polycodec_array* of(const polycodec_array& a) {
    if (a.n_children == 0) return &a;
    if (a.layout == POLYCODEC_LAYOUT_RECORD) return a.names == nullptr ? &a : record(a);
    std::vector<const polycodec_array*> children;
    bool same = true;
    for (std::uint32_t i = 0; i < a.n_children; ++i) {
      children.push_back(of(*a.children[i]));
      same = same && children.back() == a.children[i];
    }
    return same ? &a : with(a, children);
  }

 private:
  const polycodec_array* record(const polycodec_array& a) {
    std::vector<const polycodec_array*> children;
    std::vector<polycodec_bytes> names;
    for (std::uint32_t i = 0; i < a.n_children; ++i) {
      met_.insert(to_string_view(a.names[i]));
      if (std::ranges::find(wanted_, to_string_view(a.names[i])) == wanted_.end()) continue;
      children.push_back(a.children[i]);
      names.push_back(a.names[i]);
    }
    if (children.size() == a.n_children) return &a;
    polycodec_array* made = with(a, children);
    // Without any it still is no tuple.
    if (names.empty()) names.push_back({});
    made->names = out_.store_all(std::span<const polycodec_bytes>(names));
    return made;
  }
  polycodec_array* with(const polycodec_array& a,
                        const std::vector<const polycodec_array*>& children) {
    polycodec_array* made = copy_header(out_, a);
    made->children = out_.store_all(std::span<const polycodec_array* const>(children));
    made->n_children = static_cast<std::uint32_t>(children.size());
    return made;
  }

  Builder& out_;
  const std::vector<std::string>& wanted_;
  std::set<std::string_view>& met_;
};

/// A column that no table has is a mistake in the name.
void refuse_unknown_columns(const std::vector<std::string>& wanted,
                            const std::set<std::string_view>& met) {
  for (const std::string& name : wanted) {
    if (met.contains(name)) continue;
    std::string known;
    std::size_t shown_names = 0;
    for (const std::string_view column : met) {
      if (++shown_names > 8) break;
      known += (known.empty() ? "" : ", ") + quote(column);
    }
    throw Error(Status::not_found,
                "option 'columns': no table has a column " + quote(name) +
                    (met.empty() ? "; there is no table" : "; there are " + known) +
                    (met.size() > 8 ? ", .." : ""))
        .detail("array.no_column");
  }
}

polycodec_node read_array(const Call& call, const Input& input, Builder& out,
                          const ArrayName& array, const ReadSettings& settings,
                          std::set<std::string_view>& met) {
  try {
    const std::string_view text = input.blob(array.schema);
    call.tick(text.size());
    const polycodec_node* document = parse_schema(out, text, call.limits());
    Evaluator evaluator(call, input, out, array.schema, *document, settings);
    polycodec_node value = evaluator.root();
    if (settings.columns) {
      met.insert(evaluator.columns_met().begin(), evaluator.columns_met().end());
      if (value.kind == POLYCODEC_KIND_ARRAY)
        value = Builder::array(ColumnChoice(out, *settings.columns, met).of(*value.as.array));
    }
    return settings.rows ? select_rows(out, value, *settings.rows) : value;
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
  std::set<std::string_view> met;
  const auto read = [&](const ArrayName& array) {
    return read_array(call, input, out, array, reading_, met);
  };
  const auto done = [&](const Node& value) {
    if (reading_.columns) refuse_unknown_columns(*reading_.columns, met);
    return value;
  };
  std::optional<std::string> wanted = reading_.array;
  if (!wanted && !input.member().empty()) wanted = std::string(input.member());
  const auto arrays = list_arrays(input.store(), reading_.schema_suffix, wanted.has_value());
  if (wanted) {
    const auto named = [&](const ArrayName& a) { return a.name == *wanted || a.schema == *wanted; };
    const auto found = std::find_if(arrays.begin(), arrays.end(), named);
    if (found != arrays.end()) return done(read(*found));
    throw Error(Status::not_found,
                "no array is called " + quote(*wanted) +
                    (arrays.empty() ? "; there are none" : "; there are " + names_of(arrays)))
        .detail("array.not_found");
  }
  // As the Python library does: an array without a name is the value, others are members of it.
  if (arrays.size() == 1 && arrays[0].name.empty()) {
    const polycodec_node value = read(arrays[0]);
    check_others(input);
    return done(value);
  }
  if (arrays.empty())
    call.log(POLYCODEC_LOG_WARNING, "awkward: there is no array: no blob is a schema");
  polycodec_node* nodes;
  const polycodec_node all = out.object(arrays.size(), &nodes);
  for (const ArrayName& array : arrays) {
    *nodes++ = out.string_copy(array.name);
    *nodes++ = read(array);
  }
  check_others(input);
  return done(all);
}

// Blobs that no array reads are looked at all the same, for the sake of their checksums.
void Awkward::check_others(const Input& input) const {
  if (!reading_.check || reading_.columns || reading_.rows) return;
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
