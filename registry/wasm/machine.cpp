// SPDX-License-Identifier: MIT
#include "registry/wasm/machine.hpp"

#include <base/stack.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace polycodec::wasm {
namespace {

constexpr std::uint64_t page = 65536, most_memory = (std::uint64_t{1} << 32) - page;
/// Memory that is added is cleared, and in a cache when it is used.
constexpr std::uint64_t growth = std::uint64_t{256} << 10;
constexpr std::uint64_t memory_at_start = std::uint64_t{64} << 20;
constexpr std::chrono::seconds time_at_start{5};
constexpr std::int64_t most_functions = 1 << 20;
/// A module that reports less work than an eighth of its time is charged that eighth.
constexpr std::int64_t unit_ns = 5, patience = 8;
constexpr std::uint64_t first_window = 65536;
constexpr std::uint64_t page_of_system = 4096;
/// What the log has of a call, and the text of a loss.
constexpr std::uint32_t most_log_lines = 1000;
constexpr std::size_t most_loss_text = 65536;

std::uintptr_t number_of_frame() noexcept {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

std::uint64_t align_up(std::uint64_t at, std::uint64_t align) noexcept {
  return (at + align - 1) & ~(align - 1);
}

/// Throws Error(limit) where a module, or what it calls, could run out of the stack.
void check_room() {
  const ThreadStack& stack = thread_stack();
  const std::uint64_t left = number_of_frame() - stack.lowest;
  if (left < stack.size && left < stack_of_module + stack_of_host)
    throw Error(Status::limit,
                "the thread has " + std::to_string(left) +
                    " bytes of stack left, and a WebAssembly plugin needs 786432: call it on a "
                    "thread with more");
}

}  // namespace

/// The functions of the host that a module calls.
struct Machine::Host {
  /// Runs `work`; what it throws becomes the answer, unless the module is to blame.
  template <class Work>
  static void answer(Machine& m, RawVal* values, std::int32_t error, const Work& work) {
    std::int32_t code = POLYCODEC_OK;
    try {
      work();
    } catch (const Error& e) {
      if (e.code() == Status::plugin) throw;
      code = static_cast<std::int32_t>(e.code());
      m.write_error(static_cast<Address>(error), e);
    }
    values[0].i32 = code;
  }
  static std::uint64_t u(const RawVal& value) noexcept {
    return static_cast<std::uint64_t>(value.i64);
  }
  static Address a(const RawVal& value) noexcept { return static_cast<Address>(value.i32); }

