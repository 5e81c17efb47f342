// SPDX-License-Identifier: MIT
// What applies to a call, a format, or a file that is written. A program includes polycodec.hpp.
#pragma once

#include <polycodec/call.hpp>
#include <polycodec/host/handle.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {
inline namespace host {

class Registry;

/// Bounds of a call or an input; see polycodec_limits. 0 in a field is the default of the registry.
struct Limits : polycodec_limits {
  Limits() noexcept : polycodec_limits{} { struct_size = sizeof(polycodec_limits); }
  /// As the library takes it: null where no field is set.
  const polycodec_limits* raw() const noexcept {
    std::uint64_t words[sizeof(polycodec_limits) / sizeof(std::uint64_t)];
    static_assert(sizeof words == sizeof(polycodec_limits));
    std::memcpy(words, static_cast<const polycodec_limits*>(this), sizeof words);
    std::uint64_t any = max_depth;
    for (std::size_t i = 1; i < std::size(words); ++i) any |= words[i];
    return any == 0 ? nullptr : this;
  }
};

/// Work, memory and output that several calls share, or that walks of the program's own spend.
/// Counted, for any thread.
class Budget {
 public:
  Budget() noexcept = default;
  /// Takes over a handle of host.h.
  explicit Budget(polycodec_budget* raw) : raw_(raw, polycodec_budget_release) {}
  /// For several calls on one input. When another thread stores 1 at `cancel` (or null), which
  /// lives as long as the budget, they end with Status::cancelled.
  explicit Budget(const Registry& registry, const Limits& limits = {},
                  const std::uint8_t* cancel = nullptr);

  /// Charges units of work, about 5 ns each, and bytes of memory. Throws Status::limit if there are
  /// not so many left, and Status::cancelled. Takes some 20 ns: charge in slices.
  void spend(std::uint64_t units, std::uint64_t bytes = 0) const {
    border::call(polycodec_budget_spend, raw(), units, bytes);
  }
  explicit operator bool() const noexcept { return raw_ != nullptr; }
  polycodec_budget* raw() const noexcept { return raw_.get(); }
  /// Runs body(). Meanwhile what the library does with values on this thread, but for calls of
  /// codecs, charges the budget. What `body` throws comes out of here.
  template <class Body>
  void walk(Body&& body) const {
    struct Run {
      Body& body;
      std::exception_ptr thrown;
    } run{body, nullptr};
    border::call(
        polycodec_budget_walk, raw(),
        +[](void* data) {
          auto& in = *static_cast<Run*>(data);
          try {
            in.body();
          } catch (...) {
            in.thrown = std::current_exception();
          }
        },
        &run);
    if (run.thrown) std::rethrow_exception(run.thrown);
  }

 private:
  std::shared_ptr<polycodec_budget> raw_;
};

/// What applies to one call. All of it may be left out: `{.threads = 4}`. Strings are UTF-8.
struct CallOptions {
  std::vector<std::string> columns = {};  ///< decode: paths that are wanted, as `vertex.x`; or all
  std::uint64_t first_row = 0, rows = UINT64_MAX;  ///< decode: of each of them, or of the root
  std::string member = {};  ///< of a store: which named value to decode, or to encode
  std::string select = {};  ///< decode: a path to the part that is wanted instead of the whole
  std::string destination =
      {};  ///< Registry::decode(): where the value goes; see polycodec_call_options
  std::uint32_t threads = 0;  ///< at most; 0: as the registry. UINT32_MAX: all processors
  std::uint32_t flags = 0;    ///< POLYCODEC_CALL_*
  Limits limits = {};
  /// The call ends with Status::cancelled soon after another thread or a signal handler stores 1
  /// there. Lives as long as the call, stream or collection.
  const std::uint8_t* cancel = nullptr;
  Budget budget = {};  ///< instead of `limits` and `cancel`
  /// Classes of loss that are allowed beside notes, as POLYCODEC_LOSSES_OF(). It needs `on_loss`.
  std::uint32_t losses = 0;
  std::string allowlist = {};   ///< functions that data may call, as JSON; empty: the registry's
  std::string allow_also = {};  ///< further ones, beside all others that are allowed; or empty
  /// Is notified of each thing that a codec leaves out, on the thread of the call or another, one
  /// at a time. It must not call the registry.
  std::function<void(LossClass, std::string_view path, std::string_view what)> on_loss = {};
  /// Receives the progress of a call, on its thread; see polycodec_call_options. False ends the
  /// call with Status::cancelled. Not with `budget`, and not for streams and collections.
  std::function<bool(const polycodec_progress&)> on_progress = {};
};

/// No options: what calls without CallOptions are given.
inline const CallOptions default_call;

/// A codec with its options and filters. An empty codec: the library chooses.
struct Format {
  std::string codec = {};    ///< name or alias; "text" is typed JSON
  std::string options = {};  ///< a JSON object, or empty
  std::string filters =
      {};  ///< after the codec: a JSON list [{"id": NAME, OPTION: VALUE}], or empty
  /// Options and filters are not the program's own: they may open no file.
  bool of_others = false;
};

/// How much of a value a conversion keeps (docs/loss.md).
enum class Kept : std::int32_t {
  unknown = POLYCODEC_KEPT_UNKNOWN,  ///< nobody compared
  same = POLYCODEC_KEPT_SAME,        ///< kinds, types and bits
  same_items = POLYCODEC_KEPT_SAME_ITEMS,
  same_numbers = POLYCODEC_KEPT_SAME_NUMBERS,
  different = POLYCODEC_KEPT_DIFFERENT,  ///< but for losses that were reported
};

/// What was written.
struct Result {
  std::string codec;          ///< that was named or chosen
  std::uint64_t bytes = 0;    ///< in all files
  bool is_partial = false;    ///< of a value that a projection has narrowed
  Kept kept = Kept::unknown;  ///< with POLYCODEC_CALL_COMPARE
  std::string reason;         ///< why the values were not compared; or what differs first
  std::string path;           ///< where; with Kept::different
  std::string from;           ///< of Registry::convert(): the codec that was read
};

/// How a file is replaced: it is complete or as it was at any time.
struct WriteOptions {
  bool keep = false;               ///< a file that exists is an error (Status::io)
  bool sync = false;               ///< wait until content and name are on the disk
  std::uint32_t lock_seconds = 0;  ///< how long to wait for others that change a store; 0: 60
  std::string root = {};  ///< a directory that the path is below; see polycodec_write_options
};

namespace border {

/// Calls with a CallOptions, which must live as long, without a cost for no options. What a
/// callback throws does not cross the library: the call ends, and then it is thrown here.
class CallScope {
 public:
  explicit CallScope(const CallOptions& from) {
    if (&from != &default_call) fill(from);
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  const polycodec_call_options* raw() const noexcept { return given_; }

  template <class Function, class... Arguments>
  void call(Function* function, const Arguments&... arguments) {
    if (!heard_) return border::call(function, arguments...);
    try {
      border::call(function, arguments...);
    } catch (const Error&) {
      heard_->rethrow();
      throw;
    }
    heard_->rethrow();
  }
  template <class Handle, class Function, class... Arguments>
  Handle make(Function* function, const Arguments&... arguments) {
    Handle made;
    call(function, arguments..., Place::of(made));
    return made;
  }

 private:
  /// What the part that is wanted needs.
  struct Wanted {
    explicit Wanted(const CallOptions& from) : paths(all_bytes(from.columns)) {
      projection.struct_size = sizeof projection;
      projection.paths = paths.data();
      projection.n_paths = static_cast<std::uint32_t>(paths.size());
      projection.first_row = from.first_row;
      projection.n_rows = from.rows;
    }
    std::vector<polycodec_bytes> paths;
    polycodec_projection projection{};
  };
  /// What callbacks need.
  struct Heard {
    explicit Heard(const CallOptions& from) : options(&from) {}
    template <class Body>
    void guarded(const Body& body) noexcept {
      try {
        body();
      } catch (...) {
        if (!has_thrown.exchange(true)) thrown = std::current_exception();  // the first one counts
      }
    }
    void rethrow() {
      if (!has_thrown.exchange(false)) return;
      std::rethrow_exception(std::exchange(thrown, nullptr));
    }
    const CallOptions* options;
    std::atomic<bool> has_thrown = false;
    std::exception_ptr thrown;
  };

  void fill(const CallOptions& from) {
    raw_ = {.struct_size = sizeof raw_,
            .flags = from.flags,
            .limits = from.limits.raw(),
            .cancel = from.cancel,
            .projection = nullptr,
            .member = to_bytes(from.member),
            .allowlist = to_bytes(from.allowlist),
            .on_loss = nullptr,
            .loss_data = nullptr,
            .losses = from.losses,
            .threads = from.threads,
            .budget = from.budget.raw(),
            .on_progress = nullptr,
            .progress_data = nullptr,
            .select = to_bytes(from.select),
            .destination = to_bytes(from.destination),
            .allow_also = to_bytes(from.allow_also)};
    if (!from.columns.empty() || from.first_row != 0 || from.rows != UINT64_MAX)
      raw_.projection = &wanted_.emplace(from).projection;
    if (from.on_loss || from.on_progress) heard_.emplace(from);
    if (from.on_loss) {
      raw_.loss_data = &*heard_;
      raw_.on_loss = [](void* data, std::int32_t of, polycodec_bytes path, polycodec_bytes what) {
        auto& in = *static_cast<Heard*>(data);
        in.guarded([&] {
          in.options->on_loss(static_cast<LossClass>(of), to_string_view(path),
                              to_string_view(what));
        });
      };
    }
    if (from.on_progress) {
      raw_.progress_data = &*heard_;
      raw_.on_progress = [](void* data, const polycodec_progress* progress) {
        auto& in = *static_cast<Heard*>(data);
        bool more = false;
        in.guarded([&] { more = in.options->on_progress(*progress); });
        return more ? std::int32_t{0} : std::int32_t{1};
      };
    }
    given_ = &raw_;
  }

  const polycodec_call_options* given_ = nullptr;
  polycodec_call_options raw_;  // of a call with options alone
  std::optional<Wanted> wanted_;
  std::optional<Heard> heard_;
};

/// A CallScope that has its options, for streams and collections.
class KeptCall {
 public:
  explicit KeptCall(const CallOptions& from)
      : options_(&from == &default_call ? nullptr : std::make_unique<CallOptions>(from)),
        scope_(std::make_unique<CallScope>(options_ ? *options_ : default_call)) {}
  CallScope& operator*() const noexcept { return *scope_; }
  CallScope* operator->() const noexcept { return scope_.get(); }

 private:
  std::unique_ptr<CallOptions> options_;
  std::unique_ptr<CallScope> scope_;
};

inline polycodec_format raw_of(const Format& from) noexcept {
  auto raw = empty<polycodec_format>();
  raw.flags = from.of_others ? POLYCODEC_FORMAT_OF_OTHERS : 0u;
  raw.codec = to_bytes(from.codec);
  raw.options = to_bytes(from.options);
  raw.filters = to_bytes(from.filters);
  return raw;
}
/// A format as the library takes it where it may choose the codec.
class ChosenFormat {
 public:
  explicit ChosenFormat(const Format& from) noexcept : raw_(raw_of(from)) {}
  const polycodec_format* raw() const noexcept {
    return (raw_.codec.size | raw_.options.size | raw_.filters.size) == 0 ? nullptr : &raw_;
  }

 private:
  polycodec_format raw_;
};
inline Result result_of(const polycodec_result& raw) {
  return {raw.codec, raw.bytes, raw.is_partial != 0, static_cast<Kept>(raw.kept), raw.reason,
          raw.path,  raw.from};
}
inline polycodec_write_options raw_of(const WriteOptions& from) noexcept {
  polycodec_write_options raw{};
  raw.struct_size = sizeof raw;
  raw.flags = (from.keep ? POLYCODEC_WRITE_KEEP : 0u) | (from.sync ? POLYCODEC_WRITE_SYNC : 0u);
  raw.lock_seconds = from.lock_seconds;
  raw.root = to_bytes(from.root);
  return raw;
}

}  // namespace border
}  // namespace host
}  // namespace polycodec
