// SPDX-License-Identifier: MIT
// Objects of R as values of the library. R/write.R says what an object is made of, and checks that
// it fits. Vectors that are stored as R has them are viewed.
#include <polycodec/detail/half.hpp>

#include "glue.hpp"

#include <cstring>

namespace r_package {
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
  Making(Builder& out, SEXP kept) : out_(out), kept_(kept) {}

  Node node(SEXP x) {
    place_.descend();
    Node made;
    if (const std::optional<Node> plain = plain_node(x)) {
      made = *plain;
    } else {
      const Form form = form_of(x, false);
      made = node_of(form);
      if (form.metadata() != R_NilValue && made.kind != POLYCODEC_KIND_ARRAY)
        made = out_.annotated(made, node(form.metadata()));
    }
    --place_.depth;
    return made;
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
    if (TYPEOF(x) == VECSXP) return list(x, {});
    if (Rf_xlength(x) != 1 || Rf_getAttrib(x, R_NamesSymbol) != R_NilValue) return std::nullopt;
    if (TYPEOF(x) == LGLSXP && LOGICAL_RO(x)[0] != NA_LOGICAL)
      return Builder::boolean(LOGICAL_RO(x)[0] != 0);
    if (TYPEOF(x) == INTSXP && INTEGER_RO(x)[0] != NA_INTEGER)
      return Builder::integer(INTEGER_RO(x)[0], POLYCODEC_DTYPE_INT32);
    if (TYPEOF(x) == REALSXP && !is_count && R_IsNA(REAL_RO(x)[0]) == 0)
      return Builder::real(REAL_RO(x)[0]);
    const polycodec_column counts = {is_count ? REAL_RO(x) : nullptr, 0, POLYCODEC_DTYPE_INT64, 0};
    if (is_count && polycodec_column_item(&counts, 0) != INT64_MIN)
      return Builder::integer(polycodec_column_item(&counts, 0));
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
    if (form.is("scalar")) return scalar(*elements(form));
    if (form.is("list") || form.is("tuple") || form.is("map")) return list(form[0], form);
    return Builder::array(array(form));
  }

  /// Items or members; entries of a map without names are lists of a key and a value.
  Node list(SEXP x, const std::optional<Form>& form) {
    const std::uint64_t n = size_of(x);
    const Kept names(Rf_getAttrib(x, R_NamesSymbol));
    const bool is_map = form && form->is("map"), are_named = names != R_NilValue;
    Node* nodes = nullptr;
    Node made = is_map      ? out_.map(n, &nodes)
                : are_named ? out_.object(n, &nodes)
                            : out_.list(n, &nodes);
    if (form && form->is("tuple") && !are_named) made.kind = POLYCODEC_KIND_TUPLE;
    for (std::uint64_t i = 0; i < n; ++i) {
      SEXP item = item_of(x, i);
      const PathStep step =
          are_named ? PathStep(place_.path, text_in(names, i)) : PathStep(place_.path, i);
      if (are_named) {
        *nodes++ = text(names, i);
      } else if (is_map) {
        if (TYPEOF(item) != VECSXP || XLENGTH(item) != 2)
          throw Error(Status::type,
                      "an entry of a map without names is a list of its key and its value")
              .detail("r.map")
              .path(place_.path);
        *nodes++ = node(item_of(item, 0));
        item = item_of(item, 1);
      }
      *nodes++ = node(item);
    }
    return made;
  }

  /// The element of an array of one as a node.
  Node scalar(const polycodec_array& one) {
    const View element = View::element(one, 0);
    if (element.kind() == POLYCODEC_KIND_WIDE) return out_.wide(one.dtype, one.data);
    if (is_time(one.dtype)) {
      const polycodec_time time = element.as_time();
      return element.kind() == POLYCODEC_KIND_DURATION
                 ? out_.duration(time.count, time.unit)
                 : out_.timestamp(time.count, time.nanoseconds, time.unit);
    }
    Node made = polycodec_node_make(static_cast<std::uint8_t>(element.kind()), one.dtype, 0);
    const bool is_half = one.dtype == POLYCODEC_DTYPE_FLOAT16;
    polycodec_column bits = {one.data, 0, one.dtype, 0};
    if (is_half) bits.dtype = POLYCODEC_DTYPE_UINT16;
    made.as.i64 = polycodec_column_item(&bits, 0);
    if (made.kind == POLYCODEC_KIND_FLOAT && !is_half)
      std::memcpy(&made.as, one.data, one.item_size);
    return made;
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
    std::vector<std::int64_t> offsets = {0};
    for (std::uint64_t i = 0; i < size_of(form[1]); ++i)
      offsets.push_back(static_cast<std::int64_t>(REAL_RO(form[1])[i]));
    const std::span<const std::int64_t> all(out_.store_all(std::span<const std::int64_t>(offsets)),
                                            offsets.size());
    const auto flags = static_cast<std::uint8_t>(Rf_asInteger(form[2]));
    return masked(out_.list_offsets(all, column(form[0]), flags), form[3]);
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
    made->nodes = list(x, {}).as.nodes;
    return made;
  }

  Builder& out_;
  SEXP kept_;
  Place place_;
};

}  // namespace

Value from_r(SEXP x, SEXP kept) {
  SETCAR(kept, x);
  if (TYPEOF(x) == EXTPTRSXP) return owned<Value>(x);
  MARK_NOT_MUTABLE(x);
  return Value::build([&](Builder& out) { return Making(out, kept).node(x); });
}

SEXP pc_c_half(SEXP numbers) {
  std::vector<std::uint16_t> halves;
  for (std::uint64_t i = 0; i < size_of(numbers); ++i)
    halves.push_back(double_to_half(REAL_RO(numbers)[i]));
  return raw_of(to_string_view(halves.data(), 2 * halves.size()));
}

}  // namespace r_package
