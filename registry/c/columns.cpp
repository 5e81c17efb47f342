// SPDX-License-Identifier: MIT
// Numbers, times and strings of a value in memory of the caller.
#include <base/cast_elements.hpp>
#include <base/depth.hpp>
#include <base/dtype_names.hpp>
#include <base/path_steps.hpp>
#include <base/scalar_store.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/view.hpp>
#include <polycodec/writer.hpp>

#include "core/value/host_meter.hpp"
#include "registry/c/find_part.hpp"
#include "registry/c/sink.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace polycodec::c {
namespace {

/// Gives the items of a column places in memory of the caller, which has `capacity` of them. Items
/// that have none are only counted.
class Places {
 public:
  Places(std::uint64_t capacity, std::uint8_t* present) : capacity_(capacity), present_(present) {}

  std::uint64_t count() const noexcept { return count_; }

 protected:
  std::optional<std::uint64_t> place(bool is_present) {
    if (!is_present && present_ == nullptr)
      throw Error(Status::range,
                  "the item is missing: give `present`, which tells such items apart")
          .detail("column.missing");
    const std::uint64_t at = count_++;
    if (at >= capacity_) return std::nullopt;
    if (present_ != nullptr) present_[at] = is_present ? 1 : 0;
    return at;
  }
  /// Of at most `n` items that are there and have places: how many.
  std::uint64_t most(std::uint64_t n) const noexcept {
    return std::min(n, capacity_ - std::min(capacity_, count_));
  }
  void take(std::uint64_t n) noexcept {
    if (const std::uint64_t placed = most(n); present_ != nullptr && placed != 0)
      std::memset(present_ + count_, 1, static_cast<std::size_t>(placed));
    count_ += n;
  }

 private:
  const std::uint64_t capacity_;
  std::uint8_t* const present_;
  std::uint64_t count_ = 0;
};

/// Numbers, or counts of a unit of time.
class Numbers : public Places {
 public:
  Numbers(const detail::ElementLayout& layout, void* out, std::uint64_t capacity,
          std::uint8_t* present)
      : Places(capacity, present), layout_(layout), out_(static_cast<std::byte*>(out)) {}

  void missing() {
    if (const auto at = place(false)) std::memset(to(*at), 0, layout_.item_size);
  }
  /// Returns how many units it took beside the one of each item.
  std::uint64_t put(const View& item) {
    detail::ElementLayout layout = layout_;
    if (is_time(layout.dtype) && item.kind() == POLYCODEC_KIND_DURATION)
      layout.dtype = POLYCODEC_DTYPE_DURATION64;
    if (const auto at = place(true)) detail::store_scalar(item, layout, to(*at));
    return 0;
  }
  /// Takes the first elements that can be taken at once. Returns their number.
  std::uint64_t many(Elements elements) noexcept {
    if (is_time(layout_.dtype)) return 0;
    const std::uint64_t all = elements.count;
    elements.count = most(all);
    const std::uint64_t taken =
        elements.count == 0 ? 0 : detail::cast_elements(elements, layout_.dtype, to(count()));
    take(taken);
    if (taken != elements.count) return taken;
    take(all - taken);  // that have no places
    return all;
  }

 private:
  std::byte* to(std::uint64_t at) const noexcept { return out_ + at * layout_.item_size; }

  const detail::ElementLayout layout_;
  std::byte* const out_;
};

/// UTF-8, one text after another.
class Texts : public Places {
 public:
  Texts(Writer& out, std::uint64_t* ends, std::uint64_t capacity, std::uint8_t* present)
      : Places(capacity, present), out_(out), ends_(ends) {}

  void missing() {
    if (const auto at = place(false)) ends_[*at] = out_.position();
  }
  std::uint64_t put(const View& item) {
    const auto at = place(true);
    if (!at) return 0;
    if (!item.is_string())
      throw Error(Status::type, std::string(kind_name(item.kind())) + " where a string is wanted");
    const std::string_view text = item.as_string(scratch_);
    out_.put_text(text);
    ends_[*at] = out_.position();
    return units_of_bytes(text.size());
  }
  std::uint64_t many(const Elements&) noexcept { return 0; }

 private:
  Writer& out_;
  std::uint64_t* const ends_;
  std::string scratch_;
};

/// Walks to what a path names, and gives `out` each scalar there. A name is taken of each item of a
/// list, and the items of lists in lists follow each other.
template <class Out>
class Gathering {
 public:
  Gathering(std::string_view path, std::uint32_t max_depth, HostMeter& meter, Out& out)
      : max_depth_(max_depth), meter_(meter), out_(out) {
    for (PathSteps steps(path); !steps.is_done();) steps_.push_back(steps.next());
  }

  void run(const View& root) try { walk(root, 0, 0); } catch (Error& e) {
    if (!e.path().empty()) throw;
    std::string path(path_root);
    for (const Place& place : places_) {
      if (place.name != nullptr)
        append_key(path, *place.name);
      else
        append_index(path, place.index);
    }
    throw e.path(path);
  }

 private:
  struct Place {
    const std::string* name;
    std::uint64_t index;
  };

