// SPDX-License-Identifier: MIT
// Writing the items of a document: blocks of items are written on several threads, and put together
// in order.
#pragma once

#include <base/text_block.hpp>
#include <base/threads.hpp>
#include <polycodec/error.hpp>
#include <polycodec/writer.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace polycodec {

/// A sink that appends to a block. It refuses what is to be referenced. For one thread; not
/// movable.
class BlockSink {
 public:
  explicit BlockSink(TextBlock& block) noexcept : block_(block) {
    sink_.struct_size = sizeof sink_;
    sink_.private_data = this;
    sink_.grow = [](polycodec_sink* sink, std::uint64_t need, polycodec_error* error) {
      return guard(error, [&] { static_cast<BlockSink*>(sink->private_data)->grow(need); });
    };
    sink_.reference = [](polycodec_sink*, const void*, std::uint64_t, polycodec_error* error) {
      return refuse(error);
    };
    sink_.expect = [](polycodec_sink*, std::uint64_t, polycodec_error*) {
      return std::int32_t{POLYCODEC_OK};
    };
    sink_.adopt = [](polycodec_sink*, void* object, void (*release)(void*), const polycodec_bytes*,
                     std::uint64_t, polycodec_error* error) {
      release(object);
      return refuse(error);
    };
  }
  BlockSink(const BlockSink&) = delete;
  BlockSink& operator=(const BlockSink&) = delete;

  polycodec_sink* abi() noexcept { return &sink_; }
  /// What was written belongs to the block.
  void finish() noexcept {
    if (sink_.cursor != nullptr) block_.commit(reinterpret_cast<char*>(sink_.cursor));
  }

 private:
  static std::int32_t refuse(polycodec_error* error) {
    return fill_error(error, Status::unsupported, "a block of items holds all of its bytes");
  }
  void grow(std::uint64_t need) {
    finish();
    char* const to = block_.reserve(static_cast<std::size_t>(std::max<std::uint64_t>(need, 4096)));
    sink_.cursor = reinterpret_cast<std::uint8_t*>(to);
    sink_.limit = sink_.cursor + block_.room();
  }

  polycodec_sink sink_{};
  TextBlock& block_;
};

/// Writes the items [first, last) in order to `out`: `write(Call&, Writer&, from, to)` writes some
/// of them. It may throw Error for items that this thread is to write on its own. Returns the first
/// item that is not written: `last`, or one before which all are. `write` charges its call.
template <class Write>
std::uint64_t write_item_blocks(const Call& call, Writer& out, std::uint64_t first,
                                std::uint64_t last, const Write& write) {
  constexpr std::uint64_t most_blocks = 256, most_items = 1024, usual_bytes = 65536;
  TextBlocks blocks(out, most_blocks);
  const ThreadId self = this_thread();
  std::uint64_t items = 16;  // of a block, until it is known how long they are
  while (first != last) {
    const std::uint64_t count = std::min(most_blocks, (last - first + items - 1) / items);
    std::atomic<std::uint64_t> failed{count};
    const std::uint64_t before = out.position();
    call.parallel_for(count, 1, [&](Call& child, std::uint64_t i, std::uint64_t) {
      if (i > failed) return;
      TextBlock block = blocks.take();
      BlockSink sink(block);
      try {
        Writer writer(sink.abi());
        const std::uint64_t from = first + i * items;
        write(child, writer, from, std::min(last, from + items));
        writer.flush();
        sink.finish();
      } catch (const Error& e) {
        if (e.code() == Status::cancelled) throw;
        for (std::uint64_t now = failed; i < now && !failed.compare_exchange_weak(now, i);) {
        }
        return;
      }
      blocks.put(static_cast<std::size_t>(i), std::move(block));
      if (this_thread() == self) blocks.write();
    });
    blocks.write();
    const std::uint64_t done = blocks.restart();
    const std::uint64_t end = std::min(last, first + done * items);
    if (done != count) return end;
    const std::uint64_t each = (out.position() - before) / (end - first) + 1;
    items = std::clamp<std::uint64_t>(usual_bytes / each, 1, most_items);
    first = end;
  }
  return last;
}

}  // namespace polycodec
