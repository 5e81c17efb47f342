// SPDX-License-Identifier: MIT
#include <base/byte_slices.hpp>
#include <base/cast_elements.hpp>
#include <base/contiguous.hpp>
#include <base/scalar_store.hpp>
#include <base/view_parts.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/nd_array.hpp>
#include <polycodec/path.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace polycodec {
namespace {

using detail::ElementLayout;

// A leaf of two dimensions whose inner axis takes the longer steps, such as one in Fortran order:
// in plain C order every element would come from another cache line. Blocks keep the lines until
// all of their elements are used.
void gather_blocked(std::byte* out, const std::byte* in, std::array<std::int64_t, 2> shape,
                    std::array<std::int64_t, 2> stride, std::size_t size,
                    std::size_t swap) noexcept {
  constexpr std::int64_t block = 32;
  const detail::Gather run = detail::gather_for(size, swap);
  for (std::int64_t row = 0; row < shape[0]; row += block) {
    const std::int64_t rows = std::min(block, shape[0] - row);
    for (std::int64_t column = 0; column < shape[1]; column += block) {
      const auto columns = static_cast<std::uint64_t>(std::min(block, shape[1] - column));
      for (std::int64_t r = row; r < row + rows; ++r) {
        std::byte* to = out + (r * shape[1] + column) * static_cast<std::int64_t>(size);
        const std::byte* from = in + r * stride[0] + column * stride[1];
        run != nullptr ? run(to, from, columns, stride[1])
                       : detail::gather_any(to, from, columns, stride[1], size, swap);
      }
    }
  }
}

/// Memory for the shape and strides of a leaf in the making.
struct Axes {
  std::uint32_t count = 0;
  Extents shape, strides;
};

/// An array over these axes, without metadata.
const polycodec_array* leaf_over(Builder& out, const polycodec_array& elements, const Axes& axes,
                                 const std::byte* data) {
  polycodec_array* const a = out.store(elements);
  auto* const extents = out.allocate<std::int64_t>(std::uint64_t{axes.count} * 2);
  std::copy_n(axes.shape.begin(), axes.count, extents);
  std::copy_n(axes.strides.begin(), axes.count, extents + axes.count);
  a->ndim = axes.count;
  a->shape = extents;
  a->strides = extents + axes.count;
  a->length = axes.count == 0 ? 1 : static_cast<std::uint64_t>(extents[0]);
  a->data = data;
  a->metadata = nullptr;
  return a;
}

/// The one array that a value is made of.
class Gathering {
 public:
  Gathering(const Call& call, std::uint32_t dtype) : call_(call), meter_(call), out_(call) {
    if (dtype != POLYCODEC_DTYPE_NONE) layout_ = {dtype, dtype_size(dtype), 0};
    given_ = dtype != POLYCODEC_DTYPE_NONE;
  }

  ArrayView run(const View& value) {
    if (const polycodec_array* const within = ViewParts::array_of(value)) {
      if (value.array() == nullptr && within->metadata != nullptr)
        fail("metadata inside of an array: an n-d array has no place for it", 0);
      check_children(*within, 0);
    }
    if (const polycodec_array* const leaf = view_of(value))
      return given_ && leaf->dtype != layout_.dtype ? cast(*leaf) : ArrayView(*leaf);
    find_shape(value);
    measure(value, 0, 0);
    return gathered(value);
  }

