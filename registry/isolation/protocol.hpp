// SPDX-License-Identifier: MIT
// What the host and the sandbox say to each other. Both are of one build: there is one version.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/error.hpp>

#include <array>
#include <cstdint>

namespace polycodec::isolation {

/// A pointer in a message means the same memory in both processes: segments lie at one address.
enum class Op : std::uint32_t {
  // The host asks the zygote. A reply has the Op of its request.
  load,      // the parameters follow as text; reply: a[0] stage of a failure; lines come before it
  describe,  // a[0] index, a[1] 1 for a function; reply: a[0..3]
  leave,     // the plugin runs deinit; lines come before the reply
  reap,      // a[0] process id; reply: a[0] status as of waitpid(), a[1] bytes that it used at most
  retire,    // a[0] process id of a worker that is to end; no reply
  // A worker with the socket that comes with it. The segments that `maps` names come as in other
  // requests. a[0] process id of one that is to end, or 0. No reply: the worker, or the zygote in
  // its stead, says `ready` with its process id, the errors of two layers and its descriptor.
  fork,
  ready,
  // The host asks a worker; `object` of the request names an object that the host has numbered.
  close,  // no reply
  sniff,
  open,
  decode,
  encode,
  encoded_size,
  list,
  open_reader,
  next,
  open_writer,
  append,
  finish,
  filter_encode,
  filter_decode,
  filter_size,
  store_open,
  store_entry,
  store_find,
  store_read,
  store_create,
  store_edit,
  begin_blob,
  blob_data,
  remove_blob,
  commit,
  call_function,
  // The worker ends the request that it serves. The last one: it has used its processor time.
  done,
  last_done,
  forbidden,  // a[0] number of the system call that it made; it ends
  unmapped,   // the place of the file is taken there: the request has not been looked at
  // A worker asks the host in the course of a request.
  spend,
  report_loss,
  log,
  file_size,
  file_read,
  output_write,
  output_truncate,
  output_sync,
  blobs_entry,
  blobs_find,
  blobs_read,
  blobs_begin,
  blobs_data,
  blobs_remove,
  host_function,
  may_call,  // the path as in host_function; reply: a[0] 1 for a function of its own plugin that
             // data
             // may call: the worker calls it itself
  host_decode,
  host_encode,
  host_type
};

/// One packet; `error` is sent only where `code` is not POLYCODEC_OK.
struct Message {
  Op op = Op::done;
  std::int32_t code = POLYCODEC_OK;
  std::uint64_t credit = 0;
  std::array<std::uint64_t, 12> a{};
  polycodec_error error{};
};
inline constexpr std::size_t short_message = offsetof(Message, error);

/// An instance of a codec or filter.
struct Opening {
  std::uint64_t index;
  const polycodec_node* options;
  std::uint64_t number;  // 0: none
};

/// Begins the segment that the host writes: what each call of the plugin is told.
struct CallHeader {
  Opening opening;  // before the request is served
  polycodec_limits limits;
  polycodec_projection projection;
  std::uint32_t depth;
  std::uint32_t has_projection;
};

/// The files and stores of the host are numbered from 1. 0 names no object.
using Handle = std::uint64_t;

struct StagedFile {
  Handle handle;
  polycodec_bytes mapped;  // all of it, if the worker has it mapped; else of size 0
  std::uint32_t flags;
  std::uint8_t identity[16];
};
struct StagedStore {
  Handle handle;
  std::uint64_t count;
  std::uint32_t flags;
};
/// What a request says of its input.
struct StagedInput {
  polycodec_input abi;
  StagedFile file;
  StagedStore store;
};
/// Where a request writes.
struct StagedOutput {
  polycodec_output abi;  // `sink` is not NULL where there is one
  Handle writer;
  std::uint32_t writer_flags;
  StagedStore base;
};

/// What opens or creates a store: the index of the format, options or null, the number of the store
/// or writer (and one more for the base of a writer), and the file.
struct StagedOpening {
  std::uint64_t index;
  const polycodec_node* options;
  std::uint64_t number;
  StagedFile file;
  Handle output;
};
struct StagedBlob {
  polycodec_bytes name, owner;
};

/// Indices of Message::a.
namespace field {
/// A request has the places of the segments in these; the descriptors of those that `maps` names
/// are sent with it. The first `warm` bytes of a new segment of the worker have pages already.
/// A file of the host that comes with the request has its place, too. It is mapped for this
/// request, or, if that makes a store, as long as the store. `has_small_pages`: little is going to
/// be written to the new segment, and then all of it is cleared.
inline constexpr std::size_t place_of_in = 8, place_of_out = 10, maps = 7, warm = 6,
                             place_of_file = 4;
inline constexpr std::uint64_t maps_in = 1, maps_out = 2, maps_file = 4, has_small_pages = 8;
/// The answer to a request: the result, where the arena and the sink end, the segments of the
/// output and their number; `released` is 1 if the worker has given its segment away. The others
/// depend on the request; `has_copied` is 1 if a decoded value had parts elsewhere.
inline constexpr std::size_t result = 0, arena_end = 1, sink_end = 2, segments = 3, n_segments = 4,
                             released = 5, has_copied = 6, second = 6, bytes = 7, more_bytes = 9,
                             third = 11;
/// Where the message and the path of a failed call lie, if the error of the message cuts them.
inline constexpr std::size_t whole_message = bytes, whole_path = more_bytes;
}  // namespace field

/// A zygote sends so many lines that its plugin logs: each is an Op::log, and its text begins with
/// the digit of the level.
inline constexpr std::size_t most_lines = 16;

/// Results up to this size are copied out, and the worker keeps its memory. Larger ones are taken
/// over with their pages.
inline constexpr std::uint64_t small_result = std::uint64_t{64} << 10;

/// A segment of a worker is an arena, then its output, then what it writes to a blob.
constexpr std::uint64_t sink_begin(std::uint64_t begin, std::uint64_t size) noexcept {
  return begin + (size / 2 & ~std::uint64_t{4095});
}
constexpr std::uint64_t blob_begin(std::uint64_t begin, std::uint64_t size) noexcept {
  return begin + (size / 4 * 3 & ~std::uint64_t{4095});
}

constexpr std::uint64_t align_up(std::uint64_t at, std::uint64_t align) noexcept {
  return (at + align - 1) & ~(align - 1);
}

/// The address of a pointer, for messages.
inline std::uint64_t number(const void* pointer) noexcept {
  return reinterpret_cast<std::uintptr_t>(pointer);
}
template <class T>
T* pointer(std::uint64_t number) noexcept {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(number));  // NOLINT
}

}  // namespace polycodec::isolation
