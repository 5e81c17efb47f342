// SPDX-License-Identifier: MIT
#include "core/convert/columns.hpp"

#include <base/contiguous.hpp>
#include <base/depth.hpp>
#include <base/same_name.hpp>
#include <model/type/layout.hpp>
#include <model/type/print.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "core/text/attributes.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/value.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::detail {
namespace {

[[noreturn]] void throw_kind(const View& item, std::string_view wanted) {
  throw Error(Status::type,
              std::string(kind_name(item.kind())) + " where " + std::string(wanted) + " is wanted");
}

void check_size(const View& item, std::uint64_t wanted) {
  if (!item.is_list()) throw_kind(item, "a list");
  if (item.size() != wanted)
    throw Error(Status::type, "a list of " + std::to_string(item.size()) + " items where " +
                                  std::to_string(wanted) + " are wanted");
}

// The elements of an item that is one row of a leaf, as they are wanted.
void gather_run(const Elements& run, const ElementLayout& layout, std::byte* out) {
  polycodec_array a{};
  const auto extent = static_cast<std::int64_t>(run.count);
  a.dtype = static_cast<std::uint8_t>(run.dtype);
  a.byte_order = run.byte_order;
  a.length = run.count;
  a.data = run.data;
  a.ndim = 1;
  a.item_size = run.item_size;
  a.shape = &extent;
  a.strides = &run.stride;
  copy_elements(ArrayView(a), host_byte_order,
                {out, static_cast<std::size_t>(run.count) * layout.item_size});
}

bool same_layout(const Elements& run, const ElementLayout& layout) {
  // Times may have another unit, which a run does not tell.
  return run.dtype == layout.dtype && run.item_size == layout.item_size && !is_time(run.dtype);
}

}  // namespace

Column::Column(const type::Type& type) {
  check_stack(type.depth());
  set_type(type);
  for (const std::int64_t extent : extents_)
    if (!checked_mul(row_elements_, static_cast<std::uint64_t>(extent), row_elements_) ||
        row_elements_ > static_cast<std::uint64_t>(INT64_MAX) / 64)
      throw Error(Status::limit, "the dimensions of the type overflow");
}

void Column::set_type(const type::Type& type) {
  using type::Kind;
  if (const auto leaf = type::fixed_width(type)) {
    // Without a unit there is no telling what a count would count.
    if (is_time(leaf->dtype) && leaf->unit == POLYCODEC_UNIT_NONE) return;
    form_ = Form::leaf;
    layout_ = {leaf->dtype, leaf->item_size, leaf->unit};
    return;
  }
  const auto over = [&](Form form) {
    form_ = form;
    for (const type::Type& item : type.items()) children_.emplace_back(item);
  };
  switch (type.kind()) {
    case Kind::fixed_bytes:
    case Kind::fixed_string:
      throw Error(Status::limit, "elements of " + type::print(type).substr(0, 120) +
                                     " exceed the maximum of 4294967295 bytes");
    case Kind::string:
    case Kind::character:
    case Kind::bytes:
      form_ = Form::text;
      binary_ = type.kind() == Kind::bytes;
      return;
    case Kind::var_dim:
      return over(Form::list);
    case Kind::fixed_dim: {
      if (type.size() > static_cast<std::uint64_t>(INT64_MAX))
        throw Error(Status::limit, "a dimension overflows");
      Column content(type.element());
      // The rows are one more dimension of the leaf.
      const bool fits = content.extents_.size() + 2 <= POLYCODEC_MAX_NDIM;
      if (fits && content.form_ == Form::leaf && content.annotations_.empty()) {
        *this = std::move(content);
        extents_.insert(extents_.begin(), static_cast<std::int64_t>(type.size()));
        row_elements_ = 1;
        return;
      }
      form_ = Form::fixed_list;
      list_size_ = type.size();
      children_.push_back(std::move(content));
      return;
    }
    case Kind::record:
      names_.assign(type.names().begin(), type.names().end());
      return over(Form::record);
    case Kind::tuple:
      tuple_ = true;
      return over(Form::record);
    case Kind::union_type:
      return over(Form::either);
    case Kind::option:
      return set_option(type.element());
    case Kind::indexed:
      return set_type(type.element());
    case Kind::annotated:
      set_type(type.element());
      annotations_.insert(annotations_.end(), type.annotations().begin(), type.annotations().end());
      return;
    default:
      form_ = Form::document;
  }
}

