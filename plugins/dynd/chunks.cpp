// SPDX-License-Identifier: MIT
#include "chunks.hpp"

#include <polycodec/type/print.hpp>

#include "decode.hpp"
#include "skip.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace polycodec::dynd {

StreamStep wait_for(const BytesIn& in, const Call& call, std::uint64_t size) {
  const std::uint64_t wanted = std::max(in.wanted(), size + 1);
  if (wanted > call.limits().max_input_bytes)
    refuse_limit("the value takes at least " + std::to_string(wanted) + " bytes, the limit is " +
                     std::to_string(call.limits().max_input_bytes),
                 0);
  return {nullptr, 0, wanted};
}

std::optional<StreamStep> ChunkState::next(const Settings& settings, const Call& call, std::string_view bytes,
                                           bool final, Builder& out) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<const Program> program = std::exchange(program_, nullptr);
  std::uint64_t total = total_, done = done_;
  const bool inside = program != nullptr;

  BytesIn in(bytes);
  PlanCache plans;
  Pace pace(call);
  std::uint64_t count = 0;
  std::uint64_t items_at = 0;
  try {
    if (!inside) {
      program = settings.program != nullptr ? settings.program : read_program(in, plans);
      if (settings.required != nullptr && settings.required->type != program->type)
        refuse(Status::type, "type-mismatch", "the value has the type " + type::print(program->type).substr(0, 120),
               0);
      if (program->plan.op != Op::var_dim) return std::nullopt;
      total = in.varint("the number of items");
      done = 0;
    }
    // How many whole items are there?
    items_at = in.offset();
    const Plan& item = program->plan.element();
    const std::uint64_t most = std::min(settings.chunk_items, total - done);
    if (item.fixed) {
      count = item.width == 0 ? most : std::min(most, in.left() / item.width);
      if (count == 0 && most != 0) in.take(item.width, "an item");
    } else {
      for (; count < most; ++count) {
        try {
          skip_value(item, in, plans, call.limits().max_depth, pace);
        } catch (const Error& e) {
          if (e.code() != Status::truncated || count == 0) throw;
          break;
        }
      }
    }
  } catch (const Error& e) {
    if (e.code() != Status::truncated || final) throw;
    const StreamStep step = wait_for(in, call, bytes.size());
    if (inside) program_ = std::move(program), total_ = total, done_ = done;
    return step;
  }

  Decoder decoder(call, bytes, out, settings.max_zero_size_items);
  decoder.in.skip(items_at);
  const Member place[] = {{"dynd.first", Builder::unsigned_integer(done)},
                          {"dynd.total", Builder::unsigned_integer(total)}};
  const polycodec_node* root = decoder.chunk(program->plan.element(), count, program->type, place);
  done += count;
  if (done < total) program_ = std::move(program), total_ = total, done_ = done;
  return StreamStep{root, decoder.in.offset(), 0};
}

}  // namespace polycodec::dynd
