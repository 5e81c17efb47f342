// SPDX-License-Identifier: MIT
#include "registry/sandbox/worker.hpp"

#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>

#include "core/call/border.hpp"
#include "registry/isolation/window.hpp"
#include "registry/sandbox/confine.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace polycodec::sandbox {

using isolation::number;
using isolation::pointer;
using isolation::RangeSink;
using isolation::StagedInput;
using isolation::StagedOutput;

Worker::Worker(const LoadedPlugin& plugin, const Manifest& manifest, const IsolationRule& rule,
               std::span<const std::string_view> code, isolation::Channel channel,
               isolation::Range window, std::uint64_t stack_bytes)
    : plugin_(plugin), manifest_(manifest), rule_(rule), code_(code) {
  link_.channel = std::move(channel);
  link_.window = window;
  link_.functions = &plugin.functions;
  link_.stack_bytes = stack_bytes;
}

namespace {

/// For the handler of forbidden system calls.
const isolation::Channel* channel_to_host = nullptr;

void report_forbidden(int number_of_call) {
  Message message;
  message.op = Op::forbidden;
  message.a[0] = static_cast<std::uint64_t>(number_of_call);
  channel_to_host->send(message);
}

}  // namespace

/// Does what each call does, so that the pages of it are there before a call comes.
void Worker::rehearse() {
  constexpr std::size_t pages_at_once = std::size_t{64} << 10, most_pages = 16, stack = 16384;
  std::size_t n = 0;
  for (const std::string_view part : code_)
    for (std::size_t at = 0; at < part.size() && n < most_pages; at += pages_at_once, ++n)
      static_cast<void>(*static_cast<const volatile char*>(part.data() + at));
  std::array<volatile char, stack> below;
  for (std::size_t at = 0; at < stack; at += 4096) below[at] = 0;
  auto one = std::make_unique<MadeObject>();
  one->arena = std::make_unique<Arena>();
  auto error = make_error();
  {
    RemoteCall call(link_, one->arena->abi(), true);
    static_cast<void>(polycodec_arena_alloc(one->arena->abi(), 64, 8, &error));
  }
  made_[0] = std::move(one);
  made_.clear();
  static_cast<void>(is_spent(rule_));
}