 private:
  /// The value where it is, if it is an array, a part of one, or fixed lists of one.
  const polycodec_array* view_of(const View& value) {
    Axes axes;
    if (const polycodec_array* const leaf = ViewParts::leaf_of(value)) {
      const std::byte* const data = ViewParts::first_of(value);
      axes.count = ViewParts::axes_of(value);
      std::copy_n(leaf->shape + (leaf->ndim - axes.count), axes.count, axes.shape.begin());
      std::copy_n(leaf->strides + (leaf->ndim - axes.count), axes.count, axes.strides.begin());
      if (axes.count != 0) axes.shape[0] = static_cast<std::int64_t>(value.size());
      return leaf_over(out_, *leaf, axes, data);
    }
    const polycodec_array* a = value.array();
    if (a == nullptr || a->layout != POLYCODEC_LAYOUT_LIST_FIXED) return nullptr;
    std::uint64_t items = a->length;
    for (; a->layout == POLYCODEC_LAYOUT_LIST_FIXED; a = a->children[0]) {
      const bool text = (a->flags & (POLYCODEC_ARRAY_STRING | POLYCODEC_ARRAY_BINARY)) != 0;
      if (text || axes.count == POLYCODEC_MAX_NDIM) return nullptr;
      axes.shape[axes.count++] = static_cast<std::int64_t>(items);
      items = a->list_size;
    }
    if (a->layout != POLYCODEC_LAYOUT_NDARRAY || a->ndim == 0 ||
        axes.count + a->ndim > POLYCODEC_MAX_NDIM)
      return nullptr;
    const std::uint32_t outer = axes.count;
    axes.count += a->ndim;
    std::copy_n(a->shape, a->ndim, axes.shape.begin() + outer);
    std::copy_n(a->strides, a->ndim, axes.strides.begin() + outer);
    axes.shape[outer] = static_cast<std::int64_t>(items);
    for (std::uint32_t axis = outer; axis-- > 0;)
      if (__builtin_mul_overflow(axes.strides[axis + 1], axes.shape[axis + 1], &axes.strides[axis]))
        return nullptr;
    return leaf_over(out_, *a, axes, static_cast<const std::byte*>(a->data));
  }

  /// Takes the shape and the type of the elements from the first of all items.
  void find_shape(const View& value) {
    View item = value;
    for (; item.kind() == POLYCODEC_KIND_LIST; item = item.child()) {
      if (axes_.count == POLYCODEC_MAX_NDIM)
        fail("lists in lists: an array has at most " + std::to_string(POLYCODEC_MAX_NDIM) + " axes",
             axes_.count);
      axes_.shape[axes_.count] = static_cast<std::int64_t>(item.size());
      at_[axes_.count++] = 0;
      if (const auto run = item.elements(); run && !given_) return set_layout(item, run->dtype);
      if (item.size() == 0) return find_empty(item);
    }
    if (!given_) set_layout(item, item.dtype());
  }
  /// An empty list has the axes and the type of the leaf that its items would be of.
  void find_empty(const View& list) {
    const polycodec_array* a = list.array();
    while (a != nullptr && a->layout != POLYCODEC_LAYOUT_NDARRAY)
      a = a->layout == POLYCODEC_LAYOUT_CHUNKED && a->n_children != 0 ? a->children[0] : nullptr;
    if (a == nullptr) {
      if (!given_) fail("an empty list: no element says the type", axes_.count - 1);
      return;
    }
    for (std::uint32_t axis = 1; axis < a->ndim && axes_.count < POLYCODEC_MAX_NDIM; ++axis)
      axes_.shape[axes_.count++] = a->shape[axis];
    if (!given_) layout_ = {a->dtype, a->item_size, a->unit};
  }
  void set_layout(const View& of, std::uint32_t dtype) {
    const polycodec_array* const leaf = ViewParts::leaf_of(of);
    if (dtype == POLYCODEC_DTYPE_NONE) fail_kind(of, axes_.count);
    layout_ = {dtype, leaf != nullptr ? leaf->item_size : dtype_size(dtype), unit_of(of, dtype)};
  }
  static std::uint32_t unit_of(const View& of, std::uint32_t dtype) {
    if (!is_time(dtype)) return POLYCODEC_UNIT_NONE;
    const polycodec_array* const leaf = ViewParts::leaf_of(of);
    return leaf != nullptr ? leaf->unit : of.as_time().unit;
  }

  /// Calls part(list, first): a list, or each chunk of it with the number of its first item.
  template <class Each>
  static void each_part(const View& list, std::uint64_t first, Each&& part) {
    const polycodec_array* const a = list.array();
    if (a == nullptr || a->layout != POLYCODEC_LAYOUT_CHUNKED) return part(list, first);
    for (std::uint32_t i = 0; i < a->n_children; ++i) {
      each_part(View(*a->children[i]), first, part);
      first += a->children[i]->length;
    }
  }

