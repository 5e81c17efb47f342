// SPDX-License-Identifier: MIT
// Objects of R as values of the library. R/write.R says what an object is made of, and checks that
// it fits. Vectors that are stored as R has them are viewed.
#include <polycodec/detail/half.hpp>

#include "glue.hpp"

#include <cmath>
#include <cstring>
#include <span>
#include <vector>

namespace r_package {
namespace {

/// What R says of an object: its kind, its metadata, and what that kind is made of.
class Form {
 public:
  explicit Form(SEXP said) : said_(said), kind_(text_in(VECTOR_ELT(said, 0))) {}

  bool is(std::string_view kind) const { return kind_ == kind; }
  SEXP metadata() const { return VECTOR_ELT(said_, 1); }
  SEXP operator[](int i) const { return VECTOR_ELT(said_, 2 + i); }

 private:
  SEXP said_;
  std::string_view kind_;
};

class Making {
 public:
  Making(Builder& out, SEXP handle) : out_(out), handle_(handle) {}

  Node node(SEXP x) {
    const Step step(place_, "");
    if (const std::optional<Node> made = plain(x)) return *made;
    const Form form = said_of(x, false);
    const Node made = node_of(form);
    if (form.metadata() == R_NilValue || made.kind == POLYCODEC_KIND_ARRAY) return made;
    return out_.annotated(made, node(form.metadata()));
  }

 private:
  // -- what is kept, and what is viewed --

  Form said_of(SEXP x, bool is_column) {
    const Kept path(vector_of(place_.path));
    const Kept column(r([&] { return Rf_ScalarLogical(is_column ? TRUE : FALSE); }));
    const Kept said(ask("form", {x, path, column}));
    R_SetExternalPtrProtected(handle_,
                              r([&] { return Rf_cons(said, R_ExternalPtrProtected(handle_)); }));
    return Form(said);
  }
  static void keep_nothing(void*) {}
  /// Memory of R that the value refers to: viewed if it is large.
  std::string_view kept(const void* data, std::size_t size) {
    const std::string_view extent = to_string_view(data, size);
    if (size < 4096) return out_.copy_text(extent);
    out_.adopt(nullptr, keep_nothing, extent);
    return extent;
  }

  // -- nodes --

  /// Most of what documents have, without asking R: NULL, one string, one number or many of them,
  /// bytes, lists. Nothing for the rest.
  std::optional<Node> plain(SEXP x) {
    static SEXP const notes[] = {Rf_install("dtype"), Rf_install("units"), Rf_install("metadata"),
                                 R_DimSymbol};
    const bool is_count = Rf_inherits(x, "integer64") != FALSE;
    if (OBJECT(x) != 0 && !is_count) return std::nullopt;
    for (SEXP const note : notes)
      if (Rf_getAttrib(x, note) != R_NilValue) return std::nullopt;
    if (TYPEOF(x) == VECSXP) return list(x, {});
    if (Rf_getAttrib(x, R_NamesSymbol) != R_NilValue) return std::nullopt;
    const bool is_one = Rf_xlength(x) == 1;
    std::int64_t count = 0;
    switch (TYPEOF(x)) {
      case NILSXP:
        return Builder::null();
      case RAWSXP:
        return Builder::bytes_view(kept(RAW_RO(x), size_of(x)));
      case LGLSXP:
        if (!is_one || LOGICAL_RO(x)[0] == NA_LOGICAL) return std::nullopt;
        return Builder::boolean(LOGICAL_RO(x)[0] != 0);
      case STRSXP:
        if (!is_one || STRING_ELT(x, 0) == NA_STRING) return std::nullopt;
        return text(x);
      case INTSXP:
        for (std::uint64_t i = 0; i < size_of(x); ++i)
          if (INTEGER_RO(x)[i] == NA_INTEGER) return std::nullopt;
        if (is_one) return Builder::integer(INTEGER_RO(x)[0], POLYCODEC_DTYPE_INT32);
        return Builder::array(vector<int>(INTEGER_RO(x), x));
      case REALSXP:
        if (is_count) {
          if (!is_one) return std::nullopt;
          std::memcpy(&count, REAL_RO(x), sizeof count);
          return count == INT64_MIN ? std::nullopt : std::optional(Builder::integer(count));
        }
        for (std::uint64_t i = 0; i < size_of(x); ++i)
          if (std::isnan(REAL_RO(x)[i]) && R_IsNA(REAL_RO(x)[i]) != 0) return std::nullopt;
        if (is_one) return Builder::real(REAL_RO(x)[0]);
        return Builder::array(vector<double>(REAL_RO(x), x));
      default:
        return std::nullopt;
    }
  }
  template <class T>
  polycodec_array* vector(const T* data, SEXP x) {
    const std::string_view bytes = kept(data, size_of(x) * sizeof(T));
    const std::int64_t shape[] = {XLENGTH(x)};
    return out_.ndarray(bytes, dtype_of<T>, sizeof(T), shape);
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
    if (form.is("bytes")) return Builder::bytes_view(kept(RAW_RO(form[0]), size_of(form[0])));
    if (form.is("extension")) return out_.extension(text_in(form[0]), node(form[1]));
    if (form.is("list") || form.is("tuple") || form.is("map")) return list(form[0], form);
    if (form.is("scalar")) return scalar(form);
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
    if (!is_map && !are_named && form && form->is("tuple")) made.kind = POLYCODEC_KIND_TUPLE;
    for (std::uint64_t i = 0; i < n; ++i) {
      SEXP item = VECTOR_ELT(x, static_cast<R_xlen_t>(i));
      const Step step(place_, are_named ? key_step(text_in(names, i)) : index_step(i));
      if (are_named) {
        *nodes++ = text(names, i);
      } else if (is_map) {
        if (TYPEOF(item) != VECSXP || XLENGTH(item) != 2)
          throw Error(Status::type,
                      "an entry of a map without names is a list of its key and its value")
              .detail("r.map")
              .path(place_.path);
        *nodes++ = node(VECTOR_ELT(item, 0));
        item = VECTOR_ELT(item, 1);
      }
      *nodes++ = node(item);
    }
    return made;
  }

