// SPDX-License-Identifier: MIT
// The workers of a zygote, from fork to their end.
#pragma once

#include "registry/isolation/channel.hpp"
#include "registry/isolation/copy_value.hpp"
#include "registry/load/catalog.hpp"

#include <memory>
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
};

/// Forks workers and learns how they end. For one thread.
class Workers {
 public:
  /// `control`: the socket to the host, which no worker keeps. Both outlive this object.
  Workers(const Loaded& loaded, Channel& control) noexcept : loaded_(loaded), control_(control) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Answers a request for a worker. Throws Error.
  void hand_out(Message& message);
  /// How a worker ended that has ended or is about to, as of waitpid().
  std::uint64_t reap(std::uint64_t number);
  /// A worker that the host has ended: nobody asks how.
  void retire(std::uint64_t number);
  /// Forgets retired workers that are gone. False if there are others.
  bool forget_retired() noexcept;

 private:
  struct Worker {
    int pid = -1;
    Channel channel;     // of the host
    FileHandle process;  // refers to the process
  };
  Worker make();

  const Loaded& loaded_;
  Channel& control_;
  std::vector<int> retired_;
};

}  // namespace polycodec::sandbox
