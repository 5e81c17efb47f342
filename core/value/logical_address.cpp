// SPDX-License-Identifier: MIT
#include "core/value/logical_address.hpp"

#include <base/depth.hpp>
#include <base/sha256.hpp>
#include <base/swap_copy.hpp>
#include <base/view_parts.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/detail/half.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/view.hpp>

#include "core/value/host_meter.hpp"
#include "core/value/step.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

using detail::Step;

/// Items of one element type are hashed so many at a time.
constexpr std::uint64_t block_items = 1024;

bool is_block_item(const View& item) noexcept {
  return item.kind() >= POLYCODEC_KIND_BOOLEAN && item.kind() <= POLYCODEC_KIND_WIDE;
}

/// True if elements are hashed as they are stored.
bool is_direct(std::uint32_t dtype) noexcept {
  return !is_time(dtype) && !is_fixed(dtype) && dtype != POLYCODEC_DTYPE_COMPLEX32;
}

class LogicalHash {
 public:
  LogicalHash(const Limits& limits, HostMeter& meter) : limits_(limits), meter_(meter) {
    write("polycodec logical 1\n", 20);
  }

  std::string run(const View& root, std::uint64_t* hashed) {
    item(root, nullptr, 0);
    end_block();
    if (hashed != nullptr) *hashed = total_;
    hash_.update(buffer_, used_);
    return hash_.finish();
  }

 private:
  // This frame is the one that the depth multiplies.
  void item(const View& value, const Step* at, std::uint32_t depth) {
    if (depth > limits_.max_depth) fail_depth(at);
    check_stack(depth);
    charge(4, at);
    if (is_block_item(value)) return element(value);
    end_block();
    switch (value.kind()) {
      case POLYCODEC_KIND_STRING:
        return text('S', value.as_string(scratch_), at);
      case POLYCODEC_KIND_BINARY:
        return text('B', value.as_bytes(), at);
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return list(value, at, depth);
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        return entries(value, at, depth);
      case POLYCODEC_KIND_EXTENSION:
        text('E', value.name(), at);
        return part(value.child(), Part::payload, at, depth);
      case POLYCODEC_KIND_UNION:
        head('U', static_cast<std::uint64_t>(value.tag()));
        return part(value.child(), Part::member, at, depth);
      case POLYCODEC_KIND_REFERENCE:
        return part(value.target(), Part::target, at, depth);
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION:
        return time(value.kind() == POLYCODEC_KIND_TIMESTAMP ? 'T' : 'D', value.as_time());
      default:
        return head('0', 0);
    }
  }

  /// What a list or an object takes beside its items: its head is hashed, and what waited is
  /// written.
  static constexpr std::uint64_t units_of_list = 16;
  /// The like of a text, the bytes of which are charged besides: at this many a unit.
  static constexpr std::uint64_t units_of_text = 4;
  static constexpr std::uint64_t bytes_a_unit = 4;

  [[gnu::noinline]] void list(const View& value, const Step* at, std::uint32_t depth) {
    const std::uint64_t size = value.size();
    charge(units_of_list, at);
    head('L', size);
    const auto run = value.elements();
    const bool direct = run && is_direct(run->dtype);
    if (direct) return elements(*run, at);
    if (size >= worth_a_row && table(value, at, depth)) return;
    for (std::uint64_t i = 0; i < size; ++i) {
      const Step step{at, &value, i, Step::item, {}};
      item(value.child(i), &step, depth + 1);
    }
    end_block();
  }

  /// Tables of fewer rows are hashed item by item.
  static constexpr std::uint64_t worth_a_row = 16;

