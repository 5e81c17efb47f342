// SPDX-License-Identifier: MIT
#include "registry/c/options.hpp"

#include <base/path_steps.hpp>

#include "core/dispatch/function_table.hpp"
#include "core/io/mapping_guard.hpp"
#include "core/value/host_meter.hpp"
#include "registry/c/held_log.hpp"
#include "registry/load/isolation_rule.hpp"

#include <vector>

namespace polycodec::c {
namespace {

/// The budget of the innermost polycodec_budget_walk() of this thread, or null.
thread_local constinit const std::shared_ptr<Budget>* walking = nullptr;

std::vector<std::string> strings(const polycodec_bytes* given, std::uint64_t n, const char* name) {
  std::vector<std::string> all;
  items(given, n, name);
  for (std::uint64_t i = 0; i < n; ++i) all.push_back(string(given[i], name));
  return all;
}

template <class T>
std::vector<const T*> objects(const T* const* given, std::uint32_t n, const char* name) {
  items(given, n, name);
  return n == 0 ? std::vector<const T*>() : std::vector<const T*>(given, given + n);
}

const std::atomic<bool>* cancel_flag(const std::uint8_t* given) {
  static_assert(sizeof(std::atomic<bool>) == 1 && std::atomic<bool>::is_always_lock_free);
  return reinterpret_cast<const std::atomic<bool>*>(given);
}

std::shared_ptr<const Allowlist> allowlist_of(polycodec_bytes given, const char* name) {
  const std::string_view json = text(given, name);
  return json.empty() ? nullptr : std::make_shared<const Allowlist>(Allowlist::parse(json));
}

}  // namespace

Limits limits_of(const polycodec_limits* given, const Limits& base, std::uint64_t* deadline) {
  const polycodec_limits l = read_struct(given, "polycodec_limits");
  Limits limits = base;
  const auto take = [](auto& to, auto from) {
    if (from != 0) to = from;
  };
  take(limits.max_depth, l.max_depth);
  take(limits.max_input_bytes, l.max_input_bytes);
  take(limits.max_header_bytes, l.max_header_bytes);
  take(limits.max_nodes, l.max_nodes);
  take(limits.max_elements, l.max_elements);
  take(limits.max_work, l.max_work);
  take(limits.max_memory_bytes, l.max_memory_bytes);
  take(limits.max_output_bytes, l.max_output_bytes);
  take(limits.max_stack_bytes, l.max_stack_bytes);
  if (deadline != nullptr)
    take(*deadline, l.deadline);
  else if (l.deadline != 0 && l.deadline != UINT64_MAX)
    throw Error(Status::option, "a deadline is for calls alone: set it in polycodec_call_options");
  return limits;
}

CallOptions call_options(const polycodec_call_options* given, const Limits& base,
                         Reporter* reporter) {
  CallOptions options;
  if (given == nullptr) return options;
  const polycodec_call_options c = read_struct(given, "polycodec_call_options");
  flags(c.flags,
        POLYCODEC_CALL_STRUCTURE | POLYCODEC_CALL_AS_IS | POLYCODEC_CALL_NO_COMPANIONS |
            POLYCODEC_CALL_PARTIAL | POLYCODEC_CALL_LOSSLESS | POLYCODEC_CALL_TOLERANT |
            POLYCODEC_CALL_COMPARE | POLYCODEC_CALL_STREAM,
        "polycodec_call_options.flags");
  flags(c.losses, all_losses, "polycodec_call_options.losses");
  if (c.limits != nullptr) options.limits = limits_of(c.limits, base, &options.deadline);
  if ((c.flags & POLYCODEC_CALL_STRUCTURE) != 0) options.validation = Validation::structure;
  options.allow_partial = (c.flags & POLYCODEC_CALL_PARTIAL) != 0;
  options.member = string(c.member, "member");
  options.threads = c.threads;
  options.allowlist = allowlist_of(c.allowlist, "allowlist");
  options.allow_also = allowlist_of(c.allow_also, "allow_also");
  options.cancel = cancel_flag(c.cancel);
  if (c.budget != nullptr) {
    if (c.limits != nullptr || c.cancel != nullptr)
      throw Error(Status::option,
                  "a budget has limits and cancel of its own: leave those of the call NULL");
    options.budget = need(c.budget, "polycodec_call_options.budget").budget;
  }
  if (c.projection != nullptr) {
    const polycodec_projection p = read_struct(c.projection, "polycodec_projection");
    options.projection.paths = strings(p.paths, p.n_paths, "polycodec_projection.paths");
    for (std::string& path : options.projection.paths) path = full_path(path);  // as codecs see it
    options.projection.first_row = p.first_row;
    options.projection.rows = p.n_rows;
  }
  const bool lossless = (c.flags & POLYCODEC_CALL_LOSSLESS) != 0;
  if (c.losses != 0 && (c.on_loss == nullptr || lossless))
    throw Error(Status::option,
                lossless ? "losses are allowed and POLYCODEC_CALL_LOSSLESS forbids them: choose one"
                         : "losses are allowed and nothing reports them: set on_loss");
  options.losses = lossless ? 0 : c.losses | losses_of(LossClass::note);
  if (c.on_loss != nullptr)
    options.on_loss = [hear = c.on_loss, data = c.loss_data](LossClass loss, std::string_view path,
                                                             std::string_view what) {
      hear(data, static_cast<std::int32_t>(loss), to_bytes(path), to_bytes(what));
    };
  if (reporter == nullptr && c.select.size != 0)
    throw Error(Status::option,
                "polycodec_call_options.select is for one value: leave it empty for streams and "
                "collections");
  if (c.on_progress == nullptr) return options;
  if (reporter == nullptr || c.budget != nullptr)
    throw Error(Status::option,
                "on_progress is for one call alone: leave it NULL for streams, "
                "collections and calls with a budget");
  reporter->begin(c, options, base);
  return options;
}

void set_read_flags(ReadOptions& options, const polycodec_call_options* given) {
  if (given == nullptr) return;
  options.fit = (given->flags & POLYCODEC_CALL_AS_IS) == 0;
  options.companions = (given->flags & POLYCODEC_CALL_NO_COMPANIONS) == 0;
  options.tolerant = (given->flags & POLYCODEC_CALL_TOLERANT) != 0;
}

std::shared_ptr<Budget> walking_budget() {
  return walking != nullptr && walking->get() == BudgetScope::current() ? *walking : nullptr;
}

WriteOptions write_options(const polycodec_write_options* given) {
  const polycodec_write_options w = read_struct(given, "polycodec_write_options");
  flags(w.flags, POLYCODEC_WRITE_KEEP | POLYCODEC_WRITE_SYNC | POLYCODEC_WRITE_BYTES,
        "polycodec_write_options.flags");
  WriteOptions options;
  options.overwrite = (w.flags & POLYCODEC_WRITE_KEEP) == 0;
  options.sync = (w.flags & POLYCODEC_WRITE_SYNC) != 0;
  if (w.lock_seconds != 0) options.lock_seconds = w.lock_seconds;
  options.root = string(w.root, "root");
  return options;
}

Format format_of(const polycodec_format* given, const char* name) {
  const polycodec_format f = read_struct(given, name);
  flags(f.flags, POLYCODEC_FORMAT_OF_OTHERS, "polycodec_format.flags");
  return {string(f.codec, "codec"), string(f.options, "options"), string(f.filters, "filters"),
          f.flags == 0 ? OptionsFrom::host : OptionsFrom::others};
}

ProgramObjects objects_of(const polycodec_objects* given) {
  const polycodec_objects o = read_struct(given, "polycodec_objects");
  ProgramObjects all;
  all.codecs = objects(o.codecs, o.n_codecs, "polycodec_objects.codecs");
  all.filters = objects(o.filters, o.n_filters, "polycodec_objects.filters");
  all.stores = objects(o.stores, o.n_stores, "polycodec_objects.stores");
  all.functions = objects(o.functions, o.n_functions, "polycodec_objects.functions");
  all.types = objects(o.types, o.n_types, "polycodec_objects.types");
  return all;
}

Configuration configuration_of(const polycodec_registry_options& o) {
  flags(o.flags,
        POLYCODEC_REGISTRY_NO_ENVIRONMENT | POLYCODEC_REGISTRY_NO_BUILTINS |
            POLYCODEC_REGISTRY_DEFAULT_CONFIG | POLYCODEC_REGISTRY_GUARD |
            POLYCODEC_REGISTRY_ISOLATE_FOREIGN,
        "polycodec_registry_options.flags");
  if ((o.flags & POLYCODEC_REGISTRY_GUARD) != 0) posix::guard_mappings();
  Configuration all;
  if ((o.flags & POLYCODEC_REGISTRY_DEFAULT_CONFIG) != 0) all = load_default_config();
  items(o.layers, o.n_layers, "polycodec_registry_options.layers");
  if (o.n_layers != 0) {
    std::vector<ConfigLayer> layers = std::move(all.layers);
    for (std::uint32_t i = 0; i < o.n_layers; ++i) {
      std::string name;
      if (o.layer_names != nullptr)
        name = string(o.layer_names[i], "polycodec_registry_options.layer_names");
      layers.push_back({string(o.layers[i], "polycodec_registry_options.layers"),
                        name.empty() ? std::string("configuration") : std::move(name)});
    }
    all = parse_config(std::move(layers));
  }
  RegistryOptions& r = all.registry;
  // The flag only takes away: what the configuration turned off stays so.
  if ((o.flags & POLYCODEC_REGISTRY_NO_ENVIRONMENT) != 0) r.use_environment = false;
  if ((o.flags & POLYCODEC_REGISTRY_NO_BUILTINS) != 0) r.use_builtins = false;
  const auto say = [&all](const std::string& section, const std::string& key) {
    all.said_by.emplace(key.empty() ? section : section + "." + key, "the program");
  };
  if (o.n_plugin_paths != 0) say("plugins", "paths");
  if (o.n_add_paths != 0) say("plugins", "add_paths");
  if (o.isolation.size != 0) say("policy", "isolation");
  if (o.allowlist.size != 0) say("allowlist", "");
  if (o.allow_also.size != 0) say("allow_also", "");
  if (o.n_plugin_paths != 0)
    r.plugin_paths = strings(o.plugin_paths, o.n_plugin_paths, "plugin_paths");
  const auto added = strings(o.add_paths, o.n_add_paths, "add_paths");
  r.add_paths.insert(r.add_paths.begin(), added.begin(), added.end());
  r.limits = limits_of(o.limits, r.limits, nullptr);
  const auto given = read_struct(o.limits, "polycodec_limits");
  const std::pair<const char*, std::uint64_t> bounds[] = {
      {"max_depth", given.max_depth},
      {"max_input_bytes", given.max_input_bytes},
      {"max_header_bytes", given.max_header_bytes},
      {"max_nodes", given.max_nodes},
      {"max_elements", given.max_elements},
      {"max_work", given.max_work},
      {"max_memory_bytes", given.max_memory_bytes},
      {"max_output_bytes", given.max_output_bytes},
      {"max_stack_bytes", given.max_stack_bytes}};
  for (const auto& [key, most] : bounds)
    if (most != 0) say("limits", key);
  if (auto allowlist = allowlist_of(o.allowlist, "allowlist")) r.allowlist = std::move(allowlist);
  if (auto also = allowlist_of(o.allow_also, "allow_also")) r.allow_also = std::move(also);
  read_isolation_text(text(o.isolation, "isolation"), r.policy);
  if ((o.flags & POLYCODEC_REGISTRY_ISOLATE_FOREIGN) != 0) isolate_foreign(r.policy);
  r.objects = objects_of(o.objects);
  if (o.threads != 0) r.threads = o.threads;
  if (o.executor != nullptr) {
    if (!POLYCODEC_HAS(polycodec_executor, o.executor, run) || o.executor->run == nullptr)
      throw_argument("executor", "has no function run");
    r.executor = [executor = o.executor](std::uint64_t n,
                                         const std::function<void(std::uint64_t)>& task) {
      executor->run(
          executor, n,
          [](void* data, std::uint64_t i) {
            (*static_cast<const std::function<void(std::uint64_t)>*>(data))(i);
          },
          const_cast<std::function<void(std::uint64_t)>*>(&task));
    };
  }
  if (o.log != nullptr)
    r.log = [to = LogTarget{o.log, o.log_data}](polycodec_log_level level, std::string_view origin,
                                                std::string_view line) {
      HeldLog::line(to, level, origin, line);
    };
  return all;
}

}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_budget_create(const polycodec_registry* registry, polycodec_value* value,
                                const polycodec_limits* limits, const uint8_t* cancel,
                                polycodec_budget** budget, polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry* const in =
        registry == nullptr ? nullptr : &c::need(registry, "registry").registry;
    c::place(budget, "budget");
    std::uint64_t deadline = UINT64_MAX;
    const Limits base = value != nullptr ? limits_of(c::need(value, "value").value)
                        : in != nullptr  ? in->options().limits
                                         : Limits{};
    const Limits most = c::limits_of(limits, base, &deadline);
    if (value == nullptr)
      return c::make(budget, make_budget(most, c::cancel_flag(cancel), deadline));
    if (auto around = c::walking_budget()) return c::make(budget, std::move(around));
    // The value lives as long as its budget.
    struct Kept {
      std::shared_ptr<const Value> value;
      std::shared_ptr<Budget> budget;
    };
    const auto kept = std::make_shared<Kept>(
        Kept{c::share(*value), make_budget(most, c::cancel_flag(cancel), deadline)});
    earn(*kept->budget, *kept->value);
    c::make(budget, std::shared_ptr<Budget>(kept, kept->budget.get()));
  });
}

int32_t polycodec_budget_spend(polycodec_budget* budget, uint64_t units, uint64_t bytes,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    Budget& of = *c::need(budget, "budget").budget;
    take_memory(of, bytes);
    of.spend(units);
  });
}

int32_t polycodec_budget_walk(polycodec_budget* budget, void (*body)(void* data), void* data,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    const std::shared_ptr<Budget> of = c::need(budget, "budget").budget;
    c::place(body, "body");
    struct Restore {
      const std::shared_ptr<Budget>* outer = c::walking;
      ~Restore() { c::walking = outer; }
    } const restore;
    c::walking = &of;
    const BudgetScope scope(*of);
    body(data);
  });
}

void polycodec_budget_release(polycodec_budget* budget) {
  c::release(budget);
}
