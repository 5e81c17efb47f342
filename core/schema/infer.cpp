// SPDX-License-Identifier: MIT
#include <base/column_read.hpp>
#include <base/depth.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

#include "core/schema/schema.hpp"
#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/value.hpp"
#include "facet.hpp"
#include "validator.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace polycodec::schema {
namespace {

constexpr std::size_t max_alternatives = 16;

class Inference {
 public:
  Inference(Builder& out, const InferOptions& options, const Limits& limits, HostMeter& meter)
      : out_(out), options_(options), limits_(limits), meter_(meter) {}

  polycodec_node of(const Item& item, std::uint32_t depth) {
    check_depth(depth, limits_.max_depth);
    meter_.tick(units_of_step);
    const Facet facet = facet_of(item);
    if (options_.geometry && facet.geometry)
      return titled(with_type(name_of(*facet.geometry)), item);
    switch (facet.natural) {
      case Word::any:
        return facet.own_word.empty() ? out_.object({}) : with_type(facet.own_word);
      case Word::scalar:
        return scalar(item, facet);
      case Word::ndarray:
        return ndarray(item, facet, leaf_of(item));
      case Word::array:
        if (const polycodec_array* table = table_of(item); table != nullptr && is_table(*table))
          return columns(*table, item.units());
        // Arrays in columns say by their forms what all items are.
        if (item.array() != nullptr)
          return list_of(rows(*item.array(), item.units(), depth + 1), item);
        return list(item, depth);
      case Word::object:
        return object(item, depth);
      default:
        return titled(with_type(name_of(facet.natural)), item);
    }
  }

 private:
  using Members = std::vector<Member>;
  using Units = std::optional<std::string_view>;

  polycodec_node with_type(std::string_view word) {
    return out_.object({{"type", out_.string_copy(word)}});
  }
  polycodec_node made(const Members& members) {
    return out_.object(std::span<const Member>(members));
  }
  polycodec_node count(std::uint64_t value) {
    return value > static_cast<std::uint64_t>(INT64_MAX)
               ? Builder::unsigned_integer(value)
               : Builder::integer(static_cast<std::int64_t>(value));
  }

  void add_title(Members& members, const Item& item) {
    if (const auto title = attribute(item, attribute_title))
      members.push_back({"title", out_.string_copy(*title)});
  }
  polycodec_node titled(polycodec_node schema, const Item& item) {
    const auto title = attribute(item, attribute_title);
    if (!title) return schema;
    Members members{{"type", *NodeView(&schema).find("type")->raw()}};
    add_title(members, item);
    return made(members);
  }

  // type, subtype, precision, units
  Members typed(std::string_view word, const Facet& facet, std::uint64_t precision) {
    Members members{{"type", out_.string_copy(word)},
                    {"subtype", out_.string_copy(name_of(facet.subtype))}};
    if (facet.subtype != Subtype::string || !options_.minimal)
      members.push_back({"precision", count(precision)});
    if (facet.units) members.push_back({"units", out_.string_copy(*facet.units)});
    return members;
  }
  void add_encoding(Members& members, const Facet& facet) {
    if (facet.subtype == Subtype::string && facet.encoding != Encoding::none)
      members.push_back({"encoding", out_.string_copy(name_of(facet.encoding))});
  }

  polycodec_node scalar(const Item& item, const Facet& facet) {
    const std::uint64_t precision = facet.subtype == Subtype::string && !options_.minimal
                                        ? text_precision(item, facet)
                                        : facet.precision;
    Members members = typed("scalar", facet, precision);
    add_encoding(members, facet);
    add_title(members, item);
    return made(members);
  }

  // `leaf` null: the shape is not told.
  polycodec_node ndarray(const Item& item, const Facet& facet, const polycodec_array* leaf) {
    const auto word = attribute(item, attribute_type);
    Members members =
        typed(word == "1darray" && leaf != nullptr && leaf->ndim == 1 ? "1darray" : "ndarray",
              facet, facet.precision);
    if (!options_.minimal && leaf != nullptr) {
      std::vector<polycodec_node> extents;
      for (const std::int64_t extent : ArrayView(*leaf).shape())
        extents.push_back(Builder::integer(extent));
      members.push_back({"shape", out_.list(std::span<const polycodec_node>(extents))});
    }
    add_encoding(members, facet);
    add_title(members, item);
    return made(members);
  }

