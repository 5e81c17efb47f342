// SPDX-License-Identifier: MIT
// Arrays of Octave and MATLAB as values.
#pragma once

#include "mx.hpp"

#include <optional>
#include <span>

namespace octave_package {

/// A type of docs/type-notation.md, or none: then the class of an array says what it becomes.
class Type {
 public:
  Type() = default;
  /// Of what polycodec_type_describe() says.
  explicit Type(const View& from) : from_(from), word_(text("kind")) {}

  bool is(std::string_view word) const { return word_ == word; }
  bool is_open() const { return word_.empty() || is("any") || is("null") || is("void"); }
  bool is_list() const { return is("fixed") || is("var"); }
  bool is_text() const { return is("string") || is("fixed_string"); }
  bool is_bytes() const { return is("bytes") || is("fixed_bytes"); }
  bool is_fixed() const { return is("fixed_string") || is("fixed_bytes"); }
  /// Of text and bytes of a fixed width; else 0.
  std::uint64_t size() const { return is_fixed() ? part("size").as_uint64() : 0; }
  std::string_view word() const { return word_; }
  View part(std::string_view name) const { return from_.find(name).value_or(View()); }
  std::string_view text(std::string_view name) const {
    const View found = part(name);
    return found.is_string() ? found.as_string() : std::string_view();
  }
  std::uint64_t count() const { return part("items").size(); }
  /// Type `i` inside, or none.
  Type inner(std::uint64_t i = 0) const { return i < count() ? Type(part("items").child(i)) : Type(); }
  /// The type of a member of this name, or none.
  Type member(std::string_view name) const {
    if (is("map")) return inner(1);
    const View names = part("names");
    for (std::uint64_t i = 0; i < names.size(); ++i)
      if (names.child(i).as_string() == name) return inner(i);
    return {};
  }
  std::uint32_t dtype() const {
    for (std::uint32_t i = 1; i < POLYCODEC_DTYPE_COUNT; ++i)
      if (!text("dtype").empty() && dtype_name(i) == text("dtype")) return i;
    return POLYCODEC_DTYPE_NONE;
  }
  /// What the elements of lists of fixed sizes are, and how deep in them.
  std::pair<Type, std::size_t> element() const {
    std::pair<Type, std::size_t> found{*this, 0};
    for (; found.first.is("fixed"); ++found.second) found.first = found.first.inner();
    return found;
  }

 private:
  View from_;
  std::string_view word_;
};

/// Makes a value of an array. A type, as decoding gives it, says what the array does not: widths,
/// attributes, which lists are arrays. Sizes are those of the array. Views numbers of the array,
/// which therefore outlives the value.
class FromOctave {
 public:
  /// `is_mesh`: structs in the struct are tables, as those of meshes.
  static Value value(const mxArray* from, std::string_view notation, bool is_mesh = false) {
    FromOctave made;
    made.is_mesh_ = is_mesh && notation.empty() && mxIsStruct(from) && mark_of(from).empty();
    if (notation.empty()) return made.draft_.finish(made.node(from, {}));
    const auto type = border::make<Value>(polycodec_type_describe, nullptr, to_bytes(notation), 0u);
    made.draft_.keep(type);  // of which the value has attributes
    return made.draft_.finish(made.node(from, Type(type.view())));
  }

 private:
  using Array = polycodec_array*;

  Builder& out() { return draft_.out(); }
  [[noreturn]] void wrong(const mxArray* from, const Type& type) const {
    std::string size;
    for (mwSize i = 0; i < mxGetNumberOfDimensions(from); ++i)
      size += (i == 0 ? "" : " x ") + std::to_string(mxGetDimensions(from)[i]);
    const std::string what = std::string(mxGetClassName(from)) + " of " + size;
    wrong(type.is_open() ? "no value is made of " + what : what + " where the type has " + std::string(type.word()));
  }
  [[noreturn]] void wrong(const std::string& message) const { path_.fail(Status::type, "octave.type", message); }

  // -- attributes --

