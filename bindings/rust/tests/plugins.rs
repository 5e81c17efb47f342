// SPDX-License-Identifier: MIT
//! Plugins in Rust, in a host.
use polycodec::host::{CallOptions, Codec, Format, Limits, Registry, RegistryOptions, Source, Value};
use polycodec::{Error, Status};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Puts an example that cargo has built into a directory with its manifest.
fn registry_with(plugin: &str) -> Registry {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(plugin);
    std::fs::create_dir_all(&directory).unwrap();
    let program = std::env::current_exe().unwrap();
    let examples = program.parent().and_then(Path::parent).unwrap().join("examples");
    let library = format!("lib{}.so", plugin);
    let manifest = format!("{}.polycodec.json", plugin);
    let _ = std::fs::remove_file(directory.join(&library));
    std::fs::copy(examples.join(&library), directory.join(&library)).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    std::fs::copy(source.join(&manifest), directory.join(&manifest)).unwrap();
    RegistryOptions::new().add_path(directory).open().unwrap()
}

fn decode(codec: &Codec, bytes: &[u8]) -> Result<String, Error> {
    codec.decode(&Source::from_slice(bytes, "").unwrap(), &CallOptions::new())?.to_json()
}

#[test]
fn a_codec_in_safe_rust_carries_values() {
    let registry = registry_with("tagged");
    let codec = registry.codec("tagged").unwrap();
    for (notation, json) in [
        ("null", "null"),
        ("{a: int64, b: 3 * float64, c: string}", r#"{"a": -1, "b": [0.5, 1.5, 2.5], "c": "x"}"#),
        ("map[int64, bytes]", r#"{"$map": [[1, {"$bytes": "AQ=="}]]}"#),
        ("2 * {x: uint64, y: ?string}", r#"[{"x": 1, "y": "a"}, {"x": 2, "y": null}]"#),
        ("annotated[float64, units='cm']", "1.5"),
        ("2 * var * bool", "[[true], []]"),
    ] {
        let value = Value::parse_as(json, notation, None).unwrap();
        let bytes = codec.encode(&value, &CallOptions::new()).unwrap().to_vec();
        let back = codec.decode(&Source::from_slice(&bytes, "").unwrap(), &CallOptions::new()).unwrap();
        assert_eq!(back.to_json(), value.to_json(), "{}", notation);
        assert_eq!(back.view().metadata().is_some(), value.view().metadata().is_some(), "{}", notation);
    }
    let error = decode(&codec, b"l\x02\0\0\0\0\0\0\0n\0\0\0\0\0\0\0\0").unwrap_err();
    assert_eq!((error.code, error.offset), (Status::Truncated, Some(18)));
    let error = decode(&codec, b"n\0\0\0\0\0\0\0\0n").unwrap_err();
    assert_eq!((error.code, error.offset), (Status::Trailing, Some(9)));
    let error = decode(&codec, b"s\x01\0\0\0\0\0\0\0\xff").unwrap_err();
    assert_eq!((error.code, error.offset), (Status::Malformed, Some(9)));
    let error = decode(&codec, &[&b"l\x01\0\0\0\0\0\0\0"[..]; 100_000].concat()).unwrap_err();
    assert_eq!(error.code, Status::Limit, "nesting");
    let error = decode(&codec, b"l\xff\xff\xff\xff\xff\xff\xff\xff").unwrap_err();
    assert_eq!(error.code, Status::Truncated, "a count that the input does not hold");
}

#[test]
fn a_panic_is_an_error_of_the_plugin() {
    let registry = registry_with("panicking");
    let codec = registry.codec("panicking").unwrap();
    let error = decode(&codec, b"short").unwrap_err();
    assert_eq!((error.code, error.detail.as_str()), (Status::Plugin, "rust.panic"));
    assert!(error.message.contains("index out of bounds") && error.message.contains("panicking.rs:"), "{}", error);
    let error = decode(&codec, b"panic with an object").unwrap_err();
    assert_eq!(error.code, Status::Plugin);
    assert_eq!(decode(&codec, b"panic in a loop").unwrap_err().code, Status::Limit);
    assert_eq!(decode(&codec, b"panic by recursion").unwrap_err().code, Status::Limit);

    let stop = AtomicBool::new(false);
    let limits = Limits { max_work: u64::MAX, ..Limits::default() };
    let loops = Source::from_slice(b"panic in a loop", "").unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| stop.store(true, Ordering::Relaxed));
        let error = codec.decode(&loops, &CallOptions::new().limits(limits).cancel(&stop)).err().unwrap();
        assert_eq!(error.code, Status::Cancelled);
    });

    let one = Value::parse("1").unwrap();
    let error = codec.encode(&one, &CallOptions::new()).err().unwrap();
    assert!(error.code == Status::Plugin && error.message.contains("encoded Some(1)"), "{}", error);
    let fail = Format::new("panicking").options(r#"{"fail": true}"#);
    let error = registry.open_codec(&fail).err().unwrap();
    assert!(error.code == Status::Plugin && error.message.contains("opened with fail"), "{}", error);
    // A codec that panics when it sniffs takes part no more; the others do.
    assert!(registry.choose(&Source::from_slice(b"panic in sniff", "").unwrap()).is_err());
    assert_eq!(registry.choose(&Source::from_slice(b"panic", "").unwrap()).unwrap().codec, "panicking");
}
