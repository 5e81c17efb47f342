// SPDX-License-Identifier: MIT
// The workers of a zygote, from fork to their end.
#pragma once

#include "registry/isolation/channel.hpp"
#include "registry/isolation/copy_value.hpp"
#include "registry/load/catalog.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace polycodec::sandbox {

using isolation::Channel;
using isolation::Message;

/// The plugin that this process has loaded.
struct Loaded {
  Manifest manifest;
  IsolationRule rule;
  isolation::Range window;
  std::shared_ptr<const LoadedPlugin> plugin;
  std::vector<std::string_view> code;  // and constants of its library
};

/// Forks workers and learns how they end. For one thread.
class Workers {
 public:
  /// `control`: the socket to the host, which no worker keeps. Both outlive this object.
  Workers(const Loaded& loaded, Channel& control) noexcept : loaded_(loaded), control_(control) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Serves a request for a worker, which tells the host that it is ready.
  void fork(const Message& request, std::vector<FileHandle> descriptors);
  /// Answers how a worker ended that has ended or is about to.
  void reap(Message& message);
  /// Ends a worker that the host does not need any more: nobody asks how.
  void retire(std::uint64_t number);
  /// Forgets retired workers that are gone. False if there are others.
  bool forget_retired() noexcept;

 private:
  const Loaded& loaded_;
  Channel& control_;
  std::vector<int> retired_;
};

}  // namespace polycodec::sandbox
