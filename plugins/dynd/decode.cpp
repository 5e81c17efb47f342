// SPDX-License-Identifier: MIT
#include "decode.hpp"

#include <base/nodes.hpp>
#include <base/swap_copy.hpp>
#include <model/type/build.hpp>
#include <model/type/match.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>
#include <polycodec/byte_order.hpp>

#include "check.hpp"
#include "skip.hpp"

#include <cstring>
#include <utility>

namespace polycodec::dynd {

namespace {

/// `item`: the type of the items of an array, from which it follows.
bool is_natural(const type::Type& type, bool item) {
  using type::Kind;
  switch (type.kind()) {
    case Kind::scalar:
    case Kind::string:
    case Kind::void_type:
      return true;
    case Kind::bytes:
    case Kind::fixed_bytes:
      return type.align() == 1;
    case Kind::fixed_string:
      return type.encoding() != type::Encoding::ascii && type.encoding() != type::Encoding::ucs2;
    case Kind::fixed_dim:
      return is_natural(type.element(), true);
    case Kind::var_dim:
      return item && is_natural(type.element(), true);
    case Kind::option:
      return item && !type.element().is(Kind::void_type) && is_natural(type.element(), true);
    case Kind::record:
    case Kind::tuple:
      for (const type::Type& part : type.items())
        if (!is_natural(part, item)) return false;
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_natural(const type::Type& type) {
  return is_natural(type, false);
}

void Decoder::charge(const Plan& plan, std::uint64_t count) {
  if (plan.zeros == 0 || count == 0) return;
  if (plan.zeros > zeros_left_ || count > zeros_left_ / plan.zeros)
    refuse_limit("more items without bytes than the option 'max_zero_size_items' allows",
                 in.offset());
  zeros_left_ -= count * plan.zeros;
}

void Decoder::check_count(std::uint64_t count) const {
  if (count > call_.limits().max_elements)
    refuse_limit(std::to_string(count) + " items, more than max_elements (" +
                     std::to_string(call_.limits().max_elements) + ")",
                 in.offset());
}

void Decoder::expect_end() const {
  if (in.left() != 0)
    refuse(Status::trailing, "dynd.trailing_bytes",
           std::to_string(in.left()) + " bytes follow the value", in.offset());
}

std::string_view Decoder::type_value() {
  const std::uint64_t start = in.offset();
  const std::string_view text = in.counted("a type");
  const std::uint64_t text_start = in.offset() - text.size();
  try {
    type::parse(text, {.strict_dynd = true, .canonical_only = true});
  } catch (Error& e) {
    throw e.offset(e.offset() == Error::no_offset ? start : text_start + e.offset());
  }
  return text;
}

polycodec_node Decoder::annotate(const polycodec_node& node, const Chain& chain,
                                 std::span<const Member> more) {
  std::vector<Member> members;
  if (chain.size() == 1) {
    members.push_back({type_attribute, build.string_copy(chain.front())});
  } else if (!chain.empty()) {
    std::vector<polycodec_node> texts;
    for (const std::string& text : chain) texts.push_back(build.string_copy(text));
    members.push_back({type_attribute, build.list(texts)});
  }
  members.insert(members.end(), more.begin(), more.end());
  return members.empty() ? node
                         : build.annotated(node, build.object(std::span<const Member>(members)));
}

polycodec_node Decoder::any(const Plan& plan, Chain& chain, const Wanted& wanted) {
  const std::uint64_t start = in.offset();
  const std::shared_ptr<const Program> found = read_program(in, plans_);
  const type::Type& type = found->type;
  const type::Type& pattern = plan.type.element();
  if (!(pattern.is(type::Kind::kind) && pattern.name() == "Any") && !type::matches(pattern, type))
    refuse(Status::type, "dynd.type_mismatch",
           "a value of type " + type::print(type).substr(0, 80) + " was found where " +
               type::print(plan.type).substr(0, 80) + " was declared",
           start);
  if (type.depth() >= depth_left_)
    refuse_limit("the types nest deeper than the limits allow (max_depth)", start);
  call_.check_stack();
  depth_left_ -= type.depth();
  charge(found->plan, 1);
  chain.push_back(type::print(type));
  const polycodec_node value =
      found->plan.op == Op::any ? any(found->plan, chain, wanted) : node(found->plan, wanted);
  // A natural type, which is the last of the chain then, says nothing that the value does not.
  if (is_natural(type)) chain.pop_back();
  depth_left_ += type.depth();
  return value;
}

polycodec_node Decoder::any(const Plan& plan) {
  Chain chain;
  const polycodec_node value = any(plan, chain);
  return annotate(value, chain);
}

const polycodec_node* Decoder::any_form(const Program* required, const Wanted& wanted) {
  static const Plan plan = compile(type::array(type::kind("Any")));
  Chain chain;
  const polycodec_node value =
      any(required == nullptr ? plan : compile(type::array(required->type)), chain, wanted);
  if (!wanted.all()) chain.clear();
  return build.root(annotate(value, chain));
}

const polycodec_node* Decoder::data_form(const Program& program, const Wanted& wanted) {
  charge(program.plan, 1);
  Chain chain;
  chain.push_back(type::print(program.type));
  const polycodec_node value =
      program.plan.op == Op::any ? any(program.plan, chain, wanted) : node(program.plan, wanted);
  if (is_natural(program.type) || !wanted.all()) chain.clear();
  return build.root(annotate(value, chain));
}

const polycodec_node* Decoder::chunk(const Plan& items, std::uint64_t count,
                                     const type::Type& whole, std::span<const Member> attributes) {
  charge(items, count);
  return build.root(
      annotate(Builder::array(column(items, count)), {type::print(whole)}, attributes));
}

polycodec_node Decoder::scalar(const Plan& plan, const std::uint8_t* p) {
  if (fits_word(plan.dtype)) return number_node(plan.dtype, bits_at(p, plan.item_size));
  if constexpr (host_byte_order == POLYCODEC_BIG_ENDIAN) {
    const std::uint32_t width = dtype_swap_width(plan.dtype);
    std::uint8_t swapped[16];
    swap_copy(swapped, p, plan.item_size / width, width);
    return build.wide(plan.dtype, swapped);
  }
  polycodec_node n = polycodec_node_make(POLYCODEC_KIND_WIDE, plan.dtype, 0);
  n.as.data = p;
  return n;
}

polycodec_node Decoder::sequence(const Plan& plan, const Wanted& wanted) {
  if (!plan.named) {
    polycodec_node* nodes = build.allocate<polycodec_node>(plan.items.size());
    polycodec_node tuple = polycodec_node_make(POLYCODEC_KIND_TUPLE, 0, plan.items.size());
    tuple.as.nodes = nodes;
    each_field(plan, [&](std::uint64_t i) { nodes[i] = node(plan.items[i], wanted); });
    return tuple;
  }
  const Wanted& fields = wanted.of(plan.type.names());
  polycodec_node* nodes = nullptr;
  const polycodec_node all =
      build.object(fields.all() ? plan.items.size() : fields.members().size(), &nodes);
  each_field(plan, [&](std::uint64_t i) {
    const Wanted* const field = fields.find(plan.type.names()[i]);
    if (field == nullptr) return pass(plan.items[i]);
    *nodes++ = build.string_copy(plan.type.names()[i]);
    *nodes++ = node(plan.items[i], *field);
  });
  return all;
}

void Decoder::pass(const Plan& plan) {
  skip_value(plan, in, plans_, depth_left_, pace);
}

polycodec_node Decoder::option(const Plan& plan, const Wanted& wanted) {
  if (plan.op == Op::sentinel_option) {
    const std::uint64_t start = in.offset();
    const std::uint8_t* p = in.take(plan.width, "an optional number");
    if (!plan.unchecked) check_fixed(plan, p, start, pace);
    std::uint8_t missing[16];
    sentinel(plan.dtype, missing);
    return std::memcmp(p, missing, plan.item_size) == 0 ? Builder::null()
                                                        : scalar(plan.element(), p);
  }
  const std::uint8_t tag = *in.take(1, "the mark of an optional value");
  if (tag > 1)
    refuse(Status::malformed, "dynd.option_tag", "the mark of an optional value is neither 0 nor 1",
           in.offset() - 1);
  if (tag == 0) return Builder::null();
  charge(plan.element(), 1);
  const polycodec_node value = node(plan.element(), wanted);
  // A value that may be null itself must look different from the missing one.
  return plan.element().nullable ? build.tagged(0, value) : value;
}

polycodec_node Decoder::node(const Plan& plan, const Wanted& wanted) {
  pace.step();
  const std::uint64_t start = in.offset();
  switch (plan.op) {
    case Op::scalar: {
      const std::uint8_t* p = in.take(plan.width, "a number");
      if (!plan.unchecked) check_fixed(plan, p, start, pace);
      return scalar(plan, p);
    }
    case Op::text: {
      const std::string_view text = in.counted("a string");
      if (const std::size_t bad = validate_utf8(text); bad != utf8_npos)
        refuse(Status::malformed, "dynd.utf8", "a string is not UTF-8",
               in.offset() - text.size() + bad);
      return Builder::string_view(text);
    }
    case Op::character:
      return Builder::string_view(in.character(greatest_character(plan.encoding)));
    case Op::bytes: {
      const std::string_view bytes = in.counted("bytes");
      return Builder::bytes_view(bytes);
    }
    case Op::fixed_bytes:
    case Op::fixed_string: {
      const std::uint8_t* p = in.take(plan.width, "a value of fixed size");
      if (!plan.unchecked) check_fixed(plan, p, start, pace);
      return Builder::array(build.ndarray(to_string_view(p, plan.item_size), plan.dtype,
                                          plan.item_size, {}, POLYCODEC_LITTLE_ENDIAN));
    }
    case Op::nothing:
      return Builder::null();
    case Op::type_value:
      return Builder::string_view(type_value());
    case Op::fixed_dim:
      return Builder::array(column(plan.element(), plan.count, wanted));
    case Op::var_dim: {
      const std::uint64_t count = in.count(plan.element().least);
      charge(plan.element(), count);
      return Builder::array(column(plan.element(), count, wanted));
    }
    case Op::sequence:
      return sequence(plan, wanted);
    case Op::any:
      return any(plan);
    default:
      return option(plan, wanted);
  }
}

}  // namespace polycodec::dynd
