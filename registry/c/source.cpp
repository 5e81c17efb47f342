// SPDX-License-Identifier: MIT
#include "registry/c/file.hpp"
#include "registry/c/options.hpp"
#include "registry/c/store.hpp"

namespace polycodec::c {
namespace {

Limits source_limits(const polycodec_limits* given) {
  std::uint64_t unused = 0;
  return limits_of(given, Limits{}, &unused);
}

void make_source(polycodec_bytes bytes, void* owner, void (*release)(void* owner),
                 polycodec_bytes name, polycodec_source** source, bool stable) {
  auto holder = Lent::hold(owner, release);
  const std::string_view view = text(bytes, "bytes");
  make(&place(source, "source"),
       Source::shared(view, std::move(holder), string(name, "name"), stable));
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_source_from_bytes(polycodec_bytes bytes, void* owner,
                                    void (*release)(void* owner), polycodec_bytes name,
                                    polycodec_source** source, polycodec_error* error) {
  return c::enter(error, [&] { c::make_source(bytes, owner, release, name, source, true); });
}

int32_t polycodec_source_from_changing_bytes(polycodec_bytes bytes, void* owner,
                                             void (*release)(void* owner), polycodec_bytes name,
                                             polycodec_source** source, polycodec_error* error) {
  return c::enter(error, [&] { c::make_source(bytes, owner, release, name, source, false); });
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
    const polycodec_file& from = c::program_file(file);
    c::place(source, "source");
    const Limits most = c::source_limits(limits);
    std::string label = c::string(name, "name");
    if (const Source* const opened = c::opened_file(from))
      return c::make(source, Source::shared(opened->bytes(), opened->pin(), std::move(label),
                                            opened->is_stable()));
    c::make(source, Source::owned(c::read_all(from, most), std::move(label)));
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

int32_t polycodec_source_adopt_store(const polycodec_store* store, polycodec_bytes name,
                                     polycodec_source** source, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto owner = c::own_store(store);
    c::place(source, "source");
    std::string label = c::string(name, "name");
    auto from = c::store_of(store, label.empty() ? "store" : label, owner);
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
