// SPDX-License-Identifier: MIT
// Filling columnar arrays from items, in two walks: the first counts, the second writes into memory
// of exactly that size. Nothing is held in between but a tree of counters, one for each column.
#pragma once

#include <base/scalar_store.hpp>
#include <model/type/type.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/view.hpp>

#include "core/call/limits.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
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

  /// What the first walk may take.
  struct Bounds {
    const Limits& limits;
    HostMeter& meter;
    const std::uint64_t max_memory = limits.memory_for(UINT64_MAX);
  };
  /// Counts an item, unless it `is_counted`, and charges this walk and the one of fill(). Throws
  /// where the item can't be one of the column.
  void measure(const View& item, const Bounds& bounds, std::uint32_t depth,
               bool is_counted = false);
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
  std::uint64_t each_bytes() const noexcept {
    // Items that take no memory of their own are bounded like those that do: walking them takes
    // time.
    return form_ == Form::leaf ? std::max<std::uint64_t>(row_bytes(), 1) : 8;
  }
  /// Whether each item has one of each child.
  bool shares_items() const noexcept { return form_ == Form::record || form_ == Form::masked; }
  void count(std::uint64_t more, const Bounds& bounds);
  /// Whether so many more can be counted here and in children that share them.
  bool has_room(std::uint64_t more, const Bounds& bounds) const noexcept;
  void count_shared(std::uint64_t more) noexcept;
  void measure_leaf(const View& item, HostMeter& meter, std::size_t axis) const;
  void fill_leaf(const View& item, std::size_t axis);
  void measure_missing(const Bounds& bounds, bool is_counted);
  void fill_missing();
  /// Appends what a node holds, if that is the text or the number that the column has.
  bool fill_node(const polycodec_node& node);
  void append_text(std::string_view text);
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
