// SPDX-License-Identifier: MIT
// Calls to a codec class without a registry.
#pragma once

#include <polycodec/arena.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/validate.hpp>
#include <polycodec/value.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Paths of the .json files of a folder, sorted.
inline std::vector<std::filesystem::path> descriptions(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// A host that keeps what is logged and offers nothing else.
class TestHost {
 public:
  TestHost() {
    host_.struct_size = sizeof host_;
    host_.abi_major = POLYCODEC_ABI_MAJOR;
    host_.host_data = this;
    host_.log = [](const polycodec_host* host, std::int32_t, polycodec_bytes text) {
      static_cast<TestHost*>(host->host_data)->logged.emplace_back(to_string_view(text));
    };
  }
  TestHost(const TestHost&) = delete;
  TestHost& operator=(const TestHost&) = delete;
  const polycodec_host* raw() const noexcept { return &host_; }

  std::vector<std::string> logged;

 private:
  polycodec_host host_{};
};

/// A call with limits, and the host that it is made by.
class TestCall {
 public:
  explicit TestCall(const Limits& limits = {}) : limits_(limits.to_abi()) {}
  TestCall(const TestCall&) = delete;
  TestCall& operator=(const TestCall&) = delete;
  operator Call() const { return Call(host.raw(), &call_); }

  /// From now on codecs may leave things out: each is kept in `losses` as "path: what".
  void allow_loss() {
    call_.lost = [](const polycodec_call* call, polycodec_bytes path, polycodec_bytes what) {
      static_cast<TestCall*>(call->host_data)
          ->losses.push_back(std::string(to_string_view(path)) + ": " + std::string(to_string_view(what)));
    };
  }

  TestHost host;
  std::vector<std::string> losses;

 private:
  polycodec_limits limits_;
  polycodec_call call_{sizeof(polycodec_call), 0, &limits_, nullptr, this, nullptr};
};

/// A codec with options given as members.
template <class Codec>
Codec make(std::initializer_list<Member> options = {}) {
  Arena arena;
  Builder builder(arena.abi());
  const polycodec_node node = builder.object(options);
  return Codec(Host(), Options(&node));
}

/// Decodes `bytes`, which the value may view, and checks that the value is valid.
template <class Codec>
Value decode(const Codec& codec, std::string_view bytes, const TestCall& call = TestCall()) {
  Value value;
  const polycodec_input input{sizeof(polycodec_input), 1, to_bytes(bytes), nullptr, {}};
  Builder out(value.prepare(Call(call).limits().max_memory_bytes));
  value.set_root(codec.decode(call, Input(&input), out));
  validate(value.view(), {}, Validation::full);
  return value;
}

template <class Codec>
std::string encode(const Codec& codec, View value, const TestCall& call = TestCall()) {
  SegmentSink sink;
  Writer out(sink.abi());
  codec.encode(call, value, out);
  out.flush();
  return sink.to_string();
}

/// The detail word of the error that decoding ends with; "" if it succeeds.
template <class Codec>
std::string refusal(const Codec& codec, std::string_view bytes, Error* caught = nullptr) {
  try {
    static_cast<void>(decode(codec, bytes));
    return {};
  } catch (const Error& error) {
    if (caught != nullptr) *caught = error;
    return error.detail().empty() ? "(no detail)" : error.detail();
  }
}

}  // namespace polycodec::test
