// SPDX-License-Identifier: MIT
// An arena and a sink that make trouble on purpose.
#pragma once

#include <polycodec/abi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::kit {

struct CallSettings;

/// Objects that a plugin handed over, released in reverse order.
class AdoptedObjects {
 public:
  AdoptedObjects() = default;
  ~AdoptedObjects();
  AdoptedObjects(const AdoptedObjects&) = delete;
  AdoptedObjects& operator=(const AdoptedObjects&) = delete;
  void add(void* object, void (*release)(void*)) { objects_.emplace_back(object, release); }

 private:
  std::vector<std::pair<void*, void (*)(void*)>> objects_;
};

/// An arena without room to spare: each allocation is a block of its own, and those from a given one on are refused.
class CountingArena {
 public:
  explicit CountingArena(std::uint64_t refuse_from) noexcept;
  ~CountingArena();
  CountingArena(const CountingArena&) = delete;
  CountingArena& operator=(const CountingArena&) = delete;
  polycodec_arena* abi() noexcept { return &abi_; }
  std::uint64_t requests() const noexcept { return requests_; }

 private:
  static void* grow(polycodec_arena* arena, std::uint64_t size, std::uint64_t align);
  static std::int32_t adopt(polycodec_arena* arena, void* object, void (*release)(void*));
  polycodec_arena abi_;
  std::uint64_t refuse_from_;
  std::uint64_t requests_ = 0;
  std::vector<void*> blocks_;
  AdoptedObjects adopted_;
};

/// A sink that keeps references until the encoder has returned, as a host does that writes with writev, and that sees
/// when an encoder writes outside of its window.
class CollectingSink {
 public:
  CollectingSink(const CallSettings& settings, bool blobs);
  ~CollectingSink();
  CollectingSink(const CollectingSink&) = delete;
  CollectingSink& operator=(const CollectingSink&) = delete;
  polycodec_sink* abi() noexcept { return &abi_; }
  std::uint64_t requests() const noexcept { return requests_; }
  /// Throws Failure if the encoder broke the contract of the sink.
  void check();
  /// Everything that was written, by blob.
  std::vector<std::pair<std::string, std::string>> take_parts();

 private:
  struct Thunks;
  struct Piece {
    std::size_t part;
    const void* data;
    std::uint64_t size;
  };
  void close_window();
  std::int32_t refuse(polycodec_error* error, std::uint64_t more);

  polycodec_sink abi_;
  bool small_windows_;
  bool blobs_;
  std::uint64_t max_bytes_;
  std::uint64_t refuse_from_;
  std::uint64_t requests_ = 0;
  std::uint64_t written_ = 0;
  std::uint8_t* window_ = nullptr;
  std::string complaint_;
  std::vector<std::unique_ptr<std::uint8_t[]>> windows_;
  std::vector<std::string> names_;
  std::vector<Piece> pieces_;
  AdoptedObjects adopted_;
};

}  // namespace polycodec::kit
