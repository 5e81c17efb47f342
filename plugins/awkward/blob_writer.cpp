// SPDX-License-Identifier: MIT
#include "blob_writer.hpp"

#include <base/byte_slices.hpp>

#include "schema.hpp"

#include <algorithm>
#include <utility>

namespace polycodec::awkward {
namespace {

std::string prefix_of(const std::string& name, const BlobNames& names) {
  return name.empty() ? std::string() : name + names.delimiter;
}

}  // namespace

BlobWriter::BlobWriter(const Call& call, const WriteSettings& settings, std::string name,
                       Writer& out)
    : call_(call),
      settings_(settings),
      name_(std::move(name)),
      prefix_(prefix_of(name_, settings.names)),
      out_(out),
      id_(settings.first_id) {
  if (out.base() != nullptr)  // what is replaced keeps its blobs until all is written
    id_ = std::max(id_, free_id(Store(call, out.base()), prefix_));
}

std::string BlobWriter::short_name(std::uint64_t id) const {
  return std::to_string(id) + settings_.names.suffix;
}

Writer& BlobWriter::begin(std::uint64_t id) {
  write_compressed();
  out_.begin_blob(prefix_ + short_name(id), name_);
  return out_;
}

void BlobWriter::compress_later(std::uint64_t id, const CompressionRule& rule,
                                std::string_view bytes, std::vector<std::byte> owned) {
  constexpr std::uint64_t most_waiting = std::uint64_t{64} << 20;
  if (owned.empty() && bytes.size() < Writer::reference_threshold) {
    // What is short may lie on the stack.
    const auto all = std::as_bytes(std::span(bytes));
    owned.assign(all.begin(), all.end());
    bytes = bytes_of(std::span<const std::byte>(owned));
  }
  waiting_.push_back({id, &rule, bytes, std::move(owned)});
  waiting_bytes_ += bytes.size();
  if (waiting_bytes_ >= most_waiting) write_compressed();
}

void BlobWriter::write_compressed() {
  if (waiting_.empty()) return;
  std::vector<Waiting> blobs = std::exchange(waiting_, {});
  const auto pack = [&](const Call& call, Waiting& blob) {
    call.tick(blob.bytes.size() / 16 + 4);
    blob.owned = compress(*blob.rule, blob.bytes);
  };
  if (std::exchange(waiting_bytes_, 0) < parallel_bytes) {
    for (Waiting& blob : blobs) pack(call_, blob);
  } else {
    call_.parallel_for(blobs.size(), 1, [&](Call& own, std::uint64_t i, std::uint64_t) {
      pack(own, blobs[static_cast<std::size_t>(i)]);
    });
  }
  for (const Waiting& blob : blobs) {
    begin(blob.id).put_bytes(blob.owned.data(), blob.owned.size());
  }
}

void BlobWriter::finish(std::string_view schema) {
  write_compressed();
  out_.begin_blob(name_ + settings_.names.schema_suffix, name_);
  out_.put_text(schema);
}

}  // namespace polycodec::awkward
