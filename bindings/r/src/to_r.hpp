// SPDX-License-Identifier: MIT
// Values of the library as objects of R. Nodes are walked here; R/read.R says what an array
// becomes.
#pragma once

#include "glue.hpp"

#include <R_ext/Altrep.h>

#include <algorithm>

namespace {

// -- views: vectors of doubles in the memory of a value. Who writes to one gets a copy --

R_altrep_class_t view_class;

const polycodec_array& array_in(const Value& value) {
  return *polycodec_node_proper(value.root())->as.array;
}
const polycodec_array& viewed(SEXP x) {
  return array_in(*static_cast<const Value*>(R_ExternalPtrAddr(R_altrep_data1(x))));
}
R_xlen_t view_length(SEXP x) {
  return static_cast<R_xlen_t>(viewed(x).length);
}
const void* view_or_null(SEXP x) {
  SEXP copied = R_altrep_data2(x);
  return copied != R_NilValue ? REAL_RO(copied) : viewed(x).data;
}
void* view_data(SEXP x, Rboolean is_written) {
  if (is_written != FALSE && R_altrep_data2(x) == R_NilValue) {
    const Kept copied(Rf_allocVector(REALSXP, view_length(x)));
    std::memcpy(REAL(copied), view_or_null(x), size_of(copied) * sizeof(double));
    R_set_altrep_data2(x, copied);
  }
  return const_cast<void*>(view_or_null(x));
}
double view_item(SEXP x, R_xlen_t i) {
  return static_cast<const double*>(view_or_null(x))[i];
}

// -- the walk --

/// What the walks of a value and of its parts share: where they are, and their budget, which is
/// charged in slices.
struct Shared {
  Place place;
  SEXP kept;
  Budget budget;
  std::uint64_t spent = 0;
};

constexpr std::uint64_t least_viewed = 512;  // numbers

class Walk {
 public:
  Walk(const Value& value, Shared& shared) : value_(value), shared_(shared) {}

  SEXP root() { return node(value_.view()); }

  /// `n` numbers or strings, with the attribute `present`: a byte for each, if some may be missing.
  /// What can be viewed has no such attribute. dtype NONE: strings. Booleans are bytes.
  SEXP elements(std::uint32_t dtype, std::uint32_t unit, std::uint64_t n, bool may_miss) {
    if (n >= least_viewed && aligned_doubles(array_in(value_)) != nullptr) {
      const Kept viewed(handle(value_, shared_.kept));
      return r([&] { return R_new_altrep(view_class, viewed, R_NilValue); });
    }
    spend(9 * n);
    const Kept x(vector(dtype == POLYCODEC_DTYPE_NONE         ? STRSXP
                        : dtype == POLYCODEC_DTYPE_BOOLEAN    ? RAWSXP
                        : dtype == POLYCODEC_DTYPE_INT32      ? INTSXP
                        : dtype == POLYCODEC_DTYPE_COMPLEX128 ? CPLXSXP
                                                              : REALSXP,
                        n));
    const Kept present(vector(RAWSXP, may_miss ? n : 0));
    std::uint8_t* const is = may_miss ? RAW(present) : nullptr;
    std::uint64_t found = 0;
    if (dtype == POLYCODEC_DTYPE_NONE) {
      const Sink sink = Sink::contiguous();
      std::vector<std::uint64_t> ends(n);
      border::call(polycodec_value_texts, value_.raw(), to_bytes("$"), sink.raw(), ends.data(), n,
                   is, &found);
      const std::string_view all = sink.bytes();
      for (std::uint64_t i = 0, begin = 0; i < std::min(n, found); begin = ends[i++])
        set_text(x, i, all.substr(begin, ends[i] - begin), shared_.place.path);
    } else if (is_time(dtype)) {
      border::call(polycodec_value_times, value_.raw(), to_bytes("$"), unit,
                   static_cast<std::int64_t*>(DATAPTR(x)), n, is, &found);
    } else {
      border::call(polycodec_value_numbers, value_.raw(), to_bytes("$"), dtype, DATAPTR(x), n, is,
                   &found);
    }
    if (found != n)
      throw Error(Status::internal, "the items do not add up: report this").detail("r.count");
    set_attribute(x, "present", present);
    return x;
  }

