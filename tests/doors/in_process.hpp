// SPDX-License-Identifier: MIT
// The doors of the library: the real registry, in this process or with isolated plugins.
#pragma once

#include "case.hpp"

#include <unistd.h>

#include <atomic>

namespace polycodec::doors {

/// How a case gets to the codec.
enum class Way : std::uint8_t { mapped, opened, read, bytes, file, store };

inline Registry open_registry(const char* isolation, std::uint32_t threads) {
  polycodec_registry_options options{};
  options.struct_size = sizeof options;
  options.isolation = bytes_of(isolation);
  options.threads = threads;
  return make<Registry>(polycodec_registry_open, &options);
}

inline polycodec_format format_of(const std::string& codec, const std::string& options) {
  polycodec_format format{};
  format.struct_size = sizeof format;
  format.codec = bytes_of(codec);
  format.options = bytes_of(options);
  return format;
}

/// One door of the library. For any threads.
class InProcess {
 public:
  InProcess(const char* isolation, std::uint32_t threads, Way way, bool encodes)
      : registry_(open_registry(isolation, threads)), way_(way), encodes_(encodes) {}

  const polycodec_registry* registry() const noexcept { return registry_.get(); }

  Outcome operator()(const Case& one) const {
    return outcome_of(one.codec(), one.options(), [&] { return source_of(one.path()); });
  }

  /// Of bytes that may be no vector.
  Outcome operator()(const Case& one, const std::string& bytes) const {
    return outcome_of(one.codec(), one.options(), [&] { return source_of(bytes, one.file()); });
  }

  /// Without the name of the codec: the codec that is chosen, or the error; and what it gives.
  Outcome by_content(const Case& one) const try {
    const Source source = source_of(one.path());
    polycodec_match match{};
    match.struct_size = sizeof match;
    polycodec_value* made = nullptr;
    try {
      call(polycodec_registry_choose, registry_.get(), source.get(), &match);
    } catch (const Refusal& refusal) {
      return {{"chosen", refusal.parts["code"]}};
    }
    Outcome outcome{{"chosen", text_of(match.codec)}};
    if (outcome["chosen"] != one.codec() || !one.options().empty()) return outcome;
    try {
      call(polycodec_decode, registry_.get(), source.get(), nullptr, nullptr, &made, &match);
      const Value value(made);
      outcome.update(shown(value.get()));
    } catch (const Refusal& refusal) {
      outcome["error"] = refusal.parts;
    }
    return outcome;
  } catch (const Refusal& refusal) {
    return {{"error", refusal.parts}};
  }

 private:
  static Outcome shown(const polycodec_value* value) {
    Outcome outcome;
    outcome["text"] =
        written([&](polycodec_sink* sink) { call(polycodec_value_print, value, 0U, sink); });
    outcome["type"] =
        written([&](polycodec_sink* sink) { call(polycodec_value_type, value, sink); });
    return outcome;
  }

  template <class Open>
  Outcome outcome_of(const std::string& codec, const std::string& options, const Open& open) const
      try {
    const polycodec_format format = format_of(codec, options);
    const Codec opened = make<Codec>(polycodec_registry_open_codec, registry_.get(), &format);
    const Source source = open();
    polycodec_value* made = nullptr;
    if (way_ == Way::mapped)  // in one step
      call(polycodec_decode, registry_.get(), source.get(), &format, nullptr, &made, nullptr);
    else
      call(polycodec_opened_codec_decode, opened.get(), source.get(), nullptr, &made);
    const Value value(made);
    Outcome outcome = shown(value.get());
    if (encodes_) outcome["again"] = again(format, opened.get(), value.get(), source.get());
    return outcome;
  } catch (const Refusal& refusal) {
    return {{"error", refusal.parts}};
  }

  /// What encoding gives: `same` bytes, others, or an error.
  Json again(const polycodec_format& format, const polycodec_opened_codec* codec,
             polycodec_value* value, const polycodec_source* source) const try {
    std::string bytes;
    try {
      bytes = written([&](polycodec_sink* sink) {
        call(polycodec_opened_codec_encode, codec, value, nullptr, sink);
      });
    } catch (const Refusal& refusal) {
      // A codec of named blobs writes an archive.
      if (refusal.parts["code"] != "unsupported" || refusal.parts.size() != 1) throw;
      static std::atomic<int> count = 0;
      const std::string path = fs::temp_directory_path() / ("doors-" + std::to_string(::getpid()) +
                                                            "-" + std::to_string(count++) + ".zip");
      call(polycodec_encode_file, registry_.get(), static_cast<const polycodec_value*>(value),
           bytes_of(path), &format, nullptr, nullptr);
      bytes = read_all(path);
      fs::remove(path);
    }
    polycodec_bytes given{};
    call(polycodec_source_bytes, source, &given);
    if (bytes == text_of(given)) return "same";
    return {{"bytes", bytes.size()}, {"sha256", sha256(bytes)}};
  } catch (const Refusal& refusal) {
    return {{"error", refusal.parts}};
  }

  Source source_of(const fs::path& path) const {
    const std::string name = path.string();
    const auto open = [&](std::uint32_t flags) {
      return make<Source>(polycodec_source_open, bytes_of(name), flags, nullptr);
    };
    switch (way_) {
      case Way::mapped:
      case Way::opened:
        return open(0);
      case Way::read:
        return open(POLYCODEC_SOURCE_COPY);
      case Way::bytes:
        return fs::is_directory(path) ? open(0) : source_of(read_all(path), name);
      case Way::file: {
        if (fs::is_directory(path)) return open(0);
        const File file = make<File>(polycodec_file_open, bytes_of(name), 0U);
        return make<Source>(polycodec_source_from_file, file.get(), bytes_of(name), nullptr);
      }
      case Way::store: {
        const Source source = open(0);
        const polycodec_store* store = nullptr;
        try {
          call(polycodec_store_open, registry_.get(),
               static_cast<const polycodec_source*>(source.get()), &store);
        } catch (const Refusal& refusal) {
          if (refusal.parts["code"] == "unsupported") return open(0);  // no store
          throw;
        }
        const Store owner(store);
        return make<Source>(polycodec_source_from_store, store, bytes_of(name));
      }
    }
    return {};
  }

  static Source source_of(std::string bytes, const std::string& name) {
    auto owner = std::make_unique<std::string>(std::move(bytes));
    const polycodec_bytes all = bytes_of(*owner);
    return make<Source>(
        polycodec_source_from_bytes, all, static_cast<void*>(owner.release()),
        +[](void* kept) { delete static_cast<std::string*>(kept); }, bytes_of(name));
  }

  Registry registry_;
  Way way_;
  bool encodes_;
};

}  // namespace polycodec::doors
