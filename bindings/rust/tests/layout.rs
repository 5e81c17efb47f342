// SPDX-License-Identifier: MIT
//! The structs of this crate have the sizes and offsets of the installed C headers.
use polycodec::abi;
use polycodec::host::layouts;
use std::fmt::Write as _;
use std::mem::{size_of, MaybeUninit};
use std::path::PathBuf;
use std::process::Command;

/// Adds a line "name size offset..." for the struct, and code in C that prints the same line.
macro_rules! compare {
    ($rust:ident, $c:ident, $type:ty, $c_type:literal, [$($field:ident $(= $c_field:literal)?),*]) => {{
        let value = MaybeUninit::<$type>::uninit();
        let base = value.as_ptr();
        write!($rust, "{} {}", $c_type, size_of::<$type>()).unwrap();
        writeln!($c, "printf(\"%s %zu\", \"{0}\", sizeof({0}));", $c_type).unwrap();
        $(
            let at = unsafe { std::ptr::addr_of!((*base).$field) } as usize - base as usize;
            write!($rust, " {}", at).unwrap();
            #[allow(unused_mut, unused_assignments)]
            let mut name = stringify!($field);
            $(name = $c_field;)?
            writeln!($c, "printf(\" %zu\", offsetof({}, {}));", $c_type, name).unwrap();
        )*
        $rust.push('\n');
        $c.push_str("puts(\"\");\n");
    }};
}

