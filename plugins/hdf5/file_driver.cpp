// SPDX-License-Identifier: MIT
#include "file_driver.hpp"

#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cstring>
#include <new>

namespace polycodec::hdf5 {

namespace {

constexpr std::uint64_t block_bytes = 65536;
constexpr haddr_t max_address = (haddr_t{1} << 63) - 1;

struct DriverInfo {
  HostFile* file;
};

struct DriverFile {
  H5FD_t base;  // first: the library casts
  HostFile* file;
  haddr_t eoa;
};

DriverFile& own(H5FD_t* file) {
  return *reinterpret_cast<DriverFile*>(file);
}
const DriverFile& own(const H5FD_t* file) {
  return *reinterpret_cast<const DriverFile*>(file);
}

H5FD_t* driver_open(const char*, unsigned flags, hid_t list, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(list));
  if (info == nullptr) return nullptr;
  if ((flags & H5F_ACC_TRUNC) != 0 && !info->file->truncate(0)) return nullptr;
  auto* made = new (std::nothrow) DriverFile{};
  if (made == nullptr) return nullptr;
  made->file = info->file;
  return &made->base;
}

herr_t driver_close(H5FD_t* file) {
  delete &own(file);
  return 0;
}

/// The library shares the state of open files that are equal. Two stores over one file live and die
/// apart, so only the same HostFile is the same file.
int driver_compare(const H5FD_t* a, const H5FD_t* b) {
  const auto x = reinterpret_cast<std::uintptr_t>(own(a).file);
  const auto y = reinterpret_cast<std::uintptr_t>(own(b).file);
  return x < y ? -1 : x > y ? 1 : 0;
}

herr_t driver_query(const H5FD_t*, unsigned long* flags) {
  // Without ACCUMULATE_METADATA: its buffer is not safe from addresses at the end of the range.
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t driver_get_eoa(const H5FD_t* file, H5FD_mem_t) {
  return own(file).eoa;
}
herr_t driver_set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  own(file).eoa = address;
  return 0;
}
haddr_t driver_get_eof(const H5FD_t* file, H5FD_mem_t) {
  return own(file).file->size();
}

herr_t driver_read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  return own(file).file->read(address, buffer, size) ? 0 : -1;
}
herr_t driver_write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size,
                    const void* buffer) {
  // The library must not see a failure: a file that it could not close crashes it at exit. The
  // writer finds the failure with check_written().
  static_cast<void>(own(file).file->write(address, buffer, size));
  return 0;
}
herr_t driver_truncate(H5FD_t* file, hid_t, hbool_t) {
  DriverFile& self = own(file);
  if (self.eoa != self.file->size()) static_cast<void>(self.file->truncate(self.eoa));
  return 0;
}

H5FD_class_t make_class() {
  constexpr H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  H5FD_class_t c{};
#if defined(H5FD_CLASS_VERSION)
  c.version = H5FD_CLASS_VERSION;
  c.value = static_cast<H5FD_class_value_t>(600);  // 512 and more: drivers of applications
#endif
  c.name = "polycodec";
  c.maxaddr = max_address;
  c.fc_degree = H5F_CLOSE_STRONG;
  c.fapl_size = sizeof(DriverInfo);
  c.open = &driver_open;
  c.close = &driver_close;
  c.cmp = &driver_compare;
  c.query = &driver_query;
  c.get_eoa = &driver_get_eoa;
  c.set_eoa = &driver_set_eoa;
  c.get_eof = &driver_get_eof;
  c.read = &driver_read;
  c.write = &driver_write;
  c.truncate = &driver_truncate;
  std::copy(std::begin(map), std::end(map), std::begin(c.fl_map));
  return c;
}

}  // namespace

void HostFile::find_size(const Call& call) {
  invoke(file_->size, file_, call.raw(), &size_);
}

bool HostFile::read_part(std::uint64_t offset, char* to, std::uint64_t size) {
  auto error = make_error();
  std::uint64_t got = 0;
  if (const auto code = file_->read_at(file_, call_, offset, to, size, &got, &error)) {
    failure_ = to_error(code, error);
    return false;
  }
  std::memset(to + got, 0, size - got);
  return true;
}

bool HostFile::read(std::uint64_t offset, void* buffer, std::uint64_t size) noexcept {
  if (call_ == nullptr) return false;
  try {
    auto* to = static_cast<char*>(buffer);
    // What the library has reserved and never wrote lies after the end of the file: zeros.
    const std::uint64_t there = offset < size_ ? std::min(size, size_ - offset) : 0;
    std::memset(to + there, 0, size - there);
    if (there >= block_bytes) return read_part(offset, to, there);
    for (std::uint64_t done = 0; done < there;) {
      const std::uint64_t at = offset + done;
      if (block_size_ == 0 || at < block_at_ || at >= block_at_ + block_size_) {
        if (block_ == nullptr) block_ = std::make_unique<char[]>(block_bytes);
        block_size_ = 0;
        const std::uint64_t start = at - at % block_bytes;
        const std::uint64_t wanted = std::min(block_bytes, size_ - start);
        if (!read_part(start, block_.get(), wanted)) return false;
        block_at_ = start, block_size_ = wanted;
      }
      const std::uint64_t part = std::min(there - done, block_at_ + block_size_ - at);
      std::memcpy(to + done, block_.get() + (at - block_at_), part);
      done += part;
    }
    return true;
  } catch (const std::exception& e) {
    failure_.emplace(Status::memory, e.what());
    return false;
  }
}

bool HostFile::write(std::uint64_t offset, const void* data, std::uint64_t size) noexcept {
  if (output_ == nullptr) return false;
  if (call_ == nullptr) return true;  // the file is given up
  block_size_ = 0;
  size_ = std::max(size_, offset + size);
  if (write_failure_) return false;
  auto error = make_error();
  const auto code = output_->write_at(output_, call_, offset, data, size, &error);
  if (code != 0) write_failure_ = to_error(code, error);
  return code == 0;
}

bool HostFile::truncate(std::uint64_t size) noexcept {
  if (output_ == nullptr) return false;
  if (call_ == nullptr) return true;
  block_size_ = 0;
  size_ = size;
  if (write_failure_) return false;
  auto error = make_error();
  const auto code = output_->truncate(output_, call_, size, &error);
  if (code != 0) write_failure_ = to_error(code, error);
  return code == 0;
}

void HostFile::check_written() const {
  if (write_failure_) throw Error(*write_failure_);
}

std::string_view HostFile::view(std::uint64_t offset, std::uint64_t size) const {
  polycodec_bytes bytes{};
  invoke(file_->view, file_, call_, offset, size, &bytes);
  if (bytes.size != size) throw Error(Status::io, "the file has become shorter while it was read");
  return to_string_view(bytes);
}

void HostFile::throw_failure(Error error) {
  check_written();
  if (failure_) throw *std::exchange(failure_, std::nullopt);
  throw error;
}

Handle open_file(HostFile& file, unsigned flags, std::string& reason) {
  static const H5FD_class_t driver_class = make_class();
  static const hid_t driver = H5FDregister(&driver_class);
  const DriverInfo info{&file};
  const Handle list(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
  if (!list || driver < 0 || H5Pset_driver(list.get(), driver, &info) < 0) return Handle();
  const bool made = (flags & H5F_ACC_TRUNC) != 0;
  const hid_t opened = made ? H5Fcreate("polycodec", flags, H5P_DEFAULT, list.get())
                            : H5Fopen("polycodec", flags, list.get());
  if (opened < 0) reason = last_error();  // the library forgets it when the list is closed
  return Handle(opened, &H5Fclose);
}

}  // namespace polycodec::hdf5
