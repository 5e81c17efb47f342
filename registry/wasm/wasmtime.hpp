// SPDX-License-Identifier: MIT
// The part of the C interface of wasmtime that is used, from its documentation
// (https://docs.wasmtime.dev/c-api/), as it is since version 40: no header of it is needed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace polycodec::wasm {

struct Config;
struct Engine;
struct Module;
struct Store;
struct Context;
struct Caller;
struct Trap;
struct Failure;
struct ValType;
struct FuncType;
struct ImportType;

struct ByteVec {
  std::size_t size;
  char* data;
};
struct ValTypeVec {
  std::size_t size;
  ValType** data;
};
struct ImportTypeVec {
  std::size_t size;
  ImportType** data;
};
struct Func {
  std::uint64_t store;
  void* inside;
};
struct Instance {
  std::uint64_t store;
  std::size_t inside;
};
/// A table, a memory or a global.
struct Item {
  std::uint64_t store;
  std::uint32_t inside[4];
};
struct Extern {
  std::uint8_t kind;
  union {
    Func func;
    Item item;
  };
};
static_assert(sizeof(Extern) == 32);
inline constexpr std::uint8_t extern_func = 0, extern_global = 1, extern_table = 2,
                              extern_memory = 3;
struct Val {
  std::uint8_t kind;
  union {
    std::int32_t i32;
    std::int64_t i64;
    Func func;
    std::uint64_t others[3];
  };
};
static_assert(sizeof(Val) == 32);
inline constexpr std::uint8_t kind_i32 = 0, kind_i64 = 1, kind_funcref = 5;
union RawVal {
  std::int32_t i32;
  std::int64_t i64;
  std::uint64_t others[2];
};
using HostFunction = Trap* (*)(void* env, Caller*, RawVal* values, std::size_t n);
/// A linear memory of the host, and what makes one.
struct LinearMemory {
  void* env;
  std::uint8_t* (*get)(void* env, std::size_t* size, std::size_t* capacity);
  Failure* (*grow)(void* env, std::size_t size);
  void (*finalizer)(void* env);
};
struct MemoryCreator {
  void* env;
  Failure* (*make)(void* env, const void* type, std::size_t minimum, std::size_t maximum,
                   std::size_t reserved, std::size_t guard, LinearMemory* made);
  void (*finalizer)(void* env);
};
using EpochFunction = Failure* (*)(Context*, void* data, std::uint64_t* delta, std::uint8_t* kind);

/// Its functions: name, result, parameters.
#define POLYCODEC_WASMTIME_FUNCTIONS(F)                                                            \
  F(wasm_config_new, Config*, ())                                                                  \
  F(wasm_engine_new_with_config, Engine*, (Config*))                                               \
  F(wasmtime_config_signals_based_traps_set, void, (Config*, bool))                                \
  F(wasmtime_config_memory_may_move_set, void, (Config*, bool))                                    \
  F(wasmtime_config_host_memory_creator_set, void, (Config*, MemoryCreator*))                      \
  F(wasmtime_config_memory_init_cow_set, void, (Config*, bool))                                    \
  F(wasmtime_config_epoch_interruption_set, void, (Config*, bool))                                 \
  F(wasmtime_config_parallel_compilation_set, void, (Config*, bool))                               \
  F(wasmtime_config_max_wasm_stack_set, void, (Config*, std::size_t))                              \
  F(wasmtime_config_wasm_memory64_set, void, (Config*, bool))                                      \
  F(wasmtime_config_wasm_multi_memory_set, void, (Config*, bool))                                  \
  F(wasmtime_config_wasm_gc_set, void, (Config*, bool))                                            \
  F(wasmtime_engine_increment_epoch, void, (Engine*))                                              \
  F(wasmtime_module_new, Failure*, (Engine*, const std::uint8_t*, std::size_t, Module**))          \
  F(wasmtime_module_serialize, Failure*, (Module*, ByteVec*))                                      \
  F(wasmtime_module_deserialize, Failure*, (Engine*, const std::uint8_t*, std::size_t, Module**))  \
  F(wasmtime_module_delete, void, (Module*))                                                       \
  F(wasmtime_module_imports, void, (const Module*, ImportTypeVec*))                                \
  F(wasm_importtype_vec_delete, void, (ImportTypeVec*))                                            \
  F(wasm_importtype_module, const ByteVec*, (const ImportType*))                                   \
  F(wasm_importtype_name, const ByteVec*, (const ImportType*))                                     \
  F(wasmtime_store_new, Store*, (Engine*, void*, void (*)(void*)))                                 \
  F(wasmtime_store_delete, void, (Store*))                                                         \
  F(wasmtime_store_context, Context*, (Store*))                                                    \
  F(wasmtime_store_limiter, void,                                                                  \
    (Store*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t))                \
  F(wasmtime_store_epoch_deadline_callback, void, (Store*, EpochFunction, void*, void (*)(void*))) \
  F(wasmtime_context_set_epoch_deadline, void, (Context*, std::uint64_t))                          \
  F(wasmtime_instance_new, Failure*,                                                               \
    (Context*, const Module*, const Extern*, std::size_t, Instance*, Trap**))                      \
  F(wasmtime_instance_export_get, bool,                                                            \
    (Context*, const Instance*, const char*, std::size_t, Extern*))                                \
  F(wasmtime_global_get, void, (Context*, const Item*, Val*))                                      \
  F(wasmtime_memory_data, std::uint8_t*, (const Context*, const Item*))                            \
  F(wasmtime_memory_grow, Failure*, (Context*, const Item*, std::uint64_t, std::uint64_t*))        \
  F(wasmtime_table_get, bool, (Context*, const Item*, std::uint64_t, Val*))                        \
  F(wasmtime_table_set, Failure*, (Context*, const Item*, std::uint64_t, const Val*))              \
  F(wasmtime_table_grow, Failure*,                                                                 \
    (Context*, const Item*, std::uint64_t, const Val*, std::uint64_t*))                            \
  F(wasmtime_func_new_unchecked, void,                                                             \
    (Context*, const FuncType*, HostFunction, void*, void (*)(void*), Func*))                      \
  F(wasmtime_func_call, Failure*,                                                                  \
    (Context*, const Func*, const Val*, std::size_t, Val*, std::size_t, Trap**))                   \
  F(wasm_valtype_new, ValType*, (std::uint8_t))                                                    \
  F(wasm_valtype_vec_new, void, (ValTypeVec*, std::size_t, ValType* const*))                       \
  F(wasm_functype_new, FuncType*, (ValTypeVec*, ValTypeVec*))                                      \
  F(wasm_functype_delete, void, (FuncType*))                                                       \
  F(wasmtime_trap_new, Trap*, (const char*, std::size_t))                                          \
  F(wasm_trap_message, void, (const Trap*, ByteVec*))                                              \
  F(wasm_trap_delete, void, (Trap*))                                                               \
  F(wasmtime_error_new, Failure*, (const char*))                                                   \
  F(wasmtime_error_message, void, (const Failure*, ByteVec*))                                      \
  F(wasmtime_error_delete, void, (Failure*))                                                       \
  F(wasm_byte_vec_delete, void, (ByteVec*))

struct Wasmtime {
#define POLYCODEC_DECLARE(name, result, parameters) result(*name) parameters = nullptr;
  POLYCODEC_WASMTIME_FUNCTIONS(POLYCODEC_DECLARE)
#undef POLYCODEC_DECLARE
};

}  // namespace polycodec::wasm
