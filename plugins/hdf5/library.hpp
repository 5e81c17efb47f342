// SPDX-License-Identifier: MIT
// What every use of the HDF5 library here needs: its lock, owned identifiers, its errors.
#pragma once

// The names of 1.10 exist in every later release too, with this.
#define H5_USE_110_API
#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace polycodec::hdf5 {

/// Held around every use of the library, which is not thread-safe. Meanwhile it prints no errors
/// and loads no plugins.
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
  /// Closes the identifier now. False if the library reports an error.
  bool reset() noexcept {
    const hid_t id = std::exchange(id_, -1);
    return id < 0 || close_(id) >= 0;
  }
  hid_t get() const noexcept { return id_; }
  explicit operator bool() const noexcept { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// The innermost reason on the library's error stack, or "unknown reason". Under a Lock.
std::string last_error();

}  // namespace polycodec::hdf5
