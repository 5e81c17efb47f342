// SPDX-License-Identifier: MIT
#include "chunks.hpp"

#include <model/type/print.hpp>

#include "decode.hpp"
#include "skip.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace polycodec::dynd {

namespace {

/// More bytes are needed; throws if the limit of input does not allow them.
void wait_for(const BytesIn& in, const Call& call, Step& step) {
  const std::uint64_t wanted = std::max<std::uint64_t>(in.wanted(), step.bytes().size() + 1);
  if (wanted > call.limits().max_input_bytes)
    refuse_limit("the value takes at least " + std::to_string(wanted) +
                     " bytes, more than max_input_bytes (" +
                     std::to_string(call.limits().max_input_bytes) + ")",
                 0);
  step.want(wanted);
}

}  // namespace

std::optional<Node> StreamReader::next(Call& call, Step& step, Builder& out) {
  if (step.bytes().empty() && step.final() && program_ == nullptr) return std::nullopt;
  std::optional<Node> found;
  if (settings_.chunk_items != 0 && piece(call, step, out, found)) return found;
  return whole(call, step, out);
}

std::optional<Node> StreamReader::whole(const Call& call, Step& step, Builder& out) {
  if (!step.final()) {
    // Looking for the end first takes no memory, however often the bytes come too short.
    BytesIn in(step.bytes());
    Meter meter(call);
    try {
      if (settings_.program != nullptr) {
        skip_value(settings_.program->plan, in, plans_, call.limits().max_depth, meter);
      } else {
        const auto program = read_program(in, plans_);
        skip_value(program->plan, in, plans_, call.limits().max_depth, meter);
      }
    } catch (const Error& e) {
      if (e.code() != Status::truncated) throw;
      wait_for(in, call, step);
      return std::nullopt;
    }
  }
  Decoder decoder(call, step.bytes(), out, settings_.max_zero_size_items, &plans_);
  const polycodec_node* root = settings_.program != nullptr
                                   ? decoder.data_form(*settings_.program)
                                   : decoder.any_form(settings_.required.get());
  step.consume(decoder.in.offset());
  return *root;
}

bool StreamReader::piece(const Call& call, Step& step, Builder& out, std::optional<Node>& found) {
  std::shared_ptr<const Program> program = std::exchange(program_, nullptr);
  std::uint64_t total = total_, done = done_;
  const bool inside = program != nullptr;

  BytesIn in(step.bytes());
  Meter meter(call);
  std::uint64_t count = 0;
  std::uint64_t items_at = 0;
  try {
    if (!inside) {
      program = settings_.program != nullptr ? settings_.program : read_program(in, plans_);
      if (settings_.required != nullptr && settings_.required->type != program->type)
        refuse(Status::type, "dynd.type_mismatch",
               "the value has the type " + type::print(program->type).substr(0, 120), 0);
      if (program->plan.op != Op::var_dim) return false;
      total = in.varint("the number of items");
      done = 0;
    }
    // How many whole items are there?
    items_at = in.offset();
    const Plan& item = program->plan.element();
    const std::uint64_t most = std::min(settings_.chunk_items, total - done);
    if (item.fixed) {
      count = item.width == 0 ? most : std::min(most, in.left() / item.width);
      if (count == 0 && most != 0) in.take(item.width, "an item");
    } else {
      for (; count < most; ++count) {
        try {
          skip_value(item, in, plans_, call.limits().max_depth, meter);
        } catch (const Error& e) {
          if (e.code() != Status::truncated || count == 0) throw;
          break;
        }
      }
    }
  } catch (const Error& e) {
    if (e.code() != Status::truncated || step.final()) throw;
    wait_for(in, call, step);
    if (inside) program_ = std::move(program), total_ = total, done_ = done;
    return true;
  }

  Decoder decoder(call, step.bytes(), out, settings_.max_zero_size_items, &plans_);
  decoder.in.skip(items_at);
  const Member place[] = {{"dynd.first", Builder::unsigned_integer(done)},
                          {"dynd.total", Builder::unsigned_integer(total)}};
  const polycodec_node* root = decoder.chunk(program->plan.element(), count, program->type, place);
  done += count;
  if (done < total) program_ = std::move(program), total_ = total, done_ = done;
  step.consume(decoder.in.offset());
  found = *root;
  return true;
}

}  // namespace polycodec::dynd
