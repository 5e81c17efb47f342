// SPDX-License-Identifier: MIT
// The part of a file that a query reads, as a table.
#pragma once

#include "files.hpp"
#include "sql_type.hpp"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace polycodec_sql {

/// What is read of each file.
struct Request {
  std::string at = "$";
  std::string codec;    ///< empty: chosen by the registry
  std::string options;  ///< of the codec, as JSON, or empty
};

/// Decodes a file: what `request.at` names of it, or only these columns of that. `most_rows` bounds
/// the rows, where the format allows it. `match` (or null) receives how the codec was chosen.
/// Throws Error, without the name of the file.
Value decode(const Registry& registry, const Files& files, const std::string& path,
             const Request& request, const std::optional<std::vector<std::string>>& columns,
             std::uint64_t most_rows = UINT64_MAX, polycodec::Match* match = nullptr);

/// A part of a value, which it keeps. Records are rows with their fields as columns, an object is
/// one row of its members, and anything else has one column `value`. Reading it from several
/// threads is safe.
class Table {
 public:
  /// Throws Error if there is no such part, or SQL has no types for it.
  Table(Value value, const std::string& at, const Settings& settings);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// The rows: an array of records. Anything else is the one field `value` of such records.
  const polycodec_array& array() const noexcept { return *array_; }
  std::uint64_t rows() const noexcept { return array_->length; }
  /// A STRUCT with the columns.
  const SqlType& type() const noexcept { return type_; }
  /// The array of a column as a value, or null where the rows are not a plain record.
  Value column(std::size_t i) const;
  /// Whether the type may be another one with other rows, as that of documents, of chunks, and of
  /// lists that happen to have one length.
  bool is_typed_by_rows() const noexcept;

  /// What reading the rows may take.
  const Budget& budget() const noexcept { return budget_; }

 private:
  void read(const std::string& at, const Budget& budget);
  const polycodec_array* part_at(const std::string& path);
  const polycodec_array* object(const View& object);
  const polycodec_array* in_columns(Value part);
  const polycodec_array* one_list(const polycodec_array* items);
  const polycodec_array* record(std::vector<std::string> names,
                                std::vector<const polycodec_array*> children, std::uint64_t length);

  /// What synthetic arrays consist of.
  struct Record {
    polycodec_array array{};
    std::vector<std::string> names;
    std::vector<polycodec_bytes> name_bytes;
    std::vector<const polycodec_array*> children;
    std::int64_t offsets[2] = {0, 0};
  };
  Value value_;
  Budget budget_;
  std::vector<Value> parts_;
  std::deque<Record> made_;
  const polycodec_array* array_ = nullptr;
  SqlType type_;
  bool has_documents_ = false;
};

/// The name of the column of what has no fields.
inline constexpr const char* only_column = "value";

}  // namespace polycodec_sql
