// SPDX-License-Identifier: MIT
// Functions of the glue for R, and the options of a call. scripts/r_sys.py makes this file.
// clang-format off
#include "polycodec.hpp"

#include <R_ext/Rdynload.h>

namespace {

/// What applies to a call, its source and what it writes.
struct Options {
  CallOptions call{.on_loss = on_loss};
  SourceOptions source;
  WriteOptions write;
};

Limits limits_in(SEXP given) {
  Limits limits;
  limits.max_depth = static_cast<std::uint32_t>(REAL_RO(given)[0]);
  limits.max_input_bytes = static_cast<std::uint64_t>(REAL_RO(given)[1]);
  limits.max_header_bytes = static_cast<std::uint64_t>(REAL_RO(given)[2]);
  limits.max_nodes = static_cast<std::uint64_t>(REAL_RO(given)[3]);
  limits.max_elements = static_cast<std::uint64_t>(REAL_RO(given)[4]);
  limits.max_work = static_cast<std::uint64_t>(REAL_RO(given)[5]);
  limits.max_memory_bytes = static_cast<std::uint64_t>(REAL_RO(given)[6]);
  limits.max_output_bytes = static_cast<std::uint64_t>(REAL_RO(given)[7]);
  limits.max_stack_bytes = static_cast<std::uint64_t>(REAL_RO(given)[8]);
  return limits;
}

Format format_in(SEXP given) {
  return {word_in(item_of(given, 0)), word_in(item_of(given, 1)), word_in(item_of(given, 2))};
}

/// Of a list in the order of option_names, in which NULL leaves a field as it is.
Options options_in(SEXP given) {
  Options options;
  if (SEXP x = item_of(given, 0); x != R_NilValue)
    options.call.columns = texts_in(x);
  if (SEXP x = item_of(given, 1); x != R_NilValue)
    options.call.first_row = static_cast<std::uint64_t>(Rf_asReal(x));
  if (SEXP x = item_of(given, 2); x != R_NilValue)
    options.call.rows = static_cast<std::uint64_t>(Rf_asReal(x));
  if (SEXP x = item_of(given, 3); x != R_NilValue)
    options.call.member = word_in(x);
  if (SEXP x = item_of(given, 4); x != R_NilValue)
    options.call.select = word_in(x);
  if (SEXP x = item_of(given, 5); x != R_NilValue)
    options.call.destination = word_in(x);
  if (SEXP x = item_of(given, 6); x != R_NilValue)
    options.call.threads = static_cast<std::uint32_t>(Rf_asReal(x));
  if (SEXP x = item_of(given, 7); x != R_NilValue)
    options.call.flags = static_cast<std::uint32_t>(Rf_asReal(x));
  if (SEXP x = item_of(given, 8); x != R_NilValue)
    options.call.limits = limits_in(x);
  if (SEXP x = item_of(given, 8); x != R_NilValue)
    options.source.limits = limits_in(x);
  if (SEXP x = item_of(given, 9); x != R_NilValue)
    options.call.losses = static_cast<std::uint32_t>(Rf_asReal(x));
  if (SEXP x = item_of(given, 10); x != R_NilValue)
    options.call.allowlist = word_in(x);
  if (SEXP x = item_of(given, 11); x != R_NilValue)
    options.call.allow_also = word_in(x);
  if (SEXP x = item_of(given, 12); x != R_NilValue)
    options.source.name = word_in(x);
  if (SEXP x = item_of(given, 13); x != R_NilValue)
    options.source.changing = Rf_asLogical(x) == TRUE;
  if (SEXP x = item_of(given, 14); x != R_NilValue)
    options.source.copy = Rf_asLogical(x) == TRUE;
  if (SEXP x = item_of(given, 15); x != R_NilValue)
    options.source.map = Rf_asLogical(x) == TRUE;
  if (SEXP x = item_of(given, 16); x != R_NilValue)
    options.source.companions = Rf_asLogical(x) == TRUE;
  if (SEXP x = item_of(given, 17); x != R_NilValue)
    options.write.keep = Rf_asLogical(x) == TRUE;
  if (SEXP x = item_of(given, 18); x != R_NilValue)
    options.write.sync = Rf_asLogical(x) == TRUE;
  if (SEXP x = item_of(given, 19); x != R_NilValue)
    options.write.lock_seconds = static_cast<std::uint32_t>(Rf_asReal(x));
  if (SEXP x = item_of(given, 20); x != R_NilValue)
    options.write.root = word_in(x);
  return options;
}

SEXP call_pc_c_lose(SEXP loss_class_, SEXP path_, SEXP what_) {
  return entry([&]() -> SEXP {
    std::uint32_t loss_class = static_cast<std::uint32_t>(Rf_asReal(loss_class_));
    const std::string& path = word_in(path_);
    const std::string& what = word_in(what_);
    on_loss(static_cast<LossClass>(loss_class), path, what);
    return R_NilValue;
  });
}
SEXP call_pc_c_losses() {
  return entry([&]() -> SEXP {
    return texts_of(std::exchange(losses, {}));
  });
}
SEXP call_pc_c_setup(SEXP config_, SEXP paths_, SEXP threads_) {
  return entry([&]() -> SEXP {
    const std::string& config = word_in(config_);
    const std::vector<std::string>& paths = texts_in(paths_);
    std::uint32_t threads = static_cast<std::uint32_t>(Rf_asReal(threads_));
    opened = Registry::open({.layers = {{config, "pc_setup"}}, .add_paths = paths, .threads = threads});
    return R_NilValue;
  });
}
SEXP call_pc_c_units(SEXP made_, SEXP from_, SEXP to_) {
  return entry([&]() -> SEXP {
    SEXP made = made_;
    const std::string& from = word_in(from_);
    const std::string& to = word_in(to_);
    return (convert_units(from, to, {REAL(made), size_of(made)}), made);
  });
}
SEXP call_pc_c_describe(SEXP what_) {
  return entry([&]() -> SEXP {
    std::uint32_t what = static_cast<std::uint32_t>(Rf_asReal(what_));
    return raw_of(registry().description(static_cast<About>(what)));
  });
}
SEXP call_pc_c_open(SEXP what_, SEXP from_, SEXP options_, SEXP as_view_, SEXP path_) {
  return entry([&]() -> SEXP {
    SEXP what = what_;
    const Format& from = format_in(from_);
    const Options& options = options_in(options_);
    bool as_view = Rf_asLogical(as_view_) == TRUE;
    const std::string& path = word_in(path_);
    return given_to_r(registry().decode(source_of(what, options.source), interruptible(options.call), from), what, as_view, path);
  });
}
SEXP call_pc_c_members(SEXP path_, SEXP format_, SEXP options_) {
  return entry([&]() -> SEXP {
    const std::string& path = word_in(path_);
    const Format& format = format_in(format_);
    const Options& options = options_in(options_);
    return raw_of(Collection(registry(), path, format, options.call).list().text({.plain = true}));
  });
}
SEXP call_pc_c_value(SEXP x_, SEXP path_) {
  return entry([&]() -> SEXP {
    const Given& x = Given(x_);
    const std::string& path = word_in(path_);
    return given_to_r(x.value, x.kept, false, path);
  });
}
SEXP call_pc_c_save(SEXP x_, SEXP path_, SEXP format_, SEXP options_) {
  return entry([&]() -> SEXP {
    const Given& x = Given(x_);
    const std::string& path = word_in(path_);
    const Format& format = format_in(format_);
    const Options& options = options_in(options_);
    return facts_of(registry().write(x.value, path, format, interruptible(options.call), options.write));
  });
}
SEXP call_pc_c_convert(SEXP what_, SEXP from_, SEXP path_, SEXP to_, SEXP options_) {
  return entry([&]() -> SEXP {
    SEXP what = what_;
    const Format& from = format_in(from_);
    const std::string& path = word_in(path_);
    const Format& to = format_in(to_);
    const Options& options = options_in(options_);
    return facts_of(registry().convert(source_of(what, options.source), path, from, to, interruptible(options.call), options.write));
  });
}
SEXP call_pc_c_encode(SEXP x_, SEXP format_, SEXP options_) {
  return entry([&]() -> SEXP {
    const Given& x = Given(x_);
    const Format& format = format_in(format_);
    const Options& options = options_in(options_);
    return encoded(x.value, format, interruptible(options.call));
  });
}
SEXP call_pc_c_type(SEXP x_) {
  return entry([&]() -> SEXP {
    const Given& x = Given(x_);
    return text_of(x.value.type());
  });
}
SEXP call_pc_c_text(SEXP x_, SEXP plain_) {
  return entry([&]() -> SEXP {
    const Given& x = Given(x_);
    bool plain = Rf_asLogical(plain_) == TRUE;
    return text_of(x.value.text({.plain = plain}));
  });
}
SEXP call_pc_c_channel(SEXP text_, SEXP options_) {
  return entry([&]() -> SEXP {
    const std::string& text = word_in(text_);
    const Options& options = options_in(options_);
    return handle(Channel(registry(), text, options.call), R_NilValue);
  });
}
SEXP call_pc_c_feed(SEXP channel_, SEXP bytes_) {
  return entry([&]() -> SEXP {
    SEXP channel = channel_;
    SEXP bytes = bytes_;
    bytes == R_NilValue ? owned<Channel>(channel).end_of_input() : owned<Channel>(channel).feed(bytes_in(bytes));
    return R_NilValue;
  });
}
SEXP call_pc_c_pack(SEXP channel_, SEXP x_, SEXP header_, SEXP is_end_) {
  return entry([&]() -> SEXP {
    SEXP channel = channel_;
    const Given& x = Given(x_);
    const std::string& header = word_in(header_);
    bool is_end = Rf_asLogical(is_end_) == TRUE;
    return raw_of(owned<Channel>(channel).pack(is_end ? Value() : x.value, header).bytes());
  });
}
SEXP call_pc_c_elements(SEXP walk_, SEXP dtype_, SEXP unit_, SEXP n_, SEXP may_miss_) {
  return entry([&]() -> SEXP {
    Walk& walk = *static_cast<Walk*>(R_ExternalPtrAddr(walk_));
    std::uint32_t dtype = static_cast<std::uint32_t>(Rf_asReal(dtype_));
    std::uint32_t unit = static_cast<std::uint32_t>(Rf_asReal(unit_));
    double n = Rf_asReal(n_);
    bool may_miss = Rf_asLogical(may_miss_) == TRUE;
    return walk.elements(dtype, unit, static_cast<std::uint64_t>(n), may_miss);
  });
}
SEXP call_pc_c_lists(SEXP walk_) {
  return entry([&]() -> SEXP {
    Walk& walk = *static_cast<Walk*>(R_ExternalPtrAddr(walk_));
    return walk.lists();
  });
}
SEXP call_pc_c_items(SEXP walk_, SEXP are_records_) {
  return entry([&]() -> SEXP {
    Walk& walk = *static_cast<Walk*>(R_ExternalPtrAddr(walk_));
    bool are_records = Rf_asLogical(are_records_) == TRUE;
    return walk.items(are_records);
  });
}
SEXP call_pc_c_half(SEXP numbers_) {
  return entry([&]() -> SEXP {
    SEXP numbers = numbers_;
    return pc_c_half(numbers);
  });
}
SEXP call_pc_c_next(SEXP channel_, SEXP as_view_) {
  return entry([&]() -> SEXP {
    SEXP channel = channel_;
    bool as_view = Rf_asLogical(as_view_) == TRUE;
    return pc_c_next(channel, as_view);
  });
}

template <class Function>
DL_FUNC pointer(Function* function) {
  return reinterpret_cast<DL_FUNC>(reinterpret_cast<void (*)()>(function));
}

}  // namespace

