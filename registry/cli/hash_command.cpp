// SPDX-License-Identifier: MIT
// `polycodec hash`: the content address of a value, whatever format it is in.
#include <base/sha256.hpp>

#include "commands.hpp"
#include "core/io/sink_state.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace polycodec::cli {
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
  explicit HashSink(std::uint64_t max_bytes) : Sink(std::make_unique<HashState>(max_bytes)) {}
  std::string finish() { return static_cast<HashState&>(state()).finish(); }
};

int run_hash(Context& context, const std::string& file) {
  const Read decoded = context.read_file(file);
  CallOptions options = context.call_options();
  // An address is of type and data as DyND writes them; what it cannot hold is stood in for
  // (docs/content-address.md).
  options.on_loss = [](LossClass, std::string_view, std::string_view) {};
  HashSink sink(context.limits().max_output_bytes);
  const auto all = context.registry().codecs();
  const auto canonical = std::ranges::find(all, true, &CodecInfo::is_canonical);
  if (canonical == all.end())
    throw Error(Status::not_found, "no codec for content addresses is installed");
  context.registry().codec(canonical->name).encode(decoded.value.view(), sink, options);
  const std::uint64_t bytes = sink.size();
  const std::string digest = sink.finish();
  const std::string codec(decoded.codec_name());
  context.print_result(
      Json{{"ok", true}, {"file", file}, {"codec", codec}, {"sha256", digest}, {"bytes", bytes}},
      digest + "  " + file);
  return exit_done;
}

}  // namespace

void describe_hash(Command& command, Context& context) {
  command.help = "Print the content address of a file's value, the same in every format";
  auto file = std::make_shared<std::string>();
  command.add("FILE", file.get(), "The file; - is standard input").required();
  context.add_input_options(command);
  context.add_common_options(command);
  command.run = [&context, file] { return run_hash(context, *file); };
}

}  // namespace polycodec::cli
