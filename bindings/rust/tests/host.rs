// SPDX-License-Identifier: MIT
//! The host side against the installed library.
use polycodec::host::{Address, CallOptions, Format, Limits, Listing, Loss, Registry, Source, Value};
use polycodec::{Data, Status, TimeUnit, View};
use std::path::PathBuf;

const MESH: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n0.5 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

fn registry() -> Registry {
    Registry::open().unwrap()
}

fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn parse(notation: &str, json: &str) -> Value<'static> {
    Value::parse_as(json, notation, None).unwrap()
}

#[test]
fn a_file_is_opened_read_and_converted() {
    let path = file("mesh.ply", MESH.as_bytes());
    let registry = registry();
    let source = Source::open(&path).unwrap();
    assert_eq!(registry.choose(&source).unwrap().codec, "ply");
    let mesh = registry.decode(&source).unwrap();

    let x = mesh.find("$.vertex.x").unwrap().list().unwrap();
    assert_eq!(x.numbers::<f32>().unwrap().collect::<Vec<_>>(), [0.5, 1.0, 0.0]);
    assert!(x.numbers::<f64>().is_none(), "the type of the numbers must be right");
    let vertices = mesh.view().get("vertex").unwrap().list().unwrap();
    assert_eq!(vertices.len(), 3);
    assert_eq!(vertices.get(1).unwrap().get("x").unwrap().as_f64(), Some(1.0));
    assert!(vertices.get(3).is_none());
    let names: Vec<&str> = vertices.get(0).unwrap().object().unwrap().iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["x", "y", "z"]);
    let corners = mesh.find("$.face").unwrap().list().unwrap().get(0).unwrap().get("vertex_indices").unwrap();
    assert_eq!(corners.list().unwrap().iter().map(|n| n.as_i64().unwrap()).collect::<Vec<_>>(), [0, 1, 2]);

    let out = path.with_extension("obj");
    registry.convert(&source, None, &out, None, &CallOptions::new()).unwrap();
    assert!(std::fs::read_to_string(&out).unwrap().contains("f 1 2 3"));
    registry.encode_file(&mesh, path.with_extension("copy.ply"), None, &CallOptions::new()).unwrap();
    // SAFETY: nobody changes the file during the test.
    let mapped = unsafe { Source::map(path.with_extension("copy.ply")) }.unwrap();
    assert_eq!(
        registry.decode(&mapped).unwrap().content_address(&registry, Address::Exact),
        mesh.content_address(&registry, Address::Exact)
    );
}

#[test]
fn columns_of_records_in_chunks_are_found() {
    let value = Value::parse(
        r#"{"type": "3 * ?{x: int64}", "value": {"$layout": {"layout": "chunked", "length": 3, "children": [
            {"type": "2 * ?{x: int64}", "value": [{"x": 1}, null]}, {"type": "1 * {x: int64}", "value": [{"x": 3}]}]}}}"#,
    )
    .unwrap();
    let x: Vec<_> = value.find("x").unwrap().list().unwrap().iter().map(|item| item.as_i64()).collect();
    assert_eq!(x, [Some(1), None, Some(3)]);
    assert_eq!(value.find("y").err().unwrap().code, Status::NotFound);
}

