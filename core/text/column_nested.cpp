// SPDX-License-Identifier: MIT
#include <model/type/print.hpp>

#include "core/text/column.hpp"
#include "core/text/element.hpp"

#include <algorithm>

namespace polycodec::text {

using type::Kind;
using type::Type;

namespace {

std::uint64_t plus(std::uint64_t a, std::uint64_t b) noexcept {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void expect_object(Parser& parser, const Type& t) {
  if (parser.scanner().peek() == '{') return;
  if (parser.scanner().at_end()) parser.scanner().unexpected("an object");
  parser.scanner().fail(Status::type, "text.type",
                        "expected an object with the members of " + type::print(t).substr(0, 200));
}

/// Copies a vector to the arena as a structure column.
template <class T>
polycodec_column stored(Builder& builder, const std::vector<T>& items) {
  return Builder::column(std::span<const T>(builder.store_all(std::span(items)), items.size()));
}

/// Records as one column a field, or tuples.
class RecordColumn final : public Column {
 public:
  RecordColumn(Parser& parser, const Type& t)
      : type_(t), finder_(type_), seen_(type_.items().size()) {
    for (const Type& item : type_.items()) columns_.push_back(make_column(parser, item));
  }

  void append(Parser& parser) override {
    ++count_;
    if (type_.is(Kind::tuple)) return append_tuple(parser);
    expect_object(parser, type_);
    std::size_t found = 0;
    Scanner::Members members(parser.scanner(), '{', '}');
    while (members.next()) {
      const std::size_t i = finder_.next(parser.scanner());
      members.named(type_.names()[i]);
      if (seen_[i] == count_)
        parser.scanner().fail(Status::malformed, "text.duplicate_key", "duplicate member");
      seen_[i] = count_;
      ++found;
      columns_[i]->append(parser);
    }
    if (found == columns_.size()) return;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i] == count_) continue;
      finder_.absent(parser.scanner(), i, type_.items()[i], columns_[i]->missing_weight());
      columns_[i]->append_missing(parser);
    }
  }
  void append_missing(Parser& parser) override {
    ++count_;
    for (const auto& column : columns_) column->append_missing(parser);
  }
  std::uint64_t missing_weight() const noexcept override {
    std::uint64_t weight = 1;
    for (const auto& column : columns_) weight = plus(weight, column->missing_weight());
    return weight;
  }
  polycodec_array* finish(Builder& builder) override {
    std::vector<const polycodec_array*> columns;
    for (const auto& column : columns_) columns.push_back(column->finish(builder));
    if (type_.is(Kind::tuple)) return builder.record(count_, {}, columns);
    std::vector<std::string_view> names(type_.names().begin(), type_.names().end());
    polycodec_array* a = builder.record(count_, names, columns);
    // Names tell a record without fields from a tuple.
    if (names.empty()) a->names = builder.allocate<polycodec_bytes>(1);
    return a;
  }

 private:
  void append_tuple(Parser& parser) {
    if (parser.scanner().peek() == '[') throw NotColumnar{};
    parser.scanner().expect_form("$tuple", "a tuple or a list");
    std::size_t found = 0;
    Scanner::Members members(parser.scanner(), '[', ']');
    while (members.next()) {
      if (found == columns_.size()) parser.scanner().wrong_count(found, found + 1);
      columns_[found++]->append(parser);
    }
    if (found != columns_.size()) parser.scanner().wrong_count(columns_.size(), found);
    parser.scanner().close_form();
  }

  Type type_;
  FieldFinder finder_;
  std::vector<std::uint64_t> seen_;  // the last row that had the field, counted from 1
  std::vector<std::unique_ptr<Column>> columns_;
  std::uint64_t count_ = 0;
};

/// Items that may be missing.
class OptionColumn final : public Column {
 public:
  explicit OptionColumn(std::unique_ptr<Column> content)
      : content_(std::move(content)), sparse_(content_->missing_weight() > max_missing_weight) {}

