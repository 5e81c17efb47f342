// SPDX-License-Identifier: MIT
//! Plugins in Rust, in a host.
use polycodec::host::{CallOptions, Codec, Collection, Format, Limits, Registry, RegistryOptions, Source, Value};
use polycodec::{Error, Status};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Puts an example that cargo has built into a directory with its manifest.
fn registry_with(plugin: &str) -> Registry {
    // Tests run at the same time.
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{}", plugin, number));
    std::fs::create_dir_all(&directory).unwrap();
    let program = std::env::current_exe().unwrap();
    let examples = program.parent().and_then(Path::parent).unwrap().join("examples");
    let library = format!("lib{}.so", plugin);
    let manifest = format!("{}.polycodec.json", plugin);
    let _ = std::fs::remove_file(directory.join(&library));
    std::fs::copy(examples.join(&library), directory.join(&library)).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    std::fs::copy(source.join(&manifest), directory.join(&manifest)).unwrap();
    let config = r#"{"allow_also": [["survey", "total"], ["survey", "mean"]]}"#;
    RegistryOptions::new().add_path(directory).config(config).threads(2).open().unwrap()
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

fn survey_file(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/survey").join(name)).unwrap()
}

#[test]
fn columns_carry_every_type() {
    let registry = registry_with("columns");
    let codec = registry.codec("columns").unwrap();
    let value = codec.decode(&Source::from_slice(b"all", "").unwrap(), &CallOptions::new()).unwrap();
    for (path, typed, json) in [
        ("int8", "int8", "-1"),
        ("uint16", "uint16", "65535"),
        ("float32", "float32", "0.5"),
        ("int128", "int128", "-1"),
        ("booleans", "2 * bool", "[true, false]"),
        ("times", "1 * datetime[unit='D']", r#"[{"$datetime": "1970-01-02"}]"#),
        ("bytes", "2 * fixed_bytes[2]", r#"[{"$bytes": "YWI="}, {"$bytes": "Y2Q="}]"#),
        ("halves", "1 * float16", "[1.0]"),
        ("text", "2 * bytes", r#"[{"$bytes": "YQ=="}, {"$bytes": "YmM="}]"#),
        ("none", "0 * string", "[]"),
    ] {
        let text = typed_part(&value, path);
        assert_eq!(text, (typed.to_string(), json.to_string()), "{}", path);
    }
    let rows = value.find("rows").unwrap().list().unwrap();
    let seen: Vec<(usize, Option<&str>, bool)> = rows
        .iter()
        .map(|row| {
            let list = row.get("list").and_then(|list| list.list()).unwrap();
            (list.len(), row.get("some").and_then(|some| some.as_str()), row.get("any").unwrap().is_null())
        })
        .collect();
    assert_eq!(seen, [(0, Some(""), true), (98, None, false), (2, None, false)]);
    assert_eq!(value.find("chunked").unwrap().list().unwrap().len(), 6);
    let pairs = value.find("pairs").unwrap().list().unwrap();
    assert_eq!((pairs.len(), pairs.get(49).and_then(|pair| pair.list()?.get(1)?.as_u64())), (50, Some(99)));
    assert_eq!(decode(&codec, b"threads").unwrap(), r#"[499500, "part 4"]"#);
    assert_eq!(decode(&codec, b"far").unwrap(), "[114, 97, 102]");
}

/// Type and JSON of a part.
fn typed_part(value: &Value<'_>, path: &str) -> (String, String) {
    let part = value.part(path).unwrap();
    (part.type_notation().unwrap(), part.to_json().unwrap())
}

#[test]
fn columns_that_break_a_rule_are_errors() {
    let registry = registry_with("columns");
    let codec = registry.codec("columns").unwrap();
    for (input, code, message) in [
        (&b"wide"[..], Status::Malformed, "does not fit 4 bytes"),
        (b"near", Status::Malformed, "leave the 4 bytes"),
        (b"boolean", Status::Malformed, "must be 0 or 1"),
        (b"\xff\xff", Status::Malformed, "is not valid text"),
        (b"\xd8\0", Status::Malformed, "is not valid text"),
        (b"\0\x11\0\0", Status::Malformed, "is not valid text"),
        (b"offsets", Status::Malformed, "offset 2 (2) is less than the one before it (3)"),
        (b"beyond", Status::Malformed, "the last offset (7) exceeds the 6 items"),
        (b"half", Status::Malformed, "offset 1 (1) does not begin a character"),
        (b"index", Status::Malformed, "index 1 (1) is not below the 1 items"),
        (b"marks", Status::Malformed, "2 marks of presence do not fit 1 items"),
        (b"lists", Status::Malformed, "2 lists of 2 items need more than the 3"),
        (b"node", Status::Type, "column 'a' is not a column"),
        (b"lengths", Status::Malformed, "column 'a' has 1 items: expected 2"),
        (b"twice", Status::Malformed, "of a node that has none yet"),
    ] {
        let error = decode(&codec, input).unwrap_err();
        assert!(error.code == code && error.message.contains(message), "{:?}: {}", input, error);
    }
}

#[test]
fn one_plugin_has_every_kind_of_object() {
    let registry = registry_with("survey");
    let codec = registry.codec("survey").unwrap();
    let (three, none) = (survey_file("table/three.survey"), survey_file("table/none.survey"));
    let table = codec.decode(&Source::from_slice(&three, "").unwrap(), &CallOptions::new()).unwrap();
    let units = table.find("value").unwrap().metadata().and_then(|metadata| metadata.get("units")?.as_str());
    assert_eq!(units, Some("cm"));
    assert_eq!(codec.encode(&table, &CallOptions::new()).unwrap().to_vec(), three);

    // Streams, of pieces that cut values.
    let mut stream = codec.stream(CallOptions::new()).unwrap();
    let mut seen = Vec::new();
    for piece in [&three[..], &none[..], &three[..]].concat().chunks(5) {
        stream.feed(piece).unwrap();
        seen.extend(stream.by_ref().map(|value| value.unwrap().view().list().unwrap().len()));
    }
    stream.end().unwrap();
    seen.extend(stream.by_ref().map(|value| value.unwrap().view().list().unwrap().len()));
    assert_eq!(seen, [3, 0, 3]);
    let mut writer = codec.stream_writer(CallOptions::new()).unwrap();
    assert_eq!(writer.append(&table).unwrap().to_vec(), three);
    assert_eq!(writer.append(&table).unwrap().to_vec(), three);
    assert!(writer.finish().unwrap().to_vec().is_empty());

    // A file, of which rows are wanted.
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("two.floats");
    std::fs::write(&path, survey_file("floats/two.floats")).unwrap();
    let floats = registry.codec("survey-floats").unwrap();
    let second = floats.decode(&Source::open(&path).unwrap(), &CallOptions::new().rows(1..2)).unwrap();
    assert_eq!((second.to_json().unwrap(), second.is_partial()), ("[2.5]".into(), true));

    // A filter, which repeats what it wrote.
    let runs = registry.open_codec(&Format::new("survey").filters(r#"[{"id": "survey-runs"}]"#)).unwrap();
    let small = runs.encode(&table, &CallOptions::new()).unwrap().to_vec();
    let back = runs.decode(&Source::from_slice(&small, "").unwrap(), &CallOptions::new()).unwrap();
    assert!(small != three && back.equals(&table).unwrap());

    // Values in blobs, of a store that is written and changed.
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("all.box");
    let _ = std::fs::remove_file(&path);
    let format = Format::new("survey-parts");
    let mut all = Collection::open(&registry, &path, Some(&format), CallOptions::new()).unwrap();
    let part = |json: &str| Value::parse_as(json, "{x: bytes}", None).unwrap();
    all.add("a", &part(r#"{"x": {"$bytes": "YQ=="}}"#)).unwrap();
    all.add("b", &part(r#"{"x": {"$bytes": "YmI="}}"#)).unwrap();
    all.replace("a", &part(r#"{"x": {"$bytes": "YWFh"}}"#), true).unwrap();
    // SAFETY: nobody else has the file.
    let read = |name: &str| unsafe { all.read(name) }.unwrap().to_json().unwrap();
    assert_eq!((read("a"), read("b")), (r#"{"x": {"$bytes": "YWFh"}}"#.into(), r#"{"x": {"$bytes": "YmI="}}"#.into()));
    all.remove("b", true).unwrap();
    assert!(!all.list().unwrap().contains("\"name\":\"b\""));

    // Functions, of which one calls the other through the host, and a type.
    let numbers = Value::parse("[1, 2, 6]").unwrap();
    assert_eq!(registry.call("survey.mean", &numbers, None, &CallOptions::new()).unwrap().to_json().unwrap(), "3.0");
    let error = registry.call("survey.total", &numbers, None, &CallOptions::new()).err().unwrap();
    assert!(error.message.contains("survey"), "{}", error);
    assert!(Value::parse_as(r#"{"x": 1, "y": 2}"#, "survey.point", Some(&registry)).is_ok());
}
