// SPDX-License-Identifier: MIT
#include <polycodec/blob_sink.hpp>
#include <polycodec/error.hpp>

#include "quote.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec {

BlobSink::BlobSink(std::uint64_t max_bytes) : Sink(max_bytes) {
  enable_blobs();
}

BlobSink::~BlobSink() = default;

void BlobSink::close_window() {
  const auto bytes = written();
  if (!bytes.empty()) segments_.push_back({bytes.data(), bytes.size()});
  set_window(abi_.cursor, abi_.limit);
}

void BlobSink::do_grow(std::uint64_t need) {
  if (!open_) throw Error(Status::plugin, "the output is a store of blobs, and none has been begun");
  close_window();
  while (next_block_ < blocks_.size()) {
    const Block& block = blocks_[next_block_++];
    if (block.size >= need) return set_window(block.data.get(), block.data.get() + block.size);
  }
  constexpr std::uint64_t block_size = 64 << 10;
  const auto size = static_cast<std::size_t>(std::max(need, block_size));
  blocks_.push_back({std::unique_ptr<std::uint8_t[]>(new std::uint8_t[size]), size});
  next_block_ = blocks_.size();
  set_window(blocks_.back().data.get(), blocks_.back().data.get() + size);
}

void BlobSink::do_reference(const void* data, std::uint64_t size) {
  if (!open_) throw Error(Status::plugin, "the output is a store of blobs, and none has been begun");
  close_window();
  segments_.push_back({data, static_cast<std::size_t>(size)});
  add_before(size);
}

void BlobSink::end_blob() {
  if (!open_) return;
  close_window();
  do_blob(name_, segments_);
  open_ = false;
  segments_.clear();
  // The blocks are free again: the next blob starts with a window of its own.
  set_window(nullptr, nullptr);
  next_block_ = 0;
}

void BlobSink::do_begin_blob(std::string_view name) {
  check_blob_name(name);
  end_blob();
  if (!names_.emplace(name).second)
    throw Error(Status::invalid, "two blobs are called " + quote(name)).detail("store.duplicate_name");
  name_ = name;
  open_ = true;
}

void BlobSink::do_reset() noexcept {
  segments_.clear();
  next_block_ = 0;
  names_.clear();
  open_ = false;
  do_drop();
}

void BlobSink::finish() {
  end_blob();
  do_finish();
}

MemoryBlobs::MemoryBlobs(std::uint64_t max_bytes) : BlobSink(max_bytes) {}
MemoryBlobs::~MemoryBlobs() = default;

void MemoryBlobs::do_blob(const std::string& name, std::span<const Segment> segments) {
  std::size_t size = 0;
  for (const Segment& segment : segments) size += segment.size;
  std::string content;
  content.reserve(size);
  for (const Segment& segment : segments) content.append(static_cast<const char*>(segment.data), segment.size);
  blobs_.emplace_back(name, std::move(content));
}

}  // namespace polycodec
