// SPDX-License-Identifier: MIT
// Filling columnar arrays from items, in two walks: the first counts, the second writes into memory
// of exactly that size. Nothing is held in between but a tree of counters, one for each column.
#pragma once

#include <base/scalar_store.hpp>
#include <model/type/type.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/view.hpp>

#include "core/call/limits.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace polycodec {
class HostMeter;
}  // namespace polycodec

namespace polycodec::detail {

/// An array in the making.
class Column {
 public:
  /// A column for items of this type.
  explicit Column(const type::Type& type);

  /// Counts an item, and charges this walk and the one of fill(). Throws where the item can't be
  /// one of the column.
  void measure(const View& item, const Limits& limits, HostMeter& meter, std::uint32_t depth);
  /// Takes memory for what was counted.
  void allocate(Builder& out, std::uint32_t depth = 0);
  /// Appends an item that was counted.
  void fill(const View& item, Builder& out, const Limits& limits, std::uint32_t depth);
  /// The array, once all items are in.
  polycodec_array* array() const noexcept { return array_; }

 private:
  enum class Form { leaf, text, list, fixed_list, record, masked, chosen, either, document };

  void set_type(const type::Type& type);
  void set_option(const type::Type& inner);
  bool has_filler() const noexcept {
    return form_ == Form::leaf || form_ == Form::text || form_ == Form::list;
  }
  void count(std::uint64_t more, const Limits& limits);
  void measure_leaf(const View& item, HostMeter& meter, std::size_t axis) const;
  void fill_leaf(const View& item, std::size_t axis);
  void measure_missing(const Limits& limits);
  void fill_missing();
  std::uint64_t row_bytes() const noexcept { return row_elements_ * layout_.item_size; }
  void end_list(std::uint64_t end) noexcept {
    offsets_[++filled_] = static_cast<std::int64_t>(end);
  }

  Form form_ = Form::document;
  ElementLayout layout_;
  std::vector<std::int64_t> extents_;  // leaf: axes after the first
  std::uint64_t row_elements_ = 1;
  std::uint64_t list_size_ = 0;
  bool binary_ = false;
  bool tuple_ = false;
  std::vector<std::string> names_;
  std::vector<type::Annotation> annotations_;
  std::vector<Column> children_;

  std::uint64_t length_ = 0;
  std::uint64_t text_size_ = 0;

  std::uint64_t filled_ = 0;
  std::uint64_t text_filled_ = 0;
  std::byte* data_ = nullptr;        // leaf, text, mask
  std::int64_t* offsets_ = nullptr;  // text, list, chosen, either
  std::uint8_t* mask_ = nullptr;
  std::int32_t* tags_ = nullptr;
  polycodec_node* nodes_ = nullptr;
  polycodec_array* array_ = nullptr;
};

}  // namespace polycodec::detail
