// SPDX-License-Identifier: MIT
#include "common/statistics.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/detail/half.hpp>
#include <polycodec/path.hpp>

#include "common/chosen_rows.hpp"
#include "common/threads.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <type_traits>

namespace polycodec::cli {
namespace {

/// So many levels fit on every stack.
constexpr std::uint32_t deepest = 2000;

bool is_plain_number(std::uint32_t dtype) {
  return dtype >= POLYCODEC_DTYPE_BOOLEAN && dtype <= POLYCODEC_DTYPE_FLOAT64 &&
         dtype != POLYCODEC_DTYPE_INT128 && dtype != POLYCODEC_DTYPE_UINT128;
}

/// Calls use(read) with a function that loads a number of the leaf, whose dtype is_plain_number().
template <class Use>
auto with_type(const ArrayView& leaf, const Use& use) {
  constexpr std::endian other =
      std::endian::native == std::endian::little ? std::endian::big : std::endian::little;
  const bool swapped = leaf.raw().byte_order != host_byte_order;
  const auto as = [&](auto zero) {
    using T = decltype(zero);
    if (sizeof(T) == 1 || !swapped)
      return use([](const std::byte* p) { return load<T>(p, std::endian::native); });
    return use([](const std::byte* p) { return load<T>(p, other); });
  };
  switch (leaf.dtype()) {
    case POLYCODEC_DTYPE_INT8:
      return as(std::int8_t());
    case POLYCODEC_DTYPE_INT16:
      return as(std::int16_t());
    case POLYCODEC_DTYPE_INT32:
      return as(std::int32_t());
    case POLYCODEC_DTYPE_INT64:
      return as(std::int64_t());
    case POLYCODEC_DTYPE_UINT16:
      return as(std::uint16_t());
    case POLYCODEC_DTYPE_UINT32:
      return as(std::uint32_t());
    case POLYCODEC_DTYPE_UINT64:
      return as(std::uint64_t());
    case POLYCODEC_DTYPE_FLOAT16:
      return use([swapped](const std::byte* p) {
        return half_to_float(load<std::uint16_t>(p, swapped ? other : std::endian::native));
      });
    case POLYCODEC_DTYPE_FLOAT32:
      return as(float());
    case POLYCODEC_DTYPE_FLOAT64:
      return as(double());
    default:
      return as(std::uint8_t());
  }
}

/// The elements of a leaf in rows (all rows if null), in order. Missing rows count as elements that
/// are passed over.
class Elements {
 public:
  Elements(const ArrayView& leaf, const Rows* rows)
      : data_(leaf.data()), rows_(leaf.ndim() == 0 ? nullptr : rows), size_(leaf.element_count()) {
    if (size_ == 0) return;  // strides mean nothing
    if (rows_ != nullptr)
      size_ = size_ / static_cast<std::uint64_t>(leaf.shape()[0]) * rows_->size();
    const std::size_t first = rows_ == nullptr ? 0 : 1;  // that may be one with the next
    for (std::size_t axis = 0; axis < leaf.ndim(); ++axis) {
      const auto extent = static_cast<std::uint64_t>(leaf.shape()[axis]);
      const std::int64_t stride = leaf.strides()[axis];
      // Axes that follow each other in memory are one.
      if (axes_.size() > first && axes_.back().stride == static_cast<std::int64_t>(extent) * stride)
        axes_.back() = {axes_.back().extent * extent, stride};
      else
        axes_.push_back({extent, stride});
    }
    if (axes_.size() == first) axes_.push_back({1, first == 0 ? 0 : axes_[0].stride});
    const Axis& row = axes_.back();
    rows_follow_ =
        axes_.size() == 2 && axes_[0].stride == static_cast<std::int64_t>(row.extent) * row.stride;
  }

  std::uint64_t size() const { return size_; }

  /// Calls visit(address, stride, count) for elements [from, to).
  template <class Visit>
  void runs(std::uint64_t from, std::uint64_t to, const Visit& visit) const {
    if (from == to) return;
    const auto [extent, stride] = axes_.back();
    for (std::uint64_t count = 0; from != to; from += count) {
      std::uint64_t run = from / extent, at = from % extent;
      count = std::min(extent - at, to - from);
      const std::byte* p = data_ + static_cast<std::int64_t>(at) * stride;
      for (std::size_t axis = axes_.size() - 1; axis-- > (rows_ == nullptr ? 0 : 1);) {
        p += static_cast<std::int64_t>(run % axes_[axis].extent) * axes_[axis].stride;
        run /= axes_[axis].extent;
      }
      if (rows_ != nullptr) {
        const std::int64_t row = (*rows_)[run];
        if (row < 0) continue;
        p += row * axes_[0].stride;
        for (; rows_follow_ && count < to - from && (*rows_)[run + 1] == (*rows_)[run] + 1; ++run)
          count += std::min(extent, to - from - count);
      }
      visit(p, stride, count);
    }
  }

