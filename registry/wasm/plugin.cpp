// SPDX-License-Identifier: MIT
// A module as a plugin: its codecs and filters, which call instances of the module.
#include <polycodec/quote.hpp>

#include "registry/isolation/copy_value.hpp"
#include "registry/wasm/modules.hpp"
#include "registry/wasm/values.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace polycodec::wasm {
namespace {

/// Values up to this size are copied, and their instance serves other calls.
constexpr std::uint64_t small_value = std::uint64_t{64} << 10;
/// Instances that wait for calls, the memory that each may have, and what may be open in it.
constexpr std::size_t most_idle = 8, most_opened = 64;
/// Codecs, filters or types of a module.
constexpr std::uint32_t most_objects = 1024;
constexpr std::uint64_t most_idle_memory = std::uint64_t{64} << 20;

class ModulePlugin;

/// A codec or filter of a module.
template <class T>
struct Object {
  T abi{};
  std::string name;
  ModulePlugin* plugin = nullptr;
  Address at = 0;
  Address sniff = 0, open = 0;
};

struct Named {
  polycodec_type abi{};
  std::string name, notation, doc;
};

/// A table of get_interface().
template <class List, class T>
struct Interface {
  std::deque<T> objects;
  std::vector<decltype(&std::declval<const T&>().abi)> items;
  List abi{};
  void finish() {
    for (const T& object : objects) items.push_back(&object.abi);
    abi = {sizeof abi, static_cast<std::uint32_t>(items.size()), items.data()};
  }
};

class ModulePlugin {
 public:
  ModulePlugin(Runtime& runtime, std::string_view bytes, ModuleCache* cache);
  ModulePlugin(const ModulePlugin&) = delete;
  ModulePlugin& operator=(const ModulePlugin&) = delete;

  const polycodec_plugin& abi() const noexcept { return abi_; }
  std::unique_ptr<Machine> take();
  void give(std::unique_ptr<Machine> machine) noexcept;
  std::uint64_t new_number() noexcept { return next_.fetch_add(1); }

 private:
  static const void* get_interface(const polycodec_plugin* self, const char* id);
  void describe(Machine& machine);

  const Compiled code_;
  std::string id_, version_;
  Interface<polycodec_codecs, Object<polycodec_codec>> codecs_;
  Interface<polycodec_filters, Object<polycodec_filter>> filters_;
  Interface<polycodec_types, Named> types_;
  polycodec_plugin abi_{};
  std::mutex mutex_;
  std::vector<std::unique_ptr<Machine>> idle_;
  std::atomic<std::uint64_t> next_{1};
};

/// An instance in use, which goes back to its plugin.
class Seat {
 public:
  explicit Seat(ModulePlugin& plugin) : plugin_(plugin), machine_(plugin.take()) {}
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;
  ~Seat() {
    if (machine_ != nullptr) plugin_.give(std::move(machine_));
  }
  Machine& machine() const noexcept { return *machine_; }
  std::unique_ptr<Machine> leave() noexcept { return std::move(machine_); }