void Column::set_option(const type::Type& inner) {
  Column content(inner);
  const bool holds_null = content.form_ == Form::document || content.form_ == Form::masked ||
                          content.form_ == Form::chosen;
  if (holds_null) {
    *this = std::move(content);
    return;
  }
  form_ = content.has_filler() ? Form::masked : Form::chosen;
  children_.push_back(std::move(content));
}

void Column::count(std::uint64_t more, const Bounds& bounds) {
  if (!checked_add(length_, more, length_) || length_ > bounds.limits.max_elements)
    throw Error(Status::limit, "more items than max_elements (" +
                                   std::to_string(bounds.limits.max_elements) + ")");
  std::uint64_t bytes = 0;
  if (!checked_mul(length_, each_bytes(), bytes) || bytes > bounds.max_memory)
    throw Error(Status::limit, "a column would need more memory than the limits allow");
}

bool Column::has_room(std::uint64_t more, const Bounds& bounds) const noexcept {
  std::uint64_t items = 0, bytes = 0;
  return checked_add(length_, more, items) && items <= bounds.limits.max_elements &&
         checked_mul(items, each_bytes(), bytes) && bytes <= bounds.max_memory &&
         (!shares_items() || std::ranges::all_of(children_, [&](const Column& child) {
           return child.has_room(more, bounds);
         }));
}

void Column::count_shared(std::uint64_t more) noexcept {
  length_ += more;
  if (shares_items())
    for (Column& child : children_) child.count_shared(more);
}

void Column::measure_leaf(const View& item, HostMeter& meter, std::size_t axis) const {
  if (axis == extents_.size()) return;
  check_size(item, static_cast<std::uint64_t>(extents_[axis]));
  const bool run = item.elements() && axis + 1 == extents_.size();
  meter.tick(run ? item.size() / 2 : 8 * item.size());
  if (run) return;
  for (std::uint64_t i = 0, n = item.size(); i < n; ++i)
    at_step(i, [&] { measure_leaf(item.child(i), meter, axis + 1); });
}

void Column::measure_missing(const Bounds& bounds, bool is_counted) {
  if (!is_counted) count(1, bounds);
}

void Column::measure(const View& item, const Bounds& bounds, std::uint32_t depth, bool is_counted) {
  check_depth(depth, bounds.limits.max_depth);
  bounds.meter.tick(8);
  if (!is_counted) count(1, bounds);
  switch (form_) {
    case Form::leaf:
      return measure_leaf(item, bounds.meter, 0);
    case Form::text: {
      if (item.kind() != (binary_ ? POLYCODEC_KIND_BINARY : POLYCODEC_KIND_STRING))
        throw_kind(item, binary_ ? "bytes" : "a string");
      std::string scratch;
      const std::uint64_t size = binary_ ? item.as_bytes().size() : item.as_string(scratch).size();
      if (!checked_add(text_size_, size, text_size_) || text_size_ > bounds.max_memory)
        throw Error(Status::limit, "the strings need more memory than the limits allow");
      return bounds.meter.tick(units_of_bytes(size));
    }
    case Form::fixed_list:
      check_size(item, list_size_);
      [[fallthrough]];
    case Form::list: {
      if (!item.is_list()) throw_kind(item, "a list");
      Column& content = children_[0];
      const auto run = item.elements();
      if (run && content.form_ == Form::leaf && content.extents_.empty()) {
        bounds.meter.tick(run->count / 2);
        return content.count(run->count, bounds);
      }
      const std::uint64_t n = item.size();
      // Where not all of them have room, the error names the first that is too many.
      const bool all = content.has_room(n, bounds);
      if (all) content.count_shared(n);
      for (std::uint64_t i = 0; i < n; ++i)
        at_step(i, [&] { content.measure(item.child(i), bounds, depth + 1, all); });
      return;
    }
    case Form::record: {
      // The type of a list of unlike items is that of a tuple.
      if (item.kind() != (tuple_ ? POLYCODEC_KIND_TUPLE : POLYCODEC_KIND_OBJECT) &&
          !(tuple_ && item.kind() == POLYCODEC_KIND_LIST))
        throw_kind(item, tuple_ ? "a tuple" : "an object");
      if (item.size() != children_.size())
        throw Error(Status::type, std::to_string(item.size()) + " members where " +
                                      std::to_string(children_.size()) + " are wanted");
      for (std::uint64_t i = 0; i < children_.size(); ++i) {
        with_step([&] { return tuple_ ? index_step(i) : key_step(item.name(i)); },
                  [&] {
                    if (!tuple_ && !is_same_name(item.name(i), names_[i]))
                      throw Error(Status::type, "the member is not called " + quote(names_[i]));
                    children_[i].measure(item.child(i), bounds, depth + 1, is_counted);
                  });
      }
      return;
    }
    case Form::masked:
      return item.is_null() ? children_[0].measure_missing(bounds, is_counted)
                            : children_[0].measure(item, bounds, depth, is_counted);
    case Form::chosen:
      if (!item.is_null()) children_[0].measure(item, bounds, depth);
      return;
    case Form::either: {
      if (item.kind() != POLYCODEC_KIND_UNION) throw_kind(item, "a member of a union");
      if (item.tag() < 0 || item.tag() >= static_cast<std::int64_t>(children_.size()))
        throw Error(Status::type, "the union has no alternative " + std::to_string(item.tag()));
      return children_[static_cast<std::size_t>(item.tag())].measure(item.child(), bounds,
                                                                     depth + 1);
    }
    case Form::document:
      return;
  }
}

