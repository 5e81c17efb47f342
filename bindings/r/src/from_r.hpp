// SPDX-License-Identifier: MIT
// Objects of R as values of the library. R/write.R says what an object is made of, and checks that
// it fits. Vectors that are stored as R has them are viewed.
#pragma once

#include <polycodec/detail/half.hpp>

#include "glue.hpp"

#include <bit>

namespace {

/// What R says of an object: its kind, its metadata, and what that kind is made of.
struct Form {
  SEXP said;

  bool is(std::string_view kind) const { return text_in(item_of(said, 0)) == kind; }
  SEXP metadata() const { return item_of(said, 1); }
  SEXP operator[](std::uint64_t i) const { return item_of(said, 2 + i); }
};

class Making {
 public:
  Making(Draft& draft, SEXP kept) : draft_(draft), out_(draft.out()), kept_(kept) {}

  Node node(SEXP x) {
    place_.descend();
    std::optional<Node> made = plain_node(x);
    if (!made) {
      const Form form = form_of(x, false);
      made = node_of(form);
      if (form.metadata() != R_NilValue && made->kind != POLYCODEC_KIND_ARRAY)
        made = out_.annotated(*made, node(form.metadata()));
    }
    --place_.depth;
    return *made;
  }

 private:
  Form form_of(SEXP x, bool is_column) {
    const Kept path(text_of(place_.path)), column(number(is_column ? 1 : 0));
    const Kept said(ask("form", {x, path, column}));
    SETCDR(kept_, r([&] { return Rf_cons(said, CDR(kept_)); }));
    return {said};
  }

  /// Memory of R that the value refers to: viewed if it is large.
  std::string_view stored(SEXP x) {
    const std::size_t width = TYPEOF(x) == RAWSXP    ? 1
                              : TYPEOF(x) == REALSXP ? 8
                              : TYPEOF(x) == CPLXSXP ? 16
                                                     : 4;
    const auto bytes = to_string_view(DATAPTR_RO(x), size_of(x) * width);
    if (bytes.size() < 4096) return out_.copy_text(bytes);
    out_.adopt(
        nullptr, [](void*) {}, bytes);
    return bytes;
  }

  // -- nodes --

  /// Lists and single numbers and strings, of which documents have many, without asking R.
  std::optional<Node> plain_node(SEXP x) {
    const bool is_count = Rf_inherits(x, "integer64") != FALSE;
    if (OBJECT(x) != 0 && !is_count) return std::nullopt;
    for (SEXP const note :
         {R_DimSymbol, Rf_install("dtype"), Rf_install("units"), Rf_install("metadata")})
      if (Rf_getAttrib(x, note) != R_NilValue) return std::nullopt;
    if (TYPEOF(x) == VECSXP) return list(x);
    if (Rf_xlength(x) != 1 || Rf_getAttrib(x, R_NamesSymbol) != R_NilValue) return std::nullopt;
    if (TYPEOF(x) == LGLSXP && LOGICAL_RO(x)[0] != NA_LOGICAL)
      return Builder::boolean(LOGICAL_RO(x)[0] != 0);
    if (TYPEOF(x) == INTSXP && INTEGER_RO(x)[0] != NA_INTEGER)
      return Builder::integer(INTEGER_RO(x)[0], POLYCODEC_DTYPE_INT32);
    if (TYPEOF(x) == REALSXP && !is_count && R_IsNA(REAL_RO(x)[0]) == 0)
      return Builder::real(REAL_RO(x)[0]);
    if (is_count && std::bit_cast<std::int64_t>(REAL_RO(x)[0]) != INT64_MIN)
      return Builder::integer(std::bit_cast<std::int64_t>(REAL_RO(x)[0]));
    if (TYPEOF(x) == STRSXP && STRING_ELT(x, 0) != NA_STRING) return text(x);
    return std::nullopt;
  }

  Node text(SEXP x, std::uint64_t i = 0) {
    Node made = out_.string_copy(text_in(x, i));
    if (Rf_getCharCE(STRING_ELT(x, static_cast<R_xlen_t>(i))) == CE_BYTES)
      made.dtype = POLYCODEC_STRING_LENIENT;
    return made;
  }

  Node node_of(const Form& form) {
    if (form.is("null")) return Builder::null();
    if (form.is("text")) return text(form[0]);
    if (form.is("bytes")) return Builder::bytes_view(stored(form[0]));
    if (form.is("extension")) return out_.extension(text_in(form[0]), node(form[1]));
    if (form.is("scalar")) return scalar(form);
    if (form.is("map")) return map(form[0], form[1]);
    if (form.is("list") || form.is("tuple")) {
      Node made = list(form[0]);
      if (form.is("tuple")) made.kind = POLYCODEC_KIND_TUPLE;
      return made;
    }
    return Builder::array(array(form));
  }