  // The rows of a table of numbers, which have the same bytes but for the numbers. False if the
  // list is anything else.
  [[gnu::noinline]] bool table(const View& list, const Step* at, std::uint32_t depth) {
    const auto items = ViewParts::items_of(list);
    if (items.array == nullptr || items.array->layout != POLYCODEC_LAYOUT_RECORD ||
        items.array->names == nullptr || depth + 2 > limits_.max_depth)
      return false;
    const polycodec_array& record = *items.array;
    struct Hole {
      const std::byte* from;
      std::int64_t stride;
      std::uint32_t size, width;  // width of what is swapped; 0 if nothing is
      std::size_t to;
    };
    std::vector<Hole> holes;
    std::string row;
    const auto put = [&row](std::uint64_t value) {
      for (int i = 0; i < 8; ++i, value >>= 8) row += static_cast<char>(value & 0xff);
    };
    row += 'O', put(record.n_children);
    std::uint64_t units = 4 + units_of_list;
    for (std::uint32_t c = 0; c < record.n_children; ++c) {
      const polycodec_array& column = *record.children[c];
      const std::string_view name = to_string_view(record.names[c]);
      if (column.layout != POLYCODEC_LAYOUT_NDARRAY || column.ndim != 1 ||
          !is_direct(column.dtype) || row.size() + name.size() > sizeof buffer_ / 2)
        return false;
      units += 4 + units_of_text + name.size() / bytes_a_unit;
      row += 'S', put(name.size());
      row += name;
      row += 'N', put(column.dtype);
      put(1);
      const std::uint32_t size = dtype_size(column.dtype), width = dtype_swap_width(column.dtype);
      holes.push_back({static_cast<const std::byte*>(column.data) +
                           static_cast<std::int64_t>(items.at) * column.strides[0],
                       column.strides[0], size,
                       column.byte_order == POLYCODEC_BIG_ENDIAN && width > 1 ? width : 0,
                       row.size()});
      row.append(size, '\0');
    }
    for (std::uint64_t i = 0, n = list.size(); i < n; ++i) {
      const Step step{at, &list, i, Step::item, {}};
      charge(units, &step);
      for (const Hole& hole : holes) {
        const std::byte* const from = hole.from + static_cast<std::int64_t>(i) * hole.stride;
        auto* const to = reinterpret_cast<std::byte*>(&row[hole.to]);
        if (hole.width != 0)
          swap_copy(to, from, hole.size / hole.width, hole.width);
        else if (hole.size == 4)
          std::memcpy(to, from, 4);
        else if (hole.size == 8)
          std::memcpy(to, from, 8);
        else
          std::memcpy(to, from, hole.size);
      }
      write(row.data(), row.size());
    }
    return true;
  }

  [[gnu::noinline]] void entries(const View& value, const Step* at, std::uint32_t depth) {
    const bool is_map = value.kind() == POLYCODEC_KIND_MAP;
    charge(units_of_list, at);
    head(is_map ? 'M' : 'O', value.size());
    for (std::uint64_t i = 0, n = value.size(); i < n; ++i) {
      const Step key{at, &value, i, Step::key, {}};
      if (is_map)
        item(value.key(i), &key, depth + 1);
      else
        text('S', value.name(i), at);
      const Step step{at, &value, i, Step::item, {}};
      item(value.child(i), &step, depth + 1);
    }
    end_block();
  }

  [[gnu::noinline]] void part(const View& value, Part which, const Step* at, std::uint32_t depth) {
    const Step step{at, nullptr, 0, Step::part, {}, which};
    item(value, &step, depth + 1);
    end_block();
  }

  [[gnu::noinline]] void time(char tag, const polycodec_time& value) {
    head(tag, value.unit);
    number(static_cast<std::uint64_t>(value.count));
    number(value.nanoseconds);
  }

  void text(char tag, std::string_view bytes, const Step* at) {
    charge(units_of_text + bytes.size() / bytes_a_unit, at);
    end_block();
    head(tag, bytes.size());
    write(bytes.data(), bytes.size());
  }

