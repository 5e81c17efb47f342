// SPDX-License-Identifier: MIT
// What reading and writing HDF5 share. Private to core; included only where HDF5 is there.
#pragma once

// The names of 1.10 are there in every later release too, with this.
#define H5_USE_110_API
#include <hdf5.h>

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::hdf5 {

/// Held around every use of the library, which is not thread-safe. Meanwhile it prints no errors and loads no
/// plugins.
class Lock {
 public:
  Lock();
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t printer_ = nullptr;
  void* printer_data_ = nullptr;
  unsigned plugins_ = 0;
};

/// Owns an identifier of the library. To be destroyed under a Lock.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() noexcept = default;
  Handle(hid_t id, Close close) noexcept : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { reset(); }
  void reset() noexcept {
    if (id_ >= 0) close_(id_);
    id_ = -1;
  }
  hid_t get() const noexcept { return id_; }
  explicit operator bool() const noexcept { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// The innermost reason on the library's error stack, or "unknown reason". Under a Lock.
std::string last_error();

/// A name for a file in memory. The library takes two open files of one name for the same file.
std::string image_name();

}  // namespace polycodec::hdf5