  void append(Parser& parser) override {
    if (parser.scanner().accept_null()) return append_missing(parser);
    content_->append(parser);
    index_.push_back(present_++);
  }
  void append_missing(Parser& parser) override {
    if (!sparse_) content_->append_missing(parser);
    index_.push_back(-1);
  }
  std::uint64_t missing_weight() const noexcept override {
    return sparse_ ? 1 : std::max<std::uint64_t>(content_->missing_weight(), 1);
  }
  polycodec_array* finish(Builder& builder) override {
    const polycodec_array* content = content_->finish(builder);
    const bool all = static_cast<std::size_t>(present_) == index_.size();
    if (sparse_ && !all) {
      polycodec_array* a =
          builder.with_children(POLYCODEC_LAYOUT_INDEXED, index_.size(), {{content}});
      a->index = stored(builder, index_);
      return a;
    }
    std::vector<std::uint8_t> mask;
    mask.reserve(index_.size());
    for (const std::int64_t i : index_) mask.push_back(i >= 0 ? 1 : 0);
    polycodec_array* a =
        builder.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, mask.size(), {{content}});
    a->index = stored(builder, mask);
    a->flags = POLYCODEC_ARRAY_MASK_VALID;
    return a;
  }

 private:
  std::unique_ptr<Column> content_;
  bool sparse_;
  std::vector<std::int64_t> index_;
  std::int64_t present_ = 0;
};

/// Members of a union.
class UnionColumn final : public Column {
 public:
  UnionColumn(Parser& parser, const Type& t) : type_(t), counts_(t.items().size()) {
    for (const Type& item : t.items()) columns_.push_back(make_column(parser, item));
  }

  void append(Parser& parser) override {
    parser.scanner().expect_form("$union", "a member of a union");
    Scanner::Members parts(parser.scanner(), '[', ']');
    if (!parts.next()) parser.scanner().wrong_count(2, 0);
    const auto tag = static_cast<std::size_t>(parser.scalars().union_tag(type_));
    if (!parts.next()) parser.scanner().wrong_count(2, 1);
    columns_[tag]->append(parser);
    if (parts.next()) parser.scanner().wrong_count(2, 3);
    parser.scanner().close_form();
    count(tag);
  }
  void append_missing(Parser& parser) override {
    columns_.front()->append_missing(parser);
    count(0);
  }
  // Any member that stood for a missing one would say something about its alternative.
  std::uint64_t missing_weight() const noexcept override { return UINT64_MAX; }
  polycodec_array* finish(Builder& builder) override {
    std::vector<const polycodec_array*> columns;
    for (const auto& column : columns_) columns.push_back(column->finish(builder));
    polycodec_array* a = builder.with_children(POLYCODEC_LAYOUT_UNION, tags_.size(), columns);
    a->index = stored(builder, index_);
    a->tags = stored(builder, tags_);
    return a;
  }

 private:
  void count(std::size_t tag) {
    tags_.push_back(static_cast<std::int32_t>(tag));
    index_.push_back(counts_[tag]++);
  }

  Type type_;
  std::vector<std::int64_t> counts_;
  std::vector<std::unique_ptr<Column>> columns_;
  std::vector<std::int32_t> tags_;
  std::vector<std::int64_t> index_;
};

/// Items with attributes in common: those of the array.
class AnnotatedColumn final : public Column {
 public:
  AnnotatedColumn(Parser& parser, const Type& t)
      : content_(make_column(parser, t.element())), metadata_(parser.attributes(t.annotations())) {}

  void append(Parser& parser) override { content_->append(parser); }
  void append_missing(Parser& parser) override { content_->append_missing(parser); }
  std::uint64_t missing_weight() const noexcept override { return content_->missing_weight(); }
  polycodec_array* finish(Builder& builder) override {
    polycodec_array* a = content_->finish(builder);
    a->metadata = builder.store(metadata_);
    return a;
  }

 private:
  std::unique_ptr<Column> content_;
  polycodec_node metadata_;
};

}  // namespace

std::unique_ptr<Column> make_nested_column(Parser& parser, const Type& t) {
  if (t.is(Kind::option)) return std::make_unique<OptionColumn>(make_column(parser, t.element()));
  if (t.is(Kind::union_type)) return std::make_unique<UnionColumn>(parser, t);
  if (t.is(Kind::annotated)) return std::make_unique<AnnotatedColumn>(parser, t);
  return std::make_unique<RecordColumn>(parser, t);
}

}  // namespace polycodec::text
