// SPDX-License-Identifier: MIT
//! A plugin with each kind of object, and with each kind of column.
use polycodec::plugin::{Blob, Blobs, Builder, ByteOrder, Call, Codec, Element, File, Filter, Function, Input, Items};
use polycodec::plugin::{NamedType, Node, Options, Output, OutputFile, Parts, Pieces, Reader, Step, Store};
use polycodec::plugin::{StoreWriter, StreamReader, StreamWriter};
use polycodec::{Error, List, Object, Result, Status, View};

/// `SRV1`, a unit of 4 bytes, and the number of rows. Each row has a value, whether it is there, whether it was checked, a
/// station of 4 bytes, a position of 3 numbers and the size of its note. All notes come last.
struct Survey;

const HEADER: usize = 12;
const ROW: usize = 28;

fn unsupported<T>(what: &str) -> Result<T> {
    Err(Error::new(Status::Unsupported, format!("{}: expected a table as this codec decodes it", what)))
}

fn read<'a>(r: &mut Reader<'a>, out: &mut Builder<'a>) -> Result<Node<'a>> {
    if r.take(4, "the magic number")? != b"SRV1" {
        return Err(Error::new(Status::Malformed, "expected 'SRV1'").at(0));
    }
    let unit = r.text(4, "the unit")?.trim_end_matches('\0');
    let n = u64::from(u32::from_le_bytes(r.array("the number of rows")?));
    let (start, rows) = (r.offset(), r.take(n * ROW as u64, "the rows")?);
    out.charge(n)?;
    let (mut present, mut offsets) = (Vec::new(), vec![0]);
    for (i, row) in rows.chunks_exact(ROW).enumerate() {
        if row[8] > 1 || row[9] > 1 {
            return Err(Error::new(Status::Malformed, "a mark is neither 0 nor 1").at(start + (i * ROW + 8) as u64));
        }
        present.push(row[8] == 1);
        offsets.push(offsets[i] + u64::from(u16::from_le_bytes([row[26], row[27]])));
    }
    let notes = r.text(offsets[offsets.len() - 1], "the notes")?;

    let step = ROW as i64;
    let order = ByteOrder::Little;
    let value = out.strided(rows, 0, Element::of::<f64>(), order, &[n], &[step])?;
    let mut units = Items::new();
    units.push(out, Node::str("units"))?;
    units.push(out, Node::str(unit))?;
    let (value, units) = (out.optional(value, &present)?, out.object(units)?);
    let value = out.with_metadata(value, units)?;
    let checked = out.strided(rows, 9, Element::BOOLEAN, order, &[n], &[step])?;
    let station = out.strided(rows, 10, Element::fixed_utf8(4), order, &[n], &[step])?;
    let position = out.strided(rows, 14, Element::of::<f32>(), order, &[n, 3], &[step, 4])?;
    let note = out.strings_at(notes, &offsets)?;
    let columns =
        [("value", value), ("checked", checked), ("station", station), ("position", position), ("note", note)];
    out.records(n, &columns)
}

fn write<'a>(value: View<'a>, out: &mut Output<'a>) -> Result<()> {
    let rows = value.list().filter(|_| value.metadata().is_none());
    // Of the columns only the first has metadata, which is its unit.
    let names: Option<Vec<&str>> = rows
        .and_then(|rows| rows.columns())
        .filter(|_| rows.iter().flat_map(|rows| rows.columns()).flatten().skip(1).all(|(_, c)| c.metadata().is_none()))
        .map(|columns| columns.map(|(name, _)| name).collect());
    let (rows, unit) = match (rows, names.as_deref(), value.get("value").and_then(View::metadata)) {
        (Some(rows), Some(["value", "checked", "station", "position", "note"]), Some(metadata))
            if metadata.len() == 1 =>
        {
            (rows, metadata.get("units").and_then(View::as_str))
        }
        _ => return unsupported("it is another value"),
    };
    let unit =
        unit.filter(|unit| unit.len() <= 4 && !unit.ends_with('\0')).map_or_else(|| unsupported("the unit"), Ok)?;
    let n = u32::try_from(rows.len()).map_or_else(|_| unsupported("too many rows"), Ok)?;
    let mut header = *b"SRV1\0\0\0\0\0\0\0\0";
    header[4..4 + unit.len()].copy_from_slice(unit.as_bytes());
    header[8..].copy_from_slice(&n.to_le_bytes());
    out.put(&header)?;
    for row in rows {
        out.put(&write_row(row).map_or_else(|| unsupported("a row"), Ok)?)?;
    }
    for row in rows {
        out.put(row.get("note").and_then(View::as_bytes).unwrap_or(b""))?;
    }
    Ok(())
}

