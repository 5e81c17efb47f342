// SPDX-License-Identifier: MIT
#include "host.hpp"

#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/error.hpp>

#include "case.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::kit {

// -- the host -------------------------------------------------------------------------------------

struct Host::Thunks {
  static Host& of(const polycodec_host* host) { return *static_cast<Host*>(host->private_data); }

  static void log(const polycodec_host* host, std::int32_t level, polycodec_bytes text) {
    if (level < POLYCODEC_LOG_HOST_MISBEHAVING) return;
    const std::scoped_lock lock(of(host).mutex_);
    of(host).complaints_.emplace_back(to_string_view(text));
  }

  static std::int32_t call_function(const polycodec_host* host, polycodec_call* call,
                                    const polycodec_bytes* path, std::uint64_t n_path,
                                    const polycodec_node* args, const polycodec_node* kwargs,
                                    const polycodec_node** result, polycodec_error* error) {
    const polycodec_functions* all = of(host).tables_.functions;
    for (std::uint32_t i = 0; all != nullptr && i < all->count; ++i) {
      const polycodec_function& f = *all->items[i];
      bool same = f.n_path == n_path;
      for (std::uint32_t part = 0; same && part < f.n_path; ++part)
        same = to_string_view(path[part]) == f.path[part];
      if (same) return f.call(&f, call, args, kwargs, result, error);
    }
    return fill_error(error, Status::denied, "the kit has no such function");
  }

  /// Opens a codec of the same plugin, and lets `use` work with it in a nested call.
  template <class Use>
  static std::int32_t with_codec(const polycodec_host* host, polycodec_call* call,
                                 polycodec_bytes name, const polycodec_node* options,
                                 polycodec_error* error, Use use) {
    constexpr std::uint32_t max_nesting = 16;
    if (call->depth >= max_nesting)
      return fill_error(error, Status::limit, "codecs call each other too deep");
    const polycodec_codecs* all = of(host).tables_.codecs;
    for (std::uint32_t i = 0; all != nullptr && i < all->count; ++i) {
      const polycodec_codec& codec = *all->items[i];
      if (to_string_view(name) != codec.name) continue;
      const polycodec_projection* const projection = std::exchange(call->projection, nullptr);
      ++call->depth;
      const polycodec_instance* instance = nullptr;
      std::int32_t code = codec.open(&codec, call, options, &instance, error);
      if (code == POLYCODEC_OK) {
        code = use(*instance);
        instance->release(instance);
      }
      --call->depth;
      call->projection = projection;
      return code;
    }
    return fill_error(error, Status::not_found, "the kit has no such codec");
  }
  static std::int32_t decode_with(const polycodec_host* host, polycodec_call* call,
                                  polycodec_bytes name, const polycodec_node* options,
                                  const polycodec_input* input, const polycodec_node** root,
                                  polycodec_error* error) {
    return with_codec(host, call, name, options, error, [&](const polycodec_instance& instance) {
      if (instance.decode == nullptr)
        return fill_error(error, Status::unsupported, "the codec does not decode");
      return instance.decode(&instance, call, input, root, error);
    });
  }
  static std::int32_t encode_with(const polycodec_host* host, polycodec_call* call,
                                  polycodec_bytes name, const polycodec_node* options,
                                  const polycodec_node* root, const polycodec_output* output,
                                  polycodec_error* error) {
    return with_codec(host, call, name, options, error, [&](const polycodec_instance& instance) {
      if (instance.encode == nullptr)
        return fill_error(error, Status::unsupported, "the codec does not encode");
      return instance.encode(&instance, call, root, output, error);
    });
  }
  static std::int32_t lookup_type(const polycodec_host* host, polycodec_call*, polycodec_bytes name,
                                  polycodec_bytes* notation, polycodec_error* error) {
    const polycodec_types* all = of(host).tables_.types;
    for (std::uint32_t i = 0; all != nullptr && i < all->count; ++i)
      if (to_string_view(name) == all->items[i]->name)
        return *notation = to_bytes(all->items[i]->notation), POLYCODEC_OK;
    return fill_error(error, Status::not_found, "the kit has no such type");
  }
};

Host::Host() noexcept
    : abi_{sizeof abi_,
           POLYCODEC_ABI_VERSION,
           to_bytes("polycodec-kit"),
           to_bytes("1"),
           this,
           &Thunks::log,
           &Thunks::call_function,
           &Thunks::decode_with,
           &Thunks::encode_with,
           &Thunks::lookup_type} {}

std::vector<std::string> Host::complaints() const {
  const std::scoped_lock lock(mutex_);
  return complaints_;
}

// -- the answer -----------------------------------------------------------------------------------

std::string Answer::text() const {
  if (ok()) return "ok";
  return std::string(status_name(static_cast<Status>(code))) + ": " +
         to_error(code, error).describe();
}

namespace {

template <std::size_t N>
void check_field(const char (&field)[N], const char* name, const std::string& function) {
  require(std::memchr(field, 0, N) != nullptr, function + ": error." + name + " has no end");
  require(detail::is_utf8(detail::field_text(field)),
          function + ": error." + name + " is not UTF-8");
}

void check_answer(const Answer& answer, std::uint64_t input_size, const std::string& function) {
  require(answer.code >= 0 && answer.code < POLYCODEC_STATUS_COUNT,
          function + " returned " + std::to_string(answer.code) + ", which is not a status");
  if (answer.ok()) return;
  const polycodec_error& e = answer.error;
  require(e.struct_size == sizeof e, function + " changed error.struct_size");
  require(e.code == answer.code, function + " returned " + std::to_string(answer.code) +
                                     ", but error.code is " + std::to_string(e.code));
  check_field(e.detail, "detail", function);
  check_field(e.path, "path", function);
  check_field(e.message, "message", function);
  require(e.message[0] != '\0', function + ": the error has no message");
  require(e.offset == POLYCODEC_NO_OFFSET || e.offset <= input_size,
          function + ": error.offset " + std::to_string(e.offset) + " is outside of the " +
              std::to_string(input_size) + " bytes of input");
}

}  // namespace

