// SPDX-License-Identifier: MIT
#include "core/text/column.hpp"

#include <base/depth.hpp>
#include <model/type/print.hpp>
#include <polycodec/utf.hpp>

#include "core/text/element.hpp"

#include <algorithm>

namespace polycodec::text {

using type::Kind;
using type::Type;

namespace {

// A leaf has one dimension more than its items.
constexpr std::size_t max_tail = POLYCODEC_MAX_NDIM - 1;

std::uint64_t times(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}
void expect_list(Parser& parser) {
  if (parser.scanner().peek() == '[') return;
  if (parser.scanner().at_end()) parser.scanner().unexpected("a list");
  parser.scanner().fail(Status::type, "text.type", "expected a list");
}

/// Elements of a leaf, with the fixed dimensions of an item.
class LeafColumn final : public Column {
 public:
  LeafColumn(const Type& element, std::vector<std::int64_t> tail)
      : reader_(element), tail_(std::move(tail)) {}

  void append(Parser& parser) override {
    read(parser, 0);
    ++count_;
  }
  void append_missing(Parser& parser) override {
    std::uint64_t elements = 1;
    for (const std::int64_t extent : tail_)
      elements = times(elements, static_cast<std::uint64_t>(extent));
    reader_.append_zero(parser.scanner(), bytes_, elements);
    ++count_;
  }
  std::uint64_t missing_weight() const noexcept override {
    std::uint64_t weight = 1;
    for (auto extent = tail_.rbegin(); extent != tail_.rend(); ++extent)
      weight = times(static_cast<std::uint64_t>(*extent), std::max<std::uint64_t>(weight, 1));
    return weight;
  }
  polycodec_array* finish(Builder& builder) override {
    std::vector<std::int64_t> shape{count_};
    shape.insert(shape.end(), tail_.begin(), tail_.end());
    return reader_.array(builder, bytes_, shape);
  }

 private:
  void read(Parser& parser, std::size_t axis) {
    if (axis == tail_.size()) return reader_.append(parser.scalars(), bytes_);
    expect_list(parser);
    const auto extent = static_cast<std::uint64_t>(tail_[axis]);
    std::uint64_t count = 0;
    Scanner::Members members(parser.scanner(), '[', ']');
    while (members.next()) {
      if (++count > extent) parser.scanner().wrong_count(extent, count);
      read(parser, axis + 1);
    }
    if (count != extent) parser.scanner().wrong_count(extent, count);
  }

  ElementReader reader_;
  std::vector<std::int64_t> tail_;
  std::vector<std::byte> bytes_;
  std::int64_t count_ = 0;
};

/// Strings or byte strings, one after another.
class TextColumn final : public Column {
 public:
  explicit TextColumn(bool is_text) : is_text_(is_text) {}

  void append(Parser& parser) override {
    bool raw = false;
    const std::string_view item = is_text_ ? parser.scalars().text(raw) : parser.scalars().bytes();
    if (raw && !is_utf8(item)) throw NotColumnar{};
    chars_ += item;
    append_missing(parser);
  }
  void append_missing(Parser&) override {
    offsets_.push_back(static_cast<std::int64_t>(chars_.size()));
  }
  polycodec_array* finish(Builder& builder) override {
    const std::string_view chars = builder.copy_text(chars_);
    const auto* content = builder.vector(
        std::span(reinterpret_cast<const std::uint8_t*>(chars.data()), chars.size()));
    return builder.list_offsets(
        std::span<const std::int64_t>(builder.store_all(std::span<const std::int64_t>(offsets_)),
                                      offsets_.size()),
        content, is_text_ ? POLYCODEC_ARRAY_STRING : POLYCODEC_ARRAY_BINARY);
  }

 private:
  bool is_text_;
  std::string chars_;
  std::vector<std::int64_t> offsets_{0};
};

/// Lists of any length, or (`size`) of one.
class ListColumn final : public Column {
 public:
  ListColumn(std::unique_ptr<Column> content, std::optional<std::uint64_t> size)
      : content_(std::move(content)), size_(size) {}

  void append(Parser& parser) override {
    expect_list(parser);
    std::uint64_t count = 0;
    Scanner::Members members(parser.scanner(), '[', ']');
    while (members.next()) {
      if (++count > size_.value_or(UINT64_MAX)) parser.scanner().wrong_count(*size_, count);
      content_->append(parser);
    }
    if (size_ && count != *size_) parser.scanner().wrong_count(*size_, count);
    total_ += static_cast<std::int64_t>(count);
    end_item();
  }
  void append_missing(Parser& parser) override {
    for (std::uint64_t i = 0; i < size_.value_or(0); ++i) content_->append_missing(parser);
    end_item();
  }
  std::uint64_t missing_weight() const noexcept override {
    return size_ ? times(*size_, std::max<std::uint64_t>(content_->missing_weight(), 1)) : 1;
  }
  polycodec_array* finish(Builder& builder) override {
    const polycodec_array* content = content_->finish(builder);
    if (!size_)
      return builder.list_offsets(
          std::span<const std::int64_t>(builder.store_all(std::span<const std::int64_t>(offsets_)),
                                        offsets_.size()),
          content);
    polycodec_array* a = builder.with_children(POLYCODEC_LAYOUT_LIST_FIXED, count_, {{content}});
    a->list_size = *size_;
    return a;
  }