#[test]
fn structs_are_those_of_the_headers() {
    let (mut r, mut c) = (String::new(), String::new());
    compare!(
        r,
        c,
        abi::Error,
        "polycodec_error",
        [struct_size, code, offset, detail, path, message, codec, say, say_data]
    );
    compare!(r, c, abi::Bytes, "polycodec_bytes", [data, size]);
    compare!(r, c, abi::Extension, "polycodec_extension", [name, payload]);
    compare!(r, c, abi::Annotated, "polycodec_annotated", [node, metadata]);
    compare!(r, c, abi::Time, "polycodec_time", [count, nanoseconds, unit]);
    compare!(r, c, abi::Tagged, "polycodec_tagged", [tag, node]);
    compare!(r, c, abi::Node, "polycodec_node", [kind, dtype, size_hi, size_lo, as_ = "as"]);
    compare!(r, c, abi::Column, "polycodec_column", [data, stride, dtype, reserved]);
    compare!(
        r,
        c,
        abi::Array,
        "polycodec_array",
        [
            struct_size,
            layout,
            dtype,
            byte_order,
            flags,
            length,
            data,
            buffer,
            buffer_size,
            ndim,
            item_size,
            unit,
            n_children,
            shape,
            strides,
            first = "offsets",
            second = "stops",
            list_size,
            children,
            names,
            nodes,
            metadata
        ]
    );
    compare!(
        r,
        c,
        abi::Arena,
        "polycodec_arena",
        [struct_size, reserved, cursor, limit, private_data, grow, resize, adopt]
    );
    compare!(
        r,
        c,
        abi::Limits,
        "polycodec_limits",
        [
            struct_size,
            max_depth,
            max_input_bytes,
            max_header_bytes,
            max_nodes,
            max_elements,
            max_work,
            max_memory_bytes,
            max_output_bytes,
            max_stack_bytes,
            deadline
        ]
    );
    compare!(r, c, abi::Projection, "polycodec_projection", [struct_size, n_paths, paths, first_row, n_rows]);
    compare!(
        r,
        c,
        abi::Call,
        "polycodec_call",
        [
            struct_size,
            depth,
            credit,
            arena,
            limits,
            host,
            stack_limit,
            projection,
            private_data,
            spend,
            parallel_for,
            report_loss,
            threads
        ]
    );
    compare!(r, c, abi::Input, "polycodec_input", [struct_size, parts, bytes, file, store, name, member, total]);
    compare!(
        r,
        c,
        abi::Sink,
        "polycodec_sink",
        [struct_size, flags, cursor, limit, private_data, grow, reference, expect, adopt]
    );
    compare!(r, c, abi::Output, "polycodec_output", [struct_size, parts, sink, store, name, member]);
    compare!(
        r,
        c,
        abi::Host,
        "polycodec_host",
        [struct_size, abi, name, version, private_data, log, call_function, decode_with, encode_with, lookup_type]
    );
    compare!(
        r,
        c,
        abi::Plugin,
        "polycodec_plugin",
        [struct_size, abi, id, version, private_data, init, deinit, get_interface]
    );
    compare!(r, c, abi::Sniff, "polycodec_sniff", [struct_size, score, reason]);
    compare!(
        r,
        c,
        abi::Instance,
        "polycodec_instance",
        [struct_size, reserved, private_data, decode, encode, encoded_size, open_reader, open_writer, list, release]
    );
    compare!(
        r,
        c,
        abi::Codec,
        "polycodec_codec",
        [struct_size, capabilities, inputs, outputs, name, manifest, private_data, sniff, open, release]
    );
    compare!(r, c, abi::Table<abi::Codec>, "polycodec_codecs", [struct_size, count, items]);
    compare!(
        r,
        c,
        abi::File,
        "polycodec_file",
        [struct_size, flags, identity, descriptor, reserved, private_data, size, read_at, view, release]
    );
    compare!(
        r,
        c,
        abi::OutputFile,
        "polycodec_output_file",
        [struct_size, reserved, file, private_data, write_at, truncate, sync]
    );
    compare!(
        r,
        c,
        abi::StoreWriter,
        "polycodec_store_writer",
        [struct_size, flags, base, private_data, begin_blob, remove, commit, release]
    );
    compare!(r, c, abi::Step, "polycodec_step", [struct_size, final_ = "final", bytes, root, consumed, wanted]);
    compare!(r, c, abi::Reader, "polycodec_reader", [struct_size, reserved, private_data, next, release]);
    compare!(r, c, abi::Writer, "polycodec_writer", [struct_size, reserved, private_data, append, finish, release]);
    compare!(
        r,
        c,
        abi::FilterInstance,
        "polycodec_filter_instance",
        [struct_size, reserved, private_data, encode, decode, decoded_size, release]
    );
    compare!(
        r,
        c,
        abi::Filter,
        "polycodec_filter",
        [struct_size, capabilities, name, manifest, private_data, sniff, open, release]
    );
    compare!(
        r,
        c,
        abi::StoreFormat,
        "polycodec_store_format",
        [struct_size, capabilities, name, manifest, private_data, sniff, open, create, edit, release]
    );
    compare!(
        r,
        c,
        abi::Function,
        "polycodec_function",
        [struct_size, n_path, path, doc, min_args, max_args, private_data, call, release]
    );
    compare!(r, c, abi::Type, "polycodec_type", [struct_size, reserved, name, notation, doc, private_data, release]);
    compare!(
        r,
        c,
        layouts::WriteOptions,
        "polycodec_write_options",
        [struct_size, flags, lock_seconds, reserved, root]
    );
    compare!(
        r,
        c,
        layouts::RegistryOptions,
        "polycodec_registry_options",
        [
            struct_size,
            flags,
            layers,
            layer_names,
            n_layers,
            threads,
            plugin_paths,
            add_paths,
            n_plugin_paths,
            n_add_paths,
            base,
            objects,
            limits,
            allowlist,
            isolation,
            executor,
            log,
            log_data,
            allow_also
        ]
    );
    compare!(
        r,
        c,
        layouts::Match,
        "polycodec_match",
        [struct_size, by, score, extension, codec, body_offset, body_size, reason]
    );
    compare!(
        r,
        c,
        layouts::CallOptions,
        "polycodec_call_options",
        [
            struct_size,
            flags,
            limits,
            cancel,
            projection,
            member,
            allowlist,
            on_loss,
            loss_data,
            losses,
            threads,
            budget,
            on_progress,
            progress_data
        ]
    );
    compare!(r, c, layouts::Progress, "polycodec_progress", [struct_size, is_last, work, input, input_size, output]);
    compare!(r, c, layouts::Format, "polycodec_format", [struct_size, flags, codec, options, filters]);

    compare!(r, c, abi::StoreEntry, "polycodec_store_entry", [struct_size, reserved, name, owner, size]);
    compare!(
        r,
        c,
        abi::Store,
        "polycodec_store",
        [struct_size, flags, private_data, count, entry, find, read, release]
    );

    // Numbers that both sides name.
    for (name, number) in [
        ("POLYCODEC_ABI_VERSION", i64::from(abi::ABI_VERSION)),
        ("POLYCODEC_KIND_UNION", i64::from(abi::kind::UNION)),
        ("POLYCODEC_KIND_TIMESTAMP", i64::from(abi::kind::TIMESTAMP)),
        ("POLYCODEC_DTYPE_FIXED_UTF32", i64::from(abi::dtype::FIXED_UTF32)),
        ("POLYCODEC_DTYPE_FLOAT64", i64::from(abi::dtype::FLOAT64)),
        ("POLYCODEC_DTYPE_COMPLEX128", i64::from(abi::dtype::COMPLEX128)),
        ("POLYCODEC_CAN_LIST", i64::from(abi::CAN_LIST)),
        ("POLYCODEC_CAN_EDIT", i64::from(abi::CAN_EDIT)),
        ("POLYCODEC_INPUT_COMPANIONS", i64::from(abi::INPUT_COMPANIONS)),
        ("POLYCODEC_FILE_SLOW", i64::from(abi::FILE_SLOW)),
        ("POLYCODEC_LAYOUT_DOCUMENT", i64::from(abi::layout::DOCUMENT)),
        ("POLYCODEC_LAYOUT_INDEXED", i64::from(abi::layout::INDEXED)),
        ("POLYCODEC_ARRAY_MASK_VALID", i64::from(abi::ARRAY_MASK_VALID)),
        ("POLYCODEC_ERROR_INTERNAL", polycodec::Status::Internal as i64),
        ("POLYCODEC_ERROR_PLUGIN", polycodec::Status::Plugin as i64),
        ("POLYCODEC_UNIT_ATTOSECOND", polycodec::TimeUnit::Attosecond as i64),
        ("POLYCODEC_DESCRIBE_DIRECTORIES", polycodec::host::Listing::Directories as i64),
        ("POLYCODEC_CALL_PARTIAL", 8),
        ("POLYCODEC_TEXT_PLAIN", 1),
        ("POLYCODEC_TEXT_EXACT", 2),
        ("POLYCODEC_SOURCE_COPY", 1),
        ("POLYCODEC_REGISTRY_NO_ENVIRONMENT", 1),
        ("POLYCODEC_FORMAT_OF_OTHERS", 1),
        ("POLYCODEC_REGISTRY_DEFAULT_CONFIG", 4),
    ] {
        writeln!(r, "{} {}", name, number).unwrap();
        writeln!(c, "printf(\"%s %lld\\n\", \"{0}\", (long long){0});", name).unwrap();
    }
    assert_eq!(run_c(&c), r);
}

fn run_c(body: &str) -> String {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (directory.join("layout.c"), directory.join("layout"));
    std::fs::write(
        &source,
        format!("#include <polycodec/host.h>\n#include <stdio.h>\nint main(void) {{\n{}}}\n", body),
    )
    .unwrap();
    let flags = Command::new("pkg-config").args(["--cflags", "polycodec"]).output().expect("pkg-config runs");
    let flags = String::from_utf8(flags.stdout).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut compile = Command::new(compiler);
    compile.arg(&source).arg("-o").arg(&program).args(flags.split_whitespace());
    assert!(compile.status().expect("a C compiler runs").success());
    String::from_utf8(Command::new(program).output().unwrap().stdout).unwrap()
}