  /// The elements of all lists, and where each list begins in them and how long it is; or NULL.
  SEXP lists() {
    const polycodec_array& a = array_in(value_);
    if (a.layout != POLYCODEC_LAYOUT_LIST_OFFSETS && a.layout != POLYCODEC_LAYOUT_LIST_VIEW)
      return R_NilValue;
    const Kept ranges(vector(REALSXP, 2 * a.length));
    for (std::uint64_t i = 0; i < a.length; ++i) {
      const polycodec_range range = polycodec_list_range(&a, i);
      spend((range.end - range.begin) * 8);
      REAL(ranges)[i] = static_cast<double>(range.begin);
      REAL(ranges)[a.length + i] = static_cast<double>(range.end - range.begin);
    }
    return list_of({Kept(part({nullptr, a.children[0], POLYCODEC_WHOLE})), ranges});
  }

  /// The items of an array as a list, or where they are records as a data.frame.
  SEXP items(bool are_records) {
    const polycodec_array& a = array_in(value_);
    const polycodec_array* leaf = &a;
    while (polycodec_is_choice(leaf) && leaf->n_children != 0) leaf = leaf->children[0];
    if (leaf->layout == POLYCODEC_LAYOUT_UNION)
      on_loss(LossClass::retyped, shared_.place.path, lost);
    if (leaf->layout == POLYCODEC_LAYOUT_RECORD && (&a == leaf || are_records))
      return records(a, *leaf);
    if (a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0) return part({nullptr, &a, 0});
    return list(a.length, [&](std::uint64_t i) { return part({nullptr, &a, i}); });
  }

 private:
  void spend(std::uint64_t bytes) {
    if ((shared_.spent += 64 + bytes) < 1000000) return;
    r([] {
      R_CheckUserInterrupt();
      return R_NilValue;
    });
    const std::uint64_t spent = std::exchange(shared_.spent, 0);
    shared_.budget.spend(spent / 32, spent);
  }
  /// A list of R says what each item is, and not which alternative of a union.
  static constexpr std::string_view lost = "the alternatives of a union";

  // -- arrays --

  SEXP part(const polycodec_item& item, std::uint64_t n = UINT64_MAX) {
    return Walk(value_.part(item, 0, n), shared_).root();
  }

  /// Asks R for the object that an array or a number becomes.
  SEXP asked(const polycodec_item& item) {
    Walk walk(value_.part(item), shared_);
    const Kept pointer(r([&] { return R_MakeExternalPtr(&walk, R_NilValue, R_NilValue); }));
    const std::string type = walk.value_.type();
    spend(400 + type.size());
    const Kept words(text_of(type)), path(text_of(shared_.place.path));
    return ask("array_of", {pointer, words, path});
  }

  /// Asking takes as long as copying some 1,000 numbers: short arrays of what R has are copied
  /// here.
  SEXP array(const View& from) {
    const polycodec_array& a = *from.array();
    const double* const data = aligned_doubles(a);
    if (data == nullptr || a.length == 1 || a.length >= least_viewed ||
        std::any_of(data, data + a.length, [](double x) { return R_IsNA(x) != 0; }))
      return asked({nullptr, &a, POLYCODEC_WHOLE});
    spend(8 * a.length);
    const Kept x(vector(REALSXP, a.length));
    std::copy_n(data, a.length, REAL(x));
    return x;
  }

  static const double* aligned_doubles(const polycodec_array& a) {
    const auto all = View(a).elements();
    const bool is_plain = all && all->dtype == POLYCODEC_DTYPE_FLOAT64 && all->stride == 8 &&
                          all->byte_order == host_byte_order &&
                          reinterpret_cast<std::uintptr_t>(all->data) % alignof(double) == 0;
    return is_plain ? reinterpret_cast<const double*>(all->data) : nullptr;
  }

  /// A data.frame, whose columns may be matrices, lists and data.frames. If they are chosen in a
  /// way that the library makes no columns of, a list.
  SEXP records(const polycodec_array& a, const polycodec_array& leaf) {
    std::vector<polycodec_item> columns;
    const Kept names(vector(STRSXP, leaf.n_children));
    for (std::uint32_t k = 0; k < leaf.n_children; ++k) {
      const std::string name(leaf.names == nullptr ? "V" + std::to_string(k + 1)
                                                   : to_string_view(leaf.names[k]));
      set_text(names, k, name, shared_.place.path);
      columns.push_back({nullptr, leaf.children[k], POLYCODEC_WHOLE});
      if (&a != &leaf &&  // in chunks, or chosen: the library makes columns of them
          polycodec_value_find(value_.raw(), to_bytes(member_path("$", name)), &columns[k],
                               nullptr) != POLYCODEC_OK)
        return items(false);
    }
    const auto column = [&](std::uint64_t k) { return part(columns[k], a.length); };
    const Kept frame(list(columns.size(), column, names));
    const Kept rows(number(static_cast<double>(a.length)));
    const Kept word(leaf.names == nullptr ? text_of("tuple") : R_NilValue);
    return ask("frame", {frame, rows, word});
  }

