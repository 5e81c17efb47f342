// SPDX-License-Identifier: MIT
#include <base/cast_elements.hpp>
#include <base/contiguous.hpp>
#include <base/depth.hpp>
#include <base/scalar_store.hpp>
#include <model/type/build.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>

#include "core/convert/columns.hpp"
#include "core/value/aligned_memory.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/value.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace polycodec {
namespace {

void expect_form(const polycodec_array& a, polycodec_layout form, const char* what) {
  if (a.layout != form) throw Error(Status::type, std::string("the array is not ") + what);
}

// A contiguous leaf of the shape and the attributes of `like`, and its memory.
polycodec_array* new_leaf(const polycodec_array& like, std::uint32_t dtype, std::uint32_t item_size,
                          std::uint8_t byte_order, Builder& out, std::span<std::byte>& data) {
  std::uint64_t bytes = 0;
  if (!checked_mul(ArrayView(like).element_count(), item_size, bytes) || bytes > UINT64_MAX - 64)
    throw Error(Status::limit, "the size of the array overflows");
  data = {aligned_memory(out, bytes), static_cast<std::size_t>(bytes)};
  polycodec_array* a =
      out.ndarray(bytes_of(data), dtype, item_size, {like.shape, like.ndim}, byte_order);
  a->unit = like.unit;
  a->metadata = like.metadata;
  return a;
}

/// Stores the elements of a leaf as numbers of another type, in C order.
class Caster {
 public:
  Caster(const detail::ElementLayout& layout, std::byte* to) : layout_(layout), to_(to) {}

  void store(const View& item) {
    if (item.kind() != POLYCODEC_KIND_LIST) {
      detail::store_scalar(item, layout_, to_);
      to_ += layout_.item_size;
      return;
    }
    const std::uint64_t n = item.size();
    const auto elements = item.elements();
    for (std::uint64_t i = 0; i < n; ++i) {
      if (elements) i += many(*elements, i);
      if (i == n) return;
      at_step(i, [&] { store(item.child(i)); });
    }
  }

 private:
  /// Elements from `first` on that are stored at once.
  std::uint64_t many(Elements elements, std::uint64_t first) {
    elements.data += static_cast<std::int64_t>(first) * elements.stride;
    elements.count -= first;
    const std::uint64_t n = detail::cast_elements(elements, layout_.dtype, to_);
    to_ += n * layout_.item_size;
    return n;
  }

  const detail::ElementLayout layout_;
  std::byte* to_;
};

/// Runs a conversion of a whole value: an error without a path is one of its root.
template <class Body>
auto from_root(Body&& body) {
  try {
    return body();
  } catch (Error& error) {
    if (error.path().empty()) error.path(path_root);
    throw;
  }
}

class DocumentMaker {
 public:
  DocumentMaker(Builder& out, const Limits& limits, HostMeter& meter)
      : out_(out), limits_(limits), meter_(meter) {}

  polycodec_node make(const View& item, std::uint32_t depth) {
    check_depth(depth, limits_.max_depth);
    meter_.tick(2);
    const polycodec_node n = proper(item, depth);
    return item.metadata() == nullptr ? n : out_.annotated(n, make(View(item.metadata()), depth));
  }

 private:
  polycodec_node proper(const View& item, std::uint32_t depth) {
    switch (item.kind()) {
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return list(item, depth);
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        return entries(item, depth);
      case POLYCODEC_KIND_EXTENSION: {
        polycodec_extension made = *item.node()->as.extension;
        made.payload = out_.root(make(item.child(), depth + 1));
        polycodec_node n = *item.node();
        n.as.extension = out_.store(made);
        return n;
      }
      case POLYCODEC_KIND_UNION:
        return out_.tagged(item.tag(), make(item.child(), depth + 1));
      default:
        return item.node() != nullptr ? *item.node() : scalar(item);
    }
  }

  polycodec_node list(const View& item, std::uint32_t depth) {
    const std::uint64_t size = counted(item.size());
    polycodec_node* nodes = nullptr;
    polycodec_node n = out_.list(size, &nodes);
    n.kind = static_cast<std::uint8_t>(item.kind());
    for (std::uint64_t i = 0; i < size; ++i)
      at_step(i, [&] { nodes[i] = make(item.child(i), depth + 1); });
    return n;
  }

  polycodec_node entries(const View& item, std::uint32_t depth) {
    const std::uint64_t size = counted(item.size());
    polycodec_node* nodes = nullptr;
    polycodec_node n = out_.object(size, &nodes);
    n.kind = static_cast<std::uint8_t>(item.kind());
    const bool map = item.kind() == POLYCODEC_KIND_MAP;
    for (std::uint64_t i = 0; i < size; ++i) {
      const auto step = [&] {
        std::string path;
        map ? append_part(path, Part::value, i) : append_key(path, item.name(i));
        return path;
      };
      // The key of a member keeps its flags: a lenient text stays one.
      nodes[2 * i] = map                      ? make(item.key(i), depth + 1)
                     : item.node() != nullptr ? item.node()->as.nodes[2 * i]
                                              : Builder::string_view(item.name(i));
      detail::with_step(step, [&] { nodes[2 * i + 1] = make(item.child(i), depth + 1); });
    }
    return n;
  }

