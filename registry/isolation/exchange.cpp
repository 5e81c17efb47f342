// SPDX-License-Identifier: MIT
#include "registry/isolation/exchange.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/call/call_state.hpp"
#include "registry/isolation/service.hpp"
#include "registry/isolation/system_call_name.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::isolation {
namespace {

constexpr std::uint64_t slack = std::uint64_t{16} << 20;
constexpr std::uint64_t most_memory = std::uint64_t{64} << 30;
/// Credit that a worker gets at once, for some 16 milliseconds: each question for more costs two
/// switches between processes.
constexpr std::uint64_t credit_ahead = 3'200'000;
/// A worker that does not notice that its call was cancelled is ended after this.
constexpr std::chrono::milliseconds grace{1000};
/// A call that takes as long as this has a line in the log.
constexpr std::chrono::seconds long_time{10};

}  // namespace

const void* Served::find(Kind kind, Handle handle) const {
  if (handle == 0 || handle > all_.size() || all_[handle - 1].kind != kind)
    throw Error(Status::plugin, "the isolated plugin asked for a file or store that it has not");
  return all_[handle - 1].object;
}

Exchange::Exchange(Seat& seat, polycodec_call* call, std::uint64_t bytes, Served& served)
    : seat_(seat), call_(call), served_(served), started_(std::chrono::steady_clock::now()) {
  if (seat_.worker == nullptr)
    throw Error(Status::plugin,
                "the worker that had this object has ended: open the file or stream again");
  prepare_segments(bytes);
  const std::uint64_t begin = worker().in->begin();
  in_ = worker().in;
  staging_.use(align_up(begin + sizeof(CallHeader), 64), begin + worker().in->size());
  auto& header = *pointer<CallHeader>(begin);
  header = {};
  header.limits = *call_->limits;
  // What the host keeps in a file, the worker has in memory.
  if (static_cast<CallState*>(call_->private_data)->budget.limits().max_memory_bytes ==
      Limits::by_input)
    header.limits.max_memory_bytes =
        std::min(header.limits.max_memory_bytes, Limits::half_of_machine());
  header.depth = call_->depth;
  if (call_->projection == nullptr) return;
  header.has_projection = 1;
  header.projection = *call_->projection;
  const std::uint32_t n = header.projection.n_paths;
  auto* const paths = static_cast<polycodec_bytes*>(allocate(n * sizeof(polycodec_bytes), 8));
  for (std::uint32_t i = 0; i < n; ++i) paths[i] = stage(call_->projection->paths[i]);
  header.projection.paths = paths;
}

void Exchange::note_staged() noexcept {
  if (in_ != nullptr) in_->dirty = std::max(in_->dirty, staging_.used_end() - in_->begin());
}

void Exchange::prepare_segments(std::uint64_t bytes) {
  Worker& to = worker();
  const std::uint64_t most = largest_segment();
  const std::uint64_t in = std::min(std::min(bytes, std::uint64_t{1} << 40) * 2 + slack, most);
  const polycodec_limits& limits = *call_->limits;
  const std::uint64_t half =
      std::min({std::max(limits.max_memory_bytes, limits.max_output_bytes), most_memory, most / 2});
  const bool is_small = !seat_.plugin->rule().reuse && bytes <= small_result;
  if (to.in == nullptr || to.in->size() < in) {
    to.in = seat_.plugin->segments().take(Writer::host, in);
  }
  if (to.out == nullptr || to.out->size() < 2 * half) {
    to.has_out = false;
    to.out = seat_.plugin->segments().take(Writer::worker, 2 * half, is_small);
  }
  to.sizes = {in, 2 * half, is_small};
}

Message Exchange::run(Op op, std::uint64_t object, std::uint64_t staged, std::uint64_t third,
                      std::uint64_t fourth) {
  Message request;
  request.op = op;
  is_sniff_ = op == Op::sniff;
  request.a[0] = object;
  request.a[1] = staged;
  request.a[2] = third;
  request.a[3] = fourth;
  start(request);
  seat_.plugin->tidy();
  Service service(*this);
  for (;;) {
    Message message = receive();
    if (message.credit > granted_) fail("it has more credit than it was granted");
    call_->credit = message.credit;
    if (message.op == Op::unmapped) {
      copy_file();
      call_->credit = message.credit;
      start(request);
      continue;
    }
    if (message.op == Op::forbidden)
      fail_at_call(system_call_name(static_cast<long>(message.a[0])));
    if (message.op == Op::done || message.op == Op::last_done) {
      worker().is_spent = message.op == Op::last_done;
      granted_ = 0;
      check_answer(message);
      return message;
    }
    const Message reply = service.answer(message);
    if (seat_.worker == nullptr) throw to_error(reply.code, reply.error);
    if (!worker().channel.send(reply)) fail({});
  }
}