  /// Checks that an item is what the first one of its axis is.
  void measure(const View& item, std::uint32_t axis, std::uint64_t index) {
    if (axis != 0) at_[axis - 1] = index;
    meter_.tick(4);
    if (axis != 0 && item.metadata() != nullptr)
      fail("metadata of an item: an array has no place for it", axis);
    if (axis != 0 && item.array() != nullptr) check_children(*item.array(), axis);
    if (axis == axes_.count) return measure_element(item, axis);
    if (item.kind() != POLYCODEC_KIND_LIST) fail_kind(item, axis);
    const auto wanted = static_cast<std::uint64_t>(axes_.shape[axis]);
    if (item.size() != wanted)
      fail("a list of " + std::to_string(item.size()) + " items, where the first has " +
               std::to_string(wanted) + ": an array has rows of one size",
           axis);
    each_part(item, 0, [&](const View& part, std::uint64_t first) {
      if (const auto run = part.elements(); run && axis + 1 == axes_.count) {
        if (given_) return;
        at_[axis] = first;
        check_type(part, run->dtype, axis + 1);
        return;
      }
      for (std::uint64_t i = 0, n = part.size(); i < n; ++i)
        measure(part.child(i), axis + 1, first + i);
    });
  }
  void measure_element(const View& item, std::uint32_t axis) {
    if (item.dtype() == POLYCODEC_DTYPE_NONE || item.kind() == POLYCODEC_KIND_LIST)
      fail_kind(item, axis);
    if (!given_) check_type(item, item.dtype(), axis);
  }
  void check_type(const View& of, std::uint32_t dtype, std::uint32_t axis) const {
    const polycodec_array* const leaf = ViewParts::leaf_of(of);
    if (dtype != layout_.dtype)
      fail(name_of(dtype) + ", where the first is " + name_of(layout_.dtype) +
               ": an array has elements of one type",
           axis);
    if (unit_of(of, dtype) != layout_.unit)
      fail("a time of another unit than the first: an array has one unit", axis);
    if (leaf != nullptr && leaf->item_size != layout_.item_size)
      fail("a string of another width than the first: an array has one width", axis);
  }
  static std::string name_of(std::uint32_t dtype) {
    const std::string_view name = dtype_name(dtype);
    return std::string(!name.empty() ? name : is_time(dtype) ? "a time" : "a fixed-width string");
  }

  /// Columns inside of an array have no metadata.
  void check_children(const polycodec_array& array, std::uint32_t axis) const {
    call_.check_stack();
    for (const polycodec_array* const child : children_of(array)) {
      if (child->metadata != nullptr)
        fail("metadata inside of an array: an n-d array has no place for it", axis);
      check_children(*child, axis);
    }
  }

