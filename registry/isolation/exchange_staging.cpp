// SPDX-License-Identifier: MIT
// What a request is told goes where the worker can read it: small parts are copied, large files are
// mapped there.
#include <polycodec/error.hpp>

#include "registry/isolation/exchange.hpp"

#include <cstring>
#include <new>
#include <utility>

namespace polycodec::isolation {
namespace {

/// Smaller files are copied sooner than mapped.
constexpr std::uint64_t least_mapped = std::uint64_t{256} << 10;

}  // namespace

void* Exchange::allocate(std::uint64_t size, std::uint64_t align) {
  auto error = make_error();
  void* const memory = polycodec_arena_alloc(staging_.abi(), size, align, &error);
  if (memory == nullptr)
    throw Error(Status::limit,
                "the isolated plugin reads more than its segment holds: read less "
                "at once, or set policy.isolation to in-process");
  return memory;
}

polycodec_bytes Exchange::stage(polycodec_bytes bytes) {
  if (bytes.size == 0) return bytes;
  void* const copy = allocate(bytes.size, 64);
  std::memcpy(copy, bytes.data, static_cast<std::size_t>(bytes.size));
  originals_.push_back({number(copy), bytes.size, bytes.data});
  return {copy, bytes.size};
}

polycodec_bytes Exchange::stage(polycodec_bytes bytes, HeldBytes& held) {
  const std::uint64_t end = in_->begin() + in_->size();
  const bool is_there = held.segment == in_ && held.size <= bytes.size &&
                        staging_.used_end() <= held.begin && bytes.size <= end - held.begin;
  if (!is_there) {
    bytes = stage(bytes);
    held = {in_, number(bytes.data), bytes.size};
    return bytes;
  }
  if (bytes.size != held.size)
    std::memcpy(pointer<char>(held.begin + held.size),
                static_cast<const char*>(bytes.data) + held.size,
                static_cast<std::size_t>(bytes.size - held.size));
  held.size = bytes.size;
  staging_.use(align_up(held.begin + held.size, 64), end);
  if (bytes.size != 0) originals_.push_back({held.begin, bytes.size, bytes.data});
  return {pointer<const void>(held.begin), held.size};
}

const polycodec_node* Exchange::stage(const polycodec_node* value) {
  if (value == nullptr) return nullptr;
  static_cast<void>(allocate(0, 64));
  const std::uint64_t begin = staging_.used_end();
  ValueCopier copier(staging_.abi(), {}, {}, call_->limits->max_depth, call_->limits->max_nodes);
  const polycodec_node* const copy = copier.root(value);
  values_.push_back({begin, staging_.used_end() - begin});
  buffers_.insert(buffers_.end(), copier.buffers().begin(), copier.buffers().end());
  return copy;
}

void Exchange::open_first(std::uint64_t index, const polycodec_node* options,
                          std::uint64_t number) {
  if (worker().opened.contains(number)) return;
  pointer<CallHeader>(worker().in->begin())->opening = {index, stage(options), number};
  worker().opened.insert(number);
}

StagedStore Exchange::stage_store(const polycodec_store* store) {
  if (store == nullptr) return {};
  return {served_.add(Served::Kind::store, store), store->count(store), store->flags};
}

StagedInput* Exchange::stage(const polycodec_input& input) {
  auto* const staged = new (allocate(sizeof(StagedInput), 8)) StagedInput{};
  staged->abi = input;
  stage(input.file, staged->file);
  if (input.bytes.size != 0 && (shared_range().holds(input.bytes.data, input.bytes.size) ||
                                share(posix::MappedFile::find(input.bytes))))
    shared_.input = staged;
  else
    staged->abi.bytes = stage(input.bytes);
  staged->abi.name = stage(input.name);
  staged->abi.member = stage(input.member);
  staged->abi.file = nullptr;
  staged->abi.store = nullptr;
  staged->store = stage_store(input.store);
  return staged;
}

void Exchange::stage(const polycodec_file* file, StagedFile& staged) {
  if (file == nullptr) return;
  staged.handle = served_.add(Served::Kind::file, file);
  staged.flags = file->flags;
  std::memcpy(staged.identity, file->identity, sizeof staged.identity);
  if (!share(posix::MappedFile::find(file))) return;
  staged.mapped = shared_.file->bytes();
  shared_.staged = &staged;
}

bool Exchange::share(std::shared_ptr<const posix::MappedFile> file) {
  // A worker that can open files could open this one for writing.
  if (file == nullptr || file->bytes().size < least_mapped || shared_.file != nullptr ||
      !seat_.plugin->is_confined())
    return false;
  shared_.file = std::move(file);
  shared_.is_new = true;
  return true;
}

Range Exchange::shared_range() const noexcept {
  if (shared_.file == nullptr) return {};
  const polycodec_bytes bytes = shared_.file->bytes();
  return {number(bytes.data), bytes.size};
}

void Exchange::copy_file() {
  if (!shared_.is_new) fail("it sent a malformed message");
  const SharedFile file = std::exchange(shared_, {});
  if (file.staged != nullptr) file.staged->mapped = {};
  if (file.input != nullptr) file.input->abi.bytes = stage(file.input->abi.bytes);
}

StagedOutput* Exchange::stage(const polycodec_output& output) {
  auto* const staged = new (allocate(sizeof(StagedOutput), 8)) StagedOutput{};
  staged->abi = output;
  staged->abi.store = nullptr;
  staged->abi.name = stage(output.name);
  staged->abi.member = stage(output.member);
  if (output.store == nullptr) return staged;
  staged->writer = served_.add(Served::Kind::writer, output.store);
  staged->writer_flags = output.store->flags;
  staged->base = stage_store(output.store->base);
  return staged;
}

}  // namespace polycodec::isolation
