// SPDX-License-Identifier: MIT
#include "column.hpp"

#include <polycodec/utf.hpp>

#include "check.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace polycodec::dynd {

namespace {

// An item that is missing may have a place in the child if that costs next to nothing.
bool is_cheap_to_fill(const Plan& plan) {
  if (plan.nullable) return false;
  if (plan.fixed) return plan.width <= 16;
  return plan.op == Op::text || plan.op == Op::bytes || plan.op == Op::character ||
         plan.op == Op::type_value || plan.op == Op::var_dim;
}

}  // namespace

Column::Column(const Plan& plan, Decoder& decoder, const Wanted* wanted)
    : plan_(plan),
      decoder_(decoder),
      store_(Store::none),
      bytes_(decoder.build),
      starts_(decoder.build),
      stops_(decoder.build),
      nodes_(decoder.build) {
  if (wanted == nullptr) {
    store_ = Store::passed;
    return;
  }
  if (plan.fixed) {
    if (plan.width != 0) store_ = Store::packed;
    return;
  }
  switch (plan.op) {
    case Op::text:
    case Op::bytes:
    case Op::character:
    case Op::type_value:
      store_ = Store::texts;
      return;
    case Op::any:
      store_ = Store::nodes;
      return;
    case Op::sequence:
      store_ = Store::fields;
      break;
    case Op::var_dim:
      store_ = Store::lists;
      starts_.push(0);
      break;
    case Op::fixed_dim:
      store_ = Store::fixed_lists;
      break;
    default:
      store_ = Store::options;
      compact_ = !is_cheap_to_fill(plan.element());
      break;
  }
  children_.reserve(plan.items.size());
  if (plan.op == Op::sequence && plan.named) {
    const Wanted& fields = wanted->of(plan.type.names());
    for (std::size_t i = 0; i < plan.items.size(); ++i)
      children_.emplace_back(plan.items[i], decoder, fields.find(plan.type.names()[i]));
  } else {
    for (const Plan& item : plan.items) children_.emplace_back(item, decoder, wanted);
  }
}

// Calls read(i) for every item, and says in an error which item it was. Items are charged in parts,
// so that each costs nothing and a long column can still be cancelled.
template <class Read>
void Column::each(std::uint64_t count, Read read) {
  constexpr std::uint64_t part = 1024;
  std::uint64_t i = 0;
  try {
    while (i < count) {
      const std::uint64_t end = i + std::min(part, count - i);
      decoder_.pace.tick(end - i);
      for (; i < end; ++i) read(i);
    }
  } catch (Error& e) {
    prefix_path(e, index_step(i));
    throw;
  }
}

void Column::read_packed(std::uint64_t count) {
  BytesIn& in = decoder_.in;
  const std::uint64_t start = in.offset();
  in.require(count, plan_.width, "items of fixed size");
  const std::uint64_t size = count * plan_.width;
  const std::uint8_t* p = in.take(size, "items of fixed size");
  if (!plan_.unchecked) check_fixed(plan_, p, count, plan_.width, start, decoder_.pace);
  decoder_.pace.step(size);
  bytes_.append(p, size);
}

void Column::read_texts(std::uint64_t count) {
  BytesIn& in = decoder_.in;
  if (length_ == 0) origin_ = in.offset();
  const std::uint64_t origin = origin_;
  std::int64_t* starts = starts_.reserve(count);
  std::int64_t* stops = stops_.reserve(count);
  constexpr std::uint64_t pay_at = 65536;
  std::uint64_t bytes = 0;
  std::uint64_t paid = 0;
  each(count, [&](std::uint64_t i) {
    std::string_view text;
    switch (plan_.op) {
      case Op::character:
        text = in.character(greatest_character(plan_.encoding));
        break;
      case Op::type_value:
        text = decoder_.type_value();
        break;
      default:
        text = in.counted(plan_.op == Op::text ? "a string" : "bytes");
        if (plan_.op == Op::bytes) break;
        if (const std::size_t bad = validate_utf8(text); bad != utf8_npos) [[unlikely]]
          refuse(Status::malformed, "dynd.utf8", "a string is not UTF-8",
                 in.offset() - text.size() + bad);
    }
    const std::uint64_t stop = in.offset() - origin;
    starts[i] = static_cast<std::int64_t>(stop - text.size());
    stops[i] = static_cast<std::int64_t>(stop);
    bytes += text.size();
    if (bytes >= paid + pay_at) [[unlikely]]
      decoder_.pace.step(bytes - std::exchange(paid, bytes));
  });
  decoder_.pace.step(bytes - paid);
  starts_.commit(count);
  stops_.commit(count);
  text_bytes_ += bytes;
}