extern "C" void R_init_polycodec(DllInfo* info) {
  static const R_CallMethodDef functions[] = {
      {"pc_c_lose", pointer(call_pc_c_lose), 3},
      {"pc_c_losses", pointer(call_pc_c_losses), 0},
      {"pc_c_setup", pointer(call_pc_c_setup), 3},
      {"pc_c_units", pointer(call_pc_c_units), 3},
      {"pc_c_describe", pointer(call_pc_c_describe), 1},
      {"pc_c_open", pointer(call_pc_c_open), 5},
      {"pc_c_members", pointer(call_pc_c_members), 3},
      {"pc_c_value", pointer(call_pc_c_value), 2},
      {"pc_c_save", pointer(call_pc_c_save), 4},
      {"pc_c_convert", pointer(call_pc_c_convert), 5},
      {"pc_c_encode", pointer(call_pc_c_encode), 3},
      {"pc_c_type", pointer(call_pc_c_type), 1},
      {"pc_c_text", pointer(call_pc_c_text), 2},
      {"pc_c_channel", pointer(call_pc_c_channel), 2},
      {"pc_c_feed", pointer(call_pc_c_feed), 2},
      {"pc_c_pack", pointer(call_pc_c_pack), 4},
      {"pc_c_elements", pointer(call_pc_c_elements), 5},
      {"pc_c_lists", pointer(call_pc_c_lists), 1},
      {"pc_c_items", pointer(call_pc_c_items), 2},
      {"pc_c_half", pointer(call_pc_c_half), 1},
      {"pc_c_next", pointer(call_pc_c_next), 2},
      {nullptr, nullptr, 0}};
  R_registerRoutines(info, nullptr, functions, nullptr, nullptr);
  R_useDynamicSymbols(info, FALSE);
  R_forceSymbols(info, TRUE);
  start(info);
}
