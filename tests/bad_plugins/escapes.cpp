// SPDX-License-Identifier: MIT
// A C++ plugin that implements the C interface without the SDK, and lets exceptions out of each of
// its functions. The input chooses what decode() throws; THROWS_IN_* chooses where loading throws.
#include <polycodec/abi.h>

#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

[[noreturn]] void escape(std::string_view what) {
  if (what == "memory") throw std::bad_alloc();
  if (what == "int") throw 42;
  throw std::runtime_error("out of \x1b[31mcontrol");
}

std::int32_t decode(const polycodec_instance*, polycodec_call*, const polycodec_input* input,
                    const polycodec_node**, polycodec_error*) {
  escape({static_cast<const char*>(input->bytes.data), input->bytes.size});
}
std::int32_t encode(const polycodec_instance*, polycodec_call*, const polycodec_node*,
                    const polycodec_output*, polycodec_error*) {
  escape("error");
}
void release(const polycodec_instance*) {
  escape("int");
}

constexpr polycodec_instance make_instance() {
  polycodec_instance made{};
  made.struct_size = sizeof made;
  made.decode = decode;
  made.encode = encode;
  made.release = release;
  return made;
}
const polycodec_instance instance = make_instance();

std::int32_t open(const polycodec_codec*, polycodec_call*, const polycodec_node*,
                  const polycodec_instance** made, polycodec_error*) {
  *made = &instance;
  return POLYCODEC_OK;
}
std::int32_t sniff(const polycodec_codec*, polycodec_call*, const polycodec_input*,
                   polycodec_sniff*, polycodec_error*) {
  escape("error");
}

constexpr polycodec_codec make_codec() {
  polycodec_codec made{};
  made.struct_size = sizeof made;
  made.capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE;
  made.name = "test.echo";
  made.sniff = sniff;
  made.open = open;
  return made;
}
const polycodec_codec echo = make_codec();
const polycodec_codec* const all[] = {&echo};
const polycodec_codecs codecs = {sizeof(polycodec_codecs), 1, all};

const void* get_interface(const polycodec_plugin*, const char* id) {
#ifdef THROWS_IN_GET_INTERFACE
  escape("error");
#endif
  return std::strcmp(id, POLYCODEC_CODECS_INTERFACE) == 0 ? &codecs : nullptr;
}

std::int32_t init(const polycodec_plugin*, const polycodec_host*, polycodec_error*) {
#ifdef THROWS_IN_INIT
  escape("int");
#endif
  return POLYCODEC_OK;
}

void deinit(const polycodec_plugin*) {
  escape("error");
}

constexpr polycodec_plugin make_plugin() {
  polycodec_plugin made{};
  made.struct_size = sizeof made;
  made.abi = POLYCODEC_ABI_VERSION;
  made.id = "test.echo";
  made.version = "1.0.0";
  made.init = init;
  made.deinit = deinit;
  made.get_interface = get_interface;
  return made;
}

}  // namespace

extern "C" POLYCODEC_EXPORT const polycodec_plugin polycodec_plugin_v2;
const polycodec_plugin polycodec_plugin_v2 = make_plugin();