  /// One element that has a type of its own.
  Node scalar(const Form& form) {
    const polycodec_array& one = *elements(form);
    const std::uint8_t dtype = one.dtype;
    const polycodec_column column = {one.data, 0, dtype, 0};
    const auto load = [&](auto number) {
      std::memcpy(&number, one.data, sizeof number);
      return number;
    };
    if (dtype == POLYCODEC_DTYPE_BOOLEAN) return Builder::boolean(load(std::uint8_t{}) != 0);
    if (is_signed_integer(dtype)) return Builder::integer(polycodec_column_item(&column, 0), dtype);
    if (is_unsigned_integer(dtype))
      return Builder::unsigned_integer(
          static_cast<std::uint64_t>(polycodec_column_item(&column, 0)), dtype);
    if (dtype == POLYCODEC_DTYPE_FLOAT16) return Builder::real16(load(std::uint16_t{}));
    if (dtype == POLYCODEC_DTYPE_FLOAT32) return Builder::real32(load(float{}));
    if (dtype == POLYCODEC_DTYPE_FLOAT64) return Builder::real(load(double{}));
    if (dtype == POLYCODEC_DTYPE_DURATION64) return out_.duration(load(std::int64_t{}), one.unit);
    if (dtype == POLYCODEC_DTYPE_TIMESTAMP64) return timestamp(load(std::int64_t{}), one.unit);
    return out_.wide(dtype, one.data);
  }
  /// Of what is finer than a second the node has nanoseconds.
  Node timestamp(std::int64_t count, std::uint32_t unit) {
    if (!is_subsecond_unit(unit) || count == INT64_MIN) return out_.timestamp(count, 0, unit);
    std::int64_t each = 1;
    for (std::uint32_t i = POLYCODEC_UNIT_SECOND; i < unit; ++i) each *= 1000;
    const std::int64_t rest = (count % each + each) % each;
    return out_.timestamp((count - rest) / each,
                          static_cast<std::uint32_t>(rest * (1000000000 / each)), unit);
  }

  // -- arrays --

  polycodec_array* column(SEXP x) {
    const Step step(place_, "");
    return array(said_of(x, true));
  }
  polycodec_array* array(const Form& form) {
    polycodec_array* const made = form.is("elements") || form.is("scalar") ? elements(form)
                                  : form.is("lists")                       ? lists(form)
                                  : form.is("table")                       ? table(form)
                                                                           : document(form[0]);
    if (form.metadata() != R_NilValue) made->metadata = out_.store(node(form.metadata()));
    return made;
  }

  /// An array as R has it: its first index runs fastest.
  polycodec_array* elements(const Form& form) {
    SEXP data = form[0];
    const int* const numbers = INTEGER_RO(form[2]);  // dtype, size, unit
    const auto dtype = static_cast<std::uint32_t>(numbers[0]);
    const auto size = static_cast<std::uint32_t>(numbers[1]);
    const std::string_view bytes = stored(data, dtype);
    const std::uint64_t n = size == 0 ? size_of(data) : bytes.size() / size;
    std::vector<std::int64_t> shape = {static_cast<std::int64_t>(n)}, strides;
    if (form[3] != R_NilValue)
      shape.assign(INTEGER_RO(form[3]), INTEGER_RO(form[3]) + XLENGTH(form[3]));
    std::int64_t stride = size;
    for (const std::int64_t length : shape) {
      strides.push_back(stride);
      stride *= length;
    }
    polycodec_array* const made = out_.strided(bytes, bytes.data(), shape, strides, dtype, size);
    made->unit = static_cast<std::uint32_t>(numbers[2]);
    return masked(made, form[1]);
  }

