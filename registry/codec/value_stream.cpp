// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>

#include "core/call/budget.hpp"
#include "core/frame/message.hpp"
#include "core/frame/stream_buffer.hpp"
#include "core/io/sink_state.hpp"
#include "core/io/stream_io.hpp"
#include "core/value/arena.hpp"
#include "core/value/host_meter.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/filters.hpp"
#include "registry/codec/narrow.hpp"
#include "registry/codec/output_regions.hpp"
#include "registry/codec/pull_value.hpp"
#include "registry/session/instance.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

namespace polycodec {
namespace {

constexpr std::size_t least_window = std::size_t{64} << 10;

/// What readers and writers have: an arena that lives as long as they, and one budget for all
/// values of the stream.
struct StreamBase {
  StreamBase(std::shared_ptr<const CodecInstance> with, CallOptions given)
      : instance(std::move(with)),
        options(std::move(given)),
        terms(instance->session, options, instance->is_tolerant),
        arena(UINT64_MAX, &terms.budget) {}
  StreamBase(const StreamBase&) = delete;
  StreamBase& operator=(const StreamBase&) = delete;

  std::shared_ptr<const CodecInstance> instance;
  const CallOptions options;
  const CallTerms terms;
  Arena arena;
};

void refuse_filters(const Codec& codec) {
  if (!codec.filters_json().empty())
    throw Error(Status::unsupported, "a stream of values can't have filters")
        .codec(codec.info().name);
}

// -- reading --

/// What the values of a stream keep.
struct StreamReader : StreamBase {
  StreamReader(std::shared_ptr<const CodecInstance> with, CallOptions given)
      : StreamBase(std::move(with), std::move(given)) {
    CallContext call(terms, arena.abi());
    reader = instance->open_reader(call);
  }
  ~StreamReader() {
    give_back([&] { reader->release(reader); });
  }
  polycodec_reader* reader = nullptr;
};

}  // namespace

struct ValueStream::State {
  /// Calls body(call) to decode what is held into `value`. False if there is nothing to try.
  template <class Body>
  bool decode(Value& value, const Body& body);
  /// Takes steps until there is a value, and returns its root; null: more bytes are needed.
  const polycodec_node* find(CallContext& call);
  void find_run(CallContext& call, Value& list, ValueRun& run);
  void accept_run(CallContext& call, Value& list, ValueRun& run);
  bool is_worth_trying() const noexcept { return ended || buffer.view().size() >= wanted; }

