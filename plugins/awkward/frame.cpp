// SPDX-License-Identifier: MIT
#include "frame.hpp"

#include <polycodec/contiguous.hpp>

#include "array_parts.hpp"

#include <algorithm>

namespace polycodec::awkward {
namespace {

std::string quoted(std::string_view text) {
  return "'" + std::string(text.substr(0, 80)) + "'";
}

Integers of_leaf(const polycodec_array& leaf) {
  Integers integers;
  integers.shape.assign(leaf.shape, leaf.shape + leaf.ndim);
  integers.count = ArrayView(leaf).element_count();
  integers.column = {leaf.data, leaf.ndim == 1 ? leaf.strides[0] : static_cast<std::int64_t>(leaf.item_size),
                     leaf.dtype, 0};
  static constexpr std::uint64_t none = 0;
  if (integers.count == 0) integers.column.data = &none;
  return integers;
}

/// The same elements one after another in the machine's byte order.
const polycodec_array& native(Builder& out, const polycodec_array& leaf) {
  const ArrayView view(leaf);
  if (view.is_host_order() && (leaf.ndim == 1 || view.is_contiguous())) return leaf;
  const std::uint64_t size = contiguous_size(view);
  const std::span<std::byte> copy(out.allocate<std::byte>(size + 8), static_cast<std::size_t>(size));
  copy_elements(view, host_byte_order, copy);
  return *out.ndarray(copy, leaf.dtype, leaf.item_size, view.shape());
}

}  // namespace

std::string number(std::uint64_t n) {
  return n == unknown_length ? "an unknown number of" : std::to_string(n);
}

Frame::Frame(const polycodec_host* host, const polycodec_call* raw_call, const polycodec_node* args,
             const polycodec_node* kwargs, polycodec_arena* arena, std::span<const char* const> params,
             std::uint32_t required)
    : call(host, raw_call), out(arena), bound_(params.size(), nullptr), params_(params), maker_(arena) {
  if (args != nullptr) args_ = View(args).items();
  if (kwargs != nullptr) kwargs_ = View(kwargs).entries();
  const auto refuse = [](const std::string& why, const std::string& path) {
    throw Error(Status::range, why).detail("function.arguments").path(path);
  };
  if (!params.empty() && args_.size() > params.size())
    refuse(std::to_string(args_.size()) + " arguments for " + std::to_string(params.size()) + " parameters",
           "$.args");
  if (!params.empty())
    for (std::size_t i = 0; i < args_.size(); ++i) bound_[i] = &args_[i];
  for (std::size_t i = 0; i < kwargs_.size(); i += 2) {
    const std::string_view name = View(&kwargs_[i]).as_string();
    const View value(&kwargs_[i + 1]);
    if (name == unchecked_keyword) {
      unchecked = value.as_bool();
    } else if (name == size_keyword) {
      needed_bytes = value.as_uint64();
    } else if (!params.empty()) {
      const auto found = std::find(params.begin(), params.end(), name);
      const auto at = static_cast<std::size_t>(found - params.begin());
      if (found == params.end()) refuse("there is no parameter " + quoted(name), "$.kwargs");
      if (bound_[at] != nullptr) refuse("the parameter " + quoted(name) + " is given twice", "$.kwargs");
      bound_[at] = value.raw();
    }
  }
  for (std::uint32_t i = 0; i < required; ++i)
    if (bound_[i] == nullptr) refuse("the parameter " + quoted(params[i]) + " is missing", "$.args");
}

std::string Frame::where(std::size_t param) const {
  return param < args_.size() || params_.empty() ? "$.args[" + std::to_string(param) + "]"
                                                 : "$.kwargs." + std::string(params_[param]);
}

void Frame::fail(std::size_t param, Status status, std::string_view word, const std::string& why) const {
  throw Error(status, why).detail(word).path(where(param));
}

void Frame::fail_type(std::size_t param, const char* wanted) const {
  const std::string name = params_.empty() ? "an argument" : "'" + std::string(params_[param]) + "'";
  fail(param, Status::type, "function.argument_kind",
       name + " must be " + wanted + ", not " + std::string(View::kind_name((*this)[param].kind())));
}

const polycodec_array* Frame::matrix_of(View list) const {
  std::vector<std::int64_t> shape;
  for (View inner = list; inner.is_list(); inner = inner[0]) {
    shape.push_back(static_cast<std::int64_t>(inner.size()));
    if (inner.size() == 0 || shape.size() > POLYCODEC_MAX_NDIM) return nullptr;
  }
  if (shape.size() < 2) return nullptr;
  std::vector<polycodec_node> level(list.items().begin(), list.items().end());
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    std::vector<polycodec_node> next;
    for (const polycodec_node& item : level) {
      if (!View(&item).is_list() || static_cast<std::int64_t>(View(&item).size()) != shape[axis]) return nullptr;
      next.insert(next.end(), View(&item).items().begin(), View(&item).items().end());
    }
    level = std::move(next);
  }
  const polycodec_array* flat = vector_of(level);
  if (flat == nullptr) return nullptr;
  const ArrayView view(*flat);
  return maker_.ndarray(view.contiguous_bytes(), flat->dtype, flat->item_size, shape);
}