  polycodec_node object(const Item& item, std::uint32_t depth) {
    Members properties;
    std::vector<std::string_view> names;
    for (std::uint64_t i = 0; i < item.size(); ++i) names.push_back(item.name(i));
    std::sort(names.begin(), names.end());
    const bool twice = std::adjacent_find(names.begin(), names.end()) != names.end();
    // A name that is there twice has no schema of its own: both must fit it.
    for (std::uint64_t i = 0; i < item.size(); ++i) {
      const auto [begin, end] = std::equal_range(names.begin(), names.end(), item.name(i));
      if (!twice || end - begin == 1)
        properties.push_back({item.name(i), of(item.child(i), depth + 1)});
    }
    Members members{{"type", Builder::string_view("object")}, {"properties", made(properties)}};
    add_title(members, item);
    return made(members);
  }

  polycodec_node list(const Item& item, std::uint32_t depth) {
    const std::uint64_t size = item.size();
    std::vector<polycodec_node> schemas;
    if (size <= options_.max_tuple) {
      for (std::uint64_t i = 0; i < size; ++i) schemas.push_back(of(item.child(i), depth + 1));
      return list_of(out_.list(std::span<const polycodec_node>(schemas)), item);
    }
    for (std::uint64_t i = 0; i < size; ++i)
      if (!add(schemas, of(item.child(i), depth + 1))) return with_type("array");
    return list_of(alternatives(schemas), item);
  }

  polycodec_node list_of(const polycodec_node& items, const Item& item) {
    Members members{{"type", Builder::string_view("array")}, {"items", items}};
    add_title(members, item);
    return made(members);
  }

  polycodec_node alternatives(const std::vector<polycodec_node>& schemas) {
    if (schemas.size() == 1) return schemas[0];
    return out_.object({{"anyOf", out_.list(std::span<const polycodec_node>(schemas))}});
  }

  static bool is_table(const polycodec_array& record) {
    for (std::uint32_t i = 0; i < record.n_children; ++i)
      if (record.children[i]->ndim != 1 ||
          !has(facet_of(Item(ArrayView(*record.children[i]))).words, Word::ndarray))
        return false;
    return record.n_children != 0;
  }

  polycodec_node columns(const polycodec_array& record, Units units) {
    std::vector<polycodec_node> schemas;
    for (std::uint32_t i = 0; i < record.n_children; ++i) {
      const Item column(ArrayView(*record.children[i]), units);
      Members members = typed("ndarray", facet_of(column), facet_of(column).precision);
      if (!options_.minimal) {
        const polycodec_node rows = count(record.length);
        members.push_back({"shape", out_.list({rows})});
      }
      add_encoding(members, facet_of(column));
      members.push_back({"title", out_.string_copy(ArrayView(record).name(i))});
      schemas.push_back(made(members));
    }
    return out_.object({{"type", Builder::string_view("array")},
                        {"items", out_.list(std::span<const polycodec_node>(schemas))}});
  }

  // A row of numbers or fixed strings in columns is written as one ndarray, and as an empty array
  // if it has none.
  polycodec_node row_of_numbers(const Facet& facet) {
    Members members = typed("array", facet, facet.precision);
    members[0].value = out_.list({Builder::string_view("array"), Builder::string_view("ndarray")});
    add_encoding(members, facet);
    return made(members);
  }