fn write_row(row: View<'_>) -> Option<[u8; ROW]> {
    let mut bytes = [0; ROW];
    let value = row.get("value")?;
    if !value.is_null() {
        bytes[..8].copy_from_slice(&value.as_f64()?.to_le_bytes());
        bytes[8] = 1;
    }
    bytes[9] = row.get("checked")?.as_bool()?.into();
    let station = row.get("station")?.as_str()?;
    bytes[10..14].get_mut(..station.len())?.copy_from_slice(station.as_bytes());
    let position = row.get("position")?.list()?;
    if position.len() != 3 {
        return None;
    }
    for (i, number) in position.numbers::<f32>()?.enumerate() {
        bytes[14 + 4 * i..18 + 4 * i].copy_from_slice(&number.to_le_bytes());
    }
    let size = u16::try_from(row.get("note")?.as_str()?.len()).ok()?;
    bytes[26..].copy_from_slice(&size.to_le_bytes());
    Some(bytes)
}

impl Codec for Survey {
    const NAME: &'static str = "survey";
    const CAN_READ_STREAM: bool = true;
    const CAN_WRITE_STREAM: bool = true;
    fn open(_: &Options<'_>) -> Result<Self> {
        Ok(Survey)
    }
    fn decode<'a>(&self, input: &Input<'a>, out: &mut Builder<'a>) -> Result<Node<'a>> {
        input.read_all(|reader| read(reader, out))
    }
    fn encode<'a>(&self, value: View<'a>, out: &mut Output<'a>) -> Result<()> {
        write(value, out)
    }
    fn open_reader(&self) -> Result<Box<dyn StreamReader>> {
        Ok(Box::new(Survey))
    }
    fn open_writer(&self) -> Result<Box<dyn StreamWriter>> {
        Ok(Box::new(Survey))
    }
}

impl StreamReader for Survey {
    fn next<'a>(&mut self, step: &mut Step<'a>, out: &mut Builder<'a>) -> Result<Option<Node<'a>>> {
        if step.bytes().is_empty() && step.is_last() {
            return Ok(None);
        }
        let mut reader = Reader::new(step.bytes());
        match read(&mut reader, out) {
            Err(error) if error.code == Status::Truncated && !step.is_last() => {
                step.want(step.bytes().len().max(HEADER) as u64 + 1);
                Ok(None)
            }
            read => {
                step.consume(reader.offset());
                read.map(Some)
            }
        }
    }
}

impl StreamWriter for Survey {
    fn append<'a>(&mut self, value: View<'a>, out: &mut Output<'a>) -> Result<()> {
        write(value, out)
    }
}

/// Reads no more of a file than is wanted.
struct Floats;

