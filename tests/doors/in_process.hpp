// SPDX-License-Identifier: MIT
// The doors of the library: the real registry, in this process or with isolated plugins.
#pragma once

#include "case.hpp"
#include "files.hpp"

namespace polycodec::doors {

/// How a case gets to the codec.
enum class Way : std::uint8_t { mapped, opened, read, bytes, file, store };

inline Registry open_registry(const char* isolation, std::uint32_t threads) {
  RegistryOptions options;
  options.flags = 0;
  options.isolation = isolation;
  options.threads = threads;
  return Registry::open(options);
}

/// The plugins of a directory that has modules, and their configuration beside them.
inline Registry open_modules(const std::string& directory) {
  RegistryOptions options;
  options.flags = 0;
  options.isolation = "in-process";
  options.threads = 1;
  options.layers = {{read_all(directory + "/config.json"), "modules"}};
  options.plugin_paths = {directory};
  return Registry::open(options);
}

/// One door of the library. For any threads.
class InProcess {
 public:
  InProcess(Registry registry, Way way, bool encodes)
      : registry_(std::move(registry)), way_(way), encodes_(encodes) {}

  Outcome operator()(const Case& one) const {
    return outcome_of(one, [&] { return source_of(one.path()); });
  }

  /// Of bytes that may be no vector.
  Outcome operator()(const Case& one, const std::string& bytes) const {
    return outcome_of(one, [&] { return Source::owned(bytes, {.name = one.file()}); });
  }

  /// Without the name of the codec: the codec that is chosen, or the error; and what it gives.
  Outcome by_content(const Case& one) const try {
    const Source source = source_of(one.path());
    Outcome outcome;
    try {
      outcome["chosen"] = registry_.choose(source).codec;
    } catch (const Error& error) {
      return {{"chosen", parts_of(error)["code"]}};
    }
    if (outcome["chosen"] != one.codec() || !one.options().empty()) return outcome;
    try {
      outcome.update(shown(registry_.decode(source)));
    } catch (const Error& error) {
      outcome["error"] = parts_of(error);
    }
    return outcome;
  } catch (const Error& error) {
    return {{"error", parts_of(error)}};
  }

 private:
  static Outcome shown(const Value& value) {
    return {{"text", value.text({.exact = true})}, {"type", value.type()}};
  }

  template <class Open>
  Outcome outcome_of(const Case& one, const Open& open) const try {
    const Format format{.codec = one.codec(), .options = one.options()};
    const Codec codec = registry_.codec(format);
    const Source source = open();
    const Value value =
        way_ == Way::mapped ? registry_.decode(source, default_call, format) : codec.decode(source);
    Outcome outcome = shown(value);
    if (encodes_) outcome["again"] = again(format, codec, value, source);
    return outcome;
  } catch (const Error& error) {
    return {{"error", parts_of(error)}};
  }

  /// What encoding gives: `same` bytes, others, or an error. Other bytes are read again: `back`
  /// says where their value differs, and `third` that yet others are written of it.
  Json again(const Format& format, const Codec& codec, const Value& value,
             const Source& source) const try {
    const std::string bytes = written(format, codec, value);
    if (bytes == source.bytes()) return "same";
    Json made{{"bytes", bytes.size()}, {"sha256", sha256(bytes)}};
    const Value back = codec.decode(Source::view(bytes));
    if (const auto difference = value.difference(back)) made["back"] = difference->path;
    if (written(format, codec, back) != bytes) made["third"] = true;
    return made;
  } catch (const Error& error) {
    return {{"error", parts_of(error)}};
  }

  std::string written(const Format& format, const Codec& codec, const Value& value) const try {
    return codec.encode(value);
  } catch (const Error& error) {
    // A codec of named blobs writes an archive.
    if (error.code() != Status::unsupported || parts_of(error).size() != 1) throw;
    const test::TemporaryDirectory directory;
    const fs::path path = directory.path() / "again.zip";
    registry_.write(value, path.native(), format);
    return read_all(path);
  }

  Source source_of(const fs::path& path) const {
    const std::string name = path.string();
    switch (way_) {
      case Way::mapped:
      case Way::opened:
        return Source::file(name);
      case Way::read:
        return Source::file(name, {.copy = true});
      case Way::bytes:
        return fs::is_directory(path) ? Source::file(name)
                                      : Source::owned(read_all(path), {.name = name});
      case Way::file:
        return fs::is_directory(path) ? Source::file(name)
                                      : Source::of(OpenedFile(name).raw(), {.name = name});
      case Way::store:
        try {
          return Source::of(OpenedStore(registry_, Source::file(name)).raw(), {.name = name});
        } catch (const Error& error) {
          if (error.code() != Status::unsupported) throw;
          return Source::file(name);  // no store
        }
    }
    return {};
  }

  Registry registry_;
  Way way_;
  bool encodes_;
};

}  // namespace polycodec::doors
