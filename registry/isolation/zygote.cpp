// SPDX-License-Identifier: MIT
#include "registry/isolation/zygote.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "registry/isolation/spawn.hpp"
#include "registry/load/library.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <csignal>
#include <utility>

namespace polycodec::isolation {
namespace {

/// A user who waits as long as this wants to know for whom.
constexpr std::chrono::seconds notice_time{1};

std::string to_text(std::uint64_t number) {
  return std::to_string(number);
}

}  // namespace

std::string join_parameters(const std::vector<std::string>& parameters) {
  std::string text;
  for (const std::string& parameter : parameters) text.append(parameter).push_back('\0');
  return text;
}

std::vector<std::string> split_parameters(std::string_view text) {
  std::vector<std::string> parameters;
  while (!text.empty()) {
    const auto end = std::min(text.find('\0'), text.size());
    parameters.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parameters;
}

std::string layers_to_text(std::span<const LayerResult> layers) {
  std::vector<std::string> parts;
  for (const LayerResult& result : layers) {
    parts.push_back(std::to_string(static_cast<int>(result.layer)));
    parts.push_back(std::to_string(result.error));
  }
  return join_parameters(parts);
}

std::vector<LayerResult> layers_from_text(std::string_view text) {
  std::vector<LayerResult> layers;
  const auto parts = split_parameters(text);
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    int layer = 0;
    LayerResult result;
    std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), layer);
    std::from_chars(parts[i + 1].data(), parts[i + 1].data() + parts[i + 1].size(), result.error);
    result.layer = static_cast<Layer>(std::clamp(layer, 0, static_cast<int>(Layer::not_dumpable)));
    layers.push_back(result);
  }
  return layers;
}

void Zygote::start() {
  auto [own, other] = Channel::make();
  process_.pid = spawn_sandbox(other.descriptor());
  channel_ = std::move(own);
}

std::string describe_ending(int status) {
  if (status < 0) return "its process ended";
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* const name = ::sigabbrev_np(signal);
    return "signal " + std::to_string(signal) +
           (name == nullptr ? std::string() : std::string(", SIG") + name) +
           (signal == SIGSYS ? ": it made a forbidden system call" : "") +
           (signal == SIGXCPU ? ": it exceeded cpu_seconds" : "");
  }
  return "it exited with status " + std::to_string(WEXITSTATUS(status));
}

Zygote::Zygote(const PluginFiles& files, const IsolationRule& rule, std::vector<std::string>& lines,
               const Waiting& waiting)
    : patience_(static_cast<int>(std::min<std::uint32_t>(rule.load_seconds, INT_MAX / 1000)) *
                1000),
      lines_(lines) {
  const Window& window = Window::instance();
  const std::vector<std::string> parameters = {
      POLYCODEC_VERSION,          to_text(window.base()),
      to_text(window.size()),     files.id,
      files.manifest_path,        files.library_path,
      to_text(rule.memory_bytes), to_text(rule.cpu_seconds)};
  std::vector<int> descriptors;
  if (files.library.is_open()) descriptors = {files.manifest.get(), files.library.get()};
  for (const FileHandle& library : files.libraries) descriptors.push_back(library.get());
  start();
  Message message;
  std::vector<FileHandle> received;
  message.op = Op::load;
  std::string text;
  static_cast<void>(channel_.send(message, descriptors, join_parameters(parameters)));
  await_loading(files, waiting, message, received, text);
  if (message.code != POLYCODEC_OK)
    throw LoadFailure{
        static_cast<Stage>(std::min(message.a[0], static_cast<std::uint64_t>(Stage::interface))),
        to_error(message.code, message.error).message()};
  layers_ = layers_from_text(text);
  if (!received.empty()) memory_files_ = std::move(received.front());
  channel_.set_timeout(patience_);
}

void Zygote::await_loading(const PluginFiles& files, const Waiting& waiting, Message& message,
                           std::vector<FileHandle>& received, std::string& text) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const std::string seconds = std::to_string(patience_ / 1000);
  channel_.set_timeout(tick_milliseconds);
  for (bool is_reported = false;;) {
    switch (receive(message, &received, &text)) {
      case Received::packet:
        return;
      case Received::nothing_yet:
        break;
      default:
        channel_ = Channel();
        throw LoadFailure{Stage::load, "it ended while it was loaded (" +
                                           describe_ending(process_.ending()) +
                                           "): look at its constructors and its init function"};
    }
    const auto waited = Clock::now() - begin;
    if (waiting.cancel != nullptr && waiting.cancel->load())
      throw Error(Status::cancelled, "the plugin " + quote(files.id) + " was not waited for");
    if (patience_ != 0 && waited > std::chrono::milliseconds(patience_))
      throw LoadFailure{Stage::load,
                        "it took longer to load than load_seconds of policy.isolation (" + seconds +
                            "): look at its constructors and its init function"};
    if (is_reported || waited < notice_time) continue;
    is_reported = true;
    waiting.report("waiting for plugin " + quote(files.id) + " to load" +
                   (patience_ == 0 ? "" : ": it has " + seconds + " seconds"));
  }
}

