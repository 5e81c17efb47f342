// SPDX-License-Identifier: MIT
// Items of arrays to vectors of the engine.
#pragma once

#include "sql_type.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace polycodec_sql {

/// Items that are read: some consecutive ones, or those of an index, where a negative number is a
/// missing item.
class Rows {
 public:
  Rows(std::uint64_t first, std::uint64_t size) noexcept : first_(first), size_(size) {}
  explicit Rows(const std::vector<std::int64_t>& index) noexcept
      : index_(index.data()), size_(index.size()) {}

  std::uint64_t size() const noexcept { return size_; }
  bool is_consecutive() const noexcept { return index_ == nullptr; }
  /// The first item of consecutive ones.
  std::uint64_t first() const noexcept { return first_; }
  std::int64_t operator[](std::uint64_t i) const noexcept {
    return index_ == nullptr ? static_cast<std::int64_t>(first_ + i) : index_[i];
  }

 private:
  const std::int64_t* index_ = nullptr;
  std::uint64_t first_ = 0;
  std::uint64_t size_;
};

/// Copies items of arrays to the vectors of one chunk. An array whose lists share their items may
/// describe more than any memory holds, so a chunk has a largest number of items. For one thread.
class Gather {
 public:
  /// `budget` is charged for what is copied, and outlives it.
  explicit Gather(const Budget& budget) noexcept : budget_(budget) {}
  /// Copies fields of records to one vector each, from row 0 on. `type` is a STRUCT with a field
  /// for each vector, which is null where nobody asks for the field. Throws Failure.
  void put_columns(const std::vector<duckdb_vector>& columns, const SqlType& type,
                   const polycodec_array& array, const Rows& rows);
  /// Copies items to the rows of a vector from `at` on. Throws Failure.
  void put(duckdb_vector vector, std::uint64_t at, const SqlType& type,
           const polycodec_array& array, const Rows& rows);

 private:
  /// What takes fields of records: the members of a struct, or the columns of a chunk.
  struct Fields {
    std::function<duckdb_vector(std::size_t)> vector;  ///< null: not wanted
    std::uint64_t at;
    const SqlType* type;
    std::function<void(std::uint64_t)> null_row;
  };
  void put_records(const Fields& fields, const polycodec_array& array, const Rows& rows);
  void put_record(const Fields& fields, const polycodec_array& record, const Rows& rows);
  void put_lists(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                 const polycodec_array& array, const Rows& rows);
  void put_texts(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                 const polycodec_array& array, const Rows& rows);
  void put_union(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                 const polycodec_array& array, const Rows& rows);
  void put_dimensions(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                      const polycodec_array& array, std::uint32_t dimension,
                      const struct Places& places);
  void charge(std::uint64_t items);

  const Budget& budget_;
  std::uint64_t items_ = 0;
  std::uint64_t uncharged_ = 0;
};

}  // namespace polycodec_sql
