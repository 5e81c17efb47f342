// SPDX-License-Identifier: MIT
//! A codec that panics where its input says so. Tests load it.
use polycodec::plugin::{Builder, Codec, Input, Node, Options, Output, Sniff};
use polycodec::{Result, View};

struct Panicking;

impl Codec for Panicking {
    const NAME: &'static str = "panicking";
    const SNIFF: Option<fn(&Input<'_>) -> Sniff> = Some(|input| match input.bytes() {
        b"panic in sniff" => panic!("sniffed"),
        bytes if bytes.starts_with(b"panic") => Sniff::new(80, "'panic'"),
        _ => Sniff::new(0, ""),
    });

    fn open(options: &Options<'_>) -> Result<Self> {
        assert!(options.get("fail").is_none(), "opened with fail");
        Ok(Panicking)
    }

    fn decode<'a>(&self, input: &Input<'a>, out: &mut Builder<'a>) -> Result<Node<'a>> {
        match input.bytes() {
            b"panic with an object" => std::panic::panic_any(PanicsAgain),
            b"panic in a loop" => loop {
                out.charge(1000)?;
            },
            b"panic by recursion" => recurse(out),
            bytes => Ok(Node::unsigned(u64::from(bytes[1000]))),
        }
    }

    fn encode<'a>(&self, value: View<'a>, _: &mut Output<'a>) -> Result<()> {
        panic!("encoded {:?}", value.as_i64())
    }
}

impl Drop for Panicking {
    fn drop(&mut self) {
        panic!("released");
    }
}

struct PanicsAgain;

impl Drop for PanicsAgain {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

fn recurse<'a>(out: &mut Builder<'a>) -> Result<Node<'a>> {
    out.nested(recurse)
}

polycodec::export_plugin! { id: "panicking", version: "0.1.0", codecs: [Panicking] }