 private:
  ModulePlugin& plugin_;
  std::unique_ptr<Machine> machine_;
};

/// Puts an input into linear memory. Files and stores stay where they are.
Address put_input(Machine& m, const polycodec_input& input, Original& staged) {
  staged = {m.put_data(input.bytes).data, input.bytes.size,
            static_cast<const std::uint8_t*>(input.bytes.data)};
  Input32 mine{};
  mine.struct_size = sizeof mine;
  mine.parts = input.parts & POLYCODEC_INPUT_BYTES;
  mine.bytes = {staged.begin, 0, staged.size};
  mine.name = m.put_bytes(to_string_view(input.name));
  mine.member = m.put_bytes(to_string_view(input.member));
  mine.total = POLYCODEC_HAS(polycodec_input, &input, total) ? input.total : UINT64_MAX;
  return m.put(mine);
}

/// Takes the value at an address: a small one is copied, another keeps the instance.
const polycodec_node* take_value(Seat& seat, polycodec_call* call, Original input, Address root) {
  Machine& m = seat.machine();
  if (!m.is_spent() && m.allocated() < small_value) try {
      return ValueOut(m, input, 4 * small_value, call->arena, *call->limits).root(root);
    } catch (const ValueOut::NeedsPlace&) {  // NOLINT: it stays
    }
  std::unique_ptr<Machine> machine = seat.leave();
  const polycodec_node* const value = ValueOut(m, input, 0, call->arena, *call->limits).root(root);
  const std::uint64_t after = std::uint64_t{input.begin} + input.size;
  if (input.size >= large_input) m.spare(input.begin, after);
  const polycodec_bytes extents[] = {{m.base(), input.begin},
                                     {m.base() + after, m.used_end() - after}};
  invoke(
      call->arena->adopt, call->arena, static_cast<void*>(machine.release()),
      [](void* of) { delete static_cast<Machine*>(of); }, extents, std::uint64_t{2});
  return value;
}

/// What is opened of a codec or filter, with its options: open in each instance that it is used in.
class Opening {
 public:
  Opening(ModulePlugin& of, Address object, Address open, polycodec_call* call,
          const polycodec_node* options)
      : plugin(of), object_(object), open_(open), number_(of.new_number()) {
    isolation::ValueCopier copier(call->arena, {}, {}, call->limits->max_depth,
                                  call->limits->max_nodes);
    if (options != nullptr) options_ = copier.root(options);
    const Seat seat(plugin);
    in(seat.machine(), call);
  }

  /// Its address in an instance.
  Address in(Machine& m, polycodec_call* call) const {
    if (const auto known = m.opened.find(number_); known != m.opened.end()) return known->second;
    m.begin(call);
    const Address options = ValueIn(m).root(options_);
    const Address result = m.put(Address{0});
    m.end_staging();
    m.ask("open", open_, {object_, m.call_at(), options, result, m.error_at()});
    m.keep_memory();
    return m.opened[number_] = *m.at<Address>(result);
  }

  ModulePlugin& plugin;

