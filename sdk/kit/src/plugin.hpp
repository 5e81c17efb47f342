// SPDX-License-Identifier: MIT
// The plugin under test, loaded as a host loads it, but without the host's mercy.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/manifest.hpp>
#include <polycodec/value.hpp>

#include "host.hpp"
#include "settings.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::kit {

/// The library, mapped; nothing of it has run. Mapped once a process.
const polycodec_plugin& entry_object(const Settings& settings);

/// The text of a file. Throws Failure.
std::string read_text(const std::filesystem::path& path);

/// The manifest, parsed as the registry does it. Throws Error.
Manifest read_manifest(const Settings& settings);

/// The plugin after init(); one a process, because init() is to be called once.
class Plugin {
 public:
  static Plugin& get(const Settings& settings);
  /// Calls deinit(); the plugin must not be used any more in this process.
  void shut_down();

  const polycodec_plugin& object() const noexcept { return object_; }
  Host& host() noexcept { return host_; }
  const polycodec_codecs* codecs() const noexcept { return codecs_; }
  const polycodec_functions* functions() const noexcept { return functions_; }
  /// The codec with this canonical name. Throws Failure.
  const polycodec_codec& codec(std::string_view name) const;

 private:
  explicit Plugin(const polycodec_plugin& object);
  const polycodec_plugin& object_;
  Host host_;
  const polycodec_codecs* codecs_ = nullptr;
  const polycodec_functions* functions_ = nullptr;
};

/// Bytes of one encoded value, or named blobs of it, whichever the codec takes.
struct Encoded {
  std::string name;  ///< of the value they come from
  bool is_store = false;
  std::vector<std::pair<std::string, std::string>> parts;  ///< bytes: one part without a name

  std::string_view bytes() const noexcept { return parts.empty() ? std::string_view() : parts.front().second; }
  std::size_t size() const noexcept;
};

/// What a call came to, after its promises were checked.
struct Answer {
  std::int32_t code = POLYCODEC_OK;
  polycodec_error error = {};
  bool ok() const noexcept { return code == POLYCODEC_OK; }
  /// The error for people, such as `malformed at byte 3: message`.
  std::string text() const;
};

/// Checks what the contract says about a status and its error; `input_size` bounds the offset. Throws Failure.
void check_answer(const Answer& answer, std::uint64_t input_size, const char* function);

/// How a decode or encode is to be done, where it differs from the plain way.
struct CallSettings {
  Limits limits;
  bool cancelled = false;
  std::uint64_t refuse_memory_from = never;  ///< index of the arena's or sink's first request that is refused
  bool small_windows = false;                ///< encode: windows of just the size that is asked for
  bool pass_error = true;                    ///< false: the error argument is NULL
  std::uint64_t* requests = nullptr;         ///< out: requests for memory that were made
};

/// An opened codec of the plugin.
class Instance {
 public:
  Instance(Plugin& plugin, const polycodec_codec& codec, View options = {});
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const polycodec_codec& codec() const noexcept { return codec_; }
  void* raw() const noexcept { return instance_; }

  /// Decodes; the value stays valid as long as `out` and `input` live. Checks the answer's promises and, on success,
  /// that the value is valid (in full) and within the limits. Throws Failure where the contract is broken.
  Answer decode(const Encoded& input, Value& out, const CallSettings& settings = {}) const;
  /// Encodes to bytes or blobs. Checks the answer's promises.
  Answer encode(View value, Encoded& out, const CallSettings& settings = {}) const;

 private:
  Answer decode_input(const polycodec_input& input, std::uint64_t size, Value& out, const CallSettings&) const;
  const polycodec_codec& codec_;
  void* instance_ = nullptr;
};

}  // namespace polycodec::kit