  /// Those of the type, with the units of the value, if it has some.
  Node notes(const View& annotations, std::optional<std::string> units) {
    auto made = out().object();
    for (std::uint64_t i = 0; i < annotations.size(); ++i) {
      std::string_view name = annotations.name(i);
      Node note = *annotations.child(i).node();
      if (name.starts_with("$json")) {  // an attribute that the notation has as text
        const std::string text(annotations.child(i).as_string());
        const Value parsed = Value::parse("{\"type\": \"any\", \"value\": " + text + "}");
        draft_.keep(parsed);
        note = *parsed.root();
        if (name == "$json") return note;
        name.remove_prefix(6);
      } else if (name.starts_with("$$")) {
        name.remove_prefix(1);
      } else if (name == "units" && units) {
        note = out().string_copy(*std::exchange(units, std::nullopt));
      }
      made.push(name, note);
    }
    if (units) made.push("units", out().string_copy(*units));
    return made;
  }
  /// Takes attributes off a type and units off a value. Returns the attributes, if there are any.
  std::optional<Node> take_notes(const mxArray*& from, Type& type) {
    std::optional<std::string> units;
    const bool is_member = type.is("record") && !type.member("units").is_open();
    if (!is_member && is_quantity(from)) {
      units = text_of(mxGetField(from, 0, "units"));
      from = mxGetField(from, 0, "value");
    }
    const View annotations = type.part("annotations");
    if (!annotations.is_null()) type = type.inner();
    if (annotations.is_null() && !units) return std::nullopt;
    return notes(annotations, std::move(units));
  }

  // -- nodes --

  Node node(const mxArray* from, Type type) {
    if (from == nullptr) return Builder::null();  // a field or a cell that was never set
    const std::optional<Node> attributes = take_notes(from, type);
    if (type.is("option")) type = type.inner();
    const Node made = bare_node(from, type);
    return attributes ? out().annotated(made, *attributes) : made;
  }

  Node bare_node(const mxArray* from, const Type& type) {
    if (is_missing(from, type) && !type.is("bytes")) return Builder::null();
    if (const std::string kind = mark_of(from); !kind.empty()) return marked(from, kind, type);
    if (mxIsChar(from)) {
      if (!is_text(from) || (!type.is_open() && !type.is_text() && !type.is_bytes())) wrong(from, type);
      return type.is_bytes() ? bytes(text_of(from), type) : out().text_copy(text_of(from));
    }
    if (mxIsCell(from)) return cell(from, type);
    const std::size_t n = mxGetNumberOfElements(from);
    if (mxIsStruct(from)) {
      if (n == 1) return type.is_list() ? Builder::array(array(from, type.inner())) : object(from, 0, type);
      return list(n, [&](std::size_t i) { return object(from, i, type.inner()); });
    }
    const bool is_row = mxGetNumberOfDimensions(from) == 2 && mxGetM(from) == 1 && n != 1;
    if (mxIsUint8(from) && (type.is_bytes() || (type.is_open() && is_row))) return bytes(bytes_of(from), type);
    if (mxIsUint8(from) && type.is("fixed_string")) return out().text_copy(bytes_of(from));
    if (dtype_of_class(from) == POLYCODEC_DTYPE_NONE) wrong(from, {});
    if (type.is_list()) return Builder::array(array(from, type.inner()));
    if (!type.is_open() && (!type.is("scalar") || n != 1)) wrong(from, type);
    return n == 1 ? scalar(from, type) : Builder::array(array(from, {}));
  }

  /// Bytes, of a fixed width with zeros after them.
  Node bytes(std::string_view given, const Type& type) {
    std::string all(given);
    if (all.size() < type.size()) all.resize(type.size());
    return out().bytes_copy(all);
  }

