// SPDX-License-Identifier: MIT
// Objects, which stay what they are made from, and arrays that a call makes.
#include <polycodec/quote.hpp>

#include "array_parts.hpp"
#include "deferred.hpp"
#include "frame.hpp"
#include "numpy.hpp"

#include <algorithm>

namespace polycodec::awkward {
namespace {

/// The parts of a function's name.
NodeView function_name(const Frame& frame, std::size_t param) {
  const NodeView v = frame[param];
  if (v.kind() != POLYCODEC_KIND_EXTENSION ||
      to_string_view(v.as_extension().name) != function_name_word)
    frame.fail_type(param, "a function");
  return NodeView(v.as_extension().payload);
}

NodeView arguments(const Frame& frame, std::size_t param) {
  const NodeView v = frame[param];
  if (v.kind() != POLYCODEC_KIND_TUPLE && !v.is_list())
    frame.fail_type(param, "a tuple of arguments");
  return v;
}

bool is_option(const polycodec_array& a) {
  return a.layout == POLYCODEC_LAYOUT_OPTION_BYTES || a.layout == POLYCODEC_LAYOUT_OPTION_BITS ||
         a.layout == POLYCODEC_LAYOUT_INDEXED;
}

/// Compares what a file says about the type of a virtual array with what was made.
class TypeCheck {
 public:
  explicit TypeCheck(const Frame& frame, std::size_t param) : frame_(frame), param_(param) {}

  void whole(const polycodec_array& array, NodeView type) {
    // A type that contains itself names what it is.
    for (std::uint32_t left = frame_.call.limits().max_depth;
         left != 0 && type.find("set") && type.find("as"); --left)
      type = *type.find("as");
    const auto takes = type.find("takes");
    if (!takes || !type.find("to")) refuse("it does not describe an array");
    if (takes->kind() == POLYCODEC_KIND_SIGNED &&
        takes->as_int64() != static_cast<std::int64_t>(array.length))
      refuse("it says " + std::to_string(takes->as_int64()) + " items, there are " +
             std::to_string(array.length));
    items(array, *type.find("to"), 0, frame_.call.limits().max_depth);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    frame_.fail(param_, Status::malformed, "virtual.type",
                "the array is not of the type that is declared: " + why);
  }

  void items(const polycodec_array& array, NodeView type, std::uint32_t axis, std::uint32_t depth) {
    if (depth == 0)
      frame_.fail(param_, Status::limit, "awkward.limit", "a type nested deeper than the limit");
    if (type.find("set") && type.find("as")) return items(array, *type.find("as"), axis, depth - 1);
    if (type.find("ref") || type.find("function")) return;
    if (const auto possibilities = type.find("possibilities"))
      return members(array, *possibilities);
    if (const auto optional = type.find("type")) {
      if (!is_option(array)) refuse("items may be missing, but the array has no mask");
      return items(*array.children[0], *optional, 0, depth - 1);
    }
    if ((array.layout == POLYCODEC_LAYOUT_INDEXED || array.layout == POLYCODEC_LAYOUT_CHUNKED) &&
        array.n_children != 0)
      return items(*array.children[0], type, 0, depth - 1);
    if (const auto takes = type.find("takes"))
      return list(array, *takes, *type.find("to"), axis, depth);
    if (const auto fields = type.find("fields")) return record(array, *fields, depth);
    if (const auto dtype = type.find("dtype")) return leaf(array, *dtype, axis);
    refuse("it is of an unknown kind");
  }

  void members(const polycodec_array& array, NodeView possibilities) {
    if (!possibilities.is_list() || possibilities.size() == 0)
      refuse("its possibilities are not a list of types");
    if (possibilities.size() > 1 &&
        (array.layout == POLYCODEC_LAYOUT_NDARRAY || array.layout == POLYCODEC_LAYOUT_RECORD))
      refuse("it says items of " + std::to_string(possibilities.size()) +
             " types, and there is one");
  }

