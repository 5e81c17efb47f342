// SPDX-License-Identifier: MIT
//! Where an encoder writes.

use super::{Blobs, Call};
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::{Error, Result, Status};
use std::ops::{Deref, DerefMut};
use std::ptr;

/// The output of one call. It is the [`Call`] of an encoder, and a [`std::io::Write`] for `write!`.
#[derive(Debug)]
pub struct Output<'a> {
    call: Call<'a>,
    sink: *mut abi::Sink,
    /// Of the codecs that write blobs.
    whole: *const abi::Output,
    in_blob: bool,
    written: u64,
}

impl<'a> Deref for Output<'a> {
    type Target = Call<'a>;

    fn deref(&self) -> &Call<'a> {
        &self.call
    }
}

impl<'a> DerefMut for Output<'a> {
    fn deref_mut(&mut self) -> &mut Call<'a> {
        &mut self.call
    }
}

impl<'a> Output<'a> {
    /// # Safety
    /// Call and sink are those of the host, and nothing else uses them as long as the result.
    pub(super) unsafe fn of_sink(call: *mut abi::Call, sink: *mut abi::Sink) -> Output<'a> {
        Output { call: Call::of_raw(call), sink, whole: ptr::null(), in_blob: false, written: 0 }
    }

    /// # Safety
    /// As for [`Output::of_sink`].
    pub(super) unsafe fn of_raw(call: *mut abi::Call, output: *const abi::Output) -> Output<'a> {
        Output { whole: output, ..Output::of_sink(call, (*output).sink) }
    }

    /// Copies bytes to the output.
    pub fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.charge(1 + bytes.len() as u64 / 16)?;
        let sink = self.sink()?;
        let mut left = bytes;
        while !left.is_empty() {
            // SAFETY: the window [cursor, limit) is the writer's, and never smaller than what is copied.
            unsafe {
                let window = (*sink).limit as usize - (*sink).cursor as usize;
                if window == 0 {
                    check(|error| ((*sink).grow)(sink, left.len().min(4096) as u64, error))?;
                    continue;
                }
                let part = window.min(left.len());
                ptr::copy_nonoverlapping(left.as_ptr(), (*sink).cursor, part);
                (*sink).cursor = (*sink).cursor.add(part);
                left = &left[part..];
            }
        }
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Appends bytes of the value, of the input or of the memory of the call without a copy.
    pub fn reference(&mut self, bytes: &'a [u8]) -> Result<()> {
        self.charge(1)?;
        let sink = self.sink()?;
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: bytes with this lifetime are those of the value or constants of the plugin.
        check(|error| unsafe { ((*sink).reference)(sink, bytes.as_ptr().cast(), bytes.len() as u64, error) })?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Lets `body` write up to `room` bytes in place, such as a library that wants a buffer. `body` returns how many it wrote. The
    /// room is at most 1 MiB, but in the decoder of a filter.
    pub fn put_with(&mut self, room: u64, body: impl FnOnce(&mut [u8]) -> Result<usize>) -> Result<()> {
        self.charge(1 + room / 16)?;
        let sink = self.sink()?;
        if room == 0 {
            return Ok(());
        }
        // SAFETY: the window has this room, and is initialized before it is a slice.
        unsafe {
            if (((*sink).limit as usize - (*sink).cursor as usize) as u64) < room {
                check(|error| ((*sink).grow)(sink, room, error))?;
            }
            ptr::write_bytes((*sink).cursor, 0, room as usize);
            let n = body(std::slice::from_raw_parts_mut((*sink).cursor, room as usize))?.min(room as usize);
            (*sink).cursor = (*sink).cursor.add(n);
            self.written += n as u64;
        }
        Ok(())
    }

    /// Returns the number of bytes that were written, of a blob those of the blob.
    pub fn position(&self) -> u64 {
        self.written
    }

    /// Repeats `size` bytes that the decoder of a filter wrote `distance` bytes before, as formats of compression do. They may overlap.
    pub fn repeat(&mut self, distance: u64, size: u64) -> Result<()> {
        let sink = self.sink()?;
        // SAFETY: the sink is that of the host.
        if unsafe { (*sink).flags } & abi::SINK_CONTIGUOUS == 0 {
            return Err(Error::new(Status::Plugin, "only the decoder of a filter can repeat what it wrote"));
        }
        if distance == 0 || distance > self.written {
            let message =
                format!("distance {} to repeat from is not within the {} bytes before", distance, self.written);
            return Err(Error::new(Status::Malformed, message));
        }
        self.charge(1 + size / 16)?;
        // What is repeated repeats itself, so each step may copy all of it.
        let (mut left, mut back) = (size, distance);
        while left > 0 {
            let part = left.min(back).min(abi::MAX_WINDOW);
            // SAFETY: what was written lies before the cursor, also after it has moved, and the parts do not overlap.
            unsafe {
                if (((*sink).limit as usize - (*sink).cursor as usize) as u64) < part {
                    check(|error| ((*sink).grow)(sink, part, error))?;
                }
                let cursor = (*sink).cursor;
                ptr::copy_nonoverlapping(cursor.sub(back as usize), cursor, part as usize);
                (*sink).cursor = cursor.add(part as usize);
            }
            self.written += part;
            left -= part;
            if part == back {
                back += part;
            }
        }
        Ok(())
    }

    /// Says how many bytes will follow in all, so that a limit fails before anything is written.
    pub fn expect(&mut self, size: u64) -> Result<()> {
        let sink = self.sink()?;
        // SAFETY: the host's sink.
        check(|error| unsafe { ((*sink).expect)(sink, size, error) })
    }

    /// Writes a blob, of which `body` writes the bytes. For codecs whose `OUTPUTS` name a store or companions.
    pub fn blob(&mut self, name: &str, body: impl FnOnce(&mut Output<'a>) -> Result<()>) -> Result<()> {
        if self.in_blob {
            return Err(Error::new(Status::Plugin, format!("the blob '{}' is begun inside of another", name)));
        }
        let (store, owner) = (self.store()?, self.member());
        let mut sink = ptr::null_mut();
        // SAFETY: the host's writer and call.
        check(|error| unsafe {
            ((*store).begin_blob)(
                store,
                self.call.raw,
                Bytes::of(name.as_bytes()),
                Bytes::of(owner.as_bytes()),
                &mut sink,
                error,
            )
        })?;
        let outer = (std::mem::replace(&mut self.sink, sink), std::mem::replace(&mut self.written, 0));
        self.in_blob = true;
        let result = body(self);
        self.in_blob = false;
        self.sink = outer.0;
        self.written = outer.1;
        result
    }

    /// Returns the blobs of the store before the change, if it is not a new one.
    pub fn base(&self) -> Option<&'a Blobs> {
        // SAFETY: the base lives as long as the writer.
        self.store().ok().and_then(|store| unsafe { Blobs::of_raw((*store).base) })
    }

    /// Returns the name under which the value is kept in the store. Nothing: it is alone.
    pub fn member(&self) -> String {
        self.text_of(|whole| whole.member)
    }

    /// Returns the name of the file, for names of companions, or nothing.
    pub fn name(&self) -> String {
        self.text_of(|whole| whole.name)
    }

    fn text_of(&self, field: impl FnOnce(&abi::Output) -> Bytes) -> String {
        // SAFETY: the output is NULL or that of the host, whose text lives as long as the call.
        let text = unsafe { self.whole.as_ref().map_or(&[][..], |whole| field(whole).as_slice()) };
        String::from_utf8_lossy(text).into_owned()
    }

    /// Runs `body` one level deeper, or fails at the limit. Wrap each recursion in it.
    pub fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.enter()?;
        let result = body(self);
        self.leave();
        result
    }

    fn sink(&self) -> Result<*mut abi::Sink> {
        if self.sink.is_null() {
            return Err(Error::new(Status::Plugin, "this output has blobs alone: write inside of Output::blob()"));
        }
        Ok(self.sink)
    }

    fn store(&self) -> Result<*mut abi::StoreWriter> {
        // SAFETY: the output is NULL or that of the host.
        let store = unsafe { self.whole.as_ref() }.map_or(ptr::null_mut(), |whole| whole.store);
        if store.is_null() {
            return Err(Error::new(Status::Plugin, "this output has no blobs: name a store in OUTPUTS"));
        }
        Ok(store)
    }
}

impl std::io::Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.put(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