  Node scalar(const mxArray* from, const Type& type) {
    const View one = View::element(*leaf(from, {1}, type), 0);
    const auto dtype = static_cast<std::uint8_t>(one.dtype());
    if (one.kind() == POLYCODEC_KIND_SIGNED) return Builder::integer(one.as_int64(), dtype);
    std::byte bits[16] = {};
    one.copy_bits(bits);
    if (one.kind() == POLYCODEC_KIND_WIDE) return out().wide(dtype, bits);
    Node made = polycodec_node_make(static_cast<std::uint8_t>(one.kind()), dtype, 0);
    std::memcpy(&made.as, bits, sizeof made.as);
    return made;
  }

  template <class Make>
  Node list(std::size_t n, const Make& make) {
    Node* nodes = nullptr;
    const Node made = out().list(n, &nodes);
    for (std::size_t i = 0; i < n; ++i) {
      const auto step = path_.to(i);
      nodes[i] = make(i);
    }
    return made;
  }

  Node object(const mxArray* from, std::size_t row, const Type& type) {
    if (!type.is_open() && !type.is("record") && !type.is("map")) wrong(from, type);
    auto made = out().object();
    for (const auto& [name, member] : members_of(from, row)) {
      const auto step = path_.to(name);
      const bool is_table = is_mesh_ && member != nullptr && mxIsStruct(member);
      made.push(name, is_table ? Builder::array(array(member, {})) : node(member, type.member(name)));
    }
    return made;
  }
  /// The fields of a struct, or the members in its keys and values.
  std::vector<std::pair<std::string, const mxArray*>> members_of(const mxArray* from, std::size_t row) const {
    std::vector<std::pair<std::string, const mxArray*>> members;
    if (mark_of(from).empty()) {
      for (int i = 0; i < mxGetNumberOfFields(from); ++i)
        members.emplace_back(mxGetFieldNameByNumber(from, i), mxGetFieldByNumber(from, static_cast<mwIndex>(row), i));
      return members;
    }
    const auto [keys, values] = pairs(from);
    for (std::size_t i = 0; i < mxGetNumberOfElements(keys); ++i)
      members.emplace_back(text_of(cell_of(keys, i)), cell_of(values, i));
    return members;
  }

  Node cell(const mxArray* from, const Type& type) {
    const std::size_t n = mxGetNumberOfElements(from);
    const bool is_flat = mxGetNumberOfDimensions(from) == 2;
    const bool is_row = n == 0 || (is_flat && mxGetM(from) == 1);
    const bool is_tuple = type.is("tuple") && type.count() == n;
    if (type.is_list() && (!is_row || type.element().first.is_fixed()))
      return Builder::array(array(from, type.inner()));
    if (!type.is_open() && !type.is_list() && !is_tuple) wrong(from, type);
    if (!is_row && !is_tuple && is_flat && mxGetN(from) == 1) return Builder::array(array(from, {}));
    if (!is_row && !is_tuple) wrong(from, type);
    return list(n, [&](std::size_t i) { return node(cell_of(from, i), type.inner(is_tuple ? i : 0)); });
  }

  // -- structs with the field `polycodec` --

  const mxArray* need(const mxArray* from, const char* name) const {
    const mxArray* const found = mxGetField(from, 0, name);
    if (found == nullptr) wrong("the struct has no field " + std::string(name));
    return found;
  }
  /// The cells of a struct of keys and values.
  std::pair<const mxArray*, const mxArray*> pairs(const mxArray* from) const {
    const std::pair found{need(from, "keys"), need(from, "values")};
    if (!mxIsCell(found.first) || !mxIsCell(found.second) ||
        mxGetNumberOfElements(found.first) != mxGetNumberOfElements(found.second))
      wrong("keys and values must be cell arrays of one size");
    return found;
  }

