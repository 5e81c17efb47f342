// SPDX-License-Identifier: MIT
// The least that a plugin needs of a host: a call, and files in memory. For tests of one object of
// a plugin, without a registry.
#pragma once

#include <base/scratch_arena.hpp>
#include <polycodec/call.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace polycodec::test {

/// A call with limits of its own. `work` counts what was charged.
class PluginCall {
 public:
  explicit PluginCall(std::uint64_t memory = std::uint64_t{1} << 28,
                      std::uint64_t max_work = UINT64_MAX)
      : arena_(memory), max_work_(max_work) {
    limits_.struct_size = sizeof limits_;
    limits_.max_depth = 1000;
    limits_.max_input_bytes = limits_.max_header_bytes = limits_.max_nodes = limits_.max_elements =
        limits_.max_work = limits_.max_stack_bytes = limits_.deadline = limits_.max_output_bytes =
            UINT64_MAX;
    limits_.max_memory_bytes = memory;
    call_.struct_size = sizeof call_;
    call_.arena = arena_.abi();
    call_.limits = &limits_;
    call_.private_data = this;
    call_.spend = [](polycodec_call* self, std::uint64_t units, polycodec_error* error) {
      auto& own = *static_cast<PluginCall*>(self->private_data);
      own.work += units;
      return own.work > own.max_work_ ? fill_error(error, Status::limit, "no work left")
                                      : std::int32_t{POLYCODEC_OK};
    };
    call_.parallel_for = [](polycodec_call* self, std::uint64_t n, std::uint64_t grain,
                            polycodec_body body, void* data, polycodec_error* error) {
      std::int32_t code = POLYCODEC_OK;
      for (std::uint64_t from = 0; from < n && code == POLYCODEC_OK; from += grain)
        code = body(data, self, from, std::min(n, from + grain), error);
      return code;
    };
  }
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;

  operator polycodec_call*() noexcept { return &call_; }
  std::uint64_t work = 0;

 private:
  ScratchArena arena_;
  polycodec_limits limits_{};
  polycodec_call call_{};
  std::uint64_t max_work_;
};

/// A file in memory, to read and to write. Counts how often it was asked for bytes.
class MemoryFile {
 public:
  explicit MemoryFile(std::string content = {}) : bytes(std::move(content)) {
    file_.struct_size = sizeof file_;
    file_.descriptor = -1;
    file_.private_data = this;
    file_.size = [](const polycodec_file* self, polycodec_call*, std::uint64_t* size,
                    polycodec_error*) {
      *size = of(self).bytes.size();
      return std::int32_t{POLYCODEC_OK};
    };
    file_.read_at = [](const polycodec_file* self, polycodec_call*, std::uint64_t offset,
                       void* buffer, std::uint64_t size, std::uint64_t* got,
                       polycodec_error* error) {
      ++of(self).reads;
      if (of(self).fail_reads) return fill_error(error, Status::io, "the disk is gone");
      const std::string_view part = of(self).part(offset, size);
      if (!part.empty()) std::memcpy(buffer, part.data(), part.size());
      *got = part.size();
      return std::int32_t{POLYCODEC_OK};
    };
    file_.view = [](const polycodec_file* self, polycodec_call*, std::uint64_t offset,
                    std::uint64_t size, polycodec_bytes* view, polycodec_error*) {
      *view = to_bytes(of(self).part(offset, size));
      return std::int32_t{POLYCODEC_OK};
    };
    file_.release = [](const polycodec_file*) {};
    output_.struct_size = sizeof output_;
    output_.file = &file_;
    output_.private_data = this;
    output_.write_at = [](polycodec_output_file* self, polycodec_call*, std::uint64_t offset,
                          const void* data, std::uint64_t size, polycodec_error*) {
      std::string& all = static_cast<MemoryFile*>(self->private_data)->bytes;
      all.resize(std::max<std::size_t>(all.size(), offset + size));
      if (size != 0) std::memcpy(all.data() + offset, data, size);
      return std::int32_t{POLYCODEC_OK};
    };
    output_.truncate = [](polycodec_output_file* self, polycodec_call*, std::uint64_t size,
                          polycodec_error*) {
      static_cast<MemoryFile*>(self->private_data)->bytes.resize(size);
      return std::int32_t{POLYCODEC_OK};
    };
    output_.sync = [](polycodec_output_file*, polycodec_call*, polycodec_error*) {
      return std::int32_t{POLYCODEC_OK};
    };
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const polycodec_file* file() const noexcept { return &file_; }
  polycodec_output_file* output() noexcept { return &output_; }

  std::string bytes;
  std::uint64_t reads = 0;
  bool fail_reads = false;

 private:
  static MemoryFile& of(const polycodec_file* self) {
    return *static_cast<MemoryFile*>(self->private_data);
  }
  std::string_view part(std::uint64_t offset, std::uint64_t size) const {
    return std::string_view(bytes).substr(std::min<std::uint64_t>(offset, bytes.size()), size);
  }

  polycodec_file file_{};
  polycodec_output_file output_{};
};

/// A sink in memory, in one piece.
class MemorySink {
 public:
  explicit MemorySink(std::uint64_t max_bytes = std::uint64_t{1} << 28) : max_bytes_(max_bytes) {
    sink_.struct_size = sizeof sink_;
    sink_.flags = POLYCODEC_SINK_CONTIGUOUS;
    sink_.private_data = this;
    sink_.grow = [](polycodec_sink* self, std::uint64_t need, polycodec_error* error) {
      return of(self).grow(need, error);
    };
    sink_.reference = [](polycodec_sink* self, const void* data, std::uint64_t size,
                         polycodec_error* error) {
      return polycodec_sink_put(self, data, size, error);
    };
    sink_.expect = [](polycodec_sink* self, std::uint64_t size, polycodec_error* error) {
      return size > of(self).max_bytes_ ? fill_error(error, Status::limit, "too much output")
                                        : std::int32_t{POLYCODEC_OK};
    };
    sink_.adopt = [](polycodec_sink*, void* object, void (*release)(void*), const polycodec_bytes*,
                     std::uint64_t, polycodec_error* error) {
      release(object);
      return fill_error(error, Status::unsupported, "this sink adopts nothing");
    };
  }
  MemorySink(const MemorySink&) = delete;
  MemorySink& operator=(const MemorySink&) = delete;

  polycodec_sink* sink() noexcept { return &sink_; }
  std::string_view text() const noexcept { return std::string_view(bytes_).substr(0, used()); }

 private:
  static MemorySink& of(polycodec_sink* self) {
    return *static_cast<MemorySink*>(self->private_data);
  }
  std::size_t used() const noexcept {
    return sink_.cursor == nullptr
               ? 0
               : static_cast<std::size_t>(reinterpret_cast<const char*>(sink_.cursor) -
                                          bytes_.data());
  }
  std::int32_t grow(std::uint64_t need, polycodec_error* error) {
    const std::size_t size = used();
    if (need > max_bytes_ - std::min<std::uint64_t>(size, max_bytes_))
      return fill_error(error, Status::limit, "too much output");
    bytes_.resize(std::max<std::size_t>(bytes_.size(), size + need));
    sink_.cursor = reinterpret_cast<std::uint8_t*>(bytes_.data()) + size;
    sink_.limit = reinterpret_cast<std::uint8_t*>(bytes_.data()) + bytes_.size();
    return POLYCODEC_OK;
  }

  polycodec_sink sink_{};
  std::string bytes_;
  std::uint64_t max_bytes_;
};

}  // namespace polycodec::test
