// SPDX-License-Identifier: MIT
//! Stores and collections of the host side, against the installed library.
use polycodec::host::{CallOptions, Collection, Format, Registry, Source, Store, Value};
use polycodec::Status;
use std::path::PathBuf;

fn numbers(json: &str) -> Value<'static> {
    Value::parse_as(json, "3 * int64", None).unwrap()
}

#[test]
fn a_collection_is_a_dictionary_in_a_file() {
    let registry = Registry::open().unwrap();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("arrays.awkd");
    let _ = std::fs::remove_file(&path);
    let format = Format::new("awkward");
    let mut all = Collection::open(&registry, &path, Some(&format), CallOptions::new()).unwrap();
    all.add("a", &numbers("[1, 2, 3]")).unwrap();
    all.add("b", &numbers("[4, 5, 6]")).unwrap();
    assert_eq!(all.add("a", &numbers("[1, 2, 3]")).unwrap_err().code, Status::Invalid);
    assert_eq!(all.replace("b", &numbers("[7, 8, 9]"), false).unwrap(), "[]");
    all.remove("a", true).unwrap();
    // SAFETY: nobody else has the file.
    let read = |name: &str| unsafe { all.read(name) };
    assert_eq!(read("a").err().unwrap().code, Status::NotFound);
    assert_eq!(read("b").unwrap().to_json().unwrap(), "[7, 8, 9]");
    let listed = all.list().unwrap();
    assert!(listed.contains("\"name\":\"b\"") && !listed.contains("\"name\":\"a\""), "{}", listed);

    // The same file as a store.
    let store = Store::open(&registry, &Source::open(&path).unwrap()).unwrap();
    let names: Vec<String> = store.entries().unwrap().into_iter().map(|(name, _)| name).collect();
    assert!(names.iter().any(|name| name == "b.json"), "{:?}", names);
    assert!(store.read("b.json").unwrap().starts_with(b"{"));
    assert_eq!(store.read("no.such").unwrap_err().code, Status::NotFound);
    let codec = registry.codec("awkward").unwrap();
    let source = store.to_source("arrays").unwrap();
    drop(store);
    assert!(codec.list(&source, &CallOptions::new()).unwrap().view().get("b").is_some());
    let value = codec.decode(&source, &CallOptions::new().member("b")).unwrap();
    assert_eq!(value.to_json().unwrap(), "[7, 8, 9]");
}

#[test]
fn blobs_in_memory_have_safe_names() {
    let store = Store::from_memory(&[("a", b"first"), ("b", b"")]).unwrap();
    assert_eq!(store.entries().unwrap(), [("a".to_string(), 5), ("b".to_string(), 0)]);
    assert_eq!((store.read("a").unwrap(), store.read("b").unwrap()), (&b"first"[..], &b""[..]));
    assert_eq!(Store::from_memory(&[("../a", b"")]).err().unwrap().code, Status::Denied);
}
