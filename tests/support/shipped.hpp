// SPDX-License-Identifier: MIT
// Codecs as programs get them: opened by the registry of the build tree. Where the environment has
// POLYCODEC_DOOR=isolated, their plugins run in processes of their own.
#pragma once

#include <polycodec/polycodec.hpp>

#include "files.hpp"
#include "sanitized.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace polycodec::test {

using Json = nlohmann::ordered_json;

/// True if plugins run in processes of their own: what they give then views none of our memory.
inline bool is_isolated() {
  const char* door = std::getenv("POLYCODEC_DOOR");
  return door != nullptr && std::string_view(door) == "isolated";
}

/// How often a test repeats what is random: fewer times where each call goes to another process.
inline int rounds(int all) {
  return std::max(all / (is_isolated() ? 20 : POLYCODEC_SANITIZED != 0 ? 4 : 1), 1);
}

/// What plugins have logged since it was asked last.
class PluginLog {
 public:
  std::vector<std::string> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }
  void add(std::string_view origin, std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (origin == "plugin") lines_.emplace_back(text);
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};
inline PluginLog& plugin_log() {
  static PluginLog log;
  return log;
}

/// The registry of the build tree, without a configuration.
inline const Registry& registry() {
  static const Log log = [](std::int32_t, std::string_view origin, std::string_view text) {
    plugin_log().add(origin, text);
  };
  static const Registry opened = [] {
    plugin_log();  // outlives the registry
    RegistryOptions options;
    options.flags = 0;
    options.isolation = is_isolated() ? "process" : "in-process";
    options.log = &log;
    return Registry::open(options);
  }();
  return opened;
}

/// A codec with options given as members: `shipped("ply", {{"strict", true}})`.
inline Codec shipped(const std::string& name, const Json& options = Json::object()) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, Codec> opened;
  const std::lock_guard lock(mutex);
  const auto [known, fresh] = opened.try_emplace({name, options.dump()});
  if (fresh) try {
      known->second = registry().codec(name, options.empty() ? "" : options.dump());
    } catch (...) {
      opened.erase(known);
      throw;
    }
  return known->second;
}

/// The root of a value as plugins see it.
inline NodeView node(const Value& value) {
  return NodeView(value.root());
}

/// Decodes a copy of `bytes`, which the value keeps.
inline Value decode(const Codec& codec, std::string_view bytes,
                    const CallOptions& options = default_call) {
  // Of exactly this size, so that a sanitizer sees any read behind it.
  return codec.decode(Source::owned(std::vector<char>(bytes.begin(), bytes.end())), options);
}
/// Decodes a file, with those beside it that it names.
inline Value decode_file(const std::string& codec, const std::filesystem::path& path,
                         const Json& options = Json::object(),
                         const CallOptions& call = default_call) {
  return registry().decode(Source::file(path.native()), call,
                           {.codec = codec, .options = options.dump()});
}
inline std::string encode(const Codec& codec, const Value& value,
                          const CallOptions& options = default_call) {
  return codec.encode(value, options);
}

/// Call options that allow every loss, and keep each one as "path: what".
class Losses {
 public:
  Losses() {
    options_.losses = POLYCODEC_LOSSES_OF(POLYCODEC_LOSS_COUNT) - 1;
    options_.on_loss = [this](LossClass, std::string_view path, std::string_view what) {
      all.push_back(std::string(path) + ": " + std::string(what));
    };
  }
  Losses(const Losses&) = delete;
  Losses& operator=(const Losses&) = delete;
  operator const CallOptions&() const noexcept { return options_; }

  std::vector<std::string> all;

 private:
  CallOptions options_;
};

/// The detail word of the error that decoding ends with; "" if it succeeds.
inline std::string refusal(const Codec& codec, std::string_view bytes, Error* caught = nullptr) {
  try {
    static_cast<void>(decode(codec, bytes));
    return {};
  } catch (const Error& error) {
    if (caught != nullptr) *caught = error;
    return error.detail().empty() ? "(no detail)" : error.detail();
  }
}

/// Detail and path of the error that encoding ends with, as "detail path"; "" if it succeeds.
inline std::string encode_refusal(const Codec& codec, const Value& value) {
  try {
    static_cast<void>(encode(codec, value));
    return {};
  } catch (const Error& error) {
    return error.detail() + " " + error.path();
  }
}

/// The score that a codec gives to bytes; 0 if it is no candidate.
inline std::uint64_t sniff(std::string_view codec, std::string_view bytes) {
  const Value all = registry().candidates(Source::owned(std::string(bytes)));
  for (const View one : all.view())
    if (one["codec"].as_string() == codec) return one["score"].as_uint64();
  return 0;
}

/// Where two values differ first and why; "" if they are equal. `flags`: POLYCODEC_COMPARE_*.
inline std::string difference(const Value& a, const Value& b, std::uint32_t flags = 0) {
  const auto found = a.difference(b, flags);
  return found ? found->path + ": " + found->reason : "";
}

/// The items in the arena of a value that is being built, which they belong to.
template <class Items>
auto kept(Builder& out, const Items& items) {
  using Item = std::remove_cv_t<std::remove_reference_t<decltype(*std::data(items))>>;
  const std::span<const Item> all(std::data(items), std::size(items));
  return std::span<const Item>(out.store_all(all), all.size());
}

}  // namespace polycodec::test
