// SPDX-License-Identifier: MIT
//! A codec whose value has each kind of node and column that a builder makes. For tests/plugins.rs.
use polycodec::plugin::{Builder, ByteOrder, Codec, Element, Input, Items, Node, Numbers, Options, Strings};
use polycodec::{Error, Result, Status, Time, TimeUnit};

struct Columns;

impl Codec for Columns {
    const NAME: &'static str = "columns";
    const CAN_ENCODE: bool = false;

    fn open(_: &Options<'_>) -> Result<Self> {
        Ok(Columns)
    }

    fn decode<'a>(&self, input: &Input<'a>, out: &mut Builder<'a>) -> Result<Node<'a>> {
        let bytes = input.bytes();
        match bytes {
            b"all" => all(out),
            b"threads" => threads(out),
            b"wide" => out.array(bytes, Element::of::<f64>(), ByteOrder::Little, &[1]),
            b"far" => out.strided(bytes, 2, Element::of::<u8>(), ByteOrder::Little, &[3], &[-1]),
            b"near" => out.strided(bytes, 2, Element::of::<u8>(), ByteOrder::Little, &[4], &[-1]),
            b"boolean" => out.array(bytes, Element::BOOLEAN, ByteOrder::Little, &[7]),
            b"\xff\xff" => out.array(bytes, Element::fixed_utf8(1), ByteOrder::Little, &[2]),
            b"\xd8\0" => out.array(bytes, Element::fixed_utf16(2), ByteOrder::Big, &[1]),
            b"\0\x11\0\0" => out.array(bytes, Element::fixed_utf32(4), ByteOrder::Big, &[1]),
            b"offsets" => out.byte_strings_at(bytes, &[0, 3, 2]),
            b"beyond" => out.byte_strings_at(bytes, &[0, 7]),
            b"half" => out.strings_at("\u{e9}", &[0, 1]),
            b"index" => {
                let items = out.copy_numbers(&[1u8])?;
                out.indexed(items, &[0, 1])
            }
            b"marks" => {
                let items = out.copy_numbers(&[1u8])?;
                out.optional(items, &[true, false])
            }
            b"lists" => {
                let items = out.copy_numbers(&[1u8, 2, 3])?;
                out.fixed_lists(items, 2, 2)
            }
            b"node" => out.records(1, &[("a", Node::null())]),
            b"lengths" => {
                let items = out.copy_numbers(&[1u8])?;
                out.records(2, &[("a", items)])
            }
            b"twice" => {
                let (first, second) = (out.object(Items::new())?, out.object(Items::new())?);
                let items = out.copy_numbers(&[1u8])?;
                let items = out.with_metadata(items, first)?;
                out.with_metadata(items, second)
            }
            _ => Err(Error::new(Status::Malformed, "no such value")),
        }
    }
}

fn all<'a>(out: &mut Builder<'a>) -> Result<Node<'a>> {
    let mut members = Items::new();
    let mut add = |out: &mut Builder<'a>, name: &'static str, node: Node<'a>| -> Result<()> {
        members.push(out, Node::str(name))?;
        members.push(out, node)
    };
    for (name, node) in [
        ("int8", out.number(-1i8)?),
        ("uint16", out.number(65535u16)?),
        ("float32", out.number(0.5f32)?),
        ("int128", out.number(-1i128)?),
        ("copied", out.copy_str("text")?),
        ("tagged", out.tagged(1, Node::boolean(true))?),
        ("extension", out.extension("columns.own", Node::null())?),
        ("booleans", out.copy_booleans(&[true, false])?),
        ("times", out.array(&[1, 0, 0, 0, 0, 0, 0, 0], Element::timestamp(TimeUnit::Day), ByteOrder::Little, &[1])?),
        ("duration", out.duration(Time { count: 2, nanoseconds: 0, unit: TimeUnit::Second })?),
        ("bytes", out.array(b"abcd", Element::fixed_bytes(2), ByteOrder::Little, &[2])?),
        ("halves", out.array(&[0, 0x3c], Element::FLOAT16, ByteOrder::Little, &[1])?),
        ("complex", out.array(&[0; 8], Element::COMPLEX64, ByteOrder::Little, &[1])?),
        ("text", out.byte_strings_at(b"abc", &[0, 1, 3])?),
    ] {
        add(out, name, node)?;
    }
    let mut numbers = Numbers::new();
    let mut strings = Strings::new();
    for i in 0..100u16 {
        numbers.push(out, i)?;
        strings.push(out, if i % 2 == 0 { "even" } else { "" })?;
    }
    let none = out.strings(Strings::new())?;
    let (numbers, strings) = (out.numbers(numbers)?, out.strings(strings)?);
    let lists = out.lists(numbers, &[0, 0, 98, 100])?;
    let pairs = out.fixed_lists(numbers, 2, 50)?;
    let chosen = out.indexed(strings, &[1, -1, 98])?;
    let some = out.optional(chosen, &[true, true, false])?;
    let chunked = out.chunked(&[lists, lists])?;
    let mut items = Items::new();
    items.push(out, Node::null())?;
    items.push(out, Node::signed(1))?;
    items.push(out, Node::str("x"))?;
    let documents = out.documents(items)?;
    let rows = out.records(3, &[("list", lists), ("some", some), ("any", documents)])?;
    for (name, node) in [("none", none), ("pairs", pairs), ("chunked", chunked), ("rows", rows)] {
        add(out, name, node)?;
    }
    out.object(members)
}

/// The sums of parts that several threads may make.
fn threads<'a>(out: &mut Builder<'a>) -> Result<Node<'a>> {
    let sum = std::sync::atomic::AtomicU64::new(u64::from(out.threads().min(1)) - 1);
    out.parallel_for(1000, 10, |out, rows| {
        out.charge(rows.end - rows.start)?;
        sum.fetch_add(rows.sum(), std::sync::atomic::Ordering::Relaxed);
        Ok(())
    })?;
    let failed = out.parallel_for(10, 1, |_, rows| match rows.start {
        0..=3 => Ok(()),
        at => Err(Error::new(Status::Malformed, format!("part {}", at))),
    });
    let message = failed.err().map_or_else(String::new, |error| error.message);
    let mut items = Items::new();
    items.push(out, Node::unsigned(sum.into_inner()))?;
    let message = out.copy_str(&message)?;
    items.push(out, message)?;
    Ok(out.list(items))
}

polycodec::export_plugin! { id: "columns", version: "0.1.0", codecs: [Columns] }
