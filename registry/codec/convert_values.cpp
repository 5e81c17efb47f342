// SPDX-License-Identifier: MIT
#include "registry/codec/convert_values.hpp"

#include <base/seeded_hash.hpp>
#include <polycodec/path.hpp>

#include "core/call/budget.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/mapping_guard.hpp"
#include "core/value/kept.hpp"
#include "registry/codec/pull_value.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

/// Output is written in pieces of this size, and longer values in one.
constexpr std::uint64_t piece_bytes = std::uint64_t{256} << 10;

/// The bytes of a source, of which mapped pages go back when they are read.
class Bytes {
 public:
  explicit Bytes(const Source& source) : source_(source) {}

  std::size_t take(std::span<char> window) {
    constexpr std::size_t step = std::size_t{16} << 20;
    const std::string_view rest = source_.bytes().substr(at_);
    const std::size_t size = std::min(rest.size(), window.size());
    if (size != 0) std::memcpy(window.data(), rest.data(), size);
    at_ += size;
    if (source_.is_mapped() && at_ - released_ >= step) {
      posix::release_pages(source_.bytes().substr(released_, at_ - released_));
      released_ = at_;
    }
    return size;
  }

 private:
  const Source& source_;
  std::size_t at_ = 0, released_ = 0;
};

/// The paths of losses, for each value of a run that has any.
class LossesOfRun {
 public:
  void clear() noexcept {
    at_ = 0;
    paths_.clear();
  }
  /// What is lost from now on is of value `i`.
  void begin(std::size_t i) noexcept { at_ = i; }
  std::size_t at() const noexcept { return at_; }
  void add(std::string_view path) {
    const std::scoped_lock lock(mutex_);
    paths_[at_].emplace_back(path);
  }
  bool has_any() const noexcept { return !paths_.empty(); }
  std::vector<std::string> of(std::size_t i) const {
    const auto found = paths_.find(i);
    return found == paths_.end() ? std::vector<std::string>() : found->second;
  }

 private:
  std::mutex mutex_;
  std::size_t at_ = 0;
  std::map<std::size_t, std::vector<std::string>> paths_;
};

/// Tells the caller of each loss once, however many values have it.
class LossesOfAll {
 public:
  explicit LossesOfAll(LossHook hear) : hear_(std::move(hear)) {}

  /// The options of a call whose losses these are; `lost` (or null) gets the paths.
  CallOptions heard(const CallOptions& given, LossesOfRun* lost) {
    CallOptions options = given;
    if (!hear_) {
      options.losses &= default_losses;
      if (lost == nullptr) return options;
    }
    options.on_loss = [this, lost](LossClass loss, std::string_view path, std::string_view what) {
      const std::scoped_lock lock(mutex_);
      if (lost != nullptr) lost->add(path);
      add(loss, path, what);
    };
    return options;
  }
  /// The same for a member of another type, whose path has no indices.
  void add_retyped(const Retyped& member) {
    const std::scoped_lock lock(mutex_);
    add(LossClass::retyped, member.path, member.from + " -> " + member.to, false);
  }

 private:
  /// More than that nobody reads, and few values have so many.
  static constexpr std::size_t most = 1000;

  void add(LossClass loss, std::string_view path, std::string_view what, bool is_of_item = true) {
    if (!hear_ || seen_.size() > most) return;
    std::string place(path_root);
    if (is_of_item) place += "[*]";
    place += path.substr(path.starts_with(path_root) ? path_root.size() : 0);
    std::string key = place + '\n';
    key += static_cast<char>('0' + static_cast<int>(loss));
    if (!seen_.insert(key.append(what)).second) return;
    if (seen_.size() > most)
      hear_(loss, path_root, "more parts of the values, which are not listed");
    else
      hear_(loss, place, what);
  }

  const LossHook hear_;
  std::mutex mutex_;
  SeededSet<std::string> seen_;
};

/// Reads back what is written of each value.
class CheckOfEach {
 public:
  CheckOfEach(const Codec& codec, const std::string& name, const CallOptions& call,
              LossesOfAll& losses)
      : name_(name), call_(call), losses_(losses), codec_(codec.info().name) {
    CallOptions reading = call;
    reading.losses = all_losses;  // what reading leaves out, the comparison finds
    reading.on_loss = [](LossClass, std::string_view, std::string_view) {};
    stream_.emplace(codec, std::move(reading));
    again_run_.most_bytes = UINT64_MAX;  // as many as were written together
    check_.kept = Kept::same;
  }

  /// `bytes` were written of the values of a run, the first of which has the number `first`.
  void add(std::uint64_t first, NodeView list, const ValueRun& run, const LossesOfRun& lost,
           std::string_view bytes) {
    this->run([&] {
      stream_->feed(bytes);
      const std::size_t n = run.roots.size();
      for (std::size_t done = 0; done < n; done += again_run_.roots.size()) {
        if (!at_step(first + done, [&] { return read(n - done); }))
          return give_up("the codec does not write its values one by one");
        if (again_run_.roots.size() == n && !lost.has_any() && are_same(list)) return;
        for (std::size_t i = 0; i < again_run_.roots.size(); ++i) {
          const std::uint64_t number = first + done + i;
          at_step(number, [&] {
            compare(number, NodeView(run.roots[done + i]), NodeView(again_run_.roots[i]),
                    lost.of(done + i));
          });
        }
      }
    });
  }
  /// `bytes` end the output.
  Check finish(std::string_view bytes) {
    run([&] {
      stream_->feed(bytes);
      stream_->end();
      if (read(1)) give_up("the output has more values than were written");
    });
    return std::move(check_);
  }