  polycodec_node scalar(const View& item) {
    switch (item.kind()) {
      case POLYCODEC_KIND_NULL:
        return Builder::null();
      case POLYCODEC_KIND_BOOLEAN:
        return Builder::boolean(item.as_bool());
      case POLYCODEC_KIND_SIGNED:
        return Builder::integer(item.as_int64(), static_cast<std::uint8_t>(item.dtype()));
      case POLYCODEC_KIND_UNSIGNED:
        return Builder::unsigned_integer(item.as_uint64(), static_cast<std::uint8_t>(item.dtype()));
      case POLYCODEC_KIND_STRING: {
        std::string scratch;
        const std::string_view text = item.as_string(scratch);
        return text.data() == scratch.data() ? out_.string_copy(text) : Builder::string_view(text);
      }
      case POLYCODEC_KIND_BINARY:
        return Builder::bytes_view(item.as_bytes());
      case POLYCODEC_KIND_TIMESTAMP: {
        const polycodec_time time = item.as_time();
        return out_.timestamp(time.count, time.nanoseconds, time.unit);
      }
      case POLYCODEC_KIND_DURATION:
        return out_.duration(item.as_time().count, item.as_time().unit);
      default:
        return number(item);
    }
  }

  polycodec_node number(const View& item) {
    std::byte bits[16] = {};
    item.copy_bits(bits);
    const auto dtype = static_cast<std::uint8_t>(item.dtype());
    if (item.kind() == POLYCODEC_KIND_WIDE) return out_.wide(dtype, bits);
    // Bits, not values: a signalling NaN would become a quiet one on its way through a register.
    polycodec_node n = polycodec_node_make(POLYCODEC_KIND_FLOAT, dtype, 0);
    if (dtype == POLYCODEC_DTYPE_FLOAT16) {
      n.as.u64 = load<std::uint16_t>(bits, std::endian::native);
    } else {
      std::memcpy(&n.as, bits, dtype_size(dtype));
    }
    return n;
  }

  std::uint64_t counted(std::uint64_t size) {
    if (size > std::min(limits_.max_elements, POLYCODEC_MAX_NODE_SIZE))
      throw Error(Status::limit, std::to_string(size) + " items are more than the limits allow");
    meter_.tick(2 * size);  // before memory is taken for them
    return size;
  }

  Builder& out_;
  const Limits& limits_;
  HostMeter& meter_;
};

/// Charges a walk over all elements before memory is taken: a leaf may be huge on paper.
void charge_elements(const polycodec_array& leaf, std::uint64_t bytes_each, HostMeter& meter) {
  std::uint64_t bytes = 0;
  if (!checked_mul(ArrayView(leaf).element_count(), bytes_each, bytes)) bytes = UINT64_MAX;
  meter.tick(units_of_bytes(bytes), std::string(path_root));
}

}  // namespace

const polycodec_array* make_contiguous(const polycodec_array& leaf, Builder& out,
                                       std::uint8_t byte_order) {
  expect_form(leaf, POLYCODEC_LAYOUT_NDARRAY, "a leaf");
  const ArrayView view(leaf);
  const bool swap = leaf.byte_order != byte_order && dtype_swap_width(leaf.dtype) != 1;
  if (view.is_contiguous() && !swap) return &leaf;
  HostMeter meter(leaf, {});
  meter.charge(out);
  charge_elements(leaf, std::max<std::uint64_t>(leaf.item_size, 4), meter);
  std::span<std::byte> data;
  polycodec_array* made = new_leaf(leaf, leaf.dtype, leaf.item_size, byte_order, out, data);
  copy_elements(view, swap ? byte_order : leaf.byte_order, data);
  return made;
}

const polycodec_array* cast(const polycodec_array& leaf, std::uint32_t dtype, Builder& out) {
  expect_form(leaf, POLYCODEC_LAYOUT_NDARRAY, "a leaf");
  if (leaf.dtype == dtype) return make_contiguous(leaf, out);
  if (dtype_size(dtype) == 0 || is_time(dtype) || is_time(leaf.dtype) || is_fixed(leaf.dtype))
    throw Error(Status::type, "only booleans and numbers can be cast");
  HostMeter meter(leaf, {});
  meter.charge(out);
  charge_elements(leaf, 64, meter);
  std::span<std::byte> data;
  const detail::ElementLayout layout{dtype, dtype_size(dtype), 0};
  polycodec_array* made = new_leaf(leaf, dtype, layout.item_size, host_byte_order, out, data);
  made->unit = 0;
  Caster caster(layout, data.data());
  // Rows without elements may be many.
  if (ArrayView(leaf).element_count() != 0) from_root([&] { caster.store(View(leaf)); });
  return made;
}

