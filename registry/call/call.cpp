// SPDX-License-Identifier: MIT
#include "registry/call/call.hpp"

#include <base/stack.hpp>
#include <polycodec/detail/clear.hpp>
#include <polycodec/quote.hpp>

#include "core/call/call_scope.hpp"
#include "core/call/plugin_error.hpp"
#include "core/dispatch/function_table.hpp"
#include "core/value/arena.hpp"
#include "core/value/host_meter.hpp"
#include "registry/call/parallel.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

namespace polycodec {
namespace {

/// Codecs inside codecs use up the machine's stack, whatever the limits say about values.
constexpr std::uint32_t max_nested_calls = 32;
/// Units of credit for about a millisecond.
constexpr std::uint64_t slice = 200'000;

const void* stack_limit(std::uint64_t most) noexcept {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const ThreadStack stack = thread_stack();
  std::uintptr_t limit = here - stack.lowest < stack.size ? stack.lowest + stack.reserve : 0;
  if (most < here) limit = std::max(limit, here - static_cast<std::uintptr_t>(most));
  return reinterpret_cast<const void*>(limit);  // NOLINT
}

const char* loss_word(std::int32_t loss) noexcept {
  constexpr const char* words[POLYCODEC_LOSS_COUNT] = {"note", "type", "data", "retyped", "mended"};
  return words[loss];
}

}  // namespace

std::shared_ptr<Budget> make_budget(const Limits& limits, const std::atomic<bool>* cancel,
                                    std::uint64_t deadline) {
  auto budget = std::make_shared<Budget>(limits, cancel, deadline);
  budget->share();
  return budget;
}

void use_one_budget(CallOptions& options, const Limits& limits, NodeView value) {
  if (options.budget) return;
  options.budget = make_budget(options.limits.value_or(limits), options.cancel, options.deadline);
  earn_later(*options.budget, value);
}

CallTerms::CallTerms(const CallHost& through, const CallOptions& given, bool is_tolerant)
    : host(through),
      options(given),
      own(given.limits ? *given.limits : through.catalog.options.limits, given.cancel,
          given.deadline),
      budget(given.budget ? *given.budget : own),
      allowlist(given.allowlist ? given.allowlist.get() : through.catalog.options.allowlist.get()),
      losses(given.losses),
      default_ones(default_losses) {
  // A host that allows no note wants no loss at all.
  if (!is_tolerant || (losses & losses_of(LossClass::note)) == 0) return;
  losses |= losses_of(LossClass::mended);
  default_ones |= losses_of(LossClass::mended);
}

std::uint64_t CallTerms::tasks_for(std::uint64_t parts) const {
  const RegistryOptions& registry = host.catalog.options;
  const bool is_hosts = static_cast<bool>(registry.executor);
  std::uint32_t threads = options.threads != 0 ? options.threads
                          : is_hosts           ? UINT32_MAX
                                               : registry.threads;
  if (threads == UINT32_MAX && !is_hosts && parts > 1) threads = usable_processors();
  return std::min({parts, std::uint64_t{threads}, max_tasks});
}

void CallTerms::report_loss(LossClass loss, std::string_view path, std::string_view what) const {
  const bool is_default = (losses_of(loss) & default_ones) != 0;
  if ((!options.on_loss && !is_default) || (losses & losses_of(loss)) == 0) {
    if (loss == LossClass::mended)
      throw Error(Status::unsupported, "tolerant reading changes the input: " + std::string(what) +
                                           "; the call allows no loss of the class mended")
          .path(path);
    throw Error(Status::unsupported, "the result would lose " + quote(what) + " (class " +
                                         loss_word(static_cast<std::int32_t>(loss)) +
                                         "); use call.losses to leave it out")
        .path(path);
  }
  if (options.on_loss) return options.on_loss(loss, path, what);
  host.catalog.log(POLYCODEC_LOG_INFO, "lost " + quote(path) + ": " + quote(what));
}

struct CallContext::Thunks {
  static std::int32_t spend(polycodec_call* self, std::uint64_t units, polycodec_error* error) {
    return guard(error, [&] {
      CallContext& call = of(self);
      if (self->credit > call.granted_)
        throw Error(Status::plugin, "the plugin has more credit than it was granted");
      if (units <= self->credit) {
        call.budget.check();
        self->credit -= units;
        return;
      }
      const std::uint64_t lacking = units - self->credit;
      const std::uint64_t more = call.budget.spend(lacking, slice);
      call.granted_ += lacking + more;
      self->credit = more;
      call.refresh();
    });
  }