void Worker::get_ready(const Message& first, std::vector<FileHandle>& descriptors) {
  channel_to_host = &link_.channel;
  const FileHandle process(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  if (!process.is_open()) ::_exit(1);
  const auto layers = confine_worker(rule_, &report_forbidden);
  map(first, descriptors);
  if (link_.in_size != 0) rehearse();
  Message ready;
  ready.op = Op::ready;
  ready.a[0] = static_cast<std::uint64_t>(::getpid());
  ready.a[1] = static_cast<std::uint64_t>(layers[0].error);
  ready.a[2] = static_cast<std::uint64_t>(layers[1].error);
  const int descriptor[] = {process.get()};
  if (!link_.channel.send(ready, descriptor)) ::_exit(0);
}

void Worker::run(const Message& first, std::vector<FileHandle> descriptors) {
  get_ready(first, descriptors);
  for (;;) {
    Message request;
    descriptors.clear();
    if (link_.channel.receive(request, &descriptors) != isolation::Received::packet) ::_exit(0);
    if (request.op == Op::close) {
      made_.erase(request.a[0]);
      continue;
    }
    Message answer;
    if (!map(request, descriptors)) {
      answer.op = Op::unmapped;
      answer.credit = request.credit;
      if (!link_.channel.send(answer)) ::_exit(0);
      continue;
    }
    link_.arena.use(link_.out, isolation::sink_begin(link_.out, link_.out_size));
    sink_end_ = isolation::sink_begin(link_.out, link_.out_size);
    link_.credit = request.credit;
    link_.has_told = false;
    CallError failure;
    answer.code = guard(failure.raw(), [&] { serve(request, answer); });
    if (answer.code != POLYCODEC_OK) report(answer, failure);
    link_.arena.release();
    answer.op = is_spent(rule_) ? Op::last_done : Op::done;
    answer.credit = link_.credit;
    answer.a[isolation::field::arena_end] = link_.arena.used_end();
    answer.a[isolation::field::sink_end] = sink_end_;
    release_if_large(answer);
    if (!link_.channel.send(answer)) ::_exit(0);
    unmap_file();
  }
}

void Worker::report(Message& answer, CallError& failure) {
  answer.a = {};
  answer.error = *failure.raw();
  if (!failure.is_cut()) return;
  try {
    const Error whole = failure.error(answer.code);
    bytes(answer, isolation::field::whole_message, to_bytes(whole.message()));
    bytes(answer, isolation::field::whole_path, to_bytes(whole.path()));
  } catch (const std::exception&) {  // without memory what fits into the fields must do
    answer.a = {};
  }
}

void Worker::unmap_file() noexcept {
  if (request_file_.size != 0) isolation::unmap_file(request_file_.begin, request_file_.size);
  request_file_ = link_.file = {};
}

/// The segments that the request came with take the places of earlier ones.
bool Worker::map(const Message& request, std::vector<FileHandle>& descriptors) {
  std::size_t next = 0;
  const auto take = [&](std::uint64_t bit, std::size_t at, std::uint64_t& begin,
                        std::uint64_t& size, bool writable) {
    if ((request.a[isolation::field::maps] & bit) == 0) return;
    if (size != 0) isolation::unmap_segment(begin, size);
    begin = request.a[at];
    size = request.a[at + 1];
    if (next == descriptors.size() ||
        !isolation::map_segment(descriptors[next++].get(), begin, size, writable))
      ::_exit(1);
  };
  take(isolation::field::maps_in, isolation::field::place_of_in, link_.in, link_.in_size, false);
  take(isolation::field::maps_out, isolation::field::place_of_out, link_.out, link_.out_size, true);
  if ((request.a[isolation::field::maps] & isolation::field::has_small_pages) != 0)
    isolation::use_small_pages(link_.out, link_.out_size);
  isolation::populate_pages(link_.out, request.a[isolation::field::warm]);
  bool is_mapped = true;
  if ((request.a[isolation::field::maps] & isolation::field::maps_file) != 0) {
    const isolation::Range file{request.a[isolation::field::place_of_file],
                                request.a[isolation::field::place_of_file + 1]};
    is_mapped = next < descriptors.size() &&
                isolation::map_file(descriptors[next].get(), file.begin, file.size);
    if (is_mapped) link_.file = request_file_ = file;
  }
  descriptors.clear();
  return is_mapped;
}

void Worker::release_if_large(Message& answer) {
  const std::uint64_t used = answer.a[isolation::field::arena_end] - link_.out +
                             answer.a[isolation::field::sink_end] -
                             isolation::sink_begin(link_.out, link_.out_size);
  if (used <= isolation::small_result) return;
  isolation::unmap_segment(link_.out, link_.out_size);
  link_.out = link_.out_size = 0;
  answer.a[isolation::field::released] = 1;
}

std::string_view Worker::region_of(const void* data, std::uint64_t size) const noexcept {
  std::string_view found = link_.arena.region_of(data, size);
  if (found.empty()) found = plugin_.hold->region_of(data, size);
  for (auto at = made_.begin(); found.empty() && at != made_.end(); ++at)
    if (at->second->arena != nullptr) found = at->second->arena->region_of(data, size);
  for (auto at = link_.types.begin(); found.empty() && at != link_.types.end(); ++at)
    found = region_around(at->second, data, size);
  return found;
}

MadeObject& Worker::find(std::uint64_t number) const {
  const auto at = made_.find(number);
  if (at == made_.end()) throw Error(Status::internal, "the worker has no such object");
  return *at->second;
}

void Worker::value(Message& answer, const polycodec_node* root, polycodec_call* call) {
  if (root == nullptr) return;
  isolation::ValueCopier copier(link_.arena.abi(), link_.out_range(), link_.in_range(),
                                call->limits->max_depth, call->limits->max_nodes, this, link_.file);
  answer.a[isolation::field::result] = number(copier.root(root));
}

void Worker::bytes(Message& answer, std::size_t at, polycodec_bytes bytes) {
  answer.a[at + 1] = bytes.size;
  if (bytes.size == 0) return;
  answer.a[at] = number(bytes.data);
  if (link_.shares(bytes.data, bytes.size)) return;
  auto error = make_error();
  void* const copy = polycodec_arena_alloc(link_.arena.abi(), bytes.size, 64, &error);
  if (copy == nullptr) throw to_error(error.code, error);
  std::memcpy(copy, bytes.data, static_cast<std::size_t>(bytes.size));
  answer.a[at] = number(copy);
}

std::unique_ptr<RangeSink> Worker::sink(bool contiguous, std::uint64_t max_output) const {
  const std::uint64_t begin = isolation::sink_begin(link_.out, link_.out_size);
  const std::uint64_t end = isolation::blob_begin(link_.out, link_.out_size);
  return std::make_unique<RangeSink>(begin, begin + std::min(max_output, end - begin), link_.window,
                                     contiguous);
}

/// Where the segments lie, for the host.
void Worker::output(Message& answer, RangeSink& sink) {
  std::vector<polycodec_bytes> parts = sink.finish();
  for (polycodec_bytes& part : parts)
    if (!link_.shares(part.data, part.size))
      throw Error(Status::plugin, "the output lies in memory of nobody");
  sink_end_ = sink.used_end();
  bytes(answer, isolation::field::segments,
        {parts.data(), std::uint64_t{parts.size()} * sizeof(polycodec_bytes)});
  answer.a[isolation::field::n_segments] = parts.size();
}

void Worker::serve(const Message& request, Message& answer) {
  if (const auto& first = link_.header().opening;
      first.number != 0 && !made_.contains(first.number))
    open(first);
  if (request.op == Op::open) {
    answer.a[isolation::field::result] = find(request.a[0]).functions;
    return;
  }
  if (request.op == Op::store_open || request.op == Op::store_create ||
      request.op == Op::store_edit)
    return open_store(request, answer);
  RemoteCall call(link_, link_.arena.abi(), false);
  log_waiting_lines();
  switch (request.op) {
    case Op::sniff:
      return sniff(request, answer, call);
    case Op::decode:
    case Op::encode:
    case Op::encoded_size:
    case Op::list:
      return serve_codec(request, answer, call);
    case Op::open_reader:
    case Op::next:
    case Op::open_writer:
    case Op::append:
    case Op::finish:
      return serve_stream(request, answer, call);
    case Op::filter_encode:
    case Op::filter_decode:
    case Op::filter_size:
      return serve_filter(request, answer, call);
    case Op::call_function:
      return call_function(request, answer, call);
    case Op::begin_blob:
    case Op::blob_data:
    case Op::remove_blob:
    case Op::commit:
      return serve_store_writer(request, call);
    default:
      return serve_store(request, answer, call);
  }
}

void Worker::call_function(const Message& request, Message& answer, RemoteCall& call) {
  const auto& path = manifest_.functions.at(static_cast<std::size_t>(request.a[0]));
  const std::vector<std::string_view> parts(path.begin(), path.end());
  const polycodec_function* const function = plugin_.functions.find(parts);
  const polycodec_node* root = nullptr;
  call_plugin(function->call, function, call.abi(), pointer<const polycodec_node>(request.a[1]),
              pointer<const polycodec_node>(request.a[2]), &root);
  value(answer, root, call.abi());
}

}  // namespace polycodec::sandbox
