// SPDX-License-Identifier: MIT
#include "columns.hpp"

#include <base/decimal.hpp>
#include <base/seeded_hash.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/path.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace polycodec::ply {
namespace {

std::optional<std::string_view> text_attribute(const polycodec_node* attributes,
                                               std::string_view name) {
  if (attributes == nullptr) return std::nullopt;
  const auto found = NodeView(attributes).find(name);
  return found && found->is_string() ? std::optional(found->as_string()) : std::nullopt;
}

constexpr const char* not_records =
    "an element is a list of records, such as {\"vertex\": [{\"x\": 0.5, \"y\": 1, \"z\": 0}]}";

class TableMaker {
 public:
  TableMaker(const Settings& settings, const Call& call) : settings_(settings), call_(call) {}

  Table run(NodeView value) {
    const View root(value);
    if (root.kind() != POLYCODEC_KIND_OBJECT)
      throw Error(Status::type, "a PLY file is made of a record of elements, not of " +
                                    std::string(kind_name(static_cast<std::uint8_t>(root.kind()))))
          .detail("ply.no_elements");
    kept_new_ = text_attribute(root.metadata(), "types") == "new";
    for (std::uint64_t i = 0; i < root.size(); ++i) {
      call_.tick();
      path_ = "$.";
      path_.append(root.name(i).substr(0, 80));
      element(root.name(i), root.child(i));
    }
    path_ = "$";
    attributes(root.metadata());
    for (ElementSource& e : table_.elements) table_.header.elements.push_back(e.element);
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(Status status, const char* detail, const std::string& message) const {
    throw Error(status, message).detail(detail).path(path_);
  }

  void check_name(std::string_view name) const {
    bool good = !name.empty();
    for (const char c : name) good = good && static_cast<unsigned char>(c) > 0x20 && c != 0x7f;
    if (!good)
      fail(Status::unsupported, "ply.bad_name", "a name in PLY is not empty and has no whitespace");
  }

  void element(std::string_view name, const View& rows) {
    // A list of strings is what some readers make of the comments.
    if ((name == "comment" || name == "comments" || name == "obj_info") && is_texts(rows)) {
      std::string scratch;
      for (std::uint64_t i = 0; i < rows.size(); ++i)
        listed_comments_.push_back(
            {name == "obj_info", std::string(rows.child(i).as_string(scratch))});
      return;
    }
    if (name == "material" && rows.kind() == POLYCODEC_KIND_STRING) {
      // Dictionaries of old name one, which files have as a comment.
      std::string scratch;
      listed_comments_.push_back({false, "material: " + std::string(rows.as_string(scratch))});
      return;
    }
    check_name(name);
    if (!names_.insert(name).second)
      fail(Status::unsupported, "ply.duplicate_element", "two elements have the same name");
    if (!rows.is_list()) fail(Status::type, "ply.bad_element", not_records);
    ElementSource made;
    made.element.name = name;
    made.element.count = rows.size();
    const polycodec_array* array = rows.array();
    if (array != nullptr && array->layout == POLYCODEC_LAYOUT_RECORD && array->names != nullptr) {
      columns(*array, made);
    } else {
      records(rows, made);
    }
    table_.elements.push_back(std::move(made));
  }

  static bool is_texts(const View& rows) {
    if (!rows.is_list()) return false;
    for (std::uint64_t i = 0; i < rows.size(); ++i)
      if (rows.child(i).kind() != POLYCODEC_KIND_STRING) return false;
    return rows.size() != 0;
  }

  void columns(const polycodec_array& record, ElementSource& made) {
    SeededSet<std::string_view> names;
    const std::string element_path = path_;
    for (std::uint32_t i = 0; i < record.n_children; ++i) {
      const std::string_view name = to_string_view(record.names[i]);
      path_ = element_path + key_step(name);
      check_name(name);
      if (!names.insert(name).second)
        fail(Status::unsupported, "ply.duplicate_property", "two properties have the same name");
      const polycodec_array& column = *record.children[i];
      Source source;
      if (!view_column(column, source))
        source = convert_column(
            made.element.count, [&](std::uint64_t row) { return View::element(column, row); },
            table_, path_, is_color(name));
      add(name, source, column.metadata, made);
    }
  }

  // Names by which all readers know a part of a color, and take integers for fractions of 255.
  static bool is_color(std::string_view name) noexcept {
    if (name.starts_with("diffuse_")) name.remove_prefix(8);
    return name == "red" || name == "green" || name == "blue" || name == "alpha";
  }

  // Columns that can be written as they are.
  static bool view_column(const polycodec_array& a, Source& source) {
    const auto is_ply = [](std::uint32_t dtype) { return !type_word(dtype, true).empty(); };
    const ArrayView view(a);
    if (a.layout == POLYCODEC_LAYOUT_NDARRAY && is_ply(a.dtype) && (a.ndim == 1 || a.ndim == 2)) {
      source.kind = a.ndim == 1 ? Source::Kind::scalar : Source::Kind::fixed_list;
      source.leaf = &a;
      source.row_stride = a.strides[0];
      if (a.ndim == 2) {
        source.item_stride = a.strides[1];
        source.length = static_cast<std::uint64_t>(a.shape[1]);
      }
    } else if (view.is_list() && !view.is_string() && !view.is_binary() &&
               a.children[0]->layout == POLYCODEC_LAYOUT_NDARRAY && a.children[0]->ndim == 1 &&
               is_ply(a.children[0]->dtype)) {
      source.kind = Source::Kind::list;
      source.list = &a;
      source.leaf = a.children[0];
      source.item_stride = source.leaf->strides[0];
    } else {
      return false;
    }
    source.dtype = source.leaf->dtype;
    source.byte_order = source.leaf->byte_order;
    source.data = static_cast<const std::byte*>(source.leaf->data);
    return true;
  }

  // Records as documents, or in forms of array that say nothing about columns.
  void records(const View& rows, ElementSource& made) {
    if (rows.size() == 0) return;
    const View first = rows.child(0);
    if (first.kind() != POLYCODEC_KIND_OBJECT) fail(Status::type, "ply.bad_element", not_records);
    const std::string element_path = path_;
    SeededSet<std::string_view> names;
    for (std::uint64_t i = 0; i < first.size(); ++i) {
      const std::string_view name = first.name(i);
      path_ = element_path + key_step(name);
      check_name(name);
      if (!names.insert(name).second)
        fail(Status::unsupported, "ply.duplicate_property", "two properties have the same name");
    }
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
      const View item = rows.child(row);
      if (item.kind() == POLYCODEC_KIND_OBJECT && item.size() == first.size()) continue;
      path_ = element_path + index_step(row);
      fail(Status::type, "ply.bad_element", "all rows of an element have the same properties");
    }
    for (std::uint64_t i = 0; i < first.size(); ++i) {
      const std::string_view name = first.name(i);
      path_ = element_path + key_step(name);
      const auto get = [&](std::uint64_t row) {
        const View item = rows.child(row);
        if (item.name(i) == name) return item.child(i);
        const auto found = item.find(name);
        if (!found)
          fail(Status::type, "ply.bad_element",
               "row " + std::to_string(row) + " has no such property");
        return *found;
      };
      add(name, convert_column(rows.size(), get, table_, path_, is_color(name)), nullptr, made);
    }
  }

