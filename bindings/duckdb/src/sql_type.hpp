// SPDX-License-Identifier: MIT
// Types of SQL for arrays of polycodec (docs/sql.md has the table).
#pragma once

#include "engine.hpp"
#include "host.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polycodec_sql {

/// A type of SQL. LIST and ARRAY have one child; STRUCT and UNION have a name for each child.
struct SqlType {
  duckdb_type id = DUCKDB_TYPE_SQLNULL;
  std::vector<std::string> names{};
  std::vector<SqlType> children{};
  std::uint64_t size = 0;  ///< items of an ARRAY

  bool operator==(const SqlType&) const = default;
};

/// Finds the types of arrays. Arrays may share their children, so that few bytes describe very many
/// fields: the work is charged to a budget, which must outlive it.
class TypeWalk {
 public:
  explicit TypeWalk(const Budget& budget) noexcept : budget_(budget) {}
  /// Returns the type of the items of an array that holds no documents. Throws Failure for more
  /// than 256 alternatives of a union, and for more than 8,192 fields in all.
  SqlType type_of(const polycodec_array& array);

 private:
  void add_fields(std::uint64_t fields);

  const Budget& budget_;
  std::uint64_t fields_ = 0;
};

/// How structs are joined.
enum class Join {
  same_names,  ///< both have the same names
  by_name      ///< a struct gets the names of both, and what one has not is NULL
};

/// Returns the type that holds all values of both without loss, or nothing.
std::optional<SqlType> joined(const SqlType& a, const SqlType& b, Join join);

/// Returns the type as SQL writes it.
std::string to_text(const SqlType& type);

/// Returns the handle that the engine knows the type by.
LogicalType to_logical(const SqlType& type);

/// Returns names as SQL accepts them beside each other: not empty, without NUL, and different also
/// where case does not count.
std::vector<std::string> sql_names(const std::vector<std::string>& names);

/// Returns the names of the fields of a record; those of a tuple are `0`, `1` and so on.
std::vector<std::string> field_names(const polycodec_array& record);

}  // namespace polycodec_sql
