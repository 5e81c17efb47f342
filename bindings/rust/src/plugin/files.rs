// SPDX-License-Identifier: MIT
//! Files and stores that the host gives.

use super::Call;
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::{Error, Result, Status};
use std::mem::size_of;
use std::os::raw::c_void;

/// Bytes at offsets.
#[repr(transparent)]
pub struct File(abi::File);

// SAFETY: abi.h: files are thread-safe.
unsafe impl Send for File {}
unsafe impl Sync for File {}

impl File {
    /// # Safety
    /// The file is NULL, or lives during `'a`.
    pub(super) unsafe fn of_raw<'a>(raw: *const abi::File) -> Option<&'a File> {
        raw.cast::<File>().as_ref()
    }

    /// Returns the number of bytes.
    pub fn size(&self, call: &mut Call<'_>) -> Result<u64> {
        let mut size = 0;
        // SAFETY: the host's file and call.
        check(|error| unsafe { (self.0.size)(&self.0, call.raw, &mut size, error) })?;
        Ok(size)
    }

    /// Returns whether each read is expensive, as over a network: read little, in large parts.
    pub fn is_slow(&self) -> bool {
        self.0.flags & abi::FILE_SLOW != 0
    }

    /// Copies bytes from `offset` on to the buffer, and returns their number, which is less than its size only at the end.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8], call: &mut Call<'_>) -> Result<usize> {
        let (mut got, data, size) = (0, buffer.as_mut_ptr().cast::<c_void>(), buffer.len() as u64);
        // SAFETY: as above.
        check(|error| unsafe { (self.0.read_at)(&self.0, call.raw, offset, data, size, &mut got, error) })?;
        Ok(got as usize)
    }

    /// Returns `size` bytes from `offset` on in place, fewer only at the end.
    pub fn view(&self, offset: u64, size: u64, call: &mut Call<'_>) -> Result<&[u8]> {
        let mut bytes = Bytes::EMPTY;
        // SAFETY: as above; the bytes live as long as the file.
        unsafe {
            check(|error| (self.0.view)(&self.0, call.raw, offset, size, &mut bytes, error))?;
            Ok(bytes.as_slice())
        }
    }
}

impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("File")
    }
}

/// A blob of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blob<'a> {
    /// Its name, with `/` between directories.
    pub name: &'a str,
    /// The named value that it belongs to, or nothing.
    pub owner: &'a str,
    /// The number of its bytes.
    pub size: u64,
}

/// The named blobs of a store that the host gives.
#[repr(transparent)]
pub struct Blobs(abi::Store);

// SAFETY: abi.h: stores are thread-safe.
unsafe impl Send for Blobs {}
unsafe impl Sync for Blobs {}

impl Blobs {
    /// # Safety
    /// The store is NULL, or lives during `'a`.
    pub(super) unsafe fn of_raw<'a>(raw: *const abi::Store) -> Option<&'a Blobs> {
        raw.cast::<Blobs>().as_ref()
    }

    /// Returns the number of blobs. A directory of a file lists none.
    pub fn len(&self) -> u64 {
        // SAFETY: the host's store.
        unsafe { (self.0.count)(&self.0) }
    }

    /// Returns true if it lists no blobs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Describes blob `i`. Its names are copied to the memory of the call.
    pub fn blob<'a>(&self, i: u64, call: &mut Call<'a>) -> Result<Blob<'a>> {
        let mut entry = abi::StoreEntry {
            struct_size: size_of::<abi::StoreEntry>() as u32,
            reserved: 0,
            name: Bytes::EMPTY,
            owner: Bytes::EMPTY,
            size: 0,
        };
        // SAFETY: the host's store and call; names live as long as the store.
        let (name, owner) = unsafe {
            check(|error| (self.0.entry)(&self.0, call.raw, i, &mut entry, error))?;
            (call.copy(entry.name.as_slice())?, call.copy(entry.owner.as_slice())?)
        };
        let invalid = |_| Error::new(Status::Unsupported, format!("the name of blob {} is not UTF-8", i));
        let text = |bytes: &'a [u8]| std::str::from_utf8(bytes).map_err(invalid);
        Ok(Blob { name: text(name)?, owner: text(owner)?, size: entry.size })
    }

    /// Returns the number of the blob with this name.
    pub fn find(&self, name: &str, call: &mut Call<'_>) -> Result<Option<u64>> {
        let mut i = 0;
        // SAFETY: as above.
        let found =
            check(|error| unsafe { (self.0.find)(&self.0, call.raw, Bytes::of(name.as_bytes()), &mut i, error) });
        match found {
            Err(error) if error.code == Status::NotFound => Ok(None),
            found => found.map(|_| Some(i)),
        }
    }

    /// Returns `size` bytes of blob `i` from `offset` on, fewer only at its end. `u64::MAX`: all that follow.
    pub fn read<'a>(&'a self, i: u64, offset: u64, size: u64, call: &mut Call<'a>) -> Result<&'a [u8]> {
        let mut content = Bytes::EMPTY;
        // SAFETY: as above; the content lives as long as the store or the memory of the call.
        unsafe {
            check(|error| (self.0.read)(&self.0, call.raw, i, offset, size, &mut content, error))?;
            Ok(content.as_slice())
        }
    }

    /// Returns all bytes of the blob with this name, or `NotFound`.
    pub fn read_all<'a>(&'a self, name: &str, call: &mut Call<'a>) -> Result<&'a [u8]> {
        match self.find(name, call)? {
            Some(i) => self.read(i, 0, u64::MAX, call),
            None => Err(Error::new(Status::NotFound, format!("there is no blob '{}'", name))),
        }
    }
}

impl std::fmt::Debug for Blobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Blobs({})", self.len())
    }
}