 private:
  struct Axis {
    std::uint64_t extent;
    std::int64_t stride;
  };
  const std::byte* data_;
  const Rows* rows_;
  std::vector<Axis> axes_;
  std::uint64_t size_;
  bool rows_follow_ = false;  // rows with numbers that follow each other do so in memory
};

/// So many elements are measured by one thread and then joined in their order, so that figures do
/// not depend on threads.
constexpr std::uint64_t part_size = 32768;
/// It takes longer to start threads than to measure fewer.
constexpr std::uint64_t least_to_share = 8 * part_size;

/// Calls work(part, from, to) for each part of the elements, on up to `threads` threads.
template <class Work>
void for_each_part(const Elements& elements, std::uint32_t threads, const Work& work) {
  const std::uint64_t size = elements.size();
  share(size / part_size + (size % part_size != 0 ? 1 : 0), size < least_to_share ? 1 : threads,
        [&](std::uint64_t i) {
          work(static_cast<std::size_t>(i), i * part_size, std::min(size, (i + 1) * part_size));
        });
}

/// Figures of some elements of a column.
struct Figures {
  std::uint64_t count = 0, nans = 0, finite = 0;
  long double minimum = 0, maximum = 0;    // of those that are not NaN
  long double low = 0, high = 0, sum = 0;  // of finite ones

  void add(const Figures& next) {
    if (next.count != next.nans) {
      minimum = count == nans ? next.minimum : std::min(minimum, next.minimum);
      maximum = count == nans ? next.maximum : std::max(maximum, next.maximum);
    }
    if (next.finite != 0) {
      low = finite == 0 ? next.low : std::min(low, next.low);
      high = finite == 0 ? next.high : std::max(high, next.high);
    }
    count += next.count, nans += next.nans, finite += next.finite, sum += next.sum;
  }
};

template <class Read>
Figures measure_part(const Elements& elements, std::uint64_t from, std::uint64_t to,
                     const Read& read) {
  using T = decltype(read(nullptr));
  // Sums of a part are exact in these types, or nearly.
  using Sum =
      std::conditional_t<sizeof(T) == 8, long double,
                         std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>>;
  using Range = std::numeric_limits<T>;
  constexpr T least = Range::has_infinity ? -Range::infinity() : Range::lowest();
  constexpr T most = Range::has_infinity ? Range::infinity() : Range::max();
  Figures part;
  T minimum = most, maximum = least;
  Sum sum = 0;
  elements.runs(from, to, [&](const std::byte* p, std::int64_t stride, std::uint64_t n) {
    part.count += n;
    for (; n != 0; --n, p += stride) {
      const T v = read(p);
      if constexpr (std::is_floating_point_v<T>) part.nans += v != v;
      minimum = v < minimum ? v : minimum;
      maximum = v > maximum ? v : maximum;
      sum += static_cast<Sum>(v);
    }
  });
  part.minimum = part.low = minimum, part.maximum = part.high = maximum;
  part.finite = part.count;
  part.sum = static_cast<long double>(sum);
  if (std::isfinite(part.sum)) return part;
  T low = most, high = least;
  part.finite = 0, sum = 0;
  elements.runs(from, to, [&](const std::byte* p, std::int64_t stride, std::uint64_t n) {
    for (; n != 0; --n, p += stride) {
      const T v = read(p);
      if (!std::isfinite(static_cast<long double>(v))) continue;
      ++part.finite;
      low = std::min(low, v);
      high = std::max(high, v);
      sum += static_cast<Sum>(v);
    }
  });
  part.low = low, part.high = high, part.sum = static_cast<long double>(sum);
  return part;
}

template <class Read>
void count_part(const Elements& elements, std::uint64_t from, std::uint64_t to, const Read& read,
                long double low, long double width, std::span<std::uint64_t> bins) {
  using T = decltype(read(nullptr));
  std::array<std::uint64_t, Column::most_bins> counts{};  // in no cache line of another thread
  const auto count = [&](auto real) {
    using Real = decltype(real);
    [[maybe_unused]] const auto scale =
        width > 0 ? static_cast<Real>(static_cast<long double>(bins.size()) / width) : Real(0);
    const auto least = static_cast<T>(low);
    elements.runs(from, to, [&](const std::byte* p, std::int64_t stride, std::uint64_t n) {
      for (; n != 0; --n, p += stride) {
        const T v = read(p);
        Real above;
        if constexpr (std::is_floating_point_v<T>) {
          if (!std::isfinite(v)) continue;
          above = static_cast<Real>(v) - static_cast<Real>(least);
        } else {
          above =
              static_cast<Real>(static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(least));
        }
        if constexpr (std::is_same_v<Real, double>)
          above *= scale;
        else
          above = above / width * static_cast<Real>(bins.size());  // exact at the edges of bins
        ++counts[std::min(static_cast<std::size_t>(above), bins.size() - 1)];
      }
    });
  };
  // Widths at the ends of double leave no room for it, and integers of 64 bits need more digits.
  constexpr long double most = std::is_integral_v<T> ? 0x1p53L : 1e300L;
  if (width == 0 || (width > 1e-300L && width < most))
    count(double());
  else
    count(static_cast<long double>(0));
  std::copy_n(counts.begin(), bins.size(), bins.begin());
}

/// A leaf with the rows that are shown, and the threads for it.
class LeafColumn final : public Column {
 public:
  LeafColumn(const ArrayView& leaf, const Rows* rows, std::uint32_t threads)
      : leaf_(leaf), elements_(leaf, rows), threads_(threads) {}