 private:
  void end_item() {
    ++count_;
    if (!size_) offsets_.push_back(total_);
  }

  std::unique_ptr<Column> content_;
  std::optional<std::uint64_t> size_;
  std::uint64_t count_ = 0;
  std::int64_t total_ = 0;
  std::vector<std::int64_t> offsets_{0};
};

/// Items of any kind, one by one.
class DocumentColumn final : public Column {
 public:
  explicit DocumentColumn(const Type& t) : type_(t) {}

  void append(Parser& parser) override { items_.push_back(parser.value(type_)); }
  void append_missing(Parser&) override { items_.push_back(Builder::null()); }
  // A null would make the type of the other items optional.
  std::uint64_t missing_weight() const noexcept override { return UINT64_MAX; }
  polycodec_array* finish(Builder& builder) override {
    polycodec_array* a = builder.new_array(POLYCODEC_LAYOUT_DOCUMENT, items_.size());
    a->nodes = builder.store_all(std::span<const polycodec_node>(items_));
    return a;
  }

 private:
  Type type_;
  std::vector<polycodec_node> items_;
};

std::unique_ptr<Column> make_fixed(Parser& parser, const Type& t) {
  std::vector<std::int64_t> tail;
  const Type* inner = &t;
  while (inner->is(Kind::fixed_dim) && tail.size() < max_tail) {
    tail.push_back(static_cast<std::int64_t>(inner->size()));
    inner = &inner->element();
  }
  if (ElementReader::takes(*inner) && !is_document_column(*inner, parser.loose()))
    return std::make_unique<LeafColumn>(*inner, std::move(tail));
  return std::make_unique<ListColumn>(make_column(parser, t.element()), t.size());
}

}  // namespace

namespace {

/// missing_weight() of the column for items of type `t`.
std::uint64_t filler_weight(const Type& t) noexcept {
  if (is_document_column(t, false)) return UINT64_MAX;
  switch (t.kind()) {
    case Kind::fixed_dim:
      return times(t.size(), std::max<std::uint64_t>(filler_weight(t.element()), 1));
    case Kind::annotated:
    case Kind::pointer:
    case Kind::indexed:
      return filler_weight(t.element());
    case Kind::union_type:
      return UINT64_MAX;
    case Kind::option: {
      const std::uint64_t weight = filler_weight(t.element());
      return weight > max_missing_weight ? 1 : std::max<std::uint64_t>(weight, 1);
    }
    case Kind::record:
    case Kind::tuple: {
      std::uint64_t weight = 1;
      for (const Type& item : t.items())
        if (__builtin_add_overflow(weight, filler_weight(item), &weight)) return UINT64_MAX;
      return weight;
    }
    default:
      return 1;
  }
}

}  // namespace

bool has_large_filler(const Type& t) noexcept {
  return filler_weight(t) > max_missing_weight;
}

bool is_document_column(const Type& t, bool loose) noexcept {
  switch (t.kind()) {
    case Kind::scalar:
    case Kind::timedelta:
    case Kind::fixed_bytes:
    case Kind::fixed_string:
    case Kind::bytes:
    case Kind::fixed_dim:
    case Kind::var_dim:
    case Kind::record:
    case Kind::option:
    case Kind::annotated:
    case Kind::pointer:
    case Kind::indexed:
      return false;
    // Alternatives that no value has shown: only documents have such unions.
    case Kind::union_type:
      return std::ranges::any_of(t.items(),
                                 [](const Type& item) { return item.is(Kind::void_type); });
    case Kind::datetime:
    case Kind::string:
    case Kind::tuple:
      return loose;
    default:
      return true;
  }
}

std::unique_ptr<Column> make_column(Parser& parser, const Type& t) {
  check_stack(t.depth());
  if (is_document_column(t, parser.loose())) return std::make_unique<DocumentColumn>(t);
  switch (t.kind()) {
    case Kind::string:
      return std::make_unique<TextColumn>(true);
    case Kind::bytes:
      return std::make_unique<TextColumn>(false);
    case Kind::fixed_dim:
      return make_fixed(parser, t);
    case Kind::var_dim:
      return std::make_unique<ListColumn>(make_column(parser, t.element()), std::nullopt);
    case Kind::record:
    case Kind::tuple:
    case Kind::option:
    case Kind::union_type:
    case Kind::annotated:
      return make_nested_column(parser, t);
    case Kind::pointer:
    case Kind::indexed:
      return make_column(parser, t.element());
    default:
      return std::make_unique<LeafColumn>(t, std::vector<std::int64_t>());
  }
}

}  // namespace polycodec::text