void Exchange::start(Message& request) {
  Worker& to = worker();
  buy_credit();
  request.credit = granted_ = call_->credit;
  call_->credit = 0;
  request.a[field::maps] = 0;
  std::array<FileHandle, 2> files;
  std::array<int, 3> descriptors{};
  std::size_t n = 0;
  const auto place = [&](const Segment& segment, std::size_t at, std::uint64_t bit, bool has) {
    request.a[at] = segment.begin();
    request.a[at + 1] = segment.size();
    if (has) return;
    request.a[field::maps] |= bit;
    files[n] = segment.share();
    descriptors[n] = files[n].get();
    ++n;
  };
  place(*to.in, field::place_of_in, field::maps_in, to.has_in == to.in->number());
  place(*to.out, field::place_of_out, field::maps_out, to.has_out);
  request.a[field::warm] = to.has_out ? 0 : to.out->arena_touched;
  if (!to.has_out && to.sizes.is_small && to.out->arena_touched == 0)
    request.a[field::maps] |= field::has_small_pages;
  to.has_in = to.in->number();
  to.has_out = true;
  if (shared_.is_new) {
    request.a[field::maps] |= field::maps_file;
    request.a[field::place_of_file] = shared_range().begin;
    request.a[field::place_of_file + 1] = shared_range().size;
    descriptors[n++] = shared_.file->descriptor();
  }
  if (!to.channel.send(request, {descriptors.data(), n})) fail({});
}

void Exchange::buy_credit() noexcept {
  const std::uint64_t credit = call_->credit;
  auto error = make_error();
  // What is spent here is the worker's to spend. A budget that has less left gives no more.
  if (call_->spend(call_, credit + credit_ahead, &error) == POLYCODEC_OK)
    call_->credit += credit + credit_ahead;
}

Message Exchange::receive() {
  Message message;
  for (;;) {
    switch (worker().channel.receive(message)) {
      case Received::packet:
        return message;
      case Received::nothing_yet:
        check_clock();
        break;
      case Received::closed:
        fail({});
      case Received::malformed:
        fail("it sent a malformed message");
    }
  }
}

void Exchange::check_clock() {
  const auto now = std::chrono::steady_clock::now();
  const std::uint32_t most = seat_.plugin->rule().wall_seconds;
  if (most != 0 && now - started_ > std::chrono::seconds(most))
    fail("the call took longer than wall_seconds (" + std::to_string(most) + ")");
  if (!is_noticed_ && now - started_ > long_time) {
    is_noticed_ = true;
    seat_.plugin->warn("a call of plugin " + quote(seat_.plugin->id()) + " has taken " +
                       std::to_string(long_time.count()) + " seconds" +
                       (most == 0 ? "" : "; wall_seconds ends it after " + std::to_string(most)));
  }
  // Asks whether the caller, or the deadline of the call, wants an end.
  auto error = make_error();
  const std::int32_t code = call_->spend(call_, 0, &error);
  if (code == POLYCODEC_OK) {
    granted_ += call_->credit;
    return;
  }
  if (!cancelled_) cancelled_ = now;
  if (!is_sniff_ && now - *cancelled_ < grace) return;
  static_cast<void>(seat_.plugin->end(std::move(seat_.worker), "it did not stop when cancelled"));
  throw to_error(code, error);
}

void Exchange::fail_at_call(const std::string& name) {
  constexpr std::string_view opening[] = {"open", "openat", "openat2", "socket"};
  const bool opens = std::ranges::find(opening, name) != std::end(opening);
  fail("it made the forbidden system call " + name +
       (opens ? ", and can open things in its init function only" : ""));
}

void Exchange::fail(const std::string& why) {
  struct stat status {};
  const bool cut = shared_.file != nullptr && ::fstat(shared_.file->descriptor(), &status) == 0 &&
                   static_cast<std::uint64_t>(status.st_size) < shared_range().size;
  if (cut) {
    static_cast<void>(seat_.plugin->end(std::move(seat_.worker), why));
    throw Error(Status::io,
                "the input was cut short while it was read: try again when nobody "
                "writes to it");
  }
  throw seat_.plugin->end(std::move(seat_.worker), why);
}

void Exchange::check_answer(const Message& answer) {
  const std::uint64_t begin = worker().out->begin(), size = worker().out->size();
  const std::uint64_t middle = sink_begin(begin, size);
  if (answer.a[field::arena_end] < begin || answer.a[field::arena_end] > middle ||
      answer.a[field::sink_end] < middle || answer.a[field::sink_end] > begin + size)
    fail("its answer lies outside of its memory");
  if (answer.code == POLYCODEC_OK) return;
  // Perhaps opening has failed.
  const std::uint64_t opening = pointer<const CallHeader>(worker().in->begin())->opening.number;
  if (worker().opened.erase(opening) != 0) worker().close(opening);
  CallError failure;
  *failure.raw() = answer.error;
  // The worker may write to it while it is read.
  const auto text = [&](std::size_t at) {
    const std::uint64_t from = answer.a[at];
    const std::uint64_t taken = std::min<std::uint64_t>(answer.a[at + 1], detail::max_error_bytes);
    if (taken != 0 && !worker().out->holds(from, taken))
      fail("its error lies outside of its memory");
    return std::string(to_string_view(pointer<const void>(from), taken));
  };
  if (answer.a[field::whole_message + 1] != 0) {
    const std::string message = text(field::whole_message), path = text(field::whole_path);
    failure.hear(to_bytes(message), to_bytes(path));
  }
  finish(answer);
  if (answer.code < 0 || answer.code >= POLYCODEC_STATUS_COUNT)
    throw Error(Status::plugin, "the isolated plugin reported an unknown status");
  throw failure.error(answer.code);
}

}  // namespace polycodec::isolation
