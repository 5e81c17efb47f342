// SPDX-License-Identifier: MIT
// Columns of records that are optional, picked by an index, or in chunks.
#pragma once

#include <polycodec/items.h>

#include "core/value/regions.hpp"
#include "core/value/value.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

namespace polycodec::c {

/// An array may choose its records from others (polycodec_is_choice()). No array of the value is a
/// column of it then, so one is made: the same choice from the columns of these records. It is kept
/// with the value, because a path names a part by pointers into the value.
class ChosenColumns final : public Regions {
 public:
  ChosenColumns() noexcept;
  ~ChosenColumns();

  /// The column `name` of the records of `array`, which is all or a part of `of`, with as many
  /// items as it has; null if one of the arrays that it chooses from has none. Made once: linear in
  /// the chunks. Throws Status::limit. [thread-safe]
  const polycodec_array* find(const Value& of, const polycodec_array& array,
                              std::string_view name) const;

  std::string_view region_of(const void* data, std::uint64_t size) const noexcept override;

 private:
  struct Made;
  class Making;

  mutable std::mutex mutex_;
  mutable std::unique_ptr<Made> made_;
};

/// The column of a record; null if it has none of this name.
const polycodec_array* column_named(const polycodec_array& record, std::string_view name) noexcept;

}  // namespace polycodec::c
