// SPDX-License-Identifier: MIT
#include "core/call/thread_end.hpp"

#include <pthread.h>

namespace polycodec {
namespace {

void run_end(void* of) {
  auto& end = *static_cast<ThreadEnd*>(of);
  end.run(end);
}

/// Made with the library: a child of a fork while another thread makes it would wait for that
/// thread without end. Deleted with the library, whose code a thread that ends later cannot run.
const struct Key {
  Key() noexcept : is_made(::pthread_key_create(&key, &run_end) == 0) {}
  ~Key() {
    if (is_made) ::pthread_key_delete(key);
  }
  pthread_key_t key{};
  const bool is_made;
} end_key;

}  // namespace

bool at_thread_end(ThreadEnd& end) noexcept {
  return end_key.is_made && ::pthread_setspecific(end_key.key, &end) == 0;
}

}  // namespace polycodec
