// SPDX-License-Identifier: MIT
#include "core/io/source.hpp"

#include <polycodec/error.hpp>

#include "core/call/call_state.hpp"
#include "core/io/mapped_file.hpp"
#include "core/io/posix_file.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec {

/// The bytes of a source as a file. Its release() does nothing: the source owns it.
struct FileThunks {
  static std::string_view part(const polycodec_file* self, polycodec_call* call,
                               std::uint64_t offset, std::uint64_t size);
  static std::int32_t size(const polycodec_file* self, polycodec_call*, std::uint64_t* size,
                           polycodec_error*);
  static std::int32_t read_at(const polycodec_file* self, polycodec_call* call,
                              std::uint64_t offset, void* buffer, std::uint64_t size,
                              std::uint64_t* got, polycodec_error* error) {
    return guard(error, [&] {
      const std::string_view bytes = part(self, call, offset, size);
      if (!bytes.empty()) std::memcpy(buffer, bytes.data(), bytes.size());
      *got = bytes.size();
    });
  }
  static std::int32_t view(const polycodec_file* self, polycodec_call* call, std::uint64_t offset,
                           std::uint64_t size, polycodec_bytes* bytes, polycodec_error* error) {
    return guard(error, [&] { *bytes = to_bytes(part(self, call, offset, size)); });
  }
  static void release(const polycodec_file*) {}
  static std::shared_ptr<const posix::MappedFile> mapped(const polycodec_file* file) noexcept;
};

struct Source::State {
  polycodec_input input{};
  polycodec_file file{};
  std::string name;
  std::string memory;
  std::shared_ptr<const posix::Content> content;
  std::shared_ptr<const posix::MappedFile> mapped;  // the file that the bytes are a mapping of
  std::shared_ptr<const void> bytes_owner;  // where the bytes belong to another source or buffer
  std::shared_ptr<BlobStore> store;
  std::uint64_t physical = 0;
  bool pinned = true;

