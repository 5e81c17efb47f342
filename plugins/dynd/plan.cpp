// SPDX-License-Identifier: MIT
#include "plan.hpp"

#include <model/type/layout.hpp>
#include <model/type/parse.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/dtype.hpp>

#include "fault.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace polycodec::dynd {

namespace {

using type::Kind;
using type::Type;

std::uint64_t add(std::uint64_t a, std::uint64_t b) {
  return checked_add(a, b).value_or(UINT64_MAX);
}
std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  return checked_mul(a, b).value_or(UINT64_MAX);
}

void compile_leaf(Plan& plan, Op op, const Type& type) {
  plan.op = op;
  const auto leaf = type::fixed_width(type);
  if (!leaf) refuse_limit("elements of 4 GiB and more cannot be held");
  plan.dtype = static_cast<std::uint8_t>(leaf->dtype);
  plan.item_size = leaf->item_size;
  plan.encoding = type.encoding();
  plan.width = plan.least = leaf->item_size;
  plan.unchecked = plan.op != Op::fixed_string && plan.dtype != POLYCODEC_DTYPE_BOOLEAN;
}

void variable(Plan& plan, Op op, std::uint64_t least) {
  plan.op = op;
  plan.fixed = plan.unchecked = false;
  plan.width = 0;
  plan.least = least;
}

void compile_option(Plan& plan, const Type& type) {
  plan.nullable = true;
  plan.items.push_back(compile(type.element()));
  const Plan& inner = plan.element();
  if (type::has_sentinel(type.element())) {
    plan.op = Op::sentinel_option;
    plan.dtype = inner.dtype;
    plan.item_size = inner.item_size;
    plan.width = plan.least = inner.width;
    plan.unchecked = is_integer(plan.dtype) || is_complex(plan.dtype);
    return;
  }
  variable(plan, Op::prefix_option, 1);
}

void compile_sequence(Plan& plan, const Type& type) {
  plan.op = Op::sequence;
  plan.named = type.is(Kind::record);
  plan.items.reserve(type.items().size());
  plan.zeros = type.items().empty() ? 1 : 0;
  for (const Type& item : type.items()) {
    const Plan& part = plan.items.emplace_back(compile(item));
    plan.fixed = plan.fixed && part.fixed;
    plan.unchecked = plan.unchecked && part.unchecked;
    plan.width = add(plan.width, part.width);
    plan.least = add(plan.least, part.least);
    plan.zeros = add(plan.zeros, part.zeros);
  }
  if (!plan.fixed) plan.unchecked = false;
}

void compile_fixed_dim(Plan& plan, const Type& type) {
  plan.op = Op::fixed_dim;
  plan.count = type.size();
  const Plan& inner = plan.items.emplace_back(compile(type.element()));
  plan.fixed = inner.fixed || plan.count == 0;
  plan.unchecked = inner.unchecked || plan.count == 0;
  plan.width = plan.fixed ? multiply(plan.count, inner.width) : 0;
  plan.least = multiply(plan.count, inner.least);
  plan.zeros = plan.count == 0 ? 1 : multiply(plan.count, inner.zeros);
}

}  // namespace

Plan compile(const Type& type) {
  if (type.is(Kind::pointer)) return compile(type.element());
  Plan plan;
  plan.type = type;
  switch (type.kind()) {
    case Kind::scalar:
      compile_leaf(plan, Op::scalar, type);
      break;
    case Kind::fixed_bytes:
      compile_leaf(plan, Op::fixed_bytes, type);
      break;
    case Kind::fixed_string:
      compile_leaf(plan, Op::fixed_string, type);
      break;
    case Kind::string:
      variable(plan, Op::text, 1);
      break;
    case Kind::character:
      plan.encoding = type.encoding();
      variable(plan, Op::character, 1);
      break;
    case Kind::bytes:
      variable(plan, Op::bytes, 1);
      break;
    case Kind::type_type:
      variable(plan, Op::type_value, 2);
      break;
    case Kind::fixed_dim:
      compile_fixed_dim(plan, type);
      break;
    case Kind::var_dim:
      plan.items.push_back(compile(type.element()));
      variable(plan, Op::var_dim, 1);
      break;
    case Kind::record:
    case Kind::tuple:
      compile_sequence(plan, type);
      break;
    case Kind::option:
      compile_option(plan, type);
      break;
    case Kind::array:
      plan.nullable = true;
      variable(plan, Op::any, 2);
      break;
    case Kind::void_type:
      plan.zeros = 1;
      plan.nullable = true;
      break;
    default:
      refuse(Status::type, "type.not_concrete", "no value of this type can be serialized");
  }
  return plan;
}

std::shared_ptr<const Program> PlanCache::find(std::string_view text) {
  std::string key(text.substr(0, 65537));
  if (const auto at = known_.find(key); at != known_.end()) return at->second;
  const type::ParseOptions options{
      .strict_dynd = true, .canonical_only = true, .concrete_only = true};
  auto program = std::make_shared<const Program>(type::parse(text, options));
  if (known_.size() >= capacity) known_.clear();
  known_.emplace(std::move(key), program);
  return program;
}

type::Type type_option(std::string_view text) {
  try {
    return type::parse(text, {.strict_dynd = true, .concrete_only = true});
  } catch (const Error& e) {
    throw Error(Status::option,
                "option 'type': " + e.message() +
                    (e.offset() == Error::no_offset
                         ? std::string()
                         : " (at character " + std::to_string(e.offset()) + " of the type)"))
        .detail(e.detail());
  }
}

bool sentinel(std::uint32_t dtype, std::uint8_t (&out)[16]) noexcept {
  static constexpr std::uint8_t float32[] = {0xa2, 0x07, 0x80, 0x7f};
  static constexpr std::uint8_t float64[] = {0xa2, 0x07, 0, 0, 0, 0, 0xf0, 0x7f};
  std::memset(out, 0, sizeof out);
  const auto fill = [&out](const auto& part, std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) std::memcpy(out + i * sizeof part, part, sizeof part);
  };
  if (dtype == POLYCODEC_DTYPE_BOOLEAN) {
    out[0] = 2;
  } else if (is_signed_integer(dtype)) {
    out[dtype_size(dtype) - 1] = 0x80;
  } else if (dtype == POLYCODEC_DTYPE_FLOAT32 || dtype == POLYCODEC_DTYPE_COMPLEX64) {
    fill(float32, dtype == POLYCODEC_DTYPE_FLOAT32 ? 1 : 2);
  } else if (dtype == POLYCODEC_DTYPE_FLOAT64 || dtype == POLYCODEC_DTYPE_COMPLEX128) {
    fill(float64, dtype == POLYCODEC_DTYPE_FLOAT64 ? 1 : 2);
  } else {
    return false;
  }
  return true;
}

}  // namespace polycodec::dynd
