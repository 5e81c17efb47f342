// SPDX-License-Identifier: MIT
#include "host.hpp"

#include <polycodec/error.hpp>
#include <polycodec/view.hpp>

#include <cstdlib>
#include <string_view>

namespace polycodec::kit {

struct Host::Thunks {
  static Host& self(const polycodec_host* host) { return *static_cast<Host*>(host->host_data); }

  static void* allocate(const polycodec_host* host, std::uint64_t size, std::uint64_t align) {
    if (self(host).asked_++ >= self(host).refuse_from_) return nullptr;
    const std::uint64_t unit = align < sizeof(void*) ? sizeof(void*) : align;
    if (size > UINT64_MAX - unit) return nullptr;
    void* memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit + (size == 0 ? unit : 0));
    if (memory != nullptr) ++self(host).held_;
    return memory;
  }
  static void free(const polycodec_host* host, void* memory) {
    if (memory != nullptr) --self(host).held_;
    std::free(memory);
  }
  static void log(const polycodec_host* host, std::int32_t level, polycodec_bytes text) {
    if (level < POLYCODEC_LOG_HOST_MISBEHAVING) return;
    const std::scoped_lock lock(self(host).mutex_);
    self(host).complaints_.emplace_back(to_string_view(text));
  }

  static std::int32_t call_function(const polycodec_host* host, const polycodec_call* call,
                                    const polycodec_bytes* path, std::uint64_t n_path, const polycodec_node* args,
                                    const polycodec_node* kwargs, polycodec_arena* arena,
                                    const polycodec_node** result, polycodec_error* error) {
    const polycodec_functions* all = self(host).functions_;
    for (std::uint32_t i = 0; all != nullptr && i < all->count; ++i) {
      const polycodec_function& f = *all->functions[i];
      bool same = f.n_path == n_path;
      for (std::uint32_t part = 0; same && part < f.n_path; ++part) same = to_string_view(path[part]) == f.path[part];
      if (same) return f.call(host, call, args, kwargs, arena, result, error);
    }
    return fill_error(error, Status::denied, "the kit has no such function");
  }

  static const polycodec_codec* find_codec(const polycodec_host* host, polycodec_bytes name) {
    const polycodec_codecs* all = self(host).codecs_;
    for (std::uint32_t i = 0; all != nullptr && i < all->count; ++i)
      if (to_string_view(name) == all->codecs[i]->name) return all->codecs[i];
    return nullptr;
  }

  /// Opens another codec of the same plugin, lets `use` work with it in a nested call, and closes it.
  template <class Use>
  static std::int32_t with_codec(const polycodec_host* host, const polycodec_call* outer, polycodec_bytes name,
                                 const polycodec_node* options, polycodec_error* error, Use use) {
    constexpr std::uint32_t max_nesting = 16;
    if (outer->depth >= max_nesting) return fill_error(error, Status::limit, "codecs call each other too deep");
    polycodec_call nested = *outer;
    ++nested.depth;
    const polycodec_codec* codec = find_codec(host, name);
    if (codec == nullptr) return fill_error(error, Status::not_found, "the kit has no such codec");
    void* instance = nullptr;
    std::int32_t code = codec->open(host, options, &instance, error);
    if (code != POLYCODEC_OK) return code;
    code = use(*codec, instance, &nested);
    codec->close(instance);
    return code;
  }

  static std::int32_t decode_with(const polycodec_host* host, const polycodec_call* call, polycodec_bytes name,
                                  const polycodec_node* options, polycodec_bytes bytes, polycodec_arena* arena,
                                  const polycodec_node** result, polycodec_error* error) {
    return with_codec(host, call, name, options, error,
                      [&](const polycodec_codec& codec, void* instance, const polycodec_call* nested) {
                        if (codec.decode == nullptr)
                          return fill_error(error, Status::unsupported, "the codec does not decode");
                        const polycodec_input input = {sizeof input, 1, bytes, nullptr, {nullptr, 0}};
                        return codec.decode(instance, nested, &input, arena, result, error);
                      });
  }
  static std::int32_t encode_with(const polycodec_host* host, const polycodec_call* call, polycodec_bytes name,
                                  const polycodec_node* options, const polycodec_node* node, polycodec_sink* sink,
                                  polycodec_error* error) {
    return with_codec(host, call, name, options, error,
                      [&](const polycodec_codec& codec, void* instance, const polycodec_call* nested) {
                        if (codec.encode == nullptr)
                          return fill_error(error, Status::unsupported, "the codec does not encode");
                        return codec.encode(instance, nested, node, sink, error);
                      });
  }
  static std::int32_t lookup_type(const polycodec_host*, polycodec_bytes, polycodec_bytes*, polycodec_error* error) {
    return fill_error(error, Status::not_found, "the kit has no named types");
  }
};

Host::Host() noexcept
    : abi_{sizeof(polycodec_host),
           POLYCODEC_ABI_MAJOR,
           to_bytes("polycodec-kit"),
           to_bytes("1"),
           this,
           &Thunks::allocate,
           &Thunks::free,
           &Thunks::log,
           &Thunks::call_function,
           &Thunks::decode_with,
           &Thunks::encode_with,
           &Thunks::lookup_type} {}
Host::~Host() = default;

std::vector<std::string> Host::complaints() const {
  const std::scoped_lock lock(mutex_);
  return complaints_;
}

namespace {
std::int32_t always(const polycodec_call*) {
  return 1;
}
}  // namespace

Call::Call(const Limits& limits, bool cancelled) noexcept
    : limits_(limits), abi_limits_(limits.to_abi()), abi_{sizeof(polycodec_call),        0,       &abi_limits_,
                                                          cancelled ? &always : nullptr, nullptr, nullptr} {}

}  // namespace polycodec::kit