  static std::int32_t parallel_for(polycodec_call* self, std::uint64_t n, std::uint64_t grain,
                                   polycodec_body body, void* data, polycodec_error* error) {
    return guard(error, [&] {
      CallContext& call = of(self);
      Arena& parent = *static_cast<Arena*>(self->arena->private_data);
      const std::uint64_t step = std::max<std::uint64_t>(grain, 1);
      const std::uint64_t parts = n / step + (n % step != 0 ? 1 : 0);
      const auto run = [&](std::uint64_t part, Arena& arena) {
        CallContext child(call.terms_, arena.abi());
        child.abi_.depth = self->depth;
        child.codec_calls_ = call.codec_calls_;
        PluginError failure;
        const std::uint64_t from = part * step;
        if (const auto code =
                body(data, child.abi(), from, from + std::min(step, n - from), failure.raw());
            code != POLYCODEC_OK)
          throw failure.error(code);
        child.settle();
      };
      call.settle();  // the credit of the call is for its parts meanwhile
      const std::uint64_t tasks = call.terms_.tasks_for(parts);
      if (tasks < 2) {
        auto arena = std::make_unique<Arena>(UINT64_MAX, &call.budget);
        for (std::uint64_t part = 0; part < parts; ++part) run(part, *arena);
        parent.join(std::move(arena));
        return;
      }
      call.budget.share();
      std::array<std::unique_ptr<Arena>, max_tasks> arenas;
      run_parts(
          tasks, parts,
          [&](std::uint64_t threads, const auto& work, const auto& wait) {
            const Executor& executor = call.catalog().options.executor;
            executor ? executor(threads, work) : call.terms_.host.threads.run(threads, work, wait);
          },
          [&](std::uint64_t part, std::uint64_t task) {
            auto& arena = arenas[task];
            if (arena == nullptr) arena = std::make_unique<Arena>(UINT64_MAX, &call.budget);
            run(part, *arena);
          },
          [&] { call.budget.check(); });
      for (auto& arena : arenas)
        if (arena != nullptr) parent.join(std::move(arena));
    });
  }

  static std::uint32_t threads(const polycodec_call* self) {
    try {
      const CallContext& call = of(const_cast<polycodec_call*>(self));
      return static_cast<std::uint32_t>(call.terms_.tasks_for(max_tasks));
    } catch (const std::exception&) {
      return 1;
    }
  }

