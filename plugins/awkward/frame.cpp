// SPDX-License-Identifier: MIT
#include "frame.hpp"

#include <base/contiguous.hpp>
#include <base/dtype_names.hpp>
#include <polycodec/quote.hpp>

#include "array_parts.hpp"
#include "deferred.hpp"

#include <algorithm>

namespace polycodec::awkward {
namespace {

Integers of_leaf(const polycodec_array& leaf) {
  Integers integers;
  integers.shape.assign(leaf.shape, leaf.shape + leaf.ndim);
  integers.count = ArrayView(leaf).element_count();
  integers.column = {leaf.data,
                     leaf.ndim == 1 ? leaf.strides[0] : static_cast<std::int64_t>(leaf.item_size),
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
  const std::span<std::byte> copy(out.allocate<std::byte>(size + 8),
                                  static_cast<std::size_t>(size));
  copy_elements(view, host_byte_order, copy);
  return *out.ndarray(bytes_of(copy), leaf.dtype, leaf.item_size, view.shape());
}

}  // namespace

const polycodec_node* find_reserved(NodeView keywords) {
  const auto entries = keywords.entries();
  for (std::size_t i = 0; i < entries.size(); i += 2)
    if (NodeView(&entries[i]).as_string().starts_with(reserved)) return &entries[i + 1];
  return nullptr;
}

std::string shown_length(const polycodec_array& array) {
  return has_unknown_length(array) ? "an unknown number of" : std::to_string(array.length);
}

Frame::Frame(const Call& of, const polycodec_node* args, const polycodec_node* kwargs,
             std::span<const char* const> params, std::uint32_t required)
    : call(of), out(of), bound_(params.size(), nullptr), params_(params), maker_(of) {
  if (args != nullptr) args_ = NodeView(args).items();
  if (kwargs != nullptr) kwargs_ = NodeView(kwargs).entries();
  const auto refuse = [](const std::string& why, const std::string& place) {
    throw Error(Status::range, why).detail("function.arguments").path(place);
  };
  if (!params.empty() && args_.size() > params.size())
    refuse(std::to_string(args_.size()) + " arguments for " + std::to_string(params.size()) +
               " parameters",
           "$.args");
  if (!params.empty())
    for (std::size_t i = 0; i < args_.size(); ++i) bound_[i] = &args_[i];
  for (std::size_t i = 0; i < kwargs_.size(); i += 2) {
    const std::string_view name = NodeView(&kwargs_[i]).as_string();
    const NodeView value(&kwargs_[i + 1]);
    if (name == unchecked_keyword) {
      unchecked = value.as_bool();
    } else if (name == size_keyword) {
      needed_bytes = value.as_uint64();
    } else if (!params.empty()) {
      const auto found = std::find(params.begin(), params.end(), name);
      const auto at = static_cast<std::size_t>(found - params.begin());
      if (found == params.end()) refuse("there is no parameter " + quote(name), "$.kwargs");
      if (bound_[at] != nullptr)
        refuse("the parameter " + quote(name) + " is given twice", "$.kwargs");
      bound_[at] = value.raw();
    }
  }
  for (std::uint32_t i = 0; i < required; ++i)
    if (bound_[i] == nullptr) refuse("the parameter " + quote(params[i]) + " is missing", "$.args");
}

std::string Frame::where(std::size_t param) const {
  return param < args_.size() || params_.empty() ? "$.args[" + std::to_string(param) + "]"
                                                 : "$.kwargs." + std::string(params_[param]);
}

void Frame::fail(std::size_t param, Status status, std::string_view word,
                 const std::string& why) const {
  throw Error(status, why).detail(word).path(where(param));
}

void Frame::fail_type(std::size_t param, const char* wanted) const {
  const std::string name = params_.empty() ? "an argument" : quote(params_[param]);
  fail(param, Status::type, "function.argument_kind",
       name + " must be " + wanted + ", not " + std::string(kind_name((*this)[param].kind())));
}

const polycodec_array* Frame::matrix_of(NodeView list) const {
  std::vector<std::int64_t> shape;
  for (NodeView inner = list; inner.is_list(); inner = inner[0]) {
    shape.push_back(static_cast<std::int64_t>(inner.size()));
    if (inner.size() == 0 || shape.size() > POLYCODEC_MAX_NDIM) return nullptr;
  }
  if (shape.size() < 2) return nullptr;
  std::vector<polycodec_node> level(list.items().begin(), list.items().end());
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    std::vector<polycodec_node> next;
    for (const polycodec_node& item : level) {
      if (!NodeView(&item).is_list() ||
          static_cast<std::int64_t>(NodeView(&item).size()) != shape[axis])
        return nullptr;
      next.insert(next.end(), NodeView(&item).items().begin(), NodeView(&item).items().end());
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
    return std::all_of(items.begin(), items.end(), [&](auto& n) { return is(NodeView(&n)); });
  };
  if (all([](NodeView v) { return v.kind() == POLYCODEC_KIND_SIGNED; })) {
    auto* numbers = maker_.allocate<std::int64_t>(items.size());
    std::transform(items.begin(), items.end(), numbers,
                   [](auto& n) { return NodeView(&n).as_int64(); });
    return maker_.vector(std::span<const std::int64_t>(numbers, items.size()));
  }
  if (all([](NodeView v) { return v.is_number(); })) {
    auto* numbers = maker_.allocate<double>(items.size());
    std::transform(items.begin(), items.end(), numbers, [](auto& n) {
      return n.kind == POLYCODEC_KIND_FLOAT    ? n.as.f64
             : n.kind == POLYCODEC_KIND_SIGNED ? static_cast<double>(n.as.i64)
                                               : static_cast<double>(n.as.u64);
    });
    return maker_.vector(std::span<const double>(numbers, items.size()));
  }
  if (!all([](NodeView v) { return v.kind() == POLYCODEC_KIND_BOOLEAN; })) return nullptr;
  auto* booleans = maker_.allocate<std::uint8_t>(items.size());
  std::transform(items.begin(), items.end(), booleans,
                 [](auto& n) { return std::uint8_t{n.as.u64 != 0}; });
  auto* a = maker_.vector(std::span<const std::uint8_t>(booleans, items.size()));
  a->dtype = POLYCODEC_DTYPE_BOOLEAN;
  return a;
}

const polycodec_array& Frame::to_array(NodeView value, std::uint32_t raw, std::size_t param,
                                       const std::string& below) const {
  if (value.is_array()) return *value.node()->as.array;
  if (value.kind() == POLYCODEC_KIND_BINARY) {
    const auto bytes = value.as_bytes();
    const std::uint32_t size = dtype_size(raw);
    if (bytes.size() % size != 0)
      throw Error(Status::malformed, std::to_string(bytes.size()) +
                                         " bytes are not a multiple of the element size of " +
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
    polycodec_array* a = maker_.new_array(POLYCODEC_LAYOUT_DOCUMENT, items.size());
    a->nodes = items.data();
    return *a;
  }
  throw Error(Status::type, "an array is needed here, not " + std::string(kind_name(value.kind())))
      .detail("function.argument_kind")
      .path(where(param) + below);
}

const polycodec_array& Frame::array(std::size_t param, std::uint32_t raw) const {
  return to_array((*this)[param], raw, param, {});
}

Integers Frame::integers(std::size_t param, std::uint32_t raw, const char* what) const {
  const polycodec_array& a = array(param, raw);
  if (is_deferred(a))
    fail(param, Status::unsupported, "expression.cycle",
         std::string(what) + " cannot come from a cyclic reference");
  const bool leaf = a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim != 0;
  if (!leaf || !is_integer(a.dtype) || a.item_size > 8)
    fail(param, Status::type, "array.not_integers",
         std::string(what) + " must be integers" +
             (leaf && !dtype_name(a.dtype).empty() ? ", not " + std::string(dtype_name(a.dtype))
                                                   : std::string()));
  return of_leaf(native(maker_, a));
}

Integers Frame::mask(std::size_t param) const {
  const polycodec_array& a = array(param, POLYCODEC_DTYPE_BOOLEAN);
  const bool leaf = a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 1;
  if (leaf && (a.dtype == POLYCODEC_DTYPE_BOOLEAN || (is_integer(a.dtype) && a.item_size <= 8)))
    return of_leaf(native(maker_, a));
  if (!leaf || !(a.dtype == POLYCODEC_DTYPE_FLOAT32 || a.dtype == POLYCODEC_DTYPE_FLOAT64))
    fail(param, Status::type, "array.not_a_mask",
         "a mask must be booleans or numbers, with one dimension");
  const polycodec_array& numbers = native(maker_, a);
  auto* bytes = maker_.allocate<std::uint8_t>(a.length);
  const auto* p = static_cast<const std::byte*>(numbers.data);
  for (std::uint64_t i = 0; i < a.length; ++i, p += numbers.strides[0])
    bytes[i] = a.dtype == POLYCODEC_DTYPE_FLOAT32 ? load<float>(p, std::endian::native) != 0
                                                  : load<double>(p, std::endian::native) != 0;
  return of_leaf(*maker_.vector(std::span<const std::uint8_t>(bytes, a.length)));
}

std::int64_t Frame::integer(std::size_t param) const {
  const NodeView v = (*this)[param];
  if (v.kind() != POLYCODEC_KIND_SIGNED) fail_type(param, "an integer");
  return v.as_int64();
}

std::uint64_t Frame::count(std::size_t param) const {
  const std::int64_t n = integer(param);
  if (n < 0) fail(param, Status::range, "function.argument_range", "a count must not be negative");
  return static_cast<std::uint64_t>(n);
}

bool Frame::boolean(std::size_t param, bool fallback) const {
  if (!has(param)) return fallback;
  const NodeView v = (*this)[param];
  if (v.kind() == POLYCODEC_KIND_SIGNED && (v.as_int64() == 0 || v.as_int64() == 1))
    return v.as_int64() == 1;
  if (v.kind() != POLYCODEC_KIND_BOOLEAN) fail_type(param, "true or false");
  return v.as_bool();
}

std::vector<const polycodec_array*> Frame::arrays(std::size_t param) const {
  const NodeView v = (*this)[param];
  if (!v.is_list() && v.kind() != POLYCODEC_KIND_TUPLE) fail_type(param, "a list of arrays");
  std::vector<const polycodec_array*> all;
  const std::string in = v.is_list() ? ".list[" : ".tuple[";
  for (const polycodec_node& item : v.items())
    all.push_back(&to_array(NodeView(&item), POLYCODEC_DTYPE_FLOAT64, param,
                            in + std::to_string(all.size()) + "]"));
  return all;
}

Integers Frame::copy_of(const Integers& integers) {
  call.tick(integers.count);
  auto* const items = out.allocate<std::int64_t>(integers.count);
  for (std::uint64_t i = 0; i < integers.count; ++i) items[i] = integers[i];
  return {Builder::column(std::span<const std::int64_t>(items, integers.count)), integers.count,
          integers.shape};
}

}  // namespace polycodec::awkward
