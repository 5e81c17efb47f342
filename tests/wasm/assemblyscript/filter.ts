// SPDX-License-Identifier: MIT
// A filter in AssemblyScript that adds one to each byte. Structs of abi.h are read and written at the offsets that they have in
// wasm32. A struct that C takes by value is passed as its address.
const OK: i32 = 0;
const MALFORMED: i32 = 3;
const UNKNOWN: u64 = u64.MAX_VALUE; // POLYCODEC_SIZE_UNKNOWN and POLYCODEC_NO_OFFSET

// Writes a string of ASCII as C has it, into memory that holds zeros.
function text(to: usize, string: string): usize {
  for (let i = 0; i < string.length; ++i) store<u8>(to + i, string.charCodeAt(i));
  return to;
}

function spend(call: usize, units: u64, error: usize): i32 {
  const credit = load<u64>(call, 8);
  if (units > credit) return call_indirect<i32>(load<u32>(call, 40), call, units, error);
  store<u64>(call, credit - units, 8);
  return OK;
}

function add(n: u8, bytes: usize, call: usize, sink: usize, error: usize): i32 {
  let from = load<usize>(bytes);
  let left = load<u64>(bytes, 8);
  while (left != 0) {
    const size = <usize>min<u64>(4096, left);
    let code = spend(call, 1 + size / 16, error);
    if (code == OK && load<usize>(sink, 12) - load<usize>(sink, 8) < size)
      code = call_indirect<i32>(load<u32>(sink, 20), sink, <u64>size, error);
    if (code != OK) return code;
    const to = load<usize>(sink, 8);
    for (let i: usize = 0; i < size; ++i) store<u8>(to + i, load<u8>(from + i) + n);
    store<usize>(sink, to + size, 8);
    from += size;
    left -= size;
  }
  return OK;
}

function encode(self: usize, call: usize, pieces: usize, n: u64, sink: usize, error: usize): i32 {
  for (let i: usize = 0; i < <usize>n; ++i) {
    const code = add(1, pieces + 16 * i, call, sink, error);
    if (code != OK) return code;
  }
  return OK;
}

function decode(self: usize, call: usize, bytes: usize, expected: u64, sink: usize, error: usize): i32 {
  if (expected == UNKNOWN || expected == load<u64>(bytes, 8)) return add(255, bytes, call, sink, error);
  store<i32>(error, MALFORMED, 4);
  store<u64>(error, UNKNOWN, 8);
  store<u8>(error, 0, 16); // detail
  store<u8>(error, 0, 64); // path
  const message = "another size was expected";
  store<u8>(text(error + 272, message) + message.length, 0);
  return MALFORMED;
}

function decodedSize(self: usize, call: usize, bytes: usize, size: usize, error: usize): i32 {
  store<u64>(size, load<u64>(bytes, 8));
  return OK;
}

function release(self: usize): void {}

const instance = memory.data(28);
store<u32>(instance, 28);
store<u32>(instance, encode.index, 12);
store<u32>(instance, decode.index, 16);
store<u32>(instance, decodedSize.index, 20);
store<u32>(instance, release.index, 24);

function open(self: usize, call: usize, options: usize, made: usize, error: usize): i32 {
  store<usize>(made, instance);
  return OK;
}

const id = text(memory.data(32), "test.assemblyscript");
const filter = memory.data(32);
store<u32>(filter, 32);
store<u32>(filter, 1 | 2, 4); // POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE
store<usize>(filter, id, 8);
store<u32>(filter, open.index, 24);

const all = memory.data(4);
store<usize>(all, filter);
const filters = memory.data(12);
store<u32>(filters, 12);
store<u32>(filters, 1, 4);
store<usize>(filters, all, 8);

function getInterface(self: usize, id: usize): usize {
  const name = "polycodec.filters/1";
  for (let i = 0; i < name.length; ++i) if (load<u8>(id + i) != name.charCodeAt(i)) return 0;
  return filters;
}

export const polycodec_plugin_v2: usize = memory.data(32);
store<u32>(polycodec_plugin_v2, 32);
store<u32>(polycodec_plugin_v2, (2 << 16) | 1, 4); // POLYCODEC_ABI_VERSION
store<usize>(polycodec_plugin_v2, id, 8);
store<usize>(polycodec_plugin_v2, text(memory.data(8), "0.1.0"), 12);
store<u32>(polycodec_plugin_v2, getInterface.index, 28);
