// SPDX-License-Identifier: MIT
// Values as arrays of Octave and MATLAB.
#pragma once

#include "mx.hpp"

#include <optional>
#include <set>

namespace octave_package {

/// Makes arrays of one value. What the language has no type for becomes a struct with the field
/// `polycodec` (README.md); what it cannot hold is an error. Each array in the value is a part of
/// it, a value of its own, of which the library copies numbers however they are stored.
class ToOctave {
 public:
  static mxArray* all(const Value& value) { return ToOctave(value.budget()).whole(value); }

 private:
  explicit ToOctave(Budget budget) : budget_(std::move(budget)) {}

  /// Charges what is made here: few bytes may describe very many items.
  void spend(std::uint64_t bytes) {
    spent_ += 64 + bytes;
    if (spent_ < 1u << 18) return;
    budget_.spend(spent_ / 16);
    spent_ = 0;
  }

  /// `is_column`: of a record.
  mxArray* whole(const Value& value, bool is_column = false) { return view(value, value.view(), is_column); }
  /// A part of the value `in`.
  mxArray* view(const Value& in, const View& from, bool is_column = false) {
    spend(0);
    if (from.array() == nullptr || !from.is_list()) return with_units(bare(in, from), from.metadata());
    const bool is_all = from.array() == in.view().array();
    const Value part = is_all ? in : in.part({nullptr, from.array(), POLYCODEC_WHOLE});
    return with_units(array(part, is_column), from.metadata());
  }
  static mxArray* with_units(mxArray* made, const polycodec_node* metadata) {
    if (metadata == nullptr) return made;
    const auto units = View(metadata).find("units");
    if (!units || !units->is_string()) return made;
    return to_struct({{"value", made}, {"units", to_text(units->as_string())}});
  }

  // -- nodes --

  mxArray* bare(const Value& in, const View& from) {
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
      case POLYCODEC_KIND_TUPLE: return items(in, from, &View::child);
      case POLYCODEC_KIND_OBJECT: {
        std::vector<std::string> names;
        for (std::uint64_t i = 0; i < from.size(); ++i) names.emplace_back(from.name(i));
        return members(names, "object", [&](std::uint64_t i) { return view(in, from.child(i)); });
      }
      case POLYCODEC_KIND_MAP:
        return to_struct(
            {{mark, to_text("map")}, {"keys", items(in, from, &View::key)}, {"values", items(in, from, &View::child)}});
      case POLYCODEC_KIND_EXTENSION:
        return to_struct({{mark, to_text(from.name())}, {"data", below(in, from.child(), Part::payload)}});
      case POLYCODEC_KIND_REFERENCE: return below(in, from.target(), Part::target);
      case POLYCODEC_KIND_UNION:
        return to_struct({{mark, to_text("union")},
                          {"tag", mxCreateDoubleScalar(static_cast<double>(from.tag()))},
                          {"value", below(in, from.child(), Part::member)}});
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION: return time(from);
      default: return scalar(from);
    }
  }
  mxArray* below(const Value& in, const View& from, Part part) {
    const auto step = path_.to(part);
    return view(in, from);
  }

  mxArray* scalar(const View& from) {
    const std::uint32_t dtype = from.dtype();
    const Class& made_of = need_class(dtype);
    if (made_of.id == mxLOGICAL_CLASS) return mxCreateLogicalScalar(from.as_bool());
    std::byte bits[16] = {};
    const std::uint32_t size = from.copy_bits(bits);
    if (made_of.dtype == dtype) {
      mxArray* const made = new_array(made_of, {1, 1});
      std::memcpy(mxGetData(made), bits, size);
      return made;
    }
    const Value one = Value::build([&](Builder& out) {
      constexpr std::int64_t length[] = {1};
      const std::string_view number = out.copy_text({reinterpret_cast<const char*>(bits), size});
      return Builder::array(out.ndarray(number, dtype, size, length));
    });
    return numbers(one, dtype, {1}, false);
  }
  const Class& need_class(std::uint32_t dtype) const {
    const Class* const found = class_of(dtype);
    if (found == nullptr)
      path_.fail(Status::range, "octave.type", "no class holds all numbers of " + std::string(dtype_name(dtype)));
    return *found;
  }
  /// Items as a row of cells, or those of an array as a column of them.
  mxArray* items(const Value& in, const View& from, View (View::*get)(std::uint64_t) const noexcept) {
    const auto n = static_cast<mwSize>(from.size());
    mxArray* const made = from.node() != nullptr ? mxCreateCellMatrix(1, n) : mxCreateCellMatrix(n, 1);
    for (std::uint64_t i = 0; i < from.size(); ++i) {
      const auto step = path_.to(i);
      set_cell(made, i, view(in, (from.*get)(i)));
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
      const auto step = path_.to(names[i]);
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
    mxArray* const rows = new_array(*class_of(POLYCODEC_DTYPE_INT64), reversed(shape));
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
      set_cell(words, i++, to_text(std::string_view(plain).substr(at, plain.find('"', at) - at)));
    }
    return to_struct({{mark, to_text(is_duration ? "timedelta" : "datetime")},
                      {"count", shape.size() < 2 ? rows : reversed(rows)},
                      {"unit", to_text(time_units[unit])},
                      {"text", words}});
  }

  // -- arrays --