  // The schema of all items of an array.
  polycodec_node rows(const polycodec_array& array, Units units, std::uint32_t depth) {
    check_depth(depth, limits_.max_depth);
    meter_.tick(units_of_step);
    // What all items have in common.
    const Item all(ArrayView(array), units);
    units = all.units();
    const ArrayView view(array);
    const auto or_null = [&](const polycodec_node& schema) {
      return alternatives({schema, with_type("null")});
    };
    switch (view.layout()) {
      case POLYCODEC_LAYOUT_NDARRAY: {
        if (array.length == 0 || array.ndim == 0) return out_.object({});
        // One row stands for all.
        return of(all.child(0), depth);
      }
      case POLYCODEC_LAYOUT_RECORD: {
        std::vector<polycodec_node> schemas;
        Members properties;
        for (std::uint32_t i = 0; i < array.n_children; ++i) {
          schemas.push_back(rows(*array.children[i], units, depth + 1));
          if (view.has_names()) properties.push_back({view.name(i), schemas.back()});
        }
        if (!view.has_names())
          return out_.object({{"type", Builder::string_view("array")},
                              {"items", out_.list(std::span<const polycodec_node>(schemas))}});
        return out_.object(
            {{"type", Builder::string_view("object")}, {"properties", made(properties)}});
      }
      case POLYCODEC_LAYOUT_UNION:
        return out_.object({});
      case POLYCODEC_LAYOUT_OPTION_BYTES:
      case POLYCODEC_LAYOUT_OPTION_BITS:
        return or_null(rows(*array.children[0], units, depth + 1));
      case POLYCODEC_LAYOUT_INDEXED: {
        const polycodec_node inner = rows(*array.children[0], units, depth + 1);
        meter_.tick(array.index.stride == 0 ? 1 : array.length / 16);
        return has_negative(array.index, array.length) ? or_null(inner) : inner;
      }
      case POLYCODEC_LAYOUT_CHUNKED:
        return chunks(array, units, depth);
      case POLYCODEC_LAYOUT_DOCUMENT:
        return out_.object({});
      default:
        if (view.is_string()) return with_type("string");
        if (view.is_binary())
          return out_.object({{"type", Builder::string_view("scalar")},
                              {"subtype", Builder::string_view("string")}});
        if (const polycodec_array& content = *array.children[0]; content.ndim == 1)
          if (const Facet facet = facet_of(Item(ArrayView(content), units));
              has(facet.words, Word::ndarray))
            return row_of_numbers(facet);
        return out_.object({{"type", Builder::string_view("array")},
                            {"items", rows(*array.children[0], units, depth + 1)}});
    }
  }

  // The schemas of all chunks that have items; of the others one, if there is nothing else.
  polycodec_node chunks(const polycodec_array& array, Units units, std::uint32_t depth) {
    std::vector<polycodec_node> schemas;
    for (std::uint32_t i = 0; i < array.n_children; ++i) {
      if (array.children[i]->length == 0 && (array.length != 0 || !schemas.empty())) continue;
      if (!add(schemas, rows(*array.children[i], units, depth + 1))) return out_.object({});
    }
    return schemas.empty() ? out_.object({}) : alternatives(schemas);
  }

  // Adds a schema unless it is there. False if there are too many.
  static bool add(std::vector<polycodec_node>& schemas, const polycodec_node& schema) {
    const auto same = [&](const polycodec_node& other) {
      return equal(NodeView(&other), NodeView(&schema));
    };
    // Items often look like the one before.
    if (std::any_of(schemas.rbegin(), schemas.rend(), same)) return true;
    schemas.push_back(schema);
    return schemas.size() <= max_alternatives;
  }

  Builder& out_;
  const InferOptions& options_;
  const Limits& limits_;
  HostMeter& meter_;
};

}  // namespace

Schema infer(NodeView value, const InferOptions& options, const Limits& limits) {
  HostMeter meter(value, limits);
  Value document;  // charged as long as it lives
  Builder out(document.prepare(UINT64_MAX, &meter.budget()));
  document.set_root(out.root(Inference(out, options, limits, meter).of(Item(value), 0)));
  Limits own = limits;
  // Two levels of schema, the object and its properties or items, stand for one of the value.
  own.max_depth = limits.max_depth > UINT32_MAX / 4 ? UINT32_MAX : limits.max_depth * 4 + 4;
  return Schema::from_view(document.view(), own);
}

}  // namespace polycodec::schema
