// SPDX-License-Identifier: MIT
#include "source.hpp"

#include <memory>

namespace polycodec_python {
namespace {

/// A file that is read and not mapped unless the program wants it otherwise.
bool is_short_file(const std::string& path) noexcept {
  constexpr off_t most = off_t{64} << 20;
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= most;
}

void release_buffer(void* owner) noexcept {
  if (!has_interpreter()) return;
  const nb::gil_scoped_acquire locked;
  delete static_cast<Buffer*>(owner);
}

}  // namespace

void release_object(void* object) noexcept {
  if (!has_interpreter()) return;
  const nb::gil_scoped_acquire locked;
  Py_DECREF(static_cast<PyObject*>(object));
}

nb::object copy_of(std::string_view bytes) {
  const polycodec_bytes all = to_bytes(bytes);
  return bytes_object({&all, 1});
}

bool is_immutable(nb::handle data) {
  if (PyBytes_CheckExact(data.ptr())) return true;
  return PyMemoryView_Check(data.ptr()) != 0 && PyBytes_CheckExact(data.attr("obj").ptr());
}

host::Source source_of_buffer(nb::handle data, std::string_view name) {
  const host::SourceOptions options{.name = std::string(name), .changing = !is_immutable(data)};
  if (PyBytes_CheckExact(data.ptr())) {
    Py_INCREF(data.ptr());
    return host::Source::adopt(bytes_of(data), data.ptr(), &release_object, options);
  }
  auto view = std::make_unique<Buffer>(data);
  if (!view->is_read_only()) return source_of_buffer(copy_of(view->bytes()), name);
  const std::string_view bytes = view->bytes();
  return host::Source::adopt(bytes, view.release(), &release_buffer, options);
}

FileStamp::FileStamp(const std::string& path) : path_(path) {
  if (stat(path.c_str(), &seen_) != 0) seen_ = {};
}

void FileStamp::check() const {
  struct stat now {};
  if (stat(path_.c_str(), &now) != 0 || now.st_ino != seen_.st_ino || now.st_dev != seen_.st_dev)
    return;
  if (now.st_size == seen_.st_size && now.st_mtim.tv_sec == seen_.st_mtim.tv_sec &&
      now.st_mtim.tv_nsec == seen_.st_mtim.tv_nsec)
    return;
  throw Error(Status::io, "'" + path_ +
                              "' was written to after it was opened: open it again, or with "
                              "copy=True")
      .detail("file.changed");
}

host::Source source_of_path(nb::handle path, Take take, const host::Limits& limits,
                            std::shared_ptr<const FileStamp>* stamp) {
  const std::string name = path_of(path);
  const nb::gil_scoped_release unlocked;
  const bool reads = take == Take::read || (take == Take::by_size && is_short_file(name));
  if (stamp != nullptr && !reads) *stamp = std::make_shared<const FileStamp>(name);
  return host::Source::file(name, {.copy = reads, .limits = limits});
}

}  // namespace polycodec_python
