// SPDX-License-Identifier: MIT
// Stands in for hdf5_store.cpp and hdf5_sink.cpp in a build without HDF5.
#include <polycodec/blob_sink.hpp>
#include <polycodec/error.hpp>
#include <polycodec/hdf5_store.hpp>

namespace polycodec {

namespace {

[[noreturn]] void throw_absent() {
  throw Error(Status::unsupported, "this build of polycodec is without HDF5 (POLYCODEC_WITH_HDF5)");
}

}  // namespace

struct Hdf5Store::File {};
struct Hdf5Sink::File {};

bool has_hdf5() noexcept {
  return false;
}

Hdf5Store::Hdf5Store(const Source& source, const std::string&, const Limits&, std::uint64_t)
    : Store(std::string(source.name())) {
  throw_absent();
}
Hdf5Store::Hdf5Store(const std::filesystem::path& path, const std::string&, const Limits&, std::uint64_t)
    : Store(path.native()) {
  throw_absent();
}
Hdf5Store::~Hdf5Store() = default;
bool Hdf5Store::looks_like_hdf5(std::string_view bytes) noexcept {
  return bytes.substr(0, 8) == std::string_view("\x89HDF\r\n\x1a\n", 8);
}
std::string_view Hdf5Store::do_read(std::size_t) {
  throw_absent();
}
std::string_view Hdf5Store::do_read_unlisted(std::string_view) {
  throw_absent();
}

Hdf5Sink::Hdf5Sink(const std::filesystem::path&, const WriteOptions&, std::uint64_t max_bytes) : BlobSink(max_bytes) {
  throw_absent();
}
Hdf5Sink::~Hdf5Sink() = default;
void Hdf5Sink::do_blob(const std::string&, std::span<const Segment>) {
  throw_absent();
}
void Hdf5Sink::do_finish() {
  throw_absent();
}
void Hdf5Sink::do_drop() noexcept {}

}  // namespace polycodec