  ColumnStatistics measure() const {
    ColumnStatistics c;
    c.dtype = leaf_.dtype();
    std::vector<Figures> parts(count_of_parts());
    with_type(leaf_, [&](const auto& read) {
      for_each_part(elements_, threads_, [&](std::size_t i, std::uint64_t from, std::uint64_t to) {
        parts[i] = measure_part(elements_, from, to, read);
      });
    });
    Figures all;
    for (const Figures& part : parts) all.add(part);
    c.count = all.count, c.nans = all.nans, c.finite = all.finite;
    c.minimum = all.minimum, c.maximum = all.maximum, c.low = all.low, c.high = all.high;
    if (all.finite == 0) return c;
    c.mean = all.sum / static_cast<long double>(all.finite);
    const auto bins = histogram(c.histogram.size(), c.low, c.high - c.low);
    std::copy(bins.begin(), bins.end(), c.histogram.begin());
    return c;
  }

  std::vector<std::uint64_t> histogram(std::size_t bins, long double low,
                                       long double width) const override {
    std::vector<std::uint64_t> parts(count_of_parts() * bins);
    with_type(leaf_, [&](const auto& read) {
      for_each_part(elements_, threads_, [&](std::size_t i, std::uint64_t from, std::uint64_t to) {
        count_part(elements_, from, to, read, low, width, std::span(parts).subspan(i * bins, bins));
      });
    });
    for (std::size_t i = bins; i < parts.size(); ++i) parts[i % bins] += parts[i];
    parts.resize(bins);
    return parts;
  }

  void each(const std::function<void(std::span<const long double>)>& visit) const override {
    with_type(leaf_, [&](const auto& read) {
      long double some[256];
      elements_.runs(0, elements_.size(),
                     [&](const std::byte* p, std::int64_t stride, std::uint64_t n) {
                       while (n != 0) {
                         const auto count =
                             static_cast<std::size_t>(std::min<std::uint64_t>(n, std::size(some)));
                         for (std::size_t i = 0; i < count; ++i, p += stride)
                           some[i] = static_cast<long double>(read(p));
                         visit({some, count});
                         n -= count;
                       }
                     });
    });
  }

 private:
  std::size_t count_of_parts() const {
    return static_cast<std::size_t>(elements_.size() / part_size + 1);
  }

  const ArrayView& leaf_;
  const Elements elements_;
  const std::uint32_t threads_;
};

class Walker {
 public:
  Walker(std::string_view input, std::uint32_t threads, std::size_t max_columns,
         const ColumnHook& on_column)
      : input_(input),
        threads_(threads),
        max_columns_(max_columns),
        on_column_(on_column),
        left_(10'000'000 + input.size()) {
    result_.units = left_;
  }

