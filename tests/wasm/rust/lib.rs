// SPDX-License-Identifier: MIT
//! What passes structs between a module in Rust and the host, and what ends a call.
use polycodec::plugin::{Builder, Codec, Filter, Input, Node, Options, Output, Pieces};
use polycodec::{Error, Result, Status};

struct Ends;

impl Codec for Ends {
    const NAME: &'static str = "test.rust";
    const CAN_ENCODE: bool = false;

    fn open(_: &Options<'_>) -> Result<Self> {
        Ok(Ends)
    }

    fn decode<'a>(&self, input: &Input<'a>, _: &mut Builder<'a>) -> Result<Node<'a>> {
        match input.bytes() {
            // Longer than its struct has room for.
            b"error" => Err(Error::new(Status::Malformed, "long ".repeat(200) + "message")),
            bytes => Ok(Node::unsigned(u64::from(bytes[1000]))),
        }
    }
}

struct Reversed;

impl Filter for Reversed {
    const NAME: &'static str = "test.reversed";

    fn open(_: &Options<'_>) -> Result<Self> {
        Ok(Reversed)
    }

    fn encode<'a>(&self, pieces: Pieces<'a>, out: &mut Output<'a>) -> Result<()> {
        let mut bytes = pieces.contiguous(out)?.to_vec();
        bytes.reverse();
        if bytes.starts_with(b"moor") {
            // More than a module can address.
            return out.put_with((1 << 32) + 5, |window| Ok(window.len()));
        }
        out.put(&bytes)
    }

    fn decode<'a>(&self, bytes: &'a [u8], _: Option<u64>, out: &mut Output<'a>) -> Result<()> {
        let mut bytes = bytes.to_vec();
        bytes.reverse();
        out.put(&bytes)
    }
}

polycodec::export_plugin! { id: "test.rust", version: "0.1.0", codecs: [Ends], filters: [Reversed] }