 private:
  const polycodec_node* options_ = nullptr;
  Address object_, open_;
  std::uint64_t number_;
};

template <class T>
std::int32_t sniff(const T* self, polycodec_call* call, const polycodec_input* input,
                   polycodec_sniff* found, polycodec_error* error) {
  return guard(error, [&] {
    const auto& object = *static_cast<const Object<T>*>(self->private_data);
    const Seat seat(*object.plugin);
    Machine& m = seat.machine();
    m.begin(call);
    Original staged{};
    const Address given = put_input(m, *input, staged);
    polycodec_sniff result{};
    result.struct_size = sizeof result;
    const Address at = m.put(result);
    m.end_staging();
    m.ask("sniff", object.sniff, {object.at, m.call_at(), given, at, m.error_at()});
    result = *m.at<polycodec_sniff>(at);
    found->score = result.score;
    std::memcpy(found->reason, result.reason, sizeof found->reason);
    found->reason[sizeof found->reason - 1] = '\0';
  });
}

/// What the host has of an opened codec or filter.
template <class Instance>
struct Opened {
  template <class Struct>
  Opened(const Object<Struct>& of, polycodec_call* call, const polycodec_node* options)
      : opening(*of.plugin, of.at, of.open, call, options) {
    abi.struct_size = sizeof abi;
    abi.private_data = this;
    abi.release = [](const Instance* it) { delete static_cast<const Opened*>(it->private_data); };
  }
  Instance abi{};
  Opening opening;
};

template <class Instance>
const Opening& opening_of(const Instance* self) noexcept {
  return static_cast<const Opened<Instance>*>(self->private_data)->opening;
}

// -- codecs --

std::int32_t decode(const polycodec_instance* self, polycodec_call* call,
                    const polycodec_input* input, const polycodec_node** root,
                    polycodec_error* error) {
  return guard(error, [&] {
    Seat seat(opening_of(self).plugin);
    Machine& m = seat.machine();
    const Address instance = opening_of(self).in(m, call);
    m.begin(call);
    Original staged{};
    const Address given = put_input(m, *input, staged);
    const Address result = m.put(Address{0});
    m.end_staging();
    m.ask("decode", m.at<Instance32>(instance)->decode,
          {instance, m.call_at(), given, result, m.error_at()});
    *root = take_value(seat, call, staged, *m.at<Address>(result));
  });
}

std::int32_t encode(const polycodec_instance* self, polycodec_call* call,
                    const polycodec_node* root, const polycodec_output* output,
                    polycodec_error* error) {
  return guard(error, [&] {
    const Seat seat(opening_of(self).plugin);
    Machine& m = seat.machine();
    const Address instance = opening_of(self).in(m, call);
    m.begin(call);
    const Address value = ValueIn(m).root(root);
    Output32 mine{};
    mine.struct_size = sizeof mine;
    mine.parts = output->parts & POLYCODEC_INPUT_BYTES;
    mine.sink = m.open_sink(output->sink);
    mine.name = m.put_bytes(to_string_view(output->name));
    mine.member = m.put_bytes(to_string_view(output->member));
    const Address to = m.put(mine);
    m.end_staging();
    m.ask("encode", m.at<Instance32>(instance)->encode,
          {instance, m.call_at(), value, to, m.error_at()});
  });
}

/// A reader or writer, which has an instance of its own.
struct Stream {
  Stream(ModulePlugin& plugin, const Opening& opening, polycodec_call* call, const char* name,
         Address Instance32::*open)
      : machine(plugin.take()) {
    Machine& m = *machine;
    const Address instance = opening.in(m, call);
    m.begin(call);
    const Address result = m.put(Address{0});
    m.end_staging();
    m.ask(name, m.at<Instance32>(instance)->*open, {instance, m.call_at(), result, m.error_at()});
    m.keep_memory();
    at = *m.at<Address>(result);
  }
  std::unique_ptr<Machine> machine;
  Address at = 0;
};

struct ReaderOpened {
  explicit ReaderOpened(const Opening& opening, polycodec_call* call)
      : stream(opening.plugin, opening, call, "open_reader", &Instance32::open_reader) {}
  polycodec_reader abi{};
  Stream stream;
  Address buffer = 0;  // of `room` bytes, of which the first are `held`
  std::uint64_t room = 0, held = 0;

