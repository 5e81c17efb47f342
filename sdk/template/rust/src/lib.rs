// SPDX-License-Identifier: MIT
//! Netstrings, `5:hello,0:,`, as a list of byte strings: a working example, to be replaced by your format.
use polycodec::plugin::{Builder, Codec, Input, Items, Node, Options, Output, Reader};
use polycodec::{Error, Result, Status, View};

struct Netstrings {
    max_length: u64,
}

impl Codec for Netstrings {
    const NAME: &'static str = "@PLUGIN_ID@";

    fn open(options: &Options<'_>) -> Result<Self> {
        Ok(Netstrings { max_length: options.get("max_length").and_then(View::as_u64).unwrap_or(1 << 30) })
    }

    fn decode<'a>(&self, input: &Input<'a>, out: &mut Builder<'a>) -> Result<Node<'a>> {
        let mut items = Items::new();
        let mut reader = input.reader();
        while !reader.is_at_end() {
            items.push(out, Node::bytes(self.next(&mut reader)?))?;
        }
        Ok(out.list(items))
    }

    fn encode<'a>(&self, value: View<'a>, out: &mut Output<'a>) -> Result<()> {
        let list = value.list().filter(|_| value.metadata().is_none());
        for item in list.ok_or_else(|| unsupported("the value is no list without metadata"))? {
            let bytes = item.as_bytes().filter(|_| item.metadata().is_none());
            let bytes = bytes.ok_or_else(|| unsupported("an item is no byte string without metadata"))?;
            out.put(format!("{}:", bytes.len()).as_bytes())?;
            out.reference(bytes)?;
            out.put(b",")?;
        }
        Ok(())
    }
}

impl Netstrings {
    fn next<'a>(&self, reader: &mut Reader<'a>) -> Result<&'a [u8]> {
        let (mut length, mut digits) = (0, 0);
        loop {
            let at = reader.offset();
            match reader.u8("the length")? {
                b':' if digits > 0 => break,
                digit if digit.is_ascii_digit() && (digits == 0 || length > 0) => {
                    length = length * 10 + u64::from(digit - b'0');
                    digits += 1;
                }
                _ => return Err(Error::new(Status::Malformed, "expected a length and ':'").at(at)),
            }
            if length > self.max_length {
                return Err(Error::new(Status::Limit, "the string is longer than max_length").at(at));
            }
        }
        let bytes = reader.take(length, "the string")?;
        if reader.u8("the ','")? != b',' {
            return Err(Error::new(Status::Malformed, "expected ',' after the string").at(reader.offset() - 1));
        }
        Ok(bytes)
    }
}

fn unsupported(message: &str) -> Error {
    Error::new(Status::Unsupported, message)
}

polycodec::export_plugin! { id: "@PLUGIN_ID@", version: env!("CARGO_PKG_VERSION"), codecs: [Netstrings] }
