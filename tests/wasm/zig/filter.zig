// SPDX-License-Identifier: MIT
// A filter in Zig that adds one to each byte. What it uses of abi.h, zig has translated from C.
const abi = @import("abi.zig");
const unknown = ~@as(u64, 0); // POLYCODEC_SIZE_UNKNOWN and POLYCODEC_NO_OFFSET: not all macros are translated

fn add(n: u8, bytes: abi.polycodec_bytes, call: *abi.polycodec_call, sink: *abi.polycodec_sink, err: *abi.polycodec_error) i32 {
    var left: usize = @intCast(bytes.size);
    var from: [*]const u8 = @ptrCast(bytes.data orelse return abi.POLYCODEC_OK);
    while (left != 0) {
        const size = @min(4096, left);
        var code = abi.polycodec_spend(call, 1 + size / 16, err);
        if (code == abi.POLYCODEC_OK and sink.limit - sink.cursor < size) code = sink.grow.?(sink, size, err);
        if (code != abi.POLYCODEC_OK) return code;
        for (sink.cursor[0..size], from[0..size]) |*to, byte| to.* = byte +% n;
        sink.cursor += size;
        from += size;
        left -= size;
    }
    return abi.POLYCODEC_OK;
}

fn encode(_: [*c]const abi.polycodec_filter_instance, call: [*c]abi.polycodec_call, pieces: [*c]const abi.polycodec_bytes, n: u64, sink: [*c]abi.polycodec_sink, err: [*c]abi.polycodec_error) callconv(.c) i32 {
    for (pieces[0..@intCast(n)]) |piece| {
        const code = add(1, piece, call, sink, err);
        if (code != abi.POLYCODEC_OK) return code;
    }
    return abi.POLYCODEC_OK;
}

fn decode(_: [*c]const abi.polycodec_filter_instance, call: [*c]abi.polycodec_call, bytes: abi.polycodec_bytes, expected: u64, sink: [*c]abi.polycodec_sink, err: [*c]abi.polycodec_error) callconv(.c) i32 {
    if (expected != unknown and expected != bytes.size)
        return abi.polycodec_fail(err, abi.POLYCODEC_ERROR_MALFORMED, unknown, "another size was expected");
    return add(255, bytes, call, sink, err);
}

fn decodedSize(_: [*c]const abi.polycodec_filter_instance, _: [*c]abi.polycodec_call, bytes: abi.polycodec_bytes, size: [*c]u64, _: [*c]abi.polycodec_error) callconv(.c) i32 {
    size.* = bytes.size;
    return abi.POLYCODEC_OK;
}

fn release(_: [*c]const abi.polycodec_filter_instance) callconv(.c) void {}

const instance: abi.polycodec_filter_instance = .{
    .struct_size = @sizeOf(abi.polycodec_filter_instance),
    .encode = encode,
    .decode = decode,
    .decoded_size = decodedSize,
    .release = release,
};

fn open(_: [*c]const abi.polycodec_filter, _: [*c]abi.polycodec_call, _: [*c]const abi.polycodec_node, made: [*c][*c]const abi.polycodec_filter_instance, _: [*c]abi.polycodec_error) callconv(.c) i32 {
    made.* = &instance;
    return abi.POLYCODEC_OK;
}

const filter: abi.polycodec_filter = .{
    .struct_size = @sizeOf(abi.polycodec_filter),
    .capabilities = abi.POLYCODEC_CAN_DECODE | abi.POLYCODEC_CAN_ENCODE,
    .name = "test.zig",
    .open = open,
};
const all = [_][*c]const abi.polycodec_filter{&filter};
const filters: abi.polycodec_filters = .{ .struct_size = @sizeOf(abi.polycodec_filters), .count = 1, .items = &all };

fn getInterface(_: [*c]const abi.polycodec_plugin, id: [*c]const u8) callconv(.c) ?*const anyopaque {
    for (abi.POLYCODEC_FILTERS_INTERFACE, 0..) |letter, i|
        if (id[i] != letter) return null;
    return &filters;
}

export const polycodec_plugin_v2: abi.polycodec_plugin = .{
    .struct_size = @sizeOf(abi.polycodec_plugin),
    .abi = abi.POLYCODEC_ABI_VERSION,
    .id = "test.zig",
    .version = "0.1.0",
    .get_interface = getInterface,
};