polycodec_node to_document(const View& item, Builder& out, const Limits& limits) {
  HostMeter meter(item, limits);
  meter.charge(out);
  return from_root([&] { return DocumentMaker(out, limits, meter).make(item, 0); });
}

const polycodec_array* to_columns(const View& list, const type::Type& element, Builder& out,
                                  const Limits& limits) {
  if (!list.is_list()) throw Error(Status::type, "only a list can become an array").path(path_root);
  HostMeter meter(list, limits);
  meter.charge(out);
  detail::Column column(type::var(element));
  from_root([&] {
    column.measure(list, {limits, meter}, 0);
    column.allocate(out);
    column.fill(list, out, limits, 0);
  });
  // The list is the one item of an array of lists: its content is what was wanted.
  auto* content = const_cast<polycodec_array*>(column.array()->children[0]);
  if (content->metadata == nullptr) content->metadata = list.metadata();
  return content;
}

const polycodec_array* interleave(const polycodec_array& record, Builder& out, RowLayout layout) {
  expect_form(record, POLYCODEC_LAYOUT_RECORD, "a record");
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint64_t> per_row;
  std::uint64_t row = 0;
  std::uint64_t widest = 1;
  const auto check = [](bool right) {
    if (!right) throw Error(Status::limit, "the rows of the record are too large");
  };
  for (std::uint32_t i = 0; i < record.n_children; ++i) {
    const polycodec_array& column = *record.children[i];
    expect_form(column, POLYCODEC_LAYOUT_NDARRAY, "a record of leaves");
    if (column.ndim == 0) throw Error(Status::type, "a column without an axis has no rows");
    std::uint64_t items = 1;
    for (std::uint32_t axis = 1; axis < column.ndim; ++axis)
      items *= static_cast<std::uint64_t>(column.shape[axis]);
    const std::uint64_t align = layout == RowLayout::packed ? 1 : dtype_swap_width(column.dtype);
    widest = std::max(widest, align);
    const auto at = align_up(row, align);
    std::uint64_t size = 0;
    check(at.has_value() && checked_mul(items, column.item_size, size) &&
          checked_add(*at, size, row));
    offsets.push_back(*at);
    per_row.push_back(items);
  }
  const auto end = align_up(row, widest);
  std::uint64_t bytes = 0;
  check(end.has_value() && *end <= static_cast<std::uint64_t>(INT64_MAX) &&
        checked_mul(*end, record.length, bytes));
  row = *end;
  HostMeter meter(record, {});
  meter.charge(out);
  meter.tick(units_of_bytes(bytes), std::string(path_root));
  std::byte* const memory = aligned_memory(out, bytes);
  if (layout == RowLayout::aligned && bytes != 0)
    std::memset(memory, 0, static_cast<std::size_t>(bytes));
  std::vector<const polycodec_array*> columns;
  for (std::uint32_t i = 0; i < record.n_children; ++i) {
    // Columns may be longer than the record.
    polycodec_array source = *record.children[i];
    std::vector<std::int64_t> shape(source.shape, source.shape + source.ndim);
    shape[0] = static_cast<std::int64_t>(record.length);
    source.shape = shape.data();
    source.length = record.length;
    const std::uint64_t size = source.item_size;
    const std::size_t swap =
        source.byte_order == host_byte_order ? 1 : dtype_swap_width(source.dtype);
    std::byte* to = memory + offsets[i];
    std::uint64_t in_row = 0;
    const auto step = static_cast<std::int64_t>(row - per_row[i] * size);
    if (size != 0 && bytes != 0)
      for_each_run(ArrayView(source),
                   [&](const std::byte* from, std::uint64_t count, std::int64_t stride) {
                     for (std::uint64_t k = 0; k < count; ++k, from += stride) {
                       swap_copy(to, from, static_cast<std::size_t>(size) / swap, swap);
                       to += size;
                       if (++in_row == per_row[i]) in_row = 0, to += step;
                     }
                   });
    polycodec_array* made =
        out.ndarray(to_string_view(memory, bytes), source.dtype, source.item_size, shape);
    made->data = memory + offsets[i];
    const_cast<std::int64_t*>(made->strides)[0] = static_cast<std::int64_t>(row);
    made->unit = source.unit;
    made->metadata = source.metadata;
    columns.push_back(made);
  }
  polycodec_array* made = out.with_children(POLYCODEC_LAYOUT_RECORD, record.length, columns);
  made->names = record.names;
  made->metadata = record.metadata;
  return made;
}

}  // namespace polycodec