  Node list(SEXP x) {
    const std::uint64_t n = size_of(x);
    const Kept names(Rf_getAttrib(x, R_NamesSymbol));
    const bool are_named = names != R_NilValue;
    Node* nodes = nullptr;
    const Node made = are_named ? out_.object(n, &nodes) : out_.list(n, &nodes);
    for (std::uint64_t i = 0; i < n; ++i) {
      const PathStep step = place_.step_to(names, i);
      if (are_named) *nodes++ = text(names, i);
      *nodes++ = node(item_of(x, i));
    }
    return made;
  }
  Node map(SEXP keys, SEXP values) {
    Node* nodes = nullptr;
    const Node made = out_.map(size_of(keys), &nodes);
    for (std::uint64_t i = 0; i < size_of(keys); ++i) {
      const PathStep step(place_.path, i);
      *nodes++ = node(item_of(keys, i));
      *nodes++ = node(item_of(values, i));
    }
    return made;
  }

  /// The element of an array of one.
  Node scalar(const Form& form) {
    Draft one;
    const Value array = one.finish(Builder::array(Making(one, kept_).elements(form)));
    const Value element = array.part({nullptr, array.root()->as.array, 0});
    draft_.keep(element);
    return *element.root();
  }

  // -- arrays --

  polycodec_array* column(SEXP x) {
    place_.descend();
    polycodec_array* const made = array(form_of(x, true));
    --place_.depth;
    return made;
  }
  polycodec_array* array(const Form& form) {
    polycodec_array* const made = form.is("elements") ? elements(form)
                                  : form.is("lists")  ? lists(form)
                                  : form.is("table")  ? table(form)
                                                      : document(form[0]);
    if (form.metadata() != R_NilValue) made->metadata = out_.store(node(form.metadata()));
    return made;
  }

  /// An array as R has it: its first index runs fastest.
  polycodec_array* elements(const Form& form) {
    const double* const numbers = REAL_RO(form[2]);  // dtype, size, unit, shape
    const auto dtype = static_cast<std::uint32_t>(numbers[0]);
    const std::uint32_t size =
        is_fixed(dtype) ? static_cast<std::uint32_t>(numbers[1]) : dtype_size(dtype);
    const std::vector<std::int64_t> shape(numbers + 3, numbers + XLENGTH(form[2]));
    std::vector<std::int64_t> strides;
    std::int64_t stride = size;
    for (const std::int64_t length : shape)
      strides.push_back(std::exchange(stride, stride * length));
    const std::string_view bytes = stored(form[0]);
    polycodec_array* const made = out_.strided(bytes, bytes.data(), shape, strides, dtype, size);
    made->unit = static_cast<std::uint32_t>(numbers[2]);
    return masked(made, form[1]);
  }

  polycodec_array* masked(polycodec_array* of, SEXP present) {
    if (present == R_NilValue) return of;
    polycodec_array* const made =
        out_.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, of->length, {{of}});
    made->flags = POLYCODEC_ARRAY_MASK_VALID;
    made->mask = {of->length == 0 ? "" : stored(present).data(), 1, POLYCODEC_DTYPE_UINT8, 0};
    return made;
  }

  /// Lists or strings, whose items follow each other in an array up to their ends.
  polycodec_array* lists(const Form& form) {
    const auto* const first = reinterpret_cast<const std::int64_t*>(stored(form[1]).data());
    const std::span<const std::int64_t> offsets(first, size_of(form[1]));
    const auto flags = static_cast<std::uint8_t>(Rf_asInteger(form[2]));
    return masked(out_.list_offsets(offsets, column(form[0]), flags), form[3]);
  }

  polycodec_array* table(const Form& form) {
    const bool is_tuple = Rf_asLogical(form[2]) == TRUE;
    const Kept names(Rf_getAttrib(form[0], R_NamesSymbol));
    std::vector<std::string_view> words;
    std::vector<const polycodec_array*> columns;
    for (std::uint64_t k = 0; k < size_of(form[0]); ++k) {
      const PathStep step(place_.path, text_in(names, k));
      if (!is_tuple) words.push_back(text_in(names, k));
      columns.push_back(column(item_of(form[0], k)));
    }
    const auto rows = static_cast<std::uint64_t>(Rf_asReal(form[1]));
    polycodec_array* const made = out_.record(rows, words, columns);
    if (columns.empty() && !is_tuple) made->names = out_.allocate<polycodec_bytes>(1);
    return made;
  }

  polycodec_array* document(SEXP x) {
    polycodec_array* const made = out_.new_array(POLYCODEC_LAYOUT_DOCUMENT, size_of(x));
    made->nodes = list(x).as.nodes;
    return made;
  }

  Draft& draft_;
  Builder& out_;
  SEXP kept_;
  Place place_;
};

/// A value that R gives: that of a handle, or an object of R, whose vectors it views. These may
/// change after the call.
struct Given {
  explicit Given(SEXP x) : kept(r([&] { return Rf_list1(x); })) {
    MARK_NOT_MUTABLE(x);
    Draft draft;
    value = TYPEOF(x) == EXTPTRSXP ? owned<Value>(x) : draft.finish(Making(draft, kept).node(x));
  }

  Kept kept;  // a list of the object and what was made of it
  Value value;
};

SEXP pc_c_half(SEXP numbers) {
  std::vector<std::uint16_t> halves;
  for (std::uint64_t i = 0; i < size_of(numbers); ++i)
    halves.push_back(double_to_half(REAL_RO(numbers)[i]));
  return raw_of(to_string_view(halves.data(), 2 * halves.size()));
}

}  // namespace