  Node marked(const mxArray* from, const std::string& kind, const Type& type) {
    if (type.is_list()) return Builder::array(array(from, type.inner()));
    if (kind == "record") return Builder::array(array(from, {}));
    if (kind == "object") return object(from, 0, type);
    if (kind == "map") {
      const auto [keys, values] = pairs(from);
      const std::size_t n = mxGetNumberOfElements(keys);
      Node* nodes = nullptr;
      const Node made = out().map(n, &nodes);
      for (std::size_t i = 0; i < n; ++i) {
        const auto step = path_.to(i);
        nodes[2 * i] = node(cell_of(keys, i), type.inner(0));
        nodes[2 * i + 1] = node(cell_of(values, i), type.inner(1));
      }
      return made;
    }
    if (kind == "union")
      return out().tagged(static_cast<std::int64_t>(mxGetScalar(need(from, "tag"))), node(need(from, "value"), {}));
    if (kind != "datetime" && kind != "timedelta") return out().extension(kind, node(need(from, "data"), type.inner()));
    const Array all = times(from, kind);
    if (all->length != 1 || all->ndim != 1) return Builder::array(all);
    const polycodec_time one = View::element(*all, 0).as_time();
    return kind == "timedelta" ? out().duration(one.count, one.unit)
                               : out().timestamp(one.count, one.nanoseconds, one.unit);
  }

  Array times(const mxArray* from, const std::string& kind) {
    const mxArray* const count = need(from, "count");
    const auto unit = std::ranges::find(time_units, text_of(need(from, "unit")));
    if (unit == std::end(time_units) || !mxIsInt64(count)) wrong("count must be int64, and unit s, ms, us, ns or such");
    const Array made = leaf(count, shape_of(count, 0), {});
    made->dtype = kind == "datetime" ? POLYCODEC_DTYPE_TIMESTAMP64 : POLYCODEC_DTYPE_DURATION64;
    made->unit = static_cast<std::uint32_t>(unit - std::begin(time_units));
    return made;
  }

  // -- arrays --

  /// An array whose items are of this type.
  Array array(const mxArray* from, Type item) {
    const std::optional<Node> attributes = take_notes(from, item);
    const std::string kind = mark_of(from);
    const Array made = kind == "datetime" || kind == "timedelta" ? times(from, kind)
                       : mxIsStruct(from)                        ? record(from, kind, item)
                       : mxIsCell(from)                          ? cells(from, item)
                                                                 : numbers(from, item);
    if (attributes) made->metadata = out().store(*attributes);
    return made;
  }

  Array numbers(const mxArray* from, Type item) {
    if (dtype_of_class(from) == POLYCODEC_DTYPE_NONE) wrong(from, item);
    const bool may_miss = item.is("option");
    if (may_miss) item = item.inner();
    if (item.is("var")) {  // a row of a matrix is a list
      const Shape shape = shape_of(from, 2);
      const Array content = leaf(from, shape, item.inner());
      std::vector<std::int64_t> offsets(shape[0] + 1);
      for (std::uint64_t i = 0; i <= shape[0]; ++i) offsets[i] = static_cast<std::int64_t>(i * shape[1]);
      return lists(offsets, ndarray(content->data, content->dtype, content->item_size, {shape[0] * shape[1]}));
    }
    const auto [element, depth] = item.element();
    const Array made = leaf(from, shape_of(from, item.is_open() ? 0 : depth + 1), element);
    if (!may_miss || depth != 0) return made;
    // Those that are NA are missing.
    const std::string_view missing = missing_of(made->dtype);
    std::vector<std::uint8_t> present(made->length, 1);
    for (std::uint64_t i = 0; i < present.size() && !missing.empty(); ++i)
      present[i] = std::memcmp(polycodec_element(made, i), missing.data(), missing.size()) != 0;
    return optional(made, present);
  }

  /// The lengths of `rank` axes; 0: of those that the array seems to have.
  Shape shape_of(const mxArray* from, std::size_t rank) const {
    const std::size_t n = mxGetNumberOfElements(from);
    Shape shape(mxGetDimensions(from), mxGetDimensions(from) + mxGetNumberOfDimensions(from));
    // In a table a row is one item, which is a list.
    const bool is_column = shape.size() == 2 && (shape[1] == 1 || n == 0);
    const bool is_vector = is_column || (shape.size() == 2 && shape[0] == 1 && !in_table_);
    if (is_vector && rank < 2) return {n};
    while (shape.size() < rank) shape.push_back(1);
    if (rank != 0 && shape.size() > rank)
      path_.fail(Status::type, "octave.shape",
                 "the array has " + std::to_string(shape.size()) + " axes, and its type has " + std::to_string(rank));
    return shape;
  }