  void list(const polycodec_array& array, NodeView takes, NodeView to, std::uint32_t axis,
            std::uint32_t depth) {
    const bool matrix = array.layout == POLYCODEC_LAYOUT_NDARRAY && axis + 1 < array.ndim;
    if (!matrix && !ArrayView(array).is_list())
      refuse("the declared type is a list, but the content of the ObjectArray is not");
    if (takes.kind() == POLYCODEC_KIND_SIGNED &&
        (matrix || array.layout == POLYCODEC_LAYOUT_LIST_FIXED)) {
      const std::int64_t size =
          matrix ? array.shape[axis + 1] : static_cast<std::int64_t>(array.list_size);
      if (takes.as_int64() != size)
        refuse("the declared lists have " + std::to_string(takes.as_int64()) +
               " items, those of the ObjectArray have " + std::to_string(size));
    }
    items(matrix ? array : *array.children[0], to, matrix ? axis + 1 : 0, depth - 1);
  }

  void record(const polycodec_array& array, NodeView fields, std::uint32_t depth) {
    if (!fields.is_list()) refuse("its fields are not a list");
    if (array.layout != POLYCODEC_LAYOUT_RECORD || array.n_children != fields.size())
      refuse("it says a table of " + std::to_string(fields.size()) + " columns");
    for (std::uint32_t i = 0; i < array.n_children; ++i) {
      const NodeView field = fields[i];
      if (!field.is_list() || field.size() != 2 || !field[0].is_string())
        refuse("a field must be [name, type]");
      if (array.names != nullptr && field[0].as_string() != to_string_view(array.names[i]))
        refuse("column " + std::to_string(i) + " is not called " + quote(field[0].as_string()));
      items(*array.children[i], field[1], 0, depth - 1);
    }
  }

  void leaf(const polycodec_array& array, NodeView dtype, std::uint32_t axis) {
    const NumpyType type = parse_numpy_type(dtype);
    if (type.zero_ends || type.dtype == POLYCODEC_DTYPE_NONE) return;
    const bool same = array.layout == POLYCODEC_LAYOUT_NDARRAY && array.dtype == type.dtype &&
                      array.item_size == type.base_size && array.unit == type.unit &&
                      array.ndim == axis + 1 + type.shape.size();
    if (!same) refuse("the elements are of another dtype than " + quote(type.name));
  }