void Column::read_packed_lists(std::uint64_t count) {
  // Lists of numbers: the items are copied one list after another.
  BytesIn& in = decoder_.in;
  Column& child = children_.front();
  const std::uint64_t width = child.plan_.width;
  const bool unchecked = child.plan_.unchecked;
  std::int64_t* ends = starts_.reserve(count);
  std::uint64_t total = child.length_;
  each(count, [&](std::uint64_t i) {
    const std::uint64_t items = in.count(width);
    decoder_.charge(child.plan_, items);
    const std::uint64_t size = items * width;
    const std::uint8_t* from = in.data();
    if (!unchecked) check_fixed(child.plan_, from, items, width, in.offset(), decoder_.pace);
    if (size > 256) decoder_.pace.step(size);  // less is part of the item
    std::uint8_t* to = child.bytes_.reserve(size + 64);
    if (size <= 64 && in.left() >= 64) {
      std::memcpy(to, from, 64);  // a copy of known size is cheaper than one that asks how much
    } else {
      std::memcpy(to, from, static_cast<std::size_t>(size));
    }
    child.bytes_.commit(size);
    in.skip(size);
    total += items;
    ends[i] = static_cast<std::int64_t>(total);
  });
  child.length_ = total;
  starts_.commit(count);
}

void Column::read_lists(std::uint64_t count) {
  Column& child = children_.front();
  if (child.store_ == Store::packed) return read_packed_lists(count);
  each(count, [&](std::uint64_t) {
    const std::uint64_t items = decoder_.in.count(child.plan_.least);
    decoder_.check_count(items);
    decoder_.charge(child.plan_, items);
    child.read(items);
    starts_.push(static_cast<std::int64_t>(child.length_));
  });
}

void Column::fill() {
  ++length_;
  switch (store_) {
    case Store::packed:
      std::memset(bytes_.reserve(plan_.width), 0, static_cast<std::size_t>(plan_.width));
      return bytes_.commit(plan_.width);
    case Store::texts:
      starts_.push(0);
      return stops_.push(0);
    case Store::lists:
      return starts_.push(static_cast<std::int64_t>(children_.front().length_));
    default:
      return;
  }
}

void Column::read_options(std::uint64_t count) {
  BytesIn& in = decoder_.in;
  Column& child = children_.front();
  each(count, [&](std::uint64_t) {
    const std::uint8_t tag = *in.take(1, "the mark of an optional value");
    if (tag > 1)
      refuse(Status::malformed, "dynd.option_tag",
             "the mark of an optional value is neither 0 nor 1", in.offset() - 1);
    bytes_.push(tag);
    if (compact_) starts_.push(tag == 0 ? -1 : static_cast<std::int64_t>(child.length_));
    if (tag == 1) {
      decoder_.charge(child.plan_, 1);
      one_item([&] { child.read(1); });  // an option has no step of its own
    } else if (!compact_) {
      child.fill();
    }
  });
}

void Column::read(std::uint64_t count) {
  switch (store_) {
    case Store::none:
      break;
    case Store::passed:
      each(count, [&](std::uint64_t) { decoder_.pass(plan_); });
      break;
    case Store::packed:
      read_packed(count);
      break;
    case Store::texts:
      read_texts(count);
      break;
    case Store::lists:
      read_lists(count);
      break;
    case Store::fixed_lists:
      each(count, [&](std::uint64_t) { children_.front().read(plan_.count); });
      break;
    case Store::fields:
      each(count, [&](std::uint64_t) {
        each_field(plan_, [&](std::uint64_t i) { one_item([&] { children_[i].read(1); }); });
      });
      break;
    case Store::options:
      read_options(count);
      break;
    case Store::nodes:
      each(count, [&](std::uint64_t) { nodes_.push(decoder_.any(plan_)); });
      break;
  }
  length_ += count;
}