 private:
  Written written() const { return {{}, name_, codec_, {}, {}, {}}; }
  /// Reads up to `most` values of the output, which earns no work.
  bool read(std::size_t most) {
    again_run_.most = most;
    const std::uint64_t allowed = call_.budget->max_work();
    bool found = false;
    try {
      found = stream_->next(again_, again_run_);
    } catch (const Error& e) {
      fail_read_back(e, written());
    }
    call_.budget->spend(call_.budget->max_work() - allowed);
    return found;
  }
  /// True if all values of a run come back, perhaps with members of other types. False: they are to
  /// be compared one by one.
  bool are_same(NodeView list) {
    KeptValue found;
    try {
      found = compare_kept(list, again_.view(), *call_.limits, call_.budget, covers_of({}));
    } catch (const Error& e) {
      if (e.code() == Status::cancelled) throw;
      return false;  // a list is deeper than its items
    }
    if (found.difference || found.retyped.size() == max_retyped ||
        (!found.retyped.empty() && (call_.losses & losses_of(LossClass::note)) == 0))
      return false;
    settle(found);
    return true;
  }
  void compare(std::uint64_t number, NodeView value, NodeView again,
               const std::vector<std::string>& lost) {
    const KeptValue found =
        compare_kept(value, again, *call_.limits, call_.budget, covers_of(lost));
    settle(found);
    if (!found.difference || check_.difference) return;
    check_.difference = found.difference;
    check_.difference->path.insert(path_root.size(), index_step(number));
  }
  void settle(const KeptValue& found) {
    settle_kept(found, written(), call_,
                [&](const Retyped& member) { losses_.add_retyped(member); });
    check_.kept = std::max(check_.kept, found.kept);
  }
  /// Nothing is compared from now on.
  void give_up(std::string reason) {
    check_ = {Kept::unknown, std::move(reason), std::nullopt};
    stream_.reset();
  }
  template <class Body>
  void run(const Body& body) try {
    if (stream_) body();
  } catch (const Error& e) {
    if (e.code() == Status::cancelled || is_of_kept(e)) throw;
    give_up(e.describe());
  } catch (const std::bad_alloc&) {
    give_up("out of memory");
  }

  const std::string& name_;
  const CallOptions& call_;
  LossesOfAll& losses_;
  const std::string codec_;
  std::optional<ValueStream> stream_;
  Value again_;
  ValueRun again_run_;
  Check check_;
};

}  // namespace

ConvertedValues convert_values(const Source& source, const Codec& from, const Codec& to,
                               const std::string& path, const CallOptions& call,
                               const WriteOptions& how, bool compares) {
  const BudgetScope scope(*call.budget);
  LossesOfAll losses(call.on_loss);
  LossesOfRun lost;  // of the values that are written
  ValueStream input(from, losses.heard(call, nullptr));
  ValueWriter output(to, losses.heard(call, &lost));
  std::optional<CheckOfEach> check;
  ConvertedValues done;
  if (compares && to.info().can_read_stream)
    check.emplace(to, path, call, losses);
  else if (compares)
    done.check.reason = "the codec does not read its values one by one";
  AtomicFile file(path, how);
  BufferSink sink(call.limits->max_output_bytes);
  const auto write = [&] {
    const Segment piece{sink.view().data(), sink.view().size()};
    file.write({&piece, 1});
    done.bytes += piece.size;
    sink.reset(sink.max_bytes() - piece.size);
  };
  Bytes bytes(source);
  Value list;
  ValueRun run;
  for (std::uint64_t i = 0;; i += run.roots.size()) {
    const bool found = at_step(i, [&] {
      return pull_value(
          input, [&] { return input.next(list, run); },
          [&](std::span<char> window) { return bytes.take(window); }, [] { return true; });
    });
    if (!found && i == 0)
      throw Error(Status::truncated, "the source is empty: there is no value", 0)
          .codec(from.info().name);
    if (!found) break;
    const auto before = static_cast<std::size_t>(sink.size());
    lost.clear();
    detail::with_step(
        [&] { return index_step(i + lost.at()); },
        [&] { output.append(list.view(), run, sink, [&](std::size_t at) { lost.begin(at); }); });
    if (check) check->add(i, list.view(), run, lost, sink.view().substr(before));
    if (sink.size() >= piece_bytes) write();
  }
  const auto before = static_cast<std::size_t>(sink.size());
  output.finish(sink);
  if (check) done.check = check->finish(sink.view().substr(before));
  write();
  file.commit();
  return done;
}

}  // namespace polycodec