  /// The elements one after another, in host byte order.
  ArrayView gathered(const View& value) {
    std::uint64_t size = layout_.item_size;
    auto stride = static_cast<std::int64_t>(size);
    for (std::uint32_t axis = axes_.count; axis-- > 0;) {
      axes_.strides[axis] = stride;
      if (!checked_mul(size, static_cast<std::uint64_t>(axes_.shape[axis]), size) ||
          size > static_cast<std::uint64_t>(INT64_MAX))
        throw Error(Status::limit, "the array needs more memory than there is").path(path_root);
      if (axes_.shape[axis] > 1) stride *= axes_.shape[axis];
    }
    polycodec_array made{};
    std::byte* const data = start(size, layout_, made);
    to_ = data;
    fill(value, 0, 0);
    return *leaf_over(out_, made, axes_, data);
  }
  /// Memory for elements, aligned for each type.
  std::byte* start(std::uint64_t size, const ElementLayout& layout, polycodec_array& made) {
    meter_.tick(size / 16);
    std::byte* data = out_.allocate<std::byte>(size + 16);
    data += (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16;
    const std::int64_t none[] = {0};
    made = *out_.ndarray(to_string_view(data, size), layout.dtype, layout.item_size, none);
    made.unit = layout.unit;
    return data;
  }
  void fill(const View& item, std::uint32_t axis, std::uint64_t index) {
    if (axis != 0) at_[axis - 1] = index;
    if (axis == axes_.count) {
      put(item, axis);
      return;
    }
    each_part(item, 0, [&](const View& part, std::uint64_t first) {
      if (const auto run = part.elements(); run && axis + 1 == axes_.count) {
        at_[axis] = first;
        return fill_run(part, *run, axis);
      }
      for (std::uint64_t i = 0, n = part.size(); i < n; ++i)
        fill(part.child(i), axis + 1, first + i);
    });
  }
  void fill_run(const View& list, const Elements& run, std::uint32_t axis) {
    meter_.tick(run.count / 2);
    const std::uint64_t first = at_[axis];
    for (std::uint64_t done = 0; done < run.count;) {
      Elements rest = run;
      rest.data += static_cast<std::int64_t>(done) * run.stride;
      rest.count -= done;
      const std::uint64_t n = detail::cast_elements(rest, layout_.dtype, to_);
      to_ += n * layout_.item_size;
      done += n;
      if (done == run.count) return;
      at_[axis] = first + done;
      put(list.child(done++), axis + 1);
    }
  }
  void put(const View& item, std::uint32_t axis) {
    try {
      store_scalar(item, layout_, to_);
    } catch (Error& error) {
      error.path(path(axis));
      throw;
    }
    to_ += layout_.item_size;
  }

  /// The elements of a leaf as another type.
  ArrayView cast(const polycodec_array& leaf) {
    axes_.count = leaf.ndim;
    std::copy_n(leaf.shape, leaf.ndim, axes_.shape.begin());
    return gathered(View(leaf));
  }

  std::string path(std::uint32_t axes) const {
    std::string path(path_root);
    for (std::uint32_t axis = 0; axis < axes; ++axis) append_index(path, at_[axis]);
    return path;
  }
  [[noreturn]] void fail(const std::string& why, std::uint32_t axes) const {
    throw Error(Status::type, why).path(path(axes));
  }
  [[noreturn]] void fail_kind(const View& item, std::uint32_t axes) const {
    fail(std::string(kind_name(item.kind())) + " where a " +
             (axes < axes_.count ? "list" : "number") + " is expected: the value is not an array",
         axes);
  }

  const Call& call_;
  Meter meter_;
  Builder out_;
  ElementLayout layout_;
  bool given_ = false;
  Axes axes_;
  std::array<std::uint64_t, POLYCODEC_MAX_NDIM> at_{};
  std::byte* to_ = nullptr;
};

/// An element of a leaf as a leaf of its units, which are what byte orders differ in.
polycodec_array units_of(const polycodec_array& leaf, std::int64_t (&extents)[2]) noexcept {
  polycodec_array units = leaf;
  const std::uint32_t width = dtype_swap_width(leaf.dtype);
  extents[0] = leaf.item_size / width;
  extents[1] = width;
  units.dtype = static_cast<std::uint8_t>(width == 2   ? POLYCODEC_DTYPE_UINT16
                                          : width == 4 ? POLYCODEC_DTYPE_UINT32
                                                       : POLYCODEC_DTYPE_UINT8);
  units.item_size = width;
  units.ndim = 1;
  units.length = static_cast<std::uint64_t>(extents[0]);
  units.shape = &extents[0];
  units.strides = &extents[1];
  return units;
}

}  // namespace

ArrayView nd_array(const Call& call, View value) {
  return Gathering(call, POLYCODEC_DTYPE_NONE).run(value);
}

ArrayView nd_array(const Call& call, View value, std::uint32_t dtype) {
  return Gathering(call, dtype).run(value);
}

void copy_elements(ArrayView leaf, std::uint8_t byte_order, std::span<std::byte> out) {
  if (out.size() != contiguous_size(leaf))
    throw Error(Status::range, "the elements take " + std::to_string(contiguous_size(leaf)) +
                                   " bytes, not " + std::to_string(out.size()));
  if (out.empty()) return;
  const std::size_t size = leaf.item_size();
  const std::size_t swap = leaf.raw().byte_order == byte_order ? 1 : dtype_swap_width(leaf.dtype());
  if (leaf.ndim() == 2) {
    const auto shape = leaf.shape();
    const auto stride = leaf.strides();
    const auto magnitude = [](std::int64_t s) { return s < 0 ? -s : s; };
    if (shape[0] > 1 && shape[1] > 1 && magnitude(stride[1]) > magnitude(stride[0]) &&
        magnitude(stride[1]) >= 64)
      return gather_blocked(out.data(), leaf.data(), {shape[0], shape[1]}, {stride[0], stride[1]},
                            size, swap);
  }
  const detail::Gather gather = detail::gather_for(size, swap);
  std::byte* to = out.data();
  for_each_run(leaf, [&](const std::byte* from, std::uint64_t count, std::int64_t stride) {
    const std::size_t bytes = static_cast<std::size_t>(count) * size;
    if (stride == static_cast<std::int64_t>(size)) {
      swap_copy(to, from, bytes / swap, swap);
    } else if (gather != nullptr) {
      gather(to, from, count, stride);
    } else {
      detail::gather_any(to, from, count, stride, size, swap);
    }
    to += bytes;
  });
}

void put_elements(const Call& call, Writer& out, ArrayView view, std::uint8_t byte_order) {
  const polycodec_array& leaf = view.raw();
  const std::uint64_t size = contiguous_size(view);
  if (size == 0) return;
  const bool right_order = leaf.byte_order == byte_order || dtype_swap_width(leaf.dtype) == 1;
  if (right_order && view.is_contiguous()) {
    call.tick(std::min<std::uint64_t>(size, POLYCODEC_MAX_WINDOW) / 16 + 1);
    return out.reference(leaf.data, size);
  }
  if (size <= POLYCODEC_MAX_WINDOW) {
    call.tick(size / 16 + 1);
    auto* const to = reinterpret_cast<std::byte*>(out.reserve(size));
    copy_elements(view, byte_order, {to, static_cast<std::size_t>(size)});
    return out.commit(size);
  }
  if (size == leaf.item_size) {
    std::int64_t extents[2];
    return put_elements(call, out, units_of(leaf, extents), byte_order);
  }
  const std::uint64_t row_size = size / leaf.length;
  const std::uint64_t rows = std::max<std::uint64_t>(1, POLYCODEC_MAX_WINDOW / row_size);
  if (size >= parallel_bytes && leaf.length > rows &&
      (out.sink()->flags & POLYCODEC_SINK_CONTIGUOUS) != 0) {
    const std::span<std::byte> all(reinterpret_cast<std::byte*>(out.reserve(size)),
                                   static_cast<std::size_t>(size));
    call.parallel_for(leaf.length, rows, [&](Call& own, std::uint64_t from, std::uint64_t to) {
      const auto bytes = static_cast<std::size_t>((to - from) * row_size);
      own.tick(bytes / 16 + 1);
      Extents shape;
      copy_elements(ArrayView(part_of(leaf, shape, from, to - from)), byte_order,
                    all.subspan(static_cast<std::size_t>(from * row_size), bytes));
    });
    return out.commit(size);
  }
  // As many rows at a time as the sink gives room for; rows that are too large themselves are taken
  // apart.
  Extents shape;
  for (std::uint64_t at = 0; at < leaf.length; at += rows) {
    polycodec_array part = part_of(leaf, shape, at, std::min(rows, leaf.length - at));
    if (part.length == 1 && leaf.ndim > 1) {
      ++part.shape, ++part.strides, --part.ndim;
      part.length = static_cast<std::uint64_t>(shape[1]);
    }
    put_elements(call, out, part, byte_order);
  }
}

}  // namespace polycodec
