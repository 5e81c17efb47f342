// SPDX-License-Identifier: MIT
// The structs of the ABI as a module of wasm32 has them. Most are those of this machine, since a
// pointer of 4 bytes is followed by 4 bytes of padding. tests/wasm/layout.c compares both.
#pragma once

#include <polycodec/abi.h>

#include <cstddef>
#include <cstdint>

namespace polycodec::wasm {

/// An address in linear memory, or the number of a function in the module's table.
using Address = std::uint32_t;

struct Bytes32 {
  Address data, padding;
  std::uint64_t size;
};
struct Column32 {
  Address data, padding;
  std::int64_t stride;
  std::uint32_t dtype, reserved;
};
struct Annotated32 {
  Address node, metadata;
};
struct Array32 {
  std::uint32_t struct_size;
  std::uint8_t layout, dtype, byte_order, flags;
  std::uint64_t length;
  Address data, buffer;
  std::uint64_t buffer_size;
  std::uint32_t ndim, item_size, unit, n_children;
  Address shape, strides;
  Column32 index, tags;
  std::uint64_t list_size;
  Address children, names, nodes, metadata;
};
static_assert(sizeof(Array32) == 128 && sizeof(polycodec_node) == 16);

/// As far as both agree; the functions of an error follow.
struct Error32 {
  std::uint32_t struct_size;
  std::int32_t code;
  std::uint64_t offset;
  char detail[48], path[208], message[480], codec[64];
  Address say, say_data;
};
static_assert(offsetof(Error32, say) == offsetof(polycodec_error, say));

struct Arena32 {
  std::uint32_t struct_size, reserved;
  Address cursor, limit, private_data;
  Address grow, resize, adopt;
};
struct Limits32 {
  std::uint32_t struct_size, max_depth;
  std::uint64_t numbers[9];
};
static_assert(sizeof(Limits32) == sizeof(polycodec_limits));
struct Projection32 {
  std::uint32_t struct_size, n_paths;
  Address paths, padding;
  std::uint64_t first_row, n_rows;
};
struct Call32 {
  std::uint32_t struct_size, depth;
  std::uint64_t credit;
  Address arena, limits, host, stack_limit, projection, private_data;
  Address spend, parallel_for, report_loss, threads;
};
struct Host32 {
  std::uint32_t struct_size, abi;
  Bytes32 name, version;
  Address private_data, log, call_function, decode_with, encode_with, lookup_type;
};
struct Input32 {
  std::uint32_t struct_size, parts;
  Bytes32 bytes;
  Address file, store;
  Bytes32 name, member;
  std::uint64_t total;
};
struct Sink32 {
  std::uint32_t struct_size, flags;
  Address cursor, limit, private_data;
  Address grow, reference, expect, adopt;
};
struct Output32 {
  std::uint32_t struct_size, parts;
  Address sink, store;
  Bytes32 name, member;
};
struct Step32 {
  std::uint32_t struct_size, final;
  Bytes32 bytes;
  Address root, padding;
  std::uint64_t consumed, wanted;
};

struct Plugin32 {
  std::uint32_t struct_size, abi;
  Address id, version, private_data, init, deinit, get_interface;
};
struct Table32 {
  std::uint32_t struct_size, count;
  Address items;
};
struct Codec32 {
  std::uint32_t struct_size, capabilities, inputs, outputs;
  Address name, manifest, private_data, sniff, open, release;
};
struct Instance32 {
  std::uint32_t struct_size, reserved;
  Address private_data, decode, encode, encoded_size, open_reader, open_writer, list, release;
};
struct Filter32 {
  std::uint32_t struct_size, capabilities;
  Address name, manifest, private_data, sniff, open, release;
};
struct FilterInstance32 {
  std::uint32_t struct_size, reserved;
  Address private_data, encode, decode, decoded_size, release;
};
struct Type32 {
  std::uint32_t struct_size, reserved;
  Address name, notation, doc, private_data, release;
};
/// Readers and writers of streams: next or append, then release or finish.
struct Stream32 {
  std::uint32_t struct_size, reserved;
  Address private_data, first, second, third;
};

static_assert(sizeof(Error32) == 824 && sizeof(Arena32) == 32 && sizeof(Projection32) == 32);
static_assert(sizeof(Call32) == 56 && sizeof(Host32) == 64 && sizeof(Input32) == 72);
static_assert(sizeof(Sink32) == 36 && sizeof(Output32) == 48 && sizeof(Step32) == 48);
static_assert(sizeof(Plugin32) == 32 && sizeof(Table32) == 12 && sizeof(Codec32) == 40);
static_assert(sizeof(Instance32) == 40 && sizeof(Filter32) == 32 && sizeof(Type32) == 28);
static_assert(sizeof(FilterInstance32) == 28 && sizeof(Stream32) == 24);

}  // namespace polycodec::wasm
