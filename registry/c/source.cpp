// SPDX-License-Identifier: MIT
#include "core/io/mapping_guard.hpp"
#include "core/store/directory_store.hpp"
#include "core/store/open.hpp"
#include "registry/c/file.hpp"
#include "registry/c/options.hpp"
#include "registry/c/store.hpp"

#include <filesystem>

namespace polycodec::c {
namespace {

Source source_of(const polycodec_source_options& o, std::shared_ptr<const void> holder) {
  std::uint64_t unused = 0;
  const Limits most = limits_of(o.limits, Limits{}, &unused);
  std::string label = string(o.name, "polycodec_source_options.name");
  switch (o.from) {
    case POLYCODEC_SOURCE_BYTES:
      return Source::shared(text(o.bytes, "polycodec_source_options.bytes"), std::move(holder),
                            std::move(label), (o.flags & POLYCODEC_SOURCE_CHANGING) == 0);
    case POLYCODEC_SOURCE_PATH: {
      const std::string path = string(o.path, "polycodec_source_options.path");
      const FileAccess access = access_of(o.flags & POLYCODEC_SOURCE_COPY);
      if ((o.flags & POLYCODEC_SOURCE_COMPANIONS) == 0) return open_source(path, most, access);
      const auto parent = std::filesystem::path(path).parent_path();
      return Source::store(DirectoryStore::companions(parent.empty() ? "." : parent, most, access),
                           label.empty() ? path : std::move(label));
    }
    case POLYCODEC_SOURCE_DESCRIPTOR:
      if (o.descriptor < 0) throw_argument("descriptor", "is negative");
      return Source::descriptor(
          o.descriptor, std::move(label), most,
          (o.flags & POLYCODEC_SOURCE_MAP) != 0 ? FileAccess::map : FileAccess::read);
    case POLYCODEC_SOURCE_FILE: {
      const polycodec_file& from = program_file(o.file);
      if (const Source* const opened = opened_file(from))
        return Source::shared(opened->bytes(), opened->pin(), std::move(label),
                              opened->is_stable());
      return Source::owned(read_all(from, most), std::move(label));
    }
    case POLYCODEC_SOURCE_STORE: {
      auto from = store_of(o.store, label.empty() ? "store" : label, std::move(holder));
      return Source::store(std::move(from), std::move(label));
    }
    default:
      throw_argument("polycodec_source_options.from",
                     "is not one of POLYCODEC_SOURCE_BYTES to STORE");
  }
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_source_open(const polycodec_source_options* options, polycodec_source** source,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    const auto o = c::read_struct(&c::place(options, "options"), "polycodec_source_options");
    auto holder = c::Lent::hold(o.owner, o.release);
    c::place(source, "source");
    const std::uint32_t companions =
        o.from == POLYCODEC_SOURCE_PATH ? POLYCODEC_SOURCE_COMPANIONS : 0u;
    c::flags(o.flags,
             POLYCODEC_SOURCE_COPY | POLYCODEC_SOURCE_CHANGING | POLYCODEC_SOURCE_MAP | companions,
             "polycodec_source_options.flags");
    c::make(source, c::source_of(o, std::move(holder)));
  });
}

int32_t polycodec_source_bytes(const polycodec_source* source, polycodec_bytes* bytes,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    posix::check_mappings();
    c::place(bytes, "bytes") = to_bytes(c::need(source, "source").source.bytes());
  });
}

polycodec_source* polycodec_source_retain(polycodec_source* source) {
  return c::retain(source);
}
void polycodec_source_release(polycodec_source* source) {
  c::release(source);
}
