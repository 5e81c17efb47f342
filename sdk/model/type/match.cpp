// SPDX-License-Identifier: MIT
#include <base/seeded_hash.hpp>
#include <model/type/match.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace polycodec::type {

namespace detail {

namespace {

/// True if the concrete type belongs to the family that a kind word names.
bool is_of_kind(const Type& type, std::string_view word) noexcept {
  const Kind kind = type.kind();
  const polycodec_dtype dtype = type.dtype();
  if (word == "Any") return true;
  if (word == "Bool") return dtype == POLYCODEC_DTYPE_BOOLEAN;
  if (word == "Int") return is_signed_integer(dtype);
  if (word == "UInt") return is_unsigned_integer(dtype);
  if (word == "Float") return is_float(dtype);
  if (word == "Complex") return is_complex(dtype);
  if (word == "Bytes") return kind == Kind::bytes || kind == Kind::fixed_bytes;
  if (word == "FixedBytes") return kind == Kind::fixed_bytes;
  if (word == "String")
    return kind == Kind::string || kind == Kind::fixed_string || kind == Kind::character;
  if (word == "FixedString") return kind == Kind::fixed_string;
  if (word == "Categorical") return kind == Kind::indexed;
  if (word == "Scalar")
    return kind <= Kind::fixed_string || kind == Kind::type_type || kind == Kind::datetime ||
           kind == Kind::timedelta;
  return false;
}

/// A search with an explicit stack: goals left to meet, and for each choice made the state to go
/// back to.
class Matcher {
 public:
  bool run(const Type& pattern, const Type& candidate) {
    state_.goals.push_back({&pattern, &candidate});
    while (!state_.goals.empty()) {
      const Goal goal = state_.goals.back();
      state_.goals.pop_back();
      spend(1);
      if (!meet(goal) && !go_back()) return false;
    }
    return true;
  }

  Bindings& bindings() noexcept { return state_.bindings; }

 private:
  struct Goal {
    const Type* pattern;
    const Type* candidate;
  };
  struct State {
    std::vector<Goal> goals;
    Bindings bindings;
  };
  /// A goal whose pattern takes a number of dimensions; `next` is the number to try after the
  /// present one.
  struct Choice {
    State state;
    Goal goal;
    std::uint64_t next;
    std::uint64_t most;
  };

  /// Several ellipses leave so many ways to share the dimensions that a hostile pattern could
  /// search for ever.
  void spend(std::uint64_t steps) {
    constexpr std::uint64_t most = 1u << 20;
    if (steps > most - steps_)
      throw Error(Status::limit, "matching the type against the pattern takes too many steps")
          .detail("type.limit");
    steps_ += steps;
  }

  static const Type& bare(const Type& type) noexcept {
    return type.is(Kind::annotated) ? type.element() : type;
  }

  static bool is_open_dim(const Type& type) noexcept {
    return type.is(Kind::fixed_dim) || type.is(Kind::var_dim);
  }
  static bool is_any(const Type& type) noexcept {
    return type.is(Kind::kind) && type.name() == "Any";
  }
  static Dim dim_of(const Type& type) noexcept { return {type.is(Kind::fixed_dim), type.size()}; }

  bool bind(std::string_view name, Binding value) {
    const auto at = state_.bindings.find(name);
    if (at != state_.bindings.end()) return at->second == value;
    state_.bindings.emplace(std::string(name), std::move(value));
    return true;
  }

  bool push(const Type& pattern, const Type& candidate) {
    state_.goals.push_back({&pattern, &candidate});
    return true;
  }

  bool push_all(const Type& pattern, const Type& candidate) {
    // Backwards, so that the first item is met first and binds the variables.
    for (std::size_t i = pattern.items().size(); i-- > 0;)
      push(pattern.items()[i], candidate.items()[i]);
    return true;
  }

  bool meet(const Goal& goal) {
    const Type& p = *goal.pattern;
    if (p.is(Kind::annotated)) return meet_annotated(p, *goal.candidate);
    const Type& c = bare(*goal.candidate);
    const bool same_kind = c.is(p.kind());
    switch (p.kind()) {
      case Kind::kind:
        return is_of_kind(c, p.name());
      case Kind::variable:
        return !c.is_dim() && bind(p.name(), c);
      case Kind::constructed:
        return (c.is(Kind::option) || c.is(Kind::pointer) || c.is(Kind::indexed)) &&
               bind(p.name(), c.kind()) && push(p.element(), c.element());
      case Kind::fixed_dim:
      case Kind::var_dim:
      case Kind::any_fixed_dim:
      case Kind::any_dim:
      case Kind::variable_dim:
        return meet_dim(p.kind(), p.size(), p.name(), c) && push(p.element(), c.element());
      case Kind::ellipsis_dim:
      case Kind::power_dim:
        return meet_run({&p, &c});
      case Kind::record:
        return same_kind && meet_record(p, c);
      case Kind::tuple:
        return same_kind && meet_tuple(p, c);
      case Kind::array:
        return same_kind && (p.element() == c.element() || is_any(p.element()));
      case Kind::extension:
        return same_kind && p.name() == c.name() && push(p.element(), c.element());
      case Kind::option:
      case Kind::pointer:
      case Kind::indexed:
      case Kind::union_type:
      case Kind::map:
        return same_kind && p.items().size() == c.items().size() && push_all(p, c);
      default:
        return p == c;
    }
  }

