// SPDX-License-Identifier: MIT
#include <base/dtype_names.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/detail/half.hpp>
#include <polycodec/quote.hpp>

#include "cbor.hpp"
#include "encode.hpp"
#include "fault.hpp"
#include "infer.hpp"
#include "number.hpp"

#include <bit>
#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

namespace polycodec::dynd {

namespace {

using type::Kind;
using type::Type;

const TypedArray* typed_array(std::uint32_t dtype) noexcept {
  for (const TypedArray& t : typed_arrays)
    if (t.dtype == dtype) return &t;
  return nullptr;
}

bool is_plain(const Type& t) noexcept {
  return t.is(Kind::string) || (t.is(Kind::bytes) && t.align() == 1) ||
         t.dtype() == POLYCODEC_DTYPE_BOOLEAN;
}

bool are_sorted(std::span<const std::string> names) {
  // By encoded bytes: the head of a text starts with its length.
  for (std::size_t i = 1; i < names.size(); ++i) {
    const auto &a = names[i - 1], &b = names[i];
    if (a.size() > b.size() || (a.size() == b.size() && a >= b)) return false;
  }
  return true;
}

/// True if values of the type have a native form, as far as the type tells.
bool is_native(const Type& t) {
  switch (t.kind()) {
    case Kind::scalar:
      return t.dtype() == POLYCODEC_DTYPE_BOOLEAN || t.dtype() == POLYCODEC_DTYPE_INT64 ||
             t.dtype() == POLYCODEC_DTYPE_FLOAT64;
    case Kind::string:
    case Kind::bytes:
    case Kind::void_type:
      return t.is(Kind::void_type) || is_plain(t);
    case Kind::var_dim:
      return is_native(t.element());
    case Kind::record:
      for (const Type& item : t.items())
        if (!is_native(item)) return false;
      return are_sorted(t.names());
    case Kind::fixed_dim: {
      const Type* inner = &t;
      bool empty = false;
      int dims = 0;
      for (; inner->is(Kind::fixed_dim); inner = &inner->element(), ++dims)
        empty = empty || inner->size() == 0;
      const bool numbers = inner->is(Kind::scalar) && typed_array(inner->dtype()) != nullptr;
      return numbers ? dims == 1 || !empty : is_plain(*inner) && !empty;
    }
    default:
      return false;
  }
}

void put_head(Writer& out, unsigned major, std::uint64_t value) {
  const auto first = static_cast<std::uint8_t>(major << 5);
  if (value < 24) return out.put_u8(static_cast<std::uint8_t>(first | value));
  if (value <= 0xff) {
    out.put_u8(first | 24);
    return out.put_u8(static_cast<std::uint8_t>(value));
  }
  if (value <= 0xffff) {
    out.put_u8(first | 25);
    return out.put_be(static_cast<std::uint16_t>(value));
  }
  if (value <= 0xffffffff) {
    out.put_u8(first | 26);
    return out.put_be(static_cast<std::uint32_t>(value));
  }
  out.put_u8(first | 27);
  out.put_be(value);
}

/// What a native form would not say: thrown only while trying.
struct NotNative {};

class NativeWriter {
 public:
  NativeWriter(const Call& call, Writer& out) : call_(call), out_(out), pace_(call) {}

  void value(const Plan& plan, const View& item) {
    pace_.tick(16);  // an item that a View finds takes longer than one beside others
    switch (plan.op) {
      case Op::scalar:
        return scalar(plan, item);
      case Op::text:
      case Op::bytes:
        return text(plan, item);
      case Op::nothing:
        if (!item.is_null()) refuse(Status::type, "dynd.type_mismatch", "expected void");
        return out_.put_u8(0xf7);
      case Op::var_dim:
        if (!item.is_list()) refuse(Status::type, "dynd.type_mismatch", "expected a list");
        if (item.size() != 0) filled_.insert(&plan);
        put_head(out_, 4, item.size());
        for (std::uint64_t i = 0; i < item.size(); ++i) value(plan.element(), item.child(i));
        return;
      case Op::fixed_dim:
        return array(plan, item);
      default:
        return record(plan, item);
    }
  }

  /// True if every list has an item somewhere, so that its type can be seen.
  bool all_filled(const Plan& plan) const {
    if (plan.op == Op::var_dim && !filled_.contains(&plan)) return false;
    for (const Plan& item : plan.items)
      if (!all_filled(item)) return false;
    return true;
  }

 private:
  void scalar(const Plan& plan, const View& item) {
    std::uint8_t bytes[16];
    if (!number_as(item, plan.dtype, bytes))
      refuse(Status::range, "dynd.range",
             "the number does not fit in " + std::string(dtype_name(plan.dtype)));
    if (plan.dtype == POLYCODEC_DTYPE_BOOLEAN) return out_.put_u8(bytes[0] != 0 ? 0xf5 : 0xf4);
    if (plan.dtype == POLYCODEC_DTYPE_FLOAT64) return real(load_le<std::uint64_t>(bytes));
    const auto v = load_le<std::int64_t>(bytes);
    put_head(out_, v < 0 ? 1 : 0, static_cast<std::uint64_t>(v < 0 ? ~v : v));
  }

