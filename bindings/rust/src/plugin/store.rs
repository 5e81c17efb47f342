// SPDX-License-Identifier: MIT
//! Store formats: files that hold named blobs.

use super::{Blob, Call, File, Input, Options, Sniff};
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::{Error, Result, Status};
use std::collections::HashSet;
use std::mem::size_of;
use std::os::raw::c_void;
use std::ptr;

/// An open file of a store format. Several threads use one at the same time.
///
/// It keeps what it knows of the file, and never the file: each function gets it.
pub trait Store: Sized + Send + Sync + 'static {
    /// The name of the format, as in the manifest.
    const NAME: &'static str;
    /// Whether the format has [`Store::create`].
    const CAN_CREATE: bool = false;
    /// Whether the format has [`Store::edit`].
    const CAN_EDIT: bool = false;
    /// As [`Codec::SNIFF`](super::Codec::SNIFF).
    const SNIFF: Option<fn(&Input<'_>) -> Sniff> = None;

    /// Reads what says which blobs there are.
    fn open(file: &File, options: &Options<'_>, call: &mut Call<'_>) -> Result<Self>;

    /// Returns the number of blobs, which never changes.
    fn count(&self) -> u64;

    /// Describes blob `i`, which is less than [`Store::count`].
    fn blob(&self, i: u64) -> Blob<'_>;

    /// Returns the number of the blob with this name. The default looks at one after another.
    fn find(&self, name: &str, call: &mut Call<'_>) -> Result<Option<u64>> {
        for i in 0..self.count() {
            call.charge(1)?;
            if self.blob(i).name == name {
                return Ok(Some(i));
            }
        }
        Ok(None)
    }

    /// Returns `size` bytes of blob `i` from `offset` on, fewer only at its end. Both may be any number.
    fn read<'a>(&'a self, i: u64, offset: u64, size: u64, file: &'a File, call: &mut Call<'a>) -> Result<&'a [u8]>;

    /// Begins a new store in an empty file.
    fn create(file: &mut OutputFile, options: &Options<'_>, call: &mut Call<'_>) -> Result<Box<dyn StoreWriter>> {
        let _ = (file, options, call);
        Err(Error::new(Status::Unsupported, "this store is only read: choose another store"))
    }

    /// Begins a change of the store in `file`, a private copy. What is not changed stays as it is.
    fn edit(file: &mut OutputFile, options: &Options<'_>, call: &mut Call<'_>) -> Result<(Self, Box<dyn StoreWriter>)> {
        let _ = (file, options, call);
        Err(Error::new(Status::Unsupported, "this store cannot be changed: write a new one"))
    }
}

/// What [`Store::create`] and [`Store::edit`] return: writes blobs.
pub trait StoreWriter: Send + 'static {
    /// Adds a blob, whose name is free and safe.
    fn add(&mut self, blob: Blob<'_>, content: &[u8], file: &mut OutputFile, call: &mut Call<'_>) -> Result<()>;

    /// Removes blob `i` of the store before the change.
    fn remove(&mut self, i: u64, file: &mut OutputFile, call: &mut Call<'_>) -> Result<()> {
        let _ = (i, file, call);
        Err(Error::new(Status::Unsupported, "this store cannot remove blobs: write a new one"))
    }

    /// Puts all changes in place.
    fn commit(&mut self, file: &mut OutputFile, call: &mut Call<'_>) -> Result<()>;
}

/// A file that a [`StoreWriter`] fills.
#[repr(transparent)]
pub struct OutputFile(abi::OutputFile);

impl OutputFile {
    /// # Safety
    /// The file is the host's, and nobody else uses it during `'a`.
    pub(super) unsafe fn of_raw<'a>(raw: *mut abi::OutputFile) -> &'a mut OutputFile {
        &mut *raw.cast::<OutputFile>()
    }

    /// Returns the same bytes, to read.
    pub fn file(&self) -> &File {
        // SAFETY: it lives as long as this one.
        unsafe { File::of_raw(self.0.file) }.expect("an output file has a file")
    }