const polycodec_array* Column::finish_texts() {
  Builder& build = decoder_.build;
  const bool binary = plan_.op == Op::bytes;
  const auto flags =
      static_cast<std::uint8_t>(binary ? POLYCODEC_ARRAY_BINARY : POLYCODEC_ARRAY_STRING);
  const std::int64_t* starts = starts_.data();
  const std::int64_t* stops = stops_.data();
  std::uint64_t end = 0;
  for (std::uint64_t i = length_; i > 0 && end == 0; --i)
    end = static_cast<std::uint64_t>(stops[i - 1]);
  if (end <= 2 * text_bytes_ + 16 * length_) {
    // The strings are close together: they stay where they are.
    const auto shape = static_cast<std::int64_t>(end);
    const polycodec_array* const content = build.ndarray(
        decoder_.in.all().substr(static_cast<std::size_t>(origin_), static_cast<std::size_t>(end)),
        POLYCODEC_DTYPE_UINT8, 1, {&shape, 1});
    polycodec_array* list = build.with_children(POLYCODEC_LAYOUT_LIST_VIEW, length_, {&content, 1});
    list->flags = flags;
    list->starts = {starts_.take().data(), 8, POLYCODEC_DTYPE_INT64, 0};
    list->stops = {stops_.take().data(), 8, POLYCODEC_DTYPE_INT64, 0};
    return list;
  }
  auto* content = build.allocate<std::byte>(text_bytes_);
  auto* offsets = build.allocate<std::int64_t>(length_ + 1);
  std::int64_t at = offsets[0] = 0;
  for (std::uint64_t i = 0; i < length_; ++i) {
    const std::int64_t size = stops[i] - starts[i];
    decoder_.pace.step(static_cast<std::uint64_t>(size));
    if (size != 0)
      std::memcpy(content + at, decoder_.in.begin() + origin_ + starts[i],
                  static_cast<std::size_t>(size));
    offsets[i + 1] = at += size;
  }
  const auto shape = static_cast<std::int64_t>(text_bytes_);
  return build.list_offsets(
      std::span<const std::int64_t>(offsets, static_cast<std::size_t>(length_) + 1),
      build.ndarray(to_string_view(content, text_bytes_), POLYCODEC_DTYPE_UINT8, 1, {&shape, 1}),
      flags);
}

const polycodec_array* Column::finish_option() {
  Builder& build = decoder_.build;
  const polycodec_array* content = children_.front().finish();
  if (plan_.element().nullable) {
    // What may be null itself is wrapped, so that it differs from what is missing.
    static constexpr std::int64_t tag = 0;
    auto* places = build.allocate<std::int64_t>(content->length);
    for (std::uint64_t i = 0; i < content->length; ++i) places[i] = static_cast<std::int64_t>(i);
    polycodec_array* wrapped =
        build.with_children(POLYCODEC_LAYOUT_UNION, content->length, {&content, 1});
    wrapped->index = {places, 8, POLYCODEC_DTYPE_INT64, 0};
    wrapped->tags = {&tag, 0, POLYCODEC_DTYPE_INT64, 0};
    content = wrapped;
  }
  if (compact_) {
    polycodec_array* rows = build.with_children(POLYCODEC_LAYOUT_INDEXED, length_, {&content, 1});
    rows->index = {starts_.take().data(), 8, POLYCODEC_DTYPE_INT64, 0};
    content = rows;
  }
  polycodec_array* option =
      build.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, length_, {&content, 1});
  option->flags = POLYCODEC_ARRAY_MASK_VALID;
  option->mask = {bytes_.take().data(), 1, POLYCODEC_DTYPE_UINT8, 0};
  return option;
}

const polycodec_array* Column::finish() {
  Builder& build = decoder_.build;
  switch (store_) {
    case Store::passed:
      return nullptr;
    case Store::none:
      return decoder_.fixed_column(plan_, {}, nullptr, length_, 0);
    case Store::packed: {
      const std::uint64_t size = bytes_.size();
      const std::uint8_t* p = bytes_.take().data();
      return decoder_.fixed_column(plan_, to_string_view(p, size), p, length_, plan_.width);
    }
    case Store::texts:
      return finish_texts();
    case Store::lists: {
      const polycodec_array* const content = children_.front().finish();
      const auto* offsets = starts_.take().data();
      return build.list_offsets(
          std::span<const std::int64_t>(offsets, static_cast<std::size_t>(length_) + 1), content);
    }
    case Store::fixed_lists: {
      const polycodec_array* const content = children_.front().finish();
      polycodec_array* list =
          build.with_children(POLYCODEC_LAYOUT_LIST_FIXED, length_, {&content, 1});
      list->list_size = plan_.count;
      return list;
    }
    case Store::fields: {
      std::vector<const polycodec_array*> columns;
      columns.reserve(children_.size());
      for (Column& child : children_) columns.push_back(child.finish());
      return sequence_array(build, plan_, length_, columns);
    }
    case Store::options:
      return finish_option();
    case Store::nodes: {
      polycodec_array* array = build.new_array(POLYCODEC_LAYOUT_DOCUMENT, length_);
      array->nodes = nodes_.take().data();
      return array;
    }
  }
  throw Error(Status::internal, "a column without a store");
}

const polycodec_array* Decoder::column(const Plan& plan, std::uint64_t count,
                                       const Wanted& wanted) {
  in.require(count, plan.least, "an array");
  check_count(count);
  if (plan.fixed) {
    const std::uint64_t start = in.offset();
    const std::uint8_t* data = in.take(count * plan.width, "an array");
    if (!plan.unchecked) check_fixed(plan, data, count, plan.width, start, pace);
    const std::string_view buffer =
        to_string_view(data, static_cast<std::size_t>(count * plan.width));
    return fixed_column(plan, buffer, data, count, plan.width);
  }
  Column column(plan, *this, &wanted);
  column.read(count);
  return column.finish();
}

}  // namespace polycodec::dynd