  /// All of a value that is an array.
  mxArray* array(const Value& all, bool is_column) {
    const polycodec_array& from = *all.view().array();
    const std::uint64_t n = from.length;
    const polycodec_array* leaf = &from;
    while (polycodec_is_choice(leaf) && leaf->n_children != 0) leaf = leaf->children[0];
    const bool chosen = leaf != &from;
    if (leaf->layout == POLYCODEC_LAYOUT_RECORD && leaf->names != nullptr && is_complete(from)) {
      std::vector<std::string> names;
      for (std::uint32_t i = 0; i < leaf->n_children; ++i) names.emplace_back(to_string_view(leaf->names[i]));
      return members(names, "record",
                     [&](std::uint64_t i) { return whole(all.part(member_path("$", names[i]), 0, n), true); });
    }
    Shape shape = {n};
    if (leaf->layout == POLYCODEC_LAYOUT_NDARRAY && are_alike(from, *leaf)) {
      for (std::uint32_t i = 1; i < leaf->ndim; ++i) shape.push_back(static_cast<std::uint64_t>(leaf->shape[i]));
      if (class_of(leaf->dtype) != nullptr && (!chosen || leaf->ndim == 1))
        if (mxArray* const made = numbers(all, leaf->dtype, shape, chosen)) return made;
      if (!chosen && is_time(leaf->dtype))
        return times(all, leaf->dtype == POLYCODEC_DTYPE_DURATION64, leaf->unit, shape);
      if (chosen || !is_fixed(leaf->dtype)) shape = {n};
    }
    if (const auto width = width_of(from, is_column)) return numbers(all, from.children[0]->dtype, {n, *width}, false);
    return cells(all, shape);
  }
  /// An array of cells; items of all axes but of fixed-width text and bytes are those of the first axis.
  mxArray* cells(const Value& all, const Shape& shape) {
    const std::vector<mwSize> dims = reversed(shape);
    mxArray* const made = mxCreateCellArray(static_cast<mwSize>(dims.size()), dims.data());
    for (std::uint64_t i = 0, n = mxGetNumberOfElements(made); i < n; ++i) {
      const auto step = path_.to(i);
      View item = all.view();
      std::uint64_t items = n, rest = i;
      for (const std::uint64_t size : shape) {
        items /= size;
        item = item.child(rest / items);
        rest %= items;
      }
      const bool has_parts = item.node() == nullptr && (item.is_list() || item.is_object());
      set_cell(made, i, has_parts ? whole(all.part({nullptr, all.view().array(), i})) : view(all, item));
    }
    return shape.size() < 2 ? made : reversed(made);
  }

  /// The length of lists of numbers that become a matrix: those of a fixed size, and in a column of
  /// a record those of three indices, as triangles are.
  static std::optional<std::uint64_t> width_of(const polycodec_array& lists, bool is_column) {
    if (lists.layout < POLYCODEC_LAYOUT_LIST_OFFSETS || lists.layout > POLYCODEC_LAYOUT_LIST_FIXED) return {};
    const polycodec_array& items = *lists.children[0];
    const bool are_numbers = items.layout == POLYCODEC_LAYOUT_NDARRAY && items.ndim == 1 && class_of(items.dtype);
    if (polycodec_is_text(&lists) || !are_numbers) return {};
    if (lists.layout == POLYCODEC_LAYOUT_LIST_FIXED) return lists.list_size;
    if (!is_column || lists.length == 0 || !is_integer(items.dtype)) return {};
    for (std::uint64_t i = 0; i < lists.length; ++i) {
      const polycodec_range range = polycodec_list_range(&lists, i);
      if (range.end - range.begin != 3) return {};
    }
    return 3;
  }

  static bool is_complete(const polycodec_array& from) {
    for (std::uint64_t i = 0; i < from.length; ++i)
      if (polycodec_item_at(&from, i).array == nullptr) return false;
    return true;
  }
  /// True if all that may be chosen is of one type.
  static bool are_alike(const polycodec_array& from, const polycodec_array& leaf) {
    if (!polycodec_is_choice(&from))
      return from.layout == leaf.layout && from.dtype == leaf.dtype && from.ndim == leaf.ndim;
    return std::all_of(from.children, from.children + from.n_children,
                       [&](const polycodec_array* child) { return are_alike(*child, leaf); });
  }

  /// The numbers of a value in these axes. Where items are missing that have no NA, null.
  mxArray* numbers(const Value& from, std::uint32_t dtype, const Shape& shape, bool may_miss) {
    const Class& made_of = need_class(dtype);
    mxArray* const made = new_array(made_of, reversed(shape));
    const std::uint64_t n = mxGetNumberOfElements(made);
    const std::uint32_t size = dtype_size(made_of.dtype);
    spend(n * size);
    std::vector<std::uint8_t> present(may_miss ? n : 0);
    auto* const to = static_cast<char*>(mxGetData(made));
    std::uint64_t found = 0;
    if (n != 0)
      border::call(polycodec_value_numbers, from.raw(), to_bytes("$"), made_of.dtype, static_cast<void*>(to), n,
                   may_miss ? present.data() : nullptr, &found);
    const std::string_view missing = missing_of(made_of.dtype);
    for (std::uint64_t i = 0; i < present.size(); ++i) {
      if (present[i] != 0) continue;
      if (missing.empty()) return nullptr;
      std::memcpy(to + i * size, missing.data(), size);
    }
    return shape.size() < 2 ? made : reversed(made);
  }

  Budget budget_;
  Path path_;
  std::uint64_t spent_ = 0;
};

}  // namespace octave_package