const polycodec_array* Frame::vector_of(std::span<const polycodec_node> items) const {
  const auto all = [&](auto is) {
    return std::all_of(items.begin(), items.end(), [&](auto& n) { return is(View(&n)); });
  };
  if (all([](View v) { return v.kind() == POLYCODEC_SIGNED; })) {
    auto* numbers = maker_.allocate<std::int64_t>(items.size());
    std::transform(items.begin(), items.end(), numbers, [](auto& n) { return View(&n).as_int64(); });
    return maker_.vector(std::span<const std::int64_t>(numbers, items.size()));
  }
  if (all([](View v) { return v.is_number(); })) {
    auto* numbers = maker_.allocate<double>(items.size());
    std::transform(items.begin(), items.end(), numbers, [](auto& n) {
      return n.kind == POLYCODEC_REAL     ? n.as.f64
             : n.kind == POLYCODEC_SIGNED ? static_cast<double>(n.as.i64)
                                          : static_cast<double>(n.as.u64);
    });
    return maker_.vector(std::span<const double>(numbers, items.size()));
  }
  if (!all([](View v) { return v.kind() == POLYCODEC_BOOLEAN; })) return nullptr;
  auto* truths = maker_.allocate<std::uint8_t>(items.size());
  std::transform(items.begin(), items.end(), truths, [](auto& n) { return std::uint8_t{n.as.u64 != 0}; });
  auto* a = maker_.vector(std::span<const std::uint8_t>(truths, items.size()));
  a->dtype = POLYCODEC_BOOL;
  return a;
}

const polycodec_array& Frame::to_array(View value, std::uint32_t raw, std::size_t param,
                                       const std::string& below) const {
  if (value.is_array()) return *value.node()->as.array;
  if (value.kind() == POLYCODEC_BINARY) {
    const auto bytes = value.as_bytes();
    const std::uint32_t size = dtype_size(raw);
    if (bytes.size() % size != 0)
      throw Error(Status::malformed, std::to_string(bytes.size()) + " bytes are no whole number of elements of " +
                                         std::to_string(size) + " bytes")
          .detail("buffer.size")
          .path(where(param) + below);
    const std::int64_t shape[] = {static_cast<std::int64_t>(bytes.size() / size)};
    return *maker_.ndarray(bytes, raw, size, shape, POLYCODEC_LITTLE_ENDIAN);
  }
  if (value.is_list()) {
    const auto items = value.items();
    if (items.empty()) {
      const std::int64_t shape[] = {0};
      return *maker_.ndarray({}, raw, dtype_size(raw), shape);
    }
    if (const polycodec_array* numbers = vector_of(items)) return *numbers;
    if (const polycodec_array* matrix = matrix_of(value)) return *matrix;
    polycodec_array* a = maker_.new_array(POLYCODEC_FORM_DOCUMENT, items.size());
    a->nodes = items.data();
    return *a;
  }
  throw Error(Status::type, "an array is needed here, not " + std::string(View::kind_name(value.kind())))
      .detail("function.argument_kind")
      .path(where(param) + below);
}