  void add(std::string_view name, const Source& source, const polycodec_node* attributes,
           ElementSource& made) {
    Property property;
    property.name = name;
    property.dtype = static_cast<polycodec_dtype>(source.dtype);
    property.type_word = word(source.dtype, text_attribute(attributes, "type"));
    if (source.kind != Source::Kind::scalar) {
      const std::uint64_t longest = longest_list(source, made.element.count);
      const auto given = text_attribute(attributes, "count_type");
      polycodec_dtype count = given ? type_from_word(*given) : POLYCODEC_DTYPE_NONE;
      if (!is_integer(count) || longest > greatest(count))
        count = longest <= 255         ? POLYCODEC_DTYPE_UINT8
                : longest <= INT32_MAX ? POLYCODEC_DTYPE_INT32
                                       : POLYCODEC_DTYPE_UINT32;
      if (longest > greatest(count))
        fail(Status::unsupported, "ply.bad_list_count", "a list has more items than PLY can say");
      property.count_dtype = count;
      property.count_word = word(count, given);
    }
    made.element.properties.push_back(property);
    made.sources.push_back(source);
  }

  std::string_view word(std::uint32_t dtype, std::optional<std::string_view> kept) const {
    if (settings_.types != Spelling::keep)
      return type_word(dtype, settings_.types == Spelling::old_names);
    if (kept && type_from_word(*kept) == dtype) return *kept;
    return type_word(dtype, !kept_new_);
  }