  bool meet_dim(Kind kind, std::uint64_t length, std::string_view name, const Type& c) {
    if (!is_open_dim(c)) return false;
    const Dim dim = dim_of(c);
    if (kind == Kind::fixed_dim) return dim == Dim{true, length};
    if (kind == Kind::var_dim) return !dim.fixed;
    if (kind == Kind::any_fixed_dim) return dim.fixed;
    return kind == Kind::any_dim || bind(name, dim);
  }

  bool meet_annotated(const Type& p, const Type& c) {
    if (!c.is(Kind::annotated)) return false;
    for (const Annotation& wanted : p.annotations()) {
      const auto all = c.annotations();
      spend(all.size());
      if (std::find(all.begin(), all.end(), wanted) == all.end()) return false;
    }
    return push(p.element(), c.element());
  }

  bool meet_tuple(const Type& p, const Type& c) {
    const std::size_t n = p.items().size();
    return (p.variadic() ? n <= c.items().size() : n == c.items().size()) && push_all(p, c);
  }

  bool meet_record(const Type& p, const Type& c) {
    if (!p.variadic())
      return std::equal(p.names().begin(), p.names().end(), c.names().begin(), c.names().end()) &&
             push_all(p, c);
    spend(c.names().size());
    SeededMap<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < c.names().size(); ++i) index.emplace(c.names()[i], i);
    for (std::size_t i = p.names().size(); i-- > 0;) {
      const auto at = index.find(p.names()[i]);
      if (at == index.end()) return false;
      push(p.items()[i], c.items()[at->second]);
    }
    return true;
  }

  /// An ellipsis or a power: tries the least number of dimensions and notes that there are more to
  /// try.
  bool meet_run(const Goal& goal) {
    std::uint64_t most = 0;
    for (const Type* c = goal.candidate; is_open_dim(*c); c = &bare(c->element())) ++most;
    return take({goal, goal.pattern->is(Kind::power_dim) ? 1u : 0u, most});
  }

  struct Run {
    Goal goal;
    std::uint64_t count;
    std::uint64_t most;
  };

  bool take(const Run& run) {
    if (run.count > run.most) return false;
    spend(run.count);
    if (run.count < run.most) {
      spend(state_.goals.size() + 8 * state_.bindings.size());
      choices_.push_back({state_, run.goal, run.count + 1, run.most});
    }
    const Type& p = *run.goal.pattern;
    const Type* c = run.goal.candidate;
    std::vector<Dim> dims;
    for (std::uint64_t i = 0; i < run.count; ++i) {
      if (p.is(Kind::power_dim) && !meet_dim(p.base(), p.size(), p.base_name(), *c)) return false;
      dims.push_back(dim_of(*c));
      c = &bare(c->element());
    }
    if (p.is(Kind::power_dim) && !bind(p.name(), run.count)) return false;
    if (p.is(Kind::ellipsis_dim) && !p.name().empty() && !bind(p.name(), std::move(dims)))
      return false;
    return push(p.element(), *c);
  }

  /// Goes back to the latest choice that has another way to go; false if none has.
  bool go_back() {
    while (!choices_.empty()) {
      Choice choice = std::move(choices_.back());
      choices_.pop_back();
      state_ = std::move(choice.state);
      if (take({choice.goal, choice.next, choice.most})) return true;
    }
    return false;
  }

  State state_;
  std::vector<Choice> choices_;
  std::uint64_t steps_ = 0;
};

}  // namespace

}  // namespace detail

bool matches(const Type& pattern, const Type& candidate, Bindings* bindings) {
  if (!candidate.is_concrete()) return false;
  detail::Matcher matcher;
  if (!matcher.run(pattern, candidate)) return false;
  if (bindings != nullptr) *bindings = std::move(matcher.bindings());
  return true;
}

}  // namespace polycodec::type
