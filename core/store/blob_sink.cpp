// SPDX-License-Identifier: MIT
#include <base/quote.hpp>
#include <polycodec/blob_sink.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <cstring>

namespace polycodec {

struct BlobSink::Thunks {
  static BlobSink& of(polycodec_store_writer* self) noexcept {
    return *static_cast<BlobSink*>(self->private_data);
  }
  static std::int32_t begin_blob(polycodec_store_writer* self, polycodec_call*,
                                 polycodec_bytes name, polycodec_bytes owner, polycodec_sink** sink,
                                 polycodec_error* error) {
    return guard(error, [&] {
      *sink = of(self).begin_blob(to_string_view(name), to_string_view(owner)).abi();
    });
  }
  static std::int32_t remove(polycodec_store_writer*, polycodec_call*, std::uint64_t,
                             polycodec_bytes, polycodec_error* error) {
    return polycodec_fail(error, POLYCODEC_ERROR_NOT_FOUND, POLYCODEC_NO_OFFSET,
                          "the store is new: it has no blob to remove");
  }
  static std::int32_t commit(polycodec_store_writer* self, polycodec_call*,
                             polycodec_error* error) {
    return guard(error, [&] { of(self).finish(); });
  }
  static void release(polycodec_store_writer*) {}
};

BlobSink::BlobSink(std::uint64_t max_bytes, std::uint32_t flags)
    : abi_{sizeof(polycodec_store_writer),
           flags,
           nullptr,
           this,
           &Thunks::begin_blob,
           &Thunks::remove,
           &Thunks::commit,
           &Thunks::release},
      sink_(max_bytes),
      max_bytes_(max_bytes) {}

BlobSink::~BlobSink() = default;

void BlobSink::set_max_bytes(std::uint64_t max_bytes) noexcept {
  max_bytes_ = max_bytes;
  sink_.set_max_bytes(max_bytes - std::min(max_bytes, before_));
}

Sink& BlobSink::begin_blob(std::string_view name, std::string_view owner) {
  check_blob_name(name);
  end_blob();
  if (!names_.emplace(name).second)
    throw Error(Status::invalid, "two blobs are called " + quote(name))
        .detail("store.duplicate_name");
  name_ = name;
  owner_ = owner;
  open_ = true;
  return sink_;
}

void BlobSink::end_blob() {
  if (!open_) return;
  do_blob(name_, owner_, sink_.segments());
  open_ = false;
  before_ += sink_.size();
  sink_.reset(max_bytes_ - std::min(max_bytes_, before_));
}

void BlobSink::reset() noexcept {
  names_.clear();
  open_ = false;
  before_ = 0;
  sink_.reset(max_bytes_);
  scratch_.reset(UINT64_MAX);
  do_drop();
}

void BlobSink::finish() {
  end_blob();
  do_finish();
}

MemoryBlobs::MemoryBlobs(std::uint64_t max_bytes) : BlobSink(max_bytes) {}
MemoryBlobs::~MemoryBlobs() = default;

void MemoryBlobs::do_blob(const std::string& name, const std::string&,
                          std::span<const Segment> segments) {
  std::size_t size = 0;
  for (const Segment& segment : segments) size += segment.size;
  std::string content;
  content.reserve(size);
  for (const Segment& segment : segments)
    content.append(static_cast<const char*>(segment.data), segment.size);
  blobs_.emplace_back(name, std::move(content));
}

}  // namespace polycodec
