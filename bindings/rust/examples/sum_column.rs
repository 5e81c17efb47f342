// SPDX-License-Identifier: MIT
//! Sums a column of a file without copying it, and converts the file.
use polycodec::host::{CallOptions, Registry, Source};

fn run(input: &str, column: &str, output: &str) -> polycodec::Result<()> {
    let registry = Registry::open()?;
    let source = Source::open(input)?;
    let value = registry.decode(&source)?;
    if let Some(numbers) = value.find(column)?.list().and_then(|list| list.numbers::<f32>()) {
        println!("{} numbers, sum {}", numbers.len(), numbers.map(f64::from).sum::<f64>());
    }
    registry.convert(&source, None, output, None, &CallOptions::new())
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.len() != 4 {
        eprintln!("usage: {} FILE COLUMN OUT", arguments[0]);
        std::process::exit(2);
    }
    if let Err(error) = run(&arguments[1], &arguments[2], &arguments[3]) {
        eprintln!("{}", error);
        std::process::exit(1);
    }
}
