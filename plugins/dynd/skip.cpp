// SPDX-License-Identifier: MIT
#include "skip.hpp"

#include "fault.hpp"

namespace polycodec::dynd {

std::shared_ptr<const Program> read_program(BytesIn& in, PlanCache& plans) {
  const std::uint64_t start = in.offset();
  const std::string_view text = in.counted("the type");
  const std::uint64_t text_start = in.offset() - text.size();
  try {
    return plans.find(text);
  } catch (Error& e) {
    throw e.offset(e.offset() == Error::no_offset ? start : text_start + e.offset());
  }
}

void skip_value(const Plan& plan, BytesIn& in, PlanCache& plans, std::uint32_t depth_left,
                Meter& pace) {
  pace.step();
  if (plan.fixed) {
    in.take(plan.width, "a value of fixed size");
    return;
  }
  switch (plan.op) {
    case Op::text:
    case Op::bytes:
    case Op::type_value:
      in.counted("a text");
      return;
    case Op::character:
      in.character(greatest_character(plan.encoding));
      return;
    case Op::var_dim: {
      const Plan& element = plan.element();
      const std::uint64_t count = in.count(element.least);
      if (element.fixed) return in.skip(count * element.width);
      for (std::uint64_t i = 0; i < count; ++i) skip_value(element, in, plans, depth_left, pace);
      return;
    }
    case Op::fixed_dim:
      in.require(plan.count, plan.element().least, "an array");
      for (std::uint64_t i = 0; i < plan.count; ++i)
        skip_value(plan.element(), in, plans, depth_left, pace);
      return;
    case Op::sequence:
      for (const Plan& field : plan.items) skip_value(field, in, plans, depth_left, pace);
      return;
    case Op::any: {
      const auto program = read_program(in, plans);
      if (program->type.depth() >= depth_left)
        refuse_limit("the types nest deeper than the limits allow (max_depth)", in.offset());
      return skip_value(program->plan, in, plans, depth_left - program->type.depth(), pace);
    }
    default: {
      const std::uint8_t tag = *in.take(1, "the mark of an optional value");
      if (tag > 1)
        refuse(Status::malformed, "dynd.option_tag",
               "the mark of an optional value is neither 0 nor 1", in.offset() - 1);
      if (tag == 1) skip_value(plan.element(), in, plans, depth_left, pace);
    }
  }
}

}  // namespace polycodec::dynd
