// SPDX-License-Identifier: MIT
// Functions of the glue for R, and the options of a call. scripts/r_sys.py makes this file.
// clang-format off
#include "polycodec.hpp"

#include <R_ext/Rdynload.h>

namespace {

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

SEXP call_pc_c_half(SEXP a0) {
  return entry([&]() -> SEXP {
    return pc_c_half(a0);
  });
}
SEXP call_pc_c_lose(SEXP a0, SEXP a1, SEXP a2) {
  return entry([&]() -> SEXP {
    pc_c_lose(static_cast<std::uint32_t>(Rf_asReal(a0)), word_in(a1), word_in(a2));
    return R_NilValue;
  });
}
SEXP call_pc_c_losses() {
  return entry([&]() -> SEXP {
    return texts_of(pc_c_losses());
  });
}
SEXP call_pc_c_setup(SEXP a0, SEXP a1, SEXP a2) {
  return entry([&]() -> SEXP {
    pc_c_setup(word_in(a0), texts_in(a1), static_cast<std::uint32_t>(Rf_asReal(a2)));
    return R_NilValue;
  });
}
SEXP call_pc_c_describe(SEXP a0) {
  return entry([&]() -> SEXP {
    return pc_c_describe(static_cast<std::uint32_t>(Rf_asReal(a0)));
  });
}
SEXP call_pc_c_units(SEXP a0, SEXP a1, SEXP a2) {
  return entry([&]() -> SEXP {
    return pc_c_units(a0, word_in(a1), word_in(a2));
  });
}
SEXP call_pc_c_open(SEXP a0, SEXP a1, SEXP a2, SEXP a3, SEXP a4) {
  return entry([&]() -> SEXP {
    return pc_c_open(a0, format_in(a1), options_in(a2), Rf_asLogical(a3) == TRUE, word_in(a4));
  });
}
SEXP call_pc_c_members(SEXP a0, SEXP a1, SEXP a2) {
  return entry([&]() -> SEXP {
    return pc_c_members(word_in(a0), format_in(a1), options_in(a2));
  });
}
SEXP call_pc_c_value(SEXP a0, SEXP a1) {
  return entry([&]() -> SEXP {
    return pc_c_value(Given(a0), word_in(a1));
  });
}
SEXP call_pc_c_encode(SEXP a0, SEXP a1, SEXP a2) {
  return entry([&]() -> SEXP {
    return pc_c_encode(Given(a0), format_in(a1), options_in(a2));
  });
}
SEXP call_pc_c_save(SEXP a0, SEXP a1, SEXP a2, SEXP a3) {
  return entry([&]() -> SEXP {
    return pc_c_save(Given(a0), word_in(a1), format_in(a2), options_in(a3));
  });
}
SEXP call_pc_c_convert(SEXP a0, SEXP a1, SEXP a2, SEXP a3, SEXP a4) {
  return entry([&]() -> SEXP {
    return pc_c_convert(a0, format_in(a1), word_in(a2), format_in(a3), options_in(a4));
  });
}
SEXP call_pc_c_type(SEXP a0) {
  return entry([&]() -> SEXP {
    return text_of(pc_c_type(Given(a0)));
  });
}
SEXP call_pc_c_text(SEXP a0, SEXP a1) {
  return entry([&]() -> SEXP {
    return text_of(pc_c_text(Given(a0), Rf_asLogical(a1) == TRUE));
  });
}
SEXP call_pc_c_channel(SEXP a0, SEXP a1) {
  return entry([&]() -> SEXP {
    return pc_c_channel(word_in(a0), options_in(a1));
  });
}
SEXP call_pc_c_pack(SEXP a0, SEXP a1, SEXP a2, SEXP a3) {
  return entry([&]() -> SEXP {
    return pc_c_pack(a0, Given(a1), word_in(a2), Rf_asLogical(a3) == TRUE);
  });
}
SEXP call_pc_c_feed(SEXP a0, SEXP a1) {
  return entry([&]() -> SEXP {
    pc_c_feed(a0, a1);
    return R_NilValue;
  });
}
SEXP call_pc_c_next(SEXP a0, SEXP a1) {
  return entry([&]() -> SEXP {
    return pc_c_next(a0, Rf_asLogical(a1) == TRUE);
  });
}
SEXP call_pc_c_elements(SEXP a0, SEXP a1, SEXP a2, SEXP a3, SEXP a4) {
  return entry([&]() -> SEXP {
    return pc_c_elements(*static_cast<Walk*>(R_ExternalPtrAddr(a0)), static_cast<std::uint32_t>(Rf_asReal(a1)), static_cast<std::uint32_t>(Rf_asReal(a2)), Rf_asReal(a3), Rf_asLogical(a4) == TRUE);
  });
}
SEXP call_pc_c_lists(SEXP a0) {
  return entry([&]() -> SEXP {
    return pc_c_lists(*static_cast<Walk*>(R_ExternalPtrAddr(a0)));
  });
}
SEXP call_pc_c_items(SEXP a0, SEXP a1) {
  return entry([&]() -> SEXP {
    return pc_c_items(*static_cast<Walk*>(R_ExternalPtrAddr(a0)), Rf_asLogical(a1) == TRUE);
  });
}

template <class Function>
DL_FUNC pointer(Function* function) {
  return reinterpret_cast<DL_FUNC>(reinterpret_cast<void (*)()>(function));
}

}  // namespace

extern "C" void R_init_polycodec(DllInfo* info) {
  static const R_CallMethodDef functions[] = {
      {"pc_c_half", pointer(call_pc_c_half), 1},
      {"pc_c_lose", pointer(call_pc_c_lose), 3},
      {"pc_c_losses", pointer(call_pc_c_losses), 0},
      {"pc_c_setup", pointer(call_pc_c_setup), 3},
      {"pc_c_describe", pointer(call_pc_c_describe), 1},
      {"pc_c_units", pointer(call_pc_c_units), 3},
      {"pc_c_open", pointer(call_pc_c_open), 5},
      {"pc_c_members", pointer(call_pc_c_members), 3},
      {"pc_c_value", pointer(call_pc_c_value), 2},
      {"pc_c_encode", pointer(call_pc_c_encode), 3},
      {"pc_c_save", pointer(call_pc_c_save), 4},
      {"pc_c_convert", pointer(call_pc_c_convert), 5},
      {"pc_c_type", pointer(call_pc_c_type), 1},
      {"pc_c_text", pointer(call_pc_c_text), 2},
      {"pc_c_channel", pointer(call_pc_c_channel), 2},
      {"pc_c_pack", pointer(call_pc_c_pack), 4},
      {"pc_c_feed", pointer(call_pc_c_feed), 2},
      {"pc_c_next", pointer(call_pc_c_next), 2},
      {"pc_c_elements", pointer(call_pc_c_elements), 5},
      {"pc_c_lists", pointer(call_pc_c_lists), 1},
      {"pc_c_items", pointer(call_pc_c_items), 2},
      {nullptr, nullptr, 0}};
  R_registerRoutines(info, nullptr, functions, nullptr, nullptr);
  R_useDynamicSymbols(info, FALSE);
  R_forceSymbols(info, TRUE);
  start(info);
}
