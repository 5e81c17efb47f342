// SPDX-License-Identifier: MIT
#include "registry/isolation/isolated_plugin.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/call/border.hpp"
#include "registry/isolation/system_call_name.hpp"
#include "registry/load/isolation_rule.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <new>
#include <string>
#include <utility>

namespace polycodec::isolation {
namespace {

/// Deaths that are logged in a minute.
constexpr std::uint32_t max_logged = 6;
/// Idle workers that are kept for later calls.
constexpr std::size_t max_idle = 32;
/// Retired workers that nobody waits for.
constexpr std::size_t max_leaving = 8;
/// Workers that are forked ahead where each call has a new one: a call that follows at once finds
/// one that is ready, or nearly so.
constexpr std::size_t most_ahead = 2;

/// What it used of its memory, if that was nearly all: a plugin ends in many ways then.
std::string memory_note(std::uint64_t bytes, std::uint64_t most) {
  if (most == 0 || bytes < most - most / 8) return {};
  return "; it used " + std::to_string(bytes >> 20) + " MiB, and memory allows " +
         std::to_string(most >> 20);
}

polycodec_log_level level_of(char digit) {
  return digit >= '0' && digit < '0' + POLYCODEC_LOG_COUNT
             ? static_cast<polycodec_log_level>(digit - '0')
             : POLYCODEC_LOG_INFO;
}

/// True if workers can open and cut no file.
bool confines(const std::vector<LayerResult>& layers) {
  return std::ranges::any_of(
      layers, [](const LayerResult& one) { return one.layer == Layer::seccomp && one.error == 0; });
}

}  // namespace

IsolatedPlugin::IsolatedPlugin(PluginFiles files, const IsolationRule& rule, LogHook log,
                               const std::atomic<bool>* cancel)
    : PluginHold(nullptr),
      files_(std::move(files)),
      rule_(rule),
      log_(std::move(log)),
      process_(::getpid()),
      segments_(std::make_shared<SegmentPool>(!rule.reuse)) {
  try {
    give(take(cancel));  // the layers of a worker are known when there is one
    log_lines();
  } catch (const LoadFailure&) {
    log_lines();
    throw;
  } catch (const Error& e) {
    log_lines();
    if (e.code() == Status::cancelled) throw;
    throw LoadFailure{Stage::load, e.message()};
  }
  const std::scoped_lock lock(mutex_);
  if (confines(zygote_->layers())) segments_->use_directory(zygote_->take_memory_files());
  const std::uint32_t missing = missing_layers(rule_, zygote_->layers());
  if (missing != 0)
    throw LoadFailure{Stage::policy,
                      "the kernel does not allow the layer " +
                          std::string(layer_name(static_cast<Layer>(std::countr_zero(missing)))) +
                          ", which policy.isolation requires: allow it, or require less"};
  is_loaded_ = true;
}

IsolatedPlugin::~IsolatedPlugin() {
  if (process_ == ::getpid() && zygote_ != nullptr) {
    zygote_->leave();
    log_lines();
  }
  end_all();
}

void IsolatedPlugin::log_lines() noexcept {
  for (const std::string& line : std::exchange(lines_, {}))
    if (log_ && !line.empty())
      give_back([&] { log_(level_of(line.front()), "plugin", line.substr(1)); });
}

void IsolatedPlugin::end_all() noexcept {
  if (process_ == ::getpid()) return;  // members end their processes
  // Those of the parent process, which go on there.
  for (auto& worker : idle_) static_cast<void>(worker.release());
  for (auto& worker : leaving_) static_cast<void>(worker.release());
  idle_.clear();
  leaving_.clear();
  static_cast<void>(zygote_.release());
}

void IsolatedPlugin::start_if_needed(const std::atomic<bool>* cancel) {
  if (process_ != ::getpid()) {
    end_all();
    process_ = ::getpid();
  }
  if (zygote_ == nullptr) start(cancel);
}

void IsolatedPlugin::start(const std::atomic<bool>* cancel) {
  const Waiting waiting{cancel, [this](const std::string& line) { warn(line); }};
  try {
    zygote_ = std::make_unique<Zygote>(files_, rule_, lines_, waiting);
  } catch (const LoadFailure& failure) {
    if (!is_loaded_) throw;
    throw Error(Status::plugin, "the isolated plugin " + quote(files_.id) +
                                    " cannot be started again: " + failure.reason);
  }
}

std::array<std::uint64_t, 4> IsolatedPlugin::describe(std::uint64_t index, bool is_function) {
  const std::scoped_lock lock(mutex_);
  start_if_needed();
  return zygote_->describe(index, is_function);
}

std::unique_ptr<Worker> IsolatedPlugin::take(const std::atomic<bool>* cancel) {
  const std::scoped_lock lock(mutex_);
  start_if_needed(cancel);
  if (!idle_.empty()) {
    auto worker = std::move(idle_.back());
    idle_.pop_back();
    for (const std::uint64_t number : forgotten_)
      if (worker->opened.erase(number) != 0) worker->close(number);
    ++busy_;
    return worker;
  }
  for (bool again = true;; again = false) {
    try {
      auto worker = zygote_->fork();
      ++starts_;
      ++busy_;
      zygote_->add_layers(worker->layers);
      return worker;
    } catch (const Error&) {
      zygote_.reset();
      if (!again) throw;
      start();
    }
  }
}

void IsolatedPlugin::give(std::unique_ptr<Worker> worker) noexcept {
  const std::scoped_lock lock(mutex_);
  if (process_ != ::getpid()) return;
  if (busy_ != 0) --busy_;
  if (rule_.reuse && !worker->is_spent && zygote_ != nullptr && idle_.size() < max_idle) try {
      idle_.push_back(std::move(worker));
      // A number stays until no idle worker has the object.
      std::erase_if(forgotten_, [&](std::uint64_t number) {
        return busy_ == 0 && std::ranges::none_of(idle_, [&](const auto& one) {
                 return one->opened.contains(number);
               });
      });
      return;
    } catch (const std::bad_alloc&) {  // NOLINT: one worker less
    }
  if (zygote_ != nullptr && worker != nullptr) retire(std::move(worker));
}

void IsolatedPlugin::retire(std::unique_ptr<Worker> worker) noexcept {
  forget_leaving();
  if (leaving_.size() < max_leaving) try {
      leaving_.reserve(max_leaving);
      leaving_.push_back(std::move(worker));
      const Worker& last = *leaving_.back();
      const std::size_t before = zygote_->coming();
      try {
        fork_ahead(last.sizes, last.pid);
      } catch (const std::exception&) {  // NOLINT: the next call asks again, and reports it
      }
      if (zygote_->coming() == before) zygote_->retire(last);
      return;
    } catch (const std::bad_alloc&) {  // NOLINT: the other way needs no memory
    }
  zygote_->end(*worker);
}

void IsolatedPlugin::fork_ahead(const SegmentSizes& sizes, std::uint64_t retired) {
  // Large calls take so long that one worker gets ready meanwhile, and segments with many pages
  // should not lie there.
  const std::size_t wanted = sizes.is_small ? most_ahead : 1;
  for (; zygote_->coming() < wanted; retired = 0) {
    std::shared_ptr<Segment> in, out;
    if (sizes.is_small) {
      in = segments_->take(Writer::host, sizes.in);
      out = segments_->take(Writer::worker, sizes.out, true);
    }
    zygote_->fork_ahead(std::move(in), std::move(out), retired);
  }
}

void IsolatedPlugin::tidy() noexcept {
  const std::scoped_lock lock(mutex_);
  if (process_ == ::getpid()) forget_leaving();
}

void IsolatedPlugin::forget_leaving() noexcept {
  std::erase_if(leaving_, [](const auto& worker) {
    pollfd ended{worker->process.get(), POLLIN, 0};
    return ::poll(&ended, 1, 0) != 0;
  });
}

Error IsolatedPlugin::end(std::unique_ptr<Worker> worker, const std::string& why) {
  std::string cause;
  {
    const std::scoped_lock lock(mutex_);
    const Ending ended = zygote_ == nullptr ? Ending{} : zygote_->end(*worker);
    if (ended.status < 0) zygote_.reset();
    if (busy_ != 0) --busy_;
    ++(why.empty() ? deaths_ : kills_);
    cause = why.empty()
                ? describe_ending(ended.status) + memory_note(ended.bytes, rule_.memory_bytes)
                : why;
  }
  const std::string message =
      "the isolated plugin " + quote(files_.id) + " failed (" + cause + "): its worker is ended";
  log(message + "; the next call starts another one");
  return Error(Status::plugin, message + "; report this to the author of the plugin");
}

void IsolatedPlugin::forget(std::uint64_t number) noexcept {
  const std::scoped_lock lock(mutex_);
  try {
    if (busy_ != 0 || !idle_.empty()) forgotten_.push_back(number);
  } catch (const std::bad_alloc&) {  // NOLINT: the workers keep the object
  }
}

void IsolatedPlugin::warn(const std::string& line) const noexcept {
  if (log_) give_back([&] { log_(POLYCODEC_LOG_WARNING, "isolation", line); });
}

void IsolatedPlugin::log(const std::string& text) noexcept {
  if (!log_) return;
  {
    const std::scoped_lock lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - log_from_ > std::chrono::minutes(1)) {
      log_from_ = now;
      logged_ = 0;
    }
    if (++logged_ > max_logged) return;
  }
  give_back([&] { log_(POLYCODEC_LOG_ERROR, "isolation", text); });
}

bool IsolatedPlugin::is_confined() const {
  const std::scoped_lock lock(mutex_);
  return zygote_ != nullptr && confines(zygote_->layers());
}

std::shared_ptr<const IsolationReport> IsolatedPlugin::isolation() const {
  const std::scoped_lock lock(mutex_);
  auto report = std::make_shared<IsolationReport>();
  report->rule = rule_;
  if (zygote_ != nullptr) report->layers = zygote_->layers();
  report->starts = starts_;
  report->deaths = deaths_;
  report->kills = kills_;
  return report;
}

}  // namespace polycodec::isolation
