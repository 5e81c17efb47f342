// SPDX-License-Identifier: MIT
// One instance of a module: its linear memory, its calls, and the host as it sees it.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>

#include "registry/wasm/layout.hpp"
#include "registry/wasm/runtime.hpp"

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace polycodec::wasm {

/// Input from this size on has pages of its own: those of a file, or they go when it has been read.
constexpr std::uint64_t large_input = std::uint64_t{1} << 20;

/// A part of the host's memory that was copied into linear memory.
struct Original {
  Address begin;
  std::uint64_t size;
  const std::uint8_t* from;
};

/// For one thread at a time. Nothing outside of linear memory is ever read or written for it.
class Machine {
 public:
  /// A new instance, initialized. Throws Error(Status::plugin).
  explicit Machine(const Compiled& code);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // -- memory --
  std::uint8_t* base() const noexcept { return base_; }
  /// 0 while the start function runs: the runtime ends the process for a memory that it has not.
  std::uint64_t size() const noexcept { return region_ == nullptr ? 0 : region_->size; }
  bool holds(std::uint64_t at, std::uint64_t bytes) const noexcept {
    const std::uint64_t all = size();
    return at <= all && bytes <= all - at;
  }
  /// Structs at an address. Throws Error(Status::plugin) if that is not in linear memory.
  template <class T>
  T* at(std::uint64_t address, std::uint64_t count = 1) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count > (std::uint64_t{1} << 33) / sizeof(T) || address % alignof(T) != 0 ||
        !holds(address, count * sizeof(T)))
      stray();
    return reinterpret_cast<T*>(base_ + address);
  }
  std::string_view text(const Bytes32& bytes) const {
    return to_string_view(at<char>(bytes.size == 0 ? 0 : bytes.data, bytes.size), bytes.size);
  }
  /// A text that ends with a 0 byte.
  std::string constant(Address address) const;
  [[noreturn]] static void stray();
  /// Memory of the call, or of the instance between calls. `fills`: the caller writes all of it.
  /// Throws Error(Status::limit, memory).
  Address allocate(std::uint64_t bytes, std::uint64_t align = 8, bool fills = false);
  template <class T>
  Address put(const T& value) {
    const Address to = allocate(sizeof value, alignof(T));
    *at<T>(to) = value;
    return to;
  }
  Bytes32 put_bytes(std::string_view bytes, std::uint64_t align = 1);
  /// The same for input of the call, which pays for the copy. One that is a large file is mapped.
  Bytes32 put_data(polycodec_bytes bytes);
  /// No file is mapped any more. False: it must not run again.
  bool end_input() noexcept { return region_->end_file(); }
  /// Nobody needs these bytes of an instance that ended with its value.
  void spare(std::uint64_t begin, std::uint64_t end) { regions().spare(*region_, begin, end); }
  /// What has been allocated so far stays allocated after the call.
  void keep_memory();
  /// Bytes that have been allocated since end_staging().
  std::uint64_t allocated() const;
  /// The end of what is in use.
  std::uint64_t used_end() const;

  Regions& regions() const noexcept { return region_->home; }

  // -- calls --
  /// Begins a call that the host makes. Null: the instance is made, in little time and memory.
  void begin(polycodec_call* call);
  /// What the call stages is in memory: from now on the module takes the memory of its call.
  void end_staging();
  /// The call in linear memory, and an error.
  Address call_at() const noexcept { return call_at_; }
  Address error_at() const noexcept { return error_at_; }
  /// Calls a function of the module; bit i of `wide` says that value i has 8 bytes. A trap is an
  /// Error(Status::plugin) with `name`.
  std::int32_t run(const char* name, Address function, std::initializer_list<std::uint64_t> values,
                   std::uint32_t wide = 0);
  /// The same for one that fills the error: throws what it reports. Writes what is in the window of
  /// the sink, and gives the credit that is left back to the call.
  void ask(const char* name, Address function, std::initializer_list<std::uint64_t> values,
           std::uint32_t wide = 0);
  /// It must not run again: it was ended in the middle of a call, or its objects own memory of a
  /// value.
  bool is_spent() const noexcept { return is_spent_ || is_kept_; }

  // -- output --
  /// A sink in linear memory that writes to the host's.
  Address open_sink(polycodec_sink* sink);
  /// What was copied into linear memory: references to it become references to the original.
  std::vector<Original> originals;

  /// Objects that were opened here, by their numbers.
  std::map<std::uint64_t, Address> opened;
  Address plugin_at() const noexcept { return plugin_at_; }

 private:
  struct Host;
  struct Chunk {
    std::uint64_t begin, end;
  };
  void make();
  Func make_function(HostFunction function, std::string_view parameters, bool returns);
  /// Where the next byte is allocated, which the module may have moved.
  std::uint64_t cursor() const;
  void add_chunk(std::uint64_t bytes);
  void limit_memory(std::uint64_t bytes) noexcept;
  /// Looks at a call that takes longer than a tick. Throws what ends it.
  void look();
  void end(const Error& why) noexcept;
  void finish_run(const char* name, Failure* failure, Trap* trap);
  /// Gives the module the credit of the call, and takes it back.
  void lend_credit();
  void sync_credit();
  /// Charges the call, while the module has its credit. Throws what the call is refused with.
  void pay(std::uint64_t units);
  void write_error(Address error, const Error& e);
  void new_window(std::uint64_t bytes);
  std::uint64_t written() const;
  void flush_sink();
  void grow_sink(std::uint64_t need);
  void reference(Address data, std::uint64_t bytes);

  const Compiled& code_;
  const Wasmtime& api_;
  Store* store_ = nullptr;
  Context* context_ = nullptr;
  Item memory_{}, table_{};
  std::uint8_t* base_ = nullptr;
  Region* region_ = nullptr;
  std::vector<Chunk> chunks_;  // of memory that the host has added
  std::size_t chunk_ = 0, floor_chunk_ = 0;
  std::uint64_t at_ = 0, floor_ = 0, allocated_ = 0;
  std::vector<Address> functions_;  // of the host, in the module's table
  Address plugin_at_ = 0, host_at_ = 0, arena_at_ = 0, call_at_ = 0, error_at_ = 0, sink_at_ = 0;
  std::uint64_t sink_begin_ = 0, sink_end_ = 0;
  polycodec_call* call_ = nullptr;
  polycodec_sink* sink_ = nullptr;
  CallError* heard_ = nullptr;  // the error of the function that runs
  std::uint64_t granted_ = 0, worked_ = 0, seen_work_ = 0;
  std::chrono::steady_clock::time_point started_, seen_;
  bool is_spent_ = false, is_kept_ = false;
  std::uint32_t depth_ = 0;     // of functions that run
  std::uint32_t logged_ = 0;    // lines of this call
  std::optional<Error> ended_;  // why the host ends the call
};

}  // namespace polycodec::wasm
