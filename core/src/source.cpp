// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/source.hpp>
#include <polycodec/store.hpp>

#include "posix_file.hpp"

namespace polycodec {

struct Source::State {
  polycodec_input input{};
  std::string name;
  std::string memory;
  std::shared_ptr<const posix::Content> content;
  std::shared_ptr<const void> bytes_owner;  // where the bytes belong to another source or buffer
  std::shared_ptr<Store> store;
  bool pinned = true;

  State() { input.struct_size = sizeof input; }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void set_bytes(std::string_view bytes) {
    input.has_bytes = 1;
    input.bytes = {bytes.data(), bytes.size()};
  }
  void set_name(std::string text) {
    name = std::move(text);
    input.name = {name.data(), name.size()};
  }
  void set_store(std::shared_ptr<Store> object) {
    if (!object) throw Error(Status::invalid, "an input needs a store that is not null");
    store = std::move(object);
    input.store = &store->abi();
  }
};

Source::Source(std::shared_ptr<const State> state) noexcept : state_(std::move(state)) {}

Source::Source() : Source(view({})) {}

Source Source::view(std::string_view bytes, std::string name) {
  auto state = std::make_shared<State>();
  state->set_bytes(bytes);
  state->set_name(std::move(name));
  state->pinned = false;
  return Source(std::move(state));
}

Source Source::owned(std::string bytes, std::string name) {
  auto state = std::make_shared<State>();
  state->memory = std::move(bytes);
  state->set_bytes(state->memory);
  state->set_name(std::move(name));
  return Source(std::move(state));
}

Source Source::shared(std::string_view bytes, std::shared_ptr<const void> owner, std::string name) {
  auto state = std::make_shared<State>();
  state->pinned = owner != nullptr;
  state->bytes_owner = std::move(owner);
  state->set_bytes(bytes);
  state->set_name(std::move(name));
  return Source(std::move(state));
}

Source Source::file(const std::filesystem::path& path, const Limits& limits, FileAccess access) {
  const auto fd = posix::open_for_reading(path);
  auto state = std::make_shared<State>();
  state->content = posix::load(fd.get(), path.native(), limits, access);
  state->set_bytes(state->content->bytes());
  state->set_name(path.native());
  return Source(std::move(state));
}

Source Source::descriptor(int fd, std::string name, const Limits& limits) {
  auto state = std::make_shared<State>();
  state->content = posix::load(fd, name, limits, FileAccess::read);
  state->set_bytes(state->content->bytes());
  state->set_name(std::move(name));
  return Source(std::move(state));
}

Source Source::store(std::shared_ptr<Store> store, std::string name) {
  auto state = std::make_shared<State>();
  state->set_store(std::move(store));
  state->set_name(std::move(name));
  return Source(std::move(state));
}

Source Source::with_store(const Source& bytes, std::shared_ptr<Store> store) {
  auto state = std::make_shared<State>();
  if (!bytes.has_bytes()) throw Error(Status::invalid, "an input of bytes and store needs bytes");
  state->bytes_owner = bytes.state_;
  state->set_bytes(bytes.bytes());
  state->set_store(std::move(store));
  state->set_name(std::string(bytes.name()));
  return Source(std::move(state));
}

Source Source::file_with_folder(const std::filesystem::path& path, const Limits& limits, FileAccess access) {
  const auto parent = path.parent_path();
  const Source bytes = file(path, limits, access);
  return with_store(bytes, FolderStore::companions(parent.empty() ? "." : parent, limits, access));
}

Source Source::open(const std::filesystem::path& path, const Limits& limits, FileAccess access) {
  std::error_code ignored;  // whatever is wrong, opening it as a file says it better
  if (std::filesystem::is_directory(path, ignored))
    return store(std::make_shared<FolderStore>(path, limits, access), path.native());
  return file(path, limits, access);
}

const polycodec_input& Source::input() const noexcept {
  return state_->input;
}

std::shared_ptr<const void> Source::pin() const noexcept {
  return state_->pinned ? std::shared_ptr<const void>(state_) : nullptr;
}

std::string_view Source::bytes() const noexcept {
  return {static_cast<const char*>(state_->input.bytes.data), static_cast<std::size_t>(state_->input.bytes.size)};
}

std::string_view Source::name() const noexcept {
  return state_->name;
}

const std::shared_ptr<Store>& Source::store() const noexcept {
  return state_->store;
}

bool Source::is_mapped() const noexcept {
  return state_->content != nullptr && state_->content->is_mapped();
}

}  // namespace polycodec