// -- the call -------------------------------------------------------------------------------------

struct Call::Thunks {
  static std::int32_t spend(polycodec_call* call, std::uint64_t units, polycodec_error* error) {
    Call& c = of(call);
    if (c.settings_.cancelled)
      return fill_error(error, Status::cancelled, "the kit cancelled the call");
    const std::uint64_t left =
        c.settings_.limits.max_work - std::min(c.spent(), c.settings_.limits.max_work);
    if (units > left) return fill_error(error, Status::limit, "more work than max_work allows");
    constexpr std::uint64_t slice = 16384;
    const std::uint64_t more = std::min(slice, left - units);
    c.granted_ = c.granted_ - std::min(call->credit, c.granted_) + units + more;
    call->credit = more;
    return POLYCODEC_OK;
  }

  // The parts run from the last to the first, because no part may count on another.
  static std::int32_t parallel_for(polycodec_call* call, std::uint64_t n, std::uint64_t grain,
                                   polycodec_body body, void* data, polycodec_error* error) {
    Call& c = of(call);
    if (grain == 0) return fill_error(error, Status::plugin, "the grain of a loop is 0");
    std::int32_t code = POLYCODEC_OK;
    for (std::uint64_t i = (n + grain - 1) / grain; i-- > 0;) {
      c.parts_.emplace_back(new Call(c, i));
      Call& part = *c.parts_.back();
      auto own = make_error();
      const std::int32_t result =
          body(data, part.abi(), i * grain, std::min(n, (i + 1) * grain), &own);
      c.children_ += part.spent();
      part.arena_->check();
      if (result == POLYCODEC_OK) continue;
      code = result;
      *error = own;
    }
    return code;
  }

  static std::int32_t report_loss(polycodec_call*, std::int32_t loss_class, polycodec_bytes path,
                                  polycodec_bytes what, polycodec_error* error) {
    if (loss_class < 0 || loss_class >= POLYCODEC_LOSS_COUNT || what.size == 0)
      return fill_error(error, Status::plugin, "a loss without a class or a text");
    for (const std::string_view text : {to_string_view(path), to_string_view(what)})
      if (!detail::is_utf8(text) || text.find('\0') != text.npos)
        return fill_error(error, Status::plugin, "a path or text of a loss is not text");
    if (!to_string_view(path).starts_with('$'))
      return fill_error(error, Status::plugin, "the path of a loss does not begin with $");
    return fill_error(error, Status::unsupported, "the kit allows no losses");
  }
};

Call::Call(const Host& host, const CallSettings& settings)
    : settings_(settings),
      arena_(std::make_unique<TestArena>(settings.limits.max_memory_bytes, settings.refuse_arena,
                                         settings.count || settings.refuse_arena != never)),
      file_requests_{settings.refuse_file, false},
      abi_{} {
  constexpr std::uintptr_t small = std::uintptr_t{256} << 10;
  abi_.struct_size = sizeof abi_;
  abi_.arena = arena_->abi();
  abi_.limits = &settings_.limits;
  abi_.host = host.abi();
  if (settings.small_stack)
    abi_.stack_limit = reinterpret_cast<const char*>(__builtin_frame_address(0)) - small;
  abi_.projection = settings.projection;
  abi_.private_data = this;
  abi_.spend = &Thunks::spend;
  abi_.parallel_for = &Thunks::parallel_for;
  abi_.report_loss = &Thunks::report_loss;
}

Call::Call(Call& parent, std::uint64_t index)
    : settings_(parent.settings_),
      arena_(std::make_unique<TestArena>(parent.settings_.limits.max_memory_bytes,
                                         index == 0 ? parent.settings_.refuse_arena : never,
                                         parent.settings_.count)),
      abi_(parent.abi_) {
  settings_.limits.max_work -= std::min(settings_.limits.max_work, parent.spent());
  abi_.credit = 0;
  abi_.arena = arena_->abi();
  abi_.private_data = this;
}

Call::~Call() = default;

std::uint64_t Call::spent() const noexcept {
  return granted_ - std::min(abi_.credit, granted_) + children_;
}

SinkSettings Call::sink_settings() const noexcept {
  SinkSettings sink;
  sink.max_bytes = settings_.limits.max_output_bytes;
  sink.refuse_from = settings_.refuse_sink;
  sink.small_windows = settings_.small_windows;
  return sink;
}

Regions Call::regions() const {
  Regions all = others;
  all.add(arena_->regions());
  for (const auto& part : parts_) all.add(part->arena_->regions());
  return all;
}

Answer Call::run(const char* name, std::uint64_t input_size,
                 const std::function<std::int32_t(polycodec_error*)>& function) {
  Answer answer;
  answer.error = make_error();
  answer.code = function(&answer.error);
  check_answer(answer, input_size, name);
  require(abi_.credit <= granted_, std::string(name) + " returned more credit than it was granted");
  arena_->check();
  if (settings_.usage != nullptr) {
    settings_.usage->arena_requests = arena_->requests();
    settings_.usage->file_requests = file_requests_.count;
    settings_.usage->work = spent();
    settings_.usage->made = arena_->size();
    for (const auto& part : parts_) settings_.usage->made += part->arena_->size();
  }
  return answer;
}

}  // namespace polycodec::kit