  /// Numbers in rows, of the type or of their class. They are viewed where they are of the type already.
  Array leaf(const mxArray* from, const Shape& shape, const Type& type) {
    const std::uint32_t own = dtype_of_class(from);
    const std::uint32_t dtype = type.is_open() ? own : type.dtype();
    if (class_of(dtype) == nullptr) wrong(from, type);
    const std::uint32_t size = dtype_size(dtype);
    const std::uint64_t n = mxGetNumberOfElements(from);
    const auto given = [&](Builder& to) {
      const std::string_view data = bytes_of(shape.size() > 1 ? reversed(from) : from);
      if (n != 0)
        to.adopt(
            nullptr, [](void*) {}, data);
      return data;
    };
    if (own == dtype) return ndarray(given(out()).data(), dtype, size, shape);
    const Value numbers = Value::build([&](Builder& to) {
      const std::int64_t length[] = {static_cast<std::int64_t>(n)};
      return Builder::array(to.ndarray(given(to), own, dtype_size(own), length));
    });
    // Octave makes complex numbers without imaginary parts real ones.
    const bool widens = is_complex(dtype) && !is_complex(own);
    const std::uint32_t part = widens ? dtype - POLYCODEC_DTYPE_COMPLEX32 + POLYCODEC_DTYPE_FLOAT16 : dtype;
    char* const cast = reinterpret_cast<char*>(out().allocate<std::uint64_t>(n * size / 8 + 1));
    std::uint64_t found = 0;
    try {
      border::call(polycodec_value_numbers, numbers.raw(), to_bytes("$"), part, static_cast<void*>(cast), n, nullptr,
                   &found);
    } catch (const Error& error) {
      path_.fail(error.code(), "octave.range", error.message());
    }
    for (std::uint64_t i = n; widens && i-- > 0;) {
      std::memmove(cast + i * size, cast + i * size / 2, size / 2);
      std::memset(cast + i * size + size / 2, 0, size / 2);
    }
    return ndarray(cast, dtype, size, shape);
  }
  Array ndarray(const void* data, std::uint32_t dtype, std::uint32_t size, const Shape& shape) {
    std::uint64_t all = size;
    for (const std::uint64_t n : shape) all *= n;
    const std::vector<std::int64_t> lengths(shape.begin(), shape.end());
    return out().ndarray({all == 0 ? "" : static_cast<const char*>(data), all}, dtype, size, lengths);
  }
  Array lists(const std::vector<std::int64_t>& offsets, const polycodec_array* content, std::uint8_t flags = 0) {
    const auto* const kept = out().store_all(std::span<const std::int64_t>(offsets));
    return out().list_offsets(std::span(kept, offsets.size()), content, flags);
  }
  Array optional(const polycodec_array* content, const std::vector<std::uint8_t>& present) {
    const Array made = out().with_children(POLYCODEC_LAYOUT_OPTION_BYTES, content->length, {{content}});
    const auto* const mask = out().store_all(std::span<const std::uint8_t>(present));
    made->mask = Builder::column(std::span(mask, present.size()));
    made->flags = POLYCODEC_ARRAY_MASK_VALID;
    return made;
  }

  /// Columns of one length.
  Array record(const mxArray* from, const std::string& kind, Type item) {
    if (item.is("option")) item = item.inner();
    if ((!item.is_open() && !item.is("record")) || mxGetNumberOfElements(from) != 1 ||
        (!kind.empty() && kind != "record" && kind != "object"))
      wrong(from, item);
    std::vector<std::string_view> names;
    std::vector<const polycodec_array*> columns;
    const auto members = members_of(from, 0);
    for (const auto& [name, column] : members) {
      const auto step = path_.to(name);
      if (column == nullptr) wrong("the column was never set");
      const bool outer = std::exchange(in_table_, item.is_open());
      names.push_back(name);
      columns.push_back(array(column, item.member(name)));
      in_table_ = outer;
      if (columns.back()->length != columns[0]->length)
        path_.fail(Status::type, "octave.shape",
                   "the column has " + std::to_string(columns.back()->length) + " rows, and the first one " +
                       std::to_string(columns[0]->length));
    }
    return out().record(columns.empty() ? 0 : columns[0]->length, names, columns);
  }