  void node(const NodeView& v, std::string& path) {
    const Level level(*this);
    if (!level.may_enter()) return;
    ++result_.document_nodes;
    switch (v.kind()) {
      case POLYCODEC_KIND_ARRAY:
        return array(v.as_array(), nullptr, path);
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return nodes(v.items(), path);
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        for (std::uint64_t i = 0; i < v.size(); ++i) {
          const Inside inner(path);
          if (v.key(i).is_string())
            append_key(path, v.key(i).as_string());
          else
            append_part(path, Part::value, i);
          node(v.value(i), path);
        }
        break;
      case POLYCODEC_KIND_EXTENSION: {
        const Inside inner(path);
        append_part(path, Part::payload);
        return node(NodeView(v.as_extension().payload), path);
      }
      case POLYCODEC_KIND_UNION:
        return node(NodeView(v.as_tagged().node), path);
      default:
        break;
    }
  }

  Survey take() { return std::move(result_); }

 private:
  /// One level of nesting.
  class Level {
   public:
    explicit Level(Walker& walker) : walker_(walker) { ++walker_.depth_; }
    ~Level() { --walker_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    /// False, and the survey is not complete, if no work or no stack is left.
    bool may_enter() const {
      if (walker_.depth_ > deepest) return walker_.result_.complete = false;
      return walker_.take(1);
    }

   private:
    Walker& walker_;
  };
  /// What is appended to the path in its scope is taken off at the end.
  class Inside {
   public:
    explicit Inside(std::string& path) : path_(path), size_(path.size()) {}
    ~Inside() { path_.resize(size_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    std::string& path_;
    std::size_t size_;
  };

  /// False if so much work is not left.
  bool take(std::uint64_t units) {
    if (units > left_) return result_.complete = false;
    left_ -= units;
    return true;
  }

  void nodes(std::span<const polycodec_node> items, std::string& path) {
    if (!take(items.size())) return;
    for (std::size_t i = 0; i < items.size(); ++i) {
      // Scalars have no columns; counting them needs no path.
      const NodeView item(&items[i]);
      const bool nested =
          item.kind() >= POLYCODEC_KIND_LIST && item.kind() != POLYCODEC_KIND_REFERENCE &&
          item.kind() != POLYCODEC_KIND_TIMESTAMP && item.kind() != POLYCODEC_KIND_DURATION;
      if (!nested) {
        ++result_.document_nodes;
        continue;
      }
      const Inside inner(path);
      append_index(path, i);
      node(item, path);
    }
  }

  void buffer(const std::string& path, std::string_view role, const void* data,
              std::uint64_t length) {
    const auto* begin = static_cast<const char*>(data);
    BufferUse use{path, std::string(role), false, 0, length};
    if (!input_.empty() && begin >= input_.data() &&
        begin + length <= input_.data() + input_.size()) {
      use.in_input = true;
      use.offset = static_cast<std::uint64_t>(begin - input_.data());
    }
    if (result_.buffers.size() < max_columns_) result_.buffers.push_back(std::move(use));
  }

  void column(const std::string& path, std::string_view role, const polycodec_column& c,
              std::uint64_t items) {
    if (c.data == nullptr || items == 0) return;
    const ColumnSpan span =
        column_span(items, c.stride, dtype_size(c.dtype)).value_or(ColumnSpan{});
    buffer(path, role, static_cast<const char*>(c.data) + span.low, span.size());
  }
  void columns(const std::string& path, const polycodec_array& a) {
    const ColumnNames names = column_names(a.layout);
    column(path, names.first, a.index,
           polycodec_column_length(a.layout, a.length, a.n_children, 0));
    column(path, names.second, a.tags,
           polycodec_column_length(a.layout, a.length, a.n_children, 1));
  }

  void leaf(const ArrayView& a, const Rows* rows, const std::string& path) {
    std::int64_t low = 0;
    std::int64_t high = a.item_size();
    for (std::uint32_t axis = 0; axis < a.ndim(); ++axis) {
      if (a.shape()[axis] == 0) {
        low = high = 0;
        break;
      }
      const std::int64_t reach = (a.shape()[axis] - 1) * a.strides()[axis];
      (reach < 0 ? low : high) += reach;
    }
    buffer(path, "data", a.data() + low, static_cast<std::uint64_t>(high - low));
    if (!is_plain_number(a.dtype())) return;
    std::uint64_t elements = a.element_count();
    if (rows != nullptr && a.ndim() != 0 && a.shape()[0] != 0) {
      const std::uint64_t per_row = elements / static_cast<std::uint64_t>(a.shape()[0]);
      if (__builtin_mul_overflow(per_row, rows->size(), &elements)) elements = UINT64_MAX;
    }
    if (result_.columns.size() >= max_columns_ || !take(elements)) {
      ++result_.omitted_columns;
      return;
    }
    const LeafColumn column(a, rows, threads_);
    ColumnStatistics& c = result_.columns.emplace_back(column.measure());
    c.path = path;
    if (rows != nullptr)
      c.missing = static_cast<std::uint64_t>(
          std::count_if(rows->begin(), rows->end(), [](auto r) { return r < 0; }));
    if (on_column_) on_column_(c, a, column);
  }

  void array(const ArrayView& a, const Rows* rows, std::string& path) {
    const Level level(*this);
    if (!level.may_enter()) return;
    ++result_.arrays;
    if (a.layout() == POLYCODEC_LAYOUT_NDARRAY) return leaf(a, rows, path);
    if (a.layout() == POLYCODEC_LAYOUT_DOCUMENT)
      return nodes({a.raw().nodes, static_cast<std::size_t>(a.length())}, path);
    columns(path, a.raw());
    if (a.is_string() || a.is_binary())
      return buffer(path, "data", a.child().data(), a.child().length());
    for (std::uint32_t i = 0; i < a.child_count(); ++i) {
      const Inside inner(path);
      append_child(path, a, i);
      child(a, i, rows, path);
    }
  }

  /// What only chooses items adds nothing to the path of a column.
  static void append_child(std::string& path, const ArrayView& a, std::uint32_t i) {
    if (a.is_list()) path += "[]";
    if (a.has_names()) return append_key(path, a.name(i));
    if (a.layout() == POLYCODEC_LAYOUT_RECORD) append_part(path, Part::field, i);
    if (a.layout() == POLYCODEC_LAYOUT_UNION) append_part(path, Part::member, i);
    if (a.layout() == POLYCODEC_LAYOUT_CHUNKED) append_part(path, Part::chunk, i);
  }

  /// A child, of which this array shows some rows.
  void child(const ArrayView& a, std::uint32_t number, const Rows* rows, std::string& path) {
    // Rows of a record are those of its columns.
    if (a.layout() == POLYCODEC_LAYOUT_RECORD || (rows == nullptr && shows_all(a)))
      return array(a.child(number), rows, path);
    const auto shown = child_rows(a, number, rows, [this](std::uint64_t n) { return take(n); });
    if (shown)
      array(a.child(number), &*shown, path);
    else
      ++result_.omitted_columns;
  }

  Survey result_;
  std::string_view input_;
  std::uint32_t threads_;
  std::size_t max_columns_;
  const ColumnHook& on_column_;
  std::uint64_t left_;
  std::uint32_t depth_ = 0;
};

}  // namespace

Survey survey(NodeView root, std::string_view input, std::uint32_t threads, std::size_t max_columns,
              const ColumnHook& on_column) {
  Walker walker(input, threads, max_columns, on_column);
  std::string path(path_root);
  walker.node(root, path);
  return walker.take();
}

std::string format_number(long double number, std::uint32_t dtype) {
  char text[64];
  char* end = nullptr;
  if (is_integer(dtype) || dtype == POLYCODEC_DTYPE_BOOLEAN) {
    if (number < 0)
      end = std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(number)).ptr;
    else
      end = std::to_chars(text, text + sizeof text, static_cast<std::uint64_t>(number)).ptr;
  } else if (dtype == POLYCODEC_DTYPE_FLOAT32 || dtype == POLYCODEC_DTYPE_FLOAT16) {
    end = std::to_chars(text, text + sizeof text, static_cast<float>(number)).ptr;
  } else {
    end = std::to_chars(text, text + sizeof text, static_cast<double>(number)).ptr;
  }
  return {text, end};
}

std::string sparkline(const ColumnStatistics& column) {
  static constexpr const char* bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::uint64_t most = *std::max_element(column.histogram.begin(), column.histogram.end());
  std::string text;
  for (const std::uint64_t n : column.histogram)
    text += bars[most == 0 || n == 0 ? 0
                                     : 1 + static_cast<std::size_t>(static_cast<double>(n) /
                                                                    static_cast<double>(most) * 7)];
  return text;
}

}  // namespace polycodec::cli