  const Frame& frame_;
  std::size_t param_;
};

/// The array with what makes objects of its items as one attribute, so that there is room for what
/// makes objects of those.
const polycodec_array* with_inner_objects(Builder& out, const polycodec_array& array) {
  if (array.metadata == nullptr || !NodeView(array.metadata).find(object::generator)) return &array;
  std::vector<Member> inner, others;
  const NodeView attributes(array.metadata);
  for (std::uint64_t i = 0; i < attributes.size(); ++i) {
    const std::string_view name = attributes.key(i).as_string();
    (object::is_attribute(name) ? inner : others).push_back({name, *attributes.value(i).raw()});
  }
  others.push_back({object::content, out.object(std::span<const Member>(inner))});
  polycodec_array* made = copy_header(out, array);
  made->metadata = out.store(out.object(std::span<const Member>(others)));
  return made;
}

}  // namespace

// The items of the content, and beside them what would make objects of them: nothing is called.
polycodec_node object_array(Frame& frame) {
  const polycodec_array& content = frame.array(0, POLYCODEC_DTYPE_FLOAT64);
  if (is_deferred(content))
    frame.fail(0, Status::unsupported, "expression.cycle",
               "the content of objects cannot be a cyclic reference");
  const NodeView name = function_name(frame, 1);
  const polycodec_array* a = with_inner_objects(frame.out, content);
  a = with_attribute(frame.out, *a, object::generator, *name.raw());
  if (frame.has(2) && arguments(frame, 2).size() != 0)
    a = with_attribute(frame.out, *a, object::args, *frame[2].raw());
  if (frame.has(3)) {
    if (!frame[3].is_object()) frame.fail_type(3, "an object");
    if (frame[3].size() != 0) a = with_attribute(frame.out, *a, object::kwargs, *frame[3].raw());
  }
  return Builder::array(a);
}

namespace {

/// True for lists that lie at the same places of their contents.
bool are_lists_alike(const Frame& frame, std::span<const polycodec_array* const> columns) {
  const ArrayView first(*columns[0]);
  for (const polycodec_array* column : columns) {
    const ArrayView view(*column);
    if (!view.is_list() || view.is_string() || view.is_binary() ||
        column->length != columns[0]->length)
      return false;
    frame.call.tick(column->length);
    for (std::uint64_t i = 0; column != columns[0] && i < column->length; ++i) {
      const ArrayView::Range mine = view.range(i), others = first.range(i);
      if (mine.begin != others.begin || mine.end != others.end) return false;
    }
  }
  return true;
}

/// Columns as a table of `names`; columns of lists as lists of such tables.
const polycodec_array* rows_of(const Frame& frame, Builder& out,
                               std::span<const std::string_view> names,
                               std::span<const polycodec_array* const> columns,
                               std::uint32_t depth) {
  if (depth != 0 && are_lists_alike(frame, columns)) {
    std::vector<const polycodec_array*> contents;
    for (const polycodec_array* column : columns) contents.push_back(column->children[0]);
    polycodec_array* lists = copy_header(out, *columns[0]);
    lists->children = out.store(rows_of(frame, out, names, contents, depth - 1));
    return lists;
  }
  std::uint64_t length = UINT64_MAX;
  for (const polycodec_array* column : columns) length = std::min(length, column->length);
  return out.record(length, names, columns);
}

}  // namespace

// TLorentzVectorArray.from_cartesian(x, y, z, t) and its like: the columns, and beside them what
// would make vectors of them. Nothing is called.
polycodec_node vectors(Frame& frame) {
  std::vector<std::string_view> names;
  std::vector<const polycodec_array*> columns;
  for (std::size_t i = 0; i < frame.params().size(); ++i) {
    names.emplace_back(frame.params()[i]);
    columns.push_back(&frame.array(i, POLYCODEC_DTYPE_FLOAT64));
    if (is_deferred(*columns.back()))
      frame.fail(i, Status::unsupported, "expression.cycle",
                 "a column of vectors cannot be a cyclic reference");
  }
  std::vector<polycodec_node> parts;
  for (const char* const part : frame.path)
    if (part != nullptr) parts.push_back(frame.out.string_copy(part));
  const polycodec_array* rows =
      rows_of(frame, frame.out, names, columns, frame.call.limits().max_depth);
  return Builder::array(with_attribute(frame.out, *rows, object::class_of,
                                       frame.out.list(std::span<const polycodec_node>(parts))));
}

namespace {

/// What the generator gives. A file of Python mostly names a function of its writer, so the error
/// says what that means.
const polycodec_node* generated(Frame& frame, std::span<const std::string_view> name,
                                const polycodec_node& args, const polycodec_node* kwargs) try {
  if (!is_own_function(name)) refuse_deferred(frame.call, args, kwargs);
  return frame.call.call_function(name, args, kwargs);
} catch (const Error& e) {
  if (e.detail() != "function.denied" && e.detail() != "function.unknown") throw;
  throw Error(e.code(),
              "the items come from a function of the program that wrote the file, and "
              "Python functions are never imported or run: save the array that it makes; " +
                  e.message())
      .detail(e.detail())
      .path(e.path());
}

}  // namespace

polycodec_node virtual_array(Frame& frame) {
  const NodeView name = function_name(frame, 0);
  std::vector<std::string_view> parts;
  for (const polycodec_node& part : name.items()) parts.push_back(NodeView(&part).as_string());
  const polycodec_node none = frame.out.list(std::span<const polycodec_node>());
  const polycodec_node* args = frame.has(1) ? arguments(frame, 1).raw() : &none;
  const polycodec_node* kwargs = nullptr;
  if (frame.has(2)) {
    if (!frame[2].is_object()) frame.fail_type(2, "an object");
    if (find_reserved(frame[2]) != nullptr)
      frame.fail(2, Status::malformed, "call.kwargs", reserved_text);
    kwargs = frame[2].node();
  }
  const NodeView made(generated(frame, parts, *args, kwargs));
  if (!made.is_array())
    frame.fail(0, Status::type, "virtual.no_array",
               "the generator of a virtual array made no array, but " +
                   std::string(kind_name(made.kind())));
  const polycodec_array& array = *made.node()->as.array;
  if (frame.has(5) && !frame[5].is_null()) {
    const NodeView type = frame[5];
    if (type.kind() != POLYCODEC_KIND_EXTENSION ||
        to_string_view(type.as_extension().name) != type_name_word)
      frame.fail_type(5, "a type");
    TypeCheck(frame, 5).whole(array, NodeView(type.as_extension().payload));
  }
  return Builder::array(&array);
}

polycodec_node json_to_type(Frame& frame) {
  if (!frame[0].is_object()) frame.fail_type(0, "the JSON of a type");
  return frame.out.extension(type_name_word, *frame[0].raw());
}

}  // namespace polycodec::awkward