  /// The array that has an item in each cell.
  Array cells(const mxArray* from, const Type& whole) {
    const std::size_t n = mxGetNumberOfElements(from);
    if (const auto [element, depth] = whole.element(); element.is_fixed()) {
      std::string type = std::string(element.word()) + "[" + std::to_string(element.size());
      type += element.is("fixed_bytes") ? "]" : ", '" + std::string(element.text("encoding")) + "']";
      const Shape shape = shape_of(from, depth + 1);
      const Array all = column(shape.size() > 1 ? reversed(from) : from, element, type);
      if (all == nullptr) wrong(from, element);
      const Array made = ndarray(all->data, all->dtype, all->item_size, shape);
      made->byte_order = all->byte_order;
      return made;
    }
    const Type item = whole.is("option") ? whole.inner() : whole;
    const bool are_lists = item.is("var");
    const Type element = are_lists ? item.inner() : item;
    bool may_miss = whole.is("option");
    const auto all = [&](const auto& test) {
      for (std::size_t i = 0; i < n; ++i)
        if (!is_missing(cell_of(from, i), whole) && !test(cell_of(from, i))) return false;
      return true;
    };
    for (std::size_t i = 0; i < n; ++i) may_miss = may_miss || is_missing(cell_of(from, i), whole);
    const bool are_numbers =
        element.is("scalar") && all([&](const mxArray* one) {
          return dtype_of_class(one) != POLYCODEC_DTYPE_NONE && (are_lists || mxGetNumberOfElements(one) == 1);
        });
    const bool are_bytes = item.is("bytes") && all(mxIsUint8);
    const bool are_texts = (item.is("string") || (item.is_open() && n != 0)) && all(is_text);
    if (are_numbers || are_bytes || are_texts) {
      const std::string type = are_texts ? "string" : are_bytes ? "bytes" : std::string(element.text("dtype"));
      const std::string prefix = (may_miss ? "?" : "") + std::string(are_lists ? "var * " : "");
      if (const Array made = column(from, whole, prefix + type)) return made;
    }
    const Array made = out().new_array(POLYCODEC_LAYOUT_DOCUMENT, n);
    made->nodes = list(n, [&](std::size_t i) { return node(cell_of(from, i), whole); }).as.nodes;
    return made;
  }
  /// An empty list is not missing.
  static bool is_missing(const mxArray* item, const Type& type) { return is_null(item) && !type.is_list(); }
  /// The items of cells as a column of this notation, which the library makes of JSON; null for text
  /// that is not UTF-8.
  Array column(const mxArray* from, const Type& item, const std::string& notation) {
    const std::size_t n = mxGetNumberOfElements(from);
    FromOctave inner;
    inner.path_ = path_;
    const Value items = inner.draft_.finish(inner.list(n, [&](std::size_t i) {
      return is_missing(cell_of(from, i), item) ? Builder::null() : inner.node(cell_of(from, i), item);
    }));
    try {
      const Value made = Value::parse(items.text({.plain = true}), std::to_string(n) + " * " + notation);
      draft_.keep(made);
      const polycodec_array* const all = made.view().array();
      return all == nullptr ? nullptr : out().store(*all);
    } catch (const Error& error) {  // without the place in the JSON, which nobody has seen
      const std::string words = error.message().substr(0, error.message().find(" (line "));
      const std::string_view path = error.path().empty() ? path_root : std::string_view(error.path());
      path_.fail(error.code(), "octave.range", words, path.substr(path_root.size()));
    }
  }

  Draft draft_;
  Path path_;
  bool is_mesh_ = false;
  bool in_table_ = false;
};

}  // namespace octave_package
