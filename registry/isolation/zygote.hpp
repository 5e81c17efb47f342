// SPDX-License-Identifier: MIT
// The process that has loaded an isolated plugin, and the workers that it forks.
#pragma once

#include "registry/isolation/channel.hpp"
#include "registry/isolation/window.hpp"
#include "registry/load/plugins.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::isolation {

/// How long the host waits for a worker before it looks at the clock.
inline constexpr int tick_milliseconds = 50;

/// How long a plugin may take for deinit.
inline constexpr int ending_milliseconds = 500;

/// What a call needs.
struct SegmentSizes {
  std::uint64_t in = 0, out = 0;
  bool is_small = false;  // little is going to be written, and then all of it is cleared
};

/// A process that serves calls, one at a time. It has the objects that were opened in it.
struct Worker {
  Channel channel;
  FileHandle process;  // refers to the process, and to no later one of the same number
  std::uint64_t pid = 0;
  std::shared_ptr<Segment> in, out;  // written by the host, by the worker
  SegmentSizes sizes;                // of the last call
  std::uint64_t has_in = 0;          // the number of the segment that is mapped there
  bool has_out = false;
  std::set<std::uint64_t> opened;  // numbers of objects
  std::array<LayerResult, 2> layers{};
  bool is_spent = false;  // it has used its time, and serves no further call

  /// Tells the worker to let go of an object. If it has ended, nothing happens.
  void close(std::uint64_t number) {
    Message message;
    message.op = Op::close;
    message.a[0] = number;
    channel.send(message);
  }
};

/// How a worker ended.
struct Ending {
  int status = -1;          // as of waitpid(); -1 if that is not known
  std::uint64_t bytes = 0;  // that it used at most
};

/// The files of a plugin, which the host has checked. Of one that is linked into the library only
/// `library_path` is set: that is the library, which has the manifest, too.
struct PluginFiles {
  std::string id, manifest_path, library_path;
  FileHandle manifest, library;
  std::vector<FileHandle> libraries;  // its own ones, in the order of the manifest
};

/// Says how a process ended: `status` is that of waitpid(), or -1.
std::string describe_ending(int status);

/// What a host does while a plugin is loaded.
struct Waiting {
  const std::atomic<bool>* cancel = nullptr;       // or null
  std::function<void(const std::string&)> report;  // takes a line for the user; throws nothing
};

/// A child process, which ends with its owner.
class ChildProcess {
 public:
  /// Gives it a while to end by itself. True if it has ended.
  bool wait() noexcept;
  /// How a plugin ended whose process this one has looked after, as of waitpid(); -1 if that is not
  /// known. Nothing else may follow.
  int ending() noexcept;
  ChildProcess() = default;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();
  int pid = -1;
};

/// Runs `polycodec-sandbox`, which loads one plugin and then only forks; ends it with its workers.
/// For one thread at a time.
class Zygote {
 public:
  /// Starts it and loads the plugin. What that logs outside of workers is added to `lines`, each
  /// line after the digit of its level. Throws LoadFailure, and Error(Status::cancelled).
  Zygote(const PluginFiles& files, const IsolationRule& rule, std::vector<std::string>& lines,
         const Waiting& waiting);
  Zygote(const Zygote&) = delete;
  Zygote& operator=(const Zygote&) = delete;
  ~Zygote();

  /// Lets the plugin run deinit, for a while. Nothing else works afterwards.
  void leave() noexcept;

  /// What the plugin says of an object: its number in the manifest, among codecs or functions.
  std::array<std::uint64_t, 4> describe(std::uint64_t index, bool is_function);
  /// Asks for a worker, which gets ready while the host does other things. It maps the segments of
  /// a small call, if they are given. `retired`: a process of a worker that nobody needs any more,
  /// or 0. Throws Error.
  void fork_ahead(std::shared_ptr<Segment> in, std::shared_ptr<Segment> out, std::uint64_t retired);
  std::size_t coming() const noexcept { return coming_.size(); }
  /// A new worker, ready for calls: the one that was asked for first. Throws Error(Status::plugin)
  /// if there is none.
  std::unique_ptr<Worker> fork();
  /// Ends a worker if it still runs.
  Ending end(const Worker& worker) noexcept;
  /// Ends a worker whose status nobody wants, and does not wait for it.
  void retire(const Worker& worker) noexcept;
  const std::vector<LayerResult>& layers() const noexcept { return layers_; }
  /// A directory for segments with huge pages; maybe not open.
  FileHandle take_memory_files() noexcept { return std::move(memory_files_); }
  /// Takes a worker's report of its layers together with the zygote's.
  void add_layers(std::span<const LayerResult> more);

 private:
  void start();
  /// Waits for the answer to the request to load, at most load_seconds. Throws LoadFailure.
  void await_loading(const PluginFiles& files, const Waiting& waiting, Message& message,
                     std::vector<FileHandle>& received, std::string& text);
  void request(Message& message);
  /// Waits for the answer; takes the lines before it.
  Received receive(Message& message, std::vector<FileHandle>* descriptors = nullptr,
                   std::string* text = nullptr);

  Channel channel_;
  const int patience_;  // milliseconds; 0: no limit
  ChildProcess process_;
  FileHandle memory_files_;
  std::vector<LayerResult> layers_;
  std::vector<std::string>& lines_;
  std::deque<std::unique_ptr<Worker>> coming_;  // that get ready
};

/// Parameters of the load request, separated by NUL; see the sandbox.
std::string join_parameters(const std::vector<std::string>& parameters);
std::vector<std::string> split_parameters(std::string_view text);
/// Results of layers as text for a message.
std::string layers_to_text(std::span<const LayerResult> layers);
std::vector<LayerResult> layers_from_text(std::string_view text);

}  // namespace polycodec::isolation
