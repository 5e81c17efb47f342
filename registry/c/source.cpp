// SPDX-License-Identifier: MIT
#include "core/io/border.hpp"
#include "registry/c/options.hpp"
#include "registry/c/store.hpp"

#include <optional>

namespace polycodec::c {
namespace {

FileAccess access_of(std::uint32_t given) {
  return flags(given, POLYCODEC_SOURCE_COPY, "flags") != 0 ? FileAccess::read : FileAccess::map;
}

Limits source_limits(const polycodec_limits* given) {
  std::uint64_t unused = 0;
  return limits_of(given, Limits{}, &unused);
}

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
    abi.release = [](const polycodec_file* self) {
      delete static_cast<const OwnedFile*>(self->private_data);
    };
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

/// All of a file of the program's own.
std::string read_all(const polycodec_file& file, const Limits& limits) {
  std::uint64_t size = 0;
  const auto call = [](auto&& run) {
    auto failure = make_error();
    const std::int32_t code = across_border([&] { return run(&failure); });
    if (code != POLYCODEC_OK) throw to_error(code, failure);
  };
  call([&](polycodec_error* e) { return file.size(&file, nullptr, &size, e); });
  if (size > limits.max_input_bytes || size > limits.memory_for(size))
    throw Error(Status::limit, "the file has " + std::to_string(size) +
                                   " bytes, more than max_input_bytes or max_memory_bytes");
  std::string all(static_cast<std::size_t>(size), '\0');
  for (std::uint64_t at = 0; at < size;) {
    std::uint64_t got = 0;
    call([&](polycodec_error* e) {
      return file.read_at(&file, nullptr, at, all.data() + at, size - at, &got, e);
    });
    if (got == 0 || got > size - at)
      throw Error(Status::io, "the file has fewer bytes than it said: it was changed meanwhile");
    at += got;
  }
  return all;
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_source_from_bytes(polycodec_bytes bytes, void* owner,
                                    void (*release)(void* owner), polycodec_bytes name,
                                    polycodec_source** source, polycodec_error* error) {
  return c::enter(error, [&] {
    auto holder = c::Lent::hold(owner, release);
    const std::string_view view = c::text(bytes, "bytes");
    c::make(&c::place(source, "source"),
            Source::shared(view, std::move(holder), c::string(name, "name")));
  });
}

int32_t polycodec_source_open(polycodec_bytes path, uint32_t flags, const polycodec_limits* limits,
                              polycodec_source** source, polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(source, "source");
    c::make(source,
            Source::open(c::string(path, "path"), c::source_limits(limits), c::access_of(flags)));
  });
}

int32_t polycodec_source_from_descriptor(int32_t descriptor, polycodec_bytes name,
                                         const polycodec_limits* limits, polycodec_source** source,
                                         polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(source, "source");
    if (descriptor < 0) c::throw_argument("descriptor", "is negative");
    c::make(source,
            Source::descriptor(descriptor, c::string(name, "name"), c::source_limits(limits)));
  });
}

int32_t polycodec_source_from_file(const polycodec_file* file, polycodec_bytes name,
                                   const polycodec_limits* limits, polycodec_source** source,
                                   polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(file, "file");
    c::place(source, "source");
    if (!POLYCODEC_HAS(polycodec_file, file, release) || file->size == nullptr ||
        file->read_at == nullptr)
      c::throw_argument("file", "is too short or lacks a function");
    c::make(source,
            Source::owned(c::read_all(*file, c::source_limits(limits)), c::string(name, "name")));
  });
}

int32_t polycodec_source_from_store(const polycodec_store* store, polycodec_bytes name,
                                    polycodec_source** source, polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(source, "source");
    std::string label = c::string(name, "name");
    auto from = c::store_of(store, label.empty() ? "store" : label);
    c::make(source, Source::store(std::move(from), std::move(label)));
  });
}

int32_t polycodec_source_bytes(const polycodec_source* source, polycodec_bytes* bytes,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(bytes, "bytes") = to_bytes(c::need(source, "source").source.bytes());
  });
}

polycodec_source* polycodec_source_retain(polycodec_source* source) {
  return c::retain(source);
}
void polycodec_source_release(polycodec_source* source) {
  c::release(source);
}

int32_t polycodec_file_open(polycodec_bytes path, uint32_t flags, const polycodec_file** file,
                            polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(file, "file");
    *file =
        &(new c::OwnedFile(Source::file(c::string(path, "path"), {}, c::access_of(flags))))->abi;
  });
}
