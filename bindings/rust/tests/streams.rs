// SPDX-License-Identifier: MIT
//! Streams, messages, schemas and budgets of the host side, against the installed library.
use polycodec::host::{Budget, CallOptions, Channel, Limits, Registry, Schema, Source, Value};
use polycodec::{Status, View};
use std::io::Write as _;
use std::os::unix::io::AsFd as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

const TWO: &[u8] = b"\x92\x01\x02\x81\xa1a\xc0";

fn registry() -> Registry {
    Registry::open().unwrap()
}

fn json(value: polycodec::Result<Value<'_>>) -> String {
    value.unwrap().to_json().unwrap()
}

fn two() -> [Value<'static>; 2] {
    [Value::parse("[1, 2]").unwrap(), Value::parse(r#"{"a": null}"#).unwrap()]
}

#[test]
fn fed_bytes_give_values_as_they_arrive() {
    let mut stream = registry().codec("msgpack-ndarray").unwrap().stream(CallOptions::new()).unwrap();
    let mut seen = Vec::new();
    for byte in TWO.chunks(1) {
        assert!(stream.next().is_none());
        stream.feed(byte).unwrap();
        if stream.position() as usize + 3 == TWO.len() || seen.is_empty() {
            seen.extend(stream.next().map(json));
        }
    }
    stream.end().unwrap();
    seen.extend(stream.by_ref().map(json));
    assert_eq!(seen, ["[1, 2]", r#"{"a": null}"#]);
    assert_eq!(stream.position(), 7);
    assert_eq!(stream.feed(b"x").unwrap_err().code, Status::Invalid);
}

#[test]
fn sources_and_pipes_are_read_to_their_end() {
    let codec = registry().codec("msgpack-ndarray").unwrap();
    let bytes = TWO.to_vec();
    let values: Vec<Value<'static>> = {
        let source = Source::from_slice(&bytes, "").unwrap();
        codec.stream_of(&source, CallOptions::new()).unwrap().map(Result::unwrap).collect()
    };
    drop(bytes);
    assert_eq!(values.iter().map(|v| v.to_json().unwrap()).collect::<Vec<_>>(), ["[1, 2]", r#"{"a": null}"#]);

    let (input, mut output) = std::os::unix::net::UnixStream::pair().unwrap();
    let mut stream = codec.stream_from(input.as_fd(), CallOptions::new()).unwrap();
    output.write_all(&TWO[..4]).unwrap();
    assert_eq!(json(stream.next().unwrap()), "[1, 2]");
    output.write_all(&TWO[4..6]).unwrap();
    drop(output);
    assert_eq!(stream.next().unwrap().err().unwrap().code, Status::Truncated);
    assert_eq!(stream.next().unwrap().err().unwrap().code, Status::Invalid);
}

#[test]
fn values_are_written_one_after_another() {
    let codec = registry().codec("msgpack-ndarray").unwrap();
    let mut writer = codec.stream_writer(CallOptions::new()).unwrap();
    let mut bytes: Vec<u8> = two().iter().flat_map(|value| writer.append(value).unwrap().to_vec()).collect();
    bytes.extend(writer.finish().unwrap().to_vec());
    assert_eq!(bytes, TWO);

    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("values.msgpack");
    let _ = std::fs::remove_file(&path);
    for finished in [false, true] {
        let mut writer = codec.stream_file(&path, CallOptions::new()).unwrap();
        two().iter().for_each(|value| writer.append(value).unwrap());
        assert!(!path.exists());
        if finished {
            writer.finish().unwrap();
        }
    }
    assert_eq!(std::fs::read(&path).unwrap(), TWO);
    let awkward = registry().codec("awkward").unwrap();
    assert_eq!(awkward.stream(CallOptions::new()).err().unwrap().code, Status::Unsupported);
}

#[test]
fn several_calls_share_a_budget() {
    let registry = registry();
    let codec = registry.codec("msgpack-ndarray").unwrap();
    let source = Source::from_slice(&TWO[..3], "").unwrap();
    let cancel = AtomicBool::new(false);
    let limits = Limits { max_work: 1000, ..Limits::default() };
    let budget = Budget::new(&registry, limits, Some(&cancel)).unwrap();
    let options = CallOptions::new().budget(&budget);
    let errors = (0..10_000).filter_map(|_| codec.decode(&source, &options).err());
    let calls = errors.map(|error| assert_eq!(error.code, Status::Limit)).count();
    assert!(calls > 1 && calls < 10_000, "{} calls failed", calls);
    let plenty = Budget::new(&registry, Limits::default(), Some(&cancel)).unwrap();
    let options = CallOptions::new().budget(&plenty);
    codec.decode(&source, &options).unwrap();
    cancel.store(true, Ordering::Relaxed);
    assert_eq!(codec.decode(&source, &options).err().unwrap().code, Status::Cancelled);
    let both = CallOptions::new().budget(&plenty).limits(limits);
    assert_eq!(codec.decode(&source, &both).err().unwrap().code, Status::Option);
}

#[test]
fn messages_carry_values() {
    let registry = registry();
    let mut sender = Channel::open(&registry, r#"{"codec": "msgpack-ndarray"}"#).unwrap();
    let mut receiver = Channel::open(&registry, "").unwrap();
    let message = sender.pack(&two()[0], r#"{"id": "first"}"#).unwrap();
    let bytes = message.parts().concat().concat();
    let source = Source::from_slice(&bytes, "").unwrap();
    let received = receiver.unpack(&source).unwrap();
    assert_eq!((json(Ok(received.value)), received.control), ("[1, 2]".to_string(), 0));
    assert!(received.header.contains("first"), "{}", received.header);
    for (i, byte) in bytes.chunks(1).enumerate() {
        assert!(receiver.receive().unwrap().is_none(), "{} bytes", i);
        receiver.feed(byte).unwrap();
    }
    assert_eq!(json(Ok(receiver.receive().unwrap().unwrap().value)), "[1, 2]");
    assert_eq!(Channel::open(&registry, r#"{"codecs": 1}"#).err().unwrap().code, Status::Option);
    let offer = registry.offer("peer").unwrap();
    assert!(registry.agree(&offer, &two()[0]).unwrap().contains("\"codec\":\""));
}

#[test]
fn schemas_validate_and_normalize() {
    let schema = Schema::parse(r#"{"type": "object", "properties": {"n": {"type": "integer", "default": 3}}}"#, None);
    let schema = schema.unwrap();
    let fits = Value::parse(r#"{"n": 1}"#).unwrap();
    assert_eq!(schema.problems(&fits).unwrap(), None);
    let problems = schema.problems(&Value::parse(r#"{"n": "one"}"#).unwrap()).unwrap().unwrap();
    assert!(problems.contains("\"keyword\":\"type\""), "{}", problems);
    let empty = Value::parse("{}").unwrap();
    assert_eq!(schema.clone().normalize(&empty).unwrap().to_json().unwrap(), r#"{"n": 3}"#);
    assert!(Schema::infer(&fits).unwrap().to_json().unwrap().contains("\"n\""));
    assert_eq!(Schema::parse("{]", None).err().unwrap().code, Status::Malformed);
}

/// Each part of `view`, with its path.
fn parts<'a>(view: View<'a>, path: String, all: &mut Vec<(String, View<'a>)>) {
    all.push((path.clone(), view));
    if let Some(object) = view.object() {
        for (name, member) in object.iter() {
            parts(member, format!("{path}.{name}"), all);
        }
    } else if let Some(list) = view.list() {
        for (i, item) in list.iter().enumerate() {
            parts(item, format!("{path}[{i}]"), all);
        }
    }
}

fn leaf(view: View<'_>) -> String {
    format!("{:?} {:?} {:?} {}", view.as_f64(), view.as_str(), view.as_bool(), view.is_null())
}

#[test]
fn parts_of_messages_are_found_as_those_of_other_values() {
    let registry = registry();
    let texts = [
        r#"[1, [2, "b"], {"c": [null, 1.5]}]"#,
        r#"{"a": {"b": [1, 2.5, "c"]}, "d": "e", "f": [true]}"#,
        r#"{"type": "3 * {x: float64, y: var * int32}", "value": [{"x": 1, "y": [1]}, {"x": 2, "y": []}, {"x": 3, "y": [2, 3]}]}"#,
    ];
    for text in texts {
        let sent = Value::parse(text).unwrap();
        let message = Channel::open(&registry, "").unwrap().pack(&sent, "").unwrap();
        let bytes = message.parts().concat().concat();
        drop(message);
        let mut fed = Channel::open(&registry, "").unwrap();
        fed.feed(&bytes).unwrap();
        let source = Source::from_slice(&bytes, "").unwrap();
        let received = [
            fed.receive().unwrap().unwrap().value,
            Channel::open(&registry, "").unwrap().unpack(&source).unwrap().value,
            registry.decode(&source).unwrap(),
        ];
        drop(fed);
        let mut wanted = Vec::new();
        parts(sent.view(), "$".to_string(), &mut wanted);
        assert!(wanted.len() > 5);
        for value in &received {
            let mut found = Vec::new();
            parts(value.view(), "$".to_string(), &mut found);
            assert_eq!(found.len(), wanted.len(), "{text}");
            for ((path, part), (_, other)) in wanted.iter().zip(&found) {
                assert_eq!(leaf(*part), leaf(*other), "{path} of {text}");
                match value.find(path) {
                    Ok(at) => assert_eq!(leaf(*part), leaf(at), "{path} of {text}"),
                    Err(error) => assert_eq!((error.code, sent.find(path).is_err()), (Status::Type, true), "{path}"),
                }
            }
        }
    }
}
