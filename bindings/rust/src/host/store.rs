// SPDX-License-Identifier: MIT
//! Named blobs.

use super::source::no_options;
use super::{sys, text_bytes, Registry, Source};
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::Result;
use std::marker::PhantomData;
use std::mem::size_of;
use std::ptr;

/// Named blobs: a directory, an archive, a file of a store format, or memory.
pub struct Store<'a> {
    raw: *const abi::Store,
    life: PhantomData<&'a [u8]>,
}

// SAFETY: abi.h: stores are thread-safe.
unsafe impl Send for Store<'_> {}
unsafe impl Sync for Store<'_> {}

impl Store<'static> {
    /// Makes a store of copies of blobs, each with its name.
    pub fn from_memory(blobs: &[(&str, &[u8])]) -> Result<Store<'static>> {
        let names: Vec<Bytes> = blobs.iter().map(|(name, _)| text_bytes(name)).collect();
        let contents: Vec<Bytes> = blobs.iter().map(|(_, content)| Bytes::of(content)).collect();
        let mut raw = ptr::null();
        // SAFETY: names and contents are read during the call.
        check(|e| unsafe {
            sys::polycodec_store_from_memory(names.as_ptr(), contents.as_ptr(), names.len() as u64, &mut raw, e)
        })?;
        Ok(Store { raw, life: PhantomData })
    }
}

impl<'a> Store<'a> {
    /// Opens the blobs of a source.
    pub fn open(registry: &Registry, source: &Source<'a>) -> Result<Store<'a>> {
        let mut raw = ptr::null();
        // SAFETY: the handles are good during the call; the store keeps the source.
        check(|e| unsafe { sys::polycodec_store_open(registry.raw, source.raw, &mut raw, e) })?;
        Ok(Store { raw, life: PhantomData })
    }

    /// Returns the name of each blob and its number of bytes, in the order of the store.
    pub fn entries(&self) -> Result<Vec<(String, u64)>> {
        let mut all = Vec::new();
        // SAFETY: the functions are those of the library, which accept no call. Names live as long as the store.
        unsafe {
            for i in 0..((*self.raw).count)(self.raw) {
                let mut entry = abi::StoreEntry {
                    struct_size: size_of::<abi::StoreEntry>() as u32,
                    reserved: 0,
                    name: Bytes::EMPTY,
                    owner: Bytes::EMPTY,
                    size: 0,
                };
                check(|e| ((*self.raw).entry)(self.raw, ptr::null_mut(), i, &mut entry, e))?;
                all.push((String::from_utf8_lossy(entry.name.as_slice()).into_owned(), entry.size));
            }
        }
        Ok(all)
    }

    /// Returns the content of a blob.
    pub fn read(&self, name: &str) -> Result<&[u8]> {
        let (mut i, mut content) = (0, Bytes::EMPTY);
        // SAFETY: as above. Contents live as long as the store.
        unsafe {
            check(|e| ((*self.raw).find)(self.raw, ptr::null_mut(), text_bytes(name), &mut i, e))?;
            check(|e| ((*self.raw).read)(self.raw, ptr::null_mut(), i, 0, u64::MAX, &mut content, e))?;
            Ok(content.as_slice())
        }
    }

    /// Returns the store as a source to decode. `name` is for messages, or empty.
    pub fn to_source(&self, name: &str) -> Result<Source<'a>> {
        let (store, name) = (self.raw, text_bytes(name));
        // SAFETY: the source shares the store of the library.
        unsafe { Source::open_with(sys::SourceOptions { store, name, ..no_options(sys::SOURCE_STORE) }) }
    }
}

impl Drop for Store<'_> {
    fn drop(&mut self) {
        // SAFETY: this handle is the holder that the library made.
        unsafe { ((*self.raw).release)(self.raw) }
    }
}
