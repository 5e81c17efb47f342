// SPDX-License-Identifier: MIT
// Values as arrays of Octave and MATLAB.
#pragma once

#include <polycodec/items.h>

#include "mx.hpp"

#include <set>

namespace octave_package {

/// Makes arrays of one value. What the language has no type for becomes a struct with the field
/// `polycodec` (README.md); what it cannot hold is an error.
class ToOctave {
 public:
  explicit ToOctave(const Value& value) : value_(value), budget_(value.budget()) {}

  mxArray* all() { return view(value_.view()); }

 private:
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
    if (from.array() != nullptr && from.is_list()) return array(*from.array(), 0, from.array()->length);
    switch (from.kind()) {
      case POLYCODEC_KIND_NULL: return to_null();
      case POLYCODEC_KIND_STRING: {
        std::string scratch;
        const std::string_view text = from.as_string(scratch);
        spend(text.size());
        return to_text(text);
      }
      case POLYCODEC_KIND_BINARY: spend(from.as_bytes().size()); return to_bytes_row(from.as_bytes());
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE: return cells(from, from.node() != nullptr, &View::child);
      case POLYCODEC_KIND_OBJECT: {
        std::vector<std::string> names;
        for (std::uint64_t i = 0; i < from.size(); ++i) names.emplace_back(from.name(i));
        return members(names, "object", [&](std::uint64_t i) { return view(from.child(i)); });
      }
      case POLYCODEC_KIND_MAP:
        return to_struct({{mark, to_text("map")},
                          {"keys", cells(from, true, &View::key)},
                          {"values", cells(from, true, &View::child)}});
      case POLYCODEC_KIND_EXTENSION: return to_struct({{mark, to_text(from.name())}, {"data", below(from.child())}});
      case POLYCODEC_KIND_REFERENCE: return below(from.target());
      case POLYCODEC_KIND_UNION:
        return to_struct({{mark, to_text("union")},
                          {"tag", mxCreateDoubleScalar(static_cast<double>(from.tag()))},
                          {"value", below(from.child())}});
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION: return time(from);
      default: return scalar(from);
    }
  }
  mxArray* below(const View& from) {
    const auto step = path_.member("data");
    return view(from);
  }

  mxArray* scalar(const View& from) {
    const Class& made_of = need_class(from.dtype());
    if (made_of.id == mxLOGICAL_CLASS) return mxCreateLogicalScalar(from.as_bool());
    mxArray* const made = mxCreateNumericMatrix(1, 1, made_of.id, made_of.parts);
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
      path_.fail(Status::range, "octave.type", "no class holds all numbers of " + std::string(dtype_name(dtype)));
    return *found;
  }
  /// Items as a row of cells, or those of an array as a column of them.
  mxArray* cells(const View& from, bool is_row, View (View::*get)(std::uint64_t) const noexcept) {
    const auto n = static_cast<mwSize>(from.size());
    mxArray* const made = is_row ? mxCreateCellMatrix(1, n) : mxCreateCellMatrix(n, 1);
    for (std::uint64_t i = 0; i < from.size(); ++i) {
      const auto step = path_.item(i);
      set_cell(made, i, view((from.*get)(i)));
    }
    return made;
  }