impl Codec for Floats {
    const NAME: &'static str = "survey-floats";
    const CAN_ENCODE: bool = false;
    const INPUTS: Parts = Parts::FILE;
    fn open(_: &Options<'_>) -> Result<Self> {
        Ok(Floats)
    }
    fn decode<'a>(&self, input: &Input<'a>, out: &mut Builder<'a>) -> Result<Node<'a>> {
        let file = input.file().map_or_else(|| unsupported("there is no file"), Ok)?;
        let size = file.size(out)?;
        if size % 4 != 0 {
            return Err(Error::new(Status::Truncated, "the last number is not complete").at(size));
        }
        let rows = if out.wanted_paths().is_empty() { out.wanted_rows().min(size / 4) } else { size / 4 };
        let bytes = file.view(0, rows * 4, out)?;
        out.array(bytes, Element::of::<f32>(), ByteOrder::Little, &[bytes.len() as u64 / 4])
    }
}

/// An object of byte strings, each in a blob. The blobs of a named value are in a directory.
struct Blobwise;

impl Codec for Blobwise {
    const NAME: &'static str = "survey-parts";
    const CAN_LIST: bool = true;
    const INPUTS: Parts = Parts::STORE;
    const OUTPUTS: Parts = Parts::STORE;
    fn open(_: &Options<'_>) -> Result<Self> {
        Ok(Blobwise)
    }
    fn decode<'a>(&self, input: &Input<'a>, out: &mut Builder<'a>) -> Result<Node<'a>> {
        let blobs = input.blobs().map_or_else(|| unsupported("there is no store"), Ok)?;
        let directory = if input.member().is_empty() { String::new() } else { format!("{}/", input.member()) };
        let mut members = Items::new();
        for i in 0..blobs.len() {
            if let Some(name) = blobs.blob(i, out)?.name.strip_prefix(&directory) {
                members.push(out, Node::str(name))?;
                let bytes = blobs.read(i, 0, u64::MAX, out)?;
                members.push(out, Node::bytes(bytes))?;
            }
        }
        out.object(members)
    }
    fn encode<'a>(&self, value: View<'a>, out: &mut Output<'a>) -> Result<()> {
        let members = value.object().filter(|_| value.metadata().is_none());
        for (name, part) in members.map_or_else(|| unsupported("it is no object"), Ok)?.iter() {
            let bytes = match part.data() {
                polycodec::Data::Binary(bytes) if part.metadata().is_none() => bytes,
                _ => return unsupported("a member is no byte string"),
            };
            let blob = if out.member().is_empty() { name.to_string() } else { format!("{}/{}", out.member(), name) };
            out.blob(&blob, |out| out.reference(bytes))?;
        }
        Ok(())
    }
    fn list<'a>(&self, blobs: &'a Blobs, out: &mut Builder<'a>) -> Result<Node<'a>> {
        let mut members = Items::new();
        let mut i = 0;
        while i < blobs.len() {
            let name = blobs.blob(i, out)?.name;
            let directory = name.split('/').next().filter(|directory| directory.len() < name.len());
            let mut parts = Items::new();
            while i < blobs.len() {
                let blob = blobs.blob(i, out)?;
                if directory.map_or(blob.name != name, |directory| !blob.name.starts_with(&format!("{}/", directory))) {
                    break;
                }
                let mut part = Items::new();
                for node in [Node::str("name"), Node::str(blob.name), Node::str("bytes"), Node::unsigned(blob.size)] {
                    part.push(out, node)?;
                }
                let part = out.object(part)?;
                parts.push(out, part)?;
                i += 1;
            }
            let (mut value, parts) = (Items::new(), out.list(parts));
            value.push(out, Node::str("blobs"))?;
            value.push(out, parts)?;
            members.push(out, Node::str(directory.unwrap_or(name)))?;
            let value = out.object(value)?;
            members.push(out, value)?;
        }
        out.object(members)
    }
}

/// The number of bytes, and pairs of a number and a byte.
struct Runs;

