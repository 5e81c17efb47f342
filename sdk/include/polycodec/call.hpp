// SPDX-License-Identifier: MIT
// One call of a plugin's function: its budget, what it may ask of the host, its input and options.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>
#include <polycodec/view.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace polycodec {

/// Classes of loss; see polycodec_loss.
enum class LossClass : std::int32_t {
  note = POLYCODEC_LOSS_NOTE,
  type = POLYCODEC_LOSS_TYPE,
  data = POLYCODEC_LOSS_DATA,
  retyped = POLYCODEC_LOSS_RETYPED,
  mended = POLYCODEC_LOSS_MENDED,
};

/// Units that a Meter takes from the call at once, and that cost about 20 microseconds.
inline constexpr std::uint64_t call_slice = 4096;

/// A handle on a polycodec_call. Not owning; cheap to copy; for one thread. Functions throw Error:
/// what the host reports, in particular Status::limit and Status::cancelled.
class Call {
 public:
  explicit Call(polycodec_call* call) noexcept : call_(call) {}
  polycodec_call* raw() const noexcept { return call_; }

  /// Charges `units` of work, about 5 ns each: 1 an item visited or 16 bytes copied. Charge in
  /// batches, before the work. In loops over items use a Meter.
  void tick(std::uint64_t units = 1) const {
    if (units <= call_->credit) [[likely]] {
      call_->credit -= units;
      return;
    }
    spend(units);
  }
  /// Throws Status::limit if a recursive function must go no deeper on this stack.
  void check_stack() const {
    if (polycodec_stack_left(call_) == 0) [[unlikely]]
      throw_stack();
  }
  const polycodec_limits& limits() const noexcept { return *call_->limits; }
  polycodec_arena* arena() const noexcept { return call_->arena; }
  /// What the caller wants of the value, or NULL: everything.
  const polycodec_projection* projection() const noexcept { return call_->projection; }

  /// Writes one line to the host's log.
  void log(polycodec_log_level level, std::string_view text) const noexcept;
  /// Reports a loss: `path` is where in the whole value, also within at_step(), `what` tells humans
  /// what. Throws Status::unsupported with this path if the host does not allow losses of this
  /// class. Call it before anything is written.
  void report_loss(LossClass loss, std::string_view path, std::string_view what) const;

  /// Calls a registered function, if the allowlist allows it. The result lives in the call's arena.
  const polycodec_node* call_function(std::span<const std::string_view> path,
                                      const polycodec_node& args,
                                      const polycodec_node* kwargs = nullptr) const;
  /// Decodes with another codec. The value lives in the call's arena and may view the input.
  const polycodec_node* decode_with(std::string_view codec, const polycodec_node* options,
                                    const polycodec_input& input) const;
  const polycodec_node* decode_with(std::string_view codec, const polycodec_node* options,
                                    std::string_view bytes) const;
  /// The notation of a registered type; throws Status::not_found.
  std::string_view lookup_type(std::string_view name) const;

  /// How many threads may share a parallel_for(), this one among them; see polycodec_call.threads.
  std::uint32_t threads() const noexcept {
    const bool knows = POLYCODEC_HAS(polycodec_call, call_, threads) && call_->threads != nullptr;
    return knows ? call_->threads(call_) : 1;
  }
  /// Calls body(Call&, from, to) for parts of at most `grain` of [0, n), maybe on several threads.
  /// Each body uses its own call only.
  template <class Body>
  void parallel_for(std::uint64_t n, std::uint64_t grain, Body&& body) const {
    const polycodec_body thunk = [](void* data, polycodec_call* child, std::uint64_t from,
                                    std::uint64_t to, polycodec_error* error) -> std::int32_t {
      return guard(error, [&] {
        Call own(child);
        (*static_cast<std::remove_reference_t<Body>*>(data))(own, from, to);
      });
    };
    invoke(call_->parallel_for, call_, n, grain, thunk, static_cast<void*>(&body));
  }

 private:
  void spend(std::uint64_t units) const;
  [[noreturn]] static void throw_stack();

  polycodec_call* call_;
};

/// Charges a call for loops over items: it holds a slice of the credit, so that a tick is a
/// subtraction in a register. The rest of the slice goes back when it ends. For one thread; the
/// call outlives it and may be used meanwhile.
class Meter {
 public:
  explicit Meter(const Call& call) noexcept : call_(call) {}
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;
  ~Meter() { call_.raw()->credit += left_; }

  /// Charges `units`. Throws Status::limit, Status::cancelled.
  void tick(std::uint64_t units = 1) {
    if (units > left_) [[unlikely]]
      refill(units);
    left_ -= units;
  }
  /// Charges one item of `bytes` bytes.
  void step(std::uint64_t bytes = 0) { tick(1 + bytes / 16); }

 private:
  void refill(std::uint64_t units);

  const Call call_;
  std::uint64_t left_ = 0;
};

/// A file of the host, read by offset. Not owning.
class File {
 public:
  File(const Call& call, const polycodec_file* file) noexcept : call_(call), file_(file) {}
  const polycodec_file* raw() const noexcept { return file_; }

