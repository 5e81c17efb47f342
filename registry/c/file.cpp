// SPDX-License-Identifier: MIT
#include "registry/c/file.hpp"

#include "core/call/border.hpp"
#include "core/call/plugin_error.hpp"
#include "registry/c/handle.hpp"

namespace polycodec::c {
namespace {

/// A file of the system as a struct that its holder releases.
struct OwnedFile {
  explicit OwnedFile(Source of) : source(std::move(of)) {
    const polycodec_file& from = *source.input().file;
    abi.struct_size = sizeof abi;
    abi.flags = from.flags;
    std::copy(std::begin(from.identity), std::end(from.identity), abi.identity);
    abi.descriptor = -1;
    abi.private_data = this;
    abi.size = [](const polycodec_file* self, polycodec_call*, std::uint64_t* size,
                  polycodec_error* error) {
      return enter(error, [&] { place(size, "size") = bytes(self).size(); });
    };
    abi.read_at = [](const polycodec_file* self, polycodec_call*, std::uint64_t offset,
                     void* buffer, std::uint64_t size, std::uint64_t* got, polycodec_error* error) {
      return enter(error, [&] {
        const std::string_view found = part(self, offset, size);
        place(got, "got") = found.size();
        items(static_cast<char*>(buffer), found.size(), "buffer");
        if (!found.empty()) std::memcpy(buffer, found.data(), found.size());
      });
    };
    abi.view = [](const polycodec_file* self, polycodec_call*, std::uint64_t offset,
                  std::uint64_t size, polycodec_bytes* found, polycodec_error* error) {
      return enter(error, [&] { place(found, "bytes") = to_bytes(part(self, offset, size)); });
    };
    abi.release = &release;
  }
  static void release(const polycodec_file* self) {
    delete static_cast<const OwnedFile*>(self->private_data);
  }
  static std::string_view bytes(const polycodec_file* self) noexcept {
    return static_cast<const OwnedFile*>(self->private_data)->source.bytes();
  }
  static std::string_view part(const polycodec_file* self, std::uint64_t offset,
                               std::uint64_t size) {
    const std::string_view all = bytes(self);
    return all.substr(static_cast<std::size_t>(std::min<std::uint64_t>(offset, all.size())),
                      static_cast<std::size_t>(size));
  }

  Source source;
  polycodec_file abi{};
};

/// Runs a function of the program's.
template <class Run>
void call_program(const Run& run) {
  PluginError failure;
  const std::int32_t code = across_border([&] { return run(failure.raw()); });
  if (code != POLYCODEC_OK) throw failure.error(code);
}

}  // namespace

FileAccess access_of(std::uint32_t given) {
  return flags(given, POLYCODEC_SOURCE_COPY, "flags") != 0 ? FileAccess::read : FileAccess::map;
}

const Source* opened_file(const polycodec_file& file) noexcept {
  if (file.release != &OwnedFile::release) return nullptr;
  return &static_cast<const OwnedFile*>(file.private_data)->source;
}

const polycodec_file& program_file(const polycodec_file* file) {
  place(file, "file");
  if (!POLYCODEC_HAS(polycodec_file, file, release) || file->size == nullptr ||
      file->read_at == nullptr)
    throw_argument("file", "is too short or lacks a function");
  return *file;
}

std::size_t read_part(const polycodec_file& file, std::uint64_t at, std::span<char> to) {
  std::uint64_t got = 0;
  call_program([&](polycodec_error* e) {
    return file.read_at(&file, nullptr, at, to.data(), to.size(), &got, e);
  });
  if (got > to.size())
    throw Error(Status::io, "read_at of the file gives " + std::to_string(got) + " bytes for " +
                                std::to_string(to.size()));
  return static_cast<std::size_t>(got);
}

std::string read_all(const polycodec_file& file, const Limits& limits) {
  std::uint64_t size = 0;
  call_program([&](polycodec_error* e) { return file.size(&file, nullptr, &size, e); });
  if (size > limits.max_input_bytes || size > limits.memory_for(size))
    throw Error(Status::limit, "the file has " + std::to_string(size) +
                                   " bytes, more than max_input_bytes or max_memory_bytes");
  std::string all(static_cast<std::size_t>(size), '\0');
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t got = read_part(file, at, {all.data() + at, all.size() - at});
    if (got == 0)
      throw Error(Status::io, "the file has fewer bytes than it said: it was changed meanwhile");
    at += got;
  }
  return all;
}

}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_file_open(polycodec_bytes path, uint32_t flags, const polycodec_file** file,
                            polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(file, "file");
    *file =
        &(new c::OwnedFile(Source::file(c::string(path, "path"), {}, c::access_of(flags))))->abi;
  });
}
