// SPDX-License-Identifier: MIT
// Objects of Python as input.
#pragma once

#include "python.hpp"

#include <sys/stat.h>

#include <memory>
#include <string>

namespace polycodec_python {

/// Keeps an object of Python for the library, which lets go of it on any thread.
void release_object(void* object) noexcept;

/// Bytes of Python.
nb::object copy_of(std::string_view bytes);

/// True for `bytes` and views of them. What else is read-only may be written to through another
/// object or by another process. Not for subclasses of `bytes`, which may have buffers of their
/// own.
bool is_immutable(nb::handle data);

/// The bytes of an object with the buffer protocol. Those of read-only buffers are viewed, as bytes
/// that may change unless they are immutable; others are copied. `name`: a file name for messages
/// and the choice of the codec, or empty.
host::Source source_of_buffer(nb::handle data, std::string_view name);

/// What a file was when it was mapped. It views nothing.
class FileStamp {
 public:
  explicit FileStamp(const std::string& path);
  /// Throws Status::io if the file was written to since. One that took its name leaves it as it is.
  void check() const;

 private:
  std::string path_;
  struct stat seen_ {};
};

/// Whether a file is mapped, or read into memory, so that others may change or truncate it.
enum class Take { map, read, by_size };

/// A file or directory. Take::by_size reads files of at most 64 MiB. `stamp` (or null) receives
/// what a file is that was mapped.
host::Source source_of_path(nb::handle path, Take take, const host::Limits& limits,
                            std::shared_ptr<const FileStamp>* stamp = nullptr);

}  // namespace polycodec_python