  // -- nodes --

  SEXP node(const View& from) {
    shared_.place.descend();
    spend(from.is_string() ? from.as_string().size() : 0);
    Kept made(from.node() == nullptr ? array(from) : bare(from));
    --shared_.place.depth;
    if (from.metadata() == nullptr) return made;
    // In place: R would copy `made`.
    const Kept noted(made == R_NilValue ? vector(VECSXP, 0) : SEXP(made));
    const Kept notes(ask("attributes_of", {made, Kept(node(View(from.metadata())))}));
    const Kept names(Rf_getAttrib(notes, R_NamesSymbol));
    for (std::uint64_t i = 0; i < size_of(notes); ++i)
      set_attribute(noted, text_in(names, i).data(), item_of(notes, i));
    return noted;
  }

  SEXP bare(const View& from) {
    const auto item = [&](std::uint64_t i) { return node(from.child(i)); };
    switch (from.kind()) {
      case POLYCODEC_KIND_NULL:
        return R_NilValue;
      case POLYCODEC_KIND_STRING:
        return text(from);
      case POLYCODEC_KIND_BINARY:
        return raw_of(from.as_bytes());
      case POLYCODEC_KIND_LIST:
        return list(from.size(), item);
      case POLYCODEC_KIND_TUPLE:
        return list(from.size(), item, R_NilValue, "tuple");
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        return members(from);
      case POLYCODEC_KIND_EXTENSION:
        return ask("inert", {Kept(item(0)), Kept(text_of(std::string(from.name())))});
      case POLYCODEC_KIND_REFERENCE:
        return node(from.target());
      case POLYCODEC_KIND_UNION:
        on_loss(LossClass::retyped, shared_.place.path, lost);
        return item(0);
      default:
        return scalar(*from.node());
    }
  }

  /// `n` items that `make` makes, with names and the attribute `dtype`, where they are given.
  template <class Make>
  SEXP list(std::uint64_t n, const Make& make, SEXP names = R_NilValue,
            const char* dtype = nullptr) {
    spend(n * 8);
    const Kept x(vector(VECSXP, n));
    for (std::uint64_t i = 0; i < n; ++i) {
      const PathStep step = shared_.place.step_to(names, i);
      SET_VECTOR_ELT(x, static_cast<R_xlen_t>(i), make(i));
    }
    set_attribute(x, "names", names);
    if (dtype != nullptr) set_attribute(x, "dtype", Kept(text_of(dtype)));
    return x;
  }

  /// Members, or entries of a map: those with other keys than strings are pairs of key and value.
  SEXP members(const View& from) {
    const char* const dtype = from.is_map() ? "map" : nullptr;
    const Kept names(vector(STRSXP, from.size()));
    const auto value = [&](std::uint64_t i) { return node(from.child(i)); };
    const auto pair = [&](std::uint64_t i) {
      const Kept key(node(from.key(i)));
      return list_of({key, Kept(value(i))});
    };
    for (std::uint64_t i = 0; i < from.size(); ++i) {
      if (!from.key(i).is_string()) return list(from.size(), pair, R_NilValue, dtype);
      set_text(names, i, from.name(i), shared_.place.path);
    }
    return list(from.size(), value, names, dtype);
  }

  SEXP text(const View& from) {
    const Kept x(vector(STRSXP, 1));
    set_text(x, 0, from.as_string(), shared_.place.path);
    return from.is_lenient_string() ? ask("lenient", {x}) : SEXP(x);
  }

  /// Numbers that R has as they are; R is asked for all others, and for times.
  SEXP scalar(const polycodec_node& from) {
    if (from.dtype == POLYCODEC_DTYPE_INT32 && from.as.i64 != NA_INTEGER)
      return r([&] { return Rf_ScalarInteger(static_cast<int>(from.as.i64)); });
    if (from.dtype == POLYCODEC_DTYPE_FLOAT64 && R_IsNA(from.as.f64) == 0)
      return number(from.as.f64);
    if (from.dtype == POLYCODEC_DTYPE_INT64 && from.as.i64 != INT64_MIN) {
      const Kept x(number(from.as.f64));  // its bits
      set_attribute(x, "class", Kept(text_of("integer64")));
      return x;
    }
    return asked({&from, nullptr, 0});
  }

  const Value value_;
  Shared& shared_;
};

SEXP to_r(const Value& value, SEXP kept, const std::string& path) {
  Shared shared{{path}, kept, value.budget()};
  return Walk(value, shared).root();
}

}  // namespace
