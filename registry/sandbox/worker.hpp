// SPDX-License-Identifier: MIT
// A worker: it serves the requests of the host, one after another, until the host is gone.
#pragma once

#include <polycodec/error.hpp>

#include "core/call/border.hpp"
#include "core/call/plugin_error.hpp"
#include "core/value/arena.hpp"
#include "registry/isolation/window.hpp"
#include "registry/load/catalog.hpp"
#include "registry/sandbox/remote_call.hpp"
#include "registry/sandbox/remote_files.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace polycodec::sandbox {

/// What a plugin has made for the host, with what it needs. It is released with the worker.
struct MadeObject {
  const void* object = nullptr;
  std::uint64_t functions = 0;  // of an instance: those that it has, in the order of the ABI
  isolation::Range mapped;      // the file, if it is mapped
  std::unique_ptr<Arena> arena;
  std::unique_ptr<RemoteFile> file;
  std::unique_ptr<RemoteOutputFile> output;
  polycodec_sink* blob = nullptr;  // of a store writer
  void (*release)(const void*) = nullptr;

  MadeObject() = default;
  MadeObject(const MadeObject&) = delete;
  MadeObject& operator=(const MadeObject&) = delete;
  ~MadeObject() {
    if (release != nullptr) release(object);
    if (mapped.size != 0) isolation::unmap_file(mapped.begin, mapped.size);
  }
};

/// Calls a function of the plugin, whose last parameter is the error, and throws what it reports.
template <class Function, class... Arguments>
void call_plugin(Function* function, Arguments... arguments) {
  PluginError error;
  const std::int32_t code = across_border([&] { return function(arguments..., error.raw()); });
  if (code != POLYCODEC_OK) throw error.error(code);
}

class Worker final : public Regions {
 public:
  Worker(const LoadedPlugin& plugin, const Manifest& manifest, const IsolationRule& rule,
         std::span<const std::string_view> code, isolation::Channel channel,
         isolation::Range window, std::uint64_t stack_bytes);
  /// Maps the segments that came with the request for a worker, and serves calls. Ends the process.
  [[noreturn]] void run(const Message& first, std::vector<FileHandle> descriptors);
  /// Private memory that values may have: adopted, of instances and readers, constants of plugins.
  std::string_view region_of(const void* data, std::uint64_t size) const noexcept override;

 private:
  void rehearse();
  void get_ready(const Message& first, std::vector<FileHandle>& descriptors);
  /// False if the file of the request could not be mapped.
  bool map(const Message& request, std::vector<FileHandle>& descriptors);
  void unmap_file() noexcept;
  /// Puts what a call failed with into its answer.
  void report(Message& answer, CallError& failure);
  /// The file of a store for this request.
  void use_file_of(const MadeObject& made) noexcept { link_.file = made.mapped; }
  void serve(const Message& request, Message& answer);
  void serve_codec(const Message& request, Message& answer, RemoteCall& call);
  void serve_stream(const Message& request, Message& answer, RemoteCall& call);
  void serve_filter(const Message& request, Message& answer, RemoteCall& call);
  void serve_store(const Message& request, Message& answer, RemoteCall& call);
  void serve_store_writer(const Message& request, RemoteCall& call);
  void sniff(const Message& request, Message& answer, RemoteCall& call);
  void open(const isolation::Opening& opening);
  void open_store(const Message& request, Message& answer);
  void call_function(const Message& request, Message& answer, RemoteCall& call);
  void value(Message& answer, const polycodec_node* root, polycodec_call* call);
  void output(Message& answer, isolation::RangeSink& sink);
  void bytes(Message& answer, std::size_t at, polycodec_bytes bytes);
  void release_if_large(Message& answer);
  std::unique_ptr<isolation::RangeSink> sink(bool contiguous, std::uint64_t max_output) const;

  template <class T>
  const T* made(std::uint64_t number) const {
    return static_cast<const T*>(find(number).object);
  }
  template <class T>
  T* made_changing(std::uint64_t number) const {
    return static_cast<T*>(const_cast<void*>(find(number).object));
  }
  MadeObject& find(std::uint64_t number) const;
  template <class T>
  const T* object(std::uint64_t index) const {
    return static_cast<const T*>(plugin_.objects.at(static_cast<std::size_t>(index)));
  }

  const LoadedPlugin& plugin_;
  const Manifest& manifest_;
  const IsolationRule rule_;
  const std::span<const std::string_view> code_;  // of the plugin
  Link link_;
  std::uint64_t sink_end_ = 0;
  isolation::Range request_file_;  // unmapped after the answer
  std::map<std::uint64_t, std::unique_ptr<MadeObject>> made_;
};

}  // namespace polycodec::sandbox