  static std::uint64_t greatest(std::uint32_t dtype) noexcept {
    const std::uint32_t bits = dtype_size(dtype) * 8;
    return (std::uint64_t{1} << (is_signed_integer(dtype) ? bits - 1 : bits)) - 1;
  }

  static std::uint64_t longest_list(const Source& source, std::uint64_t rows) {
    if (source.kind == Source::Kind::fixed_list) return source.length;
    std::uint64_t longest = 0;
    for (std::uint64_t row = 0; row < rows; ++row)
      longest = std::max(longest, source.row(row).count);
    return longest;
  }

  void attributes(const polycodec_node* node) {
    Header& header = table_.header;
    header.format =
        std::endian::native == std::endian::big ? Format::big_endian : Format::little_endian;
    if (const auto format = text_attribute(node, "format"))
      format_from_name(*format, header.format);
    if (settings_.format) header.format = *settings_.format;
    if (const auto ending = text_attribute(node, "line_ending"))
      line_ending_from_name(*ending, header.line_ending);
    if (settings_.line_ending) header.line_ending = *settings_.line_ending;
    if (!settings_.comments) return;
    for (const auto& [info, text] : listed_comments_) add_comment({2, info, keep(text)});
    const auto comments = node != nullptr ? NodeView(node).find("comments") : std::nullopt;
    if (!comments || !comments->is_list()) return;
    for (const polycodec_node& item : comments->items()) {
      const NodeView comment(&item);
      if (!comment.is_object()) continue;
      const auto text = comment.find("text");
      if (!text || !text->is_string()) continue;
      const auto after = comment.find("after");
      const auto keyword = comment.find("keyword");
      add_comment({after && after->kind() == POLYCODEC_KIND_UNSIGNED ? after->as_uint64() : 2,
                   keyword && keyword->is_string() && keyword->as_string() == "obj_info",
                   text->as_string()});
    }
    std::stable_sort(header.comments.begin(), header.comments.end(),
                     [](const Comment& a, const Comment& b) { return a.after < b.after; });
  }

  // A comment that holds a newline would end the line, and the rest of it would be read as
  // something else.
  void add_comment(const Comment& comment) {
    if (comment.text.find_first_of("\n\r") == std::string_view::npos ||
        (table_.header.line_ending == LineEnding::lf &&
         comment.text.find('\n') == std::string_view::npos)) {
      table_.header.comments.push_back(comment);
      return;
    }
    std::string text(comment.text);
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    table_.header.comments.push_back({comment.after, comment.is_obj_info, keep(text)});
  }

  std::string_view keep(const std::string& text) {
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    const auto& kept = table_.bytes.emplace_back(data, data + text.size());
    return {reinterpret_cast<const char*>(kept.data()), kept.size()};
  }

  const Settings& settings_;
  const Call& call_;
  Table table_;
  std::string path_;
  SeededSet<std::string_view> names_;
  std::vector<std::pair<bool, std::string>> listed_comments_;  // true: obj_info
  bool kept_new_ = false;  // types are spelt the new way unless a column says otherwise
};

}  // namespace

Table Table::from(const Settings& settings, const Call& call, NodeView value) {
  return TableMaker(settings, call).run(value);
}

}  // namespace polycodec::ply