    /// Writes bytes at an offset.
    pub fn write_at(&mut self, offset: u64, bytes: &[u8], call: &mut Call<'_>) -> Result<()> {
        call.charge(1 + bytes.len() as u64 / 16)?;
        let (data, size, write) = (bytes.as_ptr().cast::<c_void>(), bytes.len() as u64, self.0.write_at);
        // SAFETY: the host's file and call.
        check(|error| unsafe { write(&mut self.0, call.raw, offset, data, size, error) })
    }

    /// Cuts or extends the file to this number of bytes.
    pub fn truncate(&mut self, size: u64, call: &mut Call<'_>) -> Result<()> {
        let truncate = self.0.truncate;
        // SAFETY: as above.
        check(|error| unsafe { truncate(&mut self.0, call.raw, size, error) })
    }
}

impl std::fmt::Debug for OutputFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OutputFile")
    }
}

/// Returns whether hosts accept the name of a blob.
fn is_safe(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains(&['\0', '\\'][..]);
    name.split('/').all(is_part)
}

/// A writer with the table that hosts see, which comes first.
#[repr(C)]
pub(super) struct Writing {
    pub table: abi::StoreWriter,
    file: *mut abi::OutputFile,
    writer: Box<dyn StoreWriter>,
    names: HashSet<String>,
    blob: Option<Box<BlobSink>>,
}

/// A blob that is being written, in memory.
#[repr(C)]
struct BlobSink {
    table: abi::Sink,
    name: String,
    owner: String,
    content: Vec<u8>,
    most: u64,
    adopted: Vec<(*mut c_void, abi::Release)>,
}

impl Writing {
    /// `base` is owned: the writer releases it.
    pub unsafe fn begin(
        file: *mut abi::OutputFile,
        base: *const abi::Store,
        names: HashSet<String>,
        writer: Box<dyn StoreWriter>,
    ) -> *mut abi::StoreWriter {
        let table = abi::StoreWriter {
            struct_size: size_of::<abi::StoreWriter>() as u32,
            flags: 0,
            base,
            private_data: ptr::null_mut(),
            begin_blob,
            remove,
            commit,
            release,
        };
        Box::into_raw(Box::new(Writing { table, file, writer, names, blob: None })).cast()
    }

    /// Hands the blob that is complete to the writer.
    unsafe fn end_blob(&mut self, call: &mut Call<'_>) -> Result<()> {
        match self.blob.take() {
            None => Ok(()),
            Some(mut sink) => {
                sink.take_window();
                let blob = Blob { name: &sink.name, owner: &sink.owner, size: sink.content.len() as u64 };
                self.writer.add(blob, &sink.content, OutputFile::of_raw(self.file), call)
            }
        }
    }
}

impl BlobSink {
    /// Counts what was written through the window, which is then empty.
    unsafe fn take_window(&mut self) {
        if !self.table.cursor.is_null() {
            let written = self.table.cursor as usize - self.content.as_ptr() as usize;
            self.content.set_len(written);
        }
        self.table.limit = self.table.cursor;
    }

    unsafe fn make_room(&mut self, room: u64) -> Result<()> {
        self.take_window();
        if room > self.most - self.content.len() as u64 {
            let message =
                format!("blob of more than {} bytes exceeds max_output_bytes ({})", self.content.len(), self.most);
            return Err(Error::new(Status::Limit, message));
        }
        let no_memory = || Error::new(Status::Memory, format!("no memory for {} bytes of a blob", room));
        let room = usize::try_from(room).map_err(|_| no_memory())?;
        self.content.try_reserve(room).map_err(|_| no_memory())?;
        let end = self.content.as_mut_ptr().add(self.content.len());
        // The bytes that a writer skips are zeros.
        ptr::write_bytes(end, 0, room);
        self.table.cursor = end;
        self.table.limit = end.add(room);
        Ok(())
    }
}