  static std::int32_t report_loss(polycodec_call* self, std::int32_t loss, polycodec_bytes path,
                                  polycodec_bytes what, polycodec_error* error) {
    return guard(error, [&] {
      if (loss < 0 || loss >= POLYCODEC_LOSS_COUNT)
        throw Error(Status::plugin, "the plugin reported a loss of an unknown class");
      of(self).terms_.report_loss(static_cast<LossClass>(loss), to_string_view(path),
                                  to_string_view(what));
    });
  }
};

std::uint32_t nested_depth(std::uint32_t outer, std::uint32_t max_depth) {
  if (outer >= std::min(max_nested_calls, max_depth))
    throw Error(Status::limit,
                "codecs are nested in codecs more than " + std::to_string(outer) + " deep");
  return outer + 1;
}

CallContext::CallContext(const CallTerms& terms, polycodec_arena* arena)
    : CallState{terms.budget}, terms_(terms) {
  fill(0, arena);
}

CallContext::CallContext(CallContext& outer) : CallState{outer.budget}, terms_(outer.terms_) {
  const std::uint32_t depth = nested_depth(outer.abi_.depth, limits().max_depth);
  outer.settle();
  fill(depth, outer.abi_.arena);
}

CallContext::~CallContext() {
  if (abi_.credit <= granted_) budget.give_back(abi_.credit);
}

void CallContext::fill(std::uint32_t depth, polycodec_arena* arena) {
  detail::clear(abi_);
  abi_.struct_size = sizeof abi_;
  abi_.depth = depth;
  abi_.arena = arena;
  abi_.limits = &limits_;
  abi_.host = &terms_.host.table;
  abi_.stack_limit = stack_limit(limits().max_stack_bytes);
  abi_.private_data = static_cast<CallState*>(this);
  abi_.spend = &Thunks::spend;
  abi_.parallel_for = &Thunks::parallel_for;
  abi_.report_loss = &Thunks::report_loss;
  abi_.threads = &Thunks::threads;
  refresh();
  granted_ = abi_.credit = budget.spend(0, slice);
}

void CallContext::refresh() noexcept {
  const Limits& given = limits();
  limits_ = {sizeof limits_,         given.max_depth,     given.max_input_bytes,
             given.max_header_bytes, given.max_nodes,     given.max_elements,
             budget.max_work(),      budget.max_memory(), budget.max_output(),
             given.max_stack_bytes,  budget.deadline()};
}

CallContext& CallContext::of(polycodec_call* call) {
  if (call == nullptr || call->private_data == nullptr)
    throw Error(Status::plugin, "the plugin asked the host for something outside of a call");
  return static_cast<CallContext&>(*static_cast<CallState*>(call->private_data));
}

const Allowlist& CallContext::allowlist() const {
  static const Allowlist nothing;
  const Allowlist& own = terms_.allowlist != nullptr ? *terms_.allowlist
                         : codec_calls_ != nullptr   ? *codec_calls_
                                                     : nothing;
  const Allowlist* const of_call = terms_.options.allow_also.get();
  const Allowlist* const of_registry = catalog().options.allow_also.get();
  if (of_call == nullptr && of_registry == nullptr) return own;
  if (!with_others_) with_others_ = own.with(of_call).with(of_registry);
  return *with_others_;
}

void CallContext::hand_over(const Projection& given) {
  for (const auto& path : given.paths) paths_.push_back(to_bytes(path));
  projection_ = {sizeof projection_, static_cast<std::uint32_t>(paths_.size()), paths_.data(),
                 given.first_row, given.rows};
  abi_.projection = &projection_;
}

Arena& CallContext::arena() const noexcept {
  return *static_cast<Arena*>(abi_.arena->private_data);
}

void CallContext::accept(const polycodec_node* root, const Regions* read) const {
  struct Both final : Regions {
    Both(const Arena& memory, const Regions* other)
        : Regions(memory.is_stable()), arena(memory), read(other) {}
    std::string_view region_of(const void* data, std::uint64_t size) const noexcept override {
      const std::string_view found = arena.region_of(data, size);
      return found.empty() && read != nullptr ? read->region_of(data, size) : found;
    }
    bool may_change(const void* data, std::uint64_t size) const noexcept override {
      return arena.may_change(data, size);
    }
    bool do_is_stable() const noexcept override { return false; }
    const Arena& arena;
    const Regions* read;
  };
  Arena& memory = arena();
  const BudgetScope scope(budget);
  const CallScope threads(&abi_);
  if (read == nullptr) return validate(root, limits(), terms_.options.validation, &memory, &memory);
  const Both regions(memory, read);
  validate(root, limits(), terms_.options.validation, &regions, &memory);
}

void CallContext::settle() {
  if (abi_.credit > granted_)
    throw Error(Status::plugin, "the plugin returned more credit than it was granted");
  budget.give_back(abi_.credit);
  granted_ -= abi_.credit;
  abi_.credit = 0;
}

}  // namespace polycodec