const polycodec_array& Frame::array(std::size_t param, std::uint32_t raw) const {
  return to_array((*this)[param], raw, param, {});
}

Integers Frame::integers(std::size_t param, std::uint32_t raw, const char* what) const {
  const polycodec_array& a = array(param, raw);
  if (is_deferred(a))
    fail(param, Status::unsupported, "expression.cycle", std::string(what) + " cannot come from a cyclic reference");
  const bool leaf = a.form == POLYCODEC_FORM_NDARRAY && a.ndim != 0;
  if (!leaf || !is_integer(a.dtype) || a.item_size > 8)
    fail(param, Status::type, "array.not_integers",
         std::string(what) + " must be integers" +
             (leaf && !dtype_name(a.dtype).empty() ? ", not " + std::string(dtype_name(a.dtype)) : std::string()));
  return of_leaf(native(maker_, a));
}

Integers Frame::mask(std::size_t param) const {
  const polycodec_array& a = array(param, POLYCODEC_BOOL);
  const bool leaf = a.form == POLYCODEC_FORM_NDARRAY && a.ndim == 1;
  if (leaf && (a.dtype == POLYCODEC_BOOL || (is_integer(a.dtype) && a.item_size <= 8)))
    return of_leaf(native(maker_, a));
  if (!leaf || !(a.dtype == POLYCODEC_FLOAT32 || a.dtype == POLYCODEC_FLOAT64))
    fail(param, Status::type, "array.not_a_mask", "a mask must be truth values or numbers, with one dimension");
  const polycodec_array& numbers = native(maker_, a);
  auto* bytes = maker_.allocate<std::uint8_t>(a.length);
  const auto* p = static_cast<const std::byte*>(numbers.data);
  for (std::uint64_t i = 0; i < a.length; ++i, p += numbers.strides[0])
    bytes[i] = a.dtype == POLYCODEC_FLOAT32 ? load<float>(p, std::endian::native) != 0
                                            : load<double>(p, std::endian::native) != 0;
  return of_leaf(*maker_.vector(std::span<const std::uint8_t>(bytes, a.length)));
}

std::int64_t Frame::integer(std::size_t param) const {
  const View v = (*this)[param];
  if (v.kind() != POLYCODEC_SIGNED) fail_type(param, "an integer");
  return v.as_int64();
}

std::uint64_t Frame::count(std::size_t param) const {
  const std::int64_t n = integer(param);
  if (n < 0) fail(param, Status::range, "function.argument_range", "a count must not be negative");
  return static_cast<std::uint64_t>(n);
}

bool Frame::truth(std::size_t param, bool fallback) const {
  if (!has(param)) return fallback;
  const View v = (*this)[param];
  if (v.kind() == POLYCODEC_SIGNED && (v.as_int64() == 0 || v.as_int64() == 1)) return v.as_int64() == 1;
  if (v.kind() != POLYCODEC_BOOLEAN) fail_type(param, "true or false");
  return v.as_bool();
}

std::vector<const polycodec_array*> Frame::arrays(std::size_t param) const {
  const View v = (*this)[param];
  if (!v.is_list() && v.kind() != POLYCODEC_TUPLE) fail_type(param, "a list of arrays");
  std::vector<const polycodec_array*> all;
  const std::string in = v.is_list() ? ".list[" : ".tuple[";
  for (const polycodec_node& item : v.items())
    all.push_back(&to_array(View(&item), POLYCODEC_FLOAT64, param, in + std::to_string(all.size()) + "]"));
  return all;
}

}  // namespace polycodec::awkward