  std::shared_ptr<StreamReader> reader;
  StreamBuffer buffer;
  std::uint64_t wanted = 1;
  std::uint64_t counted = 0;  // bytes that the budget knows of
  bool ended = false;
  std::exception_ptr failure;  // of the value after the last run
};

ValueStream::ValueStream(Codec codec, CallOptions options) : state_(std::make_unique<State>()) {
  refuse_filters(codec);
  state_->reader = std::make_shared<StreamReader>(codec.instance_, std::move(options));
}

ValueStream::~ValueStream() = default;

void ValueStream::feed(std::string_view bytes) {
  state_->buffer.append(bytes);
}

void ValueStream::commit(std::size_t bytes) noexcept {
  state_->buffer.commit(bytes);
}

std::size_t ValueStream::held() const noexcept {
  return state_->buffer.view().size();
}

std::uint64_t ValueStream::position() const noexcept {
  return state_->buffer.position();
}

void ValueStream::end() noexcept {
  state_->ended = true;
}

bool ValueStream::is_worth_trying() const noexcept {
  return state_->is_worth_trying();
}

std::span<char> ValueStream::window() {
  return state_->buffer.window(std::max(least_window, state_->buffer.view().size() / 2));
}

template <class Body>
bool ValueStream::State::decode(Value& value, const Body& body) {
  const std::string_view held = buffer.view();
  if (held.empty() || !is_worth_trying()) return false;
  Budget& budget = reader->terms.budget;
  const std::uint64_t end = buffer.position() + held.size();
  budget.add_input(end - counted);
  counted = end;
  polycodec_arena* const arena = value.prepare(UINT64_MAX, &budget);
  struct Settle {
    Value& value;
    ~Settle() { value.arena().settle(false); }
  } settle{value};
  value.pin(buffer.pin(), held);
  value.arena().keep(reader->instance, {}, reader->instance.get());
  value.arena().keep(reader, {}, &reader->arena);
  CallContext call(reader->terms, arena);
  call.set_projection(reader->options.projection);
  body(call);
  return true;
}

const polycodec_node* ValueStream::State::find(CallContext& call) {
  const Budget& budget = call.pool();
  const CodecInstance& codec = *reader->instance;
  for (;;) {
    const std::string_view held = buffer.view();
    if (held.empty() || !is_worth_trying()) return nullptr;
    polycodec_step step{};
    step.struct_size = sizeof step;
    step.final = ended ? 1 : 0;
    step.bytes = to_bytes(held);
    bool found = false;
    try {
      found = codec.next(call, reader->reader, step);
    } catch (Error& e) {
      if (e.offset() != Error::no_offset) e.offset(e.offset() + buffer.position());
      throw;
    }
    buffer.consume(static_cast<std::size_t>(step.consumed));
    wanted = 1;
    if (found) return step.root;
    if (step.consumed != 0) continue;
    if (step.wanted > std::min(budget.max_memory(), budget.limits().max_input_bytes))
      throw Error(Status::limit,
                  "a value of the stream has more bytes than the limits allow: raise "
                  "max_memory_bytes or max_input_bytes",
                  buffer.position())
          .codec(codec.info().name);
    wanted = step.wanted;
    return nullptr;
  }
}

bool ValueStream::next(Value& value) {
  const polycodec_node* root = nullptr;
  const StreamReader& reader = *state_->reader;
  state_->decode(value, [&](CallContext& call) {
    root = state_->find(call);
    if (root != nullptr) reader.instance->accept(call, root);
  });
  if (root == nullptr) return false;
  set_narrowed(value, root, reader.options.projection, reader.terms.budget);
  return true;
}

void ValueStream::State::find_run(CallContext& call, Value& list, ValueRun& run) {
  Arena& arena = list.arena();
  Budget& budget = call.pool();
  const std::uint64_t most = std::min(run.most_bytes, budget.max_memory() / 8);
  const std::uint64_t before = arena.used_bytes();
  try {
    while (const polycodec_node* const root = find(call)) {
      run.roots.push_back(root);
      // Each value may have all of the memory that values of the stream may have.
      arena.settle(false);
      arena.use(UINT64_MAX, &budget);
      if (run.roots.size() == run.most || arena.used_bytes() - before >= most || !arena.is_stable())
        break;
    }
  } catch (...) {
    if (run.roots.empty()) throw;
    failure = std::current_exception();
  }
}

void ValueStream::State::accept_run(CallContext& call, Value& list, ValueRun& run) {
  const CodecInstance& codec = *reader->instance;
  const auto make_list = [&] {
    Builder out(call.abi()->arena);
    polycodec_node* nodes;
    const polycodec_node node = out.list(run.roots.size(), &nodes);
    for (const polycodec_node* const root : run.roots) *nodes++ = *root;
    list.set_root(out.root(node));
  };
  if (run.roots.size() > 1) try {
      make_list();
      return codec.accept(call, list.root());
    } catch (const Error& e) {
      if (e.code() == Status::cancelled) throw;
      // A list is deeper and larger than its items, so that these may be right.
    }
  for (std::size_t i = 0; i < run.roots.size(); ++i) try {
      codec.accept(call, run.roots[i]);
    } catch (...) {
      if (i == 0) throw;
      failure = std::current_exception();
      run.roots.resize(i);
    }
  make_list();
}

bool ValueStream::next(Value& list, ValueRun& run) {
  run.roots.clear();
  if (state_->failure) std::rethrow_exception(std::exchange(state_->failure, nullptr));
  state_->decode(list, [&](CallContext& call) {
    state_->find_run(call, list, run);
    if (!run.roots.empty()) state_->accept_run(call, list, run);
  });
  return !run.roots.empty();
}

bool read_value(int fd, ValueStream& stream, Value& value, std::string_view name) {
  return pull_value(
      stream, [&] { return stream.next(value); },
      [&](std::span<char> window) { return read_some(fd, window, name); },
      [&] { return is_readable_now(fd); });
}

// -- writing --

struct ValueWriter::State : StreamBase {
  State(std::shared_ptr<const CodecInstance> with, CallOptions given)
      : StreamBase(std::move(with), std::move(given)) {
    CallContext call(terms, arena.abi());
    writer = instance->open_writer(call);
  }
  ~State() {
    give_back([&] { writer->release(writer); });
  }
  /// Runs `body` as a call that writes to `sink`, which keeps `state`.
  template <class Body>
  static void run(const std::shared_ptr<State>& state, NodeView value, Sink& sink, Body&& body);

  polycodec_writer* writer = nullptr;
};

ValueWriter::ValueWriter(Codec codec, CallOptions options) {
  refuse_filters(codec);
  state_ = std::make_shared<State>(codec.instance_, std::move(options));
}

ValueWriter::~ValueWriter() = default;

template <class Body>
void ValueWriter::State::run(const std::shared_ptr<State>& state, NodeView value, Sink& sink,
                             Body&& body) {
  Budget& budget = state->terms.budget;
  Arena& scratch = sink.state().scratch();
  scratch.use(UINT64_MAX, &budget);
  scratch.keep(state, {}, &state->arena);
  const OutputRegions regions(value, nullptr, scratch, *state->instance, budget.limits().max_depth);
  // Each value earns what is done with it.
  const bool earns = &budget == &state->terms.own;
  if (earns) earn_later(budget, value);
  struct Settle {
    Sink& sink;
    Budget* earning;
    std::uint64_t max_bytes = sink.max_bytes();
    ~Settle() {
      sink.set_max_bytes(max_bytes);
      sink.state().set_regions(nullptr);
      sink.state().scratch().settle(false);
      if (earning != nullptr) earning->earn_no_more();
    }
  } settle{sink, earns ? &budget : nullptr};
  sink.state().set_budget(budget);
  sink.state().set_regions(&regions);
  CallContext call(state->terms, scratch.abi());
  body(call);
}

void ValueWriter::append(NodeView value, Sink& sink) {
  State::run(state_, value, sink, [&](CallContext& call) {
    polycodec_writer* const writer = state_->writer;
    state_->instance->run(call, writer->append, writer, call.abi(), sink.abi(), value.raw());
  });
}

void ValueWriter::append(NodeView list, const ValueRun& run, Sink& sink,
                         const std::function<void(std::size_t i)>& begin) {
  State::run(state_, list, sink, [&](CallContext& call) {
    polycodec_writer* const writer = state_->writer;
    for (std::size_t i = 0; i < run.roots.size(); ++i) {
      begin(i);
      state_->instance->run(call, writer->append, writer, call.abi(), sink.abi(), run.roots[i]);
    }
  });
}

void ValueWriter::finish(Sink& sink) {
  State::run(state_, NodeView(), sink, [&](CallContext& call) {
    polycodec_writer* const writer = state_->writer;
    state_->instance->run(call, writer->finish, writer, call.abi(), sink.abi());
  });
}

}  // namespace polycodec
