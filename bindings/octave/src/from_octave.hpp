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
  explicit Type(const View& from) : from_(from), word_(from["kind"].as_string()) {}

  bool is(std::string_view word) const { return word_ == word; }
  bool is_open() const { return word_.empty() || is("any") || is("null") || is("void"); }
  bool is_list() const { return is("fixed") || is("var"); }
  bool is_fixed() const { return is("fixed_string") || is("fixed_bytes"); }
  std::string_view word() const { return word_; }
  std::uint64_t size() const { return from_["size"].as_uint64(); }
  std::string_view text(std::string_view name) const {
    const auto found = from_.is_object() ? from_.find(name) : std::nullopt;
    return found ? found->as_string() : std::string_view();
  }
  /// Type `i` inside, or none.
  Type inner(std::uint64_t i = 0) const {
    const auto items = from_.is_object() ? from_.find("items") : std::nullopt;
    return items && i < items->size() ? Type(items->child(i)) : Type();
  }
  std::uint64_t count() const { return from_["items"].size(); }
  /// The type of a member of this name, or none.
  Type member(std::string_view name) const {
    if (is("map")) return inner(1);
    if (!is("record")) return {};
    const View names = from_["names"];
    for (std::uint64_t i = 0; i < names.size(); ++i)
      if (names.child(i).as_string() == name) return inner(i);
    return {};
  }
  View annotations() const { return is("annotated") ? from_["annotations"] : View(); }
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
    std::optional<polycodec::Type> type;
    if (!notation.empty()) type.emplace(notation);
    const Node root = made.node(from, type ? Type(type->description()) : Type());
    return made.draft_.finish(root);
  }

 private:
  using Array = polycodec_array*;

  Builder& out() { return draft_.out(); }
  [[noreturn]] void wrong(const mxArray* from, const Type& type) const {
    std::string size;
    for (mwSize i = 0; i < mxGetNumberOfDimensions(from); ++i)
      size += (i == 0 ? "" : " x ") + std::to_string(mxGetDimensions(from)[i]);
    const std::string what = std::string(mxGetClassName(from)) + " of " + size;
    path_.fail(
        Status::type, "octave.type",
        type.is_open() ? "no value is made of " + what : what + " where the type has " + std::string(type.word()));
  }
  static void keep_nothing(void*) {}

  // -- attributes --

  Node notes(const View& annotations, std::optional<std::string> units) {
    auto made = out().object();
    for (std::uint64_t i = 0; i < annotations.size(); ++i) {
      std::string_view name = annotations.name(i);
      const View note = annotations.child(i);
      if (name.starts_with("$json")) {  // an attribute that the notation has as text
        const Value parsed = Value::parse("{\"type\": \"any\", \"value\": " + std::string(note.as_string()) + "}");
        draft_.keep(parsed);
        if (name == "$json") return *parsed.root();
        made.push(name.substr(6), *parsed.root());
        continue;
      }
      if (name.starts_with("$$")) name.remove_prefix(1);
      if (name == "units" && units)
        made.push(name, out().string_copy(*std::exchange(units, std::nullopt)));
      else if (note.is_string())
        made.push(name, out().string_copy(note.as_string()));
      else if (note.is_integer())
        made.push(name, Builder::integer(note.as_int64()));
      else
        made.push(name, Builder::real(note.as_double()));
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
    const View annotations = type.annotations();
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
    if (is_null(from) && !type.is_list() && !type.is("bytes")) return Builder::null();
    if (const std::string kind = mark_of(from); !kind.empty()) return marked(from, kind, type);
    if (mxIsChar(from)) {
      if (!is_text(from) || (!type.is_open() && !type.is("string") && !type.is("bytes"))) wrong(from, type);
      return type.is("bytes") ? out().bytes_copy(text_of(from)) : out().text_copy(text_of(from));
    }
    if (mxIsCell(from)) return cell(from, type);
    const std::size_t n = mxGetNumberOfElements(from);
    if (mxIsStruct(from)) {
      if (n == 1) return type.is_list() ? Builder::array(array(from, type.inner())) : object(from, 0, type);
      auto list = out().list();
      for (std::size_t i = 0; i < n; ++i) {
        const auto step = path_.item(i);
        list.push(object(from, i, type.inner()));
      }
      return list;
    }
    const bool is_row = mxGetNumberOfDimensions(from) == 2 && mxGetM(from) == 1 && n != 1;
    if (mxIsUint8(from) && (type.is("bytes") || (type.is_open() && is_row))) return out().bytes_copy(bytes_of(from));
    if (dtype_of_class(from) == POLYCODEC_DTYPE_NONE) wrong(from, {});
    if (type.is_list()) return Builder::array(array(from, type.inner()));
    if (!type.is_open() && (!type.is("scalar") || n != 1)) wrong(from, type);
    return n == 1 ? scalar(from, type) : Builder::array(array(from, {}));
  }

  Node scalar(const mxArray* from, const Type& type) {
    const Array one = leaf(from, {1}, type);
    const std::uint8_t dtype = one->dtype;
    const auto load = [&](auto number) {
      std::memcpy(&number, one->data, sizeof number);
      return number;
    };
    if (dtype == POLYCODEC_DTYPE_BOOLEAN) return Builder::boolean(load(std::uint8_t{}) != 0);
    if (dtype == POLYCODEC_DTYPE_FLOAT16) return Builder::real16(load(std::uint16_t{}));
    if (dtype == POLYCODEC_DTYPE_FLOAT32) return Builder::real32(load(float{}));
    if (dtype == POLYCODEC_DTYPE_FLOAT64) return Builder::real(load(double{}));
    if (!is_integer(dtype)) return out().wide(dtype, one->data);
    if (dtype == POLYCODEC_DTYPE_UINT64) return Builder::unsigned_integer(load(std::uint64_t{}));
    const polycodec_column column = {one->data, 0, dtype, 0};
    const std::int64_t number = polycodec_column_item(&column, 0);
    return is_signed_integer(dtype) ? Builder::integer(number, dtype)
                                    : Builder::unsigned_integer(static_cast<std::uint64_t>(number), dtype);
  }

  Node object(const mxArray* from, std::size_t row, const Type& type) {
    if (!type.is_open() && !type.is("record") && !type.is("map")) wrong(from, type);
    auto made = out().object();
    for (const auto& [name, member] : members_of(from, row)) {
      const auto step = path_.member(name);
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
    if (type.is_list() && (!is_row || type.element().first.is_fixed()))
      return Builder::array(array(from, type.inner()));
    if (!type.is_open() && !type.is_list() && !(type.is("tuple") && type.count() == n)) wrong(from, type);
    if (!is_row && is_flat && mxGetN(from) == 1 && !type.is("tuple")) return Builder::array(array(from, {}));
    if (!is_row && !type.is("tuple")) wrong(from, type);
    auto list = out().list();
    for (std::size_t i = 0; i < n; ++i) {
      const auto step = path_.item(i);
      list.push(node(cell_of(from, i), type.inner(type.is("tuple") ? i : 0)));
    }
    return list;
  }

  const mxArray* need(const mxArray* from, const char* name) const {
    const mxArray* const found = mxGetField(from, 0, name);
    if (found == nullptr) path_.fail(Status::type, "octave.type", "the struct has no field " + std::string(name));
    return found;
  }
  /// The cells of a struct of keys and values.
  std::pair<const mxArray*, const mxArray*> pairs(const mxArray* from) const {
    const std::pair found{need(from, "keys"), need(from, "values")};
    if (!mxIsCell(found.first) || !mxIsCell(found.second) ||
        mxGetNumberOfElements(found.first) != mxGetNumberOfElements(found.second))
      path_.fail(Status::type, "octave.type", "keys and values must be cell arrays of one size");
    return found;
  }

  /// The node of a struct with the field `polycodec`.
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
        const auto step = path_.item(i);
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
    std::int64_t count = 0;
    std::memcpy(&count, all->data, sizeof count);
    return kind == "timedelta" ? out().duration(count, all->unit) : timestamp(count, all->unit);
  }
  /// Of what is finer than a second the node has nanoseconds.
  Node timestamp(std::int64_t count, std::uint32_t unit) {
    if (!is_subsecond_unit(unit) || count == INT64_MIN) return out().timestamp(count, 0, unit);
    std::int64_t each = 1;
    for (std::uint32_t i = POLYCODEC_UNIT_SECOND; i < unit; ++i) each *= 1000;
    const std::int64_t rest = (count % each + each) % each;
    return out().timestamp((count - rest) / each, static_cast<std::uint32_t>(rest * (1000000000 / each)), unit);
  }

  Array times(const mxArray* from, const std::string& kind) {
    const mxArray* const count = need(from, "count");
    const auto unit = std::ranges::find(time_units, text_of(need(from, "unit")));
    if (unit == std::end(time_units) || !mxIsInt64(count))
      path_.fail(Status::type, "octave.type", "count must be int64, and unit s, ms, us, ns or such");
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
      Array content = leaf(from, shape, item.inner());
      content = ndarray(content->data, content->dtype, content->item_size, {shape[0] * shape[1]});
      std::vector<std::int64_t> offsets(shape[0] + 1);
      for (std::uint64_t i = 0; i <= shape[0]; ++i) offsets[i] = static_cast<std::int64_t>(i * shape[1]);
      return lists(offsets, content);
    }
    const auto [element, depth] = item.element();
    const Shape shape = shape_of(from, item.is_open() ? 0 : depth + 1);
    const Array made = leaf(from, shape, element);
    return may_miss && depth == 0 ? optional(made) : made;
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

  /// Numbers in rows, of the type or of their class. What they are is viewed where it can be.
  Array leaf(const mxArray* from, const Shape& shape, const Type& type) {
    const std::uint32_t own = dtype_of_class(from);
    const std::uint32_t dtype = type.is_open() ? own : type.dtype();
    if (class_of(dtype) == nullptr) wrong(from, type);
    if (!is_complex(dtype) || is_complex(own)) return cast(from, shape, dtype);
    // Octave makes complex numbers without imaginary parts real ones.
    const std::uint32_t size = dtype_size(dtype), half = size / 2;
    const auto part = dtype - POLYCODEC_DTYPE_COMPLEX32 + POLYCODEC_DTYPE_FLOAT16;
    const char* const real = static_cast<const char*>(cast(from, shape, part)->data);
    const std::uint64_t n = mxGetNumberOfElements(from);
    char* const pairs = bytes(n * size);
    std::memset(pairs, 0, n * size);
    for (std::uint64_t i = 0; i < n; ++i) std::memcpy(pairs + i * size, real + i * half, half);
    return ndarray(pairs, dtype, size, shape);
  }
  Array cast(const mxArray* from, const Shape& shape, std::uint32_t dtype) {
    const std::uint32_t own = dtype_of_class(from);
    const mxArray* const rows = shape.size() > 1 ? reversed(from) : from;
    const std::uint64_t n = mxGetNumberOfElements(from);
    const std::uint32_t size = dtype_size(own), half = size / 2;
    const char* data = static_cast<const char*>(mxGetData(rows));
    if (is_complex(own)) {
      auto* const pairs = bytes(n * size);
      for (std::uint64_t i = 0; i < n; ++i) {
        std::memcpy(pairs + i * size, data + i * half, half);
        std::memcpy(pairs + i * size + half, static_cast<const char*>(mxGetImagData(rows)) + i * half, half);
      }
      data = pairs;
    } else if (n != 0 && own == dtype) {
      out().adopt(nullptr, keep_nothing, {data, n * size});
    }
    if (own == dtype || n == 0) return ndarray(n == 0 ? "" : data, dtype, dtype_size(dtype), shape);
    char* const cast = bytes(n * dtype_size(dtype));
    const Value given = Value::build([&](Builder& to) {
      to.adopt(nullptr, keep_nothing, {data, n * size});
      const std::int64_t length[] = {static_cast<std::int64_t>(n)};
      return Builder::array(to.ndarray({data, n * size}, own, size, length));
    });
    std::uint64_t found = 0;
    try {
      border::call(polycodec_value_numbers, given.raw(), to_bytes("$"), dtype, cast, n, nullptr, &found);
    } catch (const Error& error) {
      path_.fail(error.code(), "octave.range", error.message());
    }
    return ndarray(cast, dtype, dtype_size(dtype), shape);
  }
  char* bytes(std::uint64_t size) { return reinterpret_cast<char*>(out().allocate<std::uint64_t>(size / 8 + 1)); }
  Array ndarray(const void* data, std::uint32_t dtype, std::uint64_t size, const Shape& shape) {
    std::uint64_t all = size;
    for (const std::uint64_t n : shape) all *= n;
    const std::vector<std::int64_t> lengths(shape.begin(), shape.end());
    return out().ndarray({static_cast<const char*>(data), all}, dtype, static_cast<std::uint32_t>(size), lengths);
  }
  Array lists(const std::vector<std::int64_t>& offsets, const polycodec_array* content, std::uint8_t flags = 0) {
    const auto* const kept = out().store_all(std::span<const std::int64_t>(offsets));
    return out().list_offsets(std::span(kept, offsets.size()), content, flags);
  }

  /// Numbers of which those that are NA are missing.
  Array optional(const polycodec_array* numbers) {
    std::vector<std::uint8_t> present(numbers->length, 1);
    const std::uint32_t size = numbers->item_size;
    for (std::uint64_t i = 0; i < present.size(); ++i) {
      const char* const at = static_cast<const char*>(numbers->data) + i * size;
      if ((numbers->dtype == POLYCODEC_DTYPE_FLOAT64 && std::memcmp(at, &missing_double, 8) == 0) ||
          (numbers->dtype == POLYCODEC_DTYPE_FLOAT32 && std::memcmp(at, &missing_single, 4) == 0))
        present[i] = 0;
    }
    return optional(numbers, present);
  }
  Array optional(const polycodec_array* content, const std::vector<std::uint8_t>& present) {
    const polycodec_array* const children[] = {content};
    const Array made = out().with_children(POLYCODEC_LAYOUT_OPTION_BYTES, content->length, children);
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
      const auto step = path_.member(name);
      if (column == nullptr) path_.fail(Status::type, "octave.type", "the column was never set");
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
    if (whole.element().first.is_fixed()) return fixed(from, whole);
    const std::size_t n = mxGetNumberOfElements(from);
    const Type item = whole.is("option") ? whole.inner() : whole;
    const Type inside = item.is_list() ? item.inner() : Type();
    std::vector<std::uint8_t> present(n);
    for (std::size_t i = 0; i < n; ++i) present[i] = is_null(cell_of(from, i)) ? 0 : 1;
    // An empty list is not missing.
    if (item.is_list() && !whole.is("option")) std::ranges::fill(present, 1);
    const bool may_miss = whole.is("option") || std::ranges::find(present, 0) != present.end();
    const auto all = [&](const auto& test) {
      for (std::size_t i = 0; i < n; ++i)
        if (present[i] != 0 && !test(cell_of(from, i))) return false;
      return true;
    };
    const bool is_some = n != 0 || !item.is_open();
    const bool are_texts = (item.is_open() || item.is("string")) && is_some && all(is_text);
    const bool are_bytes = item.is("bytes") && all(mxIsUint8);
    const bool are_numbers = item.is("scalar") && all([](const mxArray* one) {
                               return dtype_of_class(one) != POLYCODEC_DTYPE_NONE && mxGetNumberOfElements(one) == 1;
                             });
    const bool are_lists =
        inside.is("scalar") && all([](const mxArray* one) { return dtype_of_class(one) != POLYCODEC_DTYPE_NONE; });
    if (are_texts || are_bytes || are_numbers || are_lists) {
      const Type element = are_lists ? inside : item;
      const std::uint32_t dtype = are_texts || are_bytes ? std::uint32_t{POLYCODEC_DTYPE_UINT8} : element.dtype();
      const std::uint32_t size = dtype_size(dtype);
      std::string content;
      std::vector<std::int64_t> offsets{0};
      for (std::size_t i = 0; i < n; ++i) {
        const auto step = path_.item(i);
        const mxArray* const each = cell_of(from, i);
        if (present[i] == 0 || each == nullptr) {
          if (are_numbers) content.append(size, '\0');
        } else if (are_texts) {
          content += text_of(each);
        } else if (are_bytes) {
          content += bytes_of(each);
        } else if (const std::uint64_t items = mxGetNumberOfElements(each); items != 0) {
          content.append(static_cast<const char*>(leaf(each, {items}, element)->data), items * size);
        }
        offsets.push_back(static_cast<std::int64_t>(content.size() / size));
      }
      const Array leaf = ndarray(out().copy_text(content).data(), dtype, size, {content.size() / size});
      const Array made = are_numbers ? leaf
                         : are_texts ? lists(offsets, leaf, POLYCODEC_ARRAY_STRING)
                         : are_bytes ? lists(offsets, leaf, POLYCODEC_ARRAY_BINARY)
                                     : lists(offsets, leaf);
      return may_miss ? optional(made, present) : made;
    }
    const Array made = out().new_array(POLYCODEC_LAYOUT_DOCUMENT, n);
    auto* const nodes = out().allocate<Node>(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto step = path_.item(i);
      nodes[i] = node(cell_of(from, i), whole);
    }
    made->nodes = nodes;
    return made;
  }

  /// Text or bytes of one width.
  Array fixed(const mxArray* from, const Type& item) {
    const auto [element, depth] = item.element();
    const std::string_view encoding = element.text("encoding");
    const bool is_32 = encoding == "utf32", is_16 = encoding == "utf16" || encoding == "ucs2";
    const std::uint32_t dtype = element.is("fixed_bytes") ? POLYCODEC_DTYPE_FIXED_BYTES
                                : is_32                   ? POLYCODEC_DTYPE_FIXED_UTF32
                                : is_16                   ? POLYCODEC_DTYPE_FIXED_UTF16
                                                          : POLYCODEC_DTYPE_FIXED_UTF8;
    const std::uint64_t width = element.size() * (is_32 ? 4 : is_16 ? 2 : 1);
    const Shape shape = shape_of(from, depth + 1);
    const mxArray* const rows = shape.size() > 1 ? reversed(from) : from;
    const std::uint64_t n = mxGetNumberOfElements(from);
    char* const data = bytes(n * width);
    std::memset(data, 0, n * width);
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto step = path_.item(i);
      const mxArray* each = cell_of(rows, i);
      if (each == nullptr || (!is_text(each) && !mxIsUint8(each))) wrong(from, element);
      std::string text = mxIsChar(each) ? text_of(each) : std::string(bytes_of(each));
      if (mxIsChar(each) && (is_32 || is_16)) {
        mxArray* arguments[] = {const_cast<mxArray*>(each), to_text(is_32 ? "UTF-32LE" : "UTF-16LE")};
        mxArray* units = nullptr;
        mexCallMATLAB(1, &units, 2, arguments, "unicode2native");
        text = bytes_of(units);
      }
      if (text.size() > width)
        path_.fail(Status::range, "octave.range",
                   "the text has " + std::to_string(text.size()) + " bytes, and its type " + std::to_string(width));
      std::memcpy(data + i * width, text.data(), text.size());
    }
    const Array made = ndarray(data, dtype, width, shape);
    made->byte_order = is_32 || is_16 ? POLYCODEC_LITTLE_ENDIAN : host_byte_order;
    return made;
  }

  Draft draft_;
  Path path_;
  bool is_mesh_ = false;
  bool in_table_ = false;
};

}  // namespace octave_package