void Column::allocate(Builder& out, std::uint32_t depth) {
  check_stack(depth);
  std::vector<const polycodec_array*> arrays;
  for (Column& child : children_) {
    child.allocate(out, depth + 1);
    arrays.push_back(child.array_);
  }
  const auto with = [&](polycodec_layout form) { return out.with_children(form, length_, arrays); };
  switch (form_) {
    case Form::leaf: {
      std::vector<std::int64_t> shape{static_cast<std::int64_t>(length_)};
      shape.insert(shape.end(), extents_.begin(), extents_.end());
      const std::uint64_t bytes = length_ * row_bytes();  // count() has checked it
      data_ = out.allocate<std::byte>(bytes + 16);
      data_ += (16 - reinterpret_cast<std::uintptr_t>(data_) % 16) % 16;
      array_ = out.ndarray(to_string_view(data_, bytes), layout_.dtype, layout_.item_size, shape);
      array_->unit = layout_.unit;
      break;
    }
    case Form::text: {
      data_ = out.allocate<std::byte>(text_size_);
      offsets_ = out.allocate<std::int64_t>(length_ + 1);
      const auto* content = out.vector(std::span(reinterpret_cast<const std::uint8_t*>(data_),
                                                 static_cast<std::size_t>(text_size_)));
      array_ = out.list_offsets(
          std::span<const std::int64_t>(offsets_, static_cast<std::size_t>(length_) + 1), content,
          binary_ ? POLYCODEC_ARRAY_BINARY : POLYCODEC_ARRAY_STRING);
      offsets_[0] = 0;
      break;
    }
    case Form::list:
      offsets_ = out.allocate<std::int64_t>(length_ + 1);
      offsets_[0] = 0;
      array_ = out.list_offsets(
          std::span<const std::int64_t>(offsets_, static_cast<std::size_t>(length_) + 1),
          arrays[0]);
      break;
    case Form::fixed_list:
      array_ = with(POLYCODEC_LAYOUT_LIST_FIXED);
      array_->list_size = list_size_;
      break;
    case Form::record: {
      const std::vector<std::string_view> names(names_.begin(), names_.end());
      array_ = out.record(length_, names, arrays);
      // A record without fields is not a tuple: its list of names is there, and empty.
      if (!tuple_ && names.empty()) array_->names = out.allocate<polycodec_bytes>(1);
      break;
    }
    case Form::masked:
      mask_ = out.allocate<std::uint8_t>(length_);
      array_ = with(POLYCODEC_LAYOUT_OPTION_BYTES);
      array_->index =
          Builder::column(std::span<const std::uint8_t>(mask_, static_cast<std::size_t>(length_)));
      array_->flags = POLYCODEC_ARRAY_MASK_VALID;
      break;
    case Form::chosen:
    case Form::either:
      offsets_ = out.allocate<std::int64_t>(length_);
      array_ = with(form_ == Form::chosen ? POLYCODEC_LAYOUT_INDEXED : POLYCODEC_LAYOUT_UNION);
      array_->index = Builder::column(
          std::span<const std::int64_t>(offsets_, static_cast<std::size_t>(length_)));
      if (form_ == Form::chosen) break;
      tags_ = out.allocate<std::int32_t>(length_);
      array_->tags =
          Builder::column(std::span<const std::int32_t>(tags_, static_cast<std::size_t>(length_)));
      break;
    case Form::document:
      nodes_ = out.allocate<polycodec_node>(length_);
      array_ = out.new_array(POLYCODEC_LAYOUT_DOCUMENT, length_);
      array_->nodes = nodes_;
      break;
  }
  if (annotations_.empty()) return;
  array_->metadata = out.root(text::attributes_of(out, annotations_, {}));
}