  /// A struct, or where the names are not fields one of keys and values.
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
        set_cell(keys, i, to_text(names[i]));
        set_cell(values, i, value);
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
    const bool is_duration = from.kind() == POLYCODEC_KIND_DURATION;
    const Value one = Value::build([&](Builder& out) {
      return is_duration ? out.duration(t.count, t.unit) : out.timestamp(t.count, t.nanoseconds, t.unit);
    });
    std::uint32_t each = 1;  // nanoseconds of the unit
    for (std::uint32_t i = t.unit; i < POLYCODEC_UNIT_NANOSECOND; ++i) each *= i >= POLYCODEC_UNIT_SECOND ? 1000 : 1;
    const bool fits = t.nanoseconds % each == 0;
    return times(one, is_duration, fits ? t.unit : std::uint32_t{POLYCODEC_UNIT_NANOSECOND}, {});
  }
  /// Counts of a unit, with the same in words.
  static mxArray* times(const Value& from, bool is_duration, std::uint32_t unit, const Shape& shape) {
    const std::vector<mwSize> dims = reversed(shape);
    mxArray* const rows = mxCreateNumericArray(static_cast<mwSize>(dims.size()), dims.data(), mxINT64_CLASS, mxREAL);
    std::uint64_t n = mxGetNumberOfElements(rows);
    if (n != 0)
      border::call(polycodec_value_times, from.raw(), to_bytes("$"), unit, static_cast<std::int64_t*>(mxGetData(rows)),
                   n, nullptr, &n);
    // The words of plain text, in which a time is {"$datetime": "2020-01-02"}.
    constexpr std::string_view form = "{\"$datetime\": \"";
    const std::string plain = from.text({.plain = true});
    mxArray* const words = mxCreateCellMatrix(is_duration ? 0 : static_cast<mwSize>(n), 1);
    std::size_t i = 0;
    for (std::size_t at = plain.find(form); at != plain.npos; at = plain.find(form, at)) {
      at += form.size();
      mxSetCell(words, static_cast<mwIndex>(i++),
                to_text(std::string_view(plain).substr(at, plain.find('"', at) - at)));
    }
    return to_struct({{mark, to_text(is_duration ? "timedelta" : "datetime")},
                      {"count", shape.size() < 2 ? rows : reversed(rows)},
                      {"unit", to_text(time_units[unit])},
                      {"text", words}});
  }

  // -- arrays --

  /// Items [first, first + n) of an array.
  mxArray* array(const polycodec_array& from, std::uint64_t first, std::uint64_t n) {
    if (!View(from).is_list()) return view(View(from));  // of no axes
    const polycodec_array* below = &from;
    while (polycodec_is_choice(below) && below->n_children != 0) below = below->children[0];
    const bool chosen = below != &from;
    const bool is_leaf = below->layout == POLYCODEC_LAYOUT_NDARRAY && below->ndim != 0;
    const auto part = [&] { return value_.part({nullptr, &from, POLYCODEC_WHOLE}, first, n); };
    if (from.layout == POLYCODEC_LAYOUT_RECORD && from.names != nullptr)
      return members(names_of(from), "record", [&](std::uint64_t i) { return column(*from.children[i], first, n); });
    if (chosen && below->layout == POLYCODEC_LAYOUT_RECORD && below->names != nullptr && is_complete(from, first, n)) {
      const Value records = part();
      return members(names_of(*below), "record", [&](std::uint64_t i) {
        const std::string_view name = to_string_view(below->names[i]);
        return ToOctave(records.part(member_path("$", name))).all();
      });
    }
    Shape shape = {n};
    for (std::uint32_t i = 1; i < below->ndim; ++i) shape.push_back(static_cast<std::uint64_t>(below->shape[i]));
    if (is_leaf && class_of(below->dtype) != nullptr && (!chosen || below->ndim == 1) && are_alike(from, *below))
      if (mxArray* const made = numbers(part(), below->dtype, shape, chosen)) return made;
    if (is_leaf && !chosen && is_time(below->dtype))
      return times(part(), below->dtype == POLYCODEC_DTYPE_DURATION64, below->unit, shape);
    const bool is_list = from.layout >= POLYCODEC_LAYOUT_LIST_OFFSETS && from.layout <= POLYCODEC_LAYOUT_LIST_FIXED &&
                         !polycodec_is_text(&from);
    if (is_list && from.layout == POLYCODEC_LAYOUT_LIST_FIXED && is_vector(*from.children[0]))
      return numbers(part(), from.children[0]->dtype, {n, from.list_size}, false);
    if (is_leaf && !chosen && below->ndim > 1 && is_fixed(below->dtype)) return matrix(from, first, shape);
    const View all(from);
    mxArray* const made = mxCreateCellMatrix(static_cast<mwSize>(n), 1);
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto step = path_.item(i);
      const polycodec_range range = is_list ? polycodec_list_range(&from, first + i) : polycodec_range{};
      mxSetCell(made, static_cast<mwIndex>(i),
                is_list ? with_units(array(*from.children[0], range.begin, range.end - range.begin),
                                     from.children[0]->metadata)
                        : view(all.child(first + i)));
    }
    return made;
  }

  static bool is_vector(const polycodec_array& from) {
    return from.layout == POLYCODEC_LAYOUT_NDARRAY && from.ndim == 1 && class_of(from.dtype) != nullptr;
  }
  /// A column of a record: lists of three indices, as triangles are, become a matrix.
  mxArray* column(const polycodec_array& from, std::uint64_t first, std::uint64_t n) {
    bool all = n != 0 && !polycodec_is_text(&from) &&
               (from.layout == POLYCODEC_LAYOUT_LIST_OFFSETS || from.layout == POLYCODEC_LAYOUT_LIST_VIEW) &&
               is_vector(*from.children[0]) && is_integer(from.children[0]->dtype);
    for (std::uint64_t i = first; all && i < first + n; ++i) {
      const polycodec_range range = polycodec_list_range(&from, i);
      all = range.end - range.begin == 3;
    }
    const auto triangles = [&] {
      return numbers(value_.part({nullptr, &from, POLYCODEC_WHOLE}, first, n), from.children[0]->dtype, {n, 3}, false);
    };
    return with_units(all ? triangles() : array(from, first, n), from.metadata);
  }

  static std::vector<std::string> names_of(const polycodec_array& record) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < record.n_children; ++i) names.emplace_back(to_string_view(record.names[i]));
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

  /// An array of Octave's own: one of the MEX API is copied when it is returned.
  static mxArray* zeros(const std::vector<mwSize>& dims, const char* name) {
    mxArray* made = nullptr;
    mxArray* given[] = {mxCreateDoubleMatrix(1, static_cast<mwSize>(dims.size()), mxREAL), mxCreateString(name)};
    std::ranges::copy(dims, static_cast<double*>(mxGetData(given[0])));
    mexCallMATLAB(1, &made, 2, given, "zeros");
    return made;
  }

  /// The numbers of a value in these axes. Where items are missing that have no NA, null.
  mxArray* numbers(const Value& from, std::uint32_t dtype, const Shape& shape, bool may_miss) {
    const Class& made_of = need_class(dtype);
    std::vector<mwSize> dims = reversed(shape);
    const auto rank = static_cast<mwSize>(dims.size());
    const bool is_large = dims[0] > 1u << 16 && sizeof(mxChar) == 1 && made_of.zeros != nullptr;
    mxArray* const made = is_large ? zeros(dims, made_of.zeros)
                          : made_of.id == mxLOGICAL_CLASS
                              ? mxCreateLogicalArray(rank, dims.data())
                              : mxCreateUninitNumericArray(rank, dims.data(), made_of.id, made_of.parts);
    const std::uint64_t n = mxGetNumberOfElements(made);
    const std::uint32_t size = dtype_size(made_of.dtype);
    spend(n * size);
    std::vector<std::uint8_t> present(may_miss ? n : 0);
    std::vector<char> pairs(made_of.parts == mxCOMPLEX ? n * size : 0);
    void* const to = pairs.empty() ? mxGetData(made) : pairs.data();
    std::uint64_t found = 0;
    if (n != 0)
      border::call(polycodec_value_numbers, from.raw(), to_bytes("$"), made_of.dtype, to, n,
                   may_miss ? present.data() : nullptr, &found);
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

  /// Text or bytes in several axes.
  mxArray* matrix(const polycodec_array& from, std::uint64_t first, const Shape& shape) {
    const std::vector<mwSize> dims = reversed(shape);
    mxArray* const made = mxCreateCellArray(static_cast<mwSize>(dims.size()), dims.data());
    const std::uint64_t n = mxGetNumberOfElements(made);
    for (std::uint64_t i = 0; i < n; ++i) {
      View at(from);
      std::uint64_t items = n, rest = i + first * (n / std::max<std::uint64_t>(shape[0], 1));
      for (const std::uint64_t size : shape) {
        items /= size;
        at = at.child(rest / items);
        rest %= items;
      }
      set_cell(made, i, view(at));
    }
    return reversed(made);
  }

  const Value value_;
  Budget budget_;
  Path path_;
  std::uint64_t spent_ = 0;
};

}  // namespace octave_package
