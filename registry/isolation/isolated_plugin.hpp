// SPDX-License-Identifier: MIT
// A plugin that runs in processes of its own: its workers, and what befell them.
#pragma once

#include "registry/isolation/segment_pool.hpp"
#include "registry/isolation/zygote.hpp"
#include "registry/load/library.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace polycodec::isolation {

/// The processes of one plugin. All its proxies share it. [thread-safe]
class IsolatedPlugin final : public PluginHold,
                             public std::enable_shared_from_this<IsolatedPlugin> {
 public:
  /// Loads the plugin in a process. Throws LoadFailure, and Error(Status::cancelled) soon after
  /// `cancel` (or null) becomes true.
  IsolatedPlugin(PluginFiles files, const IsolationRule& rule, LogHook log,
                 const std::atomic<bool>* cancel);
  ~IsolatedPlugin() override;

  const std::string& id() const noexcept { return files_.id; }
  const IsolationRule& rule() const noexcept { return rule_; }
  std::array<std::uint64_t, 4> describe(std::uint64_t index, bool is_function);

  /// A worker that nobody else uses. Throws Error(Status::plugin), and Status::cancelled soon after
  /// `cancel` (or null) becomes true.
  std::unique_ptr<Worker> take(const std::atomic<bool>* cancel = nullptr);
  /// Gives a sound worker back.
  void give(std::unique_ptr<Worker> worker) noexcept;
  /// Clears the memory of workers that are gone: for a thread that waits for its own worker.
  void tidy() noexcept;
  /// Ends a worker. `why` is empty if it ended by itself; otherwise it is the reason of the host,
  /// such as "it wrote to its result after the answer". Returns the error for the caller.
  Error end(std::unique_ptr<Worker> worker, const std::string& why);

  /// True if workers cannot open the files of segments again, so that what one has given away stays
  /// as it is.
  bool is_confined() const;
  /// A number for an object that workers open.
  std::uint64_t new_number() noexcept { return next_number_.fetch_add(1); }
  /// Tells the user something that is not an error.
  void warn(const std::string& line) const noexcept;
  /// No worker needs the object any more.
  void forget(std::uint64_t number) noexcept;

  /// Memory for calls.
  SegmentPool& segments() const noexcept { return *segments_; }

  bool is_isolated() const noexcept override { return true; }
  std::shared_ptr<const IsolationReport> isolation() const override;

 private:
  void start_if_needed(const std::atomic<bool>* cancel = nullptr);
  void start(const std::atomic<bool>* cancel = nullptr);
  void log(const std::string& text) noexcept;
  /// Passes on what the plugin logged outside of workers.
  void log_lines() noexcept;
  void end_all() noexcept;
  void retire(std::unique_ptr<Worker> worker) noexcept;
  /// Asks for as many workers as should be ready. `retired`: see Zygote::fork_ahead().
  void fork_ahead(const SegmentSizes& sizes, std::uint64_t retired);
  /// Forgets retired workers that are gone: their segments can be used again.
  void forget_leaving() noexcept;

  const PluginFiles files_;
  const IsolationRule rule_;
  const LogHook log_;
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;  // that the zygote has sent
  std::unique_ptr<Zygote> zygote_;
  bool is_loaded_ = false;
  int process_;  // of the host: a fork of it starts over
  const std::shared_ptr<SegmentPool> segments_;
  std::vector<std::unique_ptr<Worker>> idle_;
  std::vector<std::unique_ptr<Worker>> leaving_;  // retired, and perhaps not gone yet
  std::size_t busy_ = 0;                          // workers that calls have
  std::vector<std::uint64_t> forgotten_;
  std::atomic<std::uint64_t> next_number_{1};
  std::uint64_t starts_ = 0, deaths_ = 0, kills_ = 0;
  std::chrono::steady_clock::time_point log_from_{};
  std::uint32_t logged_ = 0;
};

}  // namespace polycodec::isolation