  static void arena_grow(Machine& m, RawVal* v) {
    answer(m, v, v[4].i32, [&] { *m.at<Address>(a(v[3])) = m.allocate(u(v[1]), u(v[2])); });
  }
  static void arena_resize(Machine& m, RawVal* v) {
    answer(m, v, v[5].i32, [&] {
      const Address from = *m.at<Address>(a(v[1]));
      const std::uint64_t kept = std::min(u(v[2]), u(v[3]));
      m.at<char>(kept == 0 ? 0 : from, kept);
      const Address to = m.allocate(u(v[3]), u(v[4]));
      if (kept != 0) std::memmove(m.at<char>(to, kept), m.at<char>(from, kept), kept);
      *m.at<Address>(a(v[1])) = to;
    });
  }
  /// Memory of the module that a value refers to. The instance ends with the value, and its objects
  /// with it.
  static void adopt(Machine& m, RawVal* v) {
    m.is_kept_ = true;
    v[0].i32 = POLYCODEC_OK;
  }
  static void spend(Machine& m, RawVal* v) {
    answer(m, v, v[2].i32, [&] {
      if (m.call_ == nullptr) return;
      m.pay(u(v[1]));
      // What is refused was not paid.
      m.worked_ += std::min(u(v[1]), UINT64_MAX / 4 - std::min(m.worked_, UINT64_MAX / 4));
    });
  }
  static void parallel_for(Machine& m, RawVal* v) {
    const std::uint64_t n = u(v[1]), step = std::max<std::uint64_t>(u(v[2]), 1);
    const Address call = a(v[0]), body = a(v[3]), data = a(v[4]), error = a(v[5]);
    std::int32_t code = POLYCODEC_OK;
    for (std::uint64_t from = 0; from < n && code == POLYCODEC_OK; from += std::min(step, n - from))
      code = m.run("the body of parallel_for", body,
                   {data, call, from, from + std::min(step, n - from), error}, 0b1100);
    v[0].i32 = code;
  }
  static void report_loss(Machine& m, RawVal* v) {
    answer(m, v, v[4].i32, [&] {
      if (m.call_ == nullptr) throw Error(Status::unsupported, "there is no call to report to");
      const auto text = [&](const RawVal& at) {
        return to_bytes(m.text(*m.at<Bytes32>(a(at))).substr(0, most_loss_text));
      };
      invoke(m.call_->report_loss, m.call_, v[1].i32, text(v[2]), text(v[3]));
    });
  }
  static void log(Machine& m, RawVal* v) {
    if (m.call_ == nullptr || ++m.logged_ > most_log_lines) return;
    const std::string_view text = m.text(*m.at<Bytes32>(a(v[2])));
    const polycodec_host* const host = m.call_->host;
    host->log(host, v[1].i32, to_bytes(text.substr(0, 4096)));
  }
  static void lookup_type(Machine& m, RawVal* v) {
    answer(m, v, v[4].i32, [&] {
      if (m.call_ == nullptr) throw Error(Status::not_found, "there is no call");
      polycodec_bytes notation{};
      const polycodec_host* const host = m.call_->host;
      invoke(host->lookup_type, host, m.call_, to_bytes(m.text(*m.at<Bytes32>(a(v[2])))),
             &notation);
      *m.at<Bytes32>(a(v[3])) = m.put_bytes(to_string_view(notation));
    });
  }
  /// Calls of functions, and of other codecs.
  template <int last>
  static void not_offered(Machine& m, RawVal* v) {
    answer(m, v, v[last].i32, [] {
      throw Error(Status::unsupported,
                  "a WebAssembly plugin can't call functions or other codecs: install the plugin "
                  "as a library for this machine");
    });
  }
  static void sink_grow(Machine& m, RawVal* v) {
    answer(m, v, v[2].i32, [&] { m.grow_sink(u(v[1])); });
  }
  static void sink_reference(Machine& m, RawVal* v) {
    answer(m, v, v[3].i32, [&] { m.reference(a(v[1]), u(v[2])); });
  }
  static void sink_expect(Machine& m, RawVal* v) {
    answer(m, v, v[2].i32, [&] {
      if (m.sink_ != nullptr) invoke(m.sink_->expect, m.sink_, u(v[1]));
    });
  }
  static void say(Machine& m, RawVal* v) {
    if (m.heard_ != nullptr)
      m.heard_->hear(to_bytes(m.text(*m.at<Bytes32>(a(v[1])))),
                     to_bytes(m.text(*m.at<Bytes32>(a(v[2])))));
  }
  /// The import `polycodec.fail`: ends the call with an error.
  static void fail(Machine& m, RawVal* v) {
    const Error32& from = *m.at<Error32>(a(v[0]));
    CallError error;
    std::memcpy(error.raw(), &from, offsetof(Error32, say));
    throw error.error(from.code);
  }

  template <void (*function)(Machine&, RawVal*)>
  static Trap* thunk(void* env, Caller*, RawVal* values, std::size_t) noexcept {
    Machine& m = *static_cast<Machine*>(env);
    try {
      function(m, values);
      return nullptr;
    } catch (const Error& e) {
      m.end(e);
    } catch (...) {
      m.end(Error(Status::memory, "out of memory"));
    }
    return m.api_.wasmtime_trap_new("ended", 5);
  }
  static Failure* on_tick(Context*, void* env, std::uint64_t* delta, std::uint8_t* kind) noexcept {
    Machine& m = *static_cast<Machine*>(env);
    *delta = 1;
    *kind = 0;
    try {
      m.look();
      return nullptr;
    } catch (const Error& e) {
      m.end(e);
    } catch (...) {
      m.end(Error(Status::memory, "out of memory"));
    }
    return m.api_.wasmtime_error_new("ended");
  }

