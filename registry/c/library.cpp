// SPDX-License-Identifier: MIT
#include "core/call/border.hpp"
#include "registry/c/handle.hpp"

namespace polycodec::c {

void throw_argument(const char* name, const char* problem) {
  throw Error(Status::invalid, std::string("invalid argument '") + name + "': it " + problem)
      .detail("host.argument");
}
void throw_struct_size(const char* name, std::uint32_t size, std::size_t known) {
  throw Error(Status::invalid, std::string(name) + ".struct_size is " + std::to_string(size) +
                                   ": zero the struct and set it to sizeof, " +
                                   std::to_string(known) + " at least")
      .detail("host.struct_size");
}
void throw_newer_struct(const char* name) {
  throw Error(Status::unsupported, std::string(name) +
                                       " has a field that this library does not know: leave it 0, "
                                       "or use a newer library")
      .detail("host.struct_size");
}

std::shared_ptr<const void> Lent::hold(void* owner, void (*release)(void*)) {
  if (release == nullptr) return nullptr;
  try {
    return std::make_shared<const Lent>(owner, release);
  } catch (...) {
    give_back([&] { release(owner); });
    throw;
  }
}

Lent::~Lent() {
  give_back([&] { release_(owner_); });
}

}  // namespace polycodec::c

const char* polycodec_library_version(void) {
  return POLYCODEC_VERSION;
}

uint32_t polycodec_library_api(void) {
  return POLYCODEC_HOST_API_VERSION;
}

void polycodec_library_trim(void) {
  polycodec::trim();
}

const char* polycodec_status_name(int32_t status) {
  return polycodec::status_name(static_cast<polycodec::Status>(status)).data();
}