impl Filter for Runs {
    const NAME: &'static str = "survey-runs";
    fn open(_: &Options<'_>) -> Result<Self> {
        Ok(Runs)
    }
    fn encode<'a>(&self, pieces: Pieces<'a>, out: &mut Output<'a>) -> Result<()> {
        let bytes = pieces.contiguous(out)?;
        out.put(&pieces.size().to_le_bytes())?;
        let mut i = 0;
        while i < bytes.len() {
            let n = bytes[i..].iter().take(255).take_while(|&&byte| byte == bytes[i]).count();
            out.charge(n as u64 / 16)?;
            out.put(&[n as u8, bytes[i]])?;
            i += n;
        }
        Ok(())
    }
    fn decode<'a>(&self, bytes: &'a [u8], _: Option<u64>, out: &mut Output<'a>) -> Result<()> {
        let mut reader = Reader::new(bytes);
        let size = u64::from_le_bytes(reader.array("the number of bytes")?);
        while out.position() < size {
            let n = u64::from(reader.u8("a number")?);
            if n == 0 || n > size - out.position() {
                let message = format!("a run of {} bytes: expected 1 to {}", n, size - out.position());
                return Err(Error::new(Status::Malformed, message).at(reader.offset() - 1));
            }
            out.put(reader.take(1, "a byte")?)?;
            out.repeat(1, n - 1)?;
        }
        reader.finish()
    }
    fn decoded_size(&self, bytes: &[u8], _: &mut Call<'_>) -> Result<Option<u64>> {
        Ok(Reader::new(bytes).array("the number of bytes").ok().map(u64::from_le_bytes))
    }
}

/// Blobs one after another, each after a line `SIZE NAME`.
struct BlobBox(Vec<(String, u64, u64)>);

impl Store for BlobBox {
    const NAME: &'static str = "survey-box";
    const CAN_CREATE: bool = true;
    const CAN_EDIT: bool = true;
    fn open(file: &File, _: &Options<'_>, call: &mut Call<'_>) -> Result<Self> {
        let (size, mut at, mut blobs) = (file.size(call)?, 0, Vec::new());
        while at < size {
            let line = file.view(at, 300, call)?;
            call.charge(2 + line.len() as u64 / 16)?;
            let malformed = || Error::new(Status::Malformed, "expected a line with a size and a name").at(at);
            let line = &line[..line.iter().position(|&byte| byte == b'\n').ok_or_else(malformed)?];
            let (n, name) =
                std::str::from_utf8(line).ok().and_then(|line| line.split_once(' ')).ok_or_else(malformed)?;
            let n: u64 = n.parse().map_err(|_| malformed())?;
            let start = at + line.len() as u64 + 1;
            at = start.checked_add(n).filter(|&end| end <= size).ok_or_else(|| {
                Error::new(Status::Truncated, format!("the blob '{}' has {} bytes, {} are left", name, n, size - start))
                    .at(size)
            })?;
            if blobs.len() as u64 >= call.max_elements() {
                return Err(Error::new(Status::Limit, format!("{} blobs exceed max_elements", blobs.len() + 1)));
            }
            blobs.push((name.to_string(), start, n));
        }
        Ok(BlobBox(blobs))
    }
    fn count(&self) -> u64 {
        self.0.len() as u64
    }
    fn blob(&self, i: u64) -> Blob<'_> {
        let (name, _, size) = &self.0[i as usize];
        Blob { name, owner: "", size: *size }
    }
    fn read<'a>(&'a self, i: u64, offset: u64, size: u64, file: &'a File, call: &mut Call<'a>) -> Result<&'a [u8]> {
        let (_, start, all) = self.0[i as usize];
        let offset = offset.min(all);
        file.view(start + offset, size.min(all - offset), call)
    }
    fn create(_: &mut OutputFile, _: &Options<'_>, _: &mut Call<'_>) -> Result<Box<dyn StoreWriter>> {
        Ok(Box::new(BoxWriter { kept: Vec::new(), added: Vec::new() }))
    }
    fn edit(file: &mut OutputFile, options: &Options<'_>, call: &mut Call<'_>) -> Result<(Self, Box<dyn StoreWriter>)> {
        let store = BlobBox::open(file.file(), options, call)?;
        let mut kept = Vec::new();
        for (name, start, size) in &store.0 {
            kept.push(Some(entry(name, file.file().view(*start, *size, call)?)?));
        }
        Ok((store, Box::new(BoxWriter { kept, added: Vec::new() })))
    }
}

