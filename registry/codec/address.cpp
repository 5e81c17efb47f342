// SPDX-License-Identifier: MIT
// Content addresses: of the canonical codec's bytes, and of the logical content.
#include <base/sha256.hpp>

#include "core/call/budget.hpp"
#include "core/io/sink.hpp"
#include "core/value/logical_address.hpp"
#include "registry/call/call.hpp"
#include "registry/codec/passing_state.hpp"
#include "registry/codec/registry.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace polycodec {
namespace {

/// Hashes what is written.
class HashState final : public PassingState {
 public:
  /// The digest of all that was written, as hex digits. Call it once.
  std::string finish() {
    pass();
    return hash_.finish();
  }

 private:
  void take(const void* data, std::size_t size) override { hash_.update(data, size); }
  void restart() noexcept override { hash_.reset(); }

  Sha256 hash_;
};

class HashSink final : public Sink {
 public:
  HashSink() : Sink(std::make_unique<HashState>()) {}
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
