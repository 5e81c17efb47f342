// SPDX-License-Identifier: MIT
//! Sends each message of standard input on to standard output, through the crate.
use polycodec::host::{Channel, Registry, Value};
use std::io::{Read, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::open()?;
    let (mut input, mut output) = (Channel::open(&registry, "")?, Channel::open(&registry, "")?);
    let (mut stdin, mut stdout) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut buffer = vec![0; 65536];
    loop {
        let n = stdin.read(&mut buffer)?;
        if n == 0 {
            break;
        }
        input.feed(&buffer[..n])?;
        while let Some(received) = input.receive()? {
            if received.control != 0 {
                continue;
            }
            let header = Value::parse(&received.header)?;
            let id = header.view().get("__meta__").and_then(|meta| meta.get("id")?.as_str()).unwrap_or_default();
            let message = output.pack(&received.value, &format!(r#"{{"id": "{id}"}}"#))?;
            stdout.write_all(&message.parts().concat().concat())?;
        }
    }
    Ok(stdout.flush()?)
}
