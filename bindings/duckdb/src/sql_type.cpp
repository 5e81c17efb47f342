// SPDX-License-Identifier: MIT
#include "sql_type.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

namespace polycodec_sql {
namespace {

// The engine takes memory for all items of a vector of ARRAY before anything is read.
constexpr std::uint64_t most_array_items = 256;
constexpr std::uint64_t most_fields = 8192;
constexpr std::uint64_t units_of_type = 100;
constexpr std::uint32_t most_alternatives = 256;  // of the engine's type UNION

SqlType list_of(SqlType item) {
  return {DUCKDB_TYPE_LIST, {}, {std::move(item)}, 0};
}

/// Numbers that a vector holds for each row.
std::uint64_t width_of(const SqlType& type) {
  if (type.id == DUCKDB_TYPE_ARRAY) return type.size * width_of(type.children[0]);
  std::uint64_t width = 1;
  if (type.id != DUCKDB_TYPE_LIST)
    for (const SqlType& child : type.children) width = std::max(width, width_of(child));
  return width;
}

/// Items of a fixed number, if they are few.
SqlType array_of(SqlType item, std::uint64_t size) {
  if (size == 0 || size > most_array_items || size * width_of(item) > most_array_items)
    return list_of(std::move(item));
  return {DUCKDB_TYPE_ARRAY, {}, {std::move(item)}, size};
}

duckdb_type timestamp_of(std::uint32_t unit) {
  switch (unit) {
    case POLYCODEC_UNIT_YEAR:
    case POLYCODEC_UNIT_MONTH:
    case POLYCODEC_UNIT_WEEK:
    case POLYCODEC_UNIT_DAY:
      return DUCKDB_TYPE_DATE;
    case POLYCODEC_UNIT_HOUR:
    case POLYCODEC_UNIT_MINUTE:
    case POLYCODEC_UNIT_SECOND:
      return DUCKDB_TYPE_TIMESTAMP_S;
    case POLYCODEC_UNIT_MILLISECOND:
      return DUCKDB_TYPE_TIMESTAMP_MS;
    case POLYCODEC_UNIT_MICROSECOND:
      return DUCKDB_TYPE_TIMESTAMP;
    case POLYCODEC_UNIT_NANOSECOND:
      return DUCKDB_TYPE_TIMESTAMP_NS;
    default:  // the count, as no type of the engine is so fine
      return DUCKDB_TYPE_BIGINT;
  }
}

SqlType leaf_of(const polycodec_array& array) {
  const auto complex = [](duckdb_type part) {
    return SqlType{DUCKDB_TYPE_STRUCT, {"re", "im"}, {{part}, {part}}, 0};
  };
  switch (array.dtype) {
    case POLYCODEC_DTYPE_BOOLEAN:
      return {DUCKDB_TYPE_BOOLEAN};
    case POLYCODEC_DTYPE_INT8:
      return {DUCKDB_TYPE_TINYINT};
    case POLYCODEC_DTYPE_INT16:
      return {DUCKDB_TYPE_SMALLINT};
    case POLYCODEC_DTYPE_INT32:
      return {DUCKDB_TYPE_INTEGER};
    case POLYCODEC_DTYPE_INT64:
      return {DUCKDB_TYPE_BIGINT};
    case POLYCODEC_DTYPE_INT128:
      return {DUCKDB_TYPE_HUGEINT};
    case POLYCODEC_DTYPE_UINT8:
      return {DUCKDB_TYPE_UTINYINT};
    case POLYCODEC_DTYPE_UINT16:
      return {DUCKDB_TYPE_USMALLINT};
    case POLYCODEC_DTYPE_UINT32:
      return {DUCKDB_TYPE_UINTEGER};
    case POLYCODEC_DTYPE_UINT64:
      return {DUCKDB_TYPE_UBIGINT};
    case POLYCODEC_DTYPE_UINT128:
      return {DUCKDB_TYPE_UHUGEINT};
    case POLYCODEC_DTYPE_FLOAT16:
    case POLYCODEC_DTYPE_FLOAT32:
      return {DUCKDB_TYPE_FLOAT};
    case POLYCODEC_DTYPE_FLOAT64:
      return {DUCKDB_TYPE_DOUBLE};
    case POLYCODEC_DTYPE_COMPLEX32:
    case POLYCODEC_DTYPE_COMPLEX64:
      return complex(DUCKDB_TYPE_FLOAT);
    case POLYCODEC_DTYPE_COMPLEX128:
      return complex(DUCKDB_TYPE_DOUBLE);
    case POLYCODEC_DTYPE_TIMESTAMP64:
      return {timestamp_of(array.unit)};
    case POLYCODEC_DTYPE_DURATION64:
      return {array.unit != POLYCODEC_UNIT_NONE && array.unit <= POLYCODEC_UNIT_MICROSECOND
                  ? DUCKDB_TYPE_INTERVAL
                  : DUCKDB_TYPE_BIGINT};
    case POLYCODEC_DTYPE_FIXED_UTF8:
    case POLYCODEC_DTYPE_FIXED_UTF16:
    case POLYCODEC_DTYPE_FIXED_UTF32:
      return {DUCKDB_TYPE_VARCHAR};
    default:  // FIXED_BYTES, and FLOAT128, which the engine has not
      return {DUCKDB_TYPE_BLOB};
  }
}

/// A number type: its bits, and what it holds. Integers of a signed type have one bit less.
struct Number {
  duckdb_type id;
  int bits;
  enum { whole, natural, real } holds;
};
constexpr std::array<Number, 12> numbers = {{{DUCKDB_TYPE_TINYINT, 7, Number::whole},
                                             {DUCKDB_TYPE_SMALLINT, 15, Number::whole},
                                             {DUCKDB_TYPE_INTEGER, 31, Number::whole},
                                             {DUCKDB_TYPE_BIGINT, 63, Number::whole},
                                             {DUCKDB_TYPE_HUGEINT, 127, Number::whole},
                                             {DUCKDB_TYPE_UTINYINT, 8, Number::natural},
                                             {DUCKDB_TYPE_USMALLINT, 16, Number::natural},
                                             {DUCKDB_TYPE_UINTEGER, 32, Number::natural},
                                             {DUCKDB_TYPE_UBIGINT, 64, Number::natural},
                                             {DUCKDB_TYPE_UHUGEINT, 128, Number::natural},
                                             {DUCKDB_TYPE_FLOAT, 24, Number::real},
                                             {DUCKDB_TYPE_DOUBLE, 53, Number::real}}};

const Number* number_of(duckdb_type id) {
  const auto* found =
      std::find_if(numbers.begin(), numbers.end(), [id](const Number& n) { return n.id == id; });
  return found == numbers.end() ? nullptr : found;
}

/// The smallest number type that holds all values of both.
std::optional<SqlType> joined_numbers(const Number& a, const Number& b) {
  const int bits = std::max(a.bits, b.bits);
  const bool real = a.holds == Number::real || b.holds == Number::real;
  const bool natural = a.holds == Number::natural && b.holds == Number::natural;
  const auto kind = real ? Number::real : natural ? Number::natural : Number::whole;
  for (const Number& n : numbers)
    if (n.holds == kind && n.bits >= bits) return SqlType{n.id};
  return std::nullopt;
}

std::optional<SqlType> joined_structs(const SqlType& a, const SqlType& b, Join join) {
  SqlType all = a;
  for (std::size_t i = 0; i < b.names.size(); ++i) {
    const auto at = std::find(all.names.begin(), all.names.end(), b.names[i]);
    if (at == all.names.end()) {
      if (join == Join::same_names) return std::nullopt;
      all.names.push_back(b.names[i]);
      all.children.push_back(b.children[i]);
      continue;
    }
    SqlType& field = all.children[static_cast<std::size_t>(at - all.names.begin())];
    auto both = joined(field, b.children[i], join);
    if (!both) return std::nullopt;
    field = std::move(*both);
  }
  if (join == Join::same_names && a.names.size() != b.names.size()) return std::nullopt;
  return all;
}

}  // namespace

void TypeWalk::add_fields(std::uint64_t fields) {
  fields_ += fields;
  if (fields_ > most_fields)
    throw Failure("more than " + std::to_string(most_fields) +
                  " columns and fields of columns: choose a part with 'at'");
}

SqlType TypeWalk::type_of(const polycodec_array& array) {
  budget_.spend(units_of_type);
  const auto child = [&array](std::uint32_t i) -> const polycodec_array& {
    return *array.children[i];
  };
  const bool text = (array.flags & POLYCODEC_ARRAY_STRING) != 0;
  const bool blob = (array.flags & POLYCODEC_ARRAY_BINARY) != 0;
  switch (array.layout) {
    case POLYCODEC_LAYOUT_NDARRAY: {
      SqlType type = leaf_of(array);
      for (std::uint32_t d = array.ndim; d > 1; --d)
        type = array_of(std::move(type), static_cast<std::uint64_t>(array.shape[d - 1]));
      return type;
    }
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_LIST_FIXED:
      if (text || blob) return {text ? DUCKDB_TYPE_VARCHAR : DUCKDB_TYPE_BLOB};
      return array.layout == POLYCODEC_LAYOUT_LIST_FIXED
                 ? array_of(type_of(child(0)), array.list_size)
                 : list_of(type_of(child(0)));
    case POLYCODEC_LAYOUT_RECORD: {
      add_fields(array.n_children);
      SqlType type{DUCKDB_TYPE_STRUCT, field_names(array), {}, 0};
      for (std::uint32_t i = 0; i < array.n_children; ++i)
        type.children.push_back(type_of(child(i)));
      if (type.children.empty()) return {};  // the engine has no struct without fields
      return type;
    }
    case POLYCODEC_LAYOUT_UNION: {
      if (array.n_children > most_alternatives)
        throw Failure("union of " + std::to_string(array.n_children) +
                      " alternatives: SQL has at most 256; read the members that you need");
      add_fields(array.n_children);
      SqlType type{DUCKDB_TYPE_UNION, {}, {}, 0};
      for (std::uint32_t i = 0; i < array.n_children; ++i) {
        type.names.push_back("m" + std::to_string(i));
        type.children.push_back(type_of(child(i)));
      }
      if (type.children.empty()) return {};
      return type;
    }
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS:
    case POLYCODEC_LAYOUT_INDEXED:
      return type_of(child(0));
    case POLYCODEC_LAYOUT_CHUNKED: {
      SqlType type;
      const std::uint64_t before = fields_;
      std::uint64_t most = before;
      for (std::uint32_t i = 0; i < array.n_children; ++i) {
        fields_ = before;  // the chunks have one type
        const SqlType next = type_of(child(i));
        most = std::max(most, fields_);
        auto both = joined(type, next, Join::by_name);
        if (!both)
          throw Failure("chunks of unlike types " + to_text(type) + " and " + to_text(next) +
                        ": a column has one type; convert the file");
        type = std::move(*both);
      }
      fields_ = most;
      return type;
    }
    default:
      return {};
  }
}

std::optional<SqlType> joined(const SqlType& a, const SqlType& b, Join join) {
  if (a == b || b.id == DUCKDB_TYPE_SQLNULL) return a;
  if (a.id == DUCKDB_TYPE_SQLNULL) return b;
  const Number *first = number_of(a.id), *second = number_of(b.id);
  if (first != nullptr && second != nullptr) return joined_numbers(*first, *second);
  const auto is_list = [](const SqlType& t) {
    return t.id == DUCKDB_TYPE_LIST || t.id == DUCKDB_TYPE_ARRAY;
  };
  if (is_list(a) && is_list(b)) {
    auto item = joined(a.children[0], b.children[0], join);
    if (!item) return std::nullopt;
    if (a.id == b.id && a.size == b.size) return SqlType{a.id, {}, {std::move(*item)}, a.size};
    return list_of(std::move(*item));
  }
  if (a.id == DUCKDB_TYPE_STRUCT && b.id == DUCKDB_TYPE_STRUCT) return joined_structs(a, b, join);
  return std::nullopt;
}

std::string to_text(const SqlType& type) {
  static const std::map<duckdb_type, const char*> words = {
      {DUCKDB_TYPE_SQLNULL, "NULL"},
      {DUCKDB_TYPE_BOOLEAN, "BOOLEAN"},
      {DUCKDB_TYPE_TINYINT, "TINYINT"},
      {DUCKDB_TYPE_SMALLINT, "SMALLINT"},
      {DUCKDB_TYPE_INTEGER, "INTEGER"},
      {DUCKDB_TYPE_BIGINT, "BIGINT"},
      {DUCKDB_TYPE_HUGEINT, "HUGEINT"},
      {DUCKDB_TYPE_UTINYINT, "UTINYINT"},
      {DUCKDB_TYPE_USMALLINT, "USMALLINT"},
      {DUCKDB_TYPE_UINTEGER, "UINTEGER"},
      {DUCKDB_TYPE_UBIGINT, "UBIGINT"},
      {DUCKDB_TYPE_UHUGEINT, "UHUGEINT"},
      {DUCKDB_TYPE_FLOAT, "FLOAT"},
      {DUCKDB_TYPE_DOUBLE, "DOUBLE"},
      {DUCKDB_TYPE_VARCHAR, "VARCHAR"},
      {DUCKDB_TYPE_BLOB, "BLOB"},
      {DUCKDB_TYPE_DATE, "DATE"},
      {DUCKDB_TYPE_TIMESTAMP_S, "TIMESTAMP_S"},
      {DUCKDB_TYPE_TIMESTAMP_MS, "TIMESTAMP_MS"},
      {DUCKDB_TYPE_TIMESTAMP, "TIMESTAMP"},
      {DUCKDB_TYPE_TIMESTAMP_NS, "TIMESTAMP_NS"},
      {DUCKDB_TYPE_INTERVAL, "INTERVAL"}};
  if (type.id == DUCKDB_TYPE_LIST) return to_text(type.children[0]) + "[]";
  if (type.id == DUCKDB_TYPE_ARRAY)
    return to_text(type.children[0]) + "[" + std::to_string(type.size) + "]";
  const auto word = words.find(type.id);
  if (word != words.end()) return word->second;
  std::string text = type.id == DUCKDB_TYPE_UNION ? "UNION(" : "STRUCT(";
  for (std::size_t i = 0; i < type.children.size(); ++i) {
    text += i == 0 ? "\"" : ", \"";
    for (const char c : type.names[i]) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    text += "\" " + to_text(type.children[i]);
  }
  return text + ")";
}

LogicalType to_logical(const SqlType& type) {
  switch (type.id) {
    case DUCKDB_TYPE_LIST:
      return LogicalType(duckdb_create_list_type(to_logical(type.children[0]).get()));
    case DUCKDB_TYPE_ARRAY:
      return LogicalType(duckdb_create_array_type(to_logical(type.children[0]).get(), type.size));
    case DUCKDB_TYPE_STRUCT:
    case DUCKDB_TYPE_UNION: {
      std::vector<LogicalType> owners;
      std::vector<duckdb_logical_type> types;
      std::vector<const char*> words;
      const std::vector<std::string> names = sql_names(type.names);
      for (std::size_t i = 0; i < names.size(); ++i) {
        owners.push_back(to_logical(type.children[i]));
        types.push_back(owners.back().get());
        words.push_back(names[i].c_str());
      }
      const auto make =
          type.id == DUCKDB_TYPE_UNION ? duckdb_create_union_type : duckdb_create_struct_type;
      return LogicalType(make(types.data(), words.data(), types.size()));
    }
    default:
      return LogicalType(duckdb_create_logical_type(type.id));
  }
}

std::vector<std::string> sql_names(const std::vector<std::string>& names) {
  const auto folded = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  std::set<std::string> taken;
  std::vector<std::string> result;
  for (std::string name : names) {
    std::replace(name.begin(), name.end(), '\0', '_');
    if (name.empty()) name = "_";
    std::string free = name;
    for (int i = 1; !taken.insert(folded(free)).second; ++i) free = name + "_" + std::to_string(i);
    result.push_back(std::move(free));
  }
  return result;
}

std::vector<std::string> field_names(const polycodec_array& record) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < record.n_children; ++i)
    names.push_back(record.names != nullptr ? std::string(to_string_view(record.names[i]))
                                            : std::to_string(i));
  return names;
}

}  // namespace polycodec_sql