fn entry(name: &str, content: &[u8]) -> Result<Vec<u8>> {
    if name.len() > 200 || name.contains('\n') {
        return Err(Error::new(
            Status::Unsupported,
            format!("the name '{}' has more than 200 bytes or a newline", name),
        ));
    }
    Ok([format!("{} {}\n", content.len(), name).as_bytes(), content].concat())
}

/// Writes all blobs at the end.
struct BoxWriter {
    kept: Vec<Option<Vec<u8>>>,
    added: Vec<u8>,
}

impl StoreWriter for BoxWriter {
    fn add(&mut self, blob: Blob<'_>, content: &[u8], _: &mut OutputFile, call: &mut Call<'_>) -> Result<()> {
        call.charge(content.len() as u64 / 16)?;
        self.added.extend_from_slice(&entry(blob.name, content)?);
        Ok(())
    }
    fn remove(&mut self, i: u64, _: &mut OutputFile, _: &mut Call<'_>) -> Result<()> {
        self.kept[i as usize] = None;
        Ok(())
    }
    fn commit(&mut self, file: &mut OutputFile, call: &mut Call<'_>) -> Result<()> {
        let mut at = 0;
        for part in self.kept.iter().flatten().chain([&self.added]) {
            file.write_at(at, part, call)?;
            at += part.len() as u64;
        }
        file.truncate(at, call)
    }
}

/// The sum of numbers.
struct Total;

impl Function for Total {
    const NAME: &'static str = "survey.total";
    const DOC: &'static str = "Returns the sum of a list of numbers";
    const MIN_ARGS: u32 = 1;
    const MAX_ARGS: u32 = 1;
    fn call<'a>(args: List<'a>, _: Option<Object<'a>>, out: &mut Builder<'a>) -> Result<Node<'a>> {
        let numbers = args.get(0).and_then(View::list);
        let numbers = numbers.ok_or_else(|| Error::new(Status::Type, "the argument is no list: expected numbers"))?;
        out.charge(numbers.len() as u64)?;
        let sum = numbers.iter().map(View::as_f64).sum::<Option<f64>>();
        sum.map(Node::float).ok_or_else(|| Error::new(Status::Type, "an item is no number"))
    }
}

/// Calls the other function through the host, as far as the allowlist allows.
struct Mean;

impl Function for Mean {
    const NAME: &'static str = "survey.mean";
    const DOC: &'static str = "Returns the mean of the given numbers";
    const MIN_ARGS: u32 = 1;
    const MAX_ARGS: u32 = u32::MAX;
    fn call<'a>(args: List<'a>, _: Option<Object<'a>>, out: &mut Builder<'a>) -> Result<Node<'a>> {
        let (mut numbers, mut list) = (polycodec::plugin::Numbers::<f64>::new(), Items::new());
        for argument in args {
            let number = argument.as_f64().ok_or_else(|| Error::new(Status::Type, "an argument is no number"))?;
            numbers.push(out, number)?;
        }
        let numbers = out.numbers(numbers)?;
        list.push(out, numbers)?;
        let list = out.list(list);
        let total = out.call_function("survey.total", list, None)?;
        let total = out.view(total)?.as_f64().unwrap_or(f64::NAN);
        Ok(Node::float(total / args.len() as f64))
    }
}

struct Point;

impl NamedType for Point {
    const NAME: &'static str = "survey.point";
    const NOTATION: &'static str = "{x: float64, y: float64}";
    const DOC: &'static str = "A point of the plane";
}

polycodec::export_plugin! {
    id: "survey",
    version: "0.1.0",
    codecs: [Survey, Floats, Blobwise],
    filters: [Runs],
    stores: [BlobBox],
    functions: [Total, Mean],
    types: [Point],
}
