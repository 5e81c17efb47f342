// SPDX-License-Identifier: MIT
//! A codec in safe Rust. Each node is a tag and 8 bytes, a number or a size; then come its text or its items.
use polycodec::plugin::{Builder, Codec, Input, Items, Node, Options, Output, Reader};
use polycodec::{Data, Error, Result, Status, View};

struct Tagged;

impl Codec for Tagged {
    const NAME: &'static str = "tagged";
    fn open(_: &Options<'_>) -> Result<Self> {
        Ok(Tagged)
    }
    fn decode<'a>(&self, input: &Input<'a>, out: &mut Builder<'a>) -> Result<Node<'a>> {
        input.read_all(|reader| read(reader, out))
    }
    fn encode<'a>(&self, value: View<'a>, out: &mut Output<'a>) -> Result<()> {
        let metadata = value.metadata().map(View::from);
        let noted = value.list().and_then(|l| l.columns()).into_iter().flatten().any(|(_, c)| c.metadata().is_some());
        let (tag, word) = match value.data() {
            _ if metadata.is_some() => (b'm', 2),
            Data::Null => (b'n', 0),
            Data::Boolean(b) => (b'b', b.into()),
            Data::Signed(n) => (b'i', n as u64),
            Data::Unsigned(n) => (b'u', n),
            Data::Float32(_) | Data::Float64(_) => (b'f', value.as_f64().map_or(0, f64::to_bits)),
            Data::String(text) => (b's', text.len() as u64),
            Data::Binary(bytes) => (b'y', bytes.len() as u64),
            Data::List(_) | Data::Tuple(_) if !noted => (b'l', value.children().len() as u64),
            Data::Object(_) => (b'o', value.children().len() as u64),
            Data::Map(_) => (b'p', value.children().len() as u64),
            _ => return Err(Error::new(Status::Unsupported, "no tag for such a value, or metadata of a column")),
        };
        out.put(&[&[tag][..], &word.to_le_bytes()].concat())?;
        out.nested(|out| match (metadata, value.as_bytes()) {
            (Some(metadata), _) => [metadata, value.without_metadata()].iter().try_for_each(|&v| self.encode(v, out)),
            (None, Some(bytes)) => out.reference(bytes),
            (None, None) => value.children().try_for_each(|item| self.encode(item, out)),
        })
    }
}

fn read<'a>(r: &mut Reader<'a>, out: &mut Builder<'a>) -> Result<Node<'a>> {
    let (tag, size) = (r.u8("a tag")?, u64::from_le_bytes(r.array("a number or a size")?));
    let items = Items::build(out, if b"lopm".contains(&tag) { size } else { 0 }, |out| read(r, out))?;
    match tag {
        b'n' if size == 0 => Ok(Node::null()),
        b'b' if size < 2 => Ok(Node::boolean(size == 1)),
        b'i' => Ok(Node::signed(size as i64)),
        b'u' => Ok(Node::unsigned(size)),
        b'f' => Ok(Node::float(f64::from_bits(size))),
        b's' => r.text(size, "text").map(Node::str),
        b'y' => r.take(size, "bytes").map(Node::bytes),
        b'l' => Ok(out.list(items)),
        b'o' => out.object(items),
        b'p' => out.map(items),
        b'm' if size == 2 => out.with_metadata(items.as_slice()[1], items.as_slice()[0]),
        _ => Err(r.error(Status::Malformed, format!("invalid tag {} with {}: must be one of nbiufsylopm", tag, size))),
    }
}
polycodec::export_plugin! { id: "tagged", version: "0.1.0", codecs: [Tagged] }
