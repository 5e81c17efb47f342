// SPDX-License-Identifier: MIT
#include "core/convert/number_rows.hpp"

#include <base/same_name.hpp>
#include <model/type/infer.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>

#include "core/value/host_meter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace polycodec::detail {
namespace {

constexpr std::size_t least_rows = 17;  // shorter lists may be tuples
constexpr std::size_t most_columns = 1024;
/// Rows that are checked and then copied while they are in the cache.
constexpr std::uint64_t block = 1024;
/// Memory of this size is given back if a later row is unlike the first. Rows that need less are
/// all checked before any is taken.
constexpr std::uint64_t least_returned = std::uint64_t{1} << 20;

struct alignas(16) Unit {
  std::array<std::byte, 16> bytes;
};

class NumberRows {
 public:
  NumberRows(const polycodec_node& first, std::uint64_t n_rows, HostMeter& meter)
      : meter_(meter),
        n_rows_(n_rows),
        n_columns_(polycodec_node_size(&first)),
        units_(n_columns_ * 9 + 10) {}

  /// False if the first row has other things than numbers.
  bool begin(const polycodec_node& first) {
    std::vector<std::string_view> names;
    for (std::uint64_t i = 0; i < n_columns_; ++i) {
      const polycodec_node& value = first.as.nodes[2 * i + 1];
      const bool is_number =
          value.kind == POLYCODEC_KIND_BOOLEAN ||
          (value.kind >= POLYCODEC_KIND_SIGNED && value.kind <= POLYCODEC_KIND_FLOAT);
      if (!is_number) return false;
      names.push_back(NodeView(&first.as.nodes[2 * i]).as_string());
      const bool is_boolean = value.kind == POLYCODEC_KIND_BOOLEAN;
      const std::uint32_t dtype = is_boolean ? std::uint32_t{POLYCODEC_DTYPE_BOOLEAN} : value.dtype;
      columns_.push_back({names.back(), value.kind, value.dtype, dtype, dtype_size(dtype)});
    }
    return type::are_field_names(names);
  }

  /// Whether all columns are within the limits.
  bool fits(const Limits& limits) {
    const std::uint64_t most = limits.memory_for(UINT64_MAX);
    for (Column& column : columns_) {
      std::uint64_t bytes = 0;
      if (!checked_mul(n_rows_, column.item_size, bytes) || bytes > most) return false;
      column.begin = n_units_;
      n_units_ += bytes / sizeof(Unit) + 1;
    }
    return n_rows_ <= limits.max_elements;
  }

  /// The columns, or null if a row is unlike the first.
  polycodec_array* make(const polycodec_node* rows, Builder& out) {
    const std::uint64_t step = n_units_ * sizeof(Unit) < least_returned ? n_rows_ : block;
    Unit* memory = nullptr;
    for (std::uint64_t at = 0; at < n_rows_; at += step) {
      const std::uint64_t end = std::min(at + step, n_rows_);
      for (std::uint64_t row = at; row < end; ++row)
        if (!is_alike(rows[row])) return give_up(memory, out);
      // What the inference of types takes, and then a walk that measures.
      const std::uint64_t units = units_ * (end - at) + (at == 0 ? 10 : 0);
      meter_.tick(units);
      charged_ += units;
      if (memory == nullptr) memory = out.resize<Unit>(nullptr, 0, n_units_);
      for (std::size_t i = 0; i < columns_.size(); ++i)
        copy(rows + at, end - at, i, reinterpret_cast<std::byte*>(memory + columns_[i].begin), at);
    }
    return record(memory, out);
  }

 private:
  struct Column {
    std::string_view name;
    std::uint8_t kind, node_dtype;
    std::uint32_t dtype, item_size;
    std::uint64_t begin = 0;  // in the memory of all
  };

  bool is_alike(const polycodec_node& row) const noexcept {
    if (row.kind != POLYCODEC_KIND_OBJECT || polycodec_node_size(&row) != n_columns_) return false;
    const polycodec_node* node = row.as.nodes;
    for (const Column& column : columns_) {
      const std::string_view name(static_cast<const char*>(node->as.data),
                                  static_cast<std::size_t>(polycodec_node_size(node)));
      if (node->kind != POLYCODEC_KIND_STRING || !is_same_name(name, column.name)) return false;
      ++node;
      if (node->kind != column.kind || node->dtype != column.node_dtype) return false;
      ++node;
    }
    return true;
  }

  /// Copies the low bytes of the numbers.
  void copy(const polycodec_node* rows, std::uint64_t count, std::size_t column, std::byte* to,
            std::uint64_t at) const noexcept {
    static_assert(std::endian::native == std::endian::little);
    const auto each = [&]<std::size_t size>(std::integral_constant<std::size_t, size>) {
      to += at * size;
      for (std::uint64_t i = 0; i < count; ++i, to += size)
        std::memcpy(to, &rows[i].as.nodes[2 * column + 1].as, size);
    };
    switch (columns_[column].item_size) {
      case 1:
        return each(std::integral_constant<std::size_t, 1>{});
      case 2:
        return each(std::integral_constant<std::size_t, 2>{});
      case 4:
        return each(std::integral_constant<std::size_t, 4>{});
      default:
        return each(std::integral_constant<std::size_t, 8>{});
    }
  }

  polycodec_array* give_up(Unit* memory, Builder& out) {
    meter_.budget().give_back(charged_);
    if (memory != nullptr) out.resize<Unit>(memory, n_units_, 0);
    return nullptr;
  }

  polycodec_array* record(const Unit* memory, Builder& out) const {
    std::vector<std::string_view> names;
    std::vector<const polycodec_array*> arrays;
    const auto length = static_cast<std::int64_t>(n_rows_);
    for (const Column& column : columns_) {
      names.push_back(column.name);
      arrays.push_back(
          out.ndarray(to_string_view(memory + column.begin, n_rows_ * column.item_size),
                      static_cast<polycodec_dtype>(column.dtype), column.item_size, {&length, 1}));
    }
    return out.record(n_rows_, names, arrays);
  }

  HostMeter& meter_;
  const std::uint64_t n_rows_, n_columns_, units_;  // units: of a row
  std::uint64_t charged_ = 0;
  std::uint64_t n_units_ = 0;
  std::vector<Column> columns_;
};

}  // namespace

polycodec_array* number_rows(NodeView list, Builder& out, const Limits& limits, HostMeter& meter) {
  if (!list.is_list() || list.is_array()) return nullptr;
  const auto rows = list.items();
  if (rows.size() < least_rows || rows[0].kind != POLYCODEC_KIND_OBJECT || limits.max_depth < 4)
    return nullptr;
  const std::uint64_t n_columns = polycodec_node_size(&rows[0]);
  if (n_columns == 0 || n_columns > most_columns) return nullptr;
  NumberRows made(rows[0], rows.size(), meter);
  if (!made.begin(rows[0]) || !made.fits(limits)) return nullptr;
  try {
    return made.make(rows.data(), out);
  } catch (Error& e) {
    e.path(std::string(path_root));
    throw;
  }
}

}  // namespace polycodec::detail
