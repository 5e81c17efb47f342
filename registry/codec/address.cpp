// SPDX-License-Identifier: MIT
// Content addresses: of the canonical codec's bytes, and of the logical content.
#include <base/sha256.hpp>
#include <polycodec/registry.hpp>
#include <polycodec/sink.hpp>

#include "core/io/sink_state.hpp"
#include "core/value/budget.hpp"
#include "core/value/logical_address.hpp"
#include "registry/codec/call.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace polycodec {
namespace {

/// Hashes what is written and keeps nothing of it.
class HashState final : public SinkState {
 public:
  explicit HashState(std::uint64_t max_bytes) : SinkState(max_bytes), block_(std::size_t{1} << 16) {
    set_window(block_.data(), block_.data() + block_.size());
  }
  ~HashState() override { release_adopted(); }

  /// The digest of all that was written, as hex digits. Call it once.
  std::string finish() {
    take_window();
    return hash_.finish();
  }

 private:
  void take_window() {
    const auto bytes = written();
    hash_.update(bytes.data(), bytes.size());
    set_window(block_.data(), block_.data() + block_.size());
  }
  void do_grow(std::uint64_t need) override {
    take_window();
    if (need > block_.size()) block_.resize(static_cast<std::size_t>(need));
    set_window(block_.data(), block_.data() + block_.size());
  }
  void do_reference(const void* data, std::uint64_t size) override {
    take_window();
    hash_.update(data, static_cast<std::size_t>(size));
    add_before(size);
  }
  void do_reset() noexcept override {
    hash_.reset();
    set_window(block_.data(), block_.data() + block_.size());
  }

  Sha256 hash_;
  std::vector<std::uint8_t> block_;
};

class HashSink final : public Sink {
 public:
  HashSink() : Sink(std::make_unique<HashState>(UINT64_MAX)) {}
  std::string finish() { return static_cast<HashState&>(state()).finish(); }
};

}  // namespace

std::string Registry::address(NodeView value, Address kind, const CallOptions& given,
                              std::uint64_t* hashed) const {
  CallOptions options = given;
  if (kind == Address::logical) {
    use_one_budget(options, this->options().limits, value);
    return logical_address(value, options.budget->limits(), options.budget, hashed);
  }
  // An address is of type and data as DyND writes them, with records that stand for the rest.
  options.on_loss = [](LossClass, std::string_view, std::string_view) {};
  options.losses = all_losses;
  options.report_retyped = false;
  const auto all = codecs();
  const auto canonical = std::ranges::find(all, true, &CodecInfo::is_canonical);
  if (canonical == all.end())
    throw Error(Status::not_found, "no codec for content addresses is installed");
  HashSink sink;
  codec(canonical->name).encode(value, sink, options);
  if (hashed != nullptr) *hashed = sink.size();
  return sink.finish();
}

}  // namespace polycodec
