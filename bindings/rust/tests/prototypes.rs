// SPDX-License-Identifier: MIT
//! The functions and constants that the crate declares are those of the installed `polycodec/host.h`: each declaration,
//! translated to C, compiles after the header only if result, number and types of its parameters are equal.
use std::path::PathBuf;
use std::process::Command;

/// `OpenedCodec` becomes `polycodec_opened_codec`.
fn c_name(name: &str) -> String {
    match name {
        "u8" | "u32" | "u64" | "i32" | "i64" => {
            return format!("{}int{}_t", if name.starts_with('u') { "u" } else { "" }, &name[1..])
        }
        "f64" => return "double".into(),
        "c_char" => return "char".into(),
        "c_void" => return "void".into(),
        "Release" => return "release_function".into(),
        "FFI_ArrowArray" => return "struct ArrowArray".into(),
        "FFI_ArrowSchema" => return "struct ArrowSchema".into(),
        _ if name.starts_with("Arrow") || name.starts_with("DL") => return format!("struct {}", name),
        _ => {}
    }
    name.chars().fold("polycodec".to_string(), |text, c| {
        if c.is_uppercase() {
            format!("{}_{}", text, c.to_ascii_lowercase())
        } else {
            format!("{}{}", text, c)
        }
    })
}

/// `*mut *const sys::Value` becomes `const polycodec_value* *`.
fn c_type(rust: &str) -> String {
    let rust = rust.trim();
    if let Some(inner) = rust.strip_prefix("*const ") {
        let inner = c_type(inner);
        if inner.ends_with('*') {
            format!("{} const*", inner)
        } else {
            format!("const {}*", inner)
        }
    } else if let Some(inner) = rust.strip_prefix("*mut ") {
        format!("{}*", c_type(inner))
    } else {
        c_name(rust.rsplit("::").next().unwrap())
    }
}

/// The C declarations of the functions of a file.
fn declarations(rust: &str) -> Vec<String> {
    let mut all = Vec::new();
    for text in rust.split("fn polycodec_").skip(1) {
        let (head, rest) = text.split_once('(').unwrap();
        if !head.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
            continue;
        }
        let (parameters, rest) = rest.split_once(')').unwrap();
        let result = rest.split_once(';').unwrap().0.trim();
        let result = result.strip_prefix("->").map_or("void".to_string(), c_type);
        let types: Vec<String> = parameters
            .split(',')
            .filter(|parameter| !parameter.trim().is_empty())
            .map(|parameter| c_type(parameter.split_once(':').unwrap().1))
            .collect();
        let types = if types.is_empty() { "void".into() } else { types.join(", ") };
        all.push(format!("{} polycodec_{}({});\n", result, head, types));
    }
    all
}

/// Assertions on the constants of a file.
fn constants(rust: &str) -> Vec<String> {
    let lines = rust.lines().filter_map(|line| line.strip_prefix("pub const "));
    lines
        .map(|line| {
            let (name, rest) = line.split_once(':').unwrap();
            let number = rest.split_once('=').unwrap().1.trim().trim_end_matches(';');
            format!("_Static_assert(POLYCODEC_{0} == {1}, \"{0}\");\n", name, number)
        })
        .collect()
}

fn compiles(body: &str, name: &str) -> bool {
    let source = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let head = "#include <polycodec/host.h>\ntypedef void (*release_function)(void*);\n";
    std::fs::write(&source, format!("{}{}", head, body)).unwrap();
    let flags = Command::new("pkg-config").args(["--cflags", "polycodec"]).output().expect("pkg-config runs");
    let flags = String::from_utf8(flags.stdout).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut compile = Command::new(compiler);
    compile.args(["-std=c11", "-fsyntax-only", "-Werror"]).arg(&source).args(flags.split_whitespace());
    let output = compile.output().expect("a C compiler runs");
    eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    output.status.success()
}

#[test]
fn functions_and_constants_are_those_of_the_header() {
    let sys = include_str!("../src/host/sys.rs");
    let mut all = declarations(sys);
    assert!(all.len() > 90, "{} functions were found", all.len());
    let numbers = constants(sys);
    assert!(numbers.len() >= 5, "{} constants were found", numbers.len());
    all.extend(numbers);
    assert!(compiles(&all.concat(), "prototypes.c"));
}

#[test]
fn a_wrong_declaration_does_not_compile() {
    let find = "pub fn polycodec_sink_free(sink: *mut Sink);";
    assert!(compiles(&declarations(find).concat(), "right.c"));
    for wrong in ["sink: *const Sink", "sink: *mut Value", "sink: *mut Sink, n: u64", ""] {
        let text = find.replace("sink: *mut Sink", wrong);
        assert!(!compiles(&declarations(&text).concat(), "wrong.c"), "{}", text);
    }
}
