// SPDX-License-Identifier: MIT
#include "common/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace polycodec::cli {

std::uint32_t usable_processors() {
  cpu_set_t set;
  const std::uint32_t count = ::sched_getaffinity(0, sizeof set, &set) == 0
                                  ? static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&set)))
                                  : std::max(1u, std::thread::hardware_concurrency());
  std::ifstream file("/sys/fs/cgroup/cpu.max");  // "max 100000", or microseconds of each period
  std::uint64_t quota = 0, period = 0;
  if (!(file >> quota >> period) || period == 0) return count;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>((quota + period - 1) / period, 1, count));
}

void share(std::uint64_t n, std::uint32_t threads, const std::function<void(std::uint64_t)>& task) {
  if (n > 1 && threads == 0) threads = usable_processors();
  std::atomic<std::uint64_t> next{0};
  const auto work = [&] {
    for (std::uint64_t i = 0; (i = next.fetch_add(1)) < n;) task(i);
  };
  std::vector<std::jthread> others;
  others.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(n, threads)));
  try {
    while (others.size() + 1 < std::min<std::uint64_t>(n, threads)) others.emplace_back(work);
  } catch (const std::system_error&) {
    // Those that there are do the work.
  }
  work();
}

}  // namespace polycodec::cli