  void walk(View at, std::size_t step, std::uint32_t depth) {
    check_depth(depth, max_depth_);
    meter_.tick();
    // A chain of references that ends nowhere is valid.
    for (std::uint32_t i = 0;
         at.kind() == POLYCODEC_KIND_UNION || at.kind() == POLYCODEC_KIND_REFERENCE; ++i) {
      check_depth(depth + i, max_depth_);
      at = at.kind() == POLYCODEC_KIND_UNION ? at.child() : at.target();
    }
    if (step == steps_.size()) return values(at, depth);
    const PathSteps::Step& next = steps_[step];
    if (at.is_null()) return out_.missing();
    if (next.is_index) return item(at, next.index, step, depth);
    if (at.is_object() || at.is_map()) return member(at, next.name, step, depth);
    if (!at.is_list())
      throw Error(Status::type, std::string(kind_name(at.kind())) + " has no member " +
                                    quote(next.name) + ": it is of objects and lists of them");
    for (std::uint64_t i = 0, n = at.size(); i < n; ++i) {
      places_.push_back({nullptr, i});
      walk(at.child(i), step, depth + 1);
      places_.pop_back();
    }
  }

  void item(const View& at, std::uint64_t index, std::size_t step, std::uint32_t depth) {
    if (!at.is_list())
      throw Error(Status::type, std::string(kind_name(at.kind())) + " has no items");
    if (index >= at.size()) throw_no_item(index, at.size());
    places_.push_back({nullptr, index});
    walk(at.child(index), step + 1, depth + 1);
    places_.pop_back();
  }

  void member(const View& at, const std::string& name, std::size_t step, std::uint32_t depth) {
    meter_.tick(at.size() / 8);
    const auto found = at.find(name);
    if (!found) {
      std::vector<std::string> known;
      for (std::uint64_t i = 0; i < std::min<std::uint64_t>(at.size(), 1000); ++i)
        if (at.is_object()) known.emplace_back(at.name(i));
      throw_no_name(name, known);
    }
    places_.push_back({&name, 0});
    walk(*found, step + 1, depth + 1);
    places_.pop_back();
  }

  void values(const View& at, std::uint32_t depth) {
    if (at.is_null()) return out_.missing();
    if (!at.is_list()) return meter_.tick(out_.put(at));
    const std::uint64_t n = at.size();
    const auto elements = at.elements();
    for (std::uint64_t i = 0; i < n; ++i) {
      if (elements) {
        const std::uint64_t taken = out_.many(
            {elements->data + static_cast<std::int64_t>(i) * elements->stride, n - i,
             elements->stride, elements->dtype, elements->item_size, elements->byte_order});
        meter_.tick(taken / 8);
        if ((i += taken) == n) return;
      }
      places_.push_back({nullptr, i});
      walk(at.child(i), steps_.size(), depth + 1);
      places_.pop_back();
    }
  }

  const std::uint32_t max_depth_;
  HostMeter& meter_;
  Out& out_;
  std::vector<PathSteps::Step> steps_;
  std::vector<Place> places_;  // from the root to where the walk is; as it was where one failed
};

/// Gathers on the budget of the value. Returns the number of items.
template <class Out>
std::uint64_t gather(const Value& value, std::string_view path, Out& out) {
  const ValueBudget walk(value);
  const Limits limits = limits_of(value);
  HostMeter meter(value.view(), limits);
  Gathering<Out>(path, limits.max_depth, meter, out).run(value.view());
  return out.count();
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_value_numbers(const polycodec_value* value, polycodec_bytes path, uint32_t dtype,
                                void* numbers, uint64_t capacity, uint8_t* present, uint64_t* n,
                                polycodec_error* error) {
  return c::enter(error, [&] {
    const Value& of = c::need(value, "value").value;
    c::place(n, "n");
    const std::uint32_t size = dtype_size(dtype);
    if (size == 0 || is_time(dtype)) c::throw_argument("dtype", "is not of booleans or numbers");
    c::items(static_cast<std::byte*>(numbers), capacity, "numbers");
    c::Numbers out({dtype, size, 0}, numbers, capacity, present);
    *n = c::gather(of, c::text(path, "path"), out);
  });
}

int32_t polycodec_value_times(const polycodec_value* value, polycodec_bytes path, uint32_t unit,
                              int64_t* counts, uint64_t capacity, uint8_t* present, uint64_t* n,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    const Value& of = c::need(value, "value").value;
    c::place(n, "n");
    if (unit >= POLYCODEC_UNIT_COUNT) c::throw_argument("unit", "is not a polycodec_unit");
    c::items(counts, capacity, "counts");
    c::Numbers out({POLYCODEC_DTYPE_TIMESTAMP64, sizeof *counts, unit}, counts, capacity, present);
    *n = c::gather(of, c::text(path, "path"), out);
  });
}

int32_t polycodec_value_texts(const polycodec_value* value, polycodec_bytes path,
                              polycodec_sink* sink, uint64_t* ends, uint64_t capacity,
                              uint8_t* present, uint64_t* n, polycodec_error* error) {
  return c::enter(error, [&] {
    const Value& of = c::need(value, "value").value;
    c::place(n, "n");
    c::items(ends, capacity, "ends");
    Sink& to = c::sink_of(sink);
    try {
      Writer text(to.abi());
      c::Texts out(text, ends, capacity, present);
      const std::uint64_t count = c::gather(of, c::text(path, "path"), out);
      text.flush();
      c::check_bound(to);
      *n = count;
    } catch (...) {
      to.reset();
      throw;
    }
  });
}