void Column::fill_leaf(const View& item, std::size_t axis) {
  if (axis == extents_.size()) {
    store_scalar(item, layout_, data_);
    data_ += layout_.item_size;
    return;
  }
  if (const auto run = item.elements();
      run && axis + 1 == extents_.size() && same_layout(*run, layout_)) {
    gather_run(*run, layout_, data_);
    data_ += run->count * layout_.item_size;
    return;
  }
  for (std::uint64_t i = 0, n = item.size(); i < n; ++i)
    at_step(i, [&] { fill_leaf(item.child(i), axis + 1); });
}

void Column::fill_missing() {
  if (form_ != Form::leaf)
    return end_list(form_ == Form::text ? text_filled_ : children_[0].filled_);
  if (row_bytes() != 0) std::memset(data_, 0, static_cast<std::size_t>(row_bytes()));
  data_ += row_bytes();
  ++filled_;
}

bool Column::fill_node(const polycodec_node& node) {
  if (form_ == Form::text) {
    if (node.kind != (binary_ ? POLYCODEC_KIND_BINARY : POLYCODEC_KIND_STRING)) return false;
    append_text(to_string_view(node.as.data, polycodec_node_size(&node)));
    return true;
  }
  const bool is_number = node.kind >= POLYCODEC_KIND_SIGNED && node.kind <= POLYCODEC_KIND_FLOAT;
  if (form_ != Form::leaf || !is_number || node.dtype != layout_.dtype || layout_.item_size != 8 ||
      !extents_.empty())
    return false;
  std::memcpy(data_, &node.as, 8);
  data_ += 8;
  ++filled_;
  return true;
}

void Column::append_text(std::string_view text) {
  if (!text.empty()) std::memcpy(data_ + text_filled_, text.data(), text.size());
  text_filled_ += text.size();
  end_list(text_filled_);
}

void Column::fill(const View& item, Builder& out, const Limits& limits, std::uint32_t depth) {
  check_stack(depth);
  const polycodec_node* const nodes = item.node() == nullptr ? nullptr : item.node()->as.nodes;
  switch (form_) {
    case Form::leaf:
      fill_leaf(item, 0);
      break;
    case Form::text: {
      std::string scratch;
      return append_text(binary_ ? item.as_bytes() : item.as_string(scratch));
    }
    case Form::list:
    case Form::fixed_list: {
      Column& content = children_[0];
      const auto run = item.elements();
      if (run && content.form_ == Form::leaf && content.extents_.empty() &&
          same_layout(*run, content.layout_)) {
        gather_run(*run, content.layout_, content.data_);
        content.data_ += run->count * content.layout_.item_size;
        content.filled_ += run->count;
      } else {
        for (std::uint64_t i = 0, n = item.size(); i < n; ++i)
          if (nodes == nullptr || !content.fill_node(nodes[i]))
            at_step(i, [&] { content.fill(item.child(i), out, limits, depth + 1); });
      }
      if (form_ == Form::list) return end_list(content.filled_);
      break;
    }
    case Form::record:
      for (std::uint64_t i = 0; i < children_.size(); ++i) {
        if (nodes != nullptr && children_[i].fill_node(nodes[tuple_ ? i : 2 * i + 1])) continue;
        const auto fill = [&] { children_[i].fill(item.child(i), out, limits, depth + 1); };
        tuple_ ? at_step(i, fill) : at_step(names_[i], fill);
      }
      break;
    case Form::masked:
      mask_[filled_] = item.is_null() ? 0 : 1;
      item.is_null() ? children_[0].fill_missing() : children_[0].fill(item, out, limits, depth);
      break;
    case Form::chosen:
      offsets_[filled_] = item.is_null() ? -1 : static_cast<std::int64_t>(children_[0].filled_);
      if (!item.is_null()) children_[0].fill(item, out, limits, depth);
      break;
    case Form::either: {
      Column& member = children_[static_cast<std::size_t>(item.tag())];
      tags_[filled_] = static_cast<std::int32_t>(item.tag());
      offsets_[filled_] = static_cast<std::int64_t>(member.filled_);
      member.fill(item.child(), out, limits, depth + 1);
      break;
    }
    case Form::document: {
      Limits rest = limits;
      rest.max_depth -= depth;
      nodes_[filled_] = to_document(item, out, rest);
      break;
    }
  }
  ++filled_;
}

}  // namespace polycodec::detail
