// SPDX-License-Identifier: MIT
//! Values one after another.

use super::sink::Sink;
use super::{path_bytes, sys, CallOptions, Codec, Encoded, Source, Value};
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::Result;
use std::mem::size_of;
use std::os::unix::io::{AsRawFd, BorrowedFd};
use std::path::Path;
use std::ptr;

/// Values of a codec that follow each other in one input, as an iterator. After an error it is lost.
///
/// A stream of fed bytes also returns `None` where more bytes must be fed first.
pub struct Stream<'c> {
    raw: *mut sys::Stream,
    position: u64,
    // The library has their address.
    options: Box<CallOptions<'c>>,
}

// SAFETY: calls for one stream must not overlap, and need no thread of their own.
unsafe impl Send for Stream<'_> {}

impl Codec {
    /// Opens a stream of the bytes that [`Stream::feed`] gives.
    pub fn stream<'c>(&self, options: CallOptions<'c>) -> Result<Stream<'c>> {
        self.open_stream(sys::STREAM_FED, ptr::null(), -1, options)
    }

    /// Opens a stream of the bytes of a source. Values are copied from it, so memory is bounded by the largest one.
    pub fn stream_of<'c>(&self, source: &Source<'c>, options: CallOptions<'c>) -> Result<Stream<'c>> {
        self.open_stream(sys::STREAM_SOURCE, source.raw, -1, options)
    }

    /// Opens a stream of what comes from a descriptor, such as a pipe. A value does not wait for the next one.
    pub fn stream_from<'c>(&self, input: BorrowedFd<'c>, options: CallOptions<'c>) -> Result<Stream<'c>> {
        self.open_stream(sys::STREAM_DESCRIPTOR, ptr::null(), input.as_raw_fd(), options)
    }

    fn open_stream<'c>(
        &self,
        from: i32,
        source: *const sys::Source,
        descriptor: i32,
        options: CallOptions<'c>,
    ) -> Result<Stream<'c>> {
        let mut stream = Stream { raw: ptr::null_mut(), position: 0, options: Box::new(options) };
        let raw: *mut *mut sys::Stream = &mut stream.raw;
        let input = sys::StreamOptions {
            struct_size: size_of::<sys::StreamOptions>() as u32,
            from,
            source,
            file: ptr::null(),
            descriptor,
            reserved: 0,
        };
        // SAFETY: the handles are good during the call; bytes and descriptor live as long as the stream.
        stream.options.run(|call, error| unsafe { sys::polycodec_stream_open(self.raw, &input, call, raw, error) })?;
        Ok(stream)
    }

    /// Opens a writer of values one after another.
    pub fn stream_writer<'c>(&self, options: CallOptions<'c>) -> Result<StreamWriter<'c>> {
        self.open_writer(Bytes::EMPTY, options)
    }

    /// Opens a writer of a file, which [`FileWriter::finish`] replaces.
    pub fn stream_file<'c>(&self, path: impl AsRef<Path>, options: CallOptions<'c>) -> Result<FileWriter<'c>> {
        Ok(FileWriter { writer: self.open_writer(path_bytes(path.as_ref()), options)? })
    }

    fn open_writer<'c>(&self, path: Bytes, options: CallOptions<'c>) -> Result<StreamWriter<'c>> {
        let mut writer = StreamWriter { raw: ptr::null_mut(), options: Box::new(options) };
        let raw: *mut *mut sys::StreamWriter = &mut writer.raw;
        // SAFETY: the codec is good during the call.
        writer.options.run(|call, error| unsafe {
            sys::polycodec_stream_writer_open(self.raw, path, ptr::null(), call, raw, error)
        })?;
        Ok(writer)
    }
}

impl Stream<'_> {
    /// Takes a copy of bytes of any number.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<()> {
        // SAFETY: the handle is good, and nobody else calls it.
        check(|error| unsafe { sys::polycodec_stream_feed(self.raw, Bytes::of(bytes), 0, error) })
    }

    /// Says that no more bytes will be fed.
    pub fn end(&mut self) -> Result<()> {
        // SAFETY: as above.
        check(|error| unsafe { sys::polycodec_stream_feed(self.raw, Bytes::EMPTY, 1, error) })
    }

    /// Returns where the next value begins, in bytes since the start of the stream.
    pub fn position(&self) -> u64 {
        self.position
    }
}

impl Iterator for Stream<'_> {
    type Item = Result<Value<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut raw = ptr::null_mut();
        // SAFETY: as above. The value keeps copies of the bytes.
        let result =
            check(|error| unsafe { sys::polycodec_stream_next(self.raw, &mut raw, &mut self.position, error) });
        match self.options.finish(result) {
            Err(error) => Some(Err(error)),
            Ok(()) if raw.is_null() => None,
            Ok(()) => Some(Ok(Value::of_raw(raw))),
        }
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        // SAFETY: made by polycodec_stream_open() and its kind, or NULL.
        unsafe { sys::polycodec_stream_free(self.raw) }
    }
}

/// Encodes values one after another, with what they share. After an error it is lost.
pub struct StreamWriter<'c> {
    raw: *mut sys::StreamWriter,
    options: Box<CallOptions<'c>>,
}

// SAFETY: as for streams.
unsafe impl Send for StreamWriter<'_> {}

impl StreamWriter<'_> {
    /// Encodes the next value. Large arrays are not copied.
    pub fn append<'a>(&mut self, value: &Value<'a>) -> Result<Encoded<'a>> {
        let sink = Sink::new(0)?;
        self.append_to(value, sink.0)?;
        Encoded::of_sink(sink)
    }

    /// Encodes what ends the stream.
    pub fn finish(self) -> Result<Encoded<'static>> {
        let sink = Sink::new(0)?;
        self.finish_to(sink.0)?;
        Encoded::of_sink(sink)
    }

    fn append_to(&self, value: &Value<'_>, sink: *mut abi::Sink) -> Result<()> {
        // SAFETY: the handles are good; the sink keeps the value.
        self.options
            .finish(check(|error| unsafe { sys::polycodec_stream_writer_append(self.raw, value.raw, sink, error) }))
    }

    fn finish_to(&self, sink: *mut abi::Sink) -> Result<()> {
        // SAFETY: as above.
        self.options.finish(check(|error| unsafe { sys::polycodec_stream_writer_finish(self.raw, sink, error) }))
    }
}

impl Drop for StreamWriter<'_> {
    fn drop(&mut self) {
        // SAFETY: made by polycodec_stream_writer_open(), or NULL.
        unsafe { sys::polycodec_stream_writer_free(self.raw) }
    }
}

/// Writes values one after another to a file. Without [`FileWriter::finish`] the file stays as it was.
pub struct FileWriter<'c> {
    writer: StreamWriter<'c>,
}

impl FileWriter<'_> {
    /// Writes the next value.
    pub fn append(&mut self, value: &Value<'_>) -> Result<()> {
        self.writer.append_to(value, ptr::null_mut())
    }

    /// Writes what ends the stream and puts the file in place.
    pub fn finish(self) -> Result<()> {
        self.writer.finish_to(ptr::null_mut())
    }
}