  /// A function with its parameters, 'i' for 4 bytes and 'I' for 8, and whether it returns 4 bytes.
  struct Offered {
    HostFunction function;
    const char* parameters;
    bool returns;
  };
  enum Number : std::size_t {
    n_arena_grow,
    n_arena_resize,
    n_adopt,
    n_spend,
    n_parallel_for,
    n_report_loss,
    n_log,
    n_call_function,
    n_codec_with,
    n_lookup_type,
    n_sink_grow,
    n_sink_reference,
    n_sink_expect,
    n_say,
    n_all
  };
  static constexpr Offered all[n_all] = {{&thunk<arena_grow>, "iIIii", true},
                                         {&thunk<arena_resize>, "iiIIIi", true},
                                         {&thunk<adopt>, "iiiiIi", true},
                                         {&thunk<spend>, "iIi", true},
                                         {&thunk<parallel_for>, "iIIiii", true},
                                         {&thunk<report_loss>, "iiiii", true},
                                         {&thunk<log>, "iii", false},
                                         {&thunk<not_offered<7>>, "iiiIiiii", true},
                                         {&thunk<not_offered<6>>, "iiiiiii", true},
                                         {&thunk<lookup_type>, "iiiii", true},
                                         {&thunk<sink_grow>, "iIi", true},
                                         {&thunk<sink_reference>, "iiIi", true},
                                         {&thunk<sink_expect>, "iIi", true},
                                         {&thunk<say>, "iii", false}};
  static constexpr Offered import = {&thunk<fail>, "i", false};
};

Func Machine::make_function(HostFunction function, std::string_view parameters, bool returns) {
  std::vector<ValType*> types;
  for (const char one : parameters)
    types.push_back(api_.wasm_valtype_new(one == 'i' ? kind_i32 : kind_i64));
  ValType* result = returns ? api_.wasm_valtype_new(kind_i32) : nullptr;
  ValTypeVec in{}, out{};
  api_.wasm_valtype_vec_new(&in, types.size(), types.data());
  api_.wasm_valtype_vec_new(&out, returns ? 1 : 0, &result);
  FuncType* const type = api_.wasm_functype_new(&in, &out);
  Func made{};
  api_.wasmtime_func_new_unchecked(context_, type, function, this, nullptr, &made);
  api_.wasm_functype_delete(type);
  return made;
}

Machine::Machine(const Compiled& code) : code_(code), api_(code.runtime.api()) {
  store_ = api_.wasmtime_store_new(code.runtime.engine(), nullptr, nullptr);
  context_ = api_.wasmtime_store_context(store_);
  try {
    make();
  } catch (...) {
    api_.wasmtime_store_delete(store_);
    throw;
  }
}

Machine::~Machine() {
  api_.wasmtime_store_delete(store_);
}

void Machine::make() {
  check_room();
  api_.wasmtime_store_epoch_deadline_callback(store_, &Host::on_tick, this, nullptr);
  limit_memory(memory_at_start);
  started_ = std::chrono::steady_clock::now();
  const Runtime::Watch watch(code_.runtime);
  api_.wasmtime_context_set_epoch_deadline(context_, 1);
  Extern import{};
  import.kind = extern_func;
  import.func = make_function(Host::import.function, Host::import.parameters, false);
  const std::vector<Extern> imports(code_.imports(), import);
  Instance instance{};
  Trap* trap = nullptr;
  finish_run("start",
             api_.wasmtime_instance_new(context_, code_.module(), imports.data(), imports.size(),
                                        &instance, &trap),
             trap);
  const auto find = [&](const char* name, std::uint8_t kind, const char* advice) {
    Extern found{};
    if (!api_.wasmtime_instance_export_get(context_, &instance, name, std::strlen(name), &found) ||
        found.kind != kind)
      throw Error(Status::plugin, "it does not export " + std::string(name) + advice);
    return found;
  };
  memory_ = find("memory", extern_memory, ", its linear memory").item;
  base_ = api_.wasmtime_memory_data(context_, &memory_);
  region_ = &code_.runtime.regions().at(base_);
  table_ = find("__indirect_function_table", extern_table,
                ", the table of its functions: link with --export-table")
               .item;
  const Item entry = find(POLYCODEC_ENTRY_SYMBOL, extern_global,
                          ", the address of its entry object: link with --export="  //
                          POLYCODEC_ENTRY_SYMBOL)
                         .item;
  Val address{};
  api_.wasmtime_global_get(context_, &entry, &address);
  if (address.kind != kind_i32)
    throw Error(Status::plugin, "its " POLYCODEC_ENTRY_SYMBOL " is not an address");
  plugin_at_ = static_cast<Address>(address.i32);
  Val none{};
  none.kind = kind_funcref;
  std::uint64_t first = 0;
  code_.runtime.check(api_.wasmtime_table_grow(context_, &table_, Host::n_all, &none, &first),
                      "its table of functions cannot grow, link with --growable-table: ");
  for (std::size_t i = 0; i < Host::n_all; ++i) {
    Val function{};
    function.kind = kind_funcref;
    function.func =
        make_function(Host::all[i].function, Host::all[i].parameters, Host::all[i].returns);
    code_.runtime.check(api_.wasmtime_table_set(context_, &table_, first + i, &function),
                        "its table of functions cannot be changed: ");
    functions_.push_back(static_cast<std::uint32_t>(first + i));
  }
  Host32 host{};
  host.struct_size = sizeof host;
  host.abi = POLYCODEC_ABI_VERSION;
  host.name = put_bytes("polycodec");
  host.version = put_bytes(POLYCODEC_VERSION);
  host.log = functions_[Host::n_log];
  host.call_function = functions_[Host::n_call_function];
  host.decode_with = host.encode_with = functions_[Host::n_codec_with];
  host.lookup_type = functions_[Host::n_lookup_type];
  host_at_ = put(host);
  keep_memory();
  Extern start{};
  static constexpr std::string_view initialize = "_initialize";
  if (api_.wasmtime_instance_export_get(context_, &instance, initialize.data(), initialize.size(),
                                        &start) &&
      start.kind == extern_func) {
    Failure* const failure =
        api_.wasmtime_func_call(context_, &start.func, nullptr, 0, nullptr, 0, &trap);
    finish_run("_initialize", failure, trap);
  }
  begin(nullptr);
  const Plugin32 plugin = *at<Plugin32>(plugin_at_);
  if (plugin.init != 0) ask("init", plugin.init, {plugin_at_, host_at_, error_at_});
  keep_memory();
}

// -- memory --

void Machine::stray() {
  throw Error(Status::plugin,
              "it gave an address outside of its linear memory, or one that is not aligned");
}

std::string Machine::constant(Address address) const {
  std::string found;
  for (std::uint64_t i = address; *at<char>(i) != '\0'; ++i) {
    if (found.size() == 65536) stray();
    found += *at<char>(i);
  }
  return found;
}

void Machine::limit_memory(std::uint64_t bytes) noexcept {
  api_.wasmtime_store_limiter(store_, static_cast<std::int64_t>(std::min(bytes, most_memory)),
                              most_functions, 1, 1, 1);
}

std::uint64_t Machine::cursor() const {
  if (arena_at_ == 0) return at_;
  const Address found = at<Arena32>(arena_at_)->cursor;
  if (found < at_ || found > chunks_[chunk_].end)
    throw Error(Status::plugin, "it moved the cursor of its arena out of the arena");
  return found;
}

void Machine::add_chunk(std::uint64_t bytes) {
  const std::uint64_t before = size();
  const std::uint64_t wanted = bytes + page > most_memory
                                   ? most_memory
                                   : std::max(bytes + page, std::min(before / 2, growth));
  std::uint64_t old = 0;
  Failure* const failure =
      api_.wasmtime_memory_grow(context_, &memory_, align_up(wanted, page) / page, &old);
  region_->filled = 0;
  if (failure != nullptr) {
    api_.wasmtime_error_delete(failure);
    throw Error(Status::limit, "the WebAssembly plugin may not have " + std::to_string(bytes) +
                                   " more bytes of memory: raise max_memory_bytes")
        .detail("limit.max_memory_bytes");
  }
  if (!chunks_.empty() && chunks_.back().end == before)
    chunks_.back().end = size();
  else
    chunks_.push_back({before, size()});
}

Address Machine::allocate(std::uint64_t bytes, std::uint64_t align, bool fills) {
  if (align == 0 || align > 4096 || (align & (align - 1)) != 0)
    throw Error(Status::plugin, "it asked for memory at an alignment of " + std::to_string(align));
  if (chunks_.empty()) {
    add_chunk(0);
    at_ = chunks_.front().begin;
  }
  std::uint64_t from = cursor();
  allocated_ += from - at_;
  for (;;) {
    const std::uint64_t begin = align_up(from, align), end = chunks_[chunk_].end;
    if (begin <= end && bytes <= end - begin) {
      at_ = begin + bytes;
      allocated_ += bytes;
      if (arena_at_ != 0) {
        auto& arena = *at<Arena32>(arena_at_);
        arena.cursor = static_cast<Address>(at_);
        arena.limit = static_cast<Address>(end);
      }
      return static_cast<Address>(begin);
    }
    if (chunk_ + 1 == chunks_.size()) {
      if (fills) region_->filled = (end == size() ? begin : size()) + std::min(bytes, most_memory);
      add_chunk(std::min(bytes, most_memory) + align);
    }
    if (chunk_ + 1 != chunks_.size()) from = chunks_[++chunk_].begin;
  }
}

Bytes32 Machine::put_data(polycodec_bytes bytes) {
  constexpr std::uint64_t bytes_of_unit = 64, free_bytes = 4096;
  if (call_ != nullptr && bytes.size >= free_bytes) pay(bytes.size / bytes_of_unit);
  const std::uint64_t align = bytes.size < large_input ? 64 : page_of_system;
  const std::uint64_t all = align_up(bytes.size, align);
  const Address to = allocate(all, align, true);
  if (bytes.size < large_input || !region_->map_file(bytes, to)) {
    char* const copy = at<char>(to, all);
    if (bytes.size != 0) std::memcpy(copy, bytes.data, bytes.size);
    std::memset(copy + bytes.size, 0, all - bytes.size);
  }
  return {to, 0, bytes.size};
}

Bytes32 Machine::put_bytes(std::string_view bytes, std::uint64_t align) {
  const Address to = allocate(bytes.size(), align);
  if (!bytes.empty()) std::memcpy(at<char>(to, bytes.size()), bytes.data(), bytes.size());
  return {to, 0, bytes.size()};
}

void Machine::keep_memory() {
  at_ = cursor();
  floor_chunk_ = chunk_;
  floor_ = at_;
}

std::uint64_t Machine::allocated() const {
  return allocated_ + (cursor() - at_);
}

std::uint64_t Machine::used_end() const {
  return chunk_ + 1 == chunks_.size() && chunks_.back().end == size() ? cursor() : size();
}

void Machine::end_staging() {
  at_ = cursor();
  allocated_ = 0;
  if (call_ != nullptr)
    limit_memory(size() + std::min(call_->limits->max_memory_bytes, most_memory));
}

// -- calls --

void Machine::begin(polycodec_call* call) {
  arena_at_ = sink_at_ = 0;
  sink_ = nullptr;
  originals.clear();
  chunk_ = floor_chunk_;
  at_ = floor_;
  call_ = call;
  started_ = seen_ = std::chrono::steady_clock::now();
  worked_ = seen_work_ = granted_ = 0;
  logged_ = 0;
  Limits32 limits{};
  limits.struct_size = sizeof limits;
  limits.max_depth = 512;
  std::fill(std::begin(limits.numbers), std::end(limits.numbers), UINT64_MAX);
  if (call != nullptr) std::memcpy(&limits, call->limits, sizeof limits);
  limits.struct_size = sizeof limits;
  limit_memory(call != nullptr ? most_memory : memory_at_start);
  const Address limits_at = put(limits);
  Projection32 projection{};
  Address projection_at = 0;
  if (call != nullptr && call->projection != nullptr) {
    const polycodec_projection& wanted = *call->projection;
    std::vector<Bytes32> paths;
    for (std::uint32_t i = 0; i < wanted.n_paths; ++i)
      paths.push_back(put_bytes(to_string_view(wanted.paths[i])));
    projection = {sizeof projection,
                  wanted.n_paths,
                  put_bytes(to_string_view(paths.data(), paths.size() * sizeof(Bytes32)), 8).data,
                  0,
                  wanted.first_row,
                  wanted.n_rows};
    projection_at = put(projection);
  }
  Error32 error{};
  error.struct_size = sizeof error;
  error.say = functions_[Host::n_say];
  error_at_ = put(error);
  Call32 mine{};
  mine.struct_size = sizeof mine;
  mine.depth = call == nullptr ? 0 : call->depth;
  mine.limits = limits_at;
  mine.host = host_at_;
  mine.projection = projection_at;
  mine.spend = functions_[Host::n_spend];
  mine.parallel_for = functions_[Host::n_parallel_for];
  mine.report_loss = functions_[Host::n_report_loss];
  call_at_ = put(mine);
  lend_credit();
  Arena32 arena{};
  arena.struct_size = sizeof arena;
  arena.grow = functions_[Host::n_arena_grow];
  arena.resize = functions_[Host::n_arena_resize];
  arena.adopt = functions_[Host::n_adopt];
  arena_at_ = put(arena);
  at<Call32>(call_at_)->arena = arena_at_;
  at<Arena32>(arena_at_)->cursor = static_cast<Address>(at_);
  at<Arena32>(arena_at_)->limit = static_cast<Address>(chunks_[chunk_].end);
  at_ = cursor();
}

void Machine::lend_credit() {
  if (call_ == nullptr)
    granted_ = UINT64_MAX / 2;
  else
    granted_ = std::exchange(call_->credit, 0);
  at<Call32>(call_at_)->credit = granted_;
}

void Machine::sync_credit() {
  const std::uint64_t left = at<Call32>(call_at_)->credit;
  // Work that it paid for and did not do comes back.
  if (left > granted_ && left - granted_ > worked_)
    throw Error(Status::plugin, "it returned more credit than it was granted");
  worked_ = granted_ + worked_ - left;
  if (call_ != nullptr) call_->credit += left;
  granted_ = 0;
  at<Call32>(call_at_)->credit = 0;
}

void Machine::pay(std::uint64_t units) {
  sync_credit();
  CallError error;
  const std::int32_t code = call_->spend(call_, units, error.raw());
  lend_credit();
  if (code != POLYCODEC_OK) throw error.error(code);
}

void Machine::look() {
  const auto now = std::chrono::steady_clock::now();
  if (call_ == nullptr) {
    if (now - started_ > time_at_start)
      throw Error(Status::plugin, "it takes longer than 5 seconds to start");
    return;
  }
  // Its view of the credit may lie in a register: nothing is changed there.
  const std::uint64_t left = std::min(at<Call32>(call_at_)->credit, granted_);
  const std::uint64_t work = worked_ + (granted_ - left),
                      reported = work - std::min(seen_work_, work);
  const auto due = static_cast<std::uint64_t>(std::chrono::nanoseconds(now - seen_).count() /
                                              (unit_ns * patience));
  seen_ = now;
  seen_work_ = std::max(seen_work_, work);  // it may have taken back what it seemed to use
  invoke(call_->spend, call_, due > reported ? due - reported : 0);
}

void Machine::end(const Error& why) noexcept {
  try {
    ended_ = why;
  } catch (...) {
    ended_ = Error(Status::memory, {});
  }
}

void Machine::finish_run(const char* name, Failure* failure, Trap* trap) {
  if (failure == nullptr && trap == nullptr) return;
  is_spent_ = true;
  const std::string who = std::string("its function ") + name + " failed: ";
  std::string text;
  if (trap != nullptr) text = code_.runtime.text_of(trap);
  if (failure != nullptr) {
    if (!ended_) code_.runtime.check(failure, who);
    api_.wasmtime_error_delete(failure);
  }
  if (ended_) {
    const Error why = *std::exchange(ended_, std::nullopt);
    if (why.code() != Status::plugin || depth_ != 0) throw why;
    throw Error(Status::plugin, who + why.message());
  }
  const std::size_t at = text.find("wasm trap: ");
  throw Error(Status::plugin,
              who + (at == text.npos ? text : text.substr(at, text.find('\n', at) - at)));
}

std::int32_t Machine::run(const char* name, Address function,
                          std::initializer_list<std::uint64_t> values, std::uint32_t wide) {
  if (is_spent_) throw Error(Status::plugin, "the instance has ended");
  if (depth_ == 0) check_room();
  Val found{};
  if (!api_.wasmtime_table_get(context_, &table_, function, &found) || found.kind != kind_funcref ||
      found.func.store == 0)
    throw Error(Status::plugin, std::string("its function ") + name + " is absent");
  std::vector<Val> given;
  for (const std::uint64_t value : values) {
    Val& one = given.emplace_back();
    one.kind = (wide >> (given.size() - 1) & 1) != 0 ? kind_i64 : kind_i32;
    if (one.kind == kind_i64)
      one.i64 = static_cast<std::int64_t>(value);
    else
      one.i32 = static_cast<std::int32_t>(value);
  }
  Val result{};
  Trap* trap = nullptr;
  const Runtime::Watch watch(code_.runtime);
  api_.wasmtime_context_set_epoch_deadline(context_, 1);
  ++depth_;
  Failure* const failure =
      api_.wasmtime_func_call(context_, &found.func, given.data(), given.size(), &result, 1, &trap);
  --depth_;
  finish_run(name, failure, trap);
  return result.i32;
}

void Machine::ask(const char* name, Address function, std::initializer_list<std::uint64_t> values,
                  std::uint32_t wide) {
  CallError error;
  heard_ = &error;
  std::int32_t code = 0;
  try {
    code = run(name, function, values, wide);
  } catch (...) {
    heard_ = nullptr;
    throw;
  }
  heard_ = nullptr;
  if (code == POLYCODEC_OK) {
    if (sink_ != nullptr) flush_sink();
    return sync_credit();
  }
  const auto say = error.raw()->say;
  const auto say_data = error.raw()->say_data;
  const auto struct_size = error.raw()->struct_size;
  std::memcpy(error.raw(), at<Error32>(error_at_), offsetof(Error32, say));
  error.raw()->struct_size = struct_size;
  error.raw()->say = say;
  error.raw()->say_data = say_data;
  error.raw()->codec[0] = '\0';
  // It has all memory that the call may have.
  if (code == POLYCODEC_ERROR_MEMORY && call_ != nullptr)
    throw Error(Status::limit, error.error(code).message() + ": raise max_memory_bytes")
        .detail("limit.max_memory_bytes");
  throw error.error(code);
}

void Machine::write_error(Address address, const Error& e) {
  polycodec_error error{};  // not make_error(): the module sees what is behind the texts
  error.struct_size = sizeof error;
  fill_error(&error, e);
  auto& to = *at<Error32>(address);
  const std::uint32_t size = to.struct_size;
  std::memcpy(&to, &error, offsetof(Error32, say));
  to.struct_size = size;
}

// -- output --

Address Machine::open_sink(polycodec_sink* sink) {
  sink_ = sink;
  Sink32 mine{};
  mine.struct_size = sizeof mine;
  mine.flags = sink->flags;
  mine.grow = functions_[Host::n_sink_grow];
  mine.reference = functions_[Host::n_sink_reference];
  mine.expect = functions_[Host::n_sink_expect];
  mine.adopt = functions_[Host::n_adopt];
  sink_at_ = put(mine);
  sink_begin_ = sink_end_ = 0;
  new_window(first_window);
  return sink_at_;
}

void Machine::new_window(std::uint64_t bytes) {
  sink_begin_ = allocate(bytes, 64);
  sink_end_ = sink_begin_ + bytes;
  auto& sink = *at<Sink32>(sink_at_);
  sink.cursor = static_cast<Address>(sink_begin_);
  sink.limit = static_cast<Address>(sink_end_);
}

std::uint64_t Machine::written() const {
  const Address found = at<Sink32>(sink_at_)->cursor;
  if (found < sink_begin_ || found > sink_end_)
    throw Error(Status::plugin, "it moved the cursor of the sink out of its window");
  return found - sink_begin_;
}

void Machine::flush_sink() {
  const std::uint64_t bytes = written();
  invoke(&polycodec_sink_put, sink_, static_cast<const void*>(at<char>(sink_begin_, bytes)), bytes);
  at<Sink32>(sink_at_)->cursor = static_cast<Address>(sink_begin_);
}

void Machine::grow_sink(std::uint64_t need) {
  if (sink_ == nullptr || need > most_memory)
    throw Error(Status::plugin, "it asked for a window of " + std::to_string(need) + " bytes");
  if ((sink_->flags & POLYCODEC_SINK_CONTIGUOUS) == 0) {
    flush_sink();
    if (need > sink_end_ - sink_begin_) new_window(need);
    return;
  }
  const std::uint64_t bytes = written(), from = sink_begin_;
  new_window(std::max(bytes + need, 2 * (sink_end_ - sink_begin_)));
  std::memcpy(at<char>(sink_begin_, bytes), at<char>(from, bytes), bytes);
  at<Sink32>(sink_at_)->cursor = static_cast<Address>(sink_begin_ + bytes);
}

void Machine::reference(Address data, std::uint64_t bytes) {
  if (sink_ == nullptr) throw Error(Status::plugin, "it referenced memory without a sink");
  const auto* const copy = at<std::uint8_t>(bytes == 0 ? 0 : data, bytes);
  if ((sink_->flags & POLYCODEC_SINK_CONTIGUOUS) != 0) {
    if (bytes > sink_end_ - sink_begin_ - written()) grow_sink(bytes);
    auto& sink = *at<Sink32>(sink_at_);
    if (bytes != 0) std::memmove(at<std::uint8_t>(sink.cursor, bytes), copy, bytes);
    sink.cursor += static_cast<Address>(bytes);
    return;
  }
  flush_sink();
  const auto after = std::ranges::upper_bound(originals, data, {}, &Original::begin);
  if (after != originals.begin()) {
    const Original& original = *std::prev(after);
    const std::uint64_t offset = data - original.begin;
    if (offset <= original.size && bytes <= original.size - offset)
      return invoke(sink_->reference, sink_, static_cast<const void*>(original.from + offset),
                    bytes);
  }
  invoke(&polycodec_sink_put, sink_, static_cast<const void*>(copy), bytes);
}

}  // namespace polycodec::wasm
