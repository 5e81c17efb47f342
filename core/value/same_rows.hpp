// SPDX-License-Identifier: MIT
// The fast path of comparing values: many items at once, column by column.
#pragma once

#include <polycodec/items.h>

#include "core/value/differences.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/kept.hpp"
#include "core/value/step.hpp"
#include "core/value/value.hpp"

#include <cstdint>
#include <optional>

namespace polycodec::detail {

/// Items of a list: those of an array from `at` on; or nodes, which are `nodes[at + i]`, or
/// `picked[i][at]` where they come from many blocks.
struct Rows {
  const polycodec_array* array = nullptr;
  const polycodec_node* nodes = nullptr;
  const polycodec_node* const* picked = nullptr;
  std::uint64_t at = 0;

  const polycodec_node& node(std::uint64_t i) const noexcept {
    return picked != nullptr ? picked[i][at] : nodes[at + i];
  }
  Rows from(std::uint64_t i) const noexcept {
    Rows rest = *this;
    if (picked != nullptr)
      rest.picked += i;
    else
      rest.at += i;
    return rest;
  }
};

/// True if both arrays have children of the same names, or as many without names.
bool are_same_columns(const polycodec_array& a, const polycodec_array& b) noexcept;

/// Says of two runs of items that they are surely equal. It never says that they differ: false only
/// sends the caller to compare them one by one, which finds the place and the words. So there is
/// one place that decides what equal means, and this one may know less.
class SameRows {
 public:
  /// `notes` (or null) hears of types that differ where numbers compare by value.
  SameRows(const CompareOptions& options, const Tolerance& tolerance, HostMeter& meter,
           KeptNotes* notes)
      : options_(options), tolerance_(tolerance), meter_(meter), notes_(notes) {}

  /// True if the `n` items of both are equal. Charges the meter by the bytes.
  bool operator()(const Rows& a, const Rows& b, std::uint64_t n, const Step* at) {
    return rows(a, b, n, at, 0);
  }

  /// Numbers that differ, and the largest deviation between two of them.
  struct Apart {
    std::uint64_t count = 0;
    double most = 0;
  };
  /// Those of `n` items of two arrays. Nothing unless both are plain numbers of one type.
  std::optional<Apart> apart(const Rows& a, const Rows& b, std::uint64_t n);

 private:
  using Array = polycodec_array;
  using Node = polycodec_node;
  struct Numbers;

  bool rows(const Rows& a, const Rows& b, std::uint64_t n, const Step* at, std::uint32_t depth);
  bool run(const Rows& a, const Rows& b, std::uint64_t n, const Step* at, std::uint32_t depth);
  bool arrays(const Array& a, std::uint64_t x, const Array& b, std::uint64_t y, std::uint64_t n,
              const Step* at, std::uint32_t depth);
  bool records(const Array& a, std::uint64_t x, const Array& b, std::uint64_t y, std::uint64_t n,
               const Step* at, std::uint32_t depth);
  bool lists(const Array& a, std::uint64_t x, const Array& b, std::uint64_t y, std::uint64_t n,
             const Step* at, std::uint32_t depth);
  bool text(const Rows& a, const Rows& b, std::uint64_t n);
  bool leaves(const Array& a, std::uint64_t x, const Array& b, std::uint64_t y, std::uint64_t n,
              const Step* at);
  bool with_nodes(const Array& a, std::uint64_t x, const Rows& b, std::uint64_t n, bool is_second,
                  const Step* at, std::uint32_t depth);
  bool record_nodes(const Array& a, std::uint64_t x, const Rows& b, std::uint64_t n, bool is_second,
                    const Step* at, std::uint32_t depth);
  bool list_nodes(const Array& a, std::uint64_t x, const Rows& b, std::uint64_t n, bool is_second,
                  const Step* at, std::uint32_t depth);
  bool nodes(const Rows& a, const Rows& b, std::uint64_t n, const Step* at, std::uint32_t depth);
  bool node(const Node& a, const Node& b, const Step* at, std::uint32_t depth);
  bool objects(const Node& a, const Node& b, const Step* at, std::uint32_t depth);
  bool numbers(const Rows& a, const Rows& b, std::uint64_t n, const Step* at);
  bool in_order(bool is_second, const Rows& a, const Rows& b, std::uint64_t n, const Step* at,
                std::uint32_t depth) {
    return is_second ? rows(b, a, n, at, depth) : rows(a, b, n, at, depth);
  }

  const CompareOptions& options_;
  const Tolerance& tolerance_;
  HostMeter& meter_;
  KeptNotes* const notes_;
};

}  // namespace polycodec::detail
