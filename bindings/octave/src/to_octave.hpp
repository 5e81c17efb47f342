// SPDX-License-Identifier: MIT
// Values as arrays of Octave and MATLAB.
#pragma once

#include <polycodec/items.h>

#include "mx.hpp"

#include <bit>
#include <set>

namespace octave_package {

/// Makes arrays of one value. What the language has no type for becomes a struct with the field
/// `polycodec` (README.md); what it cannot hold is an error.
class ToOctave {
 public:
  explicit ToOctave(const polycodec::Value& value) : value_(value), budget_(value.budget()) {}

  mxArray* all() { return view(value_.view()); }
  mxArray* part(const polycodec_item& item) { return ToOctave(value_.part(item)).all(); }

 private:
  using View = polycodec::View;
  using Value = polycodec::Value;

  /// Charges what is made here: few bytes may describe very many items.
  void spend(std::uint64_t bytes) {
    spent_ += 64 + bytes;
    if (spent_ < 1u << 18) return;
    budget_.spend(spent_ / 16);
    spent_ = 0;
  }

  mxArray* view(const View& from) {
    spend(0);
    return with_units(bare(from), from.metadata());
  }
  static mxArray* with_units(mxArray* made, const polycodec_node* metadata) {
    if (metadata == nullptr) return made;
    const auto units = View(metadata).find("units");
    if (!units || !units->is_string()) return made;
    return to_struct({{"value", made}, {"units", to_text(units->as_string())}});
  }

  mxArray* bare(const View& from) {
    if (from.array() != nullptr) return array(*from.array(), 0, from.array()->length);
    switch (from.kind()) {
      case POLYCODEC_KIND_NULL:
        return to_null();
      case POLYCODEC_KIND_STRING: {
        std::string scratch;
        const std::string_view text = from.as_string(scratch);
        spend(text.size());
        return to_text(text);
      }
      case POLYCODEC_KIND_BINARY:
        spend(from.as_bytes().size());
        return to_bytes_row(from.as_bytes());
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return list(from);
      case POLYCODEC_KIND_OBJECT: {
        std::vector<std::string> names;
        for (std::uint64_t i = 0; i < from.size(); ++i) names.emplace_back(from.name(i));
        return members(names, "object", [&](std::uint64_t i) { return view(from.child(i)); });
      }
      case POLYCODEC_KIND_MAP:
        return to_struct({{mark, to_text("map")},
                          {"keys", cells(from, 1, &View::key)},
                          {"values", cells(from, 1, &View::child)}});
      case POLYCODEC_KIND_EXTENSION:
        return to_struct({{mark, to_text(from.name())}, {"data", below(from.child())}});
      case POLYCODEC_KIND_REFERENCE:
        return below(from.target());
      case POLYCODEC_KIND_UNION:
        return to_struct({{mark, to_text("union")},
                          {"tag", mxCreateDoubleScalar(static_cast<double>(from.tag()))},
                          {"value", below(from.child())}});
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION:
        return time(from);
      default:
        return scalar(from);
    }
  }
  mxArray* below(const View& from) {
    const auto step = path_.member("data");
    return view(from);
  }