  /// The bytes of a step, which begin with those that were left of the last one.
  Original stage(polycodec_bytes bytes) {
    Machine& m = *stream.machine;
    held = std::min(held, bytes.size);
    if (bytes.size > room) {
      const std::uint64_t more = bytes.size + bytes.size / 2;
      const Address to = m.allocate(more, 64);
      m.keep_memory();
      if (held != 0) std::memcpy(m.at<char>(to, held), m.at<char>(buffer, held), held);
      buffer = to;
      room = more;
    }
    if (bytes.size != held)
      std::memcpy(m.at<char>(buffer + held, bytes.size - held),
                  static_cast<const char*>(bytes.data) + held, bytes.size - held);
    held = bytes.size;
    return {buffer, bytes.size, static_cast<const std::uint8_t*>(bytes.data)};
  }
  void consume(std::uint64_t bytes) {
    Machine& m = *stream.machine;
    if (bytes > held) return;
    held -= bytes;
    if (held != 0 && bytes != 0)
      std::memmove(m.at<char>(buffer, held), m.at<char>(buffer + bytes, held), held);
  }
};

std::int32_t next(polycodec_reader* self, polycodec_call* call, polycodec_step* step,
                  polycodec_error* error) {
  return guard(error, [&] {
    auto& reader = *static_cast<ReaderOpened*>(self->private_data);
    Machine& m = *reader.stream.machine;
    m.begin(call);
    const Original staged = reader.stage(step->bytes);
    Step32 mine{};
    mine.struct_size = sizeof mine;
    mine.final = step->final;
    mine.bytes = {staged.begin, 0, staged.size};
    const Address at = m.put(mine);
    m.end_staging();
    m.ask("next", m.at<Stream32>(reader.stream.at)->first,
          {reader.stream.at, m.call_at(), at, m.error_at()});
    mine = *m.at<Step32>(at);
    step->consumed = mine.consumed;
    step->wanted = mine.wanted;
    step->root = nullptr;
    if (mine.root != 0) try {
        step->root = ValueOut(m, staged, UINT64_MAX, call->arena, *call->limits).root(mine.root);
      } catch (const ValueOut::NeedsPlace&) {
        throw Error(Status::unsupported,
                    "a stream of a WebAssembly plugin can't have values with references: decode "
                    "them one by one");
      }
    reader.consume(mine.consumed);
  });
}

std::int32_t open_reader(const polycodec_instance* self, polycodec_call* call,
                         polycodec_reader** reader, polycodec_error* error) {
  return guard(error, [&] {
    auto made = std::make_unique<ReaderOpened>(opening_of(self), call);
    made->abi = {sizeof made->abi, 0, made.get(), &next,
                 [](polycodec_reader* of) { delete static_cast<ReaderOpened*>(of->private_data); }};
    *reader = &made.release()->abi;
  });
}

struct WriterOpened {
  explicit WriterOpened(const Opening& opening, polycodec_call* call)
      : stream(opening.plugin, opening, call, "open_writer", &Instance32::open_writer) {}
  polycodec_writer abi{};
  Stream stream;
};

std::int32_t write(polycodec_writer* self, polycodec_call* call, polycodec_sink* sink,
                   const polycodec_node* root, polycodec_error* error) {
  return guard(error, [&] {
    const Stream& stream = static_cast<WriterOpened*>(self->private_data)->stream;
    Machine& m = *stream.machine;
    m.begin(call);
    const Address value = ValueIn(m).root(root);
    const Address to = m.open_sink(sink);
    m.end_staging();
    const Stream32 functions = *m.at<Stream32>(stream.at);
    if (root != nullptr)
      m.ask("append", functions.first, {stream.at, m.call_at(), to, value, m.error_at()});
    else
      m.ask("finish", functions.second, {stream.at, m.call_at(), to, m.error_at()});
  });
}

std::int32_t finish(polycodec_writer* self, polycodec_call* call, polycodec_sink* sink,
                    polycodec_error* error) {
  return write(self, call, sink, nullptr, error);
}

std::int32_t open_writer(const polycodec_instance* self, polycodec_call* call,
                         polycodec_writer** writer, polycodec_error* error) {
  return guard(error, [&] {
    auto made = std::make_unique<WriterOpened>(opening_of(self), call);
    made->abi = {sizeof made->abi, 0, made.get(), &write, &finish, [](polycodec_writer* of) {
                   delete static_cast<WriterOpened*>(of->private_data);
                 }};
    *writer = &made.release()->abi;
  });
}

std::int32_t open_codec(const polycodec_codec* self, polycodec_call* call,
                        const polycodec_node* options, const polycodec_instance** instance,
                        polycodec_error* error) {
  return guard(error, [&] {
    const auto& codec = *static_cast<const Object<polycodec_codec>*>(self->private_data);
    auto made = std::make_unique<Opened<polycodec_instance>>(codec, call, options);
    polycodec_instance& abi = made->abi;
    const std::uint32_t can = codec.abi.capabilities;
    if ((can & POLYCODEC_CAN_DECODE) != 0) abi.decode = &decode;
    if ((can & POLYCODEC_CAN_ENCODE) != 0) abi.encode = &encode;
    if ((can & POLYCODEC_CAN_READ_STREAM) != 0) abi.open_reader = &open_reader;
    if ((can & POLYCODEC_CAN_WRITE_STREAM) != 0) abi.open_writer = &open_writer;
    *instance = &made.release()->abi;
  });
}

// -- filters --

std::int32_t encode_bytes(const polycodec_filter_instance* self, polycodec_call* call,
                          const polycodec_bytes* pieces, std::uint64_t n, polycodec_sink* sink,
                          polycodec_error* error) {
  return guard(error, [&] {
    const Seat seat(opening_of(self).plugin);
    Machine& m = seat.machine();
    const Address instance = opening_of(self).in(m, call);
    m.begin(call);
    std::vector<Bytes32> staged;
    for (std::uint64_t i = 0; i < n; ++i) staged.push_back(m.put_data(pieces[i]));
    const Address list =
        m.put_bytes(to_string_view(staged.data(), staged.size() * sizeof(Bytes32)), 8).data;
    const Address to = m.open_sink(sink);
    m.end_staging();
    m.ask("encode", m.at<FilterInstance32>(instance)->encode,
          {instance, m.call_at(), list, n, to, m.error_at()}, 0b1000);
  });
}

std::int32_t decode_bytes(const polycodec_filter_instance* self, polycodec_call* call,
                          polycodec_bytes bytes, std::uint64_t expected, polycodec_sink* sink,
                          polycodec_error* error) {
  return guard(error, [&] {
    const Seat seat(opening_of(self).plugin);
    Machine& m = seat.machine();
    const Address instance = opening_of(self).in(m, call);
    m.begin(call);
    const Address given = m.put(m.put_data(bytes));
    const Address to = m.open_sink(sink);
    m.end_staging();
    m.ask("decode", m.at<FilterInstance32>(instance)->decode,
          {instance, m.call_at(), given, expected, to, m.error_at()}, 0b1000);
  });
}

std::int32_t open_filter(const polycodec_filter* self, polycodec_call* call,
                         const polycodec_node* options, const polycodec_filter_instance** instance,
                         polycodec_error* error) {
  return guard(error, [&] {
    const auto& filter = *static_cast<const Object<polycodec_filter>*>(self->private_data);
    auto made = std::make_unique<Opened<polycodec_filter_instance>>(filter, call, options);
    polycodec_filter_instance& abi = made->abi;
    const std::uint32_t can = filter.abi.capabilities;
    if ((can & POLYCODEC_CAN_ENCODE) != 0) abi.encode = &encode_bytes;
    if ((can & POLYCODEC_CAN_DECODE) != 0) abi.decode = &decode_bytes;
    *instance = &made.release()->abi;
  });
}

// -- the plugin --

ModulePlugin::ModulePlugin(Runtime& runtime, std::string_view bytes, ModuleCache* cache)
    : code_(runtime, bytes, cache) {
  auto machine = std::make_unique<Machine>(code_);
  describe(*machine);
  give(std::move(machine));
}

void ModulePlugin::describe(Machine& m) {
  const Plugin32 plugin = *m.at<Plugin32>(m.plugin_at());
  id_ = m.constant(plugin.id);
  version_ = m.constant(plugin.version);
  abi_.struct_size = sizeof abi_;
  abi_.abi = plugin.abi;
  abi_.id = id_.c_str();
  abi_.version = version_.c_str();
  abi_.private_data = this;
  // Instances begin with init(), and they end without a call.
  abi_.get_interface = &get_interface;
  const auto list = [&](const char* id) {
    m.begin(nullptr);
    const Address name = m.put_bytes(std::string_view(id, std::strlen(id) + 1)).data;
    m.end_staging();
    const auto at =
        static_cast<Address>(m.run("get_interface", plugin.get_interface, {m.plugin_at(), name}));
    std::vector<Address> items;
    if (at == 0) return items;
    const Table32 table = *m.at<Table32>(at);
    if (table.count > most_objects)
      throw Error(Status::plugin, "it has " + std::to_string(table.count) + " objects of one kind");
    const Address* const first = m.at<Address>(table.count == 0 ? 0 : table.items, table.count);
    items.assign(first, first + table.count);
    return items;
  };
  const auto fill = [&](auto& object, const auto& of, Address at) {
    object.name = m.constant(of.name);
    object.plugin = this;
    object.at = at;
    object.sniff = of.sniff;
    object.open = of.open;
    object.abi.struct_size = sizeof object.abi;
    object.abi.capabilities = of.capabilities;
    object.abi.name = object.name.c_str();
    object.abi.private_data = &object;
  };
  for (const Address at : list(POLYCODEC_CODECS_INTERFACE)) {
    const Codec32 of = *m.at<Codec32>(at);
    const std::uint32_t wanted = of.inputs | of.outputs;
    if ((wanted & ~(POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_COMPANIONS)) != 0 ||
        (of.capabilities & POLYCODEC_CAN_LIST) != 0)
      throw Error(Status::plugin,
                  "its codec " + quote(m.constant(of.name)) +
                      " wants files or stores, and a WebAssembly plugin has bytes alone");
    auto& object = codecs_.objects.emplace_back();
    fill(object, of, at);
    object.abi.inputs = of.inputs;
    object.abi.outputs = of.outputs;
    if (of.sniff != 0) object.abi.sniff = &sniff<polycodec_codec>;
    object.abi.open = &open_codec;
  }
  for (const Address at : list(POLYCODEC_FILTERS_INTERFACE)) {
    const Filter32 of = *m.at<Filter32>(at);
    auto& object = filters_.objects.emplace_back();
    fill(object, of, at);
    if (of.sniff != 0) object.abi.sniff = &sniff<polycodec_filter>;
    object.abi.open = &open_filter;
  }
  for (const Address at : list(POLYCODEC_TYPES_INTERFACE)) {
    const Type32 of = *m.at<Type32>(at);
    Named& named = types_.objects.emplace_back();
    named.name = m.constant(of.name);
    named.notation = m.constant(of.notation);
    if (of.doc != 0) named.doc = m.constant(of.doc);
    named.abi.struct_size = sizeof named.abi;
    named.abi.name = named.name.c_str();
    named.abi.notation = named.notation.c_str();
    named.abi.doc = named.doc.c_str();
  }
  codecs_.finish(), filters_.finish(), types_.finish();
}

const void* ModulePlugin::get_interface(const polycodec_plugin* self, const char* id) {
  const auto& plugin = *static_cast<const ModulePlugin*>(self->private_data);
  const std::string_view name = id;
  if (name == POLYCODEC_CODECS_INTERFACE) return &plugin.codecs_.abi;
  if (name == POLYCODEC_FILTERS_INTERFACE) return &plugin.filters_.abi;
  if (name == POLYCODEC_TYPES_INTERFACE) return &plugin.types_.abi;
  return nullptr;
}

std::unique_ptr<Machine> ModulePlugin::take() {
  {
    const std::scoped_lock lock(mutex_);
    if (!idle_.empty()) {
      auto machine = std::move(idle_.back());
      idle_.pop_back();
      return machine;
    }
  }
  return std::make_unique<Machine>(code_);
}

void ModulePlugin::give(std::unique_ptr<Machine> machine) noexcept {
  if (!machine->end_input() || machine->is_spent() || machine->size() > most_idle_memory ||
      machine->opened.size() > most_opened)
    return;
  const std::scoped_lock lock(mutex_);
  if (idle_.size() < most_idle) try {
      idle_.push_back(std::move(machine));
    } catch (const std::bad_alloc&) {  // NOLINT: one instance less
    }
}

const polycodec_plugin* open_module(void* runtime, const Files* files, std::string_view bytes,
                                    ModuleCache* cache) {
  // Deliberately never destroyed: what is loaded stays, as libraries do.
  static auto* const modules =
      new std::map<std::string, std::unique_ptr<ModulePlugin>, std::less<>>;
  static auto* const mutex = new std::mutex;
  const std::scoped_lock lock(*mutex);
  auto found = modules->find(bytes);
  if (found == modules->end())
    found = modules
                ->emplace(std::string(bytes),
                          std::make_unique<ModulePlugin>(Runtime::of(runtime, files), bytes, cache))
                .first;
  return &found->second->abi();
}

}  // namespace
}  // namespace polycodec::wasm

extern "C" POLYCODEC_EXPORT const polycodec::wasm::Modules polycodec_wasm_modules;
const polycodec::wasm::Modules polycodec_wasm_modules = {
    sizeof(polycodec::wasm::Modules), POLYCODEC_VERSION, &polycodec::wasm::open_module};