  /// A number or boolean: it waits for more of its type.
  void element(const View& value) {
    std::byte bits[16];
    std::uint32_t size = value.copy_bits(bits);
    std::uint32_t dtype = value.dtype();
    if (dtype == POLYCODEC_DTYPE_COMPLEX32) {
      // The exact address has it as the next wider type.
      for (unsigned i = 2; i-- > 0;) {
        const float wide = half_to_float(load<std::uint16_t>(bits + 2 * i, std::endian::native));
        std::memcpy(bits + 4 * i, &wide, sizeof wide);
      }
      dtype = POLYCODEC_DTYPE_COMPLEX64;
      size = 8;
    }
    if (waiting_ != 0 && (dtype != dtype_ || waiting_ == block_items)) end_block();
    dtype_ = dtype;
    std::byte* to = block_ + waiting_++ * size;
    const std::uint32_t width = dtype_swap_width(dtype);
    if (std::endian::native == std::endian::big && width > 1)
      swap_copy(to, bits, size / width, width);
    else
      std::memcpy(to, bits, size);
  }
  void end_block() {
    if (waiting_ == 0) return;
    const std::uint64_t count = std::exchange(waiting_, 0);
    head('N', dtype_);
    number(count);
    write(block_, count * dtype_size(dtype_));
  }

  [[gnu::noinline]] void elements(const Elements& run, const Step* at) {
    const std::uint32_t size = run.item_size, width = dtype_swap_width(run.dtype);
    const bool swap = run.byte_order == POLYCODEC_BIG_ENDIAN && width > 1;
    const bool close = run.stride == static_cast<std::int64_t>(size) && !swap;
    const std::byte* from = run.data;
    for (std::uint64_t i = 0; i < run.count;) {
      const std::uint64_t n = std::min(block_items, run.count - i);
      charge(n * size / bytes_a_unit, at);
      head('N', run.dtype);
      number(n);
      i += n;
      if (close) {
        write(from, n * size);
        from += n * size;
        continue;
      }
      std::byte* to = block_;
      for (std::uint64_t k = 0; k < n; ++k, to += size) {
        if (swap)
          swap_copy(to, from, size / width, width);
        else
          std::memcpy(to, from, size);
        // No pointer is made beyond the last element.
        if (k + 1 < n || i < run.count) from += run.stride;
      }
      write(block_, n * size);
    }
  }

  void head(char tag, std::uint64_t value) {
    write(&tag, 1);
    number(value);
  }
  void number(std::uint64_t value) {
    unsigned char bytes[8];
    for (unsigned char& b : bytes) b = static_cast<unsigned char>(value), value >>= 8;
    write(bytes, sizeof bytes);
  }
  void write(const void* data, std::uint64_t size) {
    total_ += size;
    if (size > sizeof buffer_ - used_) {
      hash_.update(buffer_, std::exchange(used_, 0));
      if (size > sizeof buffer_ / 2) return hash_.update(data, static_cast<std::size_t>(size));
    }
    if (size != 0) std::memcpy(buffer_ + used_, data, static_cast<std::size_t>(size));
    used_ += static_cast<std::size_t>(size);
  }

  void charge(std::uint64_t units, const Step* at) {
    try {
      meter_.tick(units);
    } catch (const Error& e) {
      throw Error(e).path(detail::path_of(at));
    }
  }
  [[noreturn, gnu::noinline]] void fail_depth(const Step* at) const {
    throw depth_error(limits_.max_depth).path(detail::path_of(at));
  }

  const Limits& limits_;
  HostMeter& meter_;
  Sha256 hash_;
  std::string scratch_;
  std::uint64_t total_ = 0, waiting_ = 0;
  std::uint32_t dtype_ = 0;
  std::size_t used_ = 0;
  std::byte buffer_[4096];
  std::byte block_[block_items * 16];
};

}  // namespace

std::string logical_address(NodeView value, const Limits& limits, std::shared_ptr<Budget> budget,
                            std::uint64_t* hashed) {
  HostMeter meter(value, limits, std::move(budget));
  // Not on the stack, which may be small.
  const auto hash = std::make_unique<LogicalHash>(limits, meter);
  return hash->run(value, hashed);
}

}  // namespace polycodec
