// SPDX-License-Identifier: MIT
// `polycodec hash`: the content address of a value, whatever format it is in.
#include <polycodec/sink.hpp>

#include "commands.hpp"

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace polycodec::cli {
namespace {

/// A sink that hashes what is written and keeps nothing of it.
class HashSink final : public Sink {
 public:
  explicit HashSink(std::uint64_t max_bytes)
      : Sink(max_bytes), context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free), block_(std::size_t{1} << 16) {
    start();
    set_window(block_.data(), block_.data() + block_.size());
  }
  ~HashSink() override { release_adopted(); }

  /// The digest of all that was written, as hex digits. Call it once.
  std::string finish() {
    take_window();
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    check(EVP_DigestFinal_ex(context_.get(), digest.data(), &size));
    std::string hex;
    for (unsigned i = 0; i < size; ++i) {
      hex += "0123456789abcdef"[digest[i] >> 4];
      hex += "0123456789abcdef"[digest[i] & 15];
    }
    return hex;
  }

 private:
  static void check(int done) {
    if (done != 1) throw Error(Status::internal, "SHA-256 is not available");
  }
  void start() { check(context_ ? EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) : 0); }
  void take_window() {
    const auto bytes = written();
    check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
    set_window(block_.data(), block_.data() + block_.size());
  }
  void do_grow(std::uint64_t need) override {
    take_window();
    if (need > block_.size()) block_.resize(static_cast<std::size_t>(need));
    set_window(block_.data(), block_.data() + block_.size());
  }
  void do_reference(const void* data, std::uint64_t size) override {
    take_window();
    check(EVP_DigestUpdate(context_.get(), data, static_cast<std::size_t>(size)));
    add_before(size);
  }
  void do_reset() noexcept override {
    EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
    set_window(block_.data(), block_.data() + block_.size());
  }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
  std::vector<std::uint8_t> block_;
};

int run_hash(Context& context, const std::string& file) {
  const Source source = context.open_input(file);
  const Context::Decoded decoded = context.decode(source);
  CallOptions options = context.call_options();
  // An address is of type and data as DyND writes them; what it cannot hold is stood in for
  // (docs/content-address.md).
  options.on_loss = [](std::string_view, std::string_view) {};
  HashSink sink(context.limits().max_output_bytes);
  context.registry().codec("dynd").encode(decoded.value.view(), sink, options);
  const std::uint64_t bytes = sink.size();
  const std::string digest = sink.finish();
  const std::string codec = decoded.codec_name();
  if (context.options.json)
    context.print_json(Json{{"ok", true}, {"file", file}, {"codec", codec}, {"sha256", digest}, {"bytes", bytes}});
  else
    context.print(digest + "  " + file);
  return exit_done;
}

}  // namespace

void add_hash(CLI::App& app, Context& context, Action& action) {
  CLI::App* command =
      app.add_subcommand("hash", "Print the content address of a file's value, the same in every format");
  auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "The file; - is standard input")->required();
  context.add_input_options(*command);
  context.add_registry_options(*command);
  context.add_json_option(*command);
  command->callback([&, file] { action = [&, file] { return run_hash(context, *file); }; });
}

}  // namespace polycodec::cli
