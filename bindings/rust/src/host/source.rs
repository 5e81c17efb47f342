// SPDX-License-Identifier: MIT
//! What is decoded.

use super::{path_bytes, sys, text_bytes};
use crate::abi::Bytes;
use crate::error::check;
use crate::Result;
use std::marker::PhantomData;
use std::os::raw::c_void;
use std::path::Path;
use std::ptr;

/// Bytes, a file or a directory to decode. Borrowed bytes live as long as `'a`.
pub struct Source<'a> {
    pub(super) raw: *mut sys::Source,
    life: PhantomData<&'a [u8]>,
}

// SAFETY: host.h: all calls with sources are thread-safe, and holders may end on any thread.
unsafe impl Send for Source<'_> {}
unsafe impl Sync for Source<'_> {}

pub(super) unsafe extern "C" fn release_owner<T>(owner: *mut c_void) {
    let owner = Box::from_raw(owner.cast::<T>());
    // A panic must not enter the library.
    if let Err(payload) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(owner))) {
        std::mem::forget(payload);
    }
}

/// Options of one kind, all else as nothing.
pub(super) fn no_options(from: i32) -> sys::SourceOptions {
    // SAFETY: a struct of numbers and pointers, for which zeros are good.
    let mut options: sys::SourceOptions = unsafe { std::mem::zeroed() };
    options.struct_size = std::mem::size_of::<sys::SourceOptions>() as u32;
    options.from = from;
    options
}

impl<'a> Source<'a> {
    /// Borrows bytes. `name` is a file name for messages and hints, or empty.
    pub fn from_slice(bytes: &'a [u8], name: &str) -> Result<Source<'a>> {
        // SAFETY: the source and its values live shorter than the bytes.
        unsafe { Source::from_bytes(Bytes::of(bytes), ptr::null_mut(), None, name) }
    }

    unsafe fn from_bytes(bytes: Bytes, owner: *mut c_void, release: sys::Release, name: &str) -> Result<Source<'a>> {
        let name = text_bytes(name);
        Source::open_with(sys::SourceOptions { bytes, owner, release, name, ..no_options(sys::SOURCE_BYTES) })
    }

    /// # Safety
    /// What the options name lives as long as the source, or until release.
    pub(super) unsafe fn open_with(options: sys::SourceOptions) -> Result<Source<'a>> {
        let mut raw = ptr::null_mut();
        check(|e| sys::polycodec_source_open(&options, &mut raw, e))?;
        Ok(Source { raw, life: PhantomData })
    }

    unsafe fn of_path(path: &Path, flags: u32) -> Result<Source<'a>> {
        let path = path_bytes(path);
        Source::open_with(sys::SourceOptions { path, flags, ..no_options(sys::SOURCE_PATH) })
    }
}

impl Source<'static> {
    /// Takes bytes over, which drop with the last value that views them.
    pub fn from_owned<T: AsRef<[u8]> + Send + Sync + 'static>(owner: T, name: &str) -> Result<Source<'static>> {
        let owner = Box::new(owner);
        let bytes = Bytes::of((*owner).as_ref());
        // SAFETY: the box keeps the owner in place until release, and nobody else has it.
        unsafe { Source::from_bytes(bytes, Box::into_raw(owner).cast(), Some(release_owner::<T>), name) }
    }

    /// Reads a file into memory, or opens a directory as a store.
    pub fn open(path: impl AsRef<Path>) -> Result<Source<'static>> {
        // SAFETY: what was read into memory does not change.
        unsafe { Source::of_path(path.as_ref(), sys::SOURCE_COPY) }
    }

    /// Maps a file into memory, so that only what is used is read.
    ///
    /// # Safety
    /// Nobody changes or truncates the file as long as a value views it.
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Source<'static>> {
        Source::of_path(path.as_ref(), 0)
    }
}

impl Drop for Source<'_> {
    fn drop(&mut self) {
        // SAFETY: this handle is one holder.
        unsafe { sys::polycodec_source_release(self.raw) }
    }
}