#[test]
fn bytes_are_borrowed_and_owned() {
    let (registry, options) = (registry(), CallOptions::new());
    let codec = registry.codec("msgpack-ndarray").unwrap();
    let bytes = codec.encode(&parse("{a: string, b: bytes}", r#"{"a": "hello", "b": {"$bytes": "AQID"}}"#), &options);
    let bytes = bytes.unwrap().to_vec();

    let value = codec.decode(&Source::from_slice(&bytes, "").unwrap(), &options).unwrap();
    let text = value.find("$.a").unwrap().as_str().unwrap();
    assert_eq!(text, "hello");
    assert!(bytes.as_ptr_range().contains(&text.as_ptr()), "text is not copied");
    assert_eq!(value.find("$.b").unwrap().as_bytes(), Some(&[1, 2, 3][..]));

    // Owned bytes live as long as the last value, and no longer.
    #[allow(dead_code)] // the counter is only dropped
    struct Owner(Vec<u8>, std::sync::Arc<()>);
    impl AsRef<[u8]> for Owner {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    let alive = std::sync::Arc::new(());
    let source = Source::from_owned(Owner(bytes.clone(), alive.clone()), "x.msgpack").unwrap();
    let owned = codec.decode(&source, &options).unwrap();
    drop(source);
    let other = owned.clone();
    drop(owned);
    assert_eq!(std::sync::Arc::strong_count(&alive), 2);
    assert!(other.equals(&value).unwrap());
    drop(other);
    assert_eq!(std::sync::Arc::strong_count(&alive), 1);
}

#[test]
fn columns_are_slices_of_memory() {
    let numbers: Vec<String> = (0..2000).map(|n| format!("{}.5", n)).collect();
    let value = parse("2000 * float64", &format!("[{}]", numbers.join(", ")));
    let frames = value.to_frames().unwrap();
    let pieces: Vec<Vec<u8>> = frames.pieces().map(<[u8]>::to_vec).collect();
    assert_eq!(pieces.len(), 2, "a header and one buffer");
    let range = pieces[1].as_ptr_range();
    let back = Value::from_frames(pieces, None).unwrap();
    assert!(back.equals(&value).unwrap());
    let slice: &[f64] = back.view().as_slice().unwrap();
    assert_eq!((slice.len(), slice[1999]), (2000, 1999.5));
    assert!(range.contains(&slice.as_ptr().cast()), "the slice is the piece");
    assert!(back.view().as_slice::<f32>().is_none());
    assert!(back.view().as_slice::<u64>().is_none());
    assert_eq!(parse("0 * int32", "[]").view().list().unwrap().len(), 0);

    let mut broken: Vec<Vec<u8>> = frames.pieces().map(<[u8]>::to_vec).collect();
    broken[0][8] = 77;
    assert_eq!(Value::from_frames(broken, None).err().unwrap().code, Status::Unsupported);
}

#[test]
fn views_show_every_kind() {
    let data = |v: View<'_>| format!("{:?}", v.data());
    for (notation, json, shown) in [
        ("null", "null", "Null"),
        ("bool", "true", "Boolean(true)"),
        ("int8", "-128", "Signed(-128)"),
        ("uint64", "18446744073709551615", "Unsigned(18446744073709551615)"),
        ("int128", "-170141183460469231731687303715884105728", "Signed128(-170141183460469231731687303715884105728)"),
        ("uint128", "340282366920938463463374607431768211455", "Unsigned128(340282366920938463463374607431768211455)"),
        ("float16", "-1.5", "Float32(-1.5)"),
        ("float32", "0.25", "Float32(0.25)"),
        ("float64", "1e+300", "Float64(1e300)"),
        ("string", "\"\u{e9}\"", "String(\"\u{e9}\")"),
        ("string", r#"{"$string": "/w=="}"#, "LenientString([255])"),
        ("bytes", r#"{"$bytes": "AQID"}"#, "Binary([1, 2, 3])"),
        ("float64", r#"{"$array": 1.5}"#, "Float64(1.5)"),
    ] {
        let value = parse(notation, json);
        assert_eq!(data(value.view()), shown, "{}", notation);
        // The same as an element of an array, where there is one.
        if !["string", "bytes", "null"].contains(&notation) && !json.contains('$') {
            let array = parse(&format!("2 * {}", notation), &format!("{{\"$array\": [{}, {}]}}", json, json));
            assert_eq!(data(array.view().list().unwrap().get(1).unwrap()), shown, "array of {}", notation);
        }
    }
    let complex = parse("complex[float32]", r#"{"$complex": [1.5, -0.0]}"#);
    assert!(matches!(complex.view().data(), Data::Other(other) if other.bytes.len() == 8 && other.dtype == 17));
    let map = parse("map[int64, string]", r#"{"$map": [[1, "a"], [2, "b"]]}"#);
    assert!(
        matches!(map.view().data(), Data::Map(map) if map.len() == 2 && map.iter().all(|(k, _)| k.as_i64().is_some()))
    );
    assert_eq!(map.view().children().len(), 4);
    let tuple = parse("(int64, string)", r#"{"$tuple": [1, "a"]}"#);
    assert!(matches!(tuple.view().data(), Data::Tuple(list) if list.len() == 2));
    let cycle = parse("2 * 1 * int64", r#"{"$list": [{"$id": [1, [5]]}, {"$ref": 1}]}"#);
    let reference = cycle.view().list().unwrap().get(1).unwrap();
    assert!(matches!(reference.data(), Data::Reference(inner) if inner.view().list().unwrap().len() == 1));
}

#[test]
fn views_show_every_layout() {
    let strings = |value: &Value<'_>| -> Vec<Option<String>> {
        value.view().list().unwrap().iter().map(|v| v.as_str().map(String::from)).collect()
    };
    let numbers =
        |value: &Value<'_>| -> Vec<Option<f64>> { value.view().list().unwrap().iter().map(View::as_f64).collect() };
    assert_eq!(numbers(&parse("3 * ?float32", "[1.0, null, 3.0]")), [Some(1.0), None, Some(3.0)]);
    let indexed = r#"{"$layout": {"layout": "indexed", "length": 3, "index": {"type": "3 * int64", "value": [1, 0, 1]},
        "children": [{"type": "2 * string", "value": ["lo", "hi"]}]}}"#;
    assert_eq!(strings(&parse("3 * string", indexed)), ["hi", "lo", "hi"].map(|s| Some(s.to_string())));
    let chunked = r#"{"$layout": {"layout": "chunked", "length": 3, "children": [
        {"type": "2 * float64", "value": [0.5, 1.5]}, {"type": "1 * float64", "value": [2.5]}]}}"#;
    assert_eq!(numbers(&parse("3 * float64", chunked)), [Some(0.5), Some(1.5), Some(2.5)]);
    for (flags, shown) in [
        (r#"["bits_lsb", "mask_valid"]"#, [Some(1.0), None]),
        (r#"["bits_lsb"]"#, [None, Some(2.0)]),
        (r#"["mask_valid"]"#, [None, None]),
        ("[]", [Some(1.0), Some(2.0)]),
    ] {
        let bits = format!(
            r#"{{"$layout": {{"layout": "option_bits", "length": 2, "flags": {}, "mask": {{"type": "1 * uint8",
            "value": [1]}}, "children": [{{"type": "2 * int8", "value": [1, 2]}}]}}}}"#,
            flags
        );
        assert_eq!(numbers(&parse("2 * ?int8", &bits)), shown, "{}", flags);
    }
    let matrix = parse("2 * 3 * int16", r#"{"$array": [[1, 2, 3], [4, 5, 6]]}"#);
    let row = matrix.view().list().unwrap().get(1).unwrap();
    assert_eq!(row.list().unwrap().get(2).unwrap().as_i64(), Some(6));
    assert_eq!(row.as_slice::<i16>(), Some(&[4, 5, 6][..]));
    let jagged = parse("2 * var * int32", r#"{"$array": [[1, 2], []]}"#);
    assert_eq!(jagged.view().list().unwrap().iter().map(|v| v.list().unwrap().len()).collect::<Vec<_>>(), [2, 0]);
    let records = parse("2 * {x: int16, y: string}", r#"[{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]"#);
    assert_eq!(records.view().get("y").unwrap().list().unwrap().get(1).unwrap().as_str(), Some("b"));
    assert!(records.view().get("z").is_none());
    let times = parse("1 * datetime[unit='ms']", r#"{"$array": [{"$datetime": "1970-01-01T00:00:01.500Z"}]}"#);
    let time = times.view().list().unwrap().get(0).unwrap();
    assert!(matches!(time.data(),
        Data::Timestamp(t) if (t.count, t.nanoseconds, t.unit) == (1, 500_000_000, TimeUnit::Millisecond)));
    let units = parse("annotated[2 * float64, units='cm']", "[1.0, 2.0]");
    assert_eq!(units.view().metadata().unwrap().get("units").unwrap().as_str(), Some("cm"));
}

#[test]
fn errors_have_code_place_and_detail() {
    let registry = registry();
    let codec = registry.codec("msgpack-ndarray").unwrap();
    let error = codec.decode(&Source::from_slice(&[0x93, 1], "").unwrap(), &CallOptions::new()).err().unwrap();
    assert_eq!((error.code, error.offset), (Status::Truncated, Some(0)));
    assert_eq!(registry.codec("no-such-codec").err().unwrap().code, Status::NotFound);
    let error = Source::open("/no/such/file").err().unwrap();
    assert!(error.code == Status::Io && error.message.contains("/no/such/file"), "{}", error);
    let value = parse("{a: int64}", r#"{"a": 1}"#);
    assert_eq!(value.find("$.b").err().unwrap().code, Status::NotFound);
    assert_eq!(Value::parse("[1,").err().unwrap().code, Status::Truncated);
    let wrong = Format::new("msgpack-ndarray").options(r#"{"no_such_option": 1}"#);
    assert_eq!(registry.open_codec(&wrong).err().unwrap().code, Status::Option);
}

#[test]
fn calls_are_limited_and_projected() {
    let registry = registry();
    let source = Source::from_slice(MESH.as_bytes(), "mesh.ply").unwrap();
    let limits = Limits { max_elements: 2, ..Limits::default() };
    let error = registry.decode_with(&source, None, &CallOptions::new().limits(limits)).err().unwrap();
    assert_eq!(error.code, Status::Limit);
    let options = CallOptions::new().columns(&["$.vertex.x"]).rows(1..3);
    let part = registry.decode_with(&source, None, &options).unwrap();
    assert!(part.is_partial());
    assert_eq!(part.find("$.vertex.x").unwrap().list().unwrap().len(), 2);
    assert!(!registry.decode(&source).unwrap().is_partial());
    let vertices = registry.decode_with(&source, None, &CallOptions::new().select("vertex.x")).unwrap();
    assert_eq!(vertices.find("$").unwrap().list().unwrap().len(), 3);
}

#[test]
fn tolerant_reading_mends_and_reports() {
    let registry = registry();
    let mesh = MESH.replace("0.5 0 0\n", "5D-1 0 0\n");
    let source = Source::from_slice(mesh.as_bytes(), "mesh.ply").unwrap();
    assert_eq!(registry.decode(&source).err().unwrap().code, Status::Malformed);
    let mut heard = Vec::new();
    let options = CallOptions::new().tolerant().on_loss(&[], |class, path, _| heard.push((class, path.to_string())));
    let value = registry.decode_with(&source, None, &options).unwrap();
    let good = Source::from_slice(MESH.as_bytes(), "mesh.ply").unwrap();
    assert!(value.equals(&registry.decode(&good).unwrap()).unwrap());
    drop(options);
    assert_eq!(heard, [(Loss::Mended, "$.vertex[0].x".to_string())]);
}

#[test]
fn losses_are_reported_to_the_host() {
    let registry = registry();
    let mesh = MESH.replace("property float z\n", "property float z\nproperty float quality\n");
    let mesh = mesh.replace("0.5 0 0\n1 0 0\n0 1 0\n", "0.5 0 0 1\n1 0 0 2\n0 1 0 3\n");
    let source = Source::from_slice(mesh.as_bytes(), "mesh.ply").unwrap();
    let value = registry.decode(&source).unwrap();
    assert_eq!(value.numbers::<f64>("vertex.quality").unwrap(), [1.0, 2.0, 3.0]);
    assert_eq!(value.numbers::<i8>("vertex.x").err().unwrap().code, Status::Range);
    assert_eq!(value.part("vertex.quality").unwrap().to_json().unwrap(), "[1.0, 2.0, 3.0]");
    let obj = registry.codec("obj").unwrap();
    assert_eq!(obj.encode(&value, &CallOptions::new()).err().unwrap().code, Status::Unsupported);
    let mut lost = Vec::new();
    let options = CallOptions::new().on_loss(&[Loss::Data, Loss::Type], |class, path, what| {
        lost.push((class, path.to_string(), what.to_string()));
    });
    obj.encode(&value, &options).unwrap();
    drop(options);
    assert!(lost.iter().any(|(class, path, _)| *class == Loss::Data && path.contains("quality")), "{:?}", lost);

    // Threads share the options, and the callback hears one loss after another.
    let mut heard = 0;
    let options = CallOptions::new().threads(2).on_loss(&[Loss::Data, Loss::Type], |_, _, _| heard += 1);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| obj.encode(&value, &options).map(|_| ()).unwrap());
        }
    });
    drop(options);
    assert_eq!(heard, 4 * lost.len());

    // How far a call is, which ends where the callback says so.
    let mut seen = Vec::new();
    let options = CallOptions::new().on_progress(|progress| {
        seen.push(progress);
        true
    });
    registry.decode_with(&source, None, &options).unwrap();
    drop(options);
    let last = seen.last().copied().unwrap();
    assert!(last.is_last && last.input == mesh.len() as u64 && last.input_size == Some(last.input), "{:?}", seen);
    let options = CallOptions::new().on_progress(|_| panic!("in progress"));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        registry.decode_with(&source, None, &options).map(|_| ())
    }));
    assert_eq!(result.unwrap_err().downcast_ref::<&str>(), Some(&"in progress"));

    // A panic of the callback comes out of the call, after the library has returned.
    let options = CallOptions::new().on_loss(&[Loss::Data], |_, _, _| panic!("in a callback"));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| obj.encode(&value, &options).map(|_| ())));
    assert_eq!(result.unwrap_err().downcast_ref::<&str>(), Some(&"in a callback"));
}