  mxArray* scalar(const View& from) {
    const Class& made_of = need_class(from.dtype());
    mxArray* const made = mxCreateNumericMatrix(1, 1, made_of.id, made_of.parts);
    if (made_of.id == mxLOGICAL_CLASS) return mxCreateLogicalScalar(from.as_bool());
    if (from.dtype() == POLYCODEC_DTYPE_FLOAT16) {
      *static_cast<float*>(mxGetData(made)) = static_cast<float>(from.as_double());
      return made;
    }
    if (from.dtype() == POLYCODEC_DTYPE_COMPLEX32) need_class(POLYCODEC_DTYPE_NONE);
    std::byte bits[16] = {};
    const std::uint32_t size = from.copy_bits(bits);
    const std::size_t half = made_of.parts == mxCOMPLEX ? size / 2 : size;
    std::memcpy(mxGetData(made), bits, half);
    if (half != size) std::memcpy(mxGetImagData(made), bits + half, half);
    return made;
  }
  const Class& need_class(std::uint32_t dtype) const {
    const Class* const found = class_of(dtype);
    if (found == nullptr)
      path_.fail(Status::range, "octave.type",
                 "no class holds all numbers of " + std::string(polycodec::dtype_name(dtype)));
    return *found;
  }
  /// Items as a row of cells, or items of an array as a column of them.
  mxArray* list(const View& from) {
    const auto elements = from.elements();
    if (!elements || class_of(elements->dtype) == nullptr)
      return cells(from, from.node() != nullptr ? 1 : 0, &View::child);
    // A list of numbers in an array.
    spend(elements->count * elements->item_size);
    return numbers(Value::build([&](polycodec::Builder& out) {
                     const auto n = elements->count;
                     auto* const rows =
                         out.allocate<std::uint64_t>(n * elements->item_size / 8 + 1);
                     for (std::uint64_t i = 0; i < n; ++i)
                       std::memcpy(reinterpret_cast<char*>(rows) + i * elements->item_size,
                                   elements->data + static_cast<std::int64_t>(i) * elements->stride,
                                   elements->item_size);
                     const std::int64_t shape[] = {static_cast<std::int64_t>(n)};
                     return polycodec::Builder::array(out.ndarray(
                         {reinterpret_cast<const char*>(rows), n * elements->item_size},
                         elements->dtype, elements->item_size, shape, elements->byte_order));
                   }),
                   elements->dtype, {elements->count}, false);
  }
  mxArray* cells(const View& from, int is_row, View (View::*get)(std::uint64_t) const noexcept) {
    const auto n = static_cast<mwSize>(from.size());
    mxArray* const made = is_row != 0 ? mxCreateCellMatrix(1, n) : mxCreateCellMatrix(n, 1);
    for (std::uint64_t i = 0; i < from.size(); ++i) {
      const auto step = path_.item(i);
      mxSetCell(made, static_cast<mwIndex>(i), view((from.*get)(i)));
    }
    return made;
  }

