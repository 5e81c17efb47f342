// SPDX-License-Identifier: MIT
#include "common/statistics.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/detail/half.hpp>
#include <polycodec/path.hpp>

#include "common/chosen_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace polycodec::cli {
namespace {

/// So many levels fit on every stack.
constexpr std::uint32_t deepest = 2000;

bool is_plain_number(std::uint32_t dtype) {
  return dtype >= POLYCODEC_DTYPE_BOOLEAN && dtype <= POLYCODEC_DTYPE_FLOAT64 &&
         dtype != POLYCODEC_DTYPE_INT128 && dtype != POLYCODEC_DTYPE_UINT128;
}

/// A number of a leaf whose dtype is_plain_number().
long double number_at(const ArrayView& leaf, const std::byte* p) {
  const auto order =
      leaf.raw().byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  const auto number = [&](auto zero) {
    return static_cast<long double>(load<decltype(zero)>(p, order));
  };
  switch (leaf.dtype()) {
    case POLYCODEC_DTYPE_INT8:
      return number(std::int8_t());
    case POLYCODEC_DTYPE_INT16:
      return number(std::int16_t());
    case POLYCODEC_DTYPE_INT32:
      return number(std::int32_t());
    case POLYCODEC_DTYPE_INT64:
      return number(std::int64_t());
    case POLYCODEC_DTYPE_UINT16:
      return number(std::uint16_t());
    case POLYCODEC_DTYPE_UINT32:
      return number(std::uint32_t());
    case POLYCODEC_DTYPE_UINT64:
      return number(std::uint64_t());
    case POLYCODEC_DTYPE_FLOAT16:
      return half_to_float(load<std::uint16_t>(p, order));
    case POLYCODEC_DTYPE_FLOAT32:
      return number(float());
    case POLYCODEC_DTYPE_FLOAT64:
      return number(double());
    default:
      return number(std::uint8_t());
  }
}

/// Calls visit(address) for every element of the leaf in rows (all rows if null).
template <class Visit>
void for_each_element(const ArrayView& leaf, const Rows* rows, Visit visit) {
  if (leaf.ndim() == 0) return visit(leaf.data());
  const auto shape = leaf.shape();
  const auto strides = leaf.strides();
  std::uint64_t per_row = 1;
  for (std::size_t axis = 1; axis < shape.size(); ++axis)
    per_row *= static_cast<std::uint64_t>(shape[axis]);
  if (per_row == 0) return;
  const auto visit_row = [&](std::int64_t row) {
    const std::byte* base = leaf.data() + row * strides[0];
    if (shape.size() == 1) return visit(base);
    std::vector<std::int64_t> at(shape.size(), 0);
    for (std::uint64_t k = 0; k < per_row; ++k) {
      const std::byte* p = base;
      for (std::size_t axis = 1; axis < shape.size(); ++axis) p += at[axis] * strides[axis];
      visit(p);
      for (std::size_t axis = shape.size(); axis-- > 1;) {
        if (++at[axis] < shape[axis]) break;
        at[axis] = 0;
      }
    }
  };
  if (rows == nullptr) {
    for (std::int64_t row = 0; row < shape[0]; ++row) visit_row(row);
  } else {
    for (const std::int64_t row : *rows)
      if (row >= 0) visit_row(row);
  }
}

ColumnStatistics measure(const ArrayView& leaf, const Rows* rows, std::string path) {
  ColumnStatistics c;
  c.path = std::move(path);
  c.dtype = leaf.dtype();
  if (rows != nullptr)
    c.missing = static_cast<std::uint64_t>(
        std::count_if(rows->begin(), rows->end(), [](auto r) { return r < 0; }));
  long double sum = 0;
  long double low = 0;
  long double high = 0;
  for_each_element(leaf, rows, [&](const std::byte* p) {
    const long double v = number_at(leaf, p);
    ++c.count;
    if (std::isnan(v)) return void(++c.nans);
    if (c.count - c.nans == 1) c.minimum = c.maximum = v;
    c.minimum = std::min(c.minimum, v);
    c.maximum = std::max(c.maximum, v);
    if (!std::isfinite(v)) return;
    if (c.finite++ == 0) low = high = v;
    low = std::min(low, v);
    high = std::max(high, v);
    sum += v;
  });
  if (c.finite == 0) return c;
  c.mean = sum / static_cast<long double>(c.finite);
  const long double width = high - low;
  for_each_element(leaf, rows, [&](const std::byte* p) {
    const long double v = number_at(leaf, p);
    if (!std::isfinite(v)) return;
    const auto bin =
        width > 0 ? static_cast<std::size_t>((v - low) / width * ColumnStatistics::bins) : 0;
    ++c.histogram[std::min(bin, ColumnStatistics::bins - 1)];
  });
  return c;
}

class Walker {
 public:
  Walker(std::string_view input, std::size_t max_columns, const ColumnHook& on_column)
      : input_(input),
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
    result_.columns.push_back(measure(a, rows, path));
    if (on_column_)
      on_column_(result_.columns.back(), a, [&](const std::function<void(long double)>& visit) {
        for_each_element(a, rows, [&](const std::byte* p) { visit(number_at(a, p)); });
      });
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
  std::size_t max_columns_;
  const ColumnHook& on_column_;
  std::uint64_t left_;
  std::uint32_t depth_ = 0;
};

}  // namespace

Survey survey(NodeView root, std::string_view input, std::size_t max_columns,
              const ColumnHook& on_column) {
  Walker walker(input, max_columns, on_column);
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