  void real(std::uint64_t bits) {
    const auto value = std::bit_cast<double>(bits);
    const bool nan = (bits & ~(std::uint64_t{1} << 63)) > 0x7ff0000000000000u;
    if (nan && bits != 0x7ff8000000000000u) throw NotNative();
    const std::uint16_t half = nan ? std::uint16_t{0x7e00} : double_to_half(value);
    if (nan || std::bit_cast<std::uint64_t>(static_cast<double>(half_to_float(half))) == bits) {
      out_.put_u8(0xf9);
      return out_.put_be(half);
    }
    const auto narrow = static_cast<float>(value);
    if (std::bit_cast<std::uint64_t>(static_cast<double>(narrow)) == bits) {
      out_.put_u8(0xfa);
      return out_.put_be(std::bit_cast<std::uint32_t>(narrow));
    }
    out_.put_u8(0xfb);
    out_.put_be(bits);
  }

  void text(const Plan& plan, const View& item) {
    const bool binary = plan.op == Op::bytes;
    std::string scratch;
    const std::string_view bytes = binary ? item.as_bytes() : item.as_string(scratch);
    if (!binary && item.is_lenient_string() && !is_utf8(bytes))
      refuse(Status::malformed, "dynd.utf8", "a string is not UTF-8");
    put_head(out_, binary ? 2 : 3, bytes.size());
    if (bytes.data() == scratch.data()) return out_.put_text(bytes);
    out_.reference(bytes.data(), bytes.size());
  }

  void record(const Plan& plan, const View& item) {
    if (item.kind() != POLYCODEC_KIND_OBJECT)
      refuse(Status::type, "dynd.type_mismatch",
             "expected " + type::print(plan.type).substr(0, 120));
    // No member of a native record is an option.
    if (item.size() != plan.items.size()) refuse_members(plan, item);
    put_head(out_, 5, plan.items.size());
    for (std::size_t i = 0; i < plan.items.size(); ++i) {
      const std::string& name = plan.type.names()[i];
      put_head(out_, 3, name.size());
      out_.put_text(name);
      const auto member = item.name(i) == name ? std::optional(item.child(i)) : item.find(name);
      if (!member) refuse_members(plan, item);
      value(plan.items[i], *member);
    }
  }

  void array(const Plan& plan, const View& item) {
    std::vector<std::uint64_t> shape;
    std::uint64_t count = 1;
    const Plan* inner = &plan;
    for (; inner->op == Op::fixed_dim; inner = &inner->element()) {
      shape.push_back(inner->count);
      // Beyond 64 bits there is no such value: its data form is refused below, or by the walk over
      // its items.
      count *= inner->count;
    }
    if (shape.size() > 1) {
      put_head(out_, 6, tag_multi_dim);
      put_head(out_, 4, 2);
      put_head(out_, 4, shape.size());
      for (const std::uint64_t extent : shape) put_head(out_, 0, extent);
    }
    if (const TypedArray* typed = inner->op == Op::scalar ? typed_array(inner->dtype) : nullptr) {
      put_head(out_, 6, typed->tag);
      put_head(out_, 2, count * typed->size);
      return Encoder(call_, out_).data(plan, item);
    }
    put_head(out_, 6, tag_homogeneous);
    put_head(out_, 4, count);
    flat_items(plan, item);
  }

  void flat_items(const Plan& plan, const View& item) {
    if (plan.op != Op::fixed_dim) return value(plan, item);
    if (!item.is_list() || item.size() != plan.count)
      refuse(Status::type, "dynd.type_mismatch",
             "expected " + type::print(plan.type).substr(0, 120));
    for (std::uint64_t i = 0; i < item.size(); ++i) flat_items(plan.element(), item.child(i));
  }

  const Call& call_;
  Writer& out_;
  Meter pace_;
  std::unordered_set<const Plan*> filled_;
};

std::shared_ptr<const Program> program_of(const Settings& settings, const Call& call,
                                          const View& value,
                                          std::vector<std::string_view>& declared) {
  declared = declared_types(value.metadata());
  if (settings.program != nullptr) {
    if (!declared.empty() && declared.front() == type::print(settings.program->type))
      declared.erase(declared.begin());
    return settings.program;
  }
  if (declared.empty()) return Encoder::infer_program(value, call, call.limits().max_depth);
  const auto type = type::parse(declared.front(), {.strict_dynd = true, .concrete_only = true});
  declared.erase(declared.begin());
  return std::make_shared<const Program>(type);
}

}  // namespace

bool has_native_form(const Program& program, const View& value, const Call& call) {
  if (!is_native(program.type)) return false;
  try {
    bool filled = false;
    count_bytes([&](Writer& out) {
      NativeWriter writer(call, out);
      writer.value(program.plan, value);
      filled = writer.all_filled(program.plan);
    });
    return filled;
  } catch (const NotNative&) {
    return false;
  }
}

void encode_cbor(const Settings& settings, const Call& call, const View& value, Writer& out) {
  std::vector<std::string_view> declared;
  const auto program = program_of(settings, call, value, declared);
  if (has_native_form(*program, value, call))
    return NativeWriter(call, out).value(program->plan, value);
  const auto data = [&](Writer& to) { Encoder(call, to).typed(program->plan, value, declared); };
  const std::string text = type::print(program->type);
  if (text.size() > type::ParseOptions().max_text)
    refuse_limit("the type of the value is larger than serialized types may be");
  put_head(out, 6, tag_generic_object);
  put_head(out, 4, 3);
  put_head(out, 3, 4);
  out.put_text("dynd");
  put_head(out, 3, text.size());
  out.put_text(text);
  put_head(out, 2, count_bytes(data));
  data(out);
}

}  // namespace polycodec::dynd
