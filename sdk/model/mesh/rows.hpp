// SPDX-License-Identifier: MIT
// A list of records by its columns, whatever it is made of: columns that are in memory are used
// where they are, documents are gathered.
#pragma once

#include <base/seeded_hash.hpp>
#include <model/mesh/columns.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/view.hpp>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::mesh {

/// One list of records. Not owning: columns are of the value, or are made in the arena of `out`.
///
/// Errors have the path of what is wrong and, with `words` "obj", one of the details obj.bad_member
/// (not a list of records), obj.missing_number, obj.bad_number, obj.bad_index.
class Rows {
 public:
  Rows(const View& rows, std::string path, Builder& out, const char* words = "mesh")
      : rows_(rows), path_(std::move(path)), out_(out), words_(words) {
    if (!rows.is_list()) fail(Status::type, "bad_member", "expected a list of records", path_);
    const polycodec_array* array = rows.array();
    if (array != nullptr && array->layout == POLYCODEC_LAYOUT_RECORD && array->names != nullptr) {
      record_ = array;
      for (std::uint32_t i = 0; i < array->n_children; ++i)
        add_name(to_string_view(array->names[i]));
      return;
    }
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
      const View row = rows.child(i);
      if (row.kind() != POLYCODEC_KIND_OBJECT)
        fail(Status::type, "bad_member", "expected a record",
             path_ + "[" + std::to_string(i) + "]");
      for (std::uint64_t k = 0; k < row.size(); ++k)
        if (k >= names_.size() || names_[static_cast<std::size_t>(k)] != row.name(k))
          add_name(row.name(k));
    }
  }

  std::uint64_t size() const { return rows_.size(); }
  /// The names of all members of the rows, in the order in which they first occur.
  const std::vector<std::string>& names() const noexcept { return names_; }
  /// True if some row may have this member.
  bool has(std::string_view name) const { return known_.count(std::string(name)) != 0; }

  /// A column that Numbers reads, float32 or float64 unless it stands so in the value; an option
  /// where some rows lack the number. `required`: all rows must have it. NULL if no row has it.
  const polycodec_array* numbers(std::string_view name, bool required) {
    if (!has(name)) {
      if (required && size() != 0)
        fail(Status::type, "missing_number", "a number is missing", at(0, name));
      return nullptr;
    }
    if (const polycodec_array* column = find(name);
        column != nullptr && Numbers::fits(*column) &&
        (!required || column->layout == POLYCODEC_LAYOUT_NDARRAY))
      return column;
    const std::uint64_t n = size();
    auto* values = out_.allocate<double>(n);
    auto* present = out_.allocate<std::uint8_t>(n);
    bool all = true;
    bool narrow = true;
    bool integral = true;
    for (std::uint64_t i = 0; i < n; ++i) {
      const View item = member(i, name);
      present[i] = item.is_null() ? 0 : 1;
      values[i] = 0;
      if (item.is_null()) {
        if (required) fail(Status::type, "missing_number", "a number is missing", at(i, name));
        all = false;
        continue;
      }
      try {
        values[i] = item.as_double();
      } catch (const Error& error) {
        fail(error.code(), "bad_number", error.message(), at(i, name));
      }
      narrow = narrow && item.dtype() == POLYCODEC_DTYPE_FLOAT32;
      integral = integral && item.is_integer();
    }
    const auto rows = static_cast<std::size_t>(n);
    const polycodec_array* leaf = narrow && !integral ? copy_as<float>(values, n)
                                  : integral && all && in_bytes(values, n)
                                      ? copy_as<std::uint8_t>(values, n)
                                      : out_.vector(std::span<const double>(values, rows));
    if (all) return leaf;
    polycodec_array* option = out_.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, n, {{leaf}});
    option->index = Builder::column(std::span<const std::uint8_t>(present, rows));
    option->flags = POLYCODEC_ARRAY_MASK_VALID;
    return option;
  }

  /// A 1-d leaf of integers, which every row has.
  const polycodec_array* indices(std::string_view name) {
    if (const polycodec_array* column = find(name);
        column != nullptr && column->layout == POLYCODEC_LAYOUT_NDARRAY && Numbers::fits(*column) &&
        is_integer(column->dtype))
      return column;
    const std::uint64_t n = size();
    auto* values = out_.allocate<std::int64_t>(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      const View item = member(i, name);
      if (!item.is_integer()) fail(Status::type, "bad_index", "expected an index", at(i, name));
      values[i] = index(item, i, name);
    }
    return out_.vector(std::span<const std::int64_t>(values, static_cast<std::size_t>(n)));
  }

  /// A column of integers that Lists reads. Rows without the list have an empty one, unless it is
  /// `required`; a null in a list is -1. NULL if no row has it and it is not required.
  const polycodec_array* lists(std::string_view name, bool required) {
    return gather<std::int64_t>(name, required, "bad_index",
                                [&](const View& item, std::uint64_t row) {
                                  return item.is_null() ? std::int64_t{-1} : index(item, row, name);
                                });
  }
  /// The same for lists of numbers of any kind.
  const polycodec_array* number_lists(std::string_view name) {
    return gather<double>(name, false, "bad_number", [&](const View& item, std::uint64_t row) {
      try {
        return item.as_double();
      } catch (const Error& error) {
        fail(error.code(), "bad_number", error.message(), at(row, name));
      }
    });
  }

  View member(std::uint64_t row, std::string_view name) const {
    return rows_.child(row).find(name).value_or(View());
  }
  std::string at(std::uint64_t row, std::string_view name) const {
    return path_ + "[" + std::to_string(row) + "]." + std::string(name);
  }
  [[noreturn]] void fail(Status status, const char* word, const std::string& message,
                         const std::string& path) const {
    throw Error(status, message).detail(std::string(words_) + "." + word).path(path);
  }

 private:
  void add_name(std::string_view name) {
    if (known_.insert(std::string(name)).second) names_.emplace_back(name);
  }

  const polycodec_array* find(std::string_view name) const {
    if (record_ == nullptr) return nullptr;
    const auto found = ArrayView(*record_).column(name);
    return found ? &found->raw() : nullptr;
  }

  std::int64_t index(const View& item, std::uint64_t row, std::string_view name) const {
    try {
      return item.as_int64();
    } catch (const Error& error) {
      fail(error.code(), "bad_index", error.message(), at(row, name));
    }
  }

  template <class T, class Convert>
  const polycodec_array* gather(std::string_view name, bool required, const char* word,
                                const Convert& convert) {
    if (!has(name)) {
      if (required && size() != 0) fail(Status::type, word, "expected a list", at(0, name));
      if (!required) return nullptr;
    }
    if (const polycodec_array* column = find(name);
        column != nullptr && Lists::fits(*column) &&
        (std::is_floating_point_v<T> || is_integer(Lists(*column).dtype())))
      return column;
    const std::uint64_t n = size();
    auto* offsets = out_.allocate<std::uint64_t>(n + 1);
    offsets[0] = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      const View item = member(i, name);
      if (!item.is_list() && (required || !item.is_null()))
        fail(Status::type, word, "expected a list", at(i, name));
      offsets[i + 1] = offsets[i] + item.size();
    }
    auto* values = out_.allocate<T>(offsets[n]);
    T* to = values;
    for (std::uint64_t i = 0; i < n; ++i) {
      const View item = member(i, name);
      for (std::uint64_t k = 0; k < item.size(); ++k) *to++ = convert(item.child(k), i);
    }
    return out_.list_offsets(
        std::span<const std::uint64_t>(offsets, static_cast<std::size_t>(n + 1)),
        out_.vector(std::span<const T>(values, static_cast<std::size_t>(offsets[n]))));
  }

  static bool in_bytes(const double* values, std::uint64_t n) noexcept {
    bool all = true;
    for (std::uint64_t i = 0; i < n; ++i) all = all && values[i] >= 0 && values[i] <= 255;
    return all;
  }
  template <class T>
  const polycodec_array* copy_as(const double* values, std::uint64_t n) {
    auto* copy = out_.allocate<T>(n);
    for (std::uint64_t i = 0; i < n; ++i) copy[i] = static_cast<T>(values[i]);
    return out_.vector(std::span<const T>(copy, static_cast<std::size_t>(n)));
  }

  View rows_;
  std::string path_;
  Builder& out_;
  const char* words_;
  const polycodec_array* record_ = nullptr;
  std::vector<std::string> names_;
  SeededSet<std::string> known_;
};

}  // namespace polycodec::mesh