#[test]
fn handles_are_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Registry>();
    shared::<polycodec::host::Codec>();
    shared::<Source<'static>>();
    shared::<Value<'static>>();
    shared::<View<'static>>();
    shared::<CallOptions<'static>>();
    shared::<polycodec::Error>();
    fn moved<T: Send>() {}
    moved::<polycodec::host::Stream<'static>>();
    moved::<polycodec::host::StreamWriter<'static>>();
    moved::<polycodec::host::Collection<'static>>();
    shared::<polycodec::host::Encoded<'static>>();
    shared::<polycodec::host::Frames<'static>>();

    let registry = registry();
    let value = registry.decode(&Source::from_slice(MESH.as_bytes(), "mesh.ply").unwrap()).unwrap();
    let address = value.content_address(&registry, Address::Exact).unwrap();
    assert_eq!(address.len(), 64);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                assert_eq!(value.content_address(&registry, Address::Exact).as_ref(), Ok(&address));
                assert_eq!(value.clone().find("$.vertex.x").unwrap().list().unwrap().len(), 3);
            });
        }
    });
}

#[test]
fn errors_are_whole() {
    let name = "a".repeat(600);
    let value = Value::parse(&format!(r#"{{"{}": {{"b": 1}}}}"#, name)).unwrap();
    let error = value.find(&format!("$.{}.none", name)).err().unwrap();
    assert_eq!((error.code, error.path), (Status::NotFound, format!("$.{}", name)));
    let error = registry().codec(&"n".repeat(1000)).err().unwrap();
    assert!(error.message.len() > 480, "{}", error);
    let error = registry()
        .codec("msgpack-ndarray")
        .unwrap()
        .decode(&Source::from_slice(&[0xc1], "").unwrap(), &CallOptions::new());
    assert_eq!(error.err().unwrap().codec, "msgpack-ndarray");
}

#[test]
fn text_and_listings() {
    let value = parse("3 * int64", "[1, 2, 3]");
    assert_eq!(value.type_notation().unwrap(), "3 * int64");
    assert_eq!(value.to_json().unwrap().trim(), "[1, 2, 3]");
    assert_eq!(value.to_text().unwrap().trim(), r#"{"type": "3 * int64", "value": [1, 2, 3]}"#);
    let list = parse("2 * int64", r#"{"$list": [1, 2]}"#);
    assert_eq!(list.to_text().unwrap().trim(), r#"{"type": "2 * int64", "value": [1, 2]}"#);
    assert_eq!(list.to_exact_text().unwrap().trim(), r#"{"type": "2 * int64", "value": {"$list": [1, 2]}}"#);
    assert!(!value.equals(&parse("3 * int64", "[1, 2, 4]")).unwrap());
    assert!(registry().describe(Listing::Codecs).unwrap().contains("\"ply\""));
    assert!(!polycodec::host::library_version().is_empty());
    polycodec::host::trim();
}

#[test]
fn a_program_builds_values() {
    let mut wanted = Vec::new();
    let value = Value::build(|out| {
        let mut names = polycodec::plugin::Strings::new();
        for i in 0..1000 {
            wanted.push(format!("station {}", i));
            names.push(out, &wanted[i])?;
        }
        let names = out.strings(names)?;
        let half = out.parallel_for(10, 3, |_, rows| if rows.start < 6 { Ok(()) } else { Err(out_of(rows.end)) });
        assert_eq!(half.unwrap_err().message, "9");
        assert_eq!(out.lookup_type("mesh").unwrap_err().code, Status::Unsupported);
        let mut units = polycodec::plugin::Items::new();
        for text in ["units", "m"] {
            let text = out.copy_str(text)?;
            units.push(out, text)?;
        }
        let units = out.object(units)?;
        let heights = out.copy_numbers(&(0..1000).collect::<Vec<i32>>())?;
        let heights = out.with_metadata(heights, units)?;
        out.records(1000, &[("name", names), ("height", heights)])
    })
    .unwrap();
    assert_eq!(value.type_notation().unwrap(), "1000 * {name: string, height: annotated[int32, units='m']}");
    assert_eq!(value.strings("name").unwrap(), wanted);
    assert_eq!(value.numbers::<f64>("height").unwrap()[999], 999.0);
    assert_eq!(value.strings("height").err().unwrap().code, Status::Type);
    let copy = value.clone();
    drop(value);
    assert_eq!(copy.find("[1].name").unwrap().as_str(), Some("station 1"));

    let constant = Value::build(|_| Ok(polycodec::plugin::Node::str("constant")));
    assert_eq!(constant.err().unwrap().code, Status::Invalid);
    let failed = Value::build(|_| Err(out_of(1)));
    assert_eq!(failed.err().unwrap().code, Status::Malformed);
}

fn out_of(n: u64) -> polycodec::Error {
    polycodec::Error::new(Status::Malformed, n.to_string())
}

/// Bytes in reverse order.
struct Reversed;

impl polycodec::plugin::Codec for Reversed {
    const NAME: &'static str = "reversed";
    fn open(_: &polycodec::plugin::Options<'_>) -> polycodec::Result<Self> {
        Ok(Reversed)
    }
    fn decode<'a>(
        &self,
        input: &polycodec::plugin::Input<'a>,
        out: &mut polycodec::plugin::Builder<'a>,
    ) -> polycodec::Result<polycodec::plugin::Node<'a>> {
        out.copy_bytes(&input.bytes().iter().rev().copied().collect::<Vec<u8>>())
    }
    fn encode<'a>(&self, value: View<'a>, out: &mut polycodec::plugin::Output<'a>) -> polycodec::Result<()> {
        let bytes = value.as_bytes().ok_or_else(|| out_of(0))?;
        out.put(&bytes.iter().rev().copied().collect::<Vec<u8>>())
    }
}

struct First;

impl polycodec::plugin::Function for First {
    const NAME: &'static str = "own.first";
    const DOC: &'static str = "Returns the first number";
    const MIN_ARGS: u32 = 1;
    const MAX_ARGS: u32 = 2;
    fn call<'a>(
        args: polycodec::List<'a>,
        _: Option<polycodec::Object<'a>>,
        _: &mut polycodec::plugin::Builder<'a>,
    ) -> polycodec::Result<polycodec::plugin::Node<'a>> {
        let number = args.get(0).and_then(View::as_i64).ok_or_else(|| out_of(0))?;
        Ok(polycodec::plugin::Node::signed(number))
    }
}

struct Pair;

impl polycodec::plugin::NamedType for Pair {
    const NAME: &'static str = "own.pair";
    const NOTATION: &'static str = "2 * int64";
    const DOC: &'static str = "Two numbers";
}

#[test]
fn a_program_has_objects_of_its_own() {
    use polycodec::host::{Objects, RegistryOptions};
    let base = RegistryOptions::new().config(r#"{"allow_also": [["own", "first"]]}"#).open().unwrap();
    let entry = r#"{"name": "reversed", "summary": "Bytes in reverse order", "format_version": "1",
        "aliases": [], "media_types": [], "extensions": [".reversed"], "magic": [], "decode": true, "encode": true,
        "inputs": ["bytes"], "options": {"type": "object", "properties": {}, "additionalProperties": false}}"#;
    let objects = Objects::new().codec::<Reversed>(entry).function::<First>().named_type::<Pair>();
    let registry = base.with_objects(objects).unwrap();
    let value = registry.decode(&Source::from_slice(b"abc", "a.reversed").unwrap()).unwrap();
    assert_eq!(value.view().as_bytes(), Some(&b"cba"[..]));
    let codec = registry.codec("reversed").unwrap();
    assert_eq!(codec.encode(&value, &CallOptions::new()).unwrap().to_vec(), b"abc");
    let args = Value::parse("[7, 8]").unwrap();
    assert_eq!(registry.call("own.first", &args, None, &CallOptions::new()).unwrap().view().as_i64(), Some(7));
    assert!(Value::parse_as("[1, 2]", "own.pair", Some(&registry)).is_ok());
    assert_eq!(base.codec("reversed").err().unwrap().code, Status::NotFound);
    assert!(base.with_objects(Objects::new().codec::<Reversed>("{}")).is_err());
}