  std::uint64_t size() const;
  /// The bytes in place, which live as long as the file; fewer than `size` only at its end.
  std::string_view view(std::uint64_t offset, std::uint64_t size) const;
  /// Copies up to `size` bytes; returns how many, fewer only at the end of the file.
  std::uint64_t read_at(std::uint64_t offset, void* buffer, std::uint64_t size) const;

 private:
  Call call_;
  const polycodec_file* file_;
};

/// A blob of a store.
struct Blob {
  std::string_view name;
  std::string_view owner;  ///< the named value that it belongs to, or empty
  std::uint64_t size = 0;
};

/// Named blobs to read. Not owning. Names and contents live as long as the store or the call.
class Store {
 public:
  Store(const Call& call, const polycodec_store* store) noexcept : call_(call), store_(store) {}
  const polycodec_store* raw() const noexcept { return store_; }

  std::uint64_t size() const noexcept { return store_->count(store_); }
  Blob operator[](std::uint64_t i) const;
  /// The number of the blob of this name, if there is one.
  std::optional<std::uint64_t> find(std::string_view name) const;
  /// Bytes of blob `i` from `offset` on.
  std::string_view read(std::uint64_t i, std::uint64_t offset = 0,
                        std::uint64_t size = UINT64_MAX) const;
  /// The content of the blob of this name; throws Status::not_found if there is none.
  std::string_view read(std::string_view name) const;

 private:
  Call call_;
  const polycodec_store* store_;
};

/// What a decoder reads; see polycodec_input. Not owning.
class Input {
 public:
  Input(const Call& call, const polycodec_input* input) noexcept : call_(call), input_(input) {}
  const polycodec_input& raw() const noexcept { return *input_; }

  bool has_bytes() const noexcept { return (input_->parts & POLYCODEC_INPUT_BYTES) != 0; }
  std::string_view bytes() const noexcept { return to_string_view(input_->bytes); }
  /// The bytes, copied to the arena of the call where others may change the file that they are of:
  /// for a codec that reads them twice. It takes POLYCODEC_INPUT_FILE too, which says so.
  std::string_view steady_bytes() const;
  /// Bytes of the whole source, of which sniff() gets the first; UINT64_MAX: unknown.
  std::uint64_t total() const noexcept { return input_->total; }
  bool has_file() const noexcept { return input_->file != nullptr; }
  File file() const noexcept { return File(call_, input_->file); }
  bool has_store() const noexcept { return input_->store != nullptr; }
  Store store() const noexcept { return Store(call_, input_->store); }
  /// A file name for messages, or empty.
  std::string_view name() const noexcept { return to_string_view(input_->name); }
  /// Which named value of the store to read, or empty.
  std::string_view member() const noexcept { return to_string_view(input_->member); }

  /// The content of a blob of the store, or of a companion; throws Status::not_found if there is
  /// none.
  std::string_view blob(std::string_view name) const;

 private:
  Call call_;
  const polycodec_input* input_;
};

/// A guess at a format; see polycodec_sniff for what the scores mean.
struct Sniff {
  std::uint32_t score = 0;
  std::string reason;
};

/// The options that the host parsed and checked against the schema of the manifest. They need not
/// outlive the call that gets them: copy what you keep.
class Options {
 public:
  /// `node`: an OBJECT, or NULL for the defaults.
  explicit Options(const polycodec_node* node = nullptr) noexcept
      : options_(node == nullptr ? View() : View(node)) {}

  /// The option, or nothing if it was not given (or given as null).
  std::optional<View> find(std::string_view name) const;
  /// The option, or `fallback` if it was not given. Throws Status::option for another type.
  bool get(std::string_view name, bool fallback) const;
  /// An integer of any type as a fallback gives 64 bits with its sign.
  template <std::integral T>
  requires(!std::same_as<T, bool>) auto get(std::string_view name, T fallback) const {
    if constexpr (std::unsigned_integral<T> && sizeof(T) == 8)
      return get_unsigned(name, fallback);
    else
      return get_signed(name, fallback);
  }
  double get(std::string_view name, double fallback) const;
  std::string get(std::string_view name, std::string_view fallback) const;
  std::string get(std::string_view name, const char* fallback) const;
  /// The value of the word that was given, one of `choices`; the first is the default:
  /// `choice<Style>("style", {{"plain", Style::plain}, {"rich", Style::rich}})`.
  template <class T>
  struct Choice {
    std::string_view word;
    T value;
  };
  template <class T, std::size_t N>
  T choice(std::string_view name, const Choice<T> (&choices)[N]) const {
    const auto option = find(name);
    if (!option) return choices[0].value;
    std::string words;
    for (const auto& c : choices) {
      if (option->is_string() && option->as_string() == c.word) return c.value;
      words.append(words.empty() ? "'" : ", '").append(c.word).append("'");
    }
    throw_bad(name, "must be one of " + words);
  }

 private:
  std::int64_t get_signed(std::string_view name, std::int64_t fallback) const;
  std::uint64_t get_unsigned(std::string_view name, std::uint64_t fallback) const;
  template <class T, class Read>
  T read(std::string_view name, T fallback, Read convert) const;
  [[noreturn]] static void throw_bad(std::string_view name, const std::string& why);

  View options_;
};

}  // namespace polycodec