  /// Numbers in the type that they are to have; they fit.
  std::string_view stored(SEXP x, std::uint32_t dtype) {
    switch (dtype) {
      case POLYCODEC_DTYPE_BOOLEAN:
      case POLYCODEC_DTYPE_UINT8:
        return TYPEOF(x) == RAWSXP ? kept(RAW_RO(x), size_of(x)) : cast<std::uint8_t>(x);
      case POLYCODEC_DTYPE_INT8:
        return cast<std::int8_t>(x);
      case POLYCODEC_DTYPE_INT16:
        return cast<std::int16_t>(x);
      case POLYCODEC_DTYPE_UINT16:
        return cast<std::uint16_t>(x);
      case POLYCODEC_DTYPE_INT32:
        return TYPEOF(x) == INTSXP ? kept(INTEGER_RO(x), size_of(x) * 4) : cast<std::int32_t>(x);
      case POLYCODEC_DTYPE_UINT32:
        return cast<std::uint32_t>(x);
      case POLYCODEC_DTYPE_FLOAT16:
      case POLYCODEC_DTYPE_COMPLEX32:
        return cast<std::uint16_t>(x, double_to_half);
      case POLYCODEC_DTYPE_FLOAT32:
      case POLYCODEC_DTYPE_COMPLEX64:
        return cast<float>(x);
      default:
        return kept(DATAPTR_RO(x), size_of(x) * (TYPEOF(x) == CPLXSXP  ? 16
                                                 : TYPEOF(x) == RAWSXP ? 1
                                                                       : 8));
    }
  }
  template <class To, class Convert = To (*)(double)>
  std::string_view cast(
      SEXP x, const Convert& convert = [](double number) { return static_cast<To>(number); }) {
    const std::uint64_t n = size_of(x) * (TYPEOF(x) == CPLXSXP ? 2 : 1);
    const void* const from = DATAPTR_RO(x);
    const bool are_doubles = TYPEOF(x) == REALSXP || TYPEOF(x) == CPLXSXP;
    To* const to = out_.allocate<To>(n);
    for (std::uint64_t i = 0; i < n; ++i)
      to[i] = convert(are_doubles ? static_cast<const double*>(from)[i]
                                  : static_cast<double>(static_cast<const int*>(from)[i]));
    return to_string_view(to, n * sizeof(To));
  }

  polycodec_array* masked(polycodec_array* of, SEXP present) {
    if (present == R_NilValue) return of;
    polycodec_array* const made =
        out_.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, of->length, {{of}});
    const std::string_view mask = kept(RAW_RO(present), size_of(present));
    made->flags = POLYCODEC_ARRAY_MASK_VALID;
    made->mask = {mask.empty() ? "" : mask.data(), 1, POLYCODEC_DTYPE_UINT8, 0};
    return made;
  }

  /// Lists or strings, whose items follow each other in an array up to their ends.
  polycodec_array* lists(const Form& form) {
    const std::uint64_t n = size_of(form[1]);
    std::int64_t* const offsets = out_.allocate<std::int64_t>(n + 1);
    offsets[0] = 0;
    for (std::uint64_t i = 0; i < n; ++i)
      offsets[i + 1] = static_cast<std::int64_t>(REAL_RO(form[1])[i]);
    const auto flags = static_cast<std::uint8_t>(Rf_asInteger(form[2]));
    const std::span<const std::int64_t> all(offsets, n + 1);
    return masked(out_.list_offsets(all, column(form[0]), flags), form[3]);
  }

  polycodec_array* table(const Form& form) {
    SEXP names = form[2];
    std::vector<std::string_view> words;
    std::vector<const polycodec_array*> columns;
    for (std::uint64_t k = 0; k < size_of(form[0]); ++k) {
      const Step step(place_, key_step(text_in(names, k)));
      words.push_back(text_in(names, k));
      columns.push_back(column(VECTOR_ELT(form[0], static_cast<R_xlen_t>(k))));
    }
    polycodec_array* const made =
        out_.record(static_cast<std::uint64_t>(Rf_asReal(form[1])), words, columns);
    if (Rf_asLogical(form[3]) == TRUE)
      made->names = nullptr;
    else if (words.empty())
      made->names = out_.allocate<polycodec_bytes>(1);
    return made;
  }

  polycodec_array* document(SEXP x) {
    polycodec_array* const made = out_.new_array(POLYCODEC_LAYOUT_DOCUMENT, size_of(x));
    Node* const nodes = out_.allocate<Node>(size_of(x));
    for (std::uint64_t i = 0; i < size_of(x); ++i) {
      const Step step(place_, index_step(i));
      nodes[i] = node(VECTOR_ELT(x, static_cast<R_xlen_t>(i)));
    }
    made->nodes = nodes;
    return made;
  }

  Builder& out_;
  SEXP handle_;
  Place place_;
};

}  // namespace

SEXP from_r(SEXP x) {
  MARK_NOT_MUTABLE(x);
  const Kept kept(r([&] { return Rf_cons(x, R_NilValue); }));
  const Kept made(handle(Value(), kept));
  owned<Value>(made) = Value::build([&](Builder& out) { return Making(out, made).node(x); });
  return made;
}

}  // namespace r_package
