// SPDX-License-Identifier: MIT
#include <polycodec/call.hpp>
#include <polycodec/store_format.hpp>

#include <cstring>
#include <vector>

namespace polycodec {

void Call::log(polycodec_log_level level, std::string_view text) const noexcept {
  call_->host->log(call_->host, level, to_bytes(text));
}

void Call::report_loss(LossClass loss, std::string_view path, std::string_view what) const {
  try {
    invoke(call_->report_loss, call_, static_cast<std::int32_t>(loss), to_bytes(path),
           to_bytes(what));
  } catch (Error& e) {
    throw detail::RootedError(e.path(path));
  }
}

const polycodec_node* Call::call_function(std::span<const std::string_view> path,
                                          const polycodec_node& args,
                                          const polycodec_node* kwargs) const {
  std::vector<polycodec_bytes> parts;
  for (const std::string_view part : path) parts.push_back(to_bytes(part));
  const polycodec_node* result = nullptr;
  invoke(call_->host->call_function, call_->host, call_,
         static_cast<const polycodec_bytes*>(parts.data()), std::uint64_t{path.size()}, &args,
         kwargs, &result);
  return result;
}

const polycodec_node* Call::decode_with(std::string_view codec, const polycodec_node* options,
                                        const polycodec_input& input) const {
  const polycodec_node* root = nullptr;
  invoke(call_->host->decode_with, call_->host, call_, to_bytes(codec), options, &input, &root);
  return root;
}

const polycodec_node* Call::decode_with(std::string_view codec, const polycodec_node* options,
                                        std::string_view bytes) const {
  polycodec_input input{};
  input.struct_size = sizeof input;
  input.parts = POLYCODEC_INPUT_BYTES;
  input.bytes = to_bytes(bytes);
  return decode_with(codec, options, input);
}

std::string_view Call::lookup_type(std::string_view name) const {
  polycodec_bytes notation{};
  invoke(call_->host->lookup_type, call_->host, call_, to_bytes(name), &notation);
  return to_string_view(notation);
}

void Call::spend(std::uint64_t units) const {
  invoke(call_->spend, call_, units);
}

void Call::throw_stack() {
  throw Error(Status::limit,
              "the value is nested too deeply for this stack: raise "
              "max_stack_bytes, or use a thread with a larger stack");
}

void Meter::refill(std::uint64_t units) {
  const std::uint64_t more = units - left_ < call_slice ? call_slice : units - left_;
  call_.tick(more);
  left_ += more;
}

std::uint64_t File::size() const {
  std::uint64_t size = 0;
  invoke(file_->size, file_, call_.raw(), &size);
  return size;
}

std::string_view File::view(std::uint64_t offset, std::uint64_t size) const {
  polycodec_bytes bytes{};
  invoke(file_->view, file_, call_.raw(), offset, size, &bytes);
  return to_string_view(bytes);
}

std::uint64_t File::read_at(std::uint64_t offset, void* buffer, std::uint64_t size) const {
  std::uint64_t got = 0;
  invoke(file_->read_at, file_, call_.raw(), offset, buffer, size, &got);
  return got;
}

Blob Store::operator[](std::uint64_t i) const {
  polycodec_store_entry entry{};
  entry.struct_size = sizeof entry;
  invoke(store_->entry, store_, call_.raw(), i, &entry);
  return {to_string_view(entry.name), to_string_view(entry.owner), entry.size};
}

std::optional<std::uint64_t> Store::find(std::string_view name) const {
  std::uint64_t i = 0;
  auto error = make_error();
  const auto code = store_->find(store_, call_.raw(), to_bytes(name), &i, &error);
  if (code == POLYCODEC_ERROR_NOT_FOUND) return std::nullopt;
  if (code != POLYCODEC_OK) throw to_error(code, error);
  return i;
}

std::string_view Store::read(std::uint64_t i, std::uint64_t offset, std::uint64_t size) const {
  polycodec_bytes content{};
  invoke(store_->read, store_, call_.raw(), i, offset, size, &content);
  return to_string_view(content);
}

std::string_view Store::read(std::string_view name) const {
  std::uint64_t i = 0;
  invoke(store_->find, store_, call_.raw(), to_bytes(name), &i);
  return read(i);
}

std::string_view Input::steady_bytes() const {
  if (input_->file == nullptr || (input_->file->flags & POLYCODEC_FILE_STABLE) != 0) return bytes();
  const std::string_view changing = bytes();
  call_.tick(changing.size() / 16);
  auto error = make_error();
  void* const copy = polycodec_arena_alloc(call_.raw()->arena, changing.size(), 64, &error);
  if (copy == nullptr) throw to_error(error.code, error);
  if (!changing.empty()) std::memcpy(copy, changing.data(), changing.size());
  return to_string_view(copy, changing.size());
}

std::string_view Input::blob(std::string_view name) const {
  if (!has_store())
    throw Error(Status::not_found, "no blob '" + std::string(name) + "': the input is not a store");
  return store().read(name);
}

void OutputFile::write_at(const Call& call, std::uint64_t offset, std::string_view bytes) const {
  invoke(file_->write_at, file_, call.raw(), offset, static_cast<const void*>(bytes.data()),
         std::uint64_t{bytes.size()});
}

void OutputFile::truncate(const Call& call, std::uint64_t size) const {
  invoke(file_->truncate, file_, call.raw(), size);
}

std::optional<View> Options::find(std::string_view name) const {
  const auto found = options_.find(name);
  return found && !found->is_null() ? found : std::nullopt;
}

template <class T, class Read>
T Options::read(std::string_view name, T fallback, Read convert) const {
  const auto option = find(name);
  if (!option) return fallback;
  try {
    return convert(*option);
  } catch (const Error& e) {
    throw_bad(name, e.message());
  }
}

bool Options::get(std::string_view name, bool fallback) const {
  return read(name, fallback, [](View v) { return v.as_bool(); });
}
std::int64_t Options::get_signed(std::string_view name, std::int64_t fallback) const {
  return read(name, fallback, [](View v) { return v.as_int64(); });
}
std::uint64_t Options::get_unsigned(std::string_view name, std::uint64_t fallback) const {
  return read(name, fallback, [](View v) { return v.as_uint64(); });
}
double Options::get(std::string_view name, double fallback) const {
  return read(name, fallback, [](View v) { return v.as_double(); });
}
std::string Options::get(std::string_view name, std::string_view fallback) const {
  return read(name, std::string(fallback), [](View v) { return std::string(v.as_string()); });
}
std::string Options::get(std::string_view name, const char* fallback) const {
  return get(name, std::string_view(fallback));
}

void Options::throw_bad(std::string_view name, const std::string& why) {
  throw Error(Status::option, "bad option '" + std::string(name) + "': " + why);
}

}  // namespace polycodec
