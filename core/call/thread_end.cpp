// SPDX-License-Identifier: MIT
#include "core/call/thread_end.hpp"

#include <pthread.h>

namespace polycodec {
namespace {

void run_end(void* of) {
  auto& end = *static_cast<ThreadEnd*>(of);
  end.run(end);
}

/// Deleted with the library, whose code a thread that ends later cannot run.
struct Key {
  Key() noexcept : is_made(::pthread_key_create(&key, &run_end) == 0) {}
  ~Key() {
    if (is_made) ::pthread_key_delete(key);
  }
  pthread_key_t key{};
  const bool is_made;
};

}  // namespace

bool at_thread_end(ThreadEnd& end) noexcept {
  static const Key key;
  return key.is_made && ::pthread_setspecific(key.key, &end) == 0;
}

}  // namespace polycodec