  State() {
    input.struct_size = sizeof input;
    input.total = UINT64_MAX;
    file.struct_size = sizeof file;
    file.flags = POLYCODEC_FILE_STABLE;
    file.descriptor = -1;
    file.private_data = this;
    file.size = &FileThunks::size;
    file.read_at = &FileThunks::read_at;
    file.view = &FileThunks::view;
    file.release = &FileThunks::release;
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// A source of this name, of what `fill` sets.
  template <class Fill>
  static Source make(std::string name, const Fill& fill) {
    auto state = std::make_shared<State>();
    fill(*state);
    state->name = std::move(name);
    state->input.name = to_bytes(state->name);
    return Source(std::move(state));
  }

  std::string_view bytes() const noexcept { return to_string_view(input.bytes); }
  void set_bytes(std::string_view bytes) {
    input.parts |= POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_FILE;
    input.bytes = to_bytes(bytes);
    input.total = bytes.size();
    input.file = &file;
    physical = bytes.size();
  }
  void set_content(int fd, std::string_view of, const Limits& limits, FileAccess access) {
    content = posix::load(fd, of, limits, access);
    set_bytes(content->bytes());
    if (content->is_mapped())
      mapped = posix::MappedFile::keep(fd, input.bytes, content->is_stable());
    physical = content->physical_bytes();
    if (!content->is_stable()) file.flags = 0;
    std::ranges::copy(content->identity(), file.identity);
  }
  void set_store(std::shared_ptr<BlobStore> object) {
    if (!object) throw Error(Status::invalid, "an input needs a store that is not null");
    store = std::move(object);
    input.store = &store->abi();
    input.parts |= input.file == nullptr ? POLYCODEC_INPUT_STORE : POLYCODEC_INPUT_COMPANIONS;
  }
};

std::string_view FileThunks::part(const polycodec_file* self, polycodec_call* call,
                                  std::uint64_t offset, std::uint64_t size) {
  const auto& state = *static_cast<const Source::State*>(self->private_data);
  const std::string_view all = state.bytes();
  const auto from = static_cast<std::size_t>(std::min<std::uint64_t>(offset, all.size()));
  const std::string_view bytes = all.substr(from, static_cast<std::size_t>(size));
  count_input(call, all.data(), from, bytes.size(), state.physical);
  return bytes;
}

std::int32_t FileThunks::size(const polycodec_file* self, polycodec_call*, std::uint64_t* size,
                              polycodec_error*) {
  *size = static_cast<const Source::State*>(self->private_data)->bytes().size();
  return POLYCODEC_OK;
}

std::shared_ptr<const posix::MappedFile> FileThunks::mapped(const polycodec_file* file) noexcept {
  if (file == nullptr || file->view != &view) return nullptr;
  return static_cast<const Source::State*>(file->private_data)->mapped;
}

std::shared_ptr<const posix::MappedFile> posix::MappedFile::find(
    const polycodec_file* file) noexcept {
  return FileThunks::mapped(file);
}

Source::Source(std::shared_ptr<const State> state) noexcept : state_(std::move(state)) {}

Source::Source() : Source(view({})) {}

Source Source::view(std::string_view bytes, std::string name) {
  return State::make(std::move(name), [&](State& state) {
    state.set_bytes(bytes);
    state.pinned = false;
  });
}

Source Source::owned(std::string bytes, std::string name) {
  return State::make(std::move(name), [&](State& state) {
    state.memory = std::move(bytes);
    state.set_bytes(state.memory);
  });
}

Source Source::shared(std::string_view bytes, std::shared_ptr<const void> owner, std::string name,
                      bool stable) {
  return State::make(std::move(name), [&](State& state) {
    state.pinned = owner != nullptr;
    state.bytes_owner = std::move(owner);
    state.set_bytes(bytes);
    if (!stable) state.file.flags = 0;
  });
}

Source Source::derived(std::string_view bytes, std::shared_ptr<const void> owner, std::string name,
                       bool stable) {
  return State::make(std::move(name), [&](State& state) {
    state.bytes_owner = std::move(owner);
    state.set_bytes(bytes);
    state.physical = 0;
    if (!stable) state.file.flags = 0;
  });
}

Source Source::part(std::size_t offset, std::size_t size) const {
  return State::make(std::string(name()), [&](State& state) {
    state.pinned = state_->pinned;
    state.bytes_owner = state_;
    state.set_bytes(bytes().substr(std::min(offset, bytes().size()), size));
    state.physical = std::min(state.physical, state_->physical);
    state.file.flags = state_->file.flags;
  });
}

Source Source::file(const std::string& path, const Limits& limits, FileAccess access) {
  const auto fd = posix::open_for_reading(path);
  return State::make(path,
                     [&](State& state) { state.set_content(fd.get(), path, limits, access); });
}

Source Source::descriptor(int fd, std::string name, const Limits& limits, FileAccess access) {
  return State::make(name, [&](State& state) { state.set_content(fd, name, limits, access); });
}

Source Source::store(std::shared_ptr<BlobStore> store, std::string name) {
  return State::make(std::move(name), [&](State& state) { state.set_store(std::move(store)); });
}

Source Source::with_store(const Source& bytes, std::shared_ptr<BlobStore> store) {
  if (!bytes.has_bytes()) throw Error(Status::invalid, "an input of bytes and store needs bytes");
  return State::make(std::string(bytes.name()), [&](State& state) {
    state.bytes_owner = bytes.state_;
    state.set_bytes(bytes.bytes());
    state.mapped = bytes.state_->mapped;
    state.physical = bytes.physical_bytes();
    state.file.flags = bytes.state_->file.flags;
    state.set_store(std::move(store));
  });
}

const polycodec_input& Source::input() const noexcept {
  return state_->input;
}

std::shared_ptr<const void> Source::pin() const noexcept {
  return state_->pinned ? std::shared_ptr<const void>(state_) : nullptr;
}

std::string_view Source::bytes() const noexcept {
  return state_->bytes();
}

std::uint64_t Source::physical_bytes() const noexcept {
  return state_->physical;
}

std::string_view Source::name() const noexcept {
  return state_->name;
}

const std::shared_ptr<BlobStore>& Source::store() const noexcept {
  return state_->store;
}

bool Source::is_stable() const noexcept {
  return (state_->file.flags & POLYCODEC_FILE_STABLE) != 0;
}

bool Source::is_mapped() const noexcept {
  return state_->content != nullptr && state_->content->is_mapped();
}

}  // namespace polycodec