  /// A struct, or where the names are no fields one of keys and values.
  template <class Make>
  mxArray* members(const std::vector<std::string>& names, const char* kind, const Make& make) {
    const auto n = static_cast<mwSize>(names.size());
    const bool fields = are_fields(names);
    mxArray* const keys = mxCreateCellMatrix(1, n);
    mxArray* const values = mxCreateCellMatrix(1, n);
    mxArray* const made = mxCreateStructMatrix(1, 1, 0, nullptr);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto step = path_.member(names[i]);
      mxArray* const value = make(i);
      if (fields) {
        mxSetFieldByNumber(made, 0, mxAddField(made, names[i].c_str()), value);
      } else {
        mxSetCell(keys, static_cast<mwIndex>(i), to_text(names[i]));
        mxSetCell(values, static_cast<mwIndex>(i), value);
      }
    }
    if (fields) return made;
    return to_struct({{mark, to_text(kind)}, {"keys", keys}, {"values", values}});
  }
  static bool are_fields(const std::vector<std::string>& names) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const std::set<std::string> known(names.begin(), names.end());
    if (known.size() != names.size() || (!names.empty() && names[0] == mark)) return false;
    if (names.size() == 2 && known.contains("value") && known.contains("units")) return false;
    return std::ranges::all_of(names, [&](const std::string& name) {
      return !name.empty() && name.size() <= 63 && letters.find(name[0]) != letters.npos &&
             name.find_first_not_of(std::string(letters) + "0123456789_") == name.npos;
    });
  }

  // -- times --

  mxArray* time(const View& from) {
    const polycodec_time t = from.as_time();
    mxArray* const count = mxCreateNumericMatrix(1, 1, mxINT64_CLASS, mxREAL);
    std::memcpy(mxGetData(count), &t.count, sizeof t.count);
    const Value one = Value::build([&](polycodec::Builder& out) {
      return from.kind() == POLYCODEC_KIND_DURATION ? out.duration(t.count, t.unit)
                                                    : out.timestamp(t.count, t.nanoseconds, t.unit);
    });
    mxArray* const made = times(from.kind() == POLYCODEC_KIND_DURATION, t.unit, count, one);
    if (t.nanoseconds != 0)
      mxSetFieldByNumber(made, 0, mxAddField(made, "nanoseconds"),
                         mxCreateDoubleScalar(t.nanoseconds));
    return made;
  }
  /// Counts of a unit, with the same in words.
  static mxArray* times(bool is_duration, std::uint32_t unit, mxArray* count, const Value& from) {
    // The words of plain text, in which a time is {"$datetime": "2020-01-02"}.
    constexpr std::string_view form = "{\"$datetime\": \"";
    const std::string plain = from.text({.plain = true});
    std::vector<mxArray*> words;
    for (std::size_t at = plain.find(form); at != plain.npos; at = plain.find(form, at)) {
      at += form.size();
      words.push_back(to_text(std::string_view(plain).substr(at, plain.find('"', at) - at)));
    }
    mxArray* texts = mxCreateCellMatrix(static_cast<mwSize>(words.size()), 1);
    for (std::size_t i = 0; i < words.size(); ++i)
      mxSetCell(texts, static_cast<mwIndex>(i), words[i]);
    if (words.size() == 1) texts = words[0];
    return to_struct({{mark, to_text(is_duration ? "timedelta" : "datetime")},
                      {"count", count},
                      {"unit", to_text(time_units[unit])},
                      {"text", texts}});
  }

  // -- arrays --

  /// Items [first, first + n) of an array.
  mxArray* array(const polycodec_array& from, std::uint64_t first, std::uint64_t n) {
    const polycodec_array* below = &from;
    while (polycodec_is_choice(below) && below->n_children != 0) below = below->children[0];
    const bool chosen = below != &from;
    const bool is_leaf = below->layout == POLYCODEC_LAYOUT_NDARRAY && below->ndim != 0;
    const auto part = [&] { return value_.part({nullptr, &from, POLYCODEC_WHOLE}, first, n); };
    if (from.layout == POLYCODEC_LAYOUT_RECORD && from.names != nullptr)
      return members(names_of(from), "record",
                     [&](std::uint64_t i) { return column(*from.children[i], first, n); });
    if (chosen && below->layout == POLYCODEC_LAYOUT_RECORD && below->names != nullptr &&
        is_complete(from, first, n)) {
      const Value records = part();
      return members(names_of(*below), "record", [&](std::uint64_t i) {
        const std::string_view name = polycodec::to_string_view(below->names[i]);
        return ToOctave(records.part(polycodec::member_path("$", name))).all();
      });
    }
    if (is_leaf && class_of(below->dtype) != nullptr && (!chosen || below->ndim == 1) &&
        are_alike(from, *below)) {
      Shape shape = {n};
      for (std::uint32_t i = 1; i < below->ndim; ++i)
        shape.push_back(static_cast<std::uint64_t>(below->shape[i]));
      if (mxArray* const made = numbers(part(), below->dtype, shape, chosen)) return made;
    }
    if (is_leaf && !chosen && polycodec::is_time(below->dtype)) return times(*below, part());
    const std::uint64_t each = list_size(from);
    if (each != 0) return numbers(part(), from.children[0]->dtype, {n, each}, false);
    if (is_leaf && !chosen && below->ndim > 1 && polycodec::is_fixed(below->dtype))
      return matrix(from, first, n);
    const View all(from);
    mxArray* const made = mxCreateCellMatrix(static_cast<mwSize>(n), 1);
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto step = path_.item(i);
      mxSetCell(made, static_cast<mwIndex>(i), view(all.child(first + i)));
    }
    return made;
  }

  /// A column of a record: lists of three indices, as triangles are, become a matrix.
  mxArray* column(const polycodec_array& from, std::uint64_t first, std::uint64_t n) {
    mxArray* made = nullptr;
    if (from.layout <= POLYCODEC_LAYOUT_LIST_VIEW && from.layout != POLYCODEC_LAYOUT_NDARRAY &&
        n != 0 && from.children[0]->layout == POLYCODEC_LAYOUT_NDARRAY &&
        polycodec::is_integer(from.children[0]->dtype) && !polycodec_is_text(&from)) {
      bool all = true;
      for (std::uint64_t i = first; all && i < first + n; ++i) {
        const polycodec_range range = polycodec_list_range(&from, i);
        all = range.end - range.begin == 3;
      }
      if (all)
        made = numbers(value_.part({nullptr, &from, POLYCODEC_WHOLE}, first, n),
                       from.children[0]->dtype, {n, 3}, false);
    }
    return with_units(made != nullptr ? made : array(from, first, n), from.metadata);
  }
  /// The size of lists of one size of numbers; 0 for all else.
  static std::uint64_t list_size(const polycodec_array& from) {
    if (from.layout != POLYCODEC_LAYOUT_LIST_FIXED || polycodec_is_text(&from)) return 0;
    const polycodec_array& content = *from.children[0];
    const bool is_vector = content.layout == POLYCODEC_LAYOUT_NDARRAY && content.ndim == 1;
    return is_vector && class_of(content.dtype) != nullptr ? from.list_size : 0;
  }

  static std::vector<std::string> names_of(const polycodec_array& record) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < record.n_children; ++i)
      names.emplace_back(polycodec::to_string_view(record.names[i]));
    return names;
  }
  static bool is_complete(const polycodec_array& from, std::uint64_t first, std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i)
      if (polycodec_item_at(&from, first + i).array == nullptr) return false;
    return true;
  }
  /// True if all that may be chosen is of one type.
  static bool are_alike(const polycodec_array& from, const polycodec_array& leaf) {
    if (!polycodec_is_choice(&from))
      return from.layout == leaf.layout && from.dtype == leaf.dtype && from.ndim == leaf.ndim;
    for (std::uint32_t i = 0; i < from.n_children; ++i)
      if (!are_alike(*from.children[i], leaf)) return false;
    return true;
  }

  /// The numbers of a value in these axes. Where items are missing that have no NA, null.
  mxArray* numbers(const Value& from, std::uint32_t dtype, const Shape& shape, bool may_miss) {
    const Class& made_of = need_class(dtype);
    std::vector<mwSize> dims = reversed(shape);
    const auto rank = static_cast<mwSize>(dims.size());
    mxArray* const made =
        made_of.id == mxLOGICAL_CLASS
            ? mxCreateLogicalArray(rank, dims.data())
            : mxCreateUninitNumericArray(rank, dims.data(), made_of.id, made_of.parts);
    const std::uint64_t n = mxGetNumberOfElements(made);
    const std::uint32_t size = polycodec::dtype_size(made_of.dtype);
    spend(n * size);
    std::vector<std::uint8_t> present(may_miss ? n : 0);
    std::vector<char> pairs(made_of.parts == mxCOMPLEX ? n * size : 0);
    void* const to = pairs.empty() ? mxGetData(made) : pairs.data();
    std::uint64_t found = 0;
    if (n != 0)
      polycodec::border::call(polycodec_value_numbers, from.raw(), polycodec::to_bytes("$"),
                              made_of.dtype, to, n, may_miss ? present.data() : nullptr, &found);
    for (std::uint64_t i = 0; i < pairs.size(); i += size) {
      auto* const real = static_cast<char*>(mxGetData(made)) + i / 2;
      std::memcpy(real, &pairs[i], size / 2);
      auto* const imaginary = static_cast<char*>(mxGetImagData(made)) + i / 2;
      std::memcpy(imaginary, &pairs[i + size / 2], size / 2);
    }
    for (std::uint64_t i = 0; i < present.size(); ++i) {
      if (present[i] != 0) continue;
      if (made_of.id == mxDOUBLE_CLASS && pairs.empty())
        std::memcpy(static_cast<char*>(to) + i * size, &missing_double, size);
      else if (made_of.id == mxSINGLE_CLASS && pairs.empty())
        std::memcpy(static_cast<char*>(to) + i * size, &missing_single, size);
      else
        return nullptr;
    }
    return shape.size() < 2 ? made : reversed(made);
  }

  static mxArray* times(const polycodec_array& from, const Value& part) {
    const Shape shape(from.shape, from.shape + from.ndim);
    Shape own = shape;
    std::uint64_t n = 0;
    const auto get = [&](std::int64_t* to, std::uint64_t capacity) {
      polycodec::border::call(polycodec_value_times, part.raw(), polycodec::to_bytes("$"),
                              from.unit, to, capacity, nullptr, &n);
    };
    get(nullptr, 0);
    if (shape.size() < 2) own = {n};
    const std::vector<mwSize> dims = reversed(own);
    mxArray* const made =
        mxCreateNumericArray(static_cast<mwSize>(dims.size()), dims.data(), mxINT64_CLASS, mxREAL);
    if (n != 0) get(static_cast<std::int64_t*>(mxGetData(made)), n);
    return times(from.dtype == POLYCODEC_DTYPE_DURATION64, from.unit,
                 own.size() < 2 ? made : reversed(made), part);
  }

  /// Text or bytes in several axes.
  mxArray* matrix(const polycodec_array& from, std::uint64_t first, std::uint64_t n) {
    Shape shape(from.shape, from.shape + from.ndim);
    shape[0] = n;
    const std::vector<mwSize> dims = reversed(shape);
    mxArray* const made = mxCreateCellArray(static_cast<mwSize>(dims.size()), dims.data());
    for (std::uint64_t i = 0; i < mxGetNumberOfElements(made); ++i) {
      View at(from);
      std::uint64_t items = mxGetNumberOfElements(made), rest = i;
      for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        items /= shape[axis];
        at = at.child(rest / items + (axis == 0 ? first : 0));
        rest %= items;
      }
      mxSetCell(made, static_cast<mwIndex>(i), view(at));
    }
    return reversed(made);
  }

  const Value value_;
  polycodec::Budget budget_;
  Path path_;
  std::uint64_t spent_ = 0;
};

}  // namespace octave_package
