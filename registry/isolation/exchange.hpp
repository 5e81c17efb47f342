// SPDX-License-Identifier: MIT
// A request to a worker: what it is told, what it asks meanwhile, and its result.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/bytes.hpp>

#include "core/io/mapped_file.hpp"
#include "registry/isolation/copy_value.hpp"
#include "registry/isolation/isolated_plugin.hpp"
#include "registry/isolation/range_memory.hpp"
#include "registry/isolation/relocate.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace polycodec::isolation {

/// A worker in use. It goes back to its plugin with its owner.
struct Seat {
  explicit Seat(std::shared_ptr<IsolatedPlugin> of)
      : plugin(std::move(of)), worker(plugin->take()) {}
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;
  ~Seat() {
    if (worker != nullptr) plugin->give(std::move(worker));
  }
  std::shared_ptr<IsolatedPlugin> plugin;
  std::unique_ptr<Worker> worker;  // null once it has been ended
};

/// The objects of the host that a worker may use by number.
class Served {
 public:
  enum class Kind : std::uint8_t { file, output, store, writer };
  Handle add(Kind kind, const void* object) {
    if (object == nullptr) return 0;
    all_.push_back({kind, object});
    return all_.size();
  }
  /// Throws Error(Status::plugin) for a number that is none.
  template <class T>
  T* get(Kind kind, Handle handle) const {
    return static_cast<T*>(const_cast<void*>(find(kind, handle)));
  }

 private:
  struct One {
    Kind kind;
    const void* object;
  };
  const void* find(Kind kind, Handle handle) const;
  std::vector<One> all_;
};

/// Bytes of a stream that were staged by an earlier request and not consumed yet.
struct HeldBytes {
  std::shared_ptr<Segment> segment;
  std::uint64_t begin = 0, size = 0;

  /// The reader has taken bytes from the front.
  void consume(std::uint64_t bytes) noexcept {
    if (bytes > size) segment.reset();
    begin += bytes;
    size -= std::min(bytes, size);
  }
};

/// One request. For one thread.
class Exchange {
 public:
  /// `call` is the host's. `bytes`: about as much is going to be staged; `unknown_bytes` for what
  /// the worker reads piece by piece.
  static constexpr std::uint64_t unknown_bytes =
      (std::uint64_t{8} << 30) - (std::uint64_t{8} << 20);
  Exchange(Seat& seat, polycodec_call* call, std::uint64_t bytes, Served& served);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() { note_staged(); }

  /// Puts things where the worker can read them.
  polycodec_bytes stage(polycodec_bytes bytes);
  /// The same for the bytes of a stream, which begin with those that are held.
  polycodec_bytes stage(polycodec_bytes bytes, HeldBytes& held);
  const polycodec_node* stage(const polycodec_node* value);
  StagedInput* stage(const polycodec_input& input);
  StagedOutput* stage(const polycodec_output& output);
  /// A file of the host. The worker maps it if it can, and otherwise asks the host for its bytes.
  void stage(const polycodec_file* file, StagedFile& staged);
  StagedStore stage_store(const polycodec_store* store);
  void* allocate(std::uint64_t size, std::uint64_t align);
  /// The worker opens an instance before it serves the request, unless it has it.
  void open_first(std::uint64_t index, const polycodec_node* options, std::uint64_t number);
  /// The worker has this file from an earlier request.
  void has_file(std::shared_ptr<const posix::MappedFile> file) noexcept {
    shared_.file = std::move(file);
  }

  /// Sends the request and serves the worker until its answer. Throws what the plugin reports, and
  /// Error(Status::plugin) if the worker fails, which is ended then.
  Message run(Op op, std::uint64_t object, std::uint64_t staged = 0, std::uint64_t third = 0,
              std::uint64_t fourth = 0);

  /// Takes the value of an answer into the arena of the call, not validated. A null pointer stays.
  const polycodec_node* take_value(const Message& answer);
  /// Takes bytes of an answer, likewise.
  polycodec_bytes take_bytes(const Message& answer, std::uint64_t at, std::uint64_t size);
  /// A copy of text of an answer, whose place is in a[at] and a[at + 1].
  std::string text(const Message& answer, std::size_t at) const;
  /// Ends an answer whose parts were copied.
  void finish(const Message& answer) noexcept;
  /// Writes the output of an answer to a sink.
  void take_output(const Message& answer, polycodec_sink* sink);

 private:
  friend class Service;
  Worker& worker() const noexcept { return *seat_.worker; }
  void prepare_segments(std::uint64_t bytes);
  /// Takes down how much of its segment the host has written.
  void note_staged() noexcept;
  void start(Message& request);
  /// Charges the call for work that the worker may do without a question.
  void buy_credit() noexcept;
  Message receive();
  /// The worker could not map the file: its bytes are copied.
  void copy_file();
  void check_clock();
  [[noreturn]] void fail(const std::string& why);
  [[noreturn]] void fail_at_call(const std::string& name);
  void check_answer(const Message& answer);
  /// Copies a part of what the worker has made; knows where all is that the value may point to.
  Relocator copy(std::uint64_t begin, std::uint64_t end, bool with_staged_values);
  /// What the worker has filled of its arena. Throws Error(Status::plugin) if that cannot be.
  std::uint64_t arena_used(const Message& answer) const;
  /// True if the memory of the worker is now that of the call's arena or of a sink.
  template <class Keeper>
  bool take_over(const Message& answer, Keeper* keeper);

  /// A file that the worker has where the host has it.
  struct SharedFile {
    std::shared_ptr<const posix::MappedFile> file;
    bool is_new = false;           // the worker maps it with this request
    StagedInput* input = nullptr;  // whose bytes it is
    StagedFile* staged = nullptr;
  };
  /// Lets the worker map the file, if that is worth it.
  bool share(std::shared_ptr<const posix::MappedFile> file);
  Range shared_range() const noexcept;

  Seat& seat_;
  polycodec_call* call_;
  Served& served_;
  std::shared_ptr<Segment> in_;
  RangeArena staging_;  // in it
  SharedFile shared_;
  std::vector<Copied> originals_;            // bytes that were staged, in order of their addresses
  std::vector<Copied> buffers_;              // large parts of values, likewise
  std::vector<Range> values_;                // all memory of values that were staged
  std::uint8_t* transient_ = nullptr;        // what was staged from here on has been used
  std::map<Handle, polycodec_sink*> blobs_;  // that are being written
  std::uint32_t logged_ = 0;
  std::uint64_t granted_ = 0;
  bool is_noticed_ = false;  // that it takes long
  bool is_sniff_ = false;    // nobody waits for one that is cancelled
  std::chrono::steady_clock::time_point started_;
  std::optional<std::chrono::steady_clock::time_point> cancelled_;
};

}  // namespace polycodec::isolation