unsafe extern "C" fn begin_blob(
    writer: *mut abi::StoreWriter,
    call: *mut abi::Call,
    name: Bytes,
    owner: Bytes,
    sink: *mut *mut abi::Sink,
    error: *mut abi::Error,
) -> i32 {
    super::bridge::guard(error, || {
        let writing = &mut *writer.cast::<Writing>();
        let mut call = Call::of_raw(call);
        writing.end_blob(&mut call)?;
        let text = |bytes: Bytes| String::from_utf8_lossy(bytes.as_slice()).into_owned();
        let name = text(name);
        if !is_safe(&name) || !writing.names.insert(name.clone()) {
            let message = format!("invalid name of a blob '{}': must be relative, without '..', and used once", name);
            return Err(Error::new(Status::Invalid, message));
        }
        let blob = writing.blob.insert(Box::new(BlobSink {
            table: abi::Sink {
                struct_size: size_of::<abi::Sink>() as u32,
                flags: 0,
                cursor: ptr::null_mut(),
                limit: ptr::null_mut(),
                private_data: ptr::null_mut(),
                grow,
                reference,
                expect,
                adopt,
            },
            name,
            owner: text(owner),
            content: Vec::new(),
            most: call.limits().max_output_bytes,
            adopted: Vec::new(),
        }));
        *sink = (&mut **blob as *mut BlobSink).cast();
        Ok(())
    })
}

unsafe extern "C" fn remove(
    writer: *mut abi::StoreWriter,
    call: *mut abi::Call,
    i: u64,
    _: Bytes,
    error: *mut abi::Error,
) -> i32 {
    super::bridge::guard(error, || {
        let writing = &mut *writer.cast::<Writing>();
        let mut call = Call::of_raw(call);
        writing.end_blob(&mut call)?;
        let base = super::Blobs::of_raw(writing.table.base).filter(|base| i < base.len());
        let base = base.ok_or_else(|| Error::new(Status::NotFound, format!("there is no blob {} to remove", i)))?;
        writing.names.remove(base.blob(i, &mut call)?.name);
        writing.writer.remove(i, OutputFile::of_raw(writing.file), &mut call)
    })
}

unsafe extern "C" fn commit(writer: *mut abi::StoreWriter, call: *mut abi::Call, error: *mut abi::Error) -> i32 {
    super::bridge::guard(error, || {
        let writing = &mut *writer.cast::<Writing>();
        let mut call = Call::of_raw(call);
        writing.end_blob(&mut call)?;
        writing.writer.commit(OutputFile::of_raw(writing.file), &mut call)
    })
}

unsafe extern "C" fn release(writer: *mut abi::StoreWriter) {
    let writing = Box::from_raw(writer.cast::<Writing>());
    if let Some(base) = writing.table.base.as_ref() {
        (base.release)(base);
    }
    super::bridge::drop_quietly(writing);
}

unsafe extern "C" fn grow(sink: *mut abi::Sink, need: u64, error: *mut abi::Error) -> i32 {
    super::bridge::guard(error, || {
        let sink = &mut *sink.cast::<BlobSink>();
        let left = sink.most.saturating_sub(sink.content.len() as u64);
        sink.make_room(need.max(4096.min(left)))
    })
}

unsafe extern "C" fn reference(sink: *mut abi::Sink, data: *const c_void, size: u64, error: *mut abi::Error) -> i32 {
    super::bridge::guard(error, || {
        let sink = &mut *sink.cast::<BlobSink>();
        sink.make_room(size)?;
        ptr::copy_nonoverlapping(data.cast::<u8>(), sink.table.cursor, size as usize);
        sink.table.cursor = sink.table.cursor.add(size as usize);
        Ok(())
    })
}

unsafe extern "C" fn expect(sink: *mut abi::Sink, size: u64, error: *mut abi::Error) -> i32 {
    super::bridge::guard(error, || {
        let sink = &mut *sink.cast::<BlobSink>();
        if size > sink.most {
            let message = format!("blob of {} bytes exceeds max_output_bytes ({})", size, sink.most);
            return Err(Error::new(Status::Limit, message));
        }
        Ok(())
    })
}

/// What is referenced is copied at once, so the object may go with the blob.
unsafe extern "C" fn adopt(
    sink: *mut abi::Sink,
    object: *mut c_void,
    release: abi::Release,
    _: *const Bytes,
    _: u64,
    _: *mut abi::Error,
) -> i32 {
    (*sink.cast::<BlobSink>()).adopted.push((object, release));
    abi::OK
}

impl Drop for BlobSink {
    fn drop(&mut self) {
        for (object, release) in self.adopted.drain(..) {
            if let Some(release) = release {
                // SAFETY: whoever adopted them gave the function.
                unsafe { release(object) };
            }
        }
    }
}