Received Zygote::receive(Message& message, std::vector<FileHandle>* descriptors,
                         std::string* text) {
  std::string line;
  for (std::size_t n = 0; n <= most_lines; ++n) {
    const Received received = channel_.receive(message, descriptors, &line);
    if (received != Received::packet || message.op != Op::log) {
      if (text != nullptr) *text = std::move(line);
      return received;
    }
    lines_.push_back(line);
  }
  return Received::malformed;
}

void Zygote::leave() noexcept {
  try {
    coming_.clear();
    channel_.set_timeout(ending_milliseconds);
    Message message;
    message.op = Op::leave;
    if (channel_.send(message)) receive(message);
  } catch (const std::exception&) {  // NOLINT: the lines are lost
  }
}

Zygote::~Zygote() {
  channel_ = Channel();
  process_.wait();
}

bool ChildProcess::wait() noexcept {
  if (pid <= 0) return true;
  const FileHandle process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  pollfd ended{process.get(), POLLIN, 0};
  return process.is_open() && ::poll(&ended, 1, 2 * ending_milliseconds) == 1;
}

int ChildProcess::ending() noexcept {
  int status = 0;
  if (pid <= 0 || !wait() || ::waitpid(pid, &status, WNOHANG) != pid) return -1;
  pid = -1;
  if (!WIFEXITED(status)) return -1;
  const int code = WEXITSTATUS(status);  // as shells have it
  return code > 128 ? code - 128 : code << 8;
}

ChildProcess::~ChildProcess() {
  if (pid <= 0) return;
  ::kill(pid, SIGKILL);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Zygote::request(Message& message) {
  if (!channel_.send(message) || receive(message) != Received::packet)
    throw Error(Status::plugin, "the process that loads the isolated plugin has ended");
}

std::array<std::uint64_t, 4> Zygote::describe(std::uint64_t index, bool is_function) {
  Message message;
  message.op = Op::describe;
  message.a[0] = index;
  message.a[1] = is_function ? 1 : 0;
  request(message);
  return {message.a[0], message.a[1], message.a[2], message.a[3]};
}

void Zygote::fork_ahead(std::shared_ptr<Segment> in, std::shared_ptr<Segment> out,
                        std::uint64_t retired) {
  auto [own, other] = Channel::make();
  auto worker = std::make_unique<Worker>();
  Message message;
  message.op = Op::fork;
  message.a[0] = retired;
  std::array<int, 3> descriptors{other.descriptor()};
  std::size_t n = 1;
  const auto give = [&](Segment& segment, std::size_t at, std::uint64_t bit) {
    message.a[field::maps] |= bit;
    message.a[at] = segment.begin();
    message.a[at + 1] = segment.size();
    descriptors[n++] = segment.share_again();
  };
  if (in != nullptr && out != nullptr) {
    give(*in, field::place_of_in, field::maps_in);
    give(*out, field::place_of_out, field::maps_out);
    message.a[field::maps] |= field::has_small_pages;
    message.a[field::warm] = small_begin;
    worker->has_in = in->number();
    worker->has_out = true;
    worker->in = std::move(in);
    worker->out = std::move(out);
  }
  own.set_timeout(tick_milliseconds);
  worker->channel = std::move(own);
  coming_.push_back(std::move(worker));
  if (channel_.send(message, {descriptors.data(), n})) return;
  coming_.pop_back();
  throw Error(Status::plugin, "the process that loads the isolated plugin has ended");
}

std::unique_ptr<Worker> Zygote::fork() {
  if (coming_.empty()) fork_ahead(nullptr, nullptr, 0);
  auto worker = std::move(coming_.front());
  coming_.pop_front();
  Message message;
  std::vector<FileHandle> descriptors;
  Received received = Received::nothing_yet;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_);
  while (received == Received::nothing_yet &&
         (patience_ == 0 || std::chrono::steady_clock::now() < until))
    received = worker->channel.receive(message, &descriptors);
  if (received == Received::packet && message.code != POLYCODEC_OK)
    throw to_error(message.code, message.error);
  if (received != Received::packet || message.op != Op::ready || descriptors.size() != 1)
    throw Error(Status::plugin, "a worker of the isolated plugin ended before its first call");
  worker->process = std::move(descriptors.front());
  worker->pid = message.a[0];
  worker->layers = {LayerResult{Layer::limits, static_cast<int>(message.a[1])},
                    LayerResult{Layer::seccomp, static_cast<int>(message.a[2])}};
  return worker;
}

Ending Zygote::end(const Worker& worker) noexcept {
  ::syscall(SYS_pidfd_send_signal, worker.process.get(), SIGKILL, nullptr, 0);
  Message message;
  message.op = Op::reap;
  message.a[0] = worker.pid;
  try {
    request(message);
    return {static_cast<int>(message.a[0]), message.a[1]};
  } catch (const std::exception&) {
    return {};
  }
}

void Zygote::retire(const Worker& worker) noexcept {
  Message message;
  message.op = Op::retire;
  message.a[0] = worker.pid;
  channel_.send(message);
}

void Zygote::add_layers(std::span<const LayerResult> more) {
  for (const LayerResult& result : more) {
    const auto at = std::ranges::find(layers_, result.layer, &LayerResult::layer);
    if (at == layers_.end())
      layers_.push_back(result);
    else
      *at = result;
  }
}

}  // namespace polycodec::isolation
